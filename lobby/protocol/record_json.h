#pragma once

#include "games/history.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The protocol's `record`: a finished game, enough to replay it. Between JSON and history_source,
 * so that whoever has a record can write its history or show any step of it.
 */

/* The caller's to release. at_ms: when the game finished. */
json_t *record_to_json(const struct history_source *source, int64_t at_ms) MUST_CHECK;

/* A record that was read. The source's pointers lead into the record and into the JSON it was
 * read from. */
struct record {
    struct history_source source;
    int64_t at_ms;
    bool is_void; /* declared so after its end: it counts for nobody */
    json_t *json;
    struct history_seat seats[SEATS_MAX];
    struct history_move *moves;
    struct history_change *changes;
};

/* Fills *record and keeps a reference to the object; record_clear releases everything. False,
 * with nothing to clear, when the object is no record of a known game. The moves are texts of
 * that game, not necessarily legal ones. */
bool record_from_json(json_t *object, struct record *record) MUST_CHECK;
void record_clear(struct record *record);
