#pragma once

#include "storage/storage.h"

/* Changes the chat lines of an account that was renamed or erased. storage_account_rename and
 * storage_account_erase (account_changes.h) only queue a rewrite, so that they take no longer for
 * an account with many lines. The oldest rewrite is done first; within a rewrite the newest lines
 * come first. */

/* Rewrites at most `max_lines` lines and sets *lines_remain to whether more lines wait. */
enum storage_result storage_chat_continue_rewrites(struct storage *storage, size_t max_lines,
                                                   bool *lines_remain) MUST_CHECK;
