#include "lobby/mod/mod.h"

#include "lobby/play/play.h"

#include <stdio.h>
#include <string.h>

/* the longest ban that a moderator may impose; admins may ban for longer */
#define BAN_MOD_MS (30 * DAY_MS)
#define BANLIST_MAX 200

/* Sanctions that moderation commands impose and lift. */

static void fill_sanction_target(const struct order_target *target,
                                 struct storage_sanction *sanction)
{
    if (target->kind == TARGET_USER || target->kind == TARGET_GUEST) {
        sanction->account = target->id;
        (void)snprintf(sanction->name, sizeof(sanction->name), "%s", target->name);
    } else if (target->kind == TARGET_ADDRESS) {
        (void)snprintf(sanction->address, sizeof(sanction->address), "%s", target->name);
    } else {
        (void)snprintf(sanction->fingerprint, sizeof(sanction->fingerprint), "%s", target->name);
    }
}

/* Tells everybody to whom the new sanction applies about it, under whatever name they are here. */
static void notify_affected_people(struct house *house, const struct sanction *sanction)
{
    PERSONS_EACH(person, house) {
        if (!sanction_applies_to_person(house, sanction, person)) {
            continue;
        }
        sanctions_load(house, person);
        LINKED_CONNS_EACH(conn, &person->conns) {
            sanctions_notify_conn(house, conn);
        }
    }
}

#define LIFTED_MAX 64 /* the most sanctions of one kind that an order lifts */

/* A new sanction of these kinds replaces earlier ones of its kind against the same target. */
#define REPLACED_KINDS                                                                             \
    (1U << STORAGE_SANCTION_MUTE | 1U << STORAGE_SANCTION_SUSPEND | 1U << STORAGE_SANCTION_RANKBAN)

/* Sanctions that are to be lifted, none of them twice. */
struct lift_list {
    struct sanction *at[LIFTED_MAX];
    size_t count;
};

static void lift_list_add(struct lift_list *list, struct sanction *sanction)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->at[i] == sanction) {
            return;
        }
    }
    if (list->count < LIFTED_MAX) {
        list->at[list->count++] = sanction;
    }
}

static bool sanction_names_target(const struct order_target *target,
                                  const struct storage_sanction *sanction)
{
    struct storage_sanction own = {0};
    fill_sanction_target(target, &own);
    return sanction->account == own.account &&
           (own.account != 0 || strcmp(sanction->name, own.name) == 0) &&
           strcmp(sanction->address, own.address) == 0 &&
           strcmp(sanction->fingerprint, own.fingerprint) == 0;
}

static void add_sanction_line(struct order *order, const char *format,
                              const struct storage_sanction *sanction)
{
    order_add_sentence(
        order, json_pack("[s,o]", format, say_sentence_argument(sanction_to_sentence(sanction))));
}

/* Lists the sanctions of this kind against the target, newest first. For a guest, this includes
 * sanctions against other guest names of the same person. If one is against another account of the
 * person, returns it: only sanctions against the target's own account are listed. */
static const struct sanction *list_sanctions_of_target(const struct order *order,
                                                       enum storage_sanction_kind kind,
                                                       struct lift_list *list)
{
    const struct order_target *target = &order->target;
    const struct sanction *other = NULL;
    struct sources sources;
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction->row.kind == kind && sanction_names_target(target, &sanction->row)) {
            lift_list_add(list, sanction);
        }
    }
    for (size_t i = 0; i < list->count / 2; i++) {
        struct sanction *older = list->at[i];
        list->at[i] = list->at[list->count - 1 - i];
        list->at[list->count - 1 - i] = older;
    }
    person_sources_read_of_target(order->house, target, &sources);
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction->row.kind != kind || sanction_names_target(target, &sanction->row) ||
            !person_sources_overlap(sanction->sources, &sources)) {
            continue;
        }
        if (target->kind == TARGET_GUEST && sanction->row.account == 0) {
            lift_list_add(list, sanction);
        } else {
            other = sanction;
        }
    }
    return other;
}

/* True when nobody of a higher role imposed one of them; otherwise refuses the order. */
static bool may_lift_all(struct order *order, const struct lift_list *list)
{
    for (size_t i = 0; i < list->count && order->code == NULL; i++) {
        const struct storage_sanction *row = &list->at[i]->row;
        (void)!decision_requester_may_overrule(order, row->by_role, row->by_name);
    }
    return order->code == NULL;
}

static void refuse_to_lift(struct order *order, const struct sanction *other)
{
    if (other != NULL) {
        order_refuse(order, "unknown",
                     _("No such sanction is in force against %s, but one is against %s, who has "
                       "the same address or key: lift that one."),
                     order->target.name, other->row.name);
    } else {
        order_refuse(order, "unknown", _("No such sanction is in force against %s."),
                     order->target.name);
    }
}

/* Ends the sanction, tells the people it applied to, and reports it to the requester. */
static void lift_sanction(struct order *order, struct sanction *sanction)
{
    const struct storage_sanction lifted = sanction->row;
    sanction_end_and_notify(
        order->house, sanction, order->by_name,
        say(_("%p has lifted the sanction against you."), say_word_argument(order->by_name)));
    add_sanction_line(order, _("Lifted: %p"), &lifted);
}

/* Ends the sanctions that the new one of this kind replaces; appeals against them stay open. */
static void end_replaced_sanctions(struct order *order, enum storage_sanction_kind kind)
{
    struct lift_list list = {.count = 0};
    (void)list_sanctions_of_target(order, kind, &list);
    for (size_t i = 0; i < list.count; i++) {
        const struct storage_sanction *kept = &list.at[i]->row;
        if (kept->by_role > (uint8_t)order->rank) {
            add_sanction_line(order, _("Still in force: %p"), kept);
        }
    }
    for (size_t i = 0; i < list.count; i++) {
        const struct storage_sanction replaced = list.at[i]->row;
        if (replaced.by_role <= (uint8_t)order->rank) {
            order->reverses = replaced.audit;
            sanction_end_and_notify(order->house, list.at[i], order->by_name, NULL);
            add_sanction_line(order, _("Replaced: %p"), &replaced);
        }
    }
}

/* A sanction that an order may impose, and the people in the house whom it affects. */
struct draft {
    struct sanction sanction;
    struct sources sources; /* the networks and keys of the target */
    size_t count;           /* of the people, and their names, as many as fit */
    char names[WORDS_MAX / 2];
};

/* Whether the sanction would affect the person of this connection. */
static bool draft_affects_conn(struct house *house, const struct draft *draft,
                               const struct conn *conn)
{
    const struct storage_sanction *row = &draft->sanction.row;
    struct net net;
    if (conn->person == NULL || row->name[0] != '\0') {
        return conn->person != NULL &&
               sanction_applies_to_person(house, &draft->sanction, conn->person);
    }
    return conn->person->role == STORAGE_ROLE_PLAYER &&
           (row->address[0] == '\0'
                ? strcmp(conn->key_fingerprint, row->fingerprint) == 0
                : net_parse(row->address, &net) && net_contains(&net, conn->address));
}

static bool draft_affects_person(struct house *house, const struct draft *draft,
                                 const struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (draft_affects_conn(house, draft, conn)) {
            return true;
        }
    }
    return false;
}

static void draft_sanction(struct order *order, enum storage_sanction_kind kind, uint32_t scopes,
                           struct draft *draft)
{
    struct house *house = order->house;
    struct storage_sanction *row = &draft->sanction.row;
    struct text names = text_init(draft->names, sizeof(draft->names));
    draft->sanction.sources = &draft->sources;
    draft->sources.count = draft->count = 0;
    *row = (struct storage_sanction){
        .kind = kind,
        .scopes = scopes,
        .by_role = (uint8_t)order->rank,
        .since_ms = house->now_ms,
        .until_ms =
            order->duration_ms > 0 ? house->now_ms + order->duration_ms : STORAGE_SANCTION_FOR_GOOD,
    };
    fill_sanction_target(&order->target, row);
    (void)snprintf(row->reason, sizeof(row->reason), "%s", order->reason);
    (void)snprintf(row->note, sizeof(row->note), "%s", order->note);
    (void)snprintf(row->by_name, sizeof(row->by_name), "%s", order->by_name);
    if (order->target.kind == TARGET_GUEST || (SANCTIONS_THAT_FOLLOW >> kind & 1) != 0) {
        person_sources_read_of_target(house, &order->target, &draft->sources);
    }
    PERSONS_EACH(person, house) {
        if (draft_affects_person(house, draft, person)) {
            text_put(&names, draft->count++ > 0 ? ", " : "");
            text_put(&names, person->name);
        }
    }
}

/* Imposes the sanction, and tells the people it applies to. A mute, a suspension or a ban from
 * rated games replaces earlier ones against the same target, but for those that somebody of a
 * higher role imposed. Adds a line for each that is replaced or stays. */
static void impose_draft(struct order *order, struct draft *draft)
{
    struct house *house = order->house;
    struct storage_sanction *row = &draft->sanction.row;
    if ((REPLACED_KINDS >> row->kind & 1) != 0) {
        end_replaced_sanctions(order, row->kind);
    }
    stored_or_fail(house, storage_audit_read_next_id(house->storage, &row->audit));
    const struct sanction *sanction = sanction_add(house, row, &draft->sources);
    order->expires_ms = order->duration_ms > 0 ? row->until_ms : 0;
    order->after = sanction_to_json(&sanction->row, true);
    notify_affected_people(house, sanction);
    gate_bans_mark_changed(house);
}

static void sanction_impose(struct order *order, enum storage_sanction_kind kind, uint32_t scopes)
{
    struct draft draft;
    draft_sanction(order, kind, scopes, &draft);
    impose_draft(order, &draft);
}

bool sanction_lift_appealed(struct order *order, const struct storage_sanction *appealed,
                            const struct storage_report *appeal)
{
    struct lift_list list = {.count = 0};
    struct sanction *first = sanction_find(order->house, appealed->id);
    if (first != NULL) {
        lift_list_add(&list, first);
    }
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction->row.kind == appealed->kind &&
            (sanction_names(&sanction->row, appealed->account, appealed->name) ||
             sanction_names(&sanction->row, appeal->about_account, appeal->about_name))) {
            lift_list_add(&list, sanction);
        }
    }
    if (!may_lift_all(order, &list)) {
        return false;
    }
    for (size_t i = 0; i < list.count; i++) {
        if (list.at[i] != first) {
            appeal_close_for_ended_sanction(order->house, &list.at[i]->row, order->by_name,
                                            order->reason);
        }
        order->reverses = list.at[i]->row.audit;
        lift_sanction(order, list.at[i]);
    }
    return true;
}

static bool sanction_lift_all_of_kind(struct order *order, enum storage_sanction_kind kind)
{
    struct lift_list list = {.count = 0};
    const struct sanction *other = list_sanctions_of_target(order, kind, &list);
    if (!may_lift_all(order, &list)) {
        return false;
    }
    if (list.count == 0) {
        refuse_to_lift(order, other);
        return false;
    }
    order->before = sanction_to_json(&list.at[0]->row, true);
    order->reverses = list.at[0]->row.audit;
    for (size_t i = 0; i < list.count; i++) {
        appeal_close_for_ended_sanction(order->house, &list.at[i]->row, order->by_name,
                                        order->reason[0] == '\0' ? _("The sanction is lifted.")
                                                                 : order->reason);
        lift_sanction(order, list.at[i]);
    }
    return true;
}

void sanction_add_lines_in_force(struct order *order, int64_t account, const char *name)
{
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction_names(&sanction->row, account, name)) {
            add_sanction_line(order, _("Still in force: %p"), &sanction->row);
        }
    }
}

/* Refuses the order and returns false when no connection can match the banned address or key, or
 * when the requester's own connection does. */
static bool ban_target_is_allowed(struct order *order)
{
    const struct order_target *target = &order->target;
    const struct conn *conn = order->conn;
    struct net net;
    if (target->kind == TARGET_ADDRESS && !net_parse(target->name, &net)) {
        order_refuse(order, "bad", _("%s is not an address."), target->name);
    } else if (target->kind == TARGET_KEY && !fingerprint_is_well_formed(target->name)) {
        order_refuse(order, "bad",
                     _("%s is not the fingerprint of a key, which is SHA256: and 43 characters, as "
                       "/sessions and ssh-keygen -l show it."),
                     target->name);
    } else if (order->rank == RANK_OWNER) {
        return true; /* the owner's commands come from the server itself, not from an address that
                        can be banned */
    } else if (target->kind == TARGET_ADDRESS && net_contains(&net, conn->address)) {
        order_refuse(order, "self",
                     _("You come from %s, which is in %s: nobody bans themselves. Ban a network "
                       "without your address."),
                     conn->address, target->name);
    } else if (target->kind == TARGET_KEY && strcmp(conn->key_fingerprint, target->name) == 0) {
        order_refuse(order, "self", _("You came in with that key: nobody bans themselves."));
    }
    return order->code == NULL;
}

/* Asks for confirmation when the sanction affects several people in the house, or a wide network.
 */
static bool draft_is_confirmed(struct order *order, const struct draft *draft)
{
    const size_t count = draft->count;
    const char *name = order->target.name;
    struct net net;
    if (!net_parse(draft->sanction.row.address, &net) || !net_is_wide(&net)) {
        return count <= 1 ||
               order_require_confirmation(
                   order, say(_("That affects %zu people who are here now: %s. Are you sure?"),
                              count, draft->names));
    }
    return order_require_confirmation(
        order,
        count == 0
            ? say(_("%s is a wide network. It affects nobody who is here now, but everybody who "
                    "comes from there. Are you sure?"),
                  name)
            : say_plural("%s is a wide network. It affects %zu person who is here now: %s, and "
                         "everybody else who comes from there. Are you sure?",
                         "%s is a wide network. It affects %zu people who are here now: %s, and "
                         "everybody else who comes from there. Are you sure?",
                         name, count, draft->names));
}

/* Bans the order's target for the order's duration. Asks for confirmation first when the ban
 * affects several people. */
static void mod_ban_target(struct order *order)
{
    struct draft draft;
    draft_sanction(order, STORAGE_SANCTION_BAN, 0, &draft);
    if (!ban_target_is_allowed(order) || !draft_is_confirmed(order, &draft)) {
        return;
    }
    impose_draft(order, &draft);
    json_t *why = say(_("You are banned %p, by %p: %s. Connect again to read how to appeal."),
                      say_until_argument(draft.sanction.row.until_ms),
                      say_word_argument(order->by_name), order->reason);
    CONNS_EACH(conn, order->house) {
        if (draft_affects_conn(order->house, &draft, conn)) {
            conn_dismiss(order->house, conn, json_incref(why));
        }
    }
    json_decref(why);
    order_add_line(order, _("%s is banned, %p: %s"), order->target.name,
                   say_duration_argument(order->duration_ms), order->reason);
    if (draft.count > 0) {
        order_add_line(order, _("Disconnected: %s"), draft.names);
    }
}

static bool ban_length_is_allowed(struct order *order)
{
    bool is_long = order->duration_ms == ORDER_FOR_GOOD || order->duration_ms > BAN_MOD_MS;
    return !is_long || mod_require_rank(order, RANK_ADMIN);
}

void mod_run_ban(struct order *order)
{
    if (ban_length_is_allowed(order)) {
        mod_ban_target(order);
    }
}

static void add_ban_to_answer(struct order *order, const struct storage_sanction *sanction)
{
    char text[SAY_TEXT_SIZE];
    json_t *line =
        say("%lld · %s · %p%s%.200s", (long long)sanction->id, sanction_target_text(sanction),
            say_sentence_argument(sanction_to_sentence(sanction)),
            sanction->note[0] == '\0' ? "" : " // ", sanction->note);
    say_write_english(line, text, sizeof(text));
    if (order->word[0] != '\0' && strstr(text, order->word) == NULL) {
        json_decref(line);
        return;
    }
    order_add_sentence(order, line);
    (void)json_array_append_new(order->data, sanction_to_json(sanction, true));
}

void mod_run_banlist(struct order *order)
{
    const size_t all = index_count(sanctions_in_force(order->house));
    int64_t *bans = memory_new((all + 1) * sizeof(*bans));
    size_t count = 0;
    order->data = json_array();
    SANCTIONS_EACH(sanction, order->house) {
        bans[count] = sanction->row.id;
        count += sanction->row.kind == STORAGE_SANCTION_BAN;
    }
    while (count > 0 && json_array_size(order->data) < BANLIST_MAX) { /* the newest first */
        add_ban_to_answer(order, &sanction_find(order->house, bans[--count])->row);
    }
    free(bans);
    if (json_array_size(order->data) == 0) {
        order_add_line(order, order->word[0] == '\0' ? _("No ban is in force.")
                                                     : _("No such ban is in force."));
    }
}

void mod_run_banedit(struct order *order)
{
    struct house *house = order->house;
    struct sanction *found = sanction_find(house, order->number);
    if (found == NULL || found->row.kind != STORAGE_SANCTION_BAN) {
        order_refuse(order, "unknown", _("No ban in force has that number: see /banlist."));
        return;
    }
    struct storage_sanction *ban = &found->row;
    if (!decision_requester_may_overrule(order, ban->by_role, ban->by_name) ||
        !ban_length_is_allowed(order)) {
        return;
    }
    order->before = sanction_to_json(ban, true);
    order->reverses = ban->audit;
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", sanction_target_text(ban));
    ban->until_ms =
        order->duration_ms > 0 ? house->now_ms + order->duration_ms : STORAGE_SANCTION_FOR_GOOD;
    (void)snprintf(ban->reason, sizeof(ban->reason), "%s", order->reason);
    (void)snprintf(ban->by_name, sizeof(ban->by_name), "%s", order->by_name);
    ban->by_role = (uint8_t)order->rank;
    stored_or_fail(house, storage_audit_read_next_id(house->storage, &ban->audit));
    sanction_save(house, found);
    order->expires_ms = order->duration_ms > 0 ? ban->until_ms : 0;
    order->after = sanction_to_json(ban, true);
    order_add_line(order, "%s: %p", order->target.name,
                   say_sentence_argument(sanction_to_sentence(ban)));
}

/* Warnings, mutes, suspensions and kicks; and /sanctions, which shows people the sanctions in force
 * against them. */

/* a guest cannot be warned: they may never come back to read it */
#define WARN_GUEST_MS (7 * DAY_MS)
#define KICK_GUEST_MS INT64_C(600000) /* how long a kick bans other guests from the same source */

/* Finds the target's seat at the table, whether the target is in the house or not; -1: none. */
static int find_seat_of_target(const struct table *table, const struct order_target *target)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        bool is_guest = holder->holder == STORAGE_SEAT_GUEST && target->kind == TARGET_GUEST;
        bool is_player = holder->holder == STORAGE_SEAT_PLAYER && target->kind == TARGET_USER;
        if ((is_player && holder->account == target->id) ||
            (is_guest && strcmp(holder->name, target->name) == 0)) {
            return seat;
        }
    }
    return -1;
}

/* Finds the target's seat at the requester's own table before a game; -1: no seat, or the requester
 * is not the host. */
static int find_kickable_seat(const struct order *order)
{
    const struct table *table = conn_table(order->conn);
    if (table == NULL || table_is_playing(table) ||
        strcmp(table->row.host_name, order->by_name) != 0 ||
        strcmp(order->target.name, order->by_name) == 0) {
        return -1;
    }
    return find_seat_of_target(table, &order->target);
}

static void take_seat_away(struct order *order, struct table *table, int seat)
{
    if (seat >= 0 && table_is_playing(table)) {
        table_game_leave_for_good(order->house, table, seat);
        order_add_line(order, _("A bot plays on for them at #%lld."), (long long)table->row.id);
    } else if (seat >= 0) {
        table_vacate_seat(order->house, table, seat);
    }
}

/* Takes the seats at this table from all suspended people in the house, under any of their
 * names. */
static void take_seats_of_suspended(struct order *order, struct table *table)
{
    const struct house *house = order->house;
    PERSONS_EACH(person, house) {
        if (sanctions_person_state(person)->by_staff.suspend_ms > house->now_ms) {
            take_seat_away(order, table, table_seat_of(table, person));
        }
    }
}

static void kick_from_all_seats(struct order *order)
{
    TABLES_EACH(table, order->house) {
        take_seat_away(order, table, find_seat_of_target(table, &order->target));
        take_seats_of_suspended(order, table);
    }
}

void mod_run_warn(struct order *order)
{
    order->duration_ms = order->target.kind == TARGET_GUEST ? WARN_GUEST_MS : 0;
    sanction_impose(order, STORAGE_SANCTION_WARN, 0);
    order_add_line(order, _("%s is warned: %s"), order->target.name, order->reason);
}

static uint32_t parse_mute_scopes(struct order *order)
{
    static const char *const names[] = {"lobby", "table", "pm", NULL};
    const char *scope = order_option_value(order, "scope");
    (void)snprintf(order->scope, sizeof(order->scope), "%.30s", scope == NULL ? "all" : scope);
    if (strcmp(order->scope, "all") == 0) {
        return SANCTION_SCOPES_ALL;
    }
    const int index = text_find_word(names, order->scope);
    if (index < 0) {
        order_refuse(order, "bad", _("There is no scope %s: lobby, table, pm or all."),
                     order->scope);
    }
    return index < 0 ? 0 : 1U << index;
}

void mod_run_impose_sanction(struct order *order)
{
    const struct mod_command *command = order->command;
    uint32_t scopes = command->kind == STORAGE_SANCTION_MUTE ? parse_mute_scopes(order) : 0;
    struct draft draft;
    draft_sanction(order, command->kind, scopes, &draft);
    /* a suspension, too, affects those in the house who share the target's sources */
    if (order->code != NULL ||
        (command->kind == STORAGE_SANCTION_SUSPEND && !draft_is_confirmed(order, &draft))) {
        return;
    }
    order_add_sentence(order, json_pack("[s,s,o,s]", command->said, order->target.name,
                                        say_duration_argument(order->duration_ms), order->reason));
    impose_draft(order, &draft);
    if (command->kind == STORAGE_SANCTION_SUSPEND) {
        kick_from_all_seats(order);
    }
}

void mod_run_lift_sanction(struct order *order)
{
    if (sanction_lift_all_of_kind(order, order->command->kind)) {
        order_add_sentence(order, json_pack("[s,s]", order->command->said, order->target.name));
        sanction_add_lines_in_force(order, order->target.id, order->target.name);
    }
}

static void kick_from_house(struct order *order)
{
    if (order->reason[0] == '\0') {
        order_refuse(order, "reason", "%s",
                     _("Say why: the player is shown the reason. Only a table's host may free a "
                       "seat without a reason, before the game starts."));
        return;
    }
    if (order->target.person == NULL) {
        order_refuse(order, "absent", _("%s is not in the house."), order->target.name);
        return;
    }
    /* without this ban the guest would return at once under another name */
    if (order->target.kind == TARGET_GUEST) {
        order->duration_ms = KICK_GUEST_MS;
        mod_ban_target(order);
        return;
    }
    LINKED_CONNS_EACH(conn, &order->target.person->conns) {
        conn_dismiss(order->house, conn,
                     say(_("%p has sent you out: %s · You may come back. To complain then, write "
                           "/report %s other and why."),
                         say_word_argument(order->by_name), order->reason, order->by_name));
    }
    order_add_line(order, _("%s is sent out: %s"), order->target.name, order->reason);
}

/* Removes a person from their seat before the start, and tells them who did it. */
static void kick_from_seat(struct house *house, struct table *table, int seat,
                           const char *kicked_by)
{
    const struct person *person = table_connected_holder(house, table, seat);
    table_vacate_seat(house, table, seat);
    if (person != NULL) {
        person_send_notice(
            house, person, "warn",
            say(_("%s freed your seat at %p: find another table."), kicked_by, table_title(table)));
    }
}

void mod_run_kick(struct order *order)
{
    int seat = find_kickable_seat(order);
    bool is_hosts = seat >= 0 && (order->reason[0] == '\0' || order->rank < RANK_MOD);
    if (is_hosts) {
        order->table_id = conn_table(order->conn)->row.id;
        kick_from_seat(order->house, conn_table(order->conn), seat, order->by_name);
        order_add_line(order, _("%s has no seat here any more."), order->target.name);
    } else if (order->rank < RANK_MOD) {
        order_refuse(
            order, "not_host",
            _("Only the table's host may free a seat, before the game starts: ask the host."));
    } else if (mod_require_rank(order, RANK_MOD) && mod_may_act_on_target(order)) {
        kick_from_house(order);
    }
}

/* Accounts and guests on hold: they can play, but cannot talk, and leaderboards do not list them.
 * The sanction records the hold, and applies under the owner's other names too. */

static void end_earlier_holds_of_account(struct order *order, int64_t account)
{
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction->row.kind == STORAGE_SANCTION_HOLD &&
            sanction_names(&sanction->row, account, "")) {
            sanction_end_and_notify(order->house, sanction, order->by_name, NULL);
        }
    }
}

static bool hold_put_account_on_hold(struct order *order)
{
    struct house *house = order->house;
    struct person *person = order->target.person;
    char account[DECISION_ACCOUNT_SIZE];
    decision_write_account_name(order->target.id, account);
    if (order->target.account.is_held &&
        !decision_may_be_changed(order, STORAGE_DECISION_HOLD, account)) {
        return false;
    }
    decision_store(order, STORAGE_DECISION_HOLD, account);
    /* the new sanction replaces those of an earlier hold */
    end_earlier_holds_of_account(order, order->target.id);
    stored_or_fail(house, storage_account_set_pending(house->storage, order->target.id, true));
    boards_update_account(house, order->target.id, NULL);
    if (person != NULL) {
        person->is_held = true;
        person_mark_changed(house, person);
    }
    return true;
}

bool hold_release_account(struct order *order, const struct storage_account *account)
{
    struct house *house = order->house;
    struct person *person = person_find(house, account->name);
    char name[DECISION_ACCOUNT_SIZE];
    decision_write_account_name(account->id, name);
    if (!account->is_held) {
        return order_refuse(order, "unknown", _("%s is not held."), account->name);
    }
    if (!decision_may_be_changed(order, STORAGE_DECISION_HOLD, name)) {
        return false;
    }
    decision_remove(house, STORAGE_DECISION_HOLD, name);
    end_earlier_holds_of_account(order, account->id);
    stored_or_fail(house, storage_account_set_pending(house->storage, account->id, false));
    boards_update_account(house, account->id, NULL);
    if (person != NULL && person->is_held) {
        person->is_held = false;
        person_mark_changed(house, person);
        person_send_notice(
            house, person, "info",
            say(_("Your account is released: you can chat and are on the leaderboards.")));
    }
    journal_write(house, order->conn, "release",
                  JOURNAL_PAIRS("account", account->name, "by", order->by_name));
    order_add_line(order, _("%s is released: they can chat and are on the leaderboards."),
                   account->name);
    return true;
}

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
