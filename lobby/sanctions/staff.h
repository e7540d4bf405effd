#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * The roles of staff, in rising order: player < mod < admin. Above them is the owner: whoever has a
 * shell on the server. A program of the owner connects as an operator: it has no session and may do
 * everything.
 */

/* The name of the person who uses the connection: that of their account, or STAFF_OWNER, which no
 * account can have. */
#define STAFF_OWNER N_("the owner")
const char *staff_name_of_conn(const struct conn *conn);

/* Gives the account a role, whether its owner is in the house or not. The telnet connections of a
 * new staff member are closed. */
void staff_set_role(struct house *house, const struct storage_account *account,
                    enum storage_role role);

/* Sends a sentence to everybody in the house who has that role or a higher one. */
void staff_notify(struct house *house, enum storage_role role, json_t *sentence);

/* Tells staff of a new report or appeal: those who are here by the sentence (taken), those who are
 * away through listeners. */
void staff_notify_of_case(struct house *house, json_t *sentence);
