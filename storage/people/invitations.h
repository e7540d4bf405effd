#ifndef STORAGE_PEOPLE_INVITATIONS_H
#define STORAGE_PEOPLE_INVITATIONS_H

#include "storage/accounts/accounts.h"
#include "storage/sql/columns.h"

/* Who is asked to which table: one invitation a person, the newest. They follow an account that is
 * called otherwise, and go with it. */

#define STORAGE_INVITATION_COLUMNS(FIRST, NEXT)                                                    \
    FIRST(TEXT(STORAGE_NAME_SIZE), name) /* whom */                                                \
    NEXT(LINK, account)                  /* 0: a guest */                                          \
    NEXT(NUMBER, table, table_id)                                                                  \
    NEXT(NUMBER, until_ms)

struct storage_invitation {
    STORAGE_MEMBERS(STORAGE_INVITATION_COLUMNS)
};

/* In place of the one before. */
enum storage_result storage_invitation_set(struct storage *storage,
                                           const struct storage_invitation *invitation) MUST_CHECK;

enum storage_result storage_invitation_read(struct storage *storage, const char *name,
                                            struct storage_invitation *invitation) MUST_CHECK;

/* One that is not there is STORAGE_OK; so for those to a table. */
enum storage_result storage_invitation_end(struct storage *storage, const char *name) MUST_CHECK;
enum storage_result storage_invitations_end(struct storage *storage, int64_t table) MUST_CHECK;

/* Those that have ended by now are deleted. */
enum storage_result storage_invitations_forget(struct storage *storage, int64_t now_ms) MUST_CHECK;

#endif
