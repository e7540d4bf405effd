#pragma once

#include "daemon/screens/model/model.h"

#include <stdint.h>

/* Writes a table's settings as text for people. The functions option_write_... append to `out` and
 * return the whole text of `out`. */

/* Writes the title of the option's value with that index; for a value without a title, its word or
 * number. */
const char *option_write_value(const struct option_def *option, uint8_t index, struct text *out);

/* The clocks that the set-up of a table offers; people may type any other clock.
 * option_get_offered_clock returns NULL if `index` is too large. option_find_clock_index returns
 * option_count_offered_clocks() for a clock that is not offered. */
size_t option_count_offered_clocks(void);
const struct clock_rule *option_get_offered_clock(size_t index);
size_t option_find_clock_index(const struct clock_rule *clock);

/* Writes "30 seconds a move", "10 minutes in all, 5 seconds more after each move" or the like. */
const char *option_write_clock(const struct clock_rule *clock, struct text *out);

/* Writes who may watch, for example "everybody, 10 moves behind; the players do not hear them". */
const char *option_write_watch_rule(const struct watch_rule *watch, struct text *out);

/* Writes who may sit down, for example "all", "rating 1400-1700" or "finished 80%". */
const char *option_write_eligibility(const struct eligibility *eligibility, struct text *out);

/* All settings of a table, in the order in which they are shown. */
#define OPTION_SETTINGS_MAX (GAME_OPTIONS_MAX + 6)

struct option_settings {
    uint8_t count;
    struct option_setting {
        const char *label;
        struct text value;
        char bytes[400]; /* memory that holds the text of `value` */
    } at[OPTION_SETTINGS_MAX];
};
void option_list_settings(const struct model_entered *entered, struct option_settings *out);

/* Return what the pace of a table or of a person means: "slow: bots wait longer, …". */
const char *option_describe_table_pace(enum pace pace);
const char *option_describe_own_pace(enum pace pace);

/* Returns the pace after (direction 1) or before (direction -1) this one, from quick to slow. */
enum pace option_next_pace(enum pace pace, int direction);

/* Returns the index of a game in the registry of all games. */
uint8_t option_find_game_index(const struct game_def *game);

/* Returns the game's default options for `player_count` players. If the game does not allow that
 * number, uses the nearest allowed number. */
struct game_config option_make_default_config(const struct game_def *game, uint8_t player_count);

/* Returns the index of the game, or of the option's value, whose name is typed_name or begins with
 * it, in capital or small letters; -1 if there is none. */
int option_find_game(const char *typed_name);
int option_find_value(const struct option_def *option, const char *typed_name);

/* Returns the game with this id or title, or else the only game whose id or title begins with the
 * text, in capital or small letters. NULL if there is none or more than one. */
const struct game_def *option_find_only_game(const char *typed_name);
