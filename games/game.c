#include "games/game.h"

#include <assert.h>
#include <string.h>

static const struct game_def *const games[] = {
#define GAME(name) &(name),
#include "games/games.def"
#undef GAME
};

static bool game_texts_equal(const char *a, const char *b)
{
    size_t size = strlen(a) + 1;
    return size == strlen(b) + 1 && memcmp(a, b, size) == 0;
}

uint8_t game_count(void)
{
    return (uint8_t)ARRAY_LEN(games);
}

const struct game_def *game_at(uint8_t index)
{
    return index < ARRAY_LEN(games) ? games[index] : NULL;
}

const struct game_def *game_find(const char *id)
{
    for (size_t i = 0; i < ARRAY_LEN(games); i++) {
        if (game_texts_equal(games[i]->id, id)) {
            return games[i];
        }
    }
    return NULL;
}

uint8_t game_seats(const struct game_def *game, const struct game_config *config)
{
    return config->players < game->seats_filled ? game->seats_filled : config->players;
}

struct game_config game_config_default(const struct game_def *game, uint8_t players)
{
    (void)game; /* game_config_default relies on this: index 0 is every option's default value */
    return (struct game_config){.players = players};
}

bool game_option_applies(const struct game_def *game, const struct game_config *config,
                         const struct option_def *option)
{
    for (uint8_t i = 0; option->needs != NULL && i < game->option_count; i++) {
        if (game_texts_equal(game->options[i].key, option->needs)) {
            return config->options[i] != 0;
        }
    }
    return true;
}

void game_config_reset_unused_options(const struct game_def *game, struct game_config *config)
{
    for (uint8_t i = 0; i < game->option_count; i++) {
        if (!game_option_applies(game, config, &game->options[i])) {
            config->options[i] = 0;
        }
    }
}

struct game_config game_config_short(const struct game_def *game)
{
    struct game_config config = game_config_default(game, game->short_form.players);
    memcpy(config.options, game->short_form.options, sizeof(config.options));
    return config;
}

enum game_result game_config_check(const struct game_def *game, const struct game_config *config)
{
    if (config->players < game->seats_min || config->players > game->seats_max) {
        return GAME_BAD_CONFIG;
    }
    for (uint8_t i = 0; i < GAME_OPTIONS_MAX; i++) {
        uint8_t values = i < game->option_count ? game->options[i].value_count : 1;
        if (config->options[i] >= values) {
            return GAME_BAD_CONFIG;
        }
    }
    struct game_config settled = *config;
    game_config_reset_unused_options(game, &settled);
    return memcmp(settled.options, config->options, sizeof(settled.options)) == 0 ? GAME_OK
                                                                                  : GAME_BAD_CONFIG;
}

/* Appends the value as histories write it; a word has no quotes. */
static void write_option_value(const struct option_def *option, const struct option_value *value,
                               struct text *out)
{
    switch ((enum option_type)option->type) {
    case OPTION_WORD:
        text_put(out, value->word);
        break;
    case OPTION_SWITCH:
        text_put(out, value->number != 0 ? "true" : "false");
        break;
    case OPTION_NUMBER:
        text_put_number(out, value->number);
        break;
    }
}

/* The index of the option's value that histories write as `value`; value_count when there is
 * none. */
static uint8_t find_option_value(const struct option_def *option, const char *value)
{
    uint8_t index = 0;
    for (; index < option->value_count; index++) {
        char buffer[FIELD_TEXT_MAX];
        struct text text = text_init(buffer, sizeof(buffer));
        write_option_value(option, &option->values[index], &text);
        if (game_texts_equal(buffer, value)) {
            break;
        }
    }
    return index;
}

bool game_config_set(const struct game_def *game, struct game_config *config, const char *key,
                     const char *value)
{
    for (uint8_t i = 0; i < game->option_count; i++) {
        if (!game_texts_equal(game->options[i].key, key)) {
            continue;
        }
        uint8_t index = find_option_value(&game->options[i], value);
        if (index < game->options[i].value_count) {
            config->options[i] = index;
            return true;
        }
    }
    return false;
}

void game_config_write(const struct game_def *game, const struct game_config *config,
                       struct text *out)
{
    text_put_char(out, '{');
    for (uint8_t i = 0; i < game->option_count; i++) {
        const struct option_def *option = &game->options[i];
        const char *quote = option->type == OPTION_WORD ? "\"" : "";
        text_put(out, i > 0 ? "," : "");
        text_put_json(out, option->key);
        text_put_char(out, ':');
        text_put(out, quote);
        write_option_value(option, &option->values[config->options[i]], out);
        text_put(out, quote);
    }
    text_put_char(out, '}');
}

enum game_result game_start(const struct game_def *game, const struct game_config *config,
                            const uint8_t seed[SEED_BYTES], struct game_state *state,
                            const struct game_log *log)
{
    if (game_config_check(game, config) != GAME_OK) {
        return GAME_BAD_CONFIG;
    }
    assert(game->state_size <= sizeof(state->bytes));
    memset(state->bytes, 0, sizeof(state->bytes));
    game->start(state->bytes, config, seed, log);
    return GAME_OK;
}

uint8_t game_seats_to_act(const struct game_state *state)
{
    return ((const struct table_state *)(const void *)state->bytes)->to_act;
}

uint8_t game_find_first_leader(const struct game_def *game, const struct game_state *state)
{
    if (game->first_leader != NULL) {
        return game->first_leader(state);
    }
    uint8_t turn = game_seats_to_act(state);
    uint8_t seat = 0;
    while (seat + 1 < SEATS_MAX && (turn >> seat & 1) == 0) {
        seat++;
    }
    return seat;
}

void game_find_legal_moves(const struct game_def *game, const struct game_state *state,
                           uint8_t seat, struct move_set *moves)
{
    *moves = move_set_empty();
    if (seat < SEATS_MAX) {
        game->legal(state->bytes, seat, moves);
    }
}

enum game_result game_apply(const struct game_def *game, struct game_state *state, uint8_t seat,
                            uint8_t move, const struct game_log *log)
{
    return game->apply(state->bytes, seat, move, log);
}

void game_fill_view(const struct game_def *game, const struct game_state *state, int8_t seat,
                    struct game_view *view)
{
    assert(seat >= SPECTATOR && seat < SEATS_MAX);
    view_clear(view);
    view->game = game;
    view->seat = seat;
    game->view(state->bytes, seat, view);
    if (game->deck->copies > 1) {
        view_hide_copy_numbers(view);
    }
    if (view_viewer_may_move(view)) {
        game->legal(state->bytes, (uint8_t)seat, &view->legal);
    }
}

enum game_result game_sample_state(const struct game_view *view, const struct game_config *config,
                                   struct quick_random *random, struct game_state *state)
{
    if (game_config_check(view->game, config) != GAME_OK) {
        return GAME_BAD_CONFIG;
    }
    memset(state->bytes, 0, sizeof(state->bytes));
    return view->game->sample(view, config, random, state->bytes);
}

void game_fill_outcome(const struct game_def *game, const struct game_state *state,
                       struct game_outcome *outcome)
{
    memset(outcome, 0, offsetof(struct game_outcome, extra));
    fields_clear(&outcome->extra);
    game->score(state->bytes, outcome);
}

void game_move_write(const struct game_def *game, uint8_t move, struct text *out)
{
    game->move_write(move, out);
}

uint8_t game_move_parse(const struct game_def *game, const char *text)
{
    if (text[0] == '\0') {
        return MOVE_NONE;
    }
    for (uint8_t move = 0; move < MOVES_MAX; move++) {
        char buffer[MOVE_TEXT_MAX];
        struct text spelling = text_init(buffer, sizeof(buffer));
        game->move_write(move, &spelling);
        if (game_texts_equal(buffer, text)) {
            return move;
        }
    }
    return MOVE_NONE;
}

uint8_t policy_random_move(const struct game_view *view, UNUSED const struct game_config *config,
                           struct quick_random *random)
{
    uint8_t count = move_set_count(&view->legal);
    assert(count > 0);
    return move_set_nth(&view->legal, (uint8_t)quick_random_draw_below(random, count));
}
