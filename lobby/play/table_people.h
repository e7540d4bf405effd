#pragma once

#include "lobby/tables/tables_state.h"

/* People at tables: entering, sitting down, leaving, being away and coming back. */

/* Moves the connection from its place to the table and, if it holds a seat here, back into the
 * game. */
void table_enter(struct house *house, struct conn *conn, struct table *table);

/* Takes the connection out of the table it has entered, if any. With `is_giving_up`, as when
 * somebody leaves on purpose, a seat before the start is freed too; a lost connection keeps it for
 * a while. */
void table_exit(struct house *house, struct conn *conn, bool is_giving_up);

/* Puts the person on an empty seat. */
void table_take_seat(struct house *house, struct table *table, int seat,
                     const struct person *person);

/* Empties a seat before the start; if it was the host's, another player becomes host. */
void table_vacate_seat(struct house *house, struct table *table, int seat);

/* A person has come into the house: updates their seats. */
void table_people_return_to_seats(struct house *house, struct person *person);

/* The holder is back: the bot stops playing for them. */
void table_return_to_seat(struct house *house, struct table *table, int seat);

/* Sends those back to the lobby who may no longer watch, because the game has begun or they have
 * given up their seat. */
void table_people_remove_spectators(struct house *house, struct table *table);
