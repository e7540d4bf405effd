#pragma once

#include "games/history.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The protocol's `record`: a finished game with everything needed to replay it. Converts between
 * JSON and history_source, so that its reader can write its history or show any step.
 */

/* The caller releases it. at_ms: when the game finished. */
json_t *record_to_json(const struct history_source *source, int64_t at_ms) MUST_CHECK;

/* A record that was read. The source's pointers point into the record and into its JSON. */
struct record {
    struct history_source source;
    int64_t at_ms;
    bool is_void; /* declared void after its end */
    json_t *json;
    struct history_seat seats[SEATS_MAX];
    struct history_move *moves;
    struct history_change *changes;
};

/* Fills *record and keeps a reference to the object; record_clear releases everything. False, with
 * nothing to clear, if the object is not a record of a known game. The moves are valid texts for
 * that game, but may be illegal. */
bool record_from_json(json_t *object, struct record *record) MUST_CHECK;
void record_clear(struct record *record);
