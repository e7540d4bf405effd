#pragma once

#include "storage/storage.h"

/* Chat lines follow a change of their account: storage_account_rename and storage_account_erase
 * (account_changes.h) only queue a rewrite, so their time does not grow with the number of lines.
 * The oldest rewrite comes first, and within it the newest lines. */

/* Rewrites at most `most` lines; *is_more tells whether lines remain. */
enum storage_result storage_chat_rewrite(struct storage *storage, size_t most,
                                         bool *is_more) MUST_CHECK;
