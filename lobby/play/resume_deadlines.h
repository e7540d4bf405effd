#pragma once

#include "lobby/tables/tables_state.h"

/*
 * A deadline for halted rated games, so that a game does not stay halted for ever because one side
 * never returns. It applies to adjourned games and to games that wait for players whom the house's
 * downtime disconnected. When the first player asks to resume, all others have RESUME_DEADLINE_MS
 * to ask too, whether or not the first one stays. Then the game goes on. In an adjourned game, a
 * player who has not asked counts as having left for good, and ranks below all who finish. A bot
 * plays for everybody else who is away. In a game that waits because of downtime, nobody has to
 * ask: a bot plays for all who are away.
 */
#define RESUME_DEADLINE_MS (7 * INT64_C(86400000))

/* Records that the player on this seat asks to resume the halted game. The first such request
 * starts the deadline. The caller saves the table afterwards. */
void resume_deadlines_note_request(struct house *house, struct table *table, int seat);

/* Withdraws a player's request to resume, because the player has left the game for good. */
void resume_deadlines_withdraw_request(struct table *table, int seat);

/* Makes the deadline later by the downtime, which lasted from `down_since_ms` until now. */
void resume_deadlines_skip_downtime(struct house *house, struct table *table,
                                    int64_t down_since_ms);

/* If the other players wait for the player on this seat, tells that player how much time is left to
 * resume. */
void resume_deadlines_tell_time_left(struct house *house, const struct table *table, int seat,
                                     const struct conn *conn);
