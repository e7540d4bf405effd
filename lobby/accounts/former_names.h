#pragma once

#include "lobby/house/house_state.h"

/* A name that was taken from an account stays reserved for a while, so that nobody is mistaken for
 * its former owner. */

#define FORMER_NAME_DAYS 30

/* True when the name, or one that looks like it, is reserved for another account than this one (0:
 * for any account). */
bool former_name_is_reserved(struct house *house, const char *name,
                             int64_t excepted_account) MUST_CHECK;

/* Reserves a name that the account has just lost. */
void former_name_reserve(struct house *house, int64_t account, const char *name);
