#pragma once

#include "lobby/house/house_state.h"
#include "storage/ratings/leaders.h"

/* Reads the leaderboard of only this person and their friends; otherwise like storage_leaders_read.
 * Only the first LEADERS_FRIENDS_MAX friends count. */
#define LEADERS_FRIENDS_MAX 500
void leaders_friends_read(struct house *house, const struct person *person,
                          const struct storage_listing *listing, uint32_t offset,
                          struct storage_leaders_page *page);
