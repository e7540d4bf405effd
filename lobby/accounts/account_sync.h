#pragma once

#include "lobby/house/house_state.h"

/* Refreshes what connected people see of an account after staff changed it in the storage, so that
 * they see at once what they would see after a restart of the core. */

/* The account was renamed: tells those who have it as a friend and those in a shared replay with
 * it. */
void account_sync_name(struct house *house, int64_t account);

/* The account was closed or merged into another: removes it from everybody's friends and ignore
 * lists. */
void account_sync_gone(struct house *house, int64_t account);

/* Ratings have changed, of any account: refreshes the people, seats and results of finished tables
 * that show them. */
void account_sync_ratings(struct house *house);
