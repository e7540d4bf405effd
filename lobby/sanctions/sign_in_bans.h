#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/* Refuses banned people at sign-in. */

/* True when no ban refuses this account, whose owner has proved their identity (NULL: a guest or a
 * new user); otherwise the request is answered `banned`. Staff are refused only by bans of their
 * name, so that a network ban does not lock out the house's own people. */
bool sign_in_bans_allow(const struct request *request,
                        const struct storage_account *account) MUST_CHECK;

/* Like sign_in_bans_allow, but for somebody who has not proved yet that the name is theirs. Only
 * address and key are checked, so that nobody guesses passwords from a banned network. For names of
 * staff nothing is checked yet. */
bool sign_in_bans_allow_before_proof(const struct request *request, const char *name) MUST_CHECK;

/* True when a ban refuses the account on this connection; *why is then a sentence about the ban
 * (say.h), which the caller owns. */
bool sign_in_bans_find(struct house *house, struct conn *conn,
                       const struct storage_account *account, json_t **why) MUST_CHECK;

/* Disconnects those connections of the person that a ban refuses. */
void sign_in_bans_disconnect(struct house *house, const struct person *person,
                             const struct storage_account *account);

/* Handles "appeal …", which a refused person types instead of a password. True when the text was an
 * appeal; the request is then answered. */
bool sign_in_bans_handle_appeal(const struct request *request, const char *text) MUST_CHECK;
