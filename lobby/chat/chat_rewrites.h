#pragma once

#include "lobby/house/house_state.h"

/* Updates chat lines when their account is renamed or deleted (storage/chat/chat_rewrites.h). It
 * does so a few lines a turn, so that an account with a million lines does not block the house. */

/* Rewrites the first lines, those that could still be shown to anybody, in the same transaction as
 * the change of the account. */
void chat_rewrites_do_batch(struct house *house);
