#pragma once

#include "daemon/base/bytes.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * A finished game as a recording for asciinema (format v2: a header and one event per line,
 * https://docs.asciinema.org/manual/asciicast/v2/): the replay's frames with all hands open, one
 * step after another.
 */
struct replay_cast;

/* maximum length of one event in bytes; a frame of 120x40 takes about 30 KB */
#define CAST_LINE_MAX (1 << 20)

/* Begins a recording, and opens the terminal on which its frames are drawn; call it before the
 * session is confined. A process can have only one such terminal, and none while it shows screens
 * to a person. Sizes are clamped to those that screens support. NULL if the terminal cannot be
 * opened. */
struct replay_cast *replay_cast_new(int columns, int rows);
void replay_cast_free(struct replay_cast *cast);

/* Loads the record of a game, in the form in which the core sends it; call it once. False if the
 * record is invalid or of an unknown game. */
bool replay_cast_load(struct replay_cast *cast, json_t *record) MUST_CHECK;

/* Appends the next line; the header comes first. False if no line is left, or if `out` has no room
 * for it, which ends the recording. */
bool replay_cast_append_next_line(struct replay_cast *cast, struct bytes *out);
