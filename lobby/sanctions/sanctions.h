#pragma once

#include "lobby/house/request.h"
#include "lobby/sanctions/order.h"
#include "lobby/sanctions/voice.h"

/*
 * Sanctions in force, and where they apply. No sanction is secret: the person concerned is told
 * what, why, until when and how to appeal, both at once and whenever they sign in. All sanctions
 * are stored, so a restarted core knows them.
 */

/* Bits of storage_sanction.scopes: 1 << enum mute_scope. */
#define SANCTION_SCOPES_ALL ((1U << MUTE_SCOPES) - 1)

/* The minimum time between two appeals against the same sanction. */
#define SANCTION_APPEAL_MS INT64_C(86400000)

/* Loads when the next sanction ends. */
void sanctions_begin(struct house *house);

/* A sanction in force ends then, unix ms. */
void sanctions_end_at(struct house *house, int64_t until_ms);

/* Calls `row` for each sanction that applies to a person who is here, once each: their own, and
 * those that follow them from another name (sources.h). */
void sanctions_each(struct house *house, const struct person *person, storage_sanction_row *row,
                    void *context);

/* Whether the sanction is against this very account or guest, rather than following them. */
bool sanction_is_own(const struct storage_sanction *sanction,
                     const struct person *person) MUST_CHECK;

/* Kinds of sanctions against an account that follow its owner to other names. Against a guest, all
 * kinds do. */
static inline bool sanctions_follow_kind(enum storage_sanction_kind kind)
{
    return kind != STORAGE_SANCTION_WARN && kind != STORAGE_SANCTION_RANKBAN;
}

/* The person of this connection has entered: records its source with the sanctions against them,
 * which follow from there too. */
void sanctions_note_source(struct house *house, const struct conn *conn);

/* Whether an account made over this connection begins held, because its owner is held. */
bool sanctions_hold_newcomer(struct house *house, const struct conn *conn) MUST_CHECK;

/* Ends a sanction in force, `by` somebody; those it applied to are told the sentence (NULL:
 * nothing). */
void sanction_over(struct house *house, const struct storage_sanction *sanction, const char *by,
                   json_t *told);

/* Loads what is in force against the person. */
void sanctions_read(struct house *house, struct person *person);

/* Tells a connection that has come in what is in force against its person. */
void sanctions_tell(struct house *house, struct conn *conn);

/* Whether the account is banned from rated games. `person` is NULL when not in the house. */
bool sanctions_bar_rating(struct house *house, int64_t account,
                          const struct person *person) MUST_CHECK;

/* One line for people: "muted (lobby) until 2026-…, by eve: spam"; a sentence of say.h. */
json_t *sanction_say(const struct storage_sanction *sanction);

/* The target of the sanction: a name, an address or a key. Borrowed from it. */
const char *sanction_target(const struct storage_sanction *sanction);

/* The sanction as JSON for programs. Private notes are included for staff only. */
json_t *sanction_json(const struct storage_sanction *sanction, bool is_staffs);

#define SANCTIONS_SHOWN_MAX 50 /* rows of one answer */

/* Text that explains why a sanction against another name applies to somebody. */
const char *sanction_followed_words(void);

/* Text on how to appeal, for people in the house. */
const char *sanction_appeal_words(void);
