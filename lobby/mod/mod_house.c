#include "lobby/mod/mod_line.h"

#include "lobby/accounts/guests.h"
#include "lobby/accounts/newcomers.h"
#include "lobby/house/messages.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/disabled.h"
#include "lobby/tables/tables.h"
#include "storage/mod/audit.h"
#include "storage/mod/reports.h"
#include "storage/mod/rules.h"

#include <stdio.h>
#include <string.h>

/* Rules of the house that stay until they are changed. */

static void run_registration_command(struct order *order)
{
    struct house *house = order->house;
    if (order->word[0] == '\0') {
        order->flags |= MOD_READS;
    } else {
        order->before = json_pack("{s:s}", "state", newcomers_policy_name(house));
        if (!mod_require_rank(order, RANK_ADMIN)) {
            return;
        }
        if (!newcomers_set_policy(house, order->conn, order->word)) {
            order_refuse(order, "bad", "%s", _("Registration is open, hold or closed: say which."));
            return;
        }
    }
    const char *now = newcomers_policy_name(house);
    order->data = json_pack("{s:s}", "state", now);
    if (strcmp(now, "closed") == 0) {
        order_add_line(order, "%s", _("Registration is closed: strangers come in as guests only."));
    } else if (strcmp(now, "hold") == 0) {
        order_add_line(order, "%s", _("New accounts are held: they play, and talk once released."));
    } else {
        order_add_line(order, "%s", _("Registration is open: anybody may make an account."));
    }
}

const struct mod_command mod_command_registration = {
    .parts = {PART_WORD_MAYBE},
    .run = run_registration_command,
};

static void run_guests_command(struct order *order)
{
    struct house *house = order->house;
    if (order->word[0] == '\0') {
        order->flags |= MOD_READS;
    } else {
        order->before = json_pack("{s:s}", "state", guests_policy_name(house));
        if (!mod_require_rank(order, RANK_ADMIN)) {
            return;
        }
        if (!guests_set_policy(house, order->conn, order->word)) {
            order_refuse(order, "bad", "%s", _("Say what guests may do: yes, play-only or no."));
            return;
        }
    }
    order->data = json_pack("{s:s}", "state", guests_policy_name(house));
    switch (guests_policy(house)) {
    case GUESTS_HEARD:
        order_add_line(order, "%s", _("Guests may come in, play and talk."));
        break;
    case GUESTS_PLAY_ONLY:
        order_add_line(order, "%s", _("Guests may come in and play, but cannot talk."));
        break;
    case GUESTS_NONE:
        order_add_line(order, "%s",
                       _("No guests are let in. Those who are here stay, but cannot talk."));
        break;
    }
}

const struct mod_command mod_command_guests = {
    .parts = {PART_WORD_MAYBE},
    .run = run_guests_command,
};

/* The name under which a command or game is disabled; NULL when it cannot be. */
static const char *find_name_to_disable(const char *word)
{
    const struct mod_command_words *command = mod_command_words_find(word);
    const struct game_def *game = game_find(word);
    const char *type = message_type_of_command(word);
    if (type != NULL) {
        return type;
    }
    if (game != NULL) {
        return game->id;
    }
    return command != NULL && command->rank < RANK_MOD ? command->name : NULL;
}

static void disable_or_enable(struct order *order, bool is_off)
{
    const char *name = find_name_to_disable(order->word);
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", order->word);
    if (name == NULL) {
        order_refuse(order, "unknown", _("%s is neither a game nor a command of players."),
                     order->word);
        return;
    }
    disabled_set(order->house, name, is_off);
    if (is_off) {
        order_add_line(order, _("%s is off for players."), order->word);
    } else {
        order_add_line(order, _("%s is on again."), order->word);
    }
}

static void run_disable_command(struct order *order)
{
    disable_or_enable(order, true);
}

const struct mod_command mod_command_disable = {
    .parts = {PART_WORD, PART_REASON_MAYBE},
    .run = run_disable_command,
};

static void run_enable_command(struct order *order)
{
    disable_or_enable(order, false);
}

const struct mod_command mod_command_enable = {
    .parts = {PART_WORD},
    .run = run_enable_command,
};

static bool count_report(void *context, UNUSED const struct storage_report *report)
{
    ++*(int64_t *)context;
    return true;
}

static bool count_sanction(void *context, UNUSED const struct storage_sanction *sanction)
{
    ++*(int64_t *)context;
    return true;
}

static void run_stats_command(struct order *order)
{
    struct house *house = order->house;
    const struct table *table = NULL;
    int64_t playing = 0, reports = 0, sanctions = 0, rows = 0;
    INDEX_EACH(&tables_of(house)->by_id, table)
    {
        playing += table_is_playing(table);
    }
    stored_or_fail(house, storage_reports_list_open(house->storage, count_report, &reports));
    stored_or_fail(house, storage_sanctions_in_force(house->storage, STORAGE_SANCTION_ALL,
                                                     count_sanction, &sanctions));
    stored_or_fail(house, storage_audit_next(house->storage, &rows));
    const struct figure {
        const char *name, *words;
        int64_t value;
    } figures[] = {
        {"people", N_("People in the house"), (int64_t)index_count(&persons_of(house)->by_name)},
        {"connections", N_("Connections"), (int64_t)index_count(&house->conns)},
        {"tables", N_("Tables"), (int64_t)index_count(&tables_of(house)->by_id)},
        {"playing", N_("Running games"), playing},
        {"reports", N_("Open reports and appeals"), reports},
        {"sanctions", N_("Sanctions in force"), sanctions},
        {"audit", N_("Rows of the audit log"), rows - 1},
    };
    order->data = json_object();
    for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
        order_add_line(order, "%p: %lld", say_translated(figures[i].words),
                       (long long)figures[i].value);
        (void)json_object_set_new(order->data, figures[i].name, json_integer(figures[i].value));
    }
}

const struct mod_command mod_command_stats = {
    .flags = MOD_READS,
    .run = run_stats_command,
};
