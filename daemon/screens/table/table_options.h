#pragma once

#include "daemon/screens/model/model.h"

#include <stdint.h>

/* A table's settings as texts for people. The functions that write a text append it to `out` and
 * return all of `out`. */

/* Writes the option's value at that index: the value's title; if it has none, its word or
 * number. */
const char *option_write_value(const struct option_def *option, uint8_t index, struct text *out);

/* The clocks offered when a table is set up; people may type any other clock.
 * option_offered_clock_at returns NULL after the last offered clock. option_index_of_clock returns
 * the number of offered clocks for a clock that is not offered. */
size_t option_offered_clock_count(void);
const struct clock_rule *option_offered_clock_at(size_t index);
size_t option_index_of_clock(const struct clock_rule *clock);

/* Writes "30 seconds a move", "10 minutes in all, 5 seconds more after each move" or the like. */
const char *option_write_clock(const struct clock_rule *clock, struct text *out);

/* Writes who may watch: "everybody, 10 moves behind; the players do not hear them". */
const char *option_write_watching(const struct watch_rule *watch, struct text *out);

/* Writes who may sit down: "all", "rating 1400-1700", "finished 80%". */
const char *option_write_eligibility(const struct eligibility *eligibility, struct text *out);

/* All settings of a table, in the order in which they are shown. */
#define OPTION_SETTINGS_MAX (GAME_OPTIONS_MAX + 5)

struct option_settings {
    uint8_t count;
    struct option_setting {
        const char *label;
        struct text value;
        char bytes[400]; /* memory that holds the text of `value` */
    } at[OPTION_SETTINGS_MAX];
};
void option_list_settings(const struct model_entered *entered, struct option_settings *out);

/* Returns the index of a game in the registry. */
uint8_t option_game_index(const struct game_def *game);

/* Returns the game's default options for that number of players, or for the nearest possible
 * number. */
struct game_config option_default_config(const struct game_def *game, uint8_t player_count);

/* Finds a game, or a value of an option, by its typed name or the beginning of its name. Ignores
 * case. Returns -1 if there is none. */
int option_find_game(const char *typed_name);
int option_find_value(const struct option_def *option, const char *typed_name);
