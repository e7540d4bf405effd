#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Entering the house: what all ways of signing in share. A query-only connection (is_asking) signs
 * in without entering: it may make any request a person in the house may make, but its person does
 * not count as present, nobody is told of it, and what waits for the person keeps waiting.
 */

/* Signs the connection in to the account (NULL: as a new guest) and answers the request. Refuses
 * when the account may not sign in this way, or has reached its limit of connections. `is_new` as
 * in `you`. Enters the house at once, unless the connection is_asking. */
void entry_sign_in(const struct request *request, const struct storage_account *account,
                   bool is_new);
