#pragma once

#include "lobby/sanctions/order.h"
#include "storage/mod/reports.h"

/*
 * Appeals against a sanction or a hold. Each is a case with a number (cases.h), which staff take,
 * resolve (the sanction is lifted) or dismiss (it stays). The author reads the answer, even when
 * refused at sign-in. Only one appeal may be open at a time; the next against the same sanction is
 * allowed a day after the one before.
 */

struct appeal {
    const struct storage_sanction *against; /* NULL: a hold */
    int64_t account;                        /* the author's account; 0: none */
    const char *name;                       /* or the banned address or key */
    const char *text;
};

/* Whether another appeal is allowed now. */
bool appeal_may_be_made(struct house *house, const struct appeal *appeal) MUST_CHECK;

/* Stores the appeal and tells staff; returns its number. */
int64_t appeal_make(struct house *house, const struct appeal *appeal);

/* A sentence (say.h) about the newest appeal against a sanction; NULL without one. */
json_t *appeal_say(struct house *house, int64_t sanction);

/* What an appeal is against, for people: "muted (lobby) until …, by max: spam"; "held". */
json_t *appeal_against_say(struct house *house, const struct storage_report *appeal);

/* Lifts the sanction or hold that the appeal is against, if still in force; false when the order is
 * refused. */
bool appeal_grant(struct order *order, const struct storage_report *appeal) MUST_CHECK;

/* A sanction has ended, by whom and why: that answers an open appeal. */
void appeal_is_over(struct house *house, const struct storage_sanction *sanction, const char *by,
                    const char *why);
