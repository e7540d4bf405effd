#pragma once

#include "storage/sql/sql.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

#include <jansson.h>

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

/* Changes to an account that also change its data in other database tables. A change is done
 * completely or not at all. */

/* Renames the account, in its games too. The name in its direct messages is changed later
 * (chat/chat.h). STORAGE_TAKEN: another account has this name or a confusable one. */
enum storage_result storage_account_rename(struct storage *storage, int64_t id, const char *name,
                                           const char *skeleton) MUST_CHECK;

/* Moves everything but the name from `from` to `into`: keys, games and their rating changes,
 * sanctions and notes. Nobody can sign in to `from` any more. After storage_account_merge and
 * storage_account_erase the caller updates the accounts on the leaderboards
 * (lobby/ratings/ratings.h). */
enum storage_result storage_account_merge(struct storage *storage, int64_t from,
                                          int64_t into) MUST_CHECK;

/* Closes the account: removes all its credentials and ratings, and sets its name and skeleton to
 * `name`. Queues its chat lines for erasure (chat/chat.h). Its games stay, under the new
 * name. */
enum storage_result storage_account_erase(struct storage *storage, int64_t id,
                                          const char *name) MUST_CHECK;

/* Reads everything that the house keeps about the owner of an account and may give to them. What
 * would open an account, or tell about somebody else who did not choose to, is left out:
 * tests/storage/accounts/test_account_export.c lists it with the reasons. deploy/OPERATING.md
 * describes the result. */

/* Adds the export to the JSON object: the member `account` about the account itself, and for every
 * other kind of row a list. Some are read without an index, so read a copy of an open house. */
enum storage_result storage_account_export(struct storage *storage, int64_t account,
                                           json_t *document) MUST_CHECK;

/* Notices that an account reads at its next sign-in. */

#define STORAGE_NOTICE_SIZE 1600
#define STORAGE_NOTICES_MAX 20 /* the most notices kept for one account; more are dropped */

#define STORAGE_NOTICE_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, account)                                                                         \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE),                                                           \
         not_by_key) /* sign-ins with this key do not see the notice; "": all sign-ins see it */   \
    NEXT(TEXT(STORAGE_NOTICE_SIZE), text)

struct storage_notice {
    STORAGE_MEMBERS(STORAGE_NOTICE_COLUMNS)
};

enum storage_result storage_notice_add(struct storage *storage,
                                       const struct storage_notice *notice) MUST_CHECK;

/* One-time codes for an account. */

#define STORAGE_CODE_HASH_SIZE 65 /* size of a code's hash in hex with its NUL */

/* The values of this enum are stored: they never change. */
enum storage_code_purpose {
    STORAGE_CODE_KEY = 1,      /* the code adds another machine's SSH key to the account */
    STORAGE_CODE_RECOVERY = 2, /* the code signs in a person who lost password and key */
    STORAGE_CODE_PURPOSE_LAST = STORAGE_CODE_RECOVERY,
};

#define STORAGE_CODE_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, account)                                                                         \
    NEXT(CHOICE(storage_code_purpose, STORAGE_CODE_PURPOSE_LAST), purpose)                         \
    NEXT(TEXT(STORAGE_CODE_HASH_SIZE), hash)                                                       \
    NEXT(NUMBER, expires_ms) /* the code is valid before this time */

struct storage_code {
    STORAGE_MEMBERS(STORAGE_CODE_COLUMNS)
};

/* The open connections and their sign-ins, from which a restarted core resumes. */

#define STORAGE_ADDRESS_SIZE 65
#define STORAGE_OBSERVES_SIZE 513
#define STORAGE_BYE_SIZE 4097

#define STORAGE_CONNECTION_COLUMNS(FIRST, NEXT)                                                    \
    FIRST(NUMBER, conn)                  /* number that the gate gave the connection */            \
    NEXT(TEXT(STORAGE_WORD_SIZE), phase) /* phase of the connection, as in PROTOCOL.md */          \
    NEXT(LINK, account) /* account that is signed in; 0: a guest, or not signed in */              \
    NEXT(TEXT(STORAGE_NAME_SIZE), name) /* name of the account or guest; "" when not signed in */  \
    NEXT(TEXT(STORAGE_KEY_TYPE_SIZE),                                                              \
         key_type) /* type of the client's verified key; "" without a key */                       \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE), key_fingerprint)                                          \
    NEXT(LINK, table, table_id) /* table that the person is at; 0: in the lobby */                 \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), address)                                                      \
    NEXT(TEXT(STORAGE_WORD_SIZE), transport)                                                       \
    NEXT(NUMBER, since_ms)                                                                         \
    NEXT(FLAG,                                                                                     \
         is_recovered) /* the person signed in with a recovery code and has no new password yet */ \
    NEXT(TEXT(STORAGE_OBSERVES_SIZE),                                                              \
         observes)     /* reason that a moderator gave for watching unseen; "" for others */       \
    NEXT(LINK, review) /* shared replay (archive.h) that the person watches; 0: none */            \
    NEXT(NUMBER, review_place) /* order of joining the shared replay: the person with the lowest   \
                                  number leads */

struct storage_connection {
    STORAGE_MEMBERS(STORAGE_CONNECTION_COLUMNS)
};

/* Former names of accounts. */

#define STORAGE_FORMER_NAME_COLUMNS(FIRST, NEXT)                                                   \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_NAME_SIZE), name)                                                            \
    NEXT(TEXT(STORAGE_NAME_SIZE), skeleton)                                                        \
    NEXT(NUMBER, until_ms) /* when the account lost the name */

struct storage_former_name {
    STORAGE_MEMBERS(STORAGE_FORMER_NAME_COLUMNS)
};

/* Guests who are connected, or were until recently. */

#define STORAGE_GUESTS_MAX 4096    /* the most guests stored */
#define STORAGE_GUESTS_EACH_MAX 16 /* the most guests stored for one network */

#define STORAGE_GUEST_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(TEXT(STORAGE_NAME_SIZE), name)                                                           \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE),                                                               \
         net) /* the guest's IPv4 address, or the /64 network of an IPv6 address */                \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), address)                                                      \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE),                                                           \
         fingerprint) /* fingerprint of the guest's key; "" without a key */                       \
    NEXT(TEXT(STORAGE_WORD_SIZE), transport)                                                       \
    NEXT(NUMBER, seen_ms) /* when the guest was last seen */

struct storage_guest {
    STORAGE_MEMBERS(STORAGE_GUEST_COLUMNS)
};

/* Adds a guest or replaces it. Deletes guests last seen before `delete_before_ms`, and the oldest
 * ones beyond the limits. */
enum storage_result storage_guest_save(struct storage *storage, const struct storage_guest *guest,
                                       int64_t delete_before_ms) MUST_CHECK;

/* The addresses and keys that accounts have signed in with. Old ones are deleted by
 * storage/upkeep/upkeep.h. */

#define STORAGE_SIGN_IN_COLUMNS(FIRST, NEXT)                                                       \
    FIRST(TEXT(STORAGE_NAME_SIZE), name) /* name of the account */                                 \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), address)                                                      \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE), fingerprint)                                              \
    NEXT(NUMBER, first_ms)                                                                         \
    NEXT(NUMBER, last_ms)                                                                          \
    NEXT(UINT32, count)

struct storage_sign_in {
    STORAGE_MEMBERS(STORAGE_SIGN_IN_COLUMNS)
};

/* Inside storage/ only: the end of an insertion into `tallies` that adds the new row to the one
 * that is there for the same player, game, span and number of players. */
#define TALLIES_ADD_UP                                                                             \
    " ON CONFLICT (account, game, span, players) DO UPDATE SET last_ms = CASE"                     \
    " WHEN tallies.last_ms > excluded.last_ms THEN tallies.last_ms ELSE excluded.last_ms END,"     \
    " games = tallies.games + excluded.games, wins = tallies.wins + excluded.wins,"                \
    " place_sum = tallies.place_sum + excluded.place_sum,"                                         \
    " stat_hits = tallies.stat_hits + excluded.stat_hits,"                                         \
    " stat_chances = tallies.stat_chances + excluded.stat_chances,"                                \
    " finished = tallies.finished + excluded.finished,"                                            \
    " \"left\" = tallies.\"left\" + excluded.\"left\""

/* Authenticators for time-based codes (RFC 6238). An account has at most one. */

#define STORAGE_TOTP_SECRET_SIZE 33 /* size of a secret of 160 bits in base32 with its NUL */

#define STORAGE_TOTP_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, account)                                                                         \
    NEXT(TEXT(STORAGE_TOTP_SECRET_SIZE), secret)                                                   \
    NEXT(NUMBER, used_step) /* codes of this time step and earlier ones are used up */

struct storage_totp {
    STORAGE_MEMBERS(STORAGE_TOTP_COLUMNS)
};

/* Stores an account's authenticator and replaces an earlier one. STORAGE_REFUSED when there is no
 * such account. */
enum storage_result storage_totp_put(struct storage *storage, int64_t account,
                                     const struct storage_totp *totp) MUST_CHECK;

#define STATEMENT STATEMENT_DECLARED
#include "storage/accounts/accounts.def"
