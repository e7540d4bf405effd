#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/* Making an account. */

/* True when an account has this name or one that looks like it, or the name is reserved. */
bool sign_up_name_is_taken(struct house *house, const char *name);

/* Creates the account, adds the connection's key to it, signs in and answers the request. `hash` is
 * that of the password; "": no password. */
void sign_up_create_account(const struct request *request, const char *name, const char *hash);

/* True when the password's length is allowed; else the request is answered. Takes NULL. */
bool sign_up_check_password(const struct request *request, const char *password);
