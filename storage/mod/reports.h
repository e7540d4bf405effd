#ifndef STORAGE_MOD_REPORTS_H
#define STORAGE_MOD_REPORTS_H

#include "storage/mod/sanctions.h"
#include "storage/storage.h"

/* What people report about each other, what they appeal against, and what staff note about accounts
 * and reports. */

/* Stored: the numbers never change. */
enum storage_report_state {
    STORAGE_REPORT_OPEN = 0,
    STORAGE_REPORT_TAKEN = 1,
    STORAGE_REPORT_RESOLVED = 2,
    STORAGE_REPORT_DISMISSED = 3,
    STORAGE_REPORT_STATE_LAST = STORAGE_REPORT_DISMISSED,
};

struct storage_report {
    int64_t id;         /* 1 or more, never used again */
    int64_t by_account; /* 0: a guest */
    char by_name[STORAGE_NAME_SIZE];
    int64_t about_account; /* 0: a guest */
    char about_name[STORAGE_NAME_SIZE];
    char category[STORAGE_WORD_SIZE];
    char text[STORAGE_REASON_SIZE];
    int64_t table;                 /* where the reporter was; 0: in the lobby */
    int64_t game;                  /* that was on or over there; 0 */
    int64_t line_first, line_last; /* of the talk there, up to then; 0: none */
    int64_t at_ms;
    enum storage_report_state state;
    char staff_name[STORAGE_NAME_SIZE]; /* who took or closed it; "" */
    char answer[STORAGE_REASON_SIZE];   /* when it was closed; "" */
    int64_t closed_ms;                  /* 0: it is not */
    int64_t sanction;                   /* an appeal against it; 0 */
    int64_t read_ms;                    /* its author has read the answer; 0: not yet */
};

/* The category of appeals; one without a sanction is against a hold. */
#define STORAGE_REPORT_APPEAL "appeal"

/* Adds one; its `id`, `state`, `staff_name`, `answer`, `closed_ms` and `read_ms` are ignored; *id
 * is set. */
enum storage_result storage_report_add(struct storage *storage, const struct storage_report *report,
                                       int64_t *id) MUST_CHECK;
enum storage_result storage_report_read(struct storage *storage, int64_t id,
                                        struct storage_report *report) MUST_CHECK;

/* Writes `state`, `staff_name`, `answer`, `closed_ms` and `read_ms`; STORAGE_NOT_FOUND: there is
 * none. */
enum storage_result storage_report_save(struct storage *storage,
                                        const struct storage_report *report) MUST_CHECK;

/* How many an account has made since then, appeals aside. */
enum storage_result storage_reports_count(struct storage *storage, int64_t by_account,
                                          int64_t since_ms, uint32_t *count) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_report_row(void *context, const struct storage_report *report);

/* Those that wait for staff, oldest first; all, and an account's own, newest first. */
enum storage_result storage_reports_open(struct storage *storage, storage_report_row *row,
                                         void *context) MUST_CHECK;
enum storage_result storage_reports_all(struct storage *storage, storage_report_row *row,
                                        void *context) MUST_CHECK;
enum storage_result storage_reports_by(struct storage *storage, int64_t account,
                                       storage_report_row *row, void *context) MUST_CHECK;

/* Those of an account that are closed and whose answer it has not read, oldest first. */
enum storage_result storage_reports_unread(struct storage *storage, int64_t account,
                                           storage_report_row *row, void *context) MUST_CHECK;

/* The newest appeal against a sanction, or (0) against the account's hold; STORAGE_NOT_FOUND. */
enum storage_result storage_appeal_newest(struct storage *storage, int64_t sanction,
                                          int64_t account,
                                          struct storage_report *report) MUST_CHECK;

struct storage_note {
    int64_t account;                /* about whom; 0 when about a report or a guest */
    int64_t report;                 /* 0 when about somebody */
    char net[STORAGE_ADDRESS_SIZE]; /* about the guest from there; "" */
    char by_name[STORAGE_NAME_SIZE];
    char text[STORAGE_REASON_SIZE];
    int64_t at_ms;
};

enum storage_result storage_note_add(struct storage *storage,
                                     const struct storage_note *note) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_note_row(void *context, const struct storage_note *note);

/* In the order they were written. */
enum storage_result storage_notes_of_account(struct storage *storage, int64_t account,
                                             storage_note_row *row, void *context) MUST_CHECK;
enum storage_result storage_notes_of_net(struct storage *storage, const char *net,
                                         storage_note_row *row, void *context) MUST_CHECK;
enum storage_result storage_notes_of_report(struct storage *storage, int64_t report,
                                            storage_note_row *row, void *context) MUST_CHECK;

#endif
