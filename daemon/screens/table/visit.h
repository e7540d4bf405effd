#pragma once

#include "daemon/screens/kernel/question.h"
#include "lobby/protocol/rows.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Lets the person enter and leave tables. */
struct game_def;
struct ui;

/* Enters a table and shows it; asks for the password if it is locked. If `takes_seat`, also takes
 * the first free seat. */
void visit_table(struct ui *ui, int64_t table_id, bool takes_seat);

/* Returns to the table at which the person's connection broke off; does nothing if table_id is
 * 0. */
void visit_return_to_table(struct ui *ui, int64_t table_id);

/* Shows the next table where it is the person's turn, or a notice that no game waits for the
 * person. */
void visit_next_table_with_own_turn(struct ui *ui);

/* Leaves the entered table and returns to the lobby. Asks for confirmation first if a running game
 * needs the player. */
void visit_leave_table(struct ui *ui);

/* Asks before the player gives up the seat in the running game; `reply` gets the answer. */
void visit_ask_before_leaving_for_good(struct ui *ui, screen_reply *reply);

/* Shows the table that the answer to `table_open` names. If `bot_count` is not 0, adds that many
 * bots of this level and starts the game. BOT_LEVEL_NONE: the core chooses a level that suits the
 * person. */
void visit_new_table(struct ui *ui, const json_t *answer, uint8_t bot_count, enum bot_level level);

/* Begins a game in its short form against bots, and shows its table. */
void visit_start_quick_game(struct ui *ui, const struct game_def *game);

/* Begins a lesson in the game, and shows its table. */
void visit_start_lesson(struct ui *ui, const struct game_def *game);
