#include "lobby/mod/mod.h"

#include <stdio.h>
#include <string.h>

/* Commands that show what staff know of an account, and commands that put an account on hold or
 * release it. */

#define ROWS_MAX 50  /* maximum number of rows of one kind in an answer */
#define HELD_MAX 100 /* maximum number of accounts on hold in an answer */

void mod_run_hold(struct order *order)
{
    if (order->target.kind == TARGET_USER && !hold_put_account_on_hold(order)) {
        return;
    }
    order->duration_ms = ORDER_FOR_GOOD;
    sanction_impose(order, STORAGE_SANCTION_HOLD, 0);
    order_add_line(order, _("%s is held: %s"), order->target.name, order->reason);
}

static bool append_name_of_account(void *context, const struct storage_sign_in *row)
{
    (void)json_object_set_new(context, row->name, json_true());
    return true;
}

/* Adds a line for each other account on hold that shares an address or a key with the order's
 * target, since releasing the target leaves these on hold. */
static void hold_add_lines_of_others(struct order *order)
{
    const struct order_target *target = &order->target;
    struct storage *storage = order->house->storage;
    struct storage_account other;
    const char *name = NULL;
    json_t *unused = NULL;
    json_t *names = json_object();
    stored_or_fail(
        order->house,
        target->kind == TARGET_USER
            ? storage_sign_ins_sharing_source(storage, target->id, append_name_of_account, names)
            : storage_sign_ins_by_source(storage, target->guest.address, target->guest.fingerprint,
                                         append_name_of_account, names));
    json_object_foreach(names, name, unused)
    {
        if (stored(order->house, storage_account_by_name(storage, name, &other)) && other.is_held) {
            order_add_line(order,
                           _("%s, who shares an address or a key with %s, is still held: /release "
                             "%s"),
                           name, target->name, name);
        }
    }
    json_decref(names);
}

/* An account may be on hold since its registration; then no staff member has decided it. */
void mod_run_release(struct order *order)
{
    const struct order_target *target = &order->target;
    bool is_released = target->kind == TARGET_GUEST
                           ? sanction_lift_all_of_kind(order, STORAGE_SANCTION_HOLD)
                           : hold_release_account(order, &target->account);
    if (is_released) {
        hold_add_lines_of_others(order);
        sanction_add_lines_in_force(order, target->id, target->name);
    }
}

/* True when notes about the target can be found later. Notes about a guest are found by the guest's
 * network: when that network is unknown, the order is refused. */
static bool guest_network_is_known(struct order *order)
{
    if (order->target.kind == TARGET_GUEST && order->target.guest.net[0] == '\0') {
        order_refuse(order, "unknown", _("%s left too long ago: their address is forgotten."),
                     order->target.name);
    }
    return order->code == NULL;
}

static struct storage_note make_note_about_target(const struct order *order)
{
    struct storage_note note = {.account = order->target.id, .at_ms = order->house->now_ms};
    (void)snprintf(note.net, sizeof(note.net), "%s", order->target.guest.net);
    return note;
}

void mod_run_note(struct order *order)
{
    struct storage_note note = make_note_about_target(order);
    if (!guest_network_is_known(order)) {
        return;
    }
    (void)snprintf(note.by_name, sizeof(note.by_name), "%s", order_requester_name(order));
    (void)snprintf(note.text, sizeof(note.text), "%s", order->reason);
    stored_or_fail(order->house, storage_note_add(order->house->storage, &note));
    order_add_line(order, _("Noted about %s."), order->target.name);
}

void mod_run_notes(struct order *order)
{
    const struct storage_note about = make_note_about_target(order);
    if (!guest_network_is_known(order)) {
        return;
    }
    stored_or_fail(order->house, storage_notes_each(order->house->storage, &about,
                                                    case_add_note_to_answer, order));
    if (json_array_size(order->lines) == 0) {
        order_add_line(order, _("Nobody noted anything about %s."), order->target.name);
    }
}

/* Lists the sanctions that apply to this guest, whether they are in the house or not: first those
 * against their name. */
static void add_guest_sanction_lines(struct order *order, bool is_against_name)
{
    json_t *rows = json_object_get(order->data, "sanctions");
    struct sources sources;
    person_sources_read_of_target(order->house, &order->target, &sources);
    SANCTIONS_EACH(sanction, order->house) {
        bool names_target = sanction_names(&sanction->row, 0, order->target.name);
        if (names_target == is_against_name && json_array_size(rows) < ROWS_MAX &&
            (names_target || person_sources_overlap(sanction->sources, &sources))) {
            order_add_line(order, "%s: %p", sanction_target_text(&sanction->row),
                           say_sentence_argument(sanction_to_sentence(&sanction->row)));
            (void)json_array_append_new(rows, sanction_to_json(&sanction->row, true));
        }
    }
}

static void show_guest(struct order *order)
{
    const struct storage_guest *guest = &order->target.guest;
    bool is_here = person_is_in_house(order->target.person);
    order->data = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:I,s:b,s:[]}", "name", order->target.name,
                            "kind", "guest", "address", guest->address, "net", guest->net, "key",
                            guest->fingerprint, "transport", guest->transport, "seen",
                            (json_int_t)guest->seen_ms, "is_here", (int)is_here, "sanctions");
    if (guest->address[0] == '\0') {
        order_add_line(order, _("%s · a guest, gone for more than a day"), order->target.name);
    } else {
        order_add_line(order, _("%s · a guest from %s by %s · seen %p · %p"), order->target.name,
                       guest->address, guest->transport, say_time_argument(guest->seen_ms),
                       say_word_argument(is_here ? _("in the house") : _("not here")));
    }
    if (guest->fingerprint[0] != '\0') {
        order_add_line(order, _("with the key %s"), guest->fingerprint);
    }
    add_guest_sanction_lines(order, true);
    add_guest_sanction_lines(order, false);
}

/* A key's fingerprint, or "no key", as an argument of %p. */
static void *key_sentence_argument(const char *fingerprint)
{
    return say_word_argument(fingerprint[0] == '\0' ? _("no key") : fingerprint);
}

static bool add_guest_line(void *context, const struct storage_guest *guest)
{
    struct order *order = context;
    order_add_line(order, _("%s · %s by %s · %p · seen %p"), guest->name, guest->address,
                   guest->transport, key_sentence_argument(guest->fingerprint),
                   say_time_argument(guest->seen_ms));
    (void)json_array_append_new(
        order->data, json_pack("{s:s,s:s,s:s,s:I}", "name", guest->name, "address", guest->address,
                               "key", guest->fingerprint, "last", (json_int_t)guest->seen_ms));
    return json_array_size(order->data) < ROWS_MAX;
}

static bool add_related_account_line(void *context, const struct storage_sign_in *row)
{
    struct order *order = context;
    order_add_line(order, _("%s · %s · %p · last %p"), row->name, row->address,
                   key_sentence_argument(row->fingerprint), say_time_argument(row->last_ms));
    (void)json_array_append_new(
        order->data, json_pack("{s:s,s:s,s:s,s:I}", "name", row->name, "address", row->address,
                               "key", row->fingerprint, "last", (json_int_t)row->last_ms));
    return json_array_size(order->data) < ROWS_MAX;
}

static bool add_sanction_line(void *context, const struct storage_sanction *sanction)
{
    struct order *order = context;
    order_add_line(order, sanction->ended_ms == 0 ? "%p" : _("over · %p"),
                   say_sentence_argument(sanction_to_sentence(sanction)));
    return json_array_size(order->lines) < ROWS_MAX;
}

static bool add_former_name_line(void *context, const struct storage_former_name *former)
{
    struct order *order = context;
    order_add_line(order, _("was called %s %p"), former->name,
                   say_until_argument(former->until_ms));
    (void)json_array_append_new(
        json_object_get(order->data, "former"),
        json_pack("{s:s,s:I}", "name", former->name, "until", (json_int_t)former->until_ms));
    return json_array_size(order->lines) < ROWS_MAX;
}

static void show_account(struct order *order)
{
    const struct storage_account *account = &order->target.account;
    const struct person *person = order->target.person;
    order_add_line(
        order,
        account->is_held ? _("%s · number %lld · %p, held · made %p · seen %p · %p")
                         : _("%s · number %lld · %p · made %p · seen %p · %p"),
        account->name, (long long)account->id, say_word_argument(role_display_name(account->role)),
        say_time_argument(account->created_ms), say_time_argument(account->seen_ms),
        say_word_argument(person_is_in_house(person) ? _("in the house") : _("not here")));
    order_add_line(order,
                   account->password_hash[0] == '\0' ? _("has no password") : _("has a password"));
    if (account->is_closed) {
        order_add_line(order, _("closed for good: deleted, or part of another account"));
    }
    order->data = json_pack("{s:s,s:I,s:s,s:b,s:b,s:I,s:I,s:b,s:[]}", "name", account->name, "id",
                            (json_int_t)account->id, "role", role_name(account->role), "is_held",
                            (int)account->is_held, "is_closed", (int)account->is_closed, "made",
                            (json_int_t)account->created_ms, "seen", (json_int_t)account->seen_ms,
                            "is_here", person_is_in_house(person), "former");
    stored_or_fail(order->house, storage_former_names_each(order->house->storage, account->id,
                                                           add_former_name_line, order));
    stored_or_fail(order->house, storage_sanctions_list_of_account(
                                     order->house->storage, account->id, add_sanction_line, order));
}

void mod_run_whois(struct order *order)
{
    if (order->target.kind == TARGET_GUEST) {
        show_guest(order);
    } else {
        show_account(order);
    }
}

static bool add_sign_in_line(void *context, const struct storage_sign_in *row)
{
    struct order *order = context;
    order_add_sentence(order, say_plural("%s · %s · %p · %u time, last %p",
                                         "%s · %s · %p · %u times, last %p", row->name,
                                         row->address, key_sentence_argument(row->fingerprint),
                                         row->count, say_time_argument(row->last_ms)));
    (void)json_array_append_new(order->data,
                                json_pack("{s:s,s:s,s:s,s:I,s:I,s:i}", "name", row->name, "address",
                                          row->address, "key", row->fingerprint, "first",
                                          (json_int_t)row->first_ms, "last",
                                          (json_int_t)row->last_ms, "count", (int)row->count));
    return json_array_size(order->data) < ROWS_MAX;
}

static void add_open_connection_lines(struct order *order)
{
    const struct person *person = order->target.person;
    if (person != NULL) {
        LINKED_CONNS_EACH(conn, &person->conns) {
            order_add_line(order, _("now · session %lld · %s by %s since %p"), (long long)conn->id,
                           conn->address, conn->transport, say_time_argument(conn->since_ms));
        }
    }
}

void mod_run_sessions(struct order *order)
{
    order->data = json_array();
    add_open_connection_lines(order);
    const char *net = order->target.guest.net;
    if (order->target.kind == TARGET_GUEST && net[0] != '\0') {
        stored_or_fail(order->house,
                       storage_guests_each(order->house->storage, net, add_guest_line, order));
    } else if (order->target.kind == TARGET_USER) {
        stored_or_fail(order->house,
                       storage_sign_ins_by_account(order->house->storage, order->target.id,
                                                   add_sign_in_line, order));
    }
    if (json_array_size(order->lines) == 0) {
        order_add_line(order, _("%s has not been here for a long time."), order->target.name);
    }
}

void mod_run_alts(struct order *order)
{
    const struct storage_guest *guest = &order->target.guest;
    struct storage *storage = order->house->storage;
    order->data = json_array();
    if (order->target.kind == TARGET_USER) {
        stored_or_fail(order->house, storage_sign_ins_sharing_source(storage, order->target.id,
                                                                     add_sign_in_line, order));
    } else if (guest->address[0] != '\0') {
        stored_or_fail(order->house,
                       storage_sign_ins_by_source(storage, guest->address, guest->fingerprint,
                                                  add_related_account_line, order));
    }
    if (json_array_size(order->data) == 0) {
        order_add_line(order, _("No other account shares an address or a key with %s."),
                       order->target.name);
    }
}

static bool append_account_on_hold(void *context, const struct storage_account *account)
{
    json_t *rows = context;
    (void)json_array_append_new(
        rows, json_pack("{s:s,s:I}", "name", account->name, "at", (json_int_t)account->created_ms));
    return json_array_size(rows) <= HELD_MAX;
}

void message_held(const struct request *request)
{
    json_t *rows = json_array();
    stored_or_fail(request->house, storage_accounts_each_pending(request->house->storage,
                                                                 append_account_on_hold, rows));
    bool is_more = json_array_size(rows) > HELD_MAX;
    if (is_more) {
        (void)json_array_remove(rows, HELD_MAX);
    }
    answer_ok(request, json_pack("{s:o,s:b}", "accounts", rows, "is_more", (int)is_more));
}

bool mod_rank_suffices(struct order *order, enum rank rank)
{
    if (order->rank < rank) {
        order_refuse(order, "role",
                     rank == RANK_MOD ? _("Only moderators may do that: ask one of them.")
                                      : _("Only admins may do that: ask one of them."));
    }
    return order->rank >= rank;
}

bool mod_require_rank(struct order *order, enum rank rank)
{
    const struct request request = order_get_request(order);
    if (!mod_rank_suffices(order, rank)) {
        return false;
    }
    if (order->rank == RANK_OWNER || order->words->rank >= RANK_MOD) {
        return true; /* the person has confirmed their identity before the command ran */
    }
    order->is_refused = !step_up_is_confirmed(&request);
    return !order->is_refused;
}

bool mod_may_act_on_target(struct order *order)
{
    const struct order_target *target = &order->target;
    enum rank rank = rank_of_role(target->account.role);
    if (target->kind != TARGET_USER && target->kind != TARGET_GUEST) {
        return true;
    }
    if (strcmp(target->name, order_requester_name(order)) == 0) {
        order_refuse(order, "self", _("That is you: you cannot do that to yourself."));
    } else if (rank >= RANK_MOD && rank >= order->rank) {
        order_refuse(order, "role",
                     _("%s has the same rights as you, or more: ask somebody above."),
                     target->name);
    }
    return order->code == NULL;
}
