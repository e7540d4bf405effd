#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/accounts/guests.h"

/* Guests have no account and get a new name at each visit. Staff find the person behind a guest
 * name by the address the guest connected from. */

/* True when guests may enter; otherwise the request is answered `closed`. */
bool guests_are_admitted(const struct request *request) MUST_CHECK;

/* Finds a guest by name who is in the house or left less than a day ago; false when there is
 * none. */
bool guests_find(struct house *house, const char *name, struct storage_guest *guest) MUST_CHECK;

/* Deletes the stored guests who left more than a day ago. */
void guests_forget_old(struct house *house);
