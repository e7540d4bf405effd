#include "lobby/mod/mod_line.h"

#include "lobby/house/conns.h"
#include "lobby/house/roles.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/mod/guest_look.h"
#include "lobby/mod/mod_case.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/decisions.h"
#include "lobby/sanctions/hold.h"
#include "lobby/sanctions/sanction_order.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/accounts/former_names.h"
#include "storage/accounts/sign_ins.h"

#include <stdio.h>
#include <string.h>

/* Commands that show what staff know of an account, and commands that hold or release one. */

#define ROWS_MAX 50 /* rows of one answer */

static void run_hold_command(struct order *order)
{
    if (order->target.kind == TARGET_USER && !hold_account(order)) {
        return;
    }
    order->duration_ms = ORDER_FOR_GOOD;
    (void)sanction_impose(order, STORAGE_SANCTION_HOLD, 0);
    order_add_line(order, _("%s is held: %s"), order->target.name, order->reason);
}

const struct mod_command mod_command_hold = {
    .parts = {PART_TARGET, PART_REASON},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .run = run_hold_command,
};

/* An account may be held since its registration; then nobody has decided the hold. */
static void run_release_command(struct order *order)
{
    if (order->target.kind == TARGET_GUEST) {
        if (sanction_lift_kind(order, STORAGE_SANCTION_HOLD)) {
            order_add_line(order, "%s", _("Released: they can chat."));
        }
    } else if (hold_release_account(order, &order->target.account)) {
        order_add_line(order, "%s", _("Released: they can chat and are on the leaderboards."));
    }
}

const struct mod_command mod_command_release = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .run = run_release_command,
};

/* True when notes about the target can be found again. A guest's are found by network: without one
 * the order is refused. */
static bool guest_network_is_known(struct order *order)
{
    if (order->target.kind == TARGET_GUEST && order->target.guest.net[0] == '\0') {
        order_refuse(order, "unknown", _("%s left too long ago: their address is forgotten."),
                     order->target.name);
    }
    return order->code == NULL;
}

static void run_note_command(struct order *order)
{
    struct storage_note note = {.account = order->target.id, .at_ms = order->house->now_ms};
    if (!guest_network_is_known(order)) {
        return;
    }
    (void)snprintf(note.by_name, sizeof(note.by_name), "%s", order_requester_name(order));
    (void)snprintf(note.text, sizeof(note.text), "%s", order->reason);
    (void)snprintf(note.net, sizeof(note.net), "%s", order->target.guest.net);
    stored_or_fail(order->house, storage_note_add(order->house->storage, &note));
    order_add_line(order, _("Noted about %s."), order->target.name);
}

const struct mod_command mod_command_note = {
    .parts = {PART_TARGET, PART_TEXT},
    .targets = TARGET_ANYBODY,
    .run = run_note_command,
};

static void run_notes_command(struct order *order)
{
    const struct order_target *target = &order->target;
    struct storage *storage = order->house->storage;
    if (!guest_network_is_known(order)) {
        return;
    }
    stored_or_fail(order->house,
                   target->kind == TARGET_GUEST
                       ? storage_notes_of_net(storage, target->guest.net, case_add_note_line, order)
                       : storage_notes_of_account(storage, target->id, case_add_note_line, order));
    if (json_array_size(order->lines) == 0) {
        order_add_line(order, _("Nobody noted anything about %s."), order->target.name);
    }
}

const struct mod_command mod_command_notes = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .flags = MOD_READS,
    .run = run_notes_command,
};

static bool add_whois_sanction(void *context, const struct storage_sanction *sanction)
{
    struct order *order = context;
    order_add_line(order, sanction->ended_ms == 0 ? "%p" : _("over · %p"),
                   say_sentence(sanction_sentence(sanction)));
    return json_array_size(order->lines) < ROWS_MAX;
}

static bool add_whois_former_name(void *context, const struct storage_former_name *former)
{
    struct order *order = context;
    order_add_line(order, _("was called %s %p"), former->name, say_until_time(former->until_ms));
    (void)json_array_append_new(
        json_object_get(order->data, "former"),
        json_pack("{s:s,s:I}", "name", former->name, "until", (json_int_t)former->until_ms));
    return json_array_size(order->lines) < ROWS_MAX;
}

static void show_account(struct order *order)
{
    const struct storage_account *account = &order->target.account;
    const struct person *person = order->target.person;
    order_add_line(order,
                   account->is_held ? _("%s · number %lld · %p, held · made %p · seen %p · %p")
                                    : _("%s · number %lld · %p · made %p · seen %p · %p"),
                   account->name, (long long)account->id,
                   say_translated(role_display_name(account->role)), say_time(account->created_ms),
                   say_time(account->seen_ms),
                   say_translated(person_is_here(person) ? _("in the house") : _("not here")));
    order_add_line(order, "%s",
                   account->password_hash[0] == '\0' ? _("has no password") : _("has a password"));
    if (account->is_closed) {
        order_add_line(order, "%s", _("closed for good: deleted, or part of another account"));
    }
    order->data = json_pack("{s:s,s:I,s:s,s:b,s:b,s:I,s:I,s:b,s:[]}", "name", account->name, "id",
                            (json_int_t)account->id, "role", role_name(account->role), "is_held",
                            (int)account->is_held, "is_closed", (int)account->is_closed, "made",
                            (json_int_t)account->created_ms, "seen", (json_int_t)account->seen_ms,
                            "is_here", person_is_here(person), "former");
    stored_or_fail(order->house, storage_former_names_each(order->house->storage, account->id,
                                                           add_whois_former_name, order));
    stored_or_fail(order->house, storage_sanctions_of_account(order->house->storage, account->id,
                                                              add_whois_sanction, order));
}

static void run_whois_command(struct order *order)
{
    if (order->target.kind == TARGET_GUEST) {
        guest_show_identity(order);
    } else {
        show_account(order);
    }
}

const struct mod_command mod_command_whois = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .flags = MOD_READS,
    .run = run_whois_command,
};

static bool add_sign_in(void *context, const struct storage_sign_in *row)
{
    struct order *order = context;
    order_add_sentence(order, say_plural("%s · %s · %p · %u time, last %p",
                                         "%s · %s · %p · %u times, last %p", row->name,
                                         row->address, order_key_word(row->fingerprint), row->count,
                                         say_time(row->last_ms)));
    (void)json_array_append_new(order->data,
                                json_pack("{s:s,s:s,s:s,s:I,s:I,s:i}", "name", row->name, "address",
                                          row->address, "key", row->fingerprint, "first",
                                          (json_int_t)row->first_ms, "last",
                                          (json_int_t)row->last_ms, "count", (int)row->count));
    return json_array_size(order->data) < ROWS_MAX;
}

static void add_open_connections(struct order *order)
{
    const struct person *person = order->target.person;
    const struct conn *conn = NULL;
    if (person != NULL) {
        CONN_LINKS_EACH(conn, &person->conns)
        {
            order_add_line(order, _("now · session %lld · %s by %s since %p"), (long long)conn->id,
                           conn->address, conn->transport, say_time(conn->since_ms));
        }
    }
}

static void run_sessions_command(struct order *order)
{
    order->data = json_array();
    add_open_connections(order);
    if (order->target.kind == TARGET_GUEST) {
        guest_show_connections(order);
    } else {
        stored_or_fail(order->house,
                       storage_sign_ins_by_account(order->house->storage, order->target.id,
                                                   add_sign_in, order));
    }
    if (json_array_size(order->lines) == 0) {
        order_add_line(order, _("%s has not been here for a long time."), order->target.name);
    }
}

const struct mod_command mod_command_sessions = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .flags = MOD_READS,
    .run = run_sessions_command,
};

static void show_related_accounts(struct order *order)
{
    order->data = json_array();
    stored_or_fail(order->house, storage_sign_ins_shared(order->house->storage, order->target.id,
                                                         add_sign_in, order));
    if (json_array_size(order->data) == 0) {
        order_add_line(order, _("No other account shares an address or a key with %s."),
                       order->target.name);
    }
}

static void run_alts_command(struct order *order)
{
    if (order->target.kind == TARGET_GUEST) {
        guest_show_related_accounts(order);
    } else {
        show_related_accounts(order);
    }
}

const struct mod_command mod_command_alts = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .flags = MOD_READS,
    .run = run_alts_command,
};
