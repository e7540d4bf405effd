#pragma once

#include "lobby/house/house_state.h"
#include "storage/accounts/accounts.h"

/*
 * Reads that all parts make when a person enters or returns, made ahead in one go (the hook
 * `read_ahead` in parts.h). A person has about twenty of them, and with a database on another
 * machine each would otherwise be waited for. Does nothing where reads need no waiting
 * (storage_read_ahead_begin).
 */

/* For the first 500 of those who had a connection when the last core ended: they will return, or
 * sign in again. */
void read_ahead_for_returning(struct house *house);

/* For the person of a connection that returns now. Costs nothing if it was done just before. */
void read_ahead_for_connection(struct house *house, const struct storage_connection *row);

/* For the owner of an account, who is about to sign in on the connection with this key. */
void read_ahead_for_sign_in(struct house *house, const struct conn *conn,
                            const struct storage_account *account, const char *fingerprint);
