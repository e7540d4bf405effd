#include "tests/games/property.h"

#include "tests/environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Changes the options to their next combination, as an odometer counts. Returns
 * false after the last one. */
static bool set_next_options(const struct game_def *game, struct game_config *config)
{
    for (uint8_t i = 0; i < game->option_count; i++) {
        config->options[i]++;
        if (config->options[i] < game->options[i].value_count) {
            return true;
        }
        config->options[i] = 0;
    }
    return false;
}

/* Changes the config to the next valid one. Returns false after the last one. */
static bool set_next_config(const struct game_def *game, struct game_config *config)
{
    do {
        if (!set_next_options(game, config)) {
            if (config->players == game->seats_max) {
                return false;
            }
            *config = game_config_default(game, (uint8_t)(config->players + 1));
        }
    } while (game_config_check(game, config) != GAME_OK);
    return true;
}

static bool make_first_config(const struct game_def *game, struct game_config *config)
{
    *config = game_config_default(game, game->seats_min);
    return game_config_check(game, config) == GAME_OK || set_next_config(game, config);
}

static void run_trial(struct trial *trial, trial_check *check, uint64_t trial_number)
{
    quick_random_init(&trial->random, trial_number);
    for (unsigned i = 0; i < SEED_BYTES; i++) {
        trial->seed[i] = (uint8_t)quick_random_draw_below(&trial->random, 256);
    }
    trial->seats = game_seats(trial->game, &trial->config);
    trial_start(trial, NULL);
    check(trial);
}

/* Returns the number of games to play with each config: `games` or, if PROPERTY_GAMES is set, that
 * number divided by the number of configs. */
static unsigned count_games_per_config(const struct game_def *game, unsigned games)
{
    const char *wanted = getenv("PROPERTY_GAMES");
    if (wanted == NULL) {
        return games;
    }
    unsigned set_ups = 0;
    struct game_config config;
    for (bool more = make_first_config(game, &config); more;
         more = set_next_config(game, &config)) {
        set_ups++;
    }
    return ((unsigned)strtoul(wanted, NULL, 10) + set_ups - 1) / set_ups;
}

void property_run_check(trial_check *check, unsigned games)
{
    static struct trial trial;
    uint64_t number = 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        trial.game = game_at(i);
        unsigned count = count_games_per_config(trial.game, games);
        bool more = make_first_config(trial.game, &trial.config);
        for (uint64_t config = 0; more; more = set_next_config(trial.game, &trial.config)) {
            if (!environment_tries(config++)) {
                continue;
            }
            for (unsigned j = 0; j < count; j++) {
                run_trial(&trial, check, ++number);
            }
        }
    }
    assert_true(number > 0);
}

bool trial_draw_yes_or_no(struct trial *trial, uint32_t one_in)
{
    uint32_t rarely = getenv("PROPERTY_GAMES") == NULL ? 1 : 8;
    return quick_random_draw_below(&trial->random, one_in * rarely) == 0;
}

void trial_expect(const struct trial *trial, bool is_true, const char *property)
{
    if (is_true) {
        return;
    }
    char buffer[256];
    struct text text = text_init(buffer, sizeof(buffer));
    text_put(&text, trial->game->id);
    text_put_char(&text, ' ');
    text_put_number(&text, trial->config.players);
    text_put_char(&text, ' ');
    game_config_write(trial->game, &trial->config, &text);
    text_put_char(&text, ' ');
    text_put_hex(&text, trial->seed, SEED_BYTES);
    fail_msg("%s: %s", property, buffer);
}

void trial_start(struct trial *trial, const struct game_log *log)
{
    assert_int_equal(game_start(trial->game, &trial->config, trial->seed, &trial->state, log),
                     GAME_OK);
}

bool trial_choose_seat(struct trial *trial, uint8_t *seat)
{
    uint8_t to_act = game_seats_to_act(&trial->state);
    if (to_act == 0) {
        return false;
    }
    do {
        *seat = (uint8_t)quick_random_draw_below(&trial->random, trial->seats);
    } while ((to_act >> *seat & 1) == 0);
    return true;
}

uint8_t trial_choose_move(struct trial *trial, uint8_t seat)
{
    struct move_set moves;
    game_find_legal_moves(trial->game, &trial->state, seat, &moves);
    uint8_t count = move_set_count(&moves);
    assert_true(count > 0);
    return move_set_nth(&moves, (uint8_t)quick_random_draw_below(&trial->random, count));
}

void trial_make_move(struct trial *trial, uint8_t seat, uint8_t move, const struct game_log *log)
{
    enum game_result result = game_apply(trial->game, &trial->state, seat, move, log);
    trial_expect(trial, result == GAME_OK, "a legal move is accepted");
}

void trial_finish(struct trial *trial, const struct game_log *log)
{
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        trial_make_move(trial, seat, trial_choose_move(trial, seat), log);
    }
}

void trial_write_view(const struct game_view *view, char *buffer)
{
    struct text text = text_init(buffer, VIEW_TEXT_MAX);
    view_write(view, &text);
    assert_false(text.is_cut);
}
