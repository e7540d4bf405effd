#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Entering and leaving tables. */
struct ui;

/* Enters a table and shows it; asks for the password if it is locked. is_to_sit: also takes the
 * first free seat. */
void visit_table(struct ui *ui, int64_t table, bool is_to_sit);

/* Returns to the table where the connection was lost; 0: there is none. */
void visit_again(struct ui *ui, int64_t table);

/* Goes to the next table where it is one's turn, or says that there is none. */
void visit_next_turn(struct ui *ui);

/* Leaves the entered table and returns to the lobby; asks first if one is needed in a running
 * game. */
void visit_leave(struct ui *ui);

/* Starts a game with default options against careful bots and shows its table. */
void visit_quick_game(struct ui *ui);
