#pragma once

#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/*
 * The audit log: actions of staff and of the house itself, and reports by players. Rows are only
 * ever added: triggers refuse changes, but for sealing.
 *
 * Addresses and keys are sealed when they are old (storage_audit_seal): a keyed hash takes their
 * place, `#` and 32 hex digits, with a key that was made with the first row and stays in the
 * database. The hashes of the rows below cover the sealed form of these texts from the start, so
 * sealing leaves them valid.
 *
 * Each row's hash is BLAKE2b-256 over the hash of the row before it and all of its own columns. So
 * verification detects a row that somebody changed or deleted in the file itself. The head (number
 * and hash of the newest row) is stored separately, so that missing newest rows are detected too.
 * If somebody forges both the rows and the head, a head that was written down elsewhere reveals it.
 */

#define STORAGE_AUDIT_HASH_BYTES 32
#define STORAGE_AUDIT_TEXT_SIZE 262145

#define STORAGE_KIND_AUDIT_TEXT STORAGE_KIND_BORROWED(STORAGE_AUDIT_TEXT_SIZE)

/* The columns in the order in which they are hashed. Never change the order; add new columns at the
 * end. A column without meaning for a row is 0 or "" (or NULL). */
#define STORAGE_AUDIT_COLUMNS(FIRST, NEXT)                                                         \
    FIRST(NUMBER, at_ms)                                                                           \
    NEXT(NUMBER, actor) /* account that acted; 0: a guest, the owner or the house */               \
    NEXT(AUDIT_TEXT, actor_name)                                                                   \
    NEXT(AUDIT_TEXT, actor_role) /* role or name of the actor at that time */                      \
    NEXT(NUMBER, session)        /* number that the gate gave the connection */                    \
    NEXT(AUDIT_TEXT, address)                                                                      \
    NEXT(AUDIT_TEXT, fingerprint) /* fingerprint of the connection's key */                        \
    NEXT(AUDIT_TEXT, via)         /* how the request came: "tui", "exec", "api", "system" */       \
    NEXT(AUDIT_TEXT, verb)                                                                         \
    NEXT(AUDIT_TEXT, arguments)   /* arguments of the command as typed */                          \
    NEXT(AUDIT_TEXT, target_type) /* kind of target: "user", "address", "key", "table", "game" */  \
    NEXT(NUMBER, target_id)                                                                        \
    NEXT(AUDIT_TEXT, target_name) /* role or name of the target at that time */                    \
    NEXT(AUDIT_TEXT, scope)                                                                        \
    NEXT(NUMBER, duration_ms) /* duration of a sanction; -1: for good */                           \
    NEXT(NUMBER, expires_ms)                                                                       \
    NEXT(AUDIT_TEXT, reason)                                                                       \
    NEXT(AUDIT_TEXT, note)                                                                         \
    NEXT(NUMBER, report)                                                                           \
    NEXT(NUMBER, table_id)                                                                         \
    NEXT(NUMBER, game_id)                                                                          \
    NEXT(NUMBER, line_first) /* first chat line of the evidence */                                 \
    NEXT(NUMBER, line_last)                                                                        \
    NEXT(AUDIT_TEXT, state_before) /* state before the action, as JSON */                          \
    NEXT(AUDIT_TEXT, state_after)                                                                  \
    NEXT(AUDIT_TEXT, result) /* result of the action: "ok", "denied", "error" */                   \
    NEXT(AUDIT_TEXT, error)  /* error code of a failed action */                                   \
    NEXT(NUMBER, reverses)   /* number of the row whose action this one reverses */

#define STORAGE_AUDIT_ALL_COLUMNS(FIRST, NEXT)                                                     \
    FIRST(NUMBER, id) /* number of the row: 1, 2, 3 … without a gap */                           \
    STORAGE_AUDIT_COLUMNS(NEXT, NEXT)

struct storage_audit {
    STORAGE_MEMBERS(STORAGE_AUDIT_ALL_COLUMNS)
};

/* Adds a row to the audit log. The row gets the next number (*id) instead of row->id. */
enum storage_result storage_audit_add(struct storage *storage, const struct storage_audit *row,
                                      int64_t *id) MUST_CHECK;

/* Reads the number that the next added row will have. */
enum storage_result storage_audit_read_next_id(struct storage *storage, int64_t *id) MUST_CHECK;

/* Selects rows of the audit log. "" and 0 match every row. The search covers the newest
 * STORAGE_AUDIT_LOOK rows only. */
#define STORAGE_AUDIT_LOOK 100000
struct storage_audit_query {
    const char *actor, *target, *verb;
    int64_t since_ms;
    size_t most;
};

/* Seals the addresses and keys of up to `max_rows` rows from before this time, the oldest first:
 * those of whoever acted, and, where an address or a key is the target or among the arguments, the
 * arguments, the target's name and the states before and after. Sets *count to the rows looked at:
 * fewer than max_rows at the end. */
enum storage_result storage_audit_seal(struct storage *storage, int64_t before_ms, size_t max_rows,
                                       int64_t *count) MUST_CHECK;

enum storage_audit_state {
    STORAGE_AUDIT_WHOLE = 0,
    STORAGE_AUDIT_CHANGED, /* the row does not match its hash */
    STORAGE_AUDIT_BROKEN,  /* the row does not continue the chain of hashes */
    STORAGE_AUDIT_MISSING, /* a row is missing */
};

struct storage_audit_check {
    enum storage_audit_state state;
    int64_t bad;  /* number of the first bad row; 0: none */
    int64_t rows; /* number of rows checked */
    int64_t next; /* number of the row to continue with; 0: the end was reached */
    uint8_t head[STORAGE_AUDIT_HASH_BYTES]; /* hash of the last good row; zeros: no row yet */
};

/* Checks the audit log's rows from number `from_id` (1 or more) to `from_id` + `max_rows` - 1. */
enum storage_result storage_audit_verify(struct storage *storage, int64_t from_id, int64_t max_rows,
                                         struct storage_audit_check *check) MUST_CHECK;

/* House rules that staff change while the house runs: each is a number, found by its kind and
 * name. */

#define STORAGE_RULE_NAME_SIZE 129

/* The values of this enum are stored: they never change. */
enum storage_rule {
    STORAGE_RULE_SLOW = 0,   /* seconds that a person must wait between two lines in a channel */
    STORAGE_RULE_FROZEN = 1, /* only staff may talk in a channel */
    STORAGE_RULE_OFF = 2,    /* a command or a game is disabled for players */
    STORAGE_RULE_ALLOWED = 3, /* an address ("ip=…") or a key ("key=…") is exempt from bans and from
                                 limits for new accounts */
    STORAGE_RULE_INVITED = 4, /* until when (Unix ms) a code, whose hash is the name, lets somebody
                                 sign up */
};

/* Sets the rule; a value of 0 deletes it. */
enum storage_result storage_rule_set(struct storage *storage, enum storage_rule kind,
                                     const char *name, int64_t value) MUST_CHECK;

/* Lists all rules of a kind in the order of their names, until `row` returns false. */
enum storage_result storage_rules_each(struct storage *storage, enum storage_rule kind,
                                       bool (*row)(void *context, const char *name, int64_t value),
                                       void *context) MUST_CHECK;

/* Staff decisions in force, and which staff member took each. There is at most one decision for
 * each kind and name. Sanctions are stored in sanctions.h. */

/* The values of this enum are stored: they never change. */
enum storage_decision_kind {
    /* staff made an account pending; `name` is the account's number as text */
    STORAGE_DECISION_HOLD = 0,
    STORAGE_DECISION_SLOW = 1,   /* a chat is in slow mode */
    STORAGE_DECISION_FROZEN = 2, /* only staff may talk in a chat */
    /* staff renamed an account; `name` is the account's number as text */
    STORAGE_DECISION_NAME = 3,
    STORAGE_DECISION_LAST = STORAGE_DECISION_NAME,
};

#define STORAGE_DECISION_COLUMNS(FIRST, NEXT)                                                      \
    FIRST(CHOICE(storage_decision_kind, STORAGE_DECISION_LAST), kind)                              \
    NEXT(TEXT(STORAGE_RULE_NAME_SIZE), name)                                                       \
    NEXT(UINT8, by_role) /* number of the staff member's role, defined by the caller */            \
    NEXT(TEXT(STORAGE_NAME_SIZE), by_name)                                                         \
    NEXT(NUMBER, at_ms)

struct storage_decision {
    STORAGE_MEMBERS(STORAGE_DECISION_COLUMNS)
};

/* Penalties that must survive a restart of the core: delays after wrong passwords, and counts of
 * new accounts by source. */

#define STORAGE_NAME_HASH_SIZE 65 /* size of a name's hash in hex with its NUL */

#define STORAGE_BACKOFF_COLUMNS(FIRST, NEXT)                                                       \
    FIRST(TEXT(STORAGE_NAME_HASH_SIZE), name_hash)                                                 \
    NEXT(UINT32, failures) /* number of failed sign-in attempts in a row */                        \
    NEXT(NUMBER, until_ms) /* no sign-in attempt is allowed before this time */

struct storage_backoff {
    STORAGE_MEMBERS(STORAGE_BACKOFF_COLUMNS)
};

/* Adds or replaces the sign-in delay of a name. When more than `max_delays` (1 or more) delays are
 * stored, deletes those that end first. */
enum storage_result storage_backoff_save(struct storage *storage,
                                         const struct storage_backoff *backoff,
                                         uint32_t max_delays) MUST_CHECK;

#define STORAGE_REGISTRATION_COLUMNS(FIRST, NEXT)                                                  \
    FIRST(TEXT(STORAGE_ADDRESS_SIZE),                                                              \
          source)       /* address or network from which the accounts were created */              \
    NEXT(UINT32, count) /* number of accounts created from the source */                           \
    NEXT(NUMBER, first_ms)

struct storage_registration {
    STORAGE_MEMBERS(STORAGE_REGISTRATION_COLUMNS)
};

/* Sanctions against accounts, guests, addresses and keys, current and past. */

#define STORAGE_REASON_SIZE 513

/* The values of this enum are stored: they never change. */
enum storage_sanction_kind {
    STORED_VALUES(STORED_SANCTION_KINDS, STORAGE_SANCTION_)
    STORAGE_SANCTION_LAST = STORED_LAST(STORED_SANCTION_KINDS),
};
#define STORAGE_SANCTION_ALL                                                                       \
    ((1U << (STORAGE_SANCTION_LAST + 1)) -                                                         \
     1) /* the set of all kinds of sanctions: one bit for each kind */

#define STORAGE_SANCTION_FOR_GOOD INT64_MAX /* until_ms of a sanction that never ends by itself */

#define STORAGE_SANCTION_COLUMNS(FIRST, NEXT)                                                      \
    FIRST(NUMBER, id) /* number of the sanction, from 1; never used again */                       \
    NEXT(CHOICE(storage_sanction_kind, STORAGE_SANCTION_LAST), kind)                               \
    NEXT(LINK, account) /* account of the person; 0: an address, a key, or a guest by name */      \
    NEXT(TEXT(STORAGE_NAME_SIZE),                                                                  \
         name) /* name of the person when the sanction began; "" for an address or a key */        \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), address) /* "192.0.2.0/24"; "" */                             \
    NEXT(TEXT(STORAGE_FINGERPRINT_SIZE), fingerprint)                                              \
    NEXT(UINT32, scopes) /* flags of the sanction, defined by the caller */                        \
    NEXT(TEXT(STORAGE_REASON_SIZE), reason)                                                        \
    NEXT(TEXT(STORAGE_REASON_SIZE), note) /* staff's note, which the person never sees */          \
    NEXT(TEXT(STORAGE_NAME_SIZE), by_name)                                                         \
    NEXT(UINT8, by_role) /* number of the staff member's role, defined by the caller */            \
    NEXT(NUMBER, audit)  /* number of the sanction's row in the audit log */                       \
    NEXT(NUMBER, since_ms)                                                                         \
    NEXT(NUMBER, until_ms)                                                                         \
    NEXT(NUMBER, ended_ms) /* when the sanction ended; 0: it is still in force */                  \
    NEXT(TEXT(STORAGE_NAME_SIZE), ended_by)                                                        \
    NEXT(TEXT(STORAGE_REASON_SIZE), appeal)                                                        \
    NEXT(NUMBER, appeal_ms) /* when the person appealed; 0: there is no appeal */

struct storage_sanction {
    STORAGE_MEMBERS(STORAGE_SANCTION_COLUMNS)
};

/* Adds a sanction, which gets a new number (*id) instead of sanction->id; its `ended_*` and
 * `appeal*` are not used. */
enum storage_result storage_sanction_add(struct storage *storage,
                                         const struct storage_sanction *sanction,
                                         int64_t *id) MUST_CHECK;

/* Ends a sanction in force; STORAGE_NOT_FOUND when it is not in force. */
enum storage_result storage_sanction_end(struct storage *storage, int64_t id, int64_t ended_ms,
                                         const char *ended_by) MUST_CHECK;

typedef bool storage_sanction_row(void *context, const struct storage_sanction *sanction);

/* Reports about players, appeals, and staff notes about accounts, guests and reports. */

/* The values of this enum are stored: they never change. */
enum storage_report_state {
    STORED_VALUES(STORED_REPORT_STATES, STORAGE_REPORT_)
    STORAGE_REPORT_STATE_LAST = STORED_LAST(STORED_REPORT_STATES),
};

#define STORAGE_REPORT_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, id)      /* number of the report, from 1; never used again */                    \
    NEXT(LINK, by_account) /* account of the reporter; 0: a guest */                               \
    NEXT(TEXT(STORAGE_NAME_SIZE), by_name)                                                         \
    NEXT(LINK, about_account) /* account of the reported player; 0: a guest */                     \
    NEXT(TEXT(STORAGE_NAME_SIZE), about_name)                                                      \
    NEXT(TEXT(STORAGE_WORD_SIZE), category)                                                        \
    NEXT(TEXT(STORAGE_REASON_SIZE), text)                                                          \
    NEXT(NUMBER, table, table_id) /* table at which the reporter was; 0: the lobby */              \
    NEXT(NUMBER, game,                                                                             \
         game_id)            /* game played or just finished at the reporter's table; 0: none */   \
    NEXT(NUMBER, line_first) /* number of the first chat line of the evidence; 0: none */          \
    NEXT(NUMBER, line_last)                                                                        \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(LINK, sanction) /* sanction that an appeal is against; 0: none */

/* The columns about how staff handled the report; storage_report_save writes them. */
#define STORAGE_REPORT_STAFF_COLUMNS(FIRST, NEXT)                                                  \
    FIRST(CHOICE(storage_report_state, STORAGE_REPORT_STATE_LAST), state)                          \
    NEXT(TEXT(STORAGE_NAME_SIZE),                                                                  \
         staff_name) /* staff member who took or closed the report; "" for nobody */               \
    NEXT(TEXT(STORAGE_REASON_SIZE),                                                                \
         answer)            /* staff's answer to the reporter; "" until the report is closed */    \
    NEXT(NUMBER, closed_ms) /* when staff closed the report; 0: the report is open */              \
    NEXT(NUMBER, read_ms)   /* when the reporter read the answer; 0: not read yet */

#define STORAGE_REPORT_ALL_COLUMNS(FIRST, NEXT)                                                    \
    STORAGE_REPORT_COLUMNS(FIRST, NEXT) STORAGE_REPORT_STAFF_COLUMNS(NEXT, NEXT)

struct storage_report {
    STORAGE_MEMBERS(STORAGE_REPORT_ALL_COLUMNS)
};

/* The category of appeals. An appeal without a sanction asks staff to release a pending account. */
#define STORAGE_REPORT_APPEAL "appeal"

/* Adds an open report, which gets a new number (*id) instead of report->id. The staff columns are
 * not used. */
enum storage_result storage_report_add(struct storage *storage, const struct storage_report *report,
                                       int64_t *id) MUST_CHECK;

/* Writes a report's staff columns; STORAGE_NOT_FOUND when there is no such report. */
enum storage_result storage_report_save(struct storage *storage,
                                        const struct storage_report *report) MUST_CHECK;

typedef bool storage_report_row(void *context, const struct storage_report *report);

enum storage_reports {
    STORAGE_REPORTS_ALL,         /* newest first */
    STORAGE_REPORTS_OPEN,        /* oldest first */
    STORAGE_REPORTS_OF_REPORTER, /* those that one account made, newest first */
    STORAGE_REPORTS_UNREAD,      /* the closed ones of that account whose answers it has not read,
                                    oldest first */
};

/* Lists reports; `reporter` is the account, for the last two. */
enum storage_result storage_reports_each(struct storage *storage, enum storage_reports which,
                                         int64_t reporter, storage_report_row *row,
                                         void *context) MUST_CHECK;

/* Finds the newest appeal against a sanction or, when `sanction` is 0, the newest appeal of a
 * pending account; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_appeal_find_newest(struct storage *storage, int64_t sanction,
                                               int64_t account,
                                               struct storage_report *report) MUST_CHECK;

#define STORAGE_NOTE_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(LINK, account) /* the note is about this account; 0: about a report or a guest */        \
    NEXT(NUMBER, report) /* the note is about this report; 0: about an account or a guest */       \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE),                                                               \
         net) /* the note is about a guest from this network; "": not about a guest */             \
    NEXT(TEXT(STORAGE_NAME_SIZE), by_name)                                                         \
    NEXT(TEXT(STORAGE_REASON_SIZE), text)                                                          \
    NEXT(NUMBER, at_ms)

struct storage_note {
    STORAGE_MEMBERS(STORAGE_NOTE_COLUMNS)
};

typedef bool storage_note_row(void *context, const struct storage_note *note);

/* Lists the notes about the report of `about`, about guests from its network, or about its account,
 * the first of them that it has, in the order in which they were written. */
enum storage_result storage_notes_each(struct storage *storage, const struct storage_note *about,
                                       storage_note_row *row, void *context) MUST_CHECK;

/* The sources of a sanction: networks its person connected from ("192.0.2.7", "2001:db8:0:1::/64")
 * and keys the person showed ("SHA256:…"). The house recognises the person by these sources, and
 * deletes them when the sanction ends. */

#define STORAGE_SOURCE_SIZE 65
#define STORAGE_SOURCES_MAX 64 /* maximum number of sources of a sanction */

typedef bool storage_sanction_source_row(void *context, int64_t sanction, const char *source);

/* Lists the sources of all sanctions. */
enum storage_result storage_sanction_sources_each(struct storage *storage,
                                                  storage_sanction_source_row *row,
                                                  void *context) MUST_CHECK;

#define STATEMENT STATEMENT_DECLARED
#include "storage/mod/mod.def"
