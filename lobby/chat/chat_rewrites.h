#pragma once

#include "lobby/house/house_state.h"

/* Updates stored chat lines when their sender's account is renamed or deleted
 * (storage/chat/chat_rewrites.h). Each turn updates a few lines, so that an account with a million
 * lines does not block the house. */

/* Rewrites the newest lines, which may still be shown, in the same transaction as the change of the
 * account. */
void chat_rewrites_do_batch(struct house *house);
