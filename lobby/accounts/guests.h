#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/accounts/guests.h"

/* Who guests are. A guest gets a new name each time. Staff find the person behind a name by where
 * they connected from. */

/* True when guests may enter; else the request is answered `closed`. */
bool guests_are_admitted(const struct request *request) MUST_CHECK;

/* Finds a guest by name who is here or left less than a day ago. False when there is none. */
bool guests_find(struct house *house, const char *name, struct storage_guest *guest) MUST_CHECK;
