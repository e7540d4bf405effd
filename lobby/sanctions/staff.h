#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Permission checks for what moderators and admins do: every STAFF row of messages.def passes here
 * before its handler runs. Roles in rising order: player < mod < admin. Above them is the owner,
 * whoever has a shell on the server: an operator, who has no session and is always admitted.
 */

/* The name of the requester of a staff handler: an account's name, or STAFF_OWNER, which no account
 * can have. */
#define STAFF_OWNER N_("the owner")
const char *staff_name(const struct conn *conn);

/* Gives the account a role, whether its owner is in the house or not. A new staff member's telnet
 * connections are closed. */
void staff_set_role(struct house *house, const struct storage_account *account,
                    enum storage_role role);

/* Sends one line to everybody here with that role or a higher one. */
void staff_tell(struct house *house, enum storage_role role, json_t *sentence);
