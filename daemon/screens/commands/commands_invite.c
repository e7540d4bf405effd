#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"
#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Commands about who may sit down at a table: invitations, the host's conditions, and why a player
 * is not eligible. */

#define PLAYERS_USUAL 4
#define REST_BYTES 200

static void accept_invitation(struct ui *ui)
{
    const struct model *model = screen_model(ui);
    if (!model_is_invited(model, screen_now_ms(ui))) {
        screen_warn(ui, "%s", _("You have no invitation now: an invitation lasts five minutes."));
        return;
    }
    visit_table(ui, model->invite.table, true);
}

const struct command accept_command = {
    .name = "accept",
    .help = N_("Sit down at the table you are invited to."),
    .act = accept_invitation,
};

const struct command decline_command = {
    .name = "decline",
    .help = N_("Decline an invitation to a table."),
    .request = "decline",
};

static void restrict_who_may_sit(struct ui *ui, const char *args)
{
    struct eligibility rule;
    if (args[0] == '\0' || !eligibility_parse(args, &rule)) {
        screen_warn(ui, "%s",
                    _("Say who may sit down: /only rating 1400-1700 finished 80%, or /only all"));
        return;
    }
    bool has_conditions = eligibility_has_conditions(&rule);
    screen_send_and_show_notice(
        ui, "table_set", json_pack("{s:o}", "fit", eligibility_to_json(&rule)),
        has_conditions ? N_("Set: only players who meet your conditions can see the table.")
                       : N_("Set: everybody can see the table and sit down."));
}

static const char *const only_words[] = {"rating", "finished", "all", NULL};

const struct command only_command = {
    .name = "only",
    .args = N_("[rating 1400-1700] [finished 80%]|all"),
    .help = N_("Say who may sit down at your table. By rating in its game and by games played to "
               "the end: /only rating 1400-1700 finished 80%, or /only all"),
    .where = COMMAND_AT_TABLE,
    .words = only_words,
    .run = restrict_who_may_sit,
};

static void enter_opened_table(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                               const json_t *answer)
{
    screen_open(ui, "table", model_read_number(json_object_get(answer, "table"), 0));
}

/* Reads "clock 30s" into *rule and removes it from the words; false if the clock is invalid. */
static bool take_clock_from_words(char *words, struct clock_rule *rule)
{
    char clock[REST_BYTES];
    char *at = strstr(words, "clock ");
    if (at == NULL) {
        return true;
    }
    const char *rest = command_read_word(at + strlen("clock "), clock, sizeof clock);
    memmove(at, rest, strlen(rest) + 1);
    size_t len = strlen(words);
    while (len > 0 && words[len - 1] == ' ') {
        words[--len] = '\0';
    }
    return clock_rule_parse(clock, rule);
}

/* Converts "GAME 4 rating 1400-1700 finished 80% clock 30s" to the fields of the request
 * `table_open`; NULL if the text is invalid. */
static json_t *read_seek_arguments(const char *args)
{
    char word[MODEL_NAME_MAX], words[REST_BYTES];
    struct clock_rule clock = {.kind = CLOCK_NONE};
    struct eligibility fit = {0};
    const char *rest = command_read_word(args, word, sizeof word);
    const struct game_def *game = game_find(word);
    if (game == NULL || strlen(rest) >= sizeof words) {
        return NULL;
    }
    int players = PLAYERS_USUAL > game->seats_max ? game->seats_max : PLAYERS_USUAL;
    players = players < game->seats_min ? game->seats_min : players;
    if (rest[0] >= '0' && rest[0] <= '9') {
        rest = command_read_word(rest, word, sizeof word);
        players = (int)strtol(word, NULL, 10);
    }
    snprintf(words, sizeof words, "%s", rest);
    if (players < game->seats_min || players > game->seats_max ||
        !take_clock_from_words(words, &clock) ||
        (words[0] != '\0' && !eligibility_parse(words, &fit))) {
        return NULL;
    }
    struct game_config config = game_config_default(game, (uint8_t)players);
    return json_pack("{s:s, s:i, s:o, s:o, s:o}", "game", game->id, "players", players, "options",
                     config_to_json(game, &config), "clock", clock_rule_to_json(&clock), "fit",
                     eligibility_to_json(&fit));
}

static void run_seek_command(struct ui *ui, const char *args)
{
    json_t *fields = read_seek_arguments(args);
    if (fields == NULL) {
        screen_warn(ui,
                    _("Say which game, how many players, and on which conditions: /seek %s 4 "
                      "rating 1400-1700 finished 80%% clock 30s"),
                    game_at(0)->id);
        return;
    }
    screen_send_and_handle_success(ui, "table_open", fields, enter_opened_table, 0);
}

static const char *const seek_more[] = {"rating", "finished", "clock", "30s", "10m+5s", "2d", NULL};

const struct command seek_command = {
    .name = "seek",
    .args = N_("game [players] [rating 1400-1700] [finished 80%] [clock 30s]"),
    .help = N_("Look for players: open a table with conditions for them. After the game's name you "
               "may add: 4 rating 1400-1700 finished 80% clock 30s."),
    .completes = COMPLETE_GAMES,
    .more = seek_more,
    .run = run_seek_command,
};

static void show_refusal_reason(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                const json_t *answer)
{
    char why[MODEL_TEXT_MAX];
    model_read_sentence(answer, "why", why, sizeof why);
    screen_inform(ui, "%s", why);
}

/* Explains why one may not sit at a table; without a number, repeats the last refusal. */
static void run_why_command(struct ui *ui, const char *args)
{
    long long table = strtoll(args + (args[0] == '#' ? 1 : 0), NULL, 10);
    if (args[0] == '\0') {
        if (screen_get_last_warning(ui)[0] == '\0') {
            screen_inform(ui, "%s",
                          _("No request of yours was refused. To ask about a table: /why 7"));
        } else {
            screen_add_chat_line(ui, "%s", screen_get_last_warning(ui));
        }
    } else if (table <= 0) {
        screen_warn(ui, "%s", _("Say which table: /why 7"));
    } else {
        screen_send_and_handle_success(ui, "why", json_pack("{s:I}", "table", (json_int_t)table),
                                       show_refusal_reason, 0);
    }
}

const struct command why_command = {
    .name = "why",
    .args = N_("[table]"),
    .help = N_("Explain why you cannot sit at a table, and what would help. As in: /why 7; /why "
               "alone explains the last refusal."),
    .completes = COMPLETE_TABLES,
    .run = run_why_command,
};
