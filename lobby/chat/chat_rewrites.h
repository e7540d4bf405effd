#pragma once

#include "lobby/house/house_state.h"

/* Updates stored chat lines when their sender's account is renamed or deleted
 * (storage/chat/chat_rewrites.h). Each round of the event loop updates only a few lines, so that an
 * account with a million lines does not block the house. */

/* Rewrites the newest lines, which clients may still request. Called in the transaction that
 * renames or deletes the account. */
void chat_rewrites_update_batch(struct house *house);
