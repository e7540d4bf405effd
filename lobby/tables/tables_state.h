#pragma once

#include "games/game.h"
#include "games/history.h"
#include "lobby/persons/persons_state.h"
#include "lobby/tables/table_claim.h"
#include "lobby/tables/table_clock.h"
#include "storage/tables/clocks.h"
#include "storage/tables/tables.h"

/* What is kept for one seat during a game, including its player's rating. */
struct seat_play {
    size_t since_step; /* the step at which this seat's turn began */
    bool is_out_of_time;
    uint8_t misses;      /* number of consecutive timeouts */
    bool is_grace_spent; /* whether the game has already waited once for this seat's lost connection
                          */
    uint32_t seen_step;  /* how many moves of the game this seat's absent player has seen */
    struct player_time_off time;
    int64_t asked_ms; /* when a bot process was asked for the current move; 0: not yet */
    int64_t
        asked_conn; /* the connection of the bot process that was asked; 0: none was connected */
    uint8_t answer; /* the move that the bot process answered; MOVE_NONE until it answers */
    struct storage_seat starter; /* who held the seat when the game began */
    bool has_left; /* whether the player who held this seat when the game began has left for good; a
                      bot then has the seat */
    uint32_t left_step; /* the step at which the player who held this seat when the game began left
                           for good */
    uint32_t stat_hits, stat_chances;
    bool has_rating;
    double mu, sigma;
    bool is_provisional;
};

/* What spectators know of the current game: either everything or, with a delay, only an earlier
 * state (table_watch.h). */
struct table_watch {
    size_t step;               /* the number of moves that spectators know */
    int64_t beat_ms;           /* when the current beat (table_watch.h) began, unix ms */
    size_t beat_from, beat_to; /* the number of moves that they knew when the beat began, and know
                                  at its end */
    size_t rows, rows_told; /* how many score sheet rows spectators may know, and how many were sent
                               to them */
    size_t round_step,
        former_round_step; /* steps at which the current round and the one before it began */
    int64_t *made_ms;      /* when each move was made, unix ms */
    size_t made_cap;
    bool is_round_over; /* with a delay: the last of these moves ended a round */
    bool is_changed;    /* `view` has to be sent to spectators */
    char *told;         /* the message `table` as last sent to delayed spectators; NULL: never */
    struct game_state state; /* the state after `step` moves; used only with a delay */
};

struct table {
    struct storage_table row;    /* the table's row in the database */
    struct storage_table stored; /* as it was stored last */
    const struct game_def *game;
    struct conn_links conns;                /* connections that have entered the table */
    char opened_by[STORAGE_NAME_SIZE];      /* who opened it, "" if the core has restarted since */
    char opened_from[STORAGE_ADDRESS_SIZE]; /* from which source (source.h); "" likewise */
    int64_t empty_since_ms; /* since when nobody is at the table and no seated person is online; 0:
                               somebody is */
    int64_t gone_ms[SEATS_MAX]; /* when a seated person's last connection ended; 0: connected */
    struct game_config config;
    bool is_changed;     /* the lobby row has to be made again */
    bool table_changed;  /* the message `table` has to be sent */
    bool view_changed;   /* the message `view` has to be sent */
    bool result_changed; /* the message `result` has to be sent */
    bool sheet_reset; /* the whole score sheet has to be sent again: it is of another game, or empty
                       */

    bool has_game; /* whether a game is being or was played; otherwise the fields below are
                      meaningless */
    bool is_rated;
    bool is_trick_over; /* the last move ended a trick: bots pause so that people can see the trick
                         */
    bool is_round_new;  /* the last move ended a round, and new cards were dealt */
    bool is_unsettled; /* loaded at a stop between rounds, and connections that survived the restart
                          may still return */
    uint8_t seed[SEED_BYTES];
    uint8_t commitment[32];
    struct history_move *moves;
    size_t move_count, move_cap;
    int64_t moved_ms; /* when the last move was made, or the game began */
    struct table_clock clock;
    uint8_t clock_changed; /* bit s is set: the clock of seat s has to be stored */
    struct storage_clock stored_clocks[SEATS_MAX]; /* as they were stored last */
    uint8_t gone_before; /* bit s is set: the game waits for seat s, whose player disconnected just
                            before the house stopped */
    json_t *sheet;       /* the score sheet's rows of the finished rounds */
    size_t sheet_told;   /* how many rows of `sheet` have been sent to everybody at the table */
    struct payload *result; /* the message `result`; NULL until the game is finished */
    struct seat_play plays[SEATS_MAX];
    struct table_claim claim;
    struct table_watch watch;
    struct game_state state;

    const struct layout
        *layout; /* where the state of each listener lies in a table (TABLE_STATE) */
    char *blocks;
};

/* The listeners' indexes, from 0, in the order of listeners.def. */
enum table_listener_number {
#define TABLE_LISTENER(name) TABLE_LISTENER_NUMBER_##name,
#include "lobby/tables/listeners.def"
    TABLE_LISTENERS_COUNT,
};

/* The state that the listener of that name keeps in the table (struct table_listener,
 * table_size). */
#define TABLE_STATE(table, name)                                                                   \
    ((void *)((table)->blocks + (table)->layout->at[TABLE_LISTENER_NUMBER_##name]))

/* True when a person holds the seat, whether present or not. */
static inline bool seat_has_person(const struct storage_seat *seat)
{
    return seat->holder == STORAGE_SEAT_PLAYER || seat->holder == STORAGE_SEAT_GUEST;
}

/* The part of a connection's state that concerns tables. */
struct table_conn_state {
    struct table *table;   /* the table that the connection has entered; NULL: none */
    struct conn_link link; /* link in the table's list of connections */
    bool is_new;     /* the connection has entered, but nothing of the table was sent to it yet */
    int64_t back_to; /* the number of the table to return to (absences.h); 0: none */
    char observes[STORAGE_OBSERVES_SIZE]; /* the reason for observing unseen (observing.h); "": the
                                             connection does not observe */
};

static inline struct table_conn_state *table_conn_state(const struct conn *conn)
{
    return CONN_STATE(conn, tables);
}

/* Returns the table that the connection has entered; NULL: none. */
static inline struct table *conn_table(const struct conn *conn)
{
    return table_conn_state(conn)->table;
}

/* The part of a person's state that concerns tables. */
struct table_person_state {
    /* rate limits of changes that others are told of, such as opening tables: of those made at
     * once, and of those made over a longer time */
    struct bucket stir, lasting_stir;
};

static inline struct table_person_state *table_person_state(const struct person *person)
{
    return PERSON_STATE(person, tables);
}

struct tables {
    struct index by_id;
    int64_t loaded_ms;    /* when the core loaded the stored tables */
    bool is_changed;      /* messages to people at some table have yet to be sent */
    bool rows_changed;    /* some table's lobby row has changed, or a table was closed */
    bool fits_changed;    /* some table's eligibility may have changed */
    bool clocks_changed;  /* some seat's clock has to be stored */
    struct layout layout; /* where each listener's block lies in a table (TABLE_STATE) */
};

static inline struct tables *tables_of(const struct house *house)
{
    return PART_STATE(house, tables);
}

/* Runs the block that follows for every table, with `item` as the table. The block may free the
 * table. */
#define TABLES_EACH(item, house) INDEX_ITEMS_EACH(struct table, item, &tables_of(house)->by_id)
