#pragma once

#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"
#include "storage/storage.h"

/* Blocks between accounts. One account can block another one's chat lines, or refuse to play with
 * that account. */

/* The values of this enum are stored: they never change. */
enum storage_block {
    STORAGE_BLOCK_IGNORE = 0, /* the account does not want to read lines of the blocked account */
    /* the account does not want to sit at a table with the blocked account */
    STORAGE_BLOCK_NOPLAY = 1,
};

/* Reads the accounts that this account blocks: at most `capacity` into `blocked`. Sets *count to
 * their number. */
enum storage_result storage_blocks_read(struct storage *storage, int64_t account,
                                        enum storage_block kind, int64_t *blocked, size_t capacity,
                                        size_t *count) MUST_CHECK;

/* Friends. Friendship is one-sided and private: the other account is not told. */

#define STORAGE_FRIEND_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_NAME_SIZE), name)                                                            \
    NEXT(NUMBER, since_ms) /* when the account added this friend */                                \
    NEXT(NUMBER, seen_ms)  /* when the friend was last seen */

struct storage_friend {
    STORAGE_MEMBERS(STORAGE_FRIEND_COLUMNS)
};

/* Invitations to tables. A person has at most one, the newest. When the person's account is
 * renamed, the invitation gets the new name; when the account is deleted, so is the invitation. */

#define STORAGE_INVITATION_COLUMNS(FIRST, NEXT)                                                    \
    FIRST(TEXT(STORAGE_NAME_SIZE), name) /* name of the invited person */                          \
    NEXT(LINK, account)                  /* account of the invited person; 0: a guest */           \
    NEXT(NUMBER, table, table_id)                                                                  \
    NEXT(NUMBER, until_ms)

struct storage_invitation {
    STORAGE_MEMBERS(STORAGE_INVITATION_COLUMNS)
};

#define STATEMENT STATEMENT_DECLARED
#include "storage/people/people.def"
