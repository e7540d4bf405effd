#ifndef LOBBY_HOUSE_HOUSE_STATE_H
#define LOBBY_HOUSE_HOUSE_STATE_H

#include "games/game.h"
#include "games/history.h"
#include "lobby/house/bucket.h"
#include "lobby/house/house.h"
#include "lobby/house/index.h"
#include "lobby/house/limits.h"
#include "lobby/house/outbox.h"
#include "lobby/persons/bot_names.h"
#include "lobby/protocol/rows.h"
#include "lobby/sanctions/audit_source.h"
#include "lobby/tables/table_clock.h"
#include "storage/accounts/accounts.h"
#include "storage/accounts/connections.h"
#include "storage/accounts/totp.h"
#include "storage/mod/sanctions.h"
#include "storage/storage.h"
#include "storage/tables/tables.h"

#include <jansson.h>
#include <sys/queue.h>

/*
 * What the house holds in memory, shared by the files of lobby/ alone. Everything here but
 * connections' limits and pending answers can be built anew from the storage.
 */

#define ANSWERS_KEPT 64
#define ANSWERS_KEPT_BYTES ((size_t)2 * PAYLOAD_MAX) /* of the answers themselves */
#define ANSWERS_AGES 8

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

/* A request that does more than look, kept so that the same one sent again is not done again. */
struct answer {
    int64_t request;
    struct payload *payload; /* NULL: not answered yet */
    bool is_waiting;         /* answered, but that may not leave yet (struct later) */
    bool is_stored;          /* so that a later core knows it */
};

/* See answers.h. */
struct answers {
    struct answer list[ANSWERS_KEPT]; /* as they were answered; those that are not yet, as begun */
    size_t count;
    size_t bytes;    /* of the payloads */
    int64_t newest;  /* the highest request that was answered, */
    int64_t dropped; /* and of those whose answers are no longer kept */
};

struct person;
struct table;
struct review;

TAILQ_HEAD(conn_list, conn);

struct conn {
    int64_t id;
    enum peer peer;
    enum phase phase;
    char address[STORAGE_ADDRESS_SIZE];
    char transport[STORAGE_WORD_SIZE];
    int64_t since_ms;
    bool awaits_hello; /* told to resync: anything else is repeated later and ignored now */
    bool is_returned;  /* a core before this one has served it */
    bool is_unknown;   /* somebody has signed in there, but nobody knows who */
    bool is_lost;      /* nothing but `resync` reaches it */
    bool is_ending;    /* was told `bye` (conn_bye) */
    bool is_unfit;     /* the data do not bear it (fault.h): it ends once the house is built anew */
    char observes[STORAGE_OBSERVES_SIZE]; /* see tables/observing.h; "": they do not */
    bool was_read_only;                   /* has not heard yet that this is over */
    bool is_recovered; /* came in by a recovery code: a new password needs no old one */
    bool is_asking;    /* signed in, but not in the house: it only asks (see entry.h) */
    bool is_program;   /* came in through the API */

    char totp_secret[STORAGE_TOTP_SECRET_SIZE]; /* shown, no code of it typed yet; "": none */
    int64_t confirmed_ms;                       /* step_up.h: when, 0: not since this core began */

    /* While nothing can be written (read_only.h): */
    struct storage_connection unsaved; /* conn_save's row; its number is 0 when there is none */
    bool is_unrecorded;                /* entry_record is still to be done */

    int64_t ban; /* the sanction that kept this session out after it proved who it is; 0 */

    char key_type[STORAGE_KEY_TYPE_SIZE]; /* verified: opens the account, or may a new one */
    char key_fingerprint[STORAGE_FINGERPRINT_SIZE];
    struct person *person; /* once in */
    struct table *table;   /* entered, or NULL */
    bool wants_table;      /* entered: has seen nothing of the table yet */
    int64_t back_to;       /* told to go back to this table (away.h), and not there yet; 0: none */
    bool wants_lobby;      /* in `lobby_waiting`: is told the whole lobby when it is its turn */
    struct review *review; /* leads or follows (reviews.h), or NULL */
    int64_t review_place;  /* among those in it: the lowest leads */

    struct answers answers;
    bool is_answered; /* in `answered` */
    struct bucket input;
    uint32_t input_excess;

    int64_t job;                 /* auth worker: what it is doing, 0 when free */
    TAILQ_ENTRY(conn) of_person; /* the person's connections */
    TAILQ_ENTRY(conn) of_table;  /* all at the table */
    TAILQ_ENTRY(conn) of_review; /* all in the review */
    TAILQ_ENTRY(conn) of_lobby;  /* those with `wants_lobby`, whoever asked first is first */
    TAILQ_ENTRY(conn) of_answered;
};

#define BLOCKS_MAX 100 /* accounts somebody ignores, and as many they do not play with */

/* What staff let somebody not do (lobby/sanctions/sanctions.h): until when, unix ms; 0: free to. */
enum mute_scope {
    MUTE_LOBBY,
    MUTE_TABLE,
    MUTE_TELL,
    MUTE_SCOPES,
};

struct sanctioned {
    int64_t mute_ms[MUTE_SCOPES];
    int64_t suspend_ms;
    int64_t rankban_ms;
    bool is_warned; /* and has not acknowledged it */
    bool is_held;   /* a guest */
};

#define CHANNEL_SIZE 22 /* "#", 20 characters */

/* What one's record in a game is, as far as tables ask for it. */
#define STANDINGS_MAX 16 /* games; of those past it nothing is kept */

struct person_record {
    bool is_known; /* read; the rest means something */
    bool has_rating;
    int32_t rating;   /* points */
    uint8_t finished; /* percent of the rated games */
};

/* Somebody with at least one connection. */
struct person {
    char name[STORAGE_NAME_SIZE]; /* unique among all kinds */
    bool has_password;
    bool has_totp; /* codes of an authenticator confirm too */
    bool is_held;  /* is not heard before a moderator releases the account */
    bool is_new;   /* signed up on this very connection */
    enum person_kind kind;
    enum storage_role role;
    int64_t account;    /* 0 for a guest */
    int64_t created_ms; /* when the account was made; 0 */
    json_t *settings;
    struct conn_list conns;
    size_t conn_count;
    int64_t active_ms;
    double mu, sigma; /* of the game they play most */
    bool has_rating;
    bool is_provisional;
    bool is_changed; /* the lobby's row is to be made anew */
    bool mine_changed;
    uint32_t chat_strikes;
    struct bucket chat;
    struct bucket stir; /* tables opened, seats changed: all that others are told of */
    int64_t chat_strike_ms;
    int64_t muted_until_ms;
    struct sanctioned sanctioned;
    enum person_presence presence;
    char presence_text[ROW_PRESENCE_SIZE]; /* why or what for; "" */
    int64_t *friends;                      /* accounts, see friends.h */
    size_t friend_count, friend_cap;
    char channels[LIMIT_CHANNELS_EACH][CHANNEL_SIZE]; /* see channels.h */
    size_t channel_count;
    struct {
        int64_t table; /* 0: none */
        int64_t until_ms;
    } invite;                                      /* see invites.h */
    struct person_record standings[STANDINGS_MAX]; /* by game, see table_fit.h */
    char *unfit;                                   /* as told last; NULL: never */
    char *row;                   /* as everybody knows it, NULL before the first time */
    char *mine;                  /* as told last */
    int64_t ignored[BLOCKS_MAX]; /* accounts they do not want to hear, ascending */
    size_t ignored_count;
    int64_t *apart; /* accounts that do not play with them, or they with those; ascending */
    size_t apart_count, apart_cap;
};

/* A seat while a game is on, and what its holder is worth. */
struct seat_play {
    size_t since_step; /* to act since this step */
    bool is_out_of_time;
    uint8_t misses;      /* times out in a row */
    bool is_grace_spent; /* a lost connection has stopped the clock once, which is enough */
    uint32_t seen_step;  /* the holder, away from the table now, saw the moves before this one */
    struct player_time time;
    int64_t asked_ms;            /* a bot was asked for this move; 0: not yet */
    int64_t asked_conn;          /* whom; 0: nobody was there */
    uint8_t answer;              /* MOVE_NONE until it answered */
    struct storage_seat starter; /* who began the game here */
    bool has_left;               /* the starter, for good; a bot has the seat */
    size_t hook_turn;            /* since_step + 1 of the turn told to a webhook; 0: none */
    uint32_t left_step;          /* before this move */
    uint32_t stat_hits, stat_chances;
    bool has_rating;
    double mu, sigma;
    bool is_provisional;
};

/* What people without a seat know of the game that is on: all of it, or with a delay
 * (table_watch.h) what there was some time ago. */
struct table_watch {
    size_t step;            /* so many of the moves */
    size_t rows, rows_told; /* of the sheet: finished by then; told of them */
    size_t round_step,
        former_round_step; /* the round that is on, and the one before, began there */
    int64_t *made_ms;      /* by move: when it was made */
    size_t made_cap;
    bool is_changed;         /* `view` is to be pushed to them */
    char *told;              /* `table` as they know it, NULL before the first time */
    struct game_state state; /* after `step` moves; with a delay only */
};

struct table {
    struct storage_table row; /* what is stored */
    const struct game_def *game;
    struct conn_list conns;     /* all who entered */
    int64_t empty_since_ms;     /* nobody is here or seated and connected; 0: somebody is */
    int64_t gone_ms[SEATS_MAX]; /* a seated person's last connection ended; 0: connected */
    char *lobby_row;            /* as everybody knows it */
    struct game_config config;
    bool is_changed;     /* the lobby's row is to be made anew */
    bool table_changed;  /* `table` is to be pushed */
    bool view_changed;   /* `view` is to be pushed */
    bool result_changed; /* `result` is to be pushed */
    bool sheet_reset;    /* a new game: what was told of its sheet is forgotten */
    bool hooks_changed;  /* a turn may be news to a webhook, or none any more */
    int64_t hook_ms;     /* when somebody to act here counts as away (hook_turns.h) */

    bool has_game; /* a game is on or was played: the rest means something */
    bool is_rated;
    bool is_trick_over; /* the last move ended a trick: bots let people see it */
    bool is_round_new;  /* and was followed by a deal */
    uint8_t seed[SEED_BYTES];
    uint8_t commitment[32];
    struct history_move *moves;
    size_t move_count, move_cap;
    int64_t moved_ms; /* the last move, or the start */
    struct table_clock clock;
    uint8_t clock_changed;  /* bit s: that seat's clock is to be stored */
    uint8_t gone_before;    /* bit s: awaited, but gone shortly before the house */
    json_t *sheet;          /* rows of finished rounds */
    size_t sheet_told;      /* how many of them everybody here knows */
    struct payload *result; /* once finished */
    struct seat_play plays[SEATS_MAX];
    struct table_watch watch;
    struct game_state state;
};

/* A denial that may not leave before its time. */
struct later {
    int64_t due_ms;
    int64_t conn;
    int64_t request;
    struct payload *answer;
    TAILQ_ENTRY(later) in_list;
};

TAILQ_HEAD(later_list, later);
TAILQ_HEAD(auth_job_list, auth_job);

/* mod/backups.h */
#define BACKUP_ASKERS_MAX 8

struct backups {
    int64_t keeper; /* its connection; 0: not there yet */
    int64_t due_ms; /* INT64_MAX: never by itself */
    int64_t job;    /* of the latest; numbers rise */
    int64_t begun_ms;
    bool is_running;
    size_t asker_count;
    struct {
        int64_t conn;
        int64_t request;
        struct audit_source source;
    } askers[BACKUP_ASKERS_MAX]; /* to be told of the one that is running */
};

/* webhooks/hooks.h */
#define HOOK_POSTS_MAX 16

struct hooks {
    struct index by_account;
    bool is_changed;       /* some table's turns are to be looked at */
    bool is_queue_changed; /* something may be sent */
    int64_t turns_ms;      /* the first of the tables' hook_ms */
    int64_t due_ms;        /* the next that waits is to be sent then */
    int64_t worker;        /* its connection; 0: not there */
    struct {
        int64_t job; /* the event's number; 0: free */
        int64_t account;
        int64_t since_ms;
    } posts[HOOK_POSTS_MAX]; /* under way */
};

/* sanctions/backoff.h */
#define BACKOFF_KEY_BYTES 32

struct backoffs {
    struct index unsaved; /* by hash: changed while nothing could be written */
    bool has_key;         /* `key` was made then too */
    uint8_t key[BACKOFF_KEY_BYTES];
    int64_t
        doubt_ms; /* a core before this one may have kept waits to itself: until then; 0: none */
};

/* The house is about to close (lobby/mod/closing.c). */
struct closing {
    bool is_draining; /* no new games */
    bool was_away;  /* the time came while no core was there: whether it has closed is not known */
    int64_t at_ms;  /* it closes then; 0: it stays open */
    int64_t due_ms; /* people are told again, or it closes, then; INT64_MAX: it is closing */
    char why[STORAGE_REASON_SIZE];
};

/* sanctions/knocks.h */
#define KNOCKS_KEPT 16

struct knocks {
    struct {
        int64_t ban, until_ms;
    } told[KNOCKS_KEPT];
    struct bucket pace;
    uint32_t untold; /* left out since the last line */
};

/* What guests may (guests.h). */
enum guests_may {
    GUESTS_HEARD,
    GUESTS_PLAY_ONLY,
    GUESTS_NONE,
};

/* What the house is at (fault.h): 0 where it is at nothing of that kind. */
struct doing {
    const char *item_kind; /* a thing that its part can give up alone (parts.h): "table" */
    int64_t item;          /* and its number */
    int64_t conn;          /* a session's, and */
    int64_t request;       /* what it asked for */
    size_t part;           /* the number of a part, from 1 */
};

struct fault {
    bool is_met;
    struct doing at; /* when it was met */
    char why[STORAGE_WHY_SIZE];
};

#define PARTS_MAX 48

struct house {
    struct house_config config;
    enum guests_may guests;
    struct storage *storage;
    int64_t now_ms;
    bool is_failed; /* a write did not succeed: nothing of this turn may be told */
    char failed_why[STORAGE_WHY_SIZE]; /* one sentence, once it is */
    struct doing doing;
    struct fault fault;
    int64_t part_paused_ms[PARTS_MAX]; /* after a fault a part rests until then */
    bool is_full; /* nor when one found no room; the next turn may (read_only.h) */
    bool is_read_only;
    bool has_written;      /* this core has found room for something */
    int64_t guest_unsaved; /* the next guest's number while nothing can be written; 0: as stored */
    int64_t full_since_ms, room_due_ms; /* while it is: since then, and room is looked for then */
    struct index conns;                 /* by id */
    struct index persons;               /* by name */
    struct index tables;                /* by id */
    struct outbox outbox;
    struct later_list laters;
    struct conn_list answered; /* something they asked for was answered in this turn */
    struct {
        struct index left; /* by connection: of those that have not come back yet */
        int64_t ages[ANSWERS_AGES];
        int64_t age_ms;
        size_t age_bytes;
    } kept;                    /* answers_kept.h */
    struct auth_job_list jobs; /* oldest first */
    int64_t job_last;          /* numbers rise */
    bool was_new_password;     /* the kind of the job that was given out last (auth_jobs.h) */
    bool lobby_changed;
    bool mine_changed;
    struct {
        int64_t day;  /* whose day before was looked at; 0: none yet */
        int64_t game; /* the best one then; 0: there was none */
    } best;
    bool fits_changed;   /* some table may take other people now */
    bool tables_changed; /* some table or view is to be pushed */
    int64_t lobby_told_ms;
    struct conn_list lobby_waiting;    /* to be told the whole lobby (lobby_push.h), */
    struct bucket lobby_rows;          /* at this pace */
    char *bot_rows[BOT_NAMES_MAX];     /* of bots at tables, as everybody knows them */
    json_t *gone_people, *gone_tables; /* to be told with the next change */
    int64_t idle_looked_ms;
    bool clocks_changed;     /* some seat's clock is to be stored */
    int64_t alive_ms;        /* the house was there then, as is stored */
    int64_t alive_seen_ms;   /* and as this process knows */
    int64_t alive_due_ms;    /* its next turn is wanted by then; INT64_MAX: nobody's time runs */
    size_t bot_turn;         /* whom to ask next */
    int64_t standing_due_ms; /* somebody leaves a leaderboard then */
    int64_t rerate_due_ms;   /* ratings are computed again (rerate.h) then */
    int64_t
        rewrite_due_ms; /* some more lines of chat follow their account (chat_rewrites.h) then */
    struct backups backups;
    bool barring_changed;    /* the gate is to be told what is banned (sanctions/barring.h) */
    int64_t sanction_due_ms; /* the next one ends by itself then */
    struct hooks hooks;
    json_t *disabled; /* sanctions/disabled.h: by name */
    struct closing closing;
    struct knocks knocks;
    struct backoffs backoffs;
    struct index audit_paces; /* by whom (sanctions/audit_pace.h) */
};

#endif
