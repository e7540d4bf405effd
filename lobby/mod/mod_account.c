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

/* Commands that show what staff know of an account, and those that hold and release it. */

#define ROWS_MAX 50 /* of one answer */

static void hold_run(struct order *order)
{
    if (order->target.kind == TARGET_USER && !hold_begin(order)) {
        return;
    }
    order->duration_ms = ORDER_FOR_GOOD;
    (void)sanction_begin(order, STORAGE_SANCTION_HOLD, 0);
    order_say(order, _("%s is held: %s"), order->target.name, order->reason);
}

const struct mod_command mod_command_hold = {
    .parts = {PART_TARGET, PART_REASON},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .run = hold_run,
};

/* Registration may hold a new account without an order, so the maker of the hold may be unknown. */
static void release_run(struct order *order)
{
    if (order->target.kind == TARGET_GUEST) {
        if (sanction_lift(order, STORAGE_SANCTION_HOLD)) {
            order_say(order, "%s", _("Released: they can chat."));
        }
    } else if (hold_end(order, &order->target.account)) {
        order_say(order, "%s", _("Released: they can chat and are on the leaderboards."));
    }
}

const struct mod_command mod_command_release = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .run = release_run,
};

/* False, with the order refused, when a guest's sources are no longer known. */
static bool note_is_possible(struct order *order)
{
    if (order->target.kind == TARGET_GUEST && order->target.guest.net[0] == '\0') {
        order_no(order, "unknown", _("%s has been gone for too long to be known by an address."),
                 order->target.name);
    }
    return order->code == NULL;
}

static void note_run(struct order *order)
{
    struct storage_note note = {.account = order->target.id, .at_ms = order->house->now_ms};
    if (!note_is_possible(order)) {
        return;
    }
    (void)snprintf(note.by_name, sizeof(note.by_name), "%s", order_actor(order));
    (void)snprintf(note.text, sizeof(note.text), "%s", order->reason);
    (void)snprintf(note.net, sizeof(note.net), "%s", order->target.guest.net);
    stored_or_fail(order->house, storage_note_add(order->house->storage, &note));
    order_say(order, _("Noted about %s."), order->target.name);
}

const struct mod_command mod_command_note = {
    .parts = {PART_TARGET, PART_TEXT},
    .targets = TARGET_ANYBODY,
    .run = note_run,
};

static void notes_run(struct order *order)
{
    const struct order_target *target = &order->target;
    struct storage *storage = order->house->storage;
    if (!note_is_possible(order)) {
        return;
    }
    stored_or_fail(order->house,
                   target->kind == TARGET_GUEST
                       ? storage_notes_of_net(storage, target->guest.net, case_say_note, order)
                       : storage_notes_of_account(storage, target->id, case_say_note, order));
    if (json_array_size(order->lines) == 0) {
        order_say(order, _("Nobody noted anything about %s."), order->target.name);
    }
}

const struct mod_command mod_command_notes = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .flags = MOD_READS,
    .run = notes_run,
};

static bool whois_sanction(void *context, const struct storage_sanction *sanction)
{
    struct order *order = context;
    order_say(order, sanction->ended_ms == 0 ? "%p" : _("over · %p"),
              say_inner(sanction_say(sanction)));
    return json_array_size(order->lines) < ROWS_MAX;
}

static bool whois_former(void *context, const struct storage_former_name *former)
{
    struct order *order = context;
    order_say(order, _("was called %s %p"), former->name, say_until(former->until_ms));
    (void)json_array_append_new(
        json_object_get(order->data, "former"),
        json_pack("{s:s,s:I}", "name", former->name, "until", (json_int_t)former->until_ms));
    return json_array_size(order->lines) < ROWS_MAX;
}

static void whois_of_account(struct order *order)
{
    const struct storage_account *account = &order->target.account;
    const struct person *person = order->target.person;
    order_say(order,
              account->is_held ? _("%s · number %lld · %p, held · made %p · seen %p · %p")
                               : _("%s · number %lld · %p · made %p · seen %p · %p"),
              account->name, (long long)account->id, say_word(role_word(account->role)),
              say_at(account->created_ms), say_at(account->seen_ms),
              say_word(person_is_here(person) ? _("in the house") : _("not here")));
    order_say(order, "%s",
              account->password_hash[0] == '\0' ? _("has no password") : _("has a password"));
    if (account->is_closed) {
        order_say(order, "%s", _("closed for good: deleted, or part of another account"));
    }
    order->data = json_pack("{s:s,s:I,s:s,s:b,s:b,s:I,s:I,s:b,s:[]}", "name", account->name, "id",
                            (json_int_t)account->id, "role", role_name(account->role), "is_held",
                            (int)account->is_held, "is_closed", (int)account->is_closed, "made",
                            (json_int_t)account->created_ms, "seen", (json_int_t)account->seen_ms,
                            "is_here", person_is_here(person), "former");
    stored_or_fail(order->house, storage_former_names_of(order->house->storage, account->id,
                                                         whois_former, order));
    stored_or_fail(order->house,
                   storage_sanctions_of(order->house->storage, account->id, whois_sanction, order));
}

static void whois_run(struct order *order)
{
    if (order->target.kind == TARGET_GUEST) {
        guest_whois(order);
    } else {
        whois_of_account(order);
    }
}

const struct mod_command mod_command_whois = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .flags = MOD_READS,
    .run = whois_run,
};

static bool say_sign_in(void *context, const struct storage_sign_in *row)
{
    struct order *order = context;
    order_say_said(order,
                   say_plural("%s · %s · %p · %u time, last %p", "%s · %s · %p · %u times, last %p",
                              row->name, row->address, order_key(row->fingerprint), row->count,
                              say_at(row->last_ms)));
    (void)json_array_append_new(order->data,
                                json_pack("{s:s,s:s,s:s,s:I,s:I,s:i}", "name", row->name, "address",
                                          row->address, "key", row->fingerprint, "first",
                                          (json_int_t)row->first_ms, "last",
                                          (json_int_t)row->last_ms, "count", (int)row->count));
    return json_array_size(order->data) < ROWS_MAX;
}

static void say_connections(struct order *order)
{
    const struct person *person = order->target.person;
    const struct conn *conn = NULL;
    if (person != NULL) {
        CONN_LINKS_EACH(conn, &person->conns)
        {
            order_say(order, _("now · session %lld · %s by %s since %p"), (long long)conn->id,
                      conn->address, conn->transport, say_at(conn->since_ms));
        }
    }
}

static void sessions_run(struct order *order)
{
    order->data = json_array();
    say_connections(order);
    if (order->target.kind == TARGET_GUEST) {
        guest_sessions(order);
    } else {
        stored_or_fail(order->house, storage_sign_ins_of(order->house->storage, order->target.id,
                                                         say_sign_in, order));
    }
    if (json_array_size(order->lines) == 0) {
        order_say(order, _("%s has not been here for long."), order->target.name);
    }
}

const struct mod_command mod_command_sessions = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .flags = MOD_READS,
    .run = sessions_run,
};

static void alts_of_account(struct order *order)
{
    order->data = json_array();
    stored_or_fail(order->house, storage_sign_ins_shared(order->house->storage, order->target.id,
                                                         say_sign_in, order));
    if (json_array_size(order->data) == 0) {
        order_say(order, _("No other account shares an address or a key with %s."),
                  order->target.name);
    }
}

static void alts_run(struct order *order)
{
    if (order->target.kind == TARGET_GUEST) {
        guest_alts(order);
    } else {
        alts_of_account(order);
    }
}

const struct mod_command mod_command_alts = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .flags = MOD_READS,
    .run = alts_run,
};
