#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Entering the house: the code that all ways of signing in share. A query-only connection
 * (is_query_only) signs in without entering. It may make any request that a person in the house may
 * make. But its person does not count as present, nobody is told of it, and messages that wait for
 * the person keep waiting.
 */

/* Signs the connection in to the account (NULL: as a new guest) and answers the request. Refuses
 * when the account may not sign in this way, or has reached its limit of connections.
 * `is_new_account`: the account was created just now. The person enters the house at once, unless
 * the connection is_query_only. */
void entry_sign_in(const struct request *request, const struct storage_account *account,
                   bool is_new_account);
