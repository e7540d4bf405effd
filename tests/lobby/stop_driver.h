#pragma once

#include "games/game.h"
#include "tests/lobby/table_driver.h"

/* Games that stand at the stop between two rounds (lobby/play/play.h). */

#define STOP_ADA DRIVER_FIRST
#define STOP_BOB (DRIVER_FIRST + 1)
#define STOP_MS 10000
#define STOP_MANY_MOVES 2000

extern const int64_t stop_both[2];      /* Ada and Bob */
extern const int64_t stop_ada_alone[1]; /* Ada */

/* What the connection was told last: why the game is halted, the step of its view, whether the stop
 * waits for the holder of a seat, and in how many ms it ends at the latest (-1: it has no
 * deadline). */
const char *stop_read_halt(const struct driver *driver, int64_t conn);
int64_t stop_read_step(const struct driver *driver, int64_t conn);
bool stop_awaits(const struct driver *driver, int64_t conn, int seat);
int64_t stop_read_time_left(const struct driver *driver, int64_t conn);

/* Return how many rows of the score sheet, or messages of any kind about the table, the connection
 * has got. */
size_t stop_count_rounds(const struct driver *driver, int64_t conn);
size_t stop_count_messages_about_table(const struct driver *driver, int64_t conn);

/* Plays until the first of the connections is told that a round is over. */
void stop_play_to_end_of_round(struct driver *driver, const int64_t *conns, size_t count);

/* Signs Ada and Bob up, and opens a table of Ada, and of Bob if he has a seat, with bots on the
 * other seats; `settings` are further fields of the message `table_open`, each after a comma. The
 * game begins. Returns the table's number. */
int64_t stop_begin_game(struct driver *driver, const struct game_def *game, const char *settings,
                        bool has_bob);

/* Each begins such a game and plays its first round. */
int64_t stop_after_round_of_both(struct driver *driver, const char *settings);
int64_t stop_after_round_of_ada(struct driver *driver, const char *settings);
