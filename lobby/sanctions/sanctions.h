#pragma once

#include "lobby/house/request.h"
#include "lobby/sanctions/order.h"
#include "lobby/sanctions/voice.h"

/*
 * Sanctions in force, and where they apply. No sanction is secret: the person concerned is told
 * which sanction it is, why, until when and how to appeal, at once and at each sign-in. All
 * sanctions are stored, so a restarted core knows them.
 */

/* All bits of storage_sanction.scopes; each bit is 1 << enum mute_scope. */
#define SANCTION_SCOPES_ALL ((1U << MUTE_SCOPES) - 1)

/* The minimum time between two appeals against the same sanction. */
#define SANCTION_APPEAL_MS INT64_C(86400000)

/* Loads the time at which the next sanction expires. */
void sanctions_schedule_next_end(struct house *house);

/* Notes that a sanction expires at until_ms, unix ms. */
void sanctions_schedule_end(struct house *house, int64_t until_ms);

/* Calls `row` once for each sanction that applies to a person in the house: the sanctions against
 * their name, and those against their other names that apply to them too (person_sources.h). `row`
 * returns false to stop. */
void sanctions_for_each(struct house *house, const struct person *person, storage_sanction_row *row,
                        void *context);

/* True when the sanction names this person's account or guest name; false when it names somebody
 * else, even if it applies to this person too. */
bool sanction_is_against_person(const struct storage_sanction *sanction,
                                const struct person *person) MUST_CHECK;

/* The kinds of sanction (bits 1 << kind) that, if imposed on an account, also apply to its owner's
 * other names. A sanction against a guest always applies to the guest's other names. */
#define SANCTIONS_THAT_FOLLOW                                                                      \
    (STORAGE_SANCTION_ALL & ~(1U << STORAGE_SANCTION_WARN | 1U << STORAGE_SANCTION_RANKBAN))

/* Stores the network and key of a person's new connection with the sanctions against that person.
 * From now on these sanctions also apply to others with that network or key. */
void sanctions_store_conn_sources(struct house *house, const struct conn *conn);

/* Whether an account made over this connection starts as held, because its owner is held under
 * another name. */
bool sanctions_user_of_conn_is_held(struct house *house, const struct conn *conn) MUST_CHECK;

/* Ends a sanction that is in force; `ended_by` is the name of who ends it. The people it applied to
 * are told the sentence (NULL: nothing). */
void sanction_end_and_notify(struct house *house, const struct storage_sanction *sanction,
                             const char *ended_by, json_t *sentence);

/* Loads which sanctions in force apply to the person. */
void sanctions_load(struct house *house, struct person *person);

/* Tells a connection that has just entered which sanctions in force apply to its person. */
void sanctions_notify_conn(struct house *house, struct conn *conn);

/* Whether the account is banned from rated games. `person` is NULL when the account's owner is not
 * in the house. */
bool sanctions_forbid_rating(struct house *house, int64_t account,
                             const struct person *person) MUST_CHECK;

/* The sanction as a sentence (say.h): "muted (lobby) until 2026-…, by eve: spam". */
json_t *sanction_to_sentence(const struct storage_sanction *sanction);

/* The target of the sanction: a name, an address or a key. Borrowed from the sanction. */
const char *sanction_target_text(const struct storage_sanction *sanction);

/* The sanction as JSON for programs. Only staff get the private notes. */
json_t *sanction_to_json(const struct storage_sanction *sanction, bool is_for_staff);

#define SANCTIONS_SHOWN_MAX 50 /* maximum number of sanctions in an answer */

/* Explains to a person why a sanction against another name applies to them. */
const char *sanction_shared_source_hint(void);

/* Says how to appeal, for people in the house. */
const char *sanction_appeal_hint(void);
