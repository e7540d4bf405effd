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

/* Warnings, mutes and suspensions; and the commands that show people the sanctions in force against
 * them. */

#define WARN_GUEST_MS (7 * INT64_C(86400000))

/* A warning of a guest expires, since the person behind the name may never come back to read it. */
static void warn_run(struct order *order)
{
    order->duration_ms = order->target.kind == TARGET_GUEST ? WARN_GUEST_MS : 0;
    (void)sanction_begin(order, STORAGE_SANCTION_WARN, 0);
    order_say(order, _("%s is warned: %s"), order->target.name, order->reason);
}

const struct mod_command mod_command_warn = {
    .parts = {PART_TARGET, PART_REASON},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .run = warn_run,
};

static uint32_t scopes_read(struct order *order)
{
    static const char *const names[] = {"lobby", "table", "pm"};
    const char *scope = order_option(order, "scope");
    (void)snprintf(order->scope, sizeof(order->scope), "%.30s", scope == NULL ? "all" : scope);
    if (strcmp(order->scope, "all") == 0) {
        return SANCTION_SCOPES_ALL;
    }
    for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
        if (strcmp(order->scope, names[i]) == 0) {
            return 1U << i;
        }
    }
    order_no(order, "bad", _("There is no scope %s: lobby, table, pm or all."), order->scope);
    return 0;
}

static void mute_run(struct order *order)
{
    uint32_t scopes = scopes_read(order);
    if (scopes != 0) {
        (void)sanction_begin(order, STORAGE_SANCTION_MUTE, scopes);
        order_say(order, _("%s is muted, %p: %s"), order->target.name, say_span(order->duration_ms),
                  order->reason);
    }
}

const struct mod_command mod_command_mute = {
    .parts = {PART_TARGET, PART_TIME, PART_REASON},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .options = {"scope"},
    .run = mute_run,
};

static void unmute_run(struct order *order)
{
    if (sanction_lift(order, STORAGE_SANCTION_MUTE)) {
        order_say(order, _("%s may talk again."), order->target.name);
    }
}

const struct mod_command mod_command_unmute = {
    .parts = {PART_TARGET, PART_REASON_MAYBE},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .run = unmute_run,
};

static void suspend_run(struct order *order)
{
    (void)sanction_begin(order, STORAGE_SANCTION_SUSPEND, 0);
    order_say(order, _("%s may not sit down, %p: %s"), order->target.name,
              say_span(order->duration_ms), order->reason);
    sanction_stand_up(order);
}

const struct mod_command mod_command_suspend = {
    .parts = {PART_TARGET, PART_TIME, PART_REASON},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .run = suspend_run,
};

static void unsuspend_run(struct order *order)
{
    if (sanction_lift(order, STORAGE_SANCTION_SUSPEND)) {
        order_say(order, _("%s may sit again."), order->target.name);
    }
}

const struct mod_command mod_command_unsuspend = {
    .parts = {PART_TARGET, PART_REASON_MAYBE},
    .targets = TARGET_ANYBODY,
    .flags = MOD_AGAINST,
    .run = unsuspend_run,
};

static void rankban_run(struct order *order)
{
    (void)sanction_begin(order, STORAGE_SANCTION_RANKBAN, 0);
    order_say(order, _("%s plays unrated, %p: %s"), order->target.name,
              say_span(order->duration_ms), order->reason);
}

const struct mod_command mod_command_rankban = {
    .parts = {PART_TARGET, PART_TIME, PART_REASON},
    .targets = TARGET_USER,
    .flags = MOD_AGAINST,
    .run = rankban_run,
};

static void unrankban_run(struct order *order)
{
    if (sanction_lift(order, STORAGE_SANCTION_RANKBAN)) {
        order_say(order, _("%s plays rated games again."), order->target.name);
    }
}

const struct mod_command mod_command_unrankban = {
    .parts = {PART_TARGET, PART_REASON_MAYBE},
    .targets = TARGET_USER,
    .flags = MOD_AGAINST,
    .run = unrankban_run,
};

static bool say_sanction(void *context, const struct storage_sanction *sanction)
{
    struct order *order = context;
    order_say(order, sanction->ended_ms == 0 ? "%lld · %p" : _("%lld · over · %p"),
              (long long)sanction->id, say_inner(sanction_say(sanction)));
    (void)json_array_append_new(order->data, sanction_json(sanction, false));
    return json_array_size(order->data) < SANCTIONS_SHOWN_MAX;
}

#define WARNINGS_MAX 8 /* read at once */

struct warnings {
    struct storage_sanction found[WARNINGS_MAX];
    size_t count;
};

static bool acknowledge(void *context, const struct storage_sanction *sanction)
{
    struct warnings *warnings = context;
    if (sanction->kind == STORAGE_SANCTION_WARN) {
        warnings->found[warnings->count++] = *sanction;
    }
    return warnings->count < WARNINGS_MAX;
}

static void acknowledge_all(struct order *order)
{
    struct house *house = order->house;
    struct warnings warnings = {.count = 0};
    sanctions_each(house, order->conn->person, acknowledge, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        sanction_over(house, &warnings.found[i], order_actor(order), NULL);
    }
    order_say(order, "%s", _("Thank you for reading that."));
}

static void sanctions_run(struct order *order)
{
    struct house *house = order->house;
    struct person *person = order->conn->person;
    if (person == NULL) {
        order_no(order, "bad", "%s", _("Nothing is ever in force against the owner."));
        return;
    }
    if (strcmp(order->word, "ok") == 0) {
        acknowledge_all(order);
        return;
    }
    order->data = json_array();
    if (person->account != 0) {
        stored_or_fail(house,
                       storage_sanctions_of(house->storage, person->account, say_sanction, order));
        sources_each_of_person(house, person, say_sanction, order);
    } else {
        sanctions_each(house, person, say_sanction, order);
    }
    if (json_array_size(order->data) == 0) {
        order_say(order, "%s", _("Nothing is in force against you, nor ever was."));
    } else {
        order_say(order, "%s", sanction_appeal_words());
    }
}

const struct mod_command mod_command_sanctions = {
    .parts = {PART_WORD_MAYBE},
    .flags = MOD_OWN,
    .run = sanctions_run,
};
