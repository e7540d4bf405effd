#include "lobby/sanctions/step_up.h"

#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/words.h"

static bool step_up_has_secret(const struct person *person)
{
    return person->has_password || person->has_totp;
}

bool step_up_can(struct house *house, struct conn *conn, int64_t request)
{
    const struct person *person = conn->person;
    if (person->account == 0) {
        answer_no(house, conn, request, "guest",
                  _("A guest has nothing to confirm: make an account first."));
    } else if (conn_is_telnet(conn)) {
        answer_no(house, conn, request, "telnet",
                  _("Not by telnet, where others can read along: come by ssh."));
    } else if (!step_up_has_secret(person)) {
        answer_no(house, conn, request, "no_secret",
                  _("A key alone is not enough for that: choose a /password or /totp on."));
    } else {
        return true;
    }
    return false;
}

bool step_up_holds(struct house *house, struct conn *conn, int64_t request)
{
    if (!step_up_can(house, conn, request)) {
        return false;
    }
    int64_t age_ms = house->now_ms - conn->confirmed_ms;
    if (conn->confirmed_ms != 0 && age_ms >= 0 &&
        age_ms < INT64_C(1000) * house->config.staff_step_up_s) {
        return true;
    }
    answer_no(house, conn, request, "step_up", _("Confirm first that it is you."));
    return false;
}

bool step_up_holds_or_none(struct house *house, struct conn *conn, int64_t request)
{
    bool is_first = conn->person->account != 0 && !step_up_has_secret(conn->person);
    return (is_first && !conn_is_telnet(conn)) || step_up_holds(house, conn, request);
}

void step_up_forget(struct person *person)
{
    struct conn *conn = NULL;
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        conn->confirmed_ms = 0;
    }
}
