#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/* Accounts and their SSH keys. */

#define STORAGE_SETTINGS_SIZE 1025 /* size of the settings as JSON, with the NUL */
/* size of a key's type with its NUL; the longest is "sk-ssh-ed25519@openssh.com" */
#define STORAGE_KEY_TYPE_SIZE 65
#define STORAGE_FINGERPRINT_SIZE 65 /* size of a key's fingerprint with the NUL: "SHA256:…" */

/* The values of these enums are stored: they never change. */
enum storage_kind {
    STORED_VALUES(STORED_ACCOUNT_KINDS, STORAGE_)
    STORAGE_KIND_LAST = STORED_LAST(STORED_ACCOUNT_KINDS),
};

enum storage_role {
    STORED_VALUES(STORED_ROLES, STORAGE_ROLE_) STORAGE_ROLE_LAST = STORED_LAST(STORED_ROLES),
};

#define STORAGE_ACCOUNT_COLUMNS(FIRST, NEXT)                                                       \
    FIRST(NUMBER, id) /* number of the account, from 1; never used again */                        \
    NEXT(TEXT(STORAGE_NAME_SIZE), name)                                                            \
    NEXT(TEXT(STORAGE_NAME_SIZE), skeleton) /* unique; confusable names have the same skeleton */  \
    NEXT(CHOICE(storage_kind, STORAGE_KIND_LAST), kind)                                            \
    NEXT(CHOICE(storage_role, STORAGE_ROLE_LAST), role)                                            \
    NEXT(TEXT(STORAGE_HASH_SIZE), password_hash) /* password's hash; "" without a password */      \
    NEXT(TEXT(STORAGE_SETTINGS_SIZE), settings)  /* the settings, a JSON object; "{}" at first */  \
    NEXT(NUMBER, created_ms)                                                                       \
    NEXT(NUMBER, seen_ms) /* when the account was last seen */                                     \
    NEXT(FLAG, is_held)   /* the account is pending: not listed until a moderator releases it */   \
    NEXT(FLAG, is_closed) /* the account was deleted, or merged into another one */

struct storage_account {
    STORAGE_MEMBERS(STORAGE_ACCOUNT_COLUMNS)
};

/* Adds an account, which gets a new number (*id) instead of account->id. STORAGE_TAKEN: another
 * account has this name or a confusable one. */
enum storage_result storage_account_add(struct storage *storage,
                                        const struct storage_account *account,
                                        int64_t *id) MUST_CHECK;

/* Each of these functions reads one account; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_account_by_id(struct storage *storage, int64_t id,
                                          struct storage_account *account) MUST_CHECK;
enum storage_result storage_account_by_name(struct storage *storage, const char *name,
                                            struct storage_account *account) MUST_CHECK;
enum storage_result storage_account_by_skeleton(struct storage *storage,
                                                const char *name_write_skeleton,
                                                struct storage_account *account) MUST_CHECK;
enum storage_result storage_account_by_key(struct storage *storage, const char *fingerprint,
                                           struct storage_account *account) MUST_CHECK;

/* Each of these functions changes one value of an account; STORAGE_NOT_FOUND when there is no such
 * account. */
enum storage_result storage_account_set_password(struct storage *storage, int64_t id,
                                                 const char *password_hash) MUST_CHECK;
enum storage_result storage_account_set_settings(struct storage *storage, int64_t id,
                                                 const char *settings) MUST_CHECK;
enum storage_result storage_account_set_role(struct storage *storage, int64_t id,
                                             enum storage_role role) MUST_CHECK;
enum storage_result storage_account_set_kind(struct storage *storage, int64_t id,
                                             enum storage_kind kind) MUST_CHECK;
enum storage_result storage_account_set_pending(struct storage *storage, int64_t id,
                                                bool is_pending) MUST_CHECK;
enum storage_result storage_account_set_last_seen(struct storage *storage, int64_t id,
                                                  int64_t last_seen_ms) MUST_CHECK;

/* Lists the pending accounts, oldest first, until `row` returns false. */
enum storage_result storage_accounts_each_pending(struct storage *storage,
                                                  bool (*row)(void *context, const char *name,
                                                              int64_t created_ms),
                                                  void *context) MUST_CHECK;

#define STORAGE_KEY_COLUMNS(FIRST, NEXT)                                                           \
    FIRST(TEXT(STORAGE_FINGERPRINT_SIZE),                                                          \
          fingerprint) /* a fingerprint is unique: a key belongs to one account */                 \
    NEXT(NUMBER, account)                                                                          \
    NEXT(TEXT(STORAGE_KEY_TYPE_SIZE), type)                                                        \
    NEXT(NUMBER, added_ms)

struct storage_key {
    STORAGE_MEMBERS(STORAGE_KEY_COLUMNS)
};

/* Adds a key to an account. STORAGE_TAKEN when the key belongs to an account already (this one or
 * another), STORAGE_REFUSED when there is no such account. */
enum storage_result storage_key_add(struct storage *storage, int64_t account,
                                    const struct storage_key *key) MUST_CHECK;

/* Removes a key; STORAGE_NOT_FOUND when this account does not have it. */
enum storage_result storage_key_remove(struct storage *storage, int64_t account,
                                       const char *fingerprint) MUST_CHECK;

/* Reads the account's keys, oldest first: at most `capacity` into `keys`. Sets *count to their
 * number. */
enum storage_result storage_key_list(struct storage *storage, int64_t account,
                                     struct storage_key *keys, size_t capacity,
                                     size_t *count) MUST_CHECK;
