#pragma once

#include "storage/storage.h"

/* Changes chat lines after their account was renamed or erased. storage_account_rename and
 * storage_account_erase (account_changes.h) only queue a rewrite, so their time does not grow with
 * the number of lines. The oldest rewrite is done first; within a rewrite the newest lines come
 * first. */

/* Rewrites at most `most` lines and sets *is_more to whether lines remain. */
enum storage_result storage_chat_rewrite(struct storage *storage, size_t most,
                                         bool *is_more) MUST_CHECK;
