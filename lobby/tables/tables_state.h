#pragma once

#include "games/game.h"
#include "games/history.h"
#include "lobby/persons/persons_state.h"
#include "lobby/tables/table_clock.h"
#include "storage/tables/tables.h"

/* A seat during a game, with its holder's rating. */
struct seat_play {
    size_t since_step; /* the step since which this seat is to act */
    bool is_out_of_time;
    uint8_t misses;      /* consecutive timeouts */
    bool is_grace_spent; /* the clock waits for a lost connection only once a game, and has */
    uint32_t seen_step;  /* while the holder is away: they saw the moves before this step */
    struct player_time time;
    int64_t asked_ms;            /* when a bot was asked for this move; 0: not yet */
    int64_t asked_conn;          /* the connection asked; 0: no bot process was connected */
    uint8_t answer;              /* MOVE_NONE until the bot answers */
    struct storage_seat starter; /* who held the seat when the game began */
    bool has_left;               /* the starter has left for good; a bot has the seat */
    uint32_t left_step;          /* they left before this move */
    uint32_t stat_hits, stat_chances;
    bool has_rating;
    double mu, sigma;
    bool is_provisional;
};

/* What spectators know of the current game: all of it, or, with a delay (table_watch.h), what was
 * known some time ago. */
struct table_watch {
    size_t step;            /* number of moves they know */
    size_t rows, rows_told; /* score sheet rows finished by that step; rows already sent */
    size_t round_step,
        former_round_step; /* step at which the current round and the one before it began */
    int64_t *made_ms;      /* when each move was made */
    size_t made_cap;
    bool is_changed;         /* push `view` to spectators */
    char *told;              /* `table` as last sent to spectators; NULL: not sent yet */
    struct game_state state; /* the state after `step` moves; used with a delay only */
};

struct table {
    struct storage_table row; /* the stored row */
    const struct game_def *game;
    struct conn_links conns;    /* everybody who has entered */
    int64_t empty_since_ms;     /* since when nobody is here or seated online; 0: somebody is */
    int64_t gone_ms[SEATS_MAX]; /* when a seated person's last connection ended; 0: connected */
    struct game_config config;
    bool is_changed;         /* rebuild the lobby row */
    bool table_mark_changed; /* push `table` */
    bool view_changed;       /* push `view` */
    bool result_changed;     /* push `result` */
    bool sheet_reset;        /* a new game: nothing of its sheet has been sent */

    bool has_game; /* a game is on or was played; otherwise the fields below are meaningless */
    bool is_rated;
    bool is_trick_over; /* the last move ended a trick: bots wait, so that people can see it */
    bool is_round_new;  /* and a new deal followed */
    uint8_t seed[SEED_BYTES];
    uint8_t commitment[32];
    struct history_move *moves;
    size_t move_count, move_cap;
    int64_t moved_ms; /* when the last move was made, or the game began */
    struct table_clock clock;
    uint8_t clock_changed; /* bit s: store the clock of seat s */
    uint8_t gone_before;   /* bit s: awaited, but disconnected shortly before the house went down */
    json_t *sheet;         /* rows of finished rounds */
    size_t sheet_told;     /* how many rows everybody here has been sent */
    struct payload *result; /* set once the game is finished */
    struct seat_play plays[SEATS_MAX];
    struct table_watch watch;
    struct game_state state;

    const struct layout *layout; /* of what listeners keep of it: TABLE_STATE */
    char *blocks;
};

/* The listeners' numbers, from 0, in the order of listeners.def. */
enum table_listener_number {
#define TABLE_LISTENER(name) TABLE_LISTENER_NUMBER_##name,
#include "lobby/tables/listeners.def"
    TABLE_LISTENERS_COUNT,
};

/* What the listener of that name keeps of the table (struct table_listener, table_size). */
#define TABLE_STATE(table, name)                                                                   \
    ((void *)((table)->blocks + (table)->layout->at[TABLE_LISTENER_NUMBER_##name]))

/* Of a connection: the table it is at. */
struct table_conn {
    struct table *table;   /* NULL: none */
    struct conn_link link; /* in the table's list of connections */
    bool is_new;           /* has entered, but has been sent nothing of the table yet */
    int64_t
        back_to; /* the table that this person was told to return to (play/absences.h); 0: none */
    char observes[STORAGE_OBSERVES_SIZE]; /* the reason given for observing (play/observing.h); "":
                                             not observing */
};

static inline struct table_conn *table_conn(const struct conn *conn)
{
    return CONN_STATE(conn, tables);
}

/* The table that the connection has entered; NULL: none. */
static inline struct table *conn_table(const struct conn *conn)
{
    return table_conn(conn)->table;
}

/* Of a person at tables. */
struct table_person {
    struct bucket stir; /* limits what others are told of: opening tables, changing seats */
};

static inline struct table_person *table_person(const struct person *person)
{
    return PERSON_STATE(person, tables);
}

struct tables {
    struct index by_id;
    bool is_changed;      /* push some table or view */
    bool rows_changed;    /* some table's lobby row changed, or has gone */
    bool fits_changed;    /* some table's eligibility may have changed */
    bool clocks_changed;  /* store some seat's clock */
    struct layout layout; /* of TABLE_STATE */
};

static inline struct tables *tables_of(const struct house *house)
{
    return PART_STATE(house, tables);
}
