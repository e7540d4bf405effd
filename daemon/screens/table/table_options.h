#pragma once

#include "games/game.h"
#include "lobby/protocol/clock_rule.h"
#include "lobby/protocol/eligibility.h"
#include "lobby/protocol/watch_rule.h"

#include <stdint.h>

/* A table's settings as texts for people. */

/* The value at that index of an option: its title, or its word or number. */
void option_write(const struct option_def *option, uint8_t index, struct text *out);

/* The clocks offered; any other may be typed. NULL after the last; an index after the last stands
 * for a clock that is not among them. */
size_t option_clock_count(void);
const struct clock_rule *option_clock_at(size_t index);
size_t option_clock_index(const struct clock_rule *clock);

/* "30 seconds a move", "10 minutes in all, 5 seconds more after each move", "2 days a move". */
void option_clock_write(const struct clock_rule *clock, struct text *out);

/* "everybody, 10 moves behind; players do not hear watchers". */
void option_watch_write(const struct watch_rule *watch, struct text *out);

/* "all", "rating 1400-1700", "finished 80%". */
void option_fit_write(const struct eligibility *fit, struct text *out);

/* Reads a typed value: its name or the beginning of one, in either case. -1: no game, or no value
 * of the option, has that name. */
int option_game_read(const char *text);
int option_read(const struct option_def *option, const char *text);
