#ifndef STORAGE_TABLES_TABLES_H
#define STORAGE_TABLES_TABLES_H

#include "storage/archive/seats.h"
#include "storage/storage.h"

/* Tables: how they are set up, who sits there, which game is on. */

/* Stored: the numbers never change. A table only moves forward, but for a rematch.
 *
 *     OPEN ──start──▶ PLAYING ──last move──▶ FINISHED ──rematch──▶ PLAYING
 *       └──────────────── all leave ────────────┴──▶ CLOSED
 */
enum storage_table_state {
    STORAGE_TABLE_OPEN = 0,
    STORAGE_TABLE_PLAYING = 1,
    STORAGE_TABLE_FINISHED = 2,
    STORAGE_TABLE_CLOSED = 3,
    STORAGE_TABLE_STATE_LAST = STORAGE_TABLE_CLOSED,
};

/* What has brought the game on to a halt. Stored: the numbers never change. */
enum storage_halt {
    STORAGE_HALT_NONE = 0,
    STORAGE_HALT_PAUSE = 1,   /* those present agreed; anybody ends it */
    STORAGE_HALT_ADJOURN = 2, /* put away until all are back */
    STORAGE_HALT_HOUSE = 3,   /* the house itself was not there */
    STORAGE_HALT_LAST = STORAGE_HALT_HOUSE,
};

/* What those who play may agree on. */
enum storage_ask {
    STORAGE_ASK_PAUSE,
    STORAGE_ASK_ADJOURN,
    STORAGE_ASK_RESUME,
    STORAGE_ASKS,
};

#define STORAGE_HALT_WHY_SIZE 161

/* The last of those kinds that are not ours to name: clocks, lobby/protocol/watch_rule.h. */
#define STORAGE_CLOCK_KIND_LAST 3
#define STORAGE_WATCH_POLICY_LAST 3
#define STORAGE_WATCH_TALK_LAST 2

struct storage_table {
    int64_t id; /* 1 or more, never used again */
    char game[STORAGE_WORD_SIZE];
    uint8_t players;
    char options[STORAGE_OPTIONS_SIZE];    /* a JSON object */
    uint8_t clock_kind;                    /* 0: none, 1: a move, 2: bank, 3: days a move */
    uint32_t clock_s;                      /* of a move, or the bank; 0: no clock */
    uint32_t clock_increment_s;            /* of a bank, after each move */
    char password_hash[STORAGE_HASH_SIZE]; /* "" when not locked */
    int64_t host;                          /* account; 0 for a guest */
    char host_name[STORAGE_NAME_SIZE];
    enum storage_table_state state;
    int64_t created_ms;
    int64_t game_id; /* the game on, or the one last finished; 0 before the first */
    int64_t conn;    /* with `request`: what opened it */
    int64_t request;
    enum storage_halt halt;
    int64_t halt_ms;                      /* since then; 0: none */
    char halt_by[STORAGE_NAME_SIZE];      /* who asked first to adjourn the game that is on; "" */
    char halt_why[STORAGE_HALT_WHY_SIZE]; /* in their words; "" */
    uint8_t resume_asked;                 /* rated and adjourned: bit s, asked to go on since */
    int64_t resume_due_ms; /* and then it goes on, without those who have not; 0: none has */
    uint8_t awaited;       /* STORAGE_HALT_HOUSE: bit s, the seats whose holders are waited for */
    uint8_t rematch;       /* a finished table: bit s, the seats that asked for another game */
    uint8_t asks[STORAGE_ASKS]; /* a game that is on: bit s, asked for and not granted yet */
    uint8_t watch_policy;       /* who may watch; these three: lobby/protocol/watch_rule.h */
    uint8_t watch_moves;
    uint8_t watch_talk;
    int32_t rating_min, rating_max; /* in points, of those who sit down; 0: any */
    uint8_t finished_min; /* percent of their rated games they played to the end; 0: any */
    struct storage_seat seats[STORAGE_SEATS_MAX]; /* `players` of them */
};

/* Adds a table with its seats; its `id` is ignored and *id set. */
enum storage_result storage_table_add(struct storage *storage, const struct storage_table *table,
                                      int64_t *id) MUST_CHECK;

/* Writes all of a table and its seats anew, but created_ms, conn and request. */
enum storage_result storage_table_save(struct storage *storage,
                                       const struct storage_table *table) MUST_CHECK;

/* Closes it, whatever else its rows say; with its game, if that was on. */
enum storage_result storage_table_close(struct storage *storage, int64_t id) MUST_CHECK;

enum storage_result storage_table_read(struct storage *storage, int64_t id,
                                       struct storage_table *table) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_table_row(void *context, const struct storage_table *table);

/* Every table that is not closed, by id. */
enum storage_result storage_tables_each(struct storage *storage, storage_table_row *row,
                                        void *context) MUST_CHECK;

#endif
