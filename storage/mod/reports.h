#pragma once

#include "storage/mod/sanctions.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/* Reports about players, appeals, and staff notes about accounts, guests and reports. */

/* Stored: the numbers never change. */
enum storage_report_state {
    STORED_VALUES(STORED_REPORT_STATES, STORAGE_REPORT_)
    STORAGE_REPORT_STATE_LAST = STORED_LAST(STORED_REPORT_STATES),
};

#define STORAGE_REPORT_COLUMNS(FIRST, NEXT)                                                        \
    FIRST(NUMBER, id)      /* 1 or more, never used again */                                       \
    NEXT(LINK, by_account) /* 0: a guest */                                                        \
    NEXT(TEXT(STORAGE_NAME_SIZE), by_name)                                                         \
    NEXT(LINK, about_account) /* 0: a guest */                                                     \
    NEXT(TEXT(STORAGE_NAME_SIZE), about_name)                                                      \
    NEXT(TEXT(STORAGE_WORD_SIZE), category)                                                        \
    NEXT(TEXT(STORAGE_REASON_SIZE), text)                                                          \
    NEXT(NUMBER, table, table_id) /* where the reporter was; 0: the lobby */                       \
    NEXT(NUMBER, game, game_id)   /* played or just over at that table; 0 */                       \
    NEXT(NUMBER, line_first)      /* range of the chat there, up to then; 0: none */               \
    NEXT(NUMBER, line_last)                                                                        \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(LINK, sanction) /* the sanction appealed against; 0 */

/* How staff handle the report: storage_report_save writes these. */
#define STORAGE_REPORT_STAFF_COLUMNS(FIRST, NEXT)                                                  \
    FIRST(CHOICE(storage_report_state, STORAGE_REPORT_STATE_LAST), state)                          \
    NEXT(TEXT(STORAGE_NAME_SIZE), staff_name) /* staff member who took or closed it; "" */         \
    NEXT(TEXT(STORAGE_REASON_SIZE), answer)   /* set when it is closed; "" */                      \
    NEXT(NUMBER, closed_ms)                   /* 0: not closed */                                  \
    NEXT(NUMBER, read_ms)                     /* when the author read the answer; 0: not yet */

#define STORAGE_REPORT_ALL_COLUMNS(FIRST, NEXT)                                                    \
    STORAGE_REPORT_COLUMNS(FIRST, NEXT) STORAGE_REPORT_STAFF_COLUMNS(NEXT, NEXT)

struct storage_report {
    STORAGE_MEMBERS(STORAGE_REPORT_ALL_COLUMNS)
};

/* The category of appeals; an appeal without a sanction is against the hold of a pending
 * account. */
#define STORAGE_REPORT_APPEAL "appeal"

/* Adds an open report; its `id` and its staff columns are ignored; *id is set. */
enum storage_result storage_report_add(struct storage *storage, const struct storage_report *report,
                                       int64_t *id) MUST_CHECK;
enum storage_result storage_report_read(struct storage *storage, int64_t id,
                                        struct storage_report *report) MUST_CHECK;

/* Writes the staff columns of a report; STORAGE_NOT_FOUND when there is no such report. */
enum storage_result storage_report_save(struct storage *storage,
                                        const struct storage_report *report) MUST_CHECK;

/* Counts the reports an account has made since `since_ms`, without its appeals. */
enum storage_result storage_reports_count(struct storage *storage, int64_t by_account,
                                          int64_t since_ms, uint32_t *count) MUST_CHECK;

typedef bool storage_report_row(void *context, const struct storage_report *report);

/* The open reports, oldest first; all reports, newest first; the reports by one account, newest
 * first. */
enum storage_result storage_reports_list_open(struct storage *storage, storage_report_row *row,
                                              void *context) MUST_CHECK;
enum storage_result storage_reports_list_all(struct storage *storage, storage_report_row *row,
                                             void *context) MUST_CHECK;
enum storage_result storage_reports_list_by(struct storage *storage, int64_t account,
                                            storage_report_row *row, void *context) MUST_CHECK;

/* The closed reports by an account whose answers it has not read, oldest first. */
enum storage_result storage_reports_list_unread(struct storage *storage, int64_t account,
                                                storage_report_row *row, void *context) MUST_CHECK;

/* The newest appeal against a sanction or, with a sanction of 0, against the hold of the account;
 * STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_appeal_find_newest(struct storage *storage, int64_t sanction,
                                               int64_t account,
                                               struct storage_report *report) MUST_CHECK;

#define STORAGE_NOTE_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(LINK, account)                  /* subject; 0: a report or a guest */                    \
    NEXT(NUMBER, report)                  /* subject; 0: an account or a guest */                  \
    NEXT(TEXT(STORAGE_ADDRESS_SIZE), net) /* subject: the guest from this network; "" */           \
    NEXT(TEXT(STORAGE_NAME_SIZE), by_name)                                                         \
    NEXT(TEXT(STORAGE_REASON_SIZE), text)                                                          \
    NEXT(NUMBER, at_ms)

struct storage_note {
    STORAGE_MEMBERS(STORAGE_NOTE_COLUMNS)
};

enum storage_result storage_note_add(struct storage *storage,
                                     const struct storage_note *note) MUST_CHECK;

typedef bool storage_note_row(void *context, const struct storage_note *note);

/* The notes about one subject, in the order they were written. */
enum storage_result storage_notes_of_account(struct storage *storage, int64_t account,
                                             storage_note_row *row, void *context) MUST_CHECK;
enum storage_result storage_notes_of_net(struct storage *storage, const char *net,
                                         storage_note_row *row, void *context) MUST_CHECK;
enum storage_result storage_notes_of_report(struct storage *storage, int64_t report,
                                            storage_note_row *row, void *context) MUST_CHECK;
