#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/* Sign-up: creates accounts. */

/* True when an account has this name or one that looks like it, or the name is reserved. */
bool sign_up_name_is_taken(struct house *house, const char *name);

/* Creates the account, adds the connection's key to it, signs in and answers the request.
 * `password_hash` is "" when the account has no password. */
void sign_up_create_account(const struct request *request, const char *name,
                            const char *password_hash);

/* True when the password's length is allowed; otherwise the request is refused. `password` may be
 * NULL. */
bool sign_up_check_password(const struct request *request, const char *password);
