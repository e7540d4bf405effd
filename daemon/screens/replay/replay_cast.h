#pragma once

#include "daemon/base/bytes.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * A finished game as a recording that asciinema plays (its format v2: a header and one event a
 * line, https://docs.asciinema.org/manual/asciicast/v2/): the replay's own pictures, all hands
 * open, a step after the other.
 */
struct replay_cast;

#define CAST_LINE_MAX (1 << 20) /* bytes of one event; a picture of 120x40 takes some 30 KB */

/* Opens the terminal that is drawn on: before a session is confined. One per process, and none
 * while a screen is open. Sizes are taken into what screens are for. NULL when there is no such
 * terminal. */
struct replay_cast *replay_cast_new(int columns, int rows);
void replay_cast_free(struct replay_cast *cast);

/* Takes the protocol's record, once. False when it is none that this program knows. */
bool replay_cast_load(struct replay_cast *cast, json_t *record) MUST_CHECK;

/* Appends the next line, the header first. False: there is none left, or no room for it in `out`,
 * which ends the recording. */
bool replay_cast_next(struct replay_cast *cast, struct bytes *out);
