#ifndef LOBBY_SANCTIONS_DOOR_H
#define LOBBY_SANCTIONS_DOOR_H

#include "lobby/house/house_state.h"
#include "lobby/house/words.h"

/* Who is kept out of the house. */

/* At the door, once it is proved who somebody is (account NULL: a guest or newcomer): true when
 * nothing keeps them out; else the request is answered `banned`. Staff are kept out by name alone,
 * so that no ban of a network locks the house's own people out. */
bool sanctions_admit(struct house *house, struct conn *conn, int64_t request,
                     const struct storage_account *account) MUST_CHECK;

/* The same before anything is proved, by address and key alone, for somebody who says this name:
 * who comes from a banned network guesses no password there. Staff's names wait for the proof. */
bool sanctions_admit_stranger(struct house *house, struct conn *conn, int64_t request,
                              const char *name) MUST_CHECK;

/* Whether a ban keeps them out, and the words for it. */
#define SANCTION_DOOR_SIZE (3 * WORDS_MAX + 400)
bool sanctions_keep_out(struct house *house, struct conn *conn,
                        const struct storage_account *account,
                        char why[SANCTION_DOOR_SIZE]) MUST_CHECK;

/* Sends away those connections of the person, whose account it is, that a ban keeps out. */
void sanctions_put_out(struct house *house, const struct person *person,
                       const struct storage_account *account);

/* Somebody whom that has refused types "appeal …" instead of a password: true when this was it;
 * the request is answered. */
bool sanctions_door_appeal(struct house *house, struct conn *conn, int64_t request,
                           const char *text) MUST_CHECK;

#endif
