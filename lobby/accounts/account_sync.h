#pragma once

#include "lobby/house/house_state.h"

struct table;

/* Updates what connected people see of an account after staff changed the stored account. Without
 * this, they would see the change only after a restart of the core. */

/* Call after an account was renamed: shows the new name to the account's friends, at its tables and
 * in its shared replay. */
void account_sync_refresh_name(struct house *house, int64_t account);

/* Call after an account was closed or merged into another: removes the account from everybody's
 * lists of friends and blocked people. */
void account_sync_remove_from_contact_lists(struct house *house, int64_t account);

/* Makes the result that the table shows again, if it shows one, since names or ratings in it have
 * changed. */
void account_sync_refresh_result(struct house *house, struct table *table);

/* Call after ratings have changed: refreshes the ratings shown for people, at seats and in the
 * results of games. */
void account_sync_refresh_ratings(struct house *house);
