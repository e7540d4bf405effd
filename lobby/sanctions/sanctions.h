#ifndef LOBBY_SANCTIONS_SANCTIONS_H
#define LOBBY_SANCTIONS_SANCTIONS_H

#include "lobby/sanctions/order.h"

/*
 * What is in force against people, and where it holds. No sanction is secret: whoever it concerns
 * is told what, why, until when and how to appeal, at once, when they come in, and at the door.
 * Everything is in the storage, so that a core that begins anew knows it.
 */

/* Bits of storage_sanction.scopes: 1 << enum mute_scope. */
#define SANCTION_SCOPES_ALL ((1U << MUTE_SCOPES) - 1)

/* One appeal against the same sanction in so long. */
#define SANCTION_APPEAL_MS INT64_C(86400000)

/* Reads when the next one ends. */
void sanctions_begin(struct house *house);

/* What ends by itself by now: its people and the audit log are told. */
void sanctions_tick(struct house *house);
int64_t sanctions_next_ms(const struct house *house);

/* Everything in force that holds for somebody who is here, each once: what is against them, and
 * what follows them from another name (sources.h). */
void sanctions_each(struct house *house, const struct person *person, storage_sanction_row *row,
                    void *context);

/* Whether it is against this very account or guest. */
bool sanction_is_own(const struct storage_sanction *sanction,
                     const struct person *person) MUST_CHECK;

/* Kinds that follow an account's owner to other names; against a guest, all do. */
static inline bool sanctions_follow_kind(enum storage_sanction_kind kind)
{
    return kind != STORAGE_SANCTION_WARN && kind != STORAGE_SANCTION_RANKBAN;
}

/* The person of this connection has come in: what is against them will follow from there too. */
void sanctions_note_source(struct house *house, const struct conn *conn);

/* Whether the account that is made over this connection begins held, because its owner is. */
bool sanctions_hold_newcomer(struct house *house, const struct conn *conn) MUST_CHECK;

/* Ends one in force, `by` somebody; those it held for are told `words`, if any. */
void sanction_over(struct house *house, const struct storage_sanction *sanction, const char *by,
                   const char *words);

/* What is in force against the person now. */
void sanctions_read(struct house *house, struct person *person);

/* Tells a connection that has come in what is in force against its person. */
void sanctions_tell(struct house *house, struct conn *conn);

/* True when they may sit down; else the request is answered `suspended`. Whether they are heard:
 * voice.h. */
bool sanctions_let_sit(struct house *house, struct conn *conn, int64_t request) MUST_CHECK;

/* Whether they are kept from rated games. `person` is NULL while they are not in the house. */
bool sanctions_bar_rating(struct house *house, int64_t account,
                          const struct person *person) MUST_CHECK;

/* One line for people: "muted (lobby) until 2026-…, by eve: spam". */
void sanction_write(const struct storage_sanction *sanction, char out[WORDS_MAX]);

/* Whom or what it is in force against: a name, an address or a key. Borrowed from it. */
const char *sanction_target(const struct storage_sanction *sanction);

/* The same for programs; notes are staff's alone. */
json_t *sanction_json(const struct storage_sanction *sanction, bool is_staffs);

#define SANCTIONS_SHOWN_MAX 50 /* rows of one answer */

/* Why something holds for somebody whom it is not against by name. */
const char *sanction_followed_words(void);

/* How to appeal, for those in the house. */
const char *sanction_appeal_words(void);

#endif
