#pragma once

#include "lobby/tables/tables_state.h"

/*
 * The stop between two rounds: when a round is over and another follows, the game halts so that
 * people can read the scores (STORAGE_HALT_ROUND, table_halt.h). Each person at the table says that
 * they have read them (message `resume`). The stop ends when
 *
 *   - all people who are seated and at the table have said so; people for whom a bot plays do not
 *     count, nor do programs;
 *   - or its deadline passes. It has none as long as somebody plays against bots alone;
 *   - or nobody is at the table any more. If spectators are there who see the game without delay,
 *     the stop then lasts until a deadline.
 *
 * If neither a player nor such a spectator is at the table when a round ends, there is no stop.
 */

/* Begins the stop after a round's last move, if somebody is there to see it. */
void round_stop_begin(struct house *house, struct table *table);

/* Records that the person on this seat has read the scores. Ends the stop after the last of them.
 */
void round_stop_note_press(struct house *house, struct table *table, int seat);
