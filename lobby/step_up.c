#include "lobby/step_up.h"

#include "lobby/answers.h"
#include "lobby/auth_jobs.h"
#include "lobby/backoff.h"
#include "lobby/conns.h"
#include "lobby/messages.h"
#include "lobby/protocol/json_read.h"
#include "lobby/stored.h"
#include "lobby/telnet.h"
#include "lobby/words.h"

#include <inttypes.h>
#include <stdio.h>

/* True when there is a way to confirm here; else the request is answered. */
static bool step_up_can(struct house *house, struct conn *conn, int64_t request)
{
    const struct person *person = conn->person;
    if (person->account == 0) {
        answer_no(house, conn, request, "guest",
                  _("A guest has nothing to confirm: make an account first."));
    } else if (telnet_is_used(conn)) {
        answer_no(house, conn, request, "telnet",
                  _("Not by telnet, where others can read along: come by ssh."));
    } else if (!person->has_password) {
        answer_no(house, conn, request, "no_secret",
                  _("A key alone is not enough for that: choose a /password first."));
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
        age_ms < INT64_C(1000) * house->config.limits.step_up_s) {
        return true;
    }
    answer_no(house, conn, request, "step_up", _("Confirm first that it is you."));
    return false;
}

void step_up_forget(struct person *person)
{
    struct conn *conn = NULL;
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        conn->confirmed_ms = 0;
    }
}

/* Wrong tries count by account; no name has a blank in it. */
static void step_up_guesser(int64_t account, char name[STORAGE_NAME_SIZE])
{
    (void)snprintf(name, STORAGE_NAME_SIZE, "confirm %" PRId64, account);
}

/* True when one more try may be made; else the request is answered. */
static bool step_up_may_try(struct house *house, struct conn *conn, int64_t request)
{
    char guesser[STORAGE_NAME_SIZE];
    char why[WORDS_MAX];
    step_up_guesser(conn->person->account, guesser);
    int64_t wait_s = backoff_wait_s(house, guesser);
    if (wait_s > 0) {
        (void)snprintf(why, sizeof(why), _("After a wrong try comes a pause: %d s more."),
                       (int)wait_s);
        answer_wait(house, conn, request, wait_s, why);
        return false;
    }
    if (auth_is_proving(house, conn->person->account)) {
        answer_no(house, conn, request, "busy",
                  _("The try before is still being looked at: wait a moment."));
        return false;
    }
    return true;
}

static void step_up_judge(struct house *house, const struct auth_proof *proof, bool is_right)
{
    struct conn *conn = conn_find(house, proof->conn);
    char guesser[STORAGE_NAME_SIZE];
    step_up_guesser(proof->account, guesser);
    if (is_right) {
        backoff_succeeded(house, guesser);
    } else {
        backoff_failed(house, guesser);
    }
    if (conn == NULL) {
        return;
    }
    if (is_right) {
        conn->confirmed_ms = house->now_ms;
        answer_ok(house, conn, proof->request,
                  json_pack("{s:I}", "for_s", (json_int_t)house->config.limits.step_up_s));
    } else {
        answer_no(house, conn, proof->request, "denied", _("That is not right: try again."));
    }
}

void message_step_up(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    const char *password = json_read_text(body, "password", LIMIT_PASSWORD_BYTES);
    if (!step_up_can(house, conn, request) || !step_up_may_try(house, conn, request)) {
        return;
    }
    if (password == NULL) {
        answer_no(house, conn, request, "bad",
                  _("This message lacks something: see the protocol's page for its fields."));
        return;
    }
    const struct auth_proof proof = {
        .conn = conn->id,
        .account = conn->person->account,
        .request = request,
        .judge = step_up_judge,
    };
    auth_prove_password(house, conn, &proof, password);
}
