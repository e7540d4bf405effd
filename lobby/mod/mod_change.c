#include "lobby/mod/mod_line.h"

#include "lobby/accounts/account_sync.h"
#include "lobby/accounts/codes.h"
#include "lobby/accounts/former_names.h"
#include "lobby/accounts/security_news.h"
#include "lobby/accounts/sign_up.h"
#include "lobby/chat/chat_rewrites.h"
#include "lobby/house/conns.h"
#include "lobby/house/roles.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/persons/names.h"
#include "lobby/persons/persons.h"
#include "lobby/play/table_people.h"
#include "lobby/protocol/json_read.h"
#include "lobby/ratings/rerate.h"
#include "lobby/sanctions/barring.h"
#include "lobby/sanctions/decisions.h"
#include "lobby/sanctions/door.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/sanctions/staff.h"
#include "lobby/tables/table_host.h"
#include "lobby/tables/tables.h"
#include "lobby/webhooks/hooks.h"
#include "storage/accounts/account_changes.h"
#include "storage/ratings/standings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Changes to an account: its name, its role, its keys and password, and its deletion. */

static bool rename_seat(struct storage_seat *seat, int64_t account, const char *name)
{
    if (seat->account != account) {
        return false;
    }
    (void)snprintf(seat->name, sizeof(seat->name), "%s", name);
    return true;
}

/* Whether the account's name is shown at the table, and so has to be changed there. */
static bool rename_at_table(struct house *house, struct table *table, int64_t account,
                            const char *name)
{
    bool is_there = table->row.host == account;
    if (is_there) {
        table_set_host(house, table, account, name);
    }
    for (int seat = 0; seat < table->row.players; seat++) {
        bool is_held = rename_seat(&table->row.seats[seat], account, name);
        bool is_start = rename_seat(&table->plays[seat].starter, account, name);
        is_there = is_there || is_held || is_start;
    }
    return is_there;
}

static void rename_at_tables(struct house *house, int64_t account, const char *name)
{
    struct table *table = NULL;
    struct index_at next;
    INDEX_EACH(&tables_of(house)->by_id, table, next)
    {
        if (rename_at_table(house, table, account, name)) {
            table_save(house, table);
            table_changed(house, table);
        }
    }
}

static bool rename_may(struct order *order)
{
    char account[DECISION_ACCOUNT_SIZE];
    name_fold(order->word);
    if (name_check(order->word) == NAME_BAD) {
        order_no(order, "name_bad", "%s",
                 _("A name has 2 to 16 characters, begins with a letter and goes on with a–z, "
                   "0–9, - or _: try another."));
    } else if (name_check(order->word) != NAME_OK) {
        order_no(order, "name_reserved", "%s", _("That name belongs to the house: try another."));
    } else if (order->rank < RANK_OWNER &&
               former_name_is_kept(order->house, order->word, order->target.id)) {
        order_no(order, "name_taken",
                 _("Somebody else was called %s not long ago: for %d days nobody gets that name."),
                 order->word, FORMER_NAME_DAYS);
    } else {
        decision_account(order->target.id, account);
        return decision_is_theirs(order, STORAGE_DECISION_NAME, account);
    }
    return false;
}

static void rename_run(struct order *order)
{
    struct house *house = order->house;
    char skeleton[NAME_SKELETON_MAX], account[DECISION_ACCOUNT_SIZE];
    if (!rename_may(order)) {
        return;
    }
    name_skeleton(order->word, skeleton);
    enum storage_result result =
        storage_account_rename(house->storage, order->target.id, order->word, skeleton);
    if (!stored(house, result)) {
        order_no(order, "name_taken", "%s",
                 _("Somebody has that name, or one that looks like it: try another."));
        return;
    }
    chat_rewrites_start(house);
    former_name_keep(house, order->target.id, order->target.name);
    decision_account(order->target.id, account);
    decision_take(order, STORAGE_DECISION_NAME, account);
    order->before = json_pack("{s:s}", "name", order->target.name);
    order->after = json_pack("{s:s}", "name", order->word);
    rename_at_tables(house, order->target.id, order->word);
    if (order->target.person != NULL) {
        person_rename(house, order->target.person, order->word);
    }
    account_sync_name(house, order->target.id);
    security_tell(order->house, order->target.id, NULL, NULL,
                  say(_("You are called %s from now on, says %p: %s"), order->word, order_by(order),
                      order->reason));
    order_say(order, _("%s is called %s now."), order->target.name, order->word);
}

const struct mod_command mod_command_rename = {
    .parts = {PART_TARGET, PART_WORD, PART_REASON},
    .targets = TARGET_USER,
    .flags = MOD_AGAINST | MOD_OPEN,
    .run = rename_run,
};

/* Sets the role and re-applies the sanctions, since network bans do not apply to staff but do to
 * players. */
static void role_set(struct order *order, enum storage_role role)
{
    struct storage_account account = order->target.account;
    staff_set_role(order->house, &account, role);
    account.role = role;
    if (order->target.person != NULL) {
        sanctions_read(order->house, order->target.person);
        sanctions_put_out(order->house, order->target.person, &account);
    }
}

static void role_run(struct order *order)
{
    static const enum storage_role roles[] = {STORAGE_ROLE_PLAYER, STORAGE_ROLE_MOD,
                                              STORAGE_ROLE_ADMIN};
    for (size_t i = 0; i < ARRAY_LEN(roles); i++) {
        if (strcmp(order->word, role_name(roles[i])) != 0) {
            continue;
        }
        if (roles[i] == STORAGE_ROLE_ADMIN &&
            !order_confirmed(order,
                             _("As an admin %s may do all that you may, and only the owner takes "
                               "that back. Is it meant?"),
                             order->target.name)) {
            return;
        }
        order->before = json_pack("{s:s}", "role", role_name(order->target.account.role));
        order->after = json_pack("{s:s}", "role", order->word);
        role_set(order, roles[i]);
        security_tell(order->house, order->target.id, NULL, NULL,
                      say(_("Your role is %p now, says %p: %s"), say_word(role_word(roles[i])),
                          order_by(order), order->reason));
        order_say(order, _("%s is %p now."), order->target.name, say_word(role_word(roles[i])));
        return;
    }
    order_no(order, "bad", "%s", _("A role is player, mod or admin."));
}

const struct mod_command mod_command_role = {
    .parts = {PART_TARGET, PART_WORD, PART_REASON},
    .targets = TARGET_USER,
    .flags = MOD_AGAINST | MOD_OPEN,
    .run = role_run,
};

static void recover_run(struct order *order)
{
    char text[CODE_TEXT_SIZE];
    code_make(order->house, order->target.id, STORAGE_CODE_RECOVERY, text);
    order_say(order, _("Whoever types %s as %s's password comes in, once. It is shown this once."),
              text, order->target.name);
    security_tell(order->house, order->target.id, NULL, NULL,
                  say(_("%p has made a code that opens your account; the one before is void."),
                      order_by(order)));
}

const struct mod_command mod_command_recover = {
    .parts = {PART_TARGET},
    .targets = TARGET_USER,
    .flags = MOD_AGAINST | MOD_OPEN,
    .run = recover_run,
};

static bool holds_seat(const struct table *table, int64_t account)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->row.seats[seat].account == account) {
            return true;
        }
    }
    return false;
}

/* Whether the account was in the table's game from its start: the game is rated for it, even if it
 * has left. */
static bool began_game(const struct table *table, int64_t account)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->plays[seat].starter.account == account) {
            return true;
        }
    }
    return false;
}

/* Whether the account is playing, which has to end first. For an account to be closed this includes
 * games it has left that are still on. */
static bool is_playing(struct order *order, int64_t account, bool is_closed)
{
    const struct table *table = NULL;
    struct index_at next;
    INDEX_EACH(&tables_of(order->house)->by_id, table, next)
    {
        if (table_is_playing(table) &&
            (holds_seat(table, account) || (is_closed && began_game(table, account)))) {
            order_no(order, "seated",
                     _("%s is in the game at table #%lld: /adjudicate that game, or wait for its "
                       "end."),
                     order->target.name, (long long)table->row.id);
            return true;
        }
    }
    return false;
}

static void stand_up_from(struct order *order, struct table *table, int64_t account)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->row.seats[seat].account == account) {
            table_vacate(order->house, table, seat);
            order_say(order, _("Their seat at #%lld is free."), (long long)table->row.id);
        }
    }
}

/* Frees the seats of an account that is not playing. */
static void stand_up(struct order *order, int64_t account)
{
    struct table *table = NULL;
    struct index_at next;
    INDEX_EACH(&tables_of(order->house)->by_id, table, next)
    {
        stand_up_from(order, table, account);
    }
}

static void disconnect_target(struct order *order, json_t *why)
{
    struct conn *conn = NULL;
    if (order->target.person != NULL) {
        CONN_LINKS_EACH(conn, &order->target.person->conns)
        {
            conn_bye(order->house, conn, json_incref(why));
        }
    }
    json_decref(why);
}

static void drop_standings(struct house *house, int64_t account)
{
    for (uint8_t game = 0; game < game_count(); game++) {
        stored_or_fail(house, storage_standings_drop(house->storage, account, game_at(game)->id));
    }
}

/* From now on the account's ratings and lists are those of a bot, or of a person. The effect of
 * earlier games on others stays: /void and /refund correct that. */
static void program_set(struct order *order, enum storage_kind kind)
{
    struct house *house = order->house;
    struct person *person = order->target.person;
    stored_or_fail(house, storage_account_set_kind(house->storage, order->target.id, kind));
    for (uint8_t game = 0; game < game_count(); game++) {
        rerate_account(house, order->target.id, game_at(game)->id);
    }
    account_sync_ratings(house);
    if (person != NULL) {
        person->kind = kind == STORAGE_BOT ? PERSON_BOT : PERSON_PLAYER;
        person_changed(house, person);
        person_tell_you(house, person);
    }
}

static void program_run(struct order *order)
{
    const struct storage_account *account = &order->target.account;
    bool is_on = strcmp(order->word, "on") == 0;
    enum storage_kind kind = is_on ? STORAGE_BOT : STORAGE_PLAYER;
    if (!is_on && strcmp(order->word, "off") != 0) {
        order_no(order, "bad", "%s", _("Say on or off."));
    } else if (account->kind == kind) {
        order_no(order, "bad", "%s", _("That is so already."));
    } else if (account->role != STORAGE_ROLE_PLAYER) {
        order_no(order, "staff", "%s", _("Who keeps order in this house is no bot."));
    } else if (rerate_is_on(order->house)) {
        order_no(order, "busy", "%s", _("Ratings are being computed anew: again in a moment."));
    }
    if (order->code != NULL || is_playing(order, order->target.id, false)) {
        return;
    }
    stand_up(order, order->target.id);
    order->before = json_pack("{s:b}", "is_program", !is_on);
    order->after = json_pack("{s:b}", "is_program", is_on);
    program_set(order, kind);
    security_tell(order->house, order->target.id, NULL, NULL,
                  say(is_on ? _("Your account is a program's and rated apart, says %p: %s")
                            : _("Your account is a person's again, says %p: %s"),
                      order_by(order), order->reason));
    order_say(order,
              is_on ? _("%s counts as a program now, rated apart.")
                    : _("%s counts as a person now."),
              order->target.name);
}

const struct mod_command mod_command_program = {
    .parts = {PART_TARGET, PART_WORD, PART_REASON},
    .targets = TARGET_USER,
    .flags = MOD_AGAINST | MOD_OPEN,
    .run = program_run,
};

/* Sanctions in force against the one account apply to the other from now on; a ban at once. */
static void merge_sanctions(struct order *order, const struct order_target *into)
{
    barring_changed(order->house);
    if (into->person != NULL) {
        sanctions_read(order->house, into->person);
        sanctions_put_out(order->house, into->person, &into->account);
    }
}

static void merge_run(struct order *order)
{
    const struct order_target *into = &order->other;
    if (into->id == order->target.id) {
        order_no(order, "bad", "%s", _("Those are one account."));
        return;
    }
    if (into->account.role != STORAGE_ROLE_PLAYER && order->rank < RANK_OWNER) {
        order_no(order, "role", _("%s is staff: only the owner may do that."), into->name);
        return;
    }
    if (is_playing(order, order->target.id, true) ||
        !order_confirmed(order, _("%s becomes %s, for good. Is it meant?"), order->target.name,
                         into->name)) {
        return;
    }
    stand_up(order, order->target.id);
    drop_standings(order->house, order->target.id);
    hook_end(order->house, order->target.id);
    stored_or_fail(order->house,
                   storage_account_merge(order->house->storage, order->target.id, into->id));
    order->before =
        json_pack("{s:s,s:I}", "name", order->target.name, "id", (json_int_t)order->target.id);
    order->after = json_pack("{s:s,s:I}", "name", into->name, "id", (json_int_t)into->id);
    disconnect_target(order,
                      say(_("This account is part of %s now: sign in as that."), into->name));
    account_sync_gone(order->house, order->target.id);
    account_sync_ratings(order->house);
    merge_sanctions(order, into);
    security_tell(order->house, into->id, NULL, NULL,
                  say(_("%s is part of your account now, says %p: what opened it opens yours."),
                      order->target.name, order_by(order)));
    order_say(order, _("%s is part of %s now."), order->target.name, into->name);
}

const struct mod_command mod_command_merge = {
    .parts = {PART_TARGET, PART_OTHER, PART_REASON},
    .targets = TARGET_USER,
    .flags = MOD_AGAINST | MOD_OPEN,
    .run = merge_run,
};

static void delete_run(struct order *order)
{
    char name[STORAGE_NAME_SIZE];
    if (is_playing(order, order->target.id, true) ||
        !order_confirmed(order, _("%s is deleted for good. Is it meant?"), order->target.name)) {
        return;
    }
    stand_up(order, order->target.id);
    (void)snprintf(name, sizeof(name), "deleted-account-%" PRId64, order->target.id);
    drop_standings(order->house, order->target.id);
    hook_end(order->house, order->target.id);
    stored_or_fail(order->house,
                   storage_account_erase(order->house->storage, order->target.id, name));
    chat_rewrites_start(order->house);
    order->after = json_pack("{s:s}", "name", name);
    disconnect_target(order, say(_("This account is deleted.")));
    account_sync_gone(order->house, order->target.id);
    account_sync_ratings(order->house);
    order_say(order, _("%s is deleted; its games stay, without the name."), order->target.name);
}

const struct mod_command mod_command_delete = {
    .parts = {PART_TARGET, PART_REASON},
    .targets = TARGET_USER,
    .flags = MOD_AGAINST | MOD_OPEN,
    .run = delete_run,
};
