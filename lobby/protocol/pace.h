#pragma once

#include "lobby/protocol/rows.h"

#include <stdbool.h>
#include <stdint.h>

/* The pace of a table: how long bots think, and how long the stop at the end of a round lasts. A
 * person has a pace too: how long their screen shows a finished trick. rows.def makes enum pace. */

/* The longest time that a `think` message leaves for the answer, in ms. */
#define PACE_BOT_WITHIN_MS_MAX 600000

/* Reads a pace from its word. Returns false, with *pace unchanged, for any other text or NULL. */
bool pace_from_word(const char *word, enum pace *pace) MUST_CHECK;

/* Returns how long the stop at the end of a round lasts at most, in ms. */
int64_t pace_round_stop_ms(enum pace pace);

/* Returns the bots' delay at this pace; `delay_ms` is their delay at the normal pace. */
int64_t pace_bot_delay_ms(enum pace pace, int64_t delay_ms);

/* Returns how long the screen of a person with this pace shows a finished trick, in ms. */
int64_t pace_trick_ms(enum pace pace);
