#pragma once

#include "storage/mod/sanctions.h"
#include "storage/sql/columns.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

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
enum storage_result storage_report_read(struct storage *storage, int64_t id,
                                        struct storage_report *report) MUST_CHECK;

/* Writes a report's staff columns; STORAGE_NOT_FOUND when there is no such report. */
enum storage_result storage_report_save(struct storage *storage,
                                        const struct storage_report *report) MUST_CHECK;

/* Counts the reports that an account has made since `since_ms`, appeals excluded. */
enum storage_result storage_reports_count(struct storage *storage, int64_t by_account,
                                          int64_t since_ms, uint32_t *count) MUST_CHECK;

typedef bool storage_report_row(void *context, const struct storage_report *report);

/* Each of these functions lists reports: the open ones, oldest first; all, newest first; those that
 * one account made, newest first. */
enum storage_result storage_reports_list_open(struct storage *storage, storage_report_row *row,
                                              void *context) MUST_CHECK;
enum storage_result storage_reports_list_all(struct storage *storage, storage_report_row *row,
                                             void *context) MUST_CHECK;
enum storage_result storage_reports_list_by_reporter(struct storage *storage, int64_t reporter,
                                                     storage_report_row *row,
                                                     void *context) MUST_CHECK;

/* Lists an account's closed reports whose answers it has not read, oldest first. */
enum storage_result storage_reports_list_unread_answers(struct storage *storage, int64_t reporter,
                                                        storage_report_row *row,
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

enum storage_result storage_note_add(struct storage *storage,
                                     const struct storage_note *note) MUST_CHECK;

typedef bool storage_note_row(void *context, const struct storage_note *note);

/* Each function lists the notes about one account, report or guest (by network), in the order they
 * were written. */
enum storage_result storage_notes_list_of_account(struct storage *storage, int64_t account,
                                                  storage_note_row *row, void *context) MUST_CHECK;
enum storage_result storage_notes_list_of_network(struct storage *storage, const char *network,
                                                  storage_note_row *row, void *context) MUST_CHECK;
enum storage_result storage_notes_list_of_report(struct storage *storage, int64_t report,
                                                 storage_note_row *row, void *context) MUST_CHECK;
