#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/* Making an account. */

/* True when an account has this name or one that looks like it. */
bool sign_up_name_is_taken(struct house *house, const char *name);

/* Creates the account, binds the connection's key, signs in and answers. hash is "" for no
 * password. */
void sign_up_finish(const struct request *request, const char *name, const char *hash);

/* True when the password's length is allowed; else (also for NULL) the request is answered. */
bool sign_up_password_check(const struct request *request, const char *password);
