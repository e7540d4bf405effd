#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions.h"

#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/journal.h"
#include "lobby/house/read_only.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/sanctions/allowlist.h"
#include "lobby/sanctions/appeals.h"
#include "lobby/sanctions/audit.h"
#include "lobby/sanctions/door.h"
#include "lobby/sanctions/knocks.h"
#include "lobby/sanctions/net.h"
#include "lobby/sanctions/sanctions_state.h"
#include "lobby/sanctions/sources.h"
#include "storage/accounts/connections.h"

#include <string.h>
#include <strings.h>

/* Bans, where they hold: at the door. */

#define APPEAL_WORD "appeal "

struct door_look {
    const struct conn *conn;
    struct storage_sanction ban;
    bool is_banned;
};

static bool look_at_ban(void *context, const struct storage_sanction *sanction)
{
    struct door_look *look = context;
    if (sanction->kind == STORAGE_SANCTION_BAN) {
        look->ban = *sanction;
        look->is_banned = true;
    }
    return !look->is_banned;
}

static bool look_at_address(void *context, const struct storage_sanction *sanction)
{
    struct door_look *look = context;
    struct net net;
    if (net_read(sanction->address, &net) && net_has(&net, look->conn->address)) {
        return look_at_ban(context, sanction);
    }
    return true;
}

/* A ban that was found on this connection applies as long as it is in force: another name does not
 * avoid it. */
static void look_at_former(struct house *house, struct conn *conn, struct door_look *look)
{
    struct storage_sanction ban;
    if (sanctions_conn(conn)->ban == 0) {
        return;
    }
    if (stored(house, storage_sanction_read(house->storage, sanctions_conn(conn)->ban, &ban)) &&
        ban.ended_ms == 0) {
        (void)look_at_ban(look, &ban);
    } else {
        sanctions_conn(conn)->ban = 0;
    }
}

/* Before the proof, the claimed account is unknown, so bans that follow a person from another name
 * are left out: they do not apply to accounts older than the ban, and this may be one. */
static void look_at_all(struct house *house, const struct storage_account *account, bool is_proved,
                        struct door_look *look)
{
    if (account != NULL) {
        stored_or_fail(
            house, storage_sanctions_on_person(house->storage, account->id, "", look_at_ban, look));
    }
    if (look->is_banned || (account != NULL && account->role != STORAGE_ROLE_PLAYER)) {
        return;
    }
    if (allowed_is(house, look->conn)) {
        return;
    }
    if (look->conn->key_fingerprint[0] != '\0') {
        stored_or_fail(house, storage_sanctions_on_key(house->storage, look->conn->key_fingerprint,
                                                       look_at_ban, look));
    }
    if (!look->is_banned) {
        stored_or_fail(house,
                       storage_sanctions_on_addresses(house->storage, look_at_address, look));
    }
    if (!look->is_banned && is_proved) {
        sources_each_of_conn(house, look->conn, account, look_at_ban, look);
    }
}

static json_t *ban_say(struct house *house, const struct storage_sanction *ban,
                       const struct storage_account *account)
{
    bool is_followed = ban->name[0] != '\0' && (account == NULL || account->id != ban->account);
    json_t *appeal = appeal_say(house, ban->id);
    json_t *why = say(_("You are %p."), say_inner(sanction_say(ban)));
    if (is_followed) {
        why = say("%p %p", say_inner(why), say_word(sanction_followed_words()));
    }
    if (appeal != NULL) {
        why = say("%p %p", say_inner(why), say_inner(appeal));
    }
    return say("%p %p", say_inner(why),
               say_word(_("To appeal, type the word appeal and your reason.")));
}

/* Finds the ban that keeps the connection out, if any. */
static bool keep_out(struct house *house, struct conn *conn, const struct storage_account *account,
                     bool is_proved, struct storage_sanction *ban)
{
    struct door_look look = {.conn = conn};
    if (account == NULL || account->role == STORAGE_ROLE_PLAYER) {
        look_at_former(house, conn, &look);
    }
    if (!look.is_banned) {
        look_at_all(house, account, is_proved, &look);
    }
    if (!look.is_banned) {
        return false;
    }
    if (account != NULL && account->id == look.ban.account) {
        sources_note(house, look.ban.id, conn);
    }
    *ban = look.ban;
    return true;
}

bool sanctions_keep_out(struct house *house, struct conn *conn,
                        const struct storage_account *account, json_t **why)
{
    struct storage_sanction ban;
    if (!keep_out(house, conn, account, true, &ban)) {
        return false;
    }
    sanctions_conn(conn)->ban = ban.id;
    *why = ban_say(house, &ban, account);
    return true;
}

void sanctions_put_out(struct house *house, const struct person *person,
                       const struct storage_account *account)
{
    json_t *why = NULL;
    struct conn *conn = NULL;
    CONN_LINKS_EACH(conn, &person->conns)
    {
        if (sanctions_keep_out(house, conn, account, &why)) {
            conn_bye(house, conn, why);
        }
    }
}

static bool admit(const struct request *request, const struct storage_account *account,
                  bool is_proved)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct storage_sanction ban;
    const char *name = account == NULL ? NULL : account->name;
    if (!keep_out(house, conn, account, is_proved, &ban)) {
        return true;
    }
    if (sanctions_conn(conn)->ban != ban.id) {
        sanctions_conn(conn)->ban = ban.id;
        knock_tell(house, conn, &ban, name);
    }
    journal_denied(house, conn, "door", name, "banned");
    answer_no_said(request, "banned", ban_say(house, &ban, account));
    return false;
}

bool sanctions_admit(const struct request *request, const struct storage_account *account)
{
    return admit(request, account, true);
}

bool sanctions_admit_stranger(const struct request *request, const char *name)
{
    struct storage_account account;
    bool is_staffs =
        stored(request->house, storage_account_by_name(request->house->storage, name, &account)) &&
        account.role != STORAGE_ROLE_PLAYER;
    return is_staffs || admit(request, NULL, false);
}

static int64_t appeal_note(struct house *house, const struct conn *conn,
                           const struct appeal *appeal)
{
    struct storage_audit row = {
        .verb = "appeal",
        .target_name = appeal->name,
        .target_id = appeal->account,
        .reason = appeal->text,
        .reverses = appeal->against->audit,
        .report = appeal_make(house, appeal),
        .address = conn->address,
    };
    audit_house(house, &row);
    return row.report;
}

bool sanctions_door_appeal(const struct request *request, const char *text)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct storage_sanction ban;
    char clean[TEXT_CLEAN_BYTES_MAX + 1];
    struct appeal appeal = {.against = &ban, .text = clean};
    if (sanctions_conn(conn)->ban == 0 ||
        strncasecmp(text, APPEAL_WORD, strlen(APPEAL_WORD)) != 0) {
        return false;
    }
    if (house->is_read_only) {
        read_only_answer(request);
    } else if (text_clean(text + strlen(APPEAL_WORD), clean) != TEXT_CLEAN_OK) {
        answer_no(request, "empty", _("Say in a line why the ban is to be lifted."));
    } else if (!stored(house,
                       storage_sanction_read(house->storage, sanctions_conn(conn)->ban, &ban)) ||
               ban.ended_ms != 0) {
        answer_no(request, "unknown", _("That ban is over: sign in again."));
    } else {
        appeal.account = ban.account;
        appeal.name = sanction_target(&ban);
        if (!appeal_may_be_made(house, &appeal)) {
            answer_no(request, "too_many",
                      _("You have appealed already: wait for the answer, or a day."));
            return true;
        }
        answer_no_say(request, "banned",
                      _("Your appeal is noted, with number %lld. Connect again later to read the "
                        "answer here."),
                      (long long)appeal_note(house, conn, &appeal));
    }
    return true;
}
