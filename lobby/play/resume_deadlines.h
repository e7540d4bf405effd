#pragma once

#include "lobby/tables/tables_state.h"

/*
 * A deadline for halted rated games, so that they do not stand for ever because one side never
 * returns. It applies to adjourned games and to games that wait for players whom the house's
 * downtime disconnected.
 *
 * When the first player asks to resume, all others have RESUME_DEADLINE_MS to ask too, whether or
 * not the first one stays. Then the game goes on. Whoever has not asked has left an adjourned game
 * for good and ranks below all who finish. A bot plays for everybody else who is away. After a halt
 * caused by the house nobody has to ask: a bot plays for all who are away.
 */
#define RESUME_DEADLINE_MS (7 * INT64_C(86400000))

/* The person on this seat asks to resume the halted game. The caller saves the table afterwards. */
void resume_deadlines_player_asked(struct house *house, struct table *table, int seat);

/* The seat's holder has left for good and no longer waits for the others. */
void resume_deadlines_player_left(struct table *table, int seat);

/* Call it after a downtime from `from_ms` to now: that time is charged to nobody. */
void resume_deadlines_skip_downtime(struct house *house, struct table *table, int64_t from_ms);

/* Sends one line to the holder of this seat with the time they have left to resume; sends nothing
 * if nobody waits for them. */
void resume_deadlines_tell_player(struct house *house, const struct table *table, int seat,
                                  const struct conn *conn);
