#include "lobby/sanctions/step_up.h"

#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/messages.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions_state.h"

static bool step_up_has_secret(const struct person *person)
{
    return person->has_password || person->has_totp;
}

static bool step_up_is_possible(const struct request *request)
{
    const struct person *person = request->conn->person;
    if (person->account == 0) {
        answer_no(request, "guest", _("A guest has nothing to confirm: make an account first."));
    } else if (conn_is_telnet(request->conn)) {
        answer_no(request, "telnet",
                  _("You cannot confirm by telnet, where others can read your password: connect by "
                    "ssh."));
    } else if (!step_up_has_secret(person)) {
        answer_no(request, "no_secret",
                  _("A key alone is not enough for that: set a /password or type /totp on."));
    } else {
        return true;
    }
    return false;
}

const struct need need_secret = {.holds = step_up_is_possible};

bool step_up_is_confirmed(const struct request *request)
{
    if (!step_up_is_possible(request)) {
        return false;
    }
    int64_t age_ms = request->house->now_ms - sanctions_conn_state(request->conn)->confirmed_ms;
    if (sanctions_conn_state(request->conn)->confirmed_ms != 0 && age_ms >= 0 &&
        age_ms < INT64_C(1000) * request->house->config.staff_step_up_s) {
        return true;
    }
    answer_no(request, "step_up", _("Confirm first that it is you."));
    return false;
}

bool step_up_is_confirmed_or_no_secret(const struct request *request)
{
    struct conn *conn = request->conn;
    bool is_first = conn->person->account != 0 && !step_up_has_secret(conn->person);
    return (is_first && !conn_is_telnet(conn)) || step_up_is_confirmed(request);
}

const struct need need_step_up = {.holds = step_up_is_confirmed_or_no_secret};

void step_up_confirm_conn(const struct house *house, struct conn *conn)
{
    sanctions_conn_state(conn)->confirmed_ms = house->now_ms;
}

void step_up_drop_confirmations(struct person *person)
{
    struct conn *conn = NULL;
    CONN_LINKS_EACH(conn, &person->conns)
    {
        sanctions_conn_state(conn)->confirmed_ms = 0;
    }
}
