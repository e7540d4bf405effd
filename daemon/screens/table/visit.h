#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Entering and leaving tables. */
struct ui;

/* Enters a table and shows it; asks for the password when it is locked. is_to_sit: also takes the
 * first free seat. */
void visit_table(struct ui *ui, int64_t table, bool is_to_sit);

/* Enters the table again at which the connection was lost; 0: there is none. */
void visit_again(struct ui *ui, int64_t table);

/* Goes to the next table where it is one's turn, or says that there is none. */
void visit_next_turn(struct ui *ui);

/* Leaves the entered table and goes back to the lobby; asks first when a running game needs one. */
void visit_leave(struct ui *ui);

/* Starts a game with default options against careful bots and shows its table. */
void visit_quick_game(struct ui *ui);
