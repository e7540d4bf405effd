#ifndef LOBBY_PEOPLE_FRIENDS_H
#define LOBBY_PEOPLE_FRIENDS_H

#include "lobby/house/house_state.h"

/* Whom the people here call friends. Nobody else learns of it. */

/* Reads them into the person, who has come in; releases them. */
void friends_begin(struct house *house, struct person *person);
void friends_clear(struct person *person);

/* Some of them are called otherwise now, or are no more: reads them anew and tells the person. */
void friends_read_again(struct house *house, struct person *person);

/* True when the person calls that account (not 0) a friend. */
bool friends_has(const struct person *person, int64_t account);

/* Pushes `friends`, their names. */
void friends_tell(struct house *house, const struct conn *conn);

/* The person has come into the house, away since `seen_ms`: those who call them a friend and want
 * to know are told, unless it was a moment only. */
void friends_announce(struct house *house, const struct person *person, int64_t seen_ms);

#endif
