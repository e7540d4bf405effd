#pragma once

#include "games/game.h"
#include "games/history.h"
#include "lobby/house/bucket.h"
#include "lobby/house/house.h"
#include "lobby/house/index.h"
#include "lobby/house/layout.h"
#include "lobby/house/limits.h"
#include "lobby/house/outbox.h"
#include "lobby/protocol/rows.h"
#include "lobby/tables/table_clock.h"
#include "storage/accounts/accounts.h"
#include "storage/accounts/connections.h"
#include "storage/mod/sanctions.h"
#include "storage/storage.h"
#include "storage/tables/tables.h"

#include <jansson.h>
#include <stddef.h>
#include <sys/queue.h>

/*
 * What the house holds in memory, shared by the files of lobby/ alone. Everything here but
 * connections' limits and pending answers can be built anew from the storage.
 */

#define ANSWERS_KEPT 64
#define ANSWERS_KEPT_BYTES ((size_t)2 * PAYLOAD_MAX) /* of the answers themselves */
#define ANSWERS_AGES 8

/* The parts' numbers, from 0, in the order of parts.def (parts.h). */
enum part_number {
#define PART(name) PART_NUMBER_##name,
#include "lobby/house/parts.def"
    PARTS_COUNT,
};

/* A session's way (PROTOCOL.md); other peers go from NEW to IN.
 *
 *     NEW ──hello──▶ DOOR ──sign_in──▶ IN
 *                      └──sign_in──▶ VISITOR ──sign_up──▶ IN
 */
enum phase {
    PHASE_NEW = 1,
    PHASE_DOOR = 2,
    PHASE_VISITOR = 4,
    PHASE_IN = 8,
    PHASE_ANY = 15,
};

/* A request that changes something, with its answer: if the peer repeats the request, it is not
 * carried out again. */
struct answer {
    int64_t request;
    struct payload *payload; /* NULL: not answered yet */
    bool is_waiting;         /* answered, but the answer is delayed (struct later) */
    bool is_stored;          /* the answer is stored, so that a restarted core knows it */
};

/* See answers.h. */
struct answers {
    struct answer list[ANSWERS_KEPT]; /* in the order of their answers; unanswered ones in the order
                                         of arrival */
    size_t count;
    size_t bytes;    /* total size of the payloads */
    int64_t newest;  /* the highest request answered */
    int64_t dropped; /* the highest answered request whose answer is forgotten */
};

struct person;
struct table;

TAILQ_HEAD(conn_list, conn);

struct conn {
    _Alignas(max_align_t) int64_t id; /* blocks follow the struct, aligned */
    enum peer peer;
    enum phase phase;
    char address[STORAGE_ADDRESS_SIZE];
    char transport[STORAGE_WORD_SIZE];
    int64_t since_ms;
    int64_t protocol;   /* the number its `hello` said; 0: none yet */
    bool awaits_hello;  /* told to resync: ignore everything before `hello`, the peer repeats it */
    bool is_returned;   /* an earlier core has served this connection */
    bool is_unknown;    /* somebody has signed in here, but the storage does not say who */
    bool is_lost;       /* its output was dropped: send nothing but `resync` */
    bool is_ending;     /* was told `bye` (conn_bye) */
    bool is_unfit;      /* its data are inconsistent (fault.h): end it after the rebuild */
    bool was_read_only; /* has not been told yet that the read-only mode is over */
    bool is_asking;     /* signed in for queries only, not in the house (entry.h) */
    bool is_program;    /* came in through the API */

    /* Used in read-only mode (read_only.h): */
    struct storage_connection unsaved; /* the row conn_save could not store; number 0: none */
    bool is_unrecorded;                /* entry_record has not been stored yet */

    char key_type[STORAGE_KEY_TYPE_SIZE]; /* a verified key: opens its account, or may be added to a
                                             new one */
    char key_fingerprint[STORAGE_FINGERPRINT_SIZE];
    struct person *person; /* NULL before PHASE_IN */

    struct answers answers;
    bool is_answered; /* is in the house's list `answered` */
    struct bucket input;
    uint32_t input_excess;

    TAILQ_ENTRY(conn) of_person; /* in the person's list of connections */
    TAILQ_ENTRY(conn) of_answered;

    const struct layout *layout; /* of what parts keep of it: CONN_STATE */
    char *blocks;
};

/* What the part of that name keeps of the connection (struct part, conn_size). */
#define CONN_STATE(conn, name) ((void *)((conn)->blocks + (conn)->layout->at[PART_NUMBER_##name]))

/* A part's list of connections: the link is in what the part keeps of the connection. */
struct conn_link {
    struct conn *conn;
    TAILQ_ENTRY(conn_link) in_list;
};

TAILQ_HEAD(conn_links, conn_link);

/* The connections of such a list; none may be removed meanwhile. After the last, `item` is NULL. */
#define CONN_LINKS_EACH(item, list)                                                                \
    for (const struct conn_link *link_ = TAILQ_FIRST(list);                                        \
         ((item) = link_ == NULL ? NULL : link_->conn) != NULL;                                    \
         link_ = TAILQ_NEXT(link_, in_list))

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
    size_t hook_turn;            /* since_step + 1 of the turn last sent to a webhook; 0: none */
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
    char *lobby_row;            /* lobby row as everybody knows it */
    struct game_config config;
    bool is_changed;     /* rebuild the lobby row */
    bool table_changed;  /* push `table` */
    bool view_changed;   /* push `view` */
    bool result_changed; /* push `result` */
    bool sheet_reset;    /* a new game: nothing of its sheet has been sent */
    bool hooks_changed;  /* look for turns that webhooks are to be sent for */
    int64_t hook_ms; /* when somebody who is to act here starts to count as away (hook_turns.h) */

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
};

/* A refused sign-in whose answer is delayed. */
struct later {
    int64_t due_ms;
    int64_t conn;
    int64_t request;
    struct payload *answer;
    TAILQ_ENTRY(later) in_list;
};

TAILQ_HEAD(later_list, later);

/* The work in progress, which a fault is blamed on (fault.h). 0 or NULL: none of that kind. */
struct doing {
    const char *item_kind; /* an item that its part can give up alone (parts.h), such as "table" */
    int64_t item;          /* its number */
    int64_t conn;          /* the session being served */
    int64_t request;       /* its request */
    size_t part;           /* the part at work, from 1 */
};

struct fault {
    bool is_met;
    struct doing at; /* the work in progress when the fault occurred */
    char why[STORAGE_WHY_SIZE];
};

/* The state of that part in that house (struct part, house_size). */
#define PART_STATE(house, name) ((house)->states[PART_NUMBER_##name])

struct house {
    void *states[PARTS_COUNT]; /* PART_STATE */
    struct layout conn_layout;
    struct house_config config;
    struct storage *storage;
    int64_t now_ms;
    bool is_failed;                    /* a write failed: nothing of this turn may be sent */
    char failed_why[STORAGE_WHY_SIZE]; /* one sentence, if is_failed */
    struct doing doing;
    struct fault fault;
    int64_t part_paused_ms[PARTS_COUNT]; /* a part rests until then after a fault */
    bool is_full; /* the disk was full in this turn: nothing of it may be sent, but the next turn
                     may succeed (read_only.h) */
    bool is_read_only;
    bool has_written;                   /* this core has written successfully */
    int64_t full_since_ms, room_due_ms; /* read-only: since when; next look for room */
    struct index conns;                 /* by id */
    struct outbox outbox;
    struct later_list laters;
    struct conn_list answered; /* connections answered in this turn */
    struct {
        struct index left; /* by connection: answers for connections that have not returned yet */
        int64_t ages[ANSWERS_AGES];
        int64_t age_ms;
        size_t age_bytes;
    } kept;                /* answers_kept.h */
    int64_t alive_ms;      /* when the house was last known to be up, as stored */
    int64_t alive_seen_ms; /* the same, as known in memory */
    int64_t alive_due_ms;  /* the next turn is due then; INT64_MAX: no clock runs */
};
