#ifndef LOBBY_ACCOUNTS_ACCOUNT_SYNC_H
#define LOBBY_ACCOUNTS_ACCOUNT_SYNC_H

#include "lobby/house/house_state.h"

/* What others in the house know of an account, made anew after staff changed it in the storage, so
 * that they see what they would see under the next core. */

/* It has another name: those who call it a friend or go through a review with it are told. */
void account_sync_name(struct house *house, int64_t account);

/* It is closed, or part of another account: nobody has it as a friend or ignores it any more. */
void account_sync_gone(struct house *house, int64_t account);

/* Ratings have changed, whoever's: people, seats and the results of finished tables show them. */
void account_sync_ratings(struct house *house);

#endif
