#include "daemon/screens/lobby/lobby.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAYERS_USUAL 4
#define TITLE_BYTES 64

const struct game_def *set_up_get_chosen_game(const struct set_up_state *state)
{
    return game_at(state->game);
}

void set_up_choose_clock(struct set_up_state *state, const struct clock_rule *clock)
{
    state->own_clock = *clock;
    state->clock = (uint8_t)option_find_clock_index(clock);
}

void set_up_choose_game(struct set_up_state *state, uint8_t index)
{
    uint8_t players = state->config.players != 0 ? state->config.players : PLAYERS_USUAL;
    state->game = index;
    state->config = option_make_default_config(set_up_get_chosen_game(state), players);
}

bool set_up_choose_player_count(struct set_up_state *state, int player_count)
{
    const struct game_def *game = set_up_get_chosen_game(state);
    bool is_possible = player_count >= game->seats_min && player_count <= game->seats_max;
    if (is_possible) {
        state->config.players = (uint8_t)player_count;
    }
    return is_possible;
}

void set_up_change_who_may_watch(struct set_up_state *state, int direction)
{
    static const struct watch_rule usual[] = {
        {.policy = WATCH_PUBLIC},  {.policy = WATCH_DELAY}, {.policy = WATCH_DELAY, .moves = 10},
        {.policy = WATCH_FRIENDS}, {.policy = WATCH_NONE},
    };
    int count = (int)ARRAY_LEN(usual);
    int next = 0; /* chooses the first rule if the current one is not in `usual` */
    for (int i = 0; i < count; i++) {
        bool is_current =
            usual[i].policy == state->watch.policy && usual[i].moves == state->watch.moves;
        next = is_current ? (i + direction + count) % count : next;
    }
    state->watch.policy = usual[next].policy;
    state->watch.moves = usual[next].moves;
}

/* Returns the number if the text is one whole number up to 86400; otherwise -1. */
static int parse_number(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    return end == text || *end != '\0' || number < 0 || number > 86400 ? -1 : (int)number;
}

/* Chooses the clock that a text names: as the command /clock takes it, or in seconds. False if the
 * text is invalid. */
static bool parse_and_choose_clock(struct set_up_state *state, const char *value)
{
    int seconds = parse_number(value);
    struct clock_rule rule = clock_rule_from_seconds(seconds < 0 ? 1 : (uint32_t)seconds);
    if (!clock_rule_parse(value, &rule) && !clock_rule_is_valid(&rule)) {
        return false;
    }
    set_up_choose_clock(state, &rule);
    state->is_clock_chosen = true;
    return true;
}

static bool parse_and_choose_option(struct set_up_state *state, int option, const char *value)
{
    const struct game_def *game = set_up_get_chosen_game(state);
    int index = option_find_value(&game->options[option], value);
    if (index >= 0) {
        state->config.options[option] = (uint8_t)index;
        game_config_reset_unused_options(game, &state->config);
    }
    return index >= 0;
}

static bool parse_and_choose_bot_level(struct set_up_state *state, const char *value)
{
    size_t level = row_value_of_word(&bot_level_words, value);
    bool is_usual = strcmp(value, "usual") == 0;
    if (!is_usual && (level == BOT_LEVEL_NONE || level >= bot_level_words.count)) {
        return false;
    }
    state->bots = is_usual ? BOT_LEVEL_NONE : (enum bot_level)level;
    return true;
}

const char *set_up_choose_game_from_words(struct set_up_state *state, const char *words,
                                          struct text *why)
{
    char title[TITLE_BYTES];
    snprintf(title, sizeof(title), "%s", words);
    char *last = strrchr(title, ' ');
    int players = last != NULL ? parse_number(last + 1) : -1;
    if (players >= 0) {
        *last = '\0';
    }
    int index = option_find_game(title);
    if (index < 0) {
        text_format(why, _("There is no game called %s here."), title);
        return why->at;
    }
    set_up_choose_game(state, (uint8_t)index);
    if (players >= 0 && !set_up_choose_player_count(state, players)) {
        const struct game_def *game = set_up_get_chosen_game(state);
        text_format(why, _("%s is for %u to %u players."), _(game->title), game->seats_min,
                    game->seats_max);
        return why->at;
    }
    state->config = game_config_default(set_up_get_chosen_game(state), state->config.players);
    return NULL;
}

bool set_up_set_row_value(struct set_up_state *state, int row, const char *value)
{
    int number = parse_number(value);
    switch (row) {
    case ROW_GAME:
        number = option_find_game(value);
        if (number >= 0) {
            set_up_choose_game(state, (uint8_t)number);
        }
        return number >= 0;
    case ROW_PLAYERS:
        return set_up_choose_player_count(state, number);
    case ROW_CLOCK:
        return parse_and_choose_clock(state, value);
    case ROW_PACE:
        return pace_from_word(value, &state->pace);
    case ROW_FIT:
        return eligibility_parse(value, &state->fit);
    case ROW_WATCH:
        return watch_rule_parse(value, &state->watch);
    case ROW_PASSWORD:
        snprintf(state->password, sizeof(state->password), "%s", value);
        return strlen(value) < sizeof(state->password);
    case ROW_BOTS:
        return parse_and_choose_bot_level(state, value);
    default:
        return parse_and_choose_option(state, row - ROW_OPTION, value);
    }
}
