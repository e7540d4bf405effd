#ifndef LOBBY_SANCTIONS_APPEALS_H
#define LOBBY_SANCTIONS_APPEALS_H

#include "lobby/sanctions/order.h"
#include "storage/mod/reports.h"

/*
 * Appeals against a sanction or a hold. Each is a case with a number (cases.h), which staff take,
 * resolve (what it is against is lifted) or dismiss (it stays); its author reads the answer, at the
 * door too. One waits at a time, and the next against the same comes a day after the one before at
 * the earliest.
 */

struct appeal {
    const struct storage_sanction *against; /* NULL: a hold */
    int64_t account;                        /* whose it is; 0: no account's */
    const char *name;                       /* or an address or key that is kept out */
    const char *text;
};

/* Whether another may be made now. */
bool appeal_may_be_made(struct house *house, const struct appeal *appeal) MUST_CHECK;

/* Keeps it and tells staff; its number. */
int64_t appeal_make(struct house *house, const struct appeal *appeal);

/* What there is to read of the newest appeal against a sanction; "" without one. */
#define APPEAL_WORDS_SIZE 800
void appeal_words(struct house *house, int64_t sanction, char words[APPEAL_WORDS_SIZE]);

/* What an appeal is against: "muted (lobby) until …, by max: spam"; "held". */
void appeal_against_words(struct house *house, const struct storage_report *appeal,
                          char words[WORDS_MAX]);

/* Lifts what the appeal is against, if it is still in force; false when the order is refused. */
bool appeal_grant(struct order *order, const struct storage_report *appeal) MUST_CHECK;

/* A sanction is over, by whom and why: an appeal that waits is answered by that. */
void appeal_is_over(struct house *house, const struct storage_sanction *sanction, const char *by,
                    const char *why);

#endif
