#ifndef LOBBY_ACCOUNTS_FORMER_NAMES_H
#define LOBBY_ACCOUNTS_FORMER_NAMES_H

#include "lobby/house/house_state.h"

/* A name that was taken from an account is nobody else's for a while, so that nobody is mistaken
 * for somebody. */

#define FORMER_NAME_DAYS 30

/* Whether the name, or one that looks like it, is kept for an account other than this one (0: for
 * any). */
bool former_name_is_kept(struct house *house, const char *name, int64_t account) MUST_CHECK;

/* The account is no longer called so. */
void former_name_keep(struct house *house, int64_t account, const char *name);

#endif
