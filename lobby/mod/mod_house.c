#include "lobby/mod/mod.h"

#include "lobby/accounts/accounts.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"
#include "storage/mod/mod.h"

#include <stdio.h>
#include <string.h>

/* Rules of the house that stay in force until staff change them. */

static const struct policy_words {
    const char *unknown; /* the refusal when a policy has no such value */
    struct {
        const char *name, *words;
    } values[3];
} policy_words[] = {
    [POLICY_REGISTRATION] =
        {
            N_("Registration is open, hold or closed: say which."),
            {
                {"open", N_("Registration is open: anybody may make an account.")},
                {"hold", N_("New accounts are held: they play, and talk once released.")},
                {"closed", N_("Registration is closed: strangers come in as guests only.")},
            },
        },
    [POLICY_GUESTS] =
        {
            N_("Say what guests may do: yes, play-only or no."),
            {
                {"yes", N_("Guests may come in, play and talk.")},
                {"play-only", N_("Guests may come in and play, but cannot talk.")},
                {"no", N_("No guests are let in. Those who are here stay, but cannot talk.")},
            },
        },
};

void mod_run_policy(struct order *order)
{
    struct house *house = order->house;
    const enum policy policy = order->command->kind;
    const struct policy_words *words = &policy_words[policy];
    if (order->word[0] == '\0') {
        order->flags |= MOD_READS;
    } else {
        order->before = json_pack("{s:s}", "state", policy_value(house, policy));
        if (!mod_require_rank(order, RANK_ADMIN)) {
            return;
        }
        if (!policy_set(house, order->conn, policy, order->word)) {
            order_refuse(order, "bad", "%s", words->unknown);
            return;
        }
    }
    order->data = json_pack("{s:s}", "state", policy_value(house, policy));
    for (size_t i = 0; i < ARRAY_LEN(words->values); i++) {
        if (policy_has_value(house, policy, words->values[i].name)) {
            order_add_line(order, "%s", words->values[i].words);
        }
    }
}

/* Finds the name under which a command or game can be disabled; NULL when it cannot be. */
static const char *find_command_or_game_to_disable(const char *word)
{
    const struct mod_command_info *command = mod_command_info_find(word);
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

void mod_run_disable_or_enable(struct order *order)
{
    const char *name = find_command_or_game_to_disable(order->word);
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", order->word);
    if (name == NULL) {
        order_refuse(order, "unknown", _("%s is neither a game nor a command of players."),
                     order->word);
        return;
    }
    disabled_set(order->house, name, order->command->kind != 0);
    order_add_sentence(order, json_pack("[s,s]", order->command->said, order->word));
}

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

void mod_run_stats(struct order *order)
{
    struct house *house = order->house;
    const struct table *table = NULL;
    int64_t playing = 0, reports = 0, sanctions = 0, rows = 0;
    INDEX_EACH(&tables_of(house)->by_id, table)
    {
        playing += table_is_playing(table);
    }
    stored_or_fail(house, storage_reports_list_open(house->storage, count_report, &reports));
    stored_or_fail(house, storage_sanctions_list_in_force(house->storage, STORAGE_SANCTION_ALL,
                                                          count_sanction, &sanctions));
    stored_or_fail(house, storage_audit_read_next_id(house->storage, &rows));
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
        order_add_line(order, "%p: %lld", say_word_argument(figures[i].words),
                       (long long)figures[i].value);
        (void)json_object_set_new(order->data, figures[i].name, json_integer(figures[i].value));
    }
}
