#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/* Who is refused at sign-in because of a ban. */

/* Bans at sign-in, once the identity is proved (account NULL: a guest or a new user). True when no
 * ban applies; else the request is answered `banned`. Only bans by name apply to staff, so that a
 * network ban does not lock out the house's own people. */
bool sanctions_admit(const struct request *request,
                     const struct storage_account *account) MUST_CHECK;

/* The same before the identity is proved: checks only the address and key of somebody who claims
 * this name, so that nobody guesses passwords from a banned network. For staff names the check
 * waits for the proof. */
bool sanctions_admit_stranger(const struct request *request, const char *name) MUST_CHECK;

/* Whether a ban keeps them out; *why is then its sentence (say.h), for the caller to own. */
bool sanctions_keep_out(struct house *house, struct conn *conn,
                        const struct storage_account *account, json_t **why) MUST_CHECK;

/* Disconnects those connections of the person (of this account) that a ban applies to. */
void sanctions_put_out(struct house *house, const struct person *person,
                       const struct storage_account *account);

/* Handles "appeal …" typed instead of a password by somebody who was refused. True when it was an
 * appeal; the request is then answered. */
bool sanctions_door_appeal(const struct request *request, const char *text) MUST_CHECK;
