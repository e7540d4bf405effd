#ifndef LOBBY_TABLES_TABLE_PEOPLE_H
#define LOBBY_TABLES_TABLE_PEOPLE_H

#include "lobby/house/house_state.h"

/* Who comes to tables, sits there, goes, is away and is back. */

/* Lets the connection in (out of where it was) and, if it holds a seat here, back into the game. */
void table_enter(struct house *house, struct conn *conn, struct table *table);

/* Out of the table it has entered, if any. With `is_giving_up` a seat before the start goes too, as
 * when somebody leaves on purpose; a lost connection keeps it for a while. */
void table_exit(struct house *house, struct conn *conn, bool is_giving_up);

/* Puts the person on an empty seat. */
void table_sit(struct house *house, struct table *table, int seat, const struct person *person);

/* Empties a seat before the start; the host's place passes on. */
void table_vacate(struct house *house, struct table *table, int seat);

/* A person has come into the house: their seats know. */
void table_people_connected(struct house *house, struct person *person);

/* The holder is back: the bot that played for them stops. */
void table_take_back(struct house *house, struct table *table, int seat);

/* Sends those away who may look on no longer: the game has begun, or they have given up their seat.
 */
void table_people_clear_out(struct house *house, struct table *table);

#endif
