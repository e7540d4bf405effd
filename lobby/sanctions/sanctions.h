#pragma once

#include "lobby/house/request.h"
#include "lobby/sanctions/order.h"
#include "lobby/sanctions/voice.h"

/*
 * Sanctions in force, and where they apply. No sanction is secret: the person concerned is told
 * what, why, until when and how to appeal, at once and at each sign-in. All sanctions are stored,
 * so a restarted core knows them.
 */

/* All bits of storage_sanction.scopes, each of which is 1 << enum mute_scope. */
#define SANCTION_SCOPES_ALL ((1U << MUTE_SCOPES) - 1)

/* The minimum time between two appeals against the same sanction. */
#define SANCTION_APPEAL_MS INT64_C(86400000)

/* Loads when the next sanction expires. */
void sanctions_schedule_next_end(struct house *house);

/* Notes that a sanction expires then, unix ms. */
void sanctions_schedule_end(struct house *house, int64_t until_ms);

/* Calls `row` once for each sanction that applies to a person who is here: their own, and those
 * that follow them from another name (sources.h). `row` returns false to stop. */
void sanctions_for_each(struct house *house, const struct person *person, storage_sanction_row *row,
                        void *context);

/* Whether the sanction names this person's account or guest name, rather than following them from
 * another. */
bool sanction_is_against_person(const struct storage_sanction *sanction,
                                const struct person *person) MUST_CHECK;

/* The kinds of sanctions against an account that follow its owner to other names, bits 1 << kind.
 * Against a guest, all kinds do. */
#define SANCTIONS_THAT_FOLLOW                                                                      \
    (STORAGE_SANCTION_ALL & ~(1U << STORAGE_SANCTION_WARN | 1U << STORAGE_SANCTION_RANKBAN))

/* Stores the source of a person who has entered with the sanctions against them: from now on the
 * sanctions follow from there too. */
void sanctions_record_source(struct house *house, const struct conn *conn);

/* Whether an account made over this connection begins held, because its owner is held under another
 * name. */
bool sanctions_owner_is_held(struct house *house, const struct conn *conn) MUST_CHECK;

/* Ends a sanction in force, `by` somebody. The people it applied to are told the sentence (NULL:
 * nothing). */
void sanction_end_and_tell(struct house *house, const struct storage_sanction *sanction,
                           const char *by, json_t *told);

/* Loads the sanctions in force against the person. */
void sanctions_load(struct house *house, struct person *person);

/* Tells a connection that has entered which sanctions are in force against its person. */
void sanctions_notify_conn(struct house *house, struct conn *conn);

/* Whether the account is banned from rated games. `person` is NULL when not in the house. */
bool sanctions_forbid_rating(struct house *house, int64_t account,
                             const struct person *person) MUST_CHECK;

/* The sanction as a sentence (say.h): "muted (lobby) until 2026-…, by eve: spam". */
json_t *sanction_sentence(const struct storage_sanction *sanction);

/* The target of the sanction: a name, an address or a key. Borrowed from the sanction. */
const char *sanction_target_text(const struct storage_sanction *sanction);

/* The sanction as JSON for programs. Private notes are included for staff only. */
json_t *sanction_to_json(const struct storage_sanction *sanction, bool is_staffs);

#define SANCTIONS_SHOWN_MAX 50 /* sanctions of one answer */

/* Explains why a sanction against another name applies to somebody. */
const char *sanction_follow_hint(void);

/* Says how to appeal, for people in the house. */
const char *sanction_appeal_hint(void);
