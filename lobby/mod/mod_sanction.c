#include "lobby/mod/mod_line.h"

#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/mod/mod_kick.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanction_order.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/sanctions/sources.h"

#include <stdio.h>
#include <string.h>

/* Warnings, mutes and suspensions; and /sanctions, which shows people the sanctions in force
 * against them. */

#define WARN_GUEST_MS (7 * INT64_C(86400000))

/* how long a warning of a guest lasts, who may never come back to read it */
static void run_warn_command(struct order *order)
{
    order->duration_ms = order->target.kind == TARGET_GUEST ? WARN_GUEST_MS : 0;
    (void)sanction_impose(order, STORAGE_SANCTION_WARN, 0);
    order_add_line(order, _("%s is warned: %s"), order->target.name, order->reason);
}

const struct mod_command mod_command_warn = {
    .parts = {PART_TARGET, PART_REASON},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .run = run_warn_command,
};

static uint32_t parse_mute_scopes(struct order *order)
{
    static const char *const names[] = {"lobby", "table", "pm"};
    const char *scope = order_option_value(order, "scope");
    (void)snprintf(order->scope, sizeof(order->scope), "%.30s", scope == NULL ? "all" : scope);
    if (strcmp(order->scope, "all") == 0) {
        return SANCTION_SCOPES_ALL;
    }
    for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
        if (strcmp(order->scope, names[i]) == 0) {
            return 1U << i;
        }
    }
    order_refuse(order, "bad", _("There is no scope %s: lobby, table, pm or all."), order->scope);
    return 0;
}

static void run_mute_command(struct order *order)
{
    uint32_t scopes = parse_mute_scopes(order);
    if (scopes != 0) {
        (void)sanction_impose(order, STORAGE_SANCTION_MUTE, scopes);
        order_add_line(order, _("%s is muted, %p: %s"), order->target.name,
                       say_duration(order->duration_ms), order->reason);
    }
}

const struct mod_command mod_command_mute = {
    .parts = {PART_TARGET, PART_TIME, PART_REASON},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .options = {"scope"},
    .run = run_mute_command,
};

static void run_unmute_command(struct order *order)
{
    if (sanction_lift_kind(order, STORAGE_SANCTION_MUTE)) {
        order_add_line(order, _("%s may talk again."), order->target.name);
    }
}

const struct mod_command mod_command_unmute = {
    .parts = {PART_TARGET, PART_REASON_MAYBE},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .run = run_unmute_command,
};

static void run_suspend_command(struct order *order)
{
    (void)sanction_impose(order, STORAGE_SANCTION_SUSPEND, 0);
    order_add_line(order, _("%s may not sit down, %p: %s"), order->target.name,
                   say_duration(order->duration_ms), order->reason);
    mod_kick_from_all_seats(order);
}

const struct mod_command mod_command_suspend = {
    .parts = {PART_TARGET, PART_TIME, PART_REASON},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .run = run_suspend_command,
};

static void run_unsuspend_command(struct order *order)
{
    if (sanction_lift_kind(order, STORAGE_SANCTION_SUSPEND)) {
        order_add_line(order, _("%s may sit again."), order->target.name);
    }
}

const struct mod_command mod_command_unsuspend = {
    .parts = {PART_TARGET, PART_REASON_MAYBE},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .run = run_unsuspend_command,
};

static void run_rankban_command(struct order *order)
{
    (void)sanction_impose(order, STORAGE_SANCTION_RANKBAN, 0);
    order_add_line(order, _("%s plays unrated, %p: %s"), order->target.name,
                   say_duration(order->duration_ms), order->reason);
}

const struct mod_command mod_command_rankban = {
    .parts = {PART_TARGET, PART_TIME, PART_REASON},
    .targets = TARGET_USER,
    .flags = MOD_AGAINST,
    .run = run_rankban_command,
};

static void run_unrankban_command(struct order *order)
{
    if (sanction_lift_kind(order, STORAGE_SANCTION_RANKBAN)) {
        order_add_line(order, _("%s plays rated games again."), order->target.name);
    }
}

const struct mod_command mod_command_unrankban = {
    .parts = {PART_TARGET, PART_REASON_MAYBE},
    .targets = TARGET_USER,
    .flags = MOD_AGAINST,
    .run = run_unrankban_command,
};

static bool add_own_sanction(void *context, const struct storage_sanction *sanction)
{
    struct order *order = context;
    order_add_line(order, sanction->ended_ms == 0 ? "%lld · %p" : _("%lld · over · %p"),
                   (long long)sanction->id, say_sentence(sanction_sentence(sanction)));
    (void)json_array_append_new(order->data, sanction_to_json(sanction, false));
    return json_array_size(order->data) < SANCTIONS_SHOWN_MAX;
}

#define WARNINGS_MAX 8 /* warnings acknowledged at once */

struct warnings {
    struct storage_sanction found[WARNINGS_MAX];
    size_t count;
};

static bool collect_warning(void *context, const struct storage_sanction *sanction)
{
    struct warnings *warnings = context;
    if (sanction->kind == STORAGE_SANCTION_WARN) {
        warnings->found[warnings->count++] = *sanction;
    }
    return warnings->count < WARNINGS_MAX;
}

static void acknowledge_warnings(struct order *order)
{
    struct house *house = order->house;
    struct warnings warnings = {.count = 0};
    sanctions_for_each(house, order->conn->person, collect_warning, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        sanction_end_and_tell(house, &warnings.found[i], order_requester_name(order), NULL);
    }
    order_add_line(order, "%s", _("Thank you for reading that."));
}

static void run_sanctions_command(struct order *order)
{
    struct house *house = order->house;
    struct person *person = order->conn->person;
    if (person == NULL) {
        order_refuse(order, "bad", "%s", _("Nothing is ever in force against the owner."));
        return;
    }
    if (strcmp(order->word, "ok") == 0) {
        acknowledge_warnings(order);
        return;
    }
    order->data = json_array();
    if (person->account != 0) {
        stored_or_fail(house, storage_sanctions_of_account(house->storage, person->account,
                                                           add_own_sanction, order));
        sources_for_each_following_person(house, person, add_own_sanction, order);
    } else {
        sanctions_for_each(house, person, add_own_sanction, order);
    }
    if (json_array_size(order->data) == 0) {
        order_add_line(order, "%s", _("Nothing is in force against you, nor ever was."));
    } else {
        order_add_line(order, "%s", sanction_appeal_hint());
    }
}

const struct mod_command mod_command_sanctions = {
    .parts = {PART_WORD_MAYBE},
    .flags = MOD_OWN,
    .run = run_sanctions_command,
};
