#ifndef LOBBY_TABLES_TABLE_DEADLINE_H
#define LOBBY_TABLES_TABLE_DEADLINE_H

#include "lobby/house/house_state.h"

/*
 * A rated game that stands adjourned, or waits for those whom the house threw out, does not stand
 * for ever because one side never comes back.
 * With the first of its people who asks to go on, all others have DEADLINE_MS to ask for it too,
 * whether or not the first is still there. Then the game goes on: who has not asked has left the
 * adjourned game for good and ranks below all who finish. For everybody else who is away a bot
 * plays as ever; so it does for all after a halt of the house's, in which nobody has to ask.
 */
#define DEADLINE_MS (7 * INT64_C(86400000))

/* The person on this seat asks to go on with the game that stands still; the table is to be
 * saved after it. */
void deadline_asked(struct house *house, struct table *table, int seat);

/* The seat's holder has left for good: they do not wait any more. */
void deadline_left(struct table *table, int seat);

/* The house was away from `from_ms` to now: the time counts for nobody. */
void deadline_skip(struct house *house, struct table *table, int64_t from_ms);

/* One line for the holder of this seat about how long they have; nothing when no one waits for
 * them. */
void deadline_tell(struct house *house, const struct table *table, int seat,
                   const struct conn *conn);

/* Games whose time has come go on. */
void deadlines_tick(struct house *house);
int64_t deadlines_next_ms(const struct house *house);

#endif
