#pragma once

#include "games/text.h"
#include "lobby/protocol/rows.h"

/* Describes a person in words, in the same way on screens, in plain mode and in queries. */

/* Writes where a person is, and returns all of `out`: "in the lobby" (table_id 0), "playing at #7",
 * "watching #7". */
const char *person_write_location(int64_t table_id, bool is_seated, struct text *out);

/* Returns what a person is other than an ordinary player: "medium bot", "bot" (a program with an
 * account of its own), "guest", "admin", "moderator"; "" for an ordinary player. The level counts
 * only for bots. The caller does not free the text. */
const char *person_label(enum person_kind kind, enum bot_level level, enum person_role role);

/* Returns the same for a bot where there is room for six columns only: "medium", "bot". */
const char *person_brief_bot_label(enum bot_level level);

/* Returns the level of the bot on a seat, whose row has the name of its policy; BOT_LEVEL_NONE for
 * everybody else. */
enum bot_level person_level_of_seat(const struct seat_row *seat);

/* Appends to a list whether the person is likely to answer: "away", "not to be disturbed: at
 * lunch", "away for 5m". Appends nothing for a person who was active in the last three minutes.
 * presence_text may be "". */
void person_write_presence(enum person_presence presence, const char *presence_text, int64_t idle_s,
                           struct text *out);
