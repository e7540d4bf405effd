#pragma once

#include "lobby/sanctions/order.h"
#include "storage/mod/reports.h"

/*
 * Appeals against a sanction or a hold. Each is a numbered case, which staff take, then resolve
 * (the sanction is lifted) or dismiss (it stays). The author reads the answer, even when refused at
 * sign-in. Only one appeal against the same sanction may be open at a time; the next is allowed a
 * day after the one before.
 */

struct appeal {
    const struct storage_sanction *against; /* the sanction; NULL: a hold */
    int64_t account;                        /* the author's account; 0: none */
    const char *name;                       /* the author's name, or the banned address or key */
    const char *text;
};

/* Whether this appeal is allowed now. */
bool appeal_is_allowed(struct house *house, const struct appeal *appeal) MUST_CHECK;

/* Stores the appeal and tells staff. Returns the number of the case. */
int64_t appeal_submit(struct house *house, const struct appeal *appeal);

/* A sentence (say.h) about the state of the newest appeal against a sanction; NULL without one. */
json_t *appeal_status_sentence(struct house *house, int64_t sanction);

/* A sentence about what the appeal is against: "muted (lobby) until …, by max: spam", or "held". */
json_t *appeal_target_sentence(struct house *house, const struct storage_report *appeal);

/* Lifts what the appeal is against, if it is still in force; false when the order is refused. */
bool appeal_grant(struct order *order, const struct storage_report *appeal) MUST_CHECK;

/* Answers an open appeal against a sanction that has ended: `by` whom and `why`. */
void appeal_close_with_sanction(struct house *house, const struct storage_sanction *sanction,
                                const char *by, const char *why);
