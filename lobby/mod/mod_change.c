#include "lobby/sanctions/sanctions.h"

#include "lobby/accounts/accounts.h"
#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/play/play.h"
#include "lobby/protocol/protocol.h"
#include "lobby/ratings/ratings.h"
#include "lobby/tables/tables.h"
#include "lobby/webhooks/webhooks.h"
#include "storage/accounts/accounts.h"
#include "storage/ratings/ratings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Commands that change an account's name, role, keys or password, and those that merge and delete
 * accounts. */

static bool rename_seat_holder(struct storage_seat *seat, int64_t account, const char *name)
{
    if (seat->account != account) {
        return false;
    }
    (void)snprintf(seat->name, sizeof(seat->name), "%s", name);
    return true;
}

/* Renames the account at the table; true when the account is the table's host, has a seat, or began
 * the current game. */
static bool rename_account_at_table(struct house *house, struct table *table, int64_t account,
                                    const char *name)
{
    bool is_there = table->row.host == account;
    if (is_there) {
        table_set_host(house, table, account, name);
    }
    for (int seat = 0; seat < table->row.players; seat++) {
        bool is_held = rename_seat_holder(&table->row.seats[seat], account, name);
        bool is_start = rename_seat_holder(&table->plays[seat].starter, account, name);
        is_there = is_there || is_held || is_start;
    }
    return is_there;
}

static void rename_account_at_tables(struct house *house, int64_t account, const char *name)
{
    struct table *table = NULL;
    INDEX_EACH(&tables_of(house)->by_id, table)
    {
        if (rename_account_at_table(house, table, account, name)) {
            table_save(house, table);
            table_mark_changed(house, table);
            account_sync_refresh_result(house, table);
        }
    }
}

static bool new_name_is_allowed(struct order *order)
{
    char account[DECISION_ACCOUNT_SIZE];
    name_to_lower(order->word);
    if (name_check(order->word) == NAME_BAD) {
        order_refuse(order, "name_bad",
                     _("A name has 2 to 16 characters, begins with a letter and goes on with a–z, "
                       "0–9, - or _: try another."));
    } else if (name_check(order->word) != NAME_OK) {
        order_refuse(order, "name_reserved", _("That name belongs to the house: try another."));
    } else if (order->rank < RANK_OWNER &&
               former_name_is_reserved(order->house, order->word, order->target.id)) {
        order_refuse(
            order, "name_taken",
            _("Somebody else was called %s not long ago: for %d days nobody gets that name."),
            order->word, FORMER_NAME_DAYS);
    } else {
        decision_write_account_name(order->target.id, account);
        return decision_may_be_changed(order, STORAGE_DECISION_NAME, account);
    }
    return false;
}

void mod_run_rename(struct order *order)
{
    struct house *house = order->house;
    char skeleton[NAME_SKELETON_MAX], account[DECISION_ACCOUNT_SIZE];
    if (!new_name_is_allowed(order)) {
        return;
    }
    name_write_skeleton(order->word, skeleton);
    enum storage_result result =
        storage_account_rename(house->storage, order->target.id, order->word, skeleton);
    if (!stored(house, result)) {
        order_refuse(order, "name_taken",
                     _("Somebody has that name, or one that looks like it: try another."));
        return;
    }
    chat_rewrites_update_batch(house);
    former_name_reserve(house, order->target.id, order->target.name);
    decision_write_account_name(order->target.id, account);
    decision_store(order, STORAGE_DECISION_NAME, account);
    order->before = json_pack("{s:s}", "name", order->target.name);
    order->after = json_pack("{s:s}", "name", order->word);
    rename_account_at_tables(house, order->target.id, order->word);
    if (order->target.person != NULL) {
        person_rename(house, order->target.person, order->word);
    }
    account_sync_refresh_name(house, order->target.id);
    security_notify(order->house, order->target.id, NULL, NULL,
                    say(_("You are called %s from now on, says %p: %s"), order->word,
                        order_requester_sentence_argument(order), order->reason));
    order_add_line(order, _("%s is called %s now."), order->target.name, order->word);
}

/* Sets the role, then loads the sanctions again, since network bans do not apply to staff. */
static void set_role(struct order *order, enum storage_role role)
{
    struct storage_account account = order->target.account;
    staff_set_role(order->house, &account, role);
    account.role = role;
    if (order->target.person != NULL) {
        sanctions_load(order->house, order->target.person);
        sign_in_bans_disconnect(order->house, order->target.person, &account);
    }
}

void mod_run_role(struct order *order)
{
    static const char *const names[] = {STORED_WORDS(STORED_ROLES) NULL};
    const int role = text_find_word(names, order->word);
    if (role < 0) {
        order_refuse(order, "bad", _("A role is player, mod or admin."));
        return;
    }
    if (role == STORAGE_ROLE_ADMIN &&
        !order_require_confirmation(
            order, say(_("An admin may do all that you may, and only the owner can take the role "
                         "from %s again. Are you sure?"),
                       order->target.name))) {
        return;
    }
    const char *word = role_display_name((enum storage_role)role);
    order->before = json_pack("{s:s}", "role", role_name(order->target.account.role));
    order->after = json_pack("{s:s}", "role", order->word);
    set_role(order, (enum storage_role)role);
    security_notify(order->house, order->target.id, NULL, NULL,
                    say(_("Your role is %p now, says %p: %s"), say_word_argument(word),
                        order_requester_sentence_argument(order), order->reason));
    order_add_line(order, _("%s is %p now."), order->target.name, say_word_argument(word));
}

static void make_recovery_code(struct order *order)
{
    char text[CODE_TEXT_SIZE];
    code_create(order->house, order->target.id, STORAGE_CODE_RECOVERY, text);
    order_add_line(
        order,
        _("Whoever types %s as the password of %s can sign in once. The code is not shown again."),
        text, order->target.name);
}

void mod_run_account(struct order *order)
{
    struct house *house = order->house;
    struct storage_account account = {
        .kind = STORAGE_PLAYER,
        .role = STORAGE_ROLE_PLAYER,
        .created_ms = house->now_ms,
        .seen_ms = house->now_ms,
        .settings = "{}",
    };
    if (strcmp(order->word, "code") == 0 && order->reason[0] == '\0') {
        char text[CODE_TEXT_SIZE];
        code_create_invitation(house, text);
        order_add_line(order,
                       _("Whoever types %s where a name is asked for can make an account, once, "
                         "within %d days. The code is not shown again."),
                       text, CODE_INVITATION_DAYS);
        return;
    }
    if (strcmp(order->word, "add") != 0) {
        order_refuse(order, "bad", _("Usage: /account %p"), say_word_argument(order->words->args));
        return;
    }
    (void)snprintf(order->word, sizeof(order->word), "%.*s", (int)sizeof(order->word) - 1,
                   order->reason);
    if (!new_name_is_allowed(order)) {
        return;
    }
    if (sign_up_name_is_taken(house, order->word)) {
        order_refuse(order, "name_taken",
                     _("Somebody has that name, or one that looks like it: try another."));
        return;
    }
    (void)snprintf(account.name, sizeof(account.name), "%s", order->word);
    name_write_skeleton(account.name, account.skeleton);
    stored_or_fail(house, storage_account_add(house->storage, &account, &account.id));
    order->target.kind = TARGET_USER;
    order->target.id = account.id;
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", account.name);
    make_recovery_code(order);
}

void mod_run_recover(struct order *order)
{
    make_recovery_code(order);
    security_notify(order->house, order->target.id, NULL, NULL,
                    say(_("%p has made a code that opens your account; the one before is void."),
                        order_requester_sentence_argument(order)));
}

/* True when the account has a seat at the table. If the account is to be closed, true also when it
 * began the current game and left, because the game is rated for it. */
static bool account_plays_at_table(const struct table *table, int64_t account, bool is_to_be_closed)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->row.seats[seat].account == account ||
            (is_to_be_closed && table->plays[seat].starter.account == account)) {
            return true;
        }
    }
    return false;
}

/* Refuses the order and returns true while the account is playing. If the account is to be closed,
 * running games that it has left count too. */
static bool refuse_while_playing(struct order *order, int64_t account, bool is_to_be_closed)
{
    const struct table *table = NULL;
    INDEX_EACH(&tables_of(order->house)->by_id, table)
    {
        if (table_is_playing(table) && account_plays_at_table(table, account, is_to_be_closed)) {
            order_refuse(
                order, "seated",
                _("%s is in the game at table #%lld: /adjudicate that game, or wait for its "
                  "end."),
                order->target.name, (long long)table->row.id);
            return true;
        }
    }
    return false;
}

static void vacate_seats_at_table(struct order *order, struct table *table, int64_t account)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->row.seats[seat].account == account) {
            table_vacate_seat(order->house, table, seat);
            order_add_line(order, _("Their seat at #%lld is free."), (long long)table->row.id);
        }
    }
}

/* Vacates the seats of an account that is not playing. */
static void vacate_seats_of_account(struct order *order, int64_t account)
{
    struct table *table = NULL;
    INDEX_EACH(&tables_of(order->house)->by_id, table)
    {
        vacate_seats_at_table(order, table, account);
    }
}

static void disconnect_target(struct order *order, json_t *why)
{
    struct conn *conn = NULL;
    if (order->target.person != NULL) {
        CONN_LINKS_EACH(conn, &order->target.person->conns)
        {
            conn_dismiss(order->house, conn, json_incref(why));
        }
    }
    json_decref(why);
}

static void delete_account_standings(struct house *house, int64_t account)
{
    for (uint8_t game = 0; game < game_count(); game++) {
        stored_or_fail(house, storage_standings_delete(house->storage, account, game_at(game)->id));
    }
}

/* Marks the account as a program's or a person's. From now on its ratings and leaderboards are
 * those of a bot, or of a person. The effect of its earlier games on other players' ratings stays;
 * /void and /refund correct that. */
static void set_account_kind(struct order *order, enum storage_kind kind)
{
    struct house *house = order->house;
    struct person *person = order->target.person;
    stored_or_fail(house, storage_account_set_kind(house->storage, order->target.id, kind));
    for (uint8_t game = 0; game < game_count(); game++) {
        rerate_account(house, order->target.id, game_at(game)->id);
    }
    account_sync_refresh_ratings(house);
    if (person != NULL) {
        person->kind = kind == STORAGE_BOT ? PERSON_BOT : PERSON_PLAYER;
        person_mark_changed(house, person);
        person_send_you_row(house, person);
    }
}

void mod_run_program(struct order *order)
{
    const struct storage_account *account = &order->target.account;
    bool is_on = strcmp(order->word, "on") == 0;
    enum storage_kind kind = is_on ? STORAGE_BOT : STORAGE_PLAYER;
    if (!is_on && strcmp(order->word, "off") != 0) {
        order_refuse(order, "bad", _("Say on or off."));
    } else if (account->kind == kind) {
        order_refuse(order, "bad", _("Nothing to do: the account has this setting already."));
    } else if (account->role != STORAGE_ROLE_PLAYER) {
        order_refuse(order, "staff", _("An account of staff cannot be a program's."));
    } else if (rerate_is_in_progress(order->house)) {
        order_refuse(order, "busy", _("Ratings are being recomputed: try again in a moment."));
    }
    if (order->code != NULL || refuse_while_playing(order, order->target.id, false)) {
        return;
    }
    vacate_seats_of_account(order, order->target.id);
    order->before = json_pack("{s:b}", "is_program", !is_on);
    order->after = json_pack("{s:b}", "is_program", is_on);
    set_account_kind(order, kind);
    security_notify(order->house, order->target.id, NULL, NULL,
                    say(is_on ? _("Your account is a program's and rated apart, says %p: %s")
                              : _("Your account is a person's again, says %p: %s"),
                        order_requester_sentence_argument(order), order->reason));
    order_add_line(order,
                   is_on ? _("%s counts as a program now, rated apart.")
                         : _("%s counts as a person now."),
                   order->target.name);
}

/* Applies the sanctions of the merged account to the account that it was merged into. A ban takes
 * effect at once. */
static void apply_merged_sanctions(struct order *order, const struct order_target *into_account)
{
    gate_bans_mark_changed(order->house);
    if (into_account->person != NULL) {
        sanctions_load(order->house, into_account->person);
        sign_in_bans_disconnect(order->house, into_account->person, &into_account->account);
    }
}

void mod_run_merge(struct order *order)
{
    const struct order_target *into = &order->other;
    if (into->id == order->target.id) {
        order_refuse(order, "bad", _("Those are the same account."));
        return;
    }
    if (into->account.role != STORAGE_ROLE_PLAYER && order->rank < RANK_OWNER) {
        order_refuse(order, "role", _("%s is staff: only the owner may do that."), into->name);
        return;
    }
    if (refuse_while_playing(order, order->target.id, true) ||
        !order_require_confirmation(order, say(_("%s becomes part of %s, for good. Are you sure?"),
                                               order->target.name, into->name))) {
        return;
    }
    vacate_seats_of_account(order, order->target.id);
    delete_account_standings(order->house, order->target.id);
    hook_delete_for_account(order->house, order->target.id);
    stored_or_fail(order->house,
                   storage_account_merge(order->house->storage, order->target.id, into->id));
    order->before =
        json_pack("{s:s,s:I}", "name", order->target.name, "id", (json_int_t)order->target.id);
    order->after = json_pack("{s:s,s:I}", "name", into->name, "id", (json_int_t)into->id);
    disconnect_target(order,
                      say(_("This account is part of %s now: sign in as that."), into->name));
    account_sync_remove_from_contact_lists(order->house, order->target.id);
    account_sync_refresh_ratings(order->house);
    apply_merged_sanctions(order, into);
    security_notify(
        order->house, into->id, NULL, NULL,
        say(_("%s is part of your account now, says %p: its keys open your account too."),
            order->target.name, order_requester_sentence_argument(order)));
    order_add_line(order, _("%s is part of %s now."), order->target.name, into->name);
}

void mod_run_delete(struct order *order)
{
    char name[STORAGE_NAME_SIZE];
    if (refuse_while_playing(order, order->target.id, true) ||
        !order_require_confirmation(
            order, say(_("%s is deleted for good. Are you sure?"), order->target.name))) {
        return;
    }
    vacate_seats_of_account(order, order->target.id);
    (void)snprintf(name, sizeof(name), "deleted-account-%" PRId64, order->target.id);
    delete_account_standings(order->house, order->target.id);
    hook_delete_for_account(order->house, order->target.id);
    stored_or_fail(order->house,
                   storage_account_erase(order->house->storage, order->target.id, name));
    chat_rewrites_update_batch(order->house);
    rename_account_at_tables(order->house, order->target.id, name);
    order->after = json_pack("{s:s}", "name", name);
    disconnect_target(order, say(_("This account is deleted.")));
    account_sync_remove_from_contact_lists(order->house, order->target.id);
    account_sync_refresh_ratings(order->house);
    order_add_line(order, _("%s is deleted; its games stay, without the name."),
                   order->target.name);
}
