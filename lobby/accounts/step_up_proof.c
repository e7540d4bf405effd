#include "lobby/accounts/step_up_proof.h"

#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/journal.h"
#include "lobby/house/messages.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/json_read.h"
#include "lobby/sanctions/step_up.h"
#include "storage/accounts/totp.h"

#include <sodium.h>
#include <string.h>

void step_up_answer_proof(struct house *house, const struct auth_proof *proof, bool is_right)
{
    struct conn *conn = conn_find(house, proof->conn);
    const struct request request = {house, conn, .id = proof->request};
    auth_count_proof(house, proof, is_right);
    if (conn == NULL) {
        return;
    }
    if (is_right) {
        step_up_confirm_conn(house, conn);
        journal_write(house, conn, "step-up",
                      JOURNAL_PAIRS("account", conn->person->name, "method",
                                    proof->secret[0] != '\0' ? "totp" : "password"));
        answer_ok(&request, json_pack("{s:I}", "for_s", (json_int_t)house->config.staff_step_up_s));
    } else {
        journal_write_denied(house, conn, "step-up", conn->person->name, "denied");
        answer_no(&request, "denied", _("That is not right: try again."));
    }
}

/* Ends a confirmation. A code counts only once, so a code that somebody saw being typed is useless
 * to them. */
static void step_up_finish_proof(struct house *house, const struct auth_proof *proof, bool is_right)
{
    bool is_code = proof->secret[0] != '\0';
    bool is_fresh =
        !is_code ||
        (is_right && stored(house, storage_totp_use(house->storage, proof->account, proof->step)));
    step_up_answer_proof(house, proof, is_right && is_fresh);
}

static void message_step_up(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const char *password = json_read_text(request->body, "password", LIMIT_PASSWORD_BYTES);
    const char *code = json_read_text(request->body, "totp", LIMIT_TOTP_BYTES);
    struct storage_totp totp = {0};
    bool is_code = code != NULL &&
                   stored(house, storage_totp_read(house->storage, conn->person->account, &totp));
    struct auth_proof proof = {
        .conn = conn->id,
        .account = conn->person->account,
        .request = request->id,
        .judge = step_up_finish_proof,
    };
    if (is_code || password != NULL) {
        memcpy(proof.secret, totp.secret, sizeof(proof.secret));
        auth_check_proof(request, &proof, is_code ? code : password);
    } else if (code != NULL) {
        answer_no(request, "totp_none", _("This account has no authenticator: type its password."));
    } else {
        answer_no(request, "bad",
                  _("This message lacks something: see the protocol's page for its fields."));
    }
    sodium_memzero(&totp, sizeof(totp));
    sodium_memzero(&proof, sizeof(proof));
}

const struct message_handler handler_step_up = {message_step_up};
