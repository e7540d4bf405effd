#pragma once

#include "games/text.h"
#include "lobby/protocol/rows.h"

/* Describes a person in words, in the same way on screens, in plain mode and in queries. */

/* "in the lobby", "playing at #7", "watching #7"; table 0 is the lobby. */
void person_write_where(int64_t table, bool is_seated, struct text *out);

/* "bot", "guest", "admin", "moderator"; "" for a player. Borrowed. */
const char *person_label(enum person_kind kind, enum person_role role);

/* Appends to a list whether they are likely to answer: "away", "not to be disturbed: at lunch",
 * "away for 5m"; nothing for a person who did something in the last three minutes. presence_text
 * may be "". */
void person_write_presence(enum person_presence presence, const char *presence_text, int64_t idle_s,
                           struct text *out);
