#include "lobby/mod/mod.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/mod/mod.h"

#include <stdio.h>
#include <string.h>

#define BAN_MOD_MS                                                                                 \
    (30 *                                                                                          \
     INT64_C(                                                                                      \
         86400000)) /* the longest ban that a moderator may impose; admins may ban for longer */
#define BANLIST_MAX 200

/* A ban while it is being prepared and imposed. */
struct banning {
    struct order *order;
    struct net net;                   /* the banned network; set only for TARGET_ADDRESS */
    struct sources sources;           /* the networks and keys of the banned account or guest */
    struct storage_sanction sanction; /* the ban as a sanction, with only the fields that
                                         person_sources_match_person reads */
    size_t count;                     /* of people in the house whom it affects, and their names */
    char names[WORDS_MAX / 2];
};

/* Whether the ban affects the person of this connection. */
static bool ban_affects_conn(const struct banning *banning, const struct conn *conn)
{
    const struct order_target *target = &banning->order->target;
    if (conn->person == NULL) {
        return false;
    }
    if (target->kind == TARGET_USER || target->kind == TARGET_GUEST) {
        return conn->person == target->person ||
               person_sources_match_person(banning->order->house, &banning->sources,
                                           &banning->sanction, conn->person);
    }
    return conn->person->role == STORAGE_ROLE_PLAYER &&
           (target->kind == TARGET_ADDRESS ? net_contains(&banning->net, conn->address)
                                           : strcmp(conn->key_fingerprint, target->name) == 0);
}

static bool ban_affects_person(const struct banning *banning, const struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (ban_affects_conn(banning, conn)) {
            return true;
        }
    }
    return false;
}

/* Counts the people in the house whom the ban affects, and writes as many of their names as fit
 * into `names`. */
static size_t ban_count_affected_people(const struct banning *banning, char names[WORDS_MAX / 2])
{
    const struct person *person = NULL;
    struct text text = text_init(names, WORDS_MAX / 2);
    size_t count = 0;
    INDEX_EACH(&persons_of(banning->order->house)->by_name, person)
    {
        if (ban_affects_person(banning, person)) {
            text_put(&text, count++ > 0 ? ", " : "");
            text_put(&text, person->name);
        }
    }
    return count;
}

static void ban_disconnect_affected(const struct banning *banning)
{
    struct order *order = banning->order;
    struct conn *conn = NULL;
    json_t *why = say(
        _("You are banned %p, by %p: %s. Connect again to read how to appeal."),
        say_until_argument(order->expires_ms == 0 ? STORAGE_SANCTION_FOR_GOOD : order->expires_ms),
        order_requester_sentence_argument(order), order->reason);
    INDEX_EACH(&order->house->conns, conn)
    {
        if (ban_affects_conn(banning, conn)) {
            conn_dismiss(order->house, conn, json_incref(why));
        }
    }
    json_decref(why);
}

/* Parses the banned network into *net, if the target is a network. Refuses the order when no
 * connection can match the target. */
static bool ban_parse_target(struct order *order, struct net *net)
{
    const struct order_target *target = &order->target;
    if (target->kind == TARGET_ADDRESS && !net_parse(target->name, net)) {
        order_refuse(order, "bad", _("%s is not an address."), target->name);
    } else if (target->kind == TARGET_KEY && !fingerprint_is_well_formed(target->name)) {
        order_refuse(order, "bad",
                     _("%s is not the fingerprint of a key, which is SHA256: and 43 characters, as "
                       "/sessions and ssh-keygen -l show it."),
                     target->name);
    }
    return order->code == NULL;
}

/* Refuses the order and returns false when the ban would affect the requester's own connection. */
static bool ban_spares_requester(struct order *order, const struct net *net)
{
    const struct order_target *target = &order->target;
    const struct conn *conn = order->conn;
    if (order->rank == RANK_OWNER) {
        return true; /* the owner's commands come from the server itself, not from an address that
                        can be banned */
    }
    if (target->kind == TARGET_ADDRESS && net_contains(net, conn->address)) {
        order_refuse(order, "self",
                     _("You come from %s, which is in %s: nobody bans themselves. Ban a network "
                       "without your address."),
                     conn->address, target->name);
    } else if (target->kind == TARGET_KEY && strcmp(conn->key_fingerprint, target->name) == 0) {
        order_refuse(order, "self", _("You came in with that key: nobody bans themselves."));
    }
    return order->code == NULL;
}

/* Asks for confirmation when the ban affects several people in the house, or a wide network. */
static bool ban_require_confirmation(struct order *order, const struct net *net, size_t count,
                                     const char *names)
{
    if (order->target.kind == TARGET_ADDRESS && net_is_wide(net) && count == 0) {
        return order_require_confirmation(
            order, say(_("%s is a wide network. It affects nobody who is here now, but "
                         "everybody who comes from there. Are you sure?"),
                       order->target.name));
    }
    if (order->target.kind == TARGET_ADDRESS && net_is_wide(net)) {
        return order_require_confirmation(
            order, say_plural("%s is a wide network. It affects %zu person who is here now: %s, "
                              "and everybody else who comes from there. Are you sure?",
                              "%s is a wide network. It affects %zu people who are here now: %s, "
                              "and everybody else who comes from there. Are you sure?",
                              order->target.name, count, names));
    }
    return count <= 1 ||
           order_require_confirmation(
               order,
               say(_("That affects %zu people who are here now: %s. Are you sure?"), count, names));
}

static bool ban_is_confirmed(struct banning *banning)
{
    struct order *order = banning->order;
    person_sources_read_of_target(order->house, &order->target, &banning->sources);
    banning->count = ban_count_affected_people(banning, banning->names);
    return ban_require_confirmation(order, &banning->net, banning->count, banning->names);
}

bool mod_ban_confirm_affected(struct order *order)
{
    return ban_is_confirmed(
        &(struct banning){.order = order, .sanction = {.since_ms = order->house->now_ms}});
}

void mod_ban_target(struct order *order)
{
    struct banning banning = {.order = order, .sanction = {.since_ms = order->house->now_ms}};
    if (!ban_parse_target(order, &banning.net) || !ban_spares_requester(order, &banning.net) ||
        !ban_is_confirmed(&banning)) {
        return;
    }
    (void)sanction_impose(order, STORAGE_SANCTION_BAN, 0);
    ban_disconnect_affected(&banning);
    order_add_line(order, _("%s is banned, %p: %s"), order->target.name,
                   say_duration_argument(order->duration_ms), order->reason);
    if (banning.count > 0) {
        order_add_line(order, _("Disconnected: %s"), banning.names);
    }
}

void mod_run_ban(struct order *order)
{
    bool is_long = order->duration_ms == ORDER_FOR_GOOD || order->duration_ms > BAN_MOD_MS;
    if (!is_long || mod_require_rank(order, RANK_ADMIN)) {
        mod_ban_target(order);
    }
}

static bool add_ban_to_answer(void *context, const struct storage_sanction *sanction)
{
    struct order *order = context;
    char text[SAY_TEXT_SIZE];
    json_t *line =
        say("%lld · %s · %p%s%.200s", (long long)sanction->id, sanction_target_text(sanction),
            say_sentence_argument(sanction_to_sentence(sanction)),
            sanction->note[0] == '\0' ? "" : " // ", sanction->note);
    say_write_english(line, text, sizeof(text));
    if (order->word[0] != '\0' && strstr(text, order->word) == NULL) {
        json_decref(line);
        return true;
    }
    order_add_sentence(order, line);
    (void)json_array_append_new(order->data, sanction_to_json(sanction, true));
    return json_array_size(order->data) < BANLIST_MAX;
}

void mod_run_banlist(struct order *order)
{
    order->data = json_array();
    stored_or_fail(order->house, storage_sanctions_list_in_force(order->house->storage,
                                                                 1U << STORAGE_SANCTION_BAN,
                                                                 add_ban_to_answer, order));
    if (json_array_size(order->data) == 0) {
        order_add_line(order, order->word[0] == '\0' ? _("No ban is in force.")
                                                     : _("No such ban is in force."));
    }
}

void mod_run_banedit(struct order *order)
{
    struct house *house = order->house;
    struct storage_sanction ban;
    bool is_long = order->duration_ms == ORDER_FOR_GOOD || order->duration_ms > BAN_MOD_MS;
    if (!stored(house, storage_sanction_read(house->storage, order->number, &ban)) ||
        ban.kind != STORAGE_SANCTION_BAN || ban.ended_ms != 0) {
        order_refuse(order, "unknown", _("No ban in force has that number: see /banlist."));
        return;
    }
    if (!decision_requester_may_overrule(order, ban.by_role, ban.by_name) ||
        (is_long && !mod_require_rank(order, RANK_ADMIN))) {
        return;
    }
    order->before = sanction_to_json(&ban, true);
    order->reverses = ban.audit;
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s",
                   sanction_target_text(&ban));
    ban.until_ms =
        order->duration_ms > 0 ? house->now_ms + order->duration_ms : STORAGE_SANCTION_FOR_GOOD;
    (void)snprintf(ban.reason, sizeof(ban.reason), "%s", order->reason);
    (void)snprintf(ban.by_name, sizeof(ban.by_name), "%s", order_requester_name(order));
    ban.by_role = (uint8_t)order->rank;
    stored_or_fail(house, storage_audit_read_next_id(house->storage, &ban.audit));
    stored_or_fail(house, storage_sanction_edit(house->storage, &ban));
    sanctions_schedule_next_end(house);
    order->expires_ms = order->duration_ms > 0 ? ban.until_ms : 0;
    order->after = sanction_to_json(&ban, true);
    order_add_line(order, "%s: %p", order->target.name,
                   say_sentence_argument(sanction_to_sentence(&ban)));
}
