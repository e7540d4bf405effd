#pragma once

#include "games/history.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The protocol's `record`: a finished game with everything needed to replay it. It is converted
 * between JSON and history_source, so that its reader can write the game's history or show any step
 * of the game.
 */

/* Makes the JSON of a game that finished at finished_at_ms; the caller releases it. */
json_t *record_to_json(const struct history_source *source, int64_t finished_at_ms) MUST_CHECK;

/* A record that was read from JSON. The pointers in `source` point into the record and into its
 * JSON. */
struct record {
    struct history_source source;
    int64_t at_ms;
    bool is_void; /* staff declared the game void after its end */
    json_t *json;
    struct history_seat seats[SEATS_MAX];
    struct history_move *moves;
    struct history_change *changes;
};

/* Fills *record and keeps a reference to the object, both to be released by record_clear. Returns
 * false, with nothing to release, if the object is not a record of a known game. The text of each
 * move has a form that the game accepts, but the move may be illegal. */
bool record_from_json(json_t *object, struct record *record) MUST_CHECK;
void record_clear(struct record *record);
