#pragma once

#include "games/history.h"

#include <jansson.h>

/*
 * Reads histories (HISTORY.md) from untrusted sources. A message in `why` begins with the path of
 * the wrong value, as in json_diff.h.
 */

/* A history of which everything but the events has been checked. history_entry_read checks the
 * events one by one. */
struct history_record {
    json_t *root; /* the whole history, which owns the JSON values below */
    const struct game_def *game;
    struct game_config config; /* players and options of the game, accepted by game_config_check */
    uint8_t seats;             /* number of seats, virtual ones included */
    bool is_finished; /* the history contains a seed, from which the game can be replayed */
    uint8_t seed[SEED_BYTES];
    uint8_t commitment[32];
    json_t *events; /* the array of events */
    json_t *result; /* the recorded result, which may be any JSON value; NULL if absent */
};

enum history_read_result {
    HISTORY_READ_OK = 0,
    HISTORY_READ_NOT_JSON, /* the text is not JSON; `why` says where the error is. Duplicate keys
                              are errors */
    HISTORY_READ_BAD,      /* valid JSON, but not a history of a known game */
};

/* Reads one history. Call history_record_clear only after HISTORY_READ_OK. */
enum history_read_result history_read(const char *text, size_t len, struct history_record *record,
                                      struct text *why) MUST_CHECK;
void history_record_clear(struct history_record *record);

enum history_entry_type {
    HISTORY_ENTRY_MOVE,
    HISTORY_ENTRY_SEAT,
    HISTORY_ENTRY_OTHER, /* events of the game's engine: deals and consequences of moves */
};

/* An event of a history. Only moves and seat changes have more than a type. */
struct history_entry {
    enum history_entry_type type;
    uint8_t seat;  /* seat of a person or bot, for moves and seat changes */
    json_t *move;  /* text of the move (any string); only for moves */
    json_t *legal; /* array of legal moves; only for moves, NULL if absent */
};

/* Reads the event at `index`, which is less than the number of events. Returns false if the event
 * is invalid; `why` then says what is wrong. */
bool history_entry_read(const struct history_record *record, size_t index,
                        struct history_entry *entry, struct text *why) MUST_CHECK;
