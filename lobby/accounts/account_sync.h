#pragma once

#include "lobby/house/house_state.h"

/* Updates what connected people see of an account after staff changed the stored account. Without
 * this, they would see the change only after a restart of the core. */

/* Call after an account was renamed: tells the account's friends, and the people in a shared replay
 * with its owner. */
void account_sync_refresh_name(struct house *house, int64_t account);

/* Call after an account was closed or merged into another: removes it from all lists of friends and
 * blocks. */
void account_sync_remove_account(struct house *house, int64_t account);

/* Call after ratings have changed: refreshes all people, seats and results of games that show
 * ratings. */
void account_sync_refresh_ratings(struct house *house);
