#ifndef DAEMON_CLI_HISTORY_READ_H
#define DAEMON_CLI_HISTORY_READ_H

#include "games/history.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * Reads HISTORY.md's histories from outside: nothing in them is trusted. A message in `why`
 * begins with the place, as in json_diff.h.
 */

/* A history whose head is well formed; its events are looked at one by one. */
struct history_record {
    json_t *root; /* owns everything below */
    const struct game_def *game;
    struct game_config config; /* accepted by game_config_check */
    uint8_t seats;             /* virtual ones included */
    bool is_finished;          /* has a seed; without one nothing else of the game can be checked */
    uint8_t seed[SEED_BYTES];
    uint8_t commitment[32];
    json_t *events; /* an array */
    json_t *result; /* any value, NULL when absent */
};

enum history_read_result {
    HISTORY_READ_OK = 0,
    HISTORY_READ_NOT_JSON, /* `why` says where; duplicate keys count */
    HISTORY_READ_BAD,      /* JSON, but no history of a game we know */
};

/* history_record_clear is needed only after HISTORY_READ_OK. */
enum history_read_result history_read(const char *text, size_t len, struct history_record *record,
                                      struct text *why) MUST_CHECK;
void history_record_clear(struct history_record *record);

enum history_entry_type {
    HISTORY_ENTRY_MOVE,
    HISTORY_ENTRY_SEAT,
    HISTORY_ENTRY_OTHER, /* deals and consequences: events of the game itself */
};

/* One event, as far as it is not the game's. */
struct history_entry {
    enum history_entry_type type;
    uint8_t seat;  /* move, seat: a seat that people or bots hold */
    json_t *move;  /* move: a string, whatever is in it */
    json_t *legal; /* move: an array, or NULL when absent */
};

/* Reads event number `index` (below the count of events). False: `why` says what is wrong. */
bool history_entry_read(const struct history_record *record, size_t index,
                        struct history_entry *entry, struct text *why) MUST_CHECK;

#endif
