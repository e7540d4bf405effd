#ifndef STORAGE_CHAT_CHAT_REWRITES_H
#define STORAGE_CHAT_CHAT_REWRITES_H

#include "storage/storage.h"

/* What was said follows its account: storage_account_rename and storage_account_erase
 * (account_changes.h) leave the lines of chat to this, so that no call takes longer the more was
 * said. The newest are rewritten first, of those that wait the oldest work. */

/* Rewrites at most `most` lines; *is_more: there are others. */
enum storage_result storage_chat_rewrite(struct storage *storage, size_t most,
                                         bool *is_more) MUST_CHECK;

#endif
