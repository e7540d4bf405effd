#pragma once

#include "lobby/sanctions/order.h"
#include "storage/mod/reports.h"

/*
 * Appeals against a sanction or a hold. Each is a numbered case. Staff take the case, then resolve
 * it (the sanction is lifted) or dismiss it (the sanction stays). The author can read the answer
 * even while a ban refuses them at sign-in. Only one appeal against a sanction may be open at a
 * time. The next appeal against the same sanction is allowed a day after the previous one.
 */

struct appeal {
    const struct storage_sanction
        *against;     /* the sanction that is appealed against; NULL: the account's hold */
    int64_t account;  /* the author's account; 0: none */
    const char *name; /* the author's name, or the banned address or key */
    const char *text;
};

/* Whether this appeal is allowed now. */
bool appeal_is_allowed(struct house *house, const struct appeal *appeal) MUST_CHECK;

/* Stores the appeal and tells staff. Returns the number of the case. */
int64_t appeal_submit(struct house *house, const struct appeal *appeal);

/* A sentence (say.h) about the state of the newest appeal against a sanction; NULL when there was
 * no appeal. */
json_t *appeal_status_sentence(struct house *house, int64_t sanction);

/* A sentence that names the sanction or hold against which the appeal is: "muted (lobby) until …,
 * by max: spam", or "held". */
json_t *appeal_describe_decision(struct house *house, const struct storage_report *appeal);

/* Lifts the sanction or hold appealed against, if it is still in force; false when the order is
 * refused. */
bool appeal_grant(struct order *order, const struct storage_report *appeal) MUST_CHECK;

/* Closes an open appeal against a sanction that has ended. `by` is who ended the sanction, `why`
 * the reason. */
void appeal_close_for_ended_sanction(struct house *house, const struct storage_sanction *sanction,
                                     const char *by, const char *why);
