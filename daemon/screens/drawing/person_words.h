#pragma once

#include "games/text.h"
#include "lobby/protocol/rows.h"

/* Describes a person in words, in the same way on screens, in plain mode and in queries. */

/* Writes where a person is, and returns all of `out`: "in the lobby" (table 0), "playing at #7",
 * "watching #7". */
const char *person_write_where(int64_t table, bool is_seated, struct text *out);

/* What somebody is besides a player: "bot", "guest", "admin", "moderator"; "" for a player.
 * Borrowed. */
const char *person_label(enum person_kind kind, enum person_role role);

/* Appends to a list whether the person is likely to answer: "away", "not to be disturbed: at
 * lunch", "away for 5m". Appends nothing for a person who was active in the last three minutes.
 * presence_text may be "". */
void person_write_presence(enum person_presence presence, const char *presence_text, int64_t idle_s,
                           struct text *out);
