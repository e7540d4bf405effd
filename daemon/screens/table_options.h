#ifndef DAEMON_SCREENS_TABLE_OPTIONS_H
#define DAEMON_SCREENS_TABLE_OPTIONS_H

#include "games/game.h"

#include <stdint.h>

/* A table's settings as people read them. */

/* The value at that index of an option: its title, or its word or number. */
void option_write(const struct option_def *option, uint8_t index, struct text *out);

/* "30 s a move", "none: a move takes as long as it takes". */
void option_clock_write(int32_t clock_s, struct text *out);

/* The other way round, for what is typed: by name or the beginning of one, in either case. -1: no
 * game, or no value of the option, is called so. */
int option_game_read(const char *text);
int option_read(const struct option_def *option, const char *text);

#endif
