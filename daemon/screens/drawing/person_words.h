#pragma once

#include "games/text.h"
#include "lobby/protocol/rows.h"

/* Describes a person in words, in the same way on screens, in plain mode and in queries. */

/* Writes where a person is, and returns all of `out`: "in the lobby" (table_id 0), "playing at #7",
 * "watching #7". */
const char *person_write_location(int64_t table_id, bool is_seated, struct text *out);

/* Returns what a person is other than an ordinary player: "bot", "guest", "admin", "moderator"; ""
 * for an ordinary player. The caller does not free the text. */
const char *person_label(enum person_kind kind, enum person_role role);

/* Appends to a list whether the person is likely to answer: "away", "not to be disturbed: at
 * lunch", "away for 5m". Appends nothing for a person who was active in the last three minutes.
 * presence_text may be "". */
void person_write_presence(enum person_presence presence, const char *presence_text, int64_t idle_s,
                           struct text *out);
