#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "storage/mod/mod.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static void notify_affected_people(struct house *house, const struct storage_sanction *sanction,
                                   const struct sources *sources)
{
    struct person *person = NULL;
    struct conn *conn = NULL;
    INDEX_EACH(&persons_of(house)->by_name, person)
    {
        if (!sanction_is_against_person(sanction, person) &&
            !person_sources_match_person(house, sources, sanction, person)) {
            continue;
        }
        sanctions_load(house, person);
        CONN_LINKS_EACH(conn, &person->conns)
        {
            sanctions_notify_conn(house, conn);
        }
    }
}

#define LIFTED_MAX 64 /* the most sanctions of one kind that an order lifts */

/* A new sanction of these kinds replaces earlier ones of its kind against the same target. */
#define REPLACED_KINDS                                                                             \
    (1U << STORAGE_SANCTION_MUTE | 1U << STORAGE_SANCTION_SUSPEND | 1U << STORAGE_SANCTION_RANKBAN)

struct lift_search {
    struct order *order;
    enum storage_sanction_kind kind;
    bool is_followed;     /* the search is for sanctions against other names of the target */
    bool keeps_superiors; /* sanctions that somebody of a higher role imposed stay in force;
                             otherwise the order is refused because of them */
    struct storage_sanction found[LIFTED_MAX];
    size_t count;
    char other[STORAGE_NAME_SIZE]; /* the other account of the target, if a sanction against that
                                      account was found; "": none */
};

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

static bool is_already_collected(const struct lift_search *lift_search, int64_t sanction_id)
{
    for (size_t i = 0; i < lift_search->count; i++) {
        if (lift_search->found[i].id == sanction_id) {
            return true;
        }
    }
    return false;
}

/* True when the sanction is against the target itself. For a guest, this includes sanctions
 * against other guest names of the same person. For an account, only sanctions against that
 * account count. */
static bool sanction_is_against_target(struct lift_search *lift_search,
                                       const struct storage_sanction *sanction)
{
    const struct order_target *target = &lift_search->order->target;
    if (sanction_names_target(target, sanction)) {
        return true;
    }
    if (!lift_search->is_followed) {
        return false;
    }
    if (target->kind == TARGET_GUEST && sanction->account == 0) {
        return true;
    }
    (void)snprintf(lift_search->other, sizeof(lift_search->other), "%s", sanction->name);
    return false;
}

static void add_sanction_line(struct order *order, const char *format,
                              const struct storage_sanction *sanction)
{
    order_add_sentence(
        order, json_pack("[s,o]", format, say_sentence_argument(sanction_to_sentence(sanction))));
}

static bool collect_sanction_to_lift(void *context, const struct storage_sanction *sanction)
{
    struct lift_search *lift_search = context;
    struct order *order = lift_search->order;
    if (sanction->kind != lift_search->kind || is_already_collected(lift_search, sanction->id) ||
        !sanction_is_against_target(lift_search, sanction)) {
        return true;
    }
    if (lift_search->keeps_superiors && sanction->by_role > (uint8_t)order->rank) {
        add_sanction_line(order, _("Still in force: %p"), sanction);
        return true;
    }
    if (!decision_requester_may_overrule(order, sanction->by_role, sanction->by_name)) {
        return false;
    }
    lift_search->found[lift_search->count++] = *sanction;
    return lift_search->count < LIFTED_MAX;
}

static void find_sanctions_to_lift(struct lift_search *lift_search)
{
    struct order *order = lift_search->order;
    struct storage *storage = order->house->storage;
    struct sources sources;
    stored_or_fail(order->house,
                   storage_sanctions_list_in_force(storage, 1U << lift_search->kind,
                                                   collect_sanction_to_lift, lift_search));
    person_sources_read_of_target(order->house, &order->target, &sources);
    lift_search->is_followed = true;
    for (size_t i = 0; i < sources.count && lift_search->count < LIFTED_MAX; i++) {
        stored_or_fail(order->house,
                       storage_sanctions_list_by_source(storage, sources.at[i],
                                                        collect_sanction_to_lift, lift_search));
    }
}

static void refuse_to_lift(const struct lift_search *lift_search)
{
    struct order *order = lift_search->order;
    if (lift_search->other[0] != '\0') {
        order_refuse(order, "unknown",
                     _("No such sanction is in force against %s, but one is against %s, who has "
                       "the same address or key: lift that one."),
                     order->target.name, lift_search->other);
    } else {
        order_refuse(order, "unknown", _("No such sanction is in force against %s."),
                     order->target.name);
    }
}

/* Ends the sanction, tells the people it applied to, and reports it to the requester. */
static void lift_sanction(struct order *order, const struct storage_sanction *sanction)
{
    sanction_end_and_notify(order->house, sanction, order_requester_name(order),
                            say(_("%p has lifted the sanction against you."),
                                order_requester_sentence_argument(order)));
    add_sanction_line(order, _("Lifted: %p"), sanction);
}

/* Ends the sanctions that the new one of this kind replaces; appeals against them stay open. */
static void end_replaced_sanctions(struct order *order, enum storage_sanction_kind kind)
{
    struct lift_search *lift_search = memory_new(sizeof(*lift_search));
    lift_search->order = order;
    lift_search->kind = kind;
    lift_search->keeps_superiors = true;
    find_sanctions_to_lift(lift_search);
    for (size_t i = 0; i < lift_search->count; i++) {
        const struct storage_sanction *sanction = &lift_search->found[i];
        order->reverses = sanction->audit;
        sanction_end_and_notify(order->house, sanction, order_requester_name(order), NULL);
        add_sanction_line(order, _("Replaced: %p"), sanction);
    }
    free(lift_search);
}

int64_t sanction_impose(struct order *order, enum storage_sanction_kind kind, uint32_t scopes)
{
    struct house *house = order->house;
    struct sources sources = {.count = 0};
    struct storage_sanction sanction = {
        .kind = kind,
        .scopes = scopes,
        .by_role = (uint8_t)order->rank,
        .since_ms = house->now_ms,
        .until_ms =
            order->duration_ms > 0 ? house->now_ms + order->duration_ms : STORAGE_SANCTION_FOR_GOOD,
    };
    fill_sanction_target(&order->target, &sanction);
    if ((REPLACED_KINDS >> kind & 1) != 0) {
        end_replaced_sanctions(order, kind);
    }
    (void)snprintf(sanction.reason, sizeof(sanction.reason), "%s", order->reason);
    (void)snprintf(sanction.note, sizeof(sanction.note), "%s", order->note);
    (void)snprintf(sanction.by_name, sizeof(sanction.by_name), "%s", order_requester_name(order));
    stored_or_fail(house, storage_audit_read_next_id(house->storage, &sanction.audit));
    stored_or_fail(house, storage_sanction_add(house->storage, &sanction, &sanction.id));
    sanctions_schedule_end(house, sanction.until_ms);
    order->expires_ms = order->duration_ms > 0 ? sanction.until_ms : 0;
    order->after = sanction_to_json(&sanction, true);
    if (order->target.kind == TARGET_GUEST || (SANCTIONS_THAT_FOLLOW >> kind & 1) != 0) {
        person_sources_read_of_target(house, &order->target, &sources);
        person_sources_store(house, sanction.id, &sources);
    }
    notify_affected_people(house, &sanction, &sources);
    gate_bans_mark_changed(house);
    return sanction.id;
}

static bool collect_appealed_sanction(void *context, const struct storage_sanction *sanction)
{
    struct sanction_list *list = context;
    for (size_t i = 0; i < list->count; i++) {
        if (list->rows[i].id == sanction->id) {
            return true;
        }
    }
    return sanction_list_add(list, sanction);
}

bool sanction_lift_appealed(struct order *order, const struct storage_sanction *appealed,
                            const struct storage_report *appeal)
{
    struct storage *storage = order->house->storage;
    struct sanction_list list = {.kinds = 1U << appealed->kind};
    if (appealed->ended_ms == 0) {
        (void)sanction_list_add(&list, appealed);
    }
    if (appealed->name[0] != '\0') {
        stored_or_fail(order->house,
                       storage_sanctions_list_on_person(storage, appealed->account, appealed->name,
                                                        collect_appealed_sanction, &list));
    }
    stored_or_fail(order->house, storage_sanctions_list_on_person(
                                     storage, appeal->about_account, appeal->about_name,
                                     collect_appealed_sanction, &list));
    for (size_t i = 0; i < list.count; i++) {
        if (!decision_requester_may_overrule(order, list.rows[i].by_role, list.rows[i].by_name)) {
            return false;
        }
    }
    for (size_t i = 0; i < list.count; i++) {
        if (list.rows[i].id != appealed->id) {
            appeal_close_for_ended_sanction(order->house, &list.rows[i],
                                            order_requester_name(order), order->reason);
        }
        order->reverses = list.rows[i].audit;
        lift_sanction(order, &list.rows[i]);
    }
    return true;
}

bool sanction_lift_all_of_kind(struct order *order, enum storage_sanction_kind kind)
{
    struct lift_search *lift_search = memory_new(sizeof(*lift_search));
    lift_search->order = order;
    lift_search->kind = kind;
    find_sanctions_to_lift(lift_search);
    size_t count = order->code == NULL ? lift_search->count : 0;
    if (count == 0) {
        refuse_to_lift(lift_search);
    }
    if (count > 0) {
        order->before = sanction_to_json(&lift_search->found[0], true);
        order->reverses = lift_search->found[0].audit;
    }
    for (size_t i = 0; i < count; i++) {
        appeal_close_for_ended_sanction(
            order->house, &lift_search->found[i], order_requester_name(order),
            order->reason[0] == '\0' ? _("The sanction is lifted.") : order->reason);
        lift_sanction(order, &lift_search->found[i]);
    }
    free(lift_search);
    return count > 0;
}

static bool add_line_in_force(void *context, const struct storage_sanction *sanction)
{
    add_sanction_line(context, _("Still in force: %p"), sanction);
    return true;
}

void sanction_add_lines_in_force(struct order *order, int64_t account, const char *name)
{
    stored_or_fail(order->house, storage_sanctions_list_on_person(order->house->storage, account,
                                                                  name, add_line_in_force, order));
}
