#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/limits.h"
#include "lobby/house/request.h"

/* Sign-up: creates accounts. */

/* True when an account has this name or one that looks like it, or the name is reserved. */
bool sign_up_name_is_taken(struct house *house, const char *name);

/* Creates the account, adds the connection's key to it, signs in and answers the request.
 * `password_hash` is "" when the account has no password. */
void sign_up_create_account(const struct request *request, const char *name,
                            const char *password_hash);

/* Composes the password that was typed (password_forms.h). True when its length is allowed;
 * otherwise the request is refused. `typed` may be NULL. */
bool sign_up_compose_password(const struct request *request, const char *typed,
                              char password[LIMIT_PASSWORD_BYTES + 1]);
