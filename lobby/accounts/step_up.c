#include "lobby/accounts/step_up.h"

#include "lobby/accounts/telnet.h"
#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/journal.h"
#include "lobby/house/messages.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/protocol/json_read.h"
#include "storage/accounts/totp.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

static bool step_up_has_secret(const struct person *person)
{
    return person->has_password || person->has_totp;
}

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
    return (is_first && !telnet_is_used(conn)) || step_up_holds(house, conn, request);
}

void step_up_forget(struct person *person)
{
    struct conn *conn = NULL;
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        conn->confirmed_ms = 0;
    }
}

void step_up_judged(struct house *house, const struct auth_proof *proof, bool is_right)
{
    struct conn *conn = conn_find(house, proof->conn);
    auth_judged(house, proof, is_right);
    if (conn == NULL) {
        return;
    }
    if (is_right) {
        conn->confirmed_ms = house->now_ms;
        journal_write(house, conn, "step-up",
                      JOURNAL_PAIRS("account", conn->person->name, "method",
                                    proof->secret[0] != '\0' ? "totp" : "password"));
        answer_ok(house, conn, proof->request,
                  json_pack("{s:I}", "for_s", (json_int_t)house->config.staff_step_up_s));
    } else {
        journal_denied(house, conn, "step-up", conn->person->name, "denied");
        answer_no(house, conn, proof->request, "denied", _("That is not right: try again."));
    }
}

/* A code counts once: one that somebody saw being typed is worth nothing to them. */
static void step_up_judge(struct house *house, const struct auth_proof *proof, bool is_right)
{
    bool is_code = proof->secret[0] != '\0';
    bool is_fresh =
        !is_code ||
        (is_right && stored(house, storage_totp_use(house->storage, proof->account, proof->step)));
    step_up_judged(house, proof, is_right && is_fresh);
}

void message_step_up(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    const char *password = json_read_text(body, "password", LIMIT_PASSWORD_BYTES);
    const char *code = json_read_text(body, "totp", LIMIT_TOTP_BYTES);
    struct storage_totp totp = {0};
    if (!step_up_can(house, conn, request)) {
        return;
    }
    bool is_code = code != NULL &&
                   stored(house, storage_totp_read(house->storage, conn->person->account, &totp));
    struct auth_proof proof = {
        .conn = conn->id,
        .account = conn->person->account,
        .request = request,
        .judge = step_up_judge,
    };
    if (is_code || password != NULL) {
        memcpy(proof.secret, totp.secret, sizeof(proof.secret));
        auth_prove(house, conn, &proof, is_code ? code : password);
    } else if (code != NULL) {
        answer_no(house, conn, request, "totp_none",
                  _("No codes are made for this account: type its password."));
    } else {
        answer_no(house, conn, request, "bad",
                  _("This message lacks something: see the protocol's page for its fields."));
    }
    sodium_memzero(&totp, sizeof(totp));
    sodium_memzero(&proof, sizeof(proof));
}
