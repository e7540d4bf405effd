#pragma once

#include "storage/accounts/accounts.h"
#include "storage/sql/columns.h"

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

/* Stores a person's invitation and replaces an earlier one. */
enum storage_result storage_invitation_set(struct storage *storage,
                                           const struct storage_invitation *invitation) MUST_CHECK;

enum storage_result storage_invitation_read(struct storage *storage, const char *name,
                                            struct storage_invitation *invitation) MUST_CHECK;

/* Each function deletes invitations: that of a person, or all to one table. STORAGE_OK also when
 * there is none. */
enum storage_result storage_invitation_delete(struct storage *storage, const char *name) MUST_CHECK;
enum storage_result storage_invitations_delete_for_table(struct storage *storage,
                                                         int64_t table) MUST_CHECK;

/* Deletes the invitations that expired at `now_ms` or before. */
enum storage_result storage_invitations_delete_expired(struct storage *storage,
                                                       int64_t now_ms) MUST_CHECK;
