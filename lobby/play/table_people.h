#pragma once

#include "lobby/tables/tables_state.h"

/* How people enter and leave tables, sit down and stand up, and return after an absence. */

/* Moves the connection to the table; a player with a seat there returns to the game. */
void table_enter(struct house *house, struct conn *conn, struct table *table);

/* Takes the connection out of its table, if any. With `gives_up_seat` (the person leaves on
 * purpose), the person also loses their seat, unless a game has begun or the table is played turn
 * by turn. Without `gives_up_seat` the seat is kept for a while. */
void table_exit(struct house *house, struct conn *conn, bool gives_up_seat);

/* Gives the person an empty seat. */
void table_take_seat(struct house *house, struct table *table, int seat,
                     const struct person *person);

/* Empties a seat while no game runs. If the host sat on it, another player becomes host. */
void table_vacate_seat(struct house *house, struct table *table, int seat);

/* Called when a person has entered the house: puts the person back on all seats that they hold. */
void table_people_return_to_seats(struct house *house, struct person *person);

/* Puts a player back on their seat: a bot that played for them stops. */
void table_return_to_seat(struct house *house, struct table *table, int seat);

/* Records since when the table has been empty. An empty table closes after a while, and at once
 * when nobody who may come back holds a seat in its game. */
void table_people_note_presence(struct house *house, struct table *table);

/* Sends spectators who may no longer watch back to the lobby. Call it when a game has begun or a
 * player has given up their seat. */
void table_people_remove_barred_spectators(struct house *house, struct table *table);
