#pragma once

#include "games/game.h"
#include "lobby/protocol/clock_rule.h"
#include "lobby/protocol/watch_rule.h"

#include <stdint.h>

/* A table's settings as people read them. */

/* The value at that index of an option: its title, or its word or number. */
void option_write(const struct option_def *option, uint8_t index, struct text *out);

/* The clocks that are offered to choose from; any other may be typed. NULL past the last; an index
 * past the last for one that is not among them. */
#define OPTION_CLOCKS 14
const struct clock_rule *option_clock_at(size_t index);
size_t option_clock_index(const struct clock_rule *clock);

/* "30 seconds a move", "10 minutes in all, 5 seconds more after each move", "2 days a move". */
void option_clock_write(const struct clock_rule *clock, struct text *out);

/* "everybody, 10 moves behind; players do not hear watchers". */
void option_watch_write(const struct watch_rule *watch, struct text *out);

/* The other way round, for what is typed: by name or the beginning of one, in either case. -1: no
 * game, or no value of the option, is called so. */
int option_game_read(const char *text);
int option_read(const struct option_def *option, const char *text);
