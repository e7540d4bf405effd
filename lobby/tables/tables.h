#pragma once

#include "games/game.h"
#include "games/history.h"
#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"
#include "lobby/ratings/ratings.h"
#include "storage/tables/tables.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * An open claim at a table: a player has proven that all remaining tricks of the round are theirs
 * (games/claim.h), and the other players are asked whether they agree. Only players are told of it.
 * A claim is not stored: a restart of the core withdraws it.
 */
struct table_claim {
    int64_t due_ms;           /* when players who have not answered count as accepting */
    uint8_t count;            /* the number of tricks claimed; 0: no claim is open */
    uint8_t seat;             /* the claimant's seat */
    uint8_t asked;            /* bit s: the player on seat s is asked and has not answered */
    uint8_t cards[SLOTS_MAX]; /* the claimant's cards in the order of the proof */
    bool is_accepted;         /* the round is being played to its end */
    bool is_refused;          /* somebody refused a claim at step `refused_step` */
    size_t refused_step;
};

/*
 * The clocks of one table: plain arithmetic on unix times in ms, all passed in. They know no
 * players, bots or storage; the functions of the table decide what happens when a clock runs out.
 *
 *             begin                      end (moved)
 *     idle ──────────▶ running until the deadline ──▶ idle
 *                          │      ▲
 *                     stop │      │ resume: the deadline moves by the time stopped
 *                          ▼      │
 *                          stopped
 */

/* The hours of the day in which no deadline of a turn-by-turn game may fall, in local minutes since
 * midnight, 0–1439. They may span midnight. If from_min and to_min are equal, there are no quiet
 * hours. */
struct quiet_hours {
    uint16_t from_min, to_min;
    int16_t offset_min; /* minutes east of UTC, -720 to 840 */
};

/* Most minutes of quiet hours: longer ones would amount to a second vacation. */
#define QUIET_LONGEST_MIN 720
#define QUIET_OFFSET_MIN_MIN (-720)
#define QUIET_OFFSET_MAX_MIN 840

/* True when all fields are in range and the hours are not too long. */
bool quiet_hours_are_valid(const struct quiet_hours *quiet);

/* Returns the end of the quiet hours that at_ms falls into; returns at_ms if it falls into none. */
int64_t quiet_hours_postpone_to_end_ms(const struct quiet_hours *quiet, int64_t at_ms);

/* A player's times off, which affect the clocks of turn-by-turn games. */
struct player_time_off {
    struct quiet_hours quiet;
    int64_t vacation_ms; /* when the vacation ends; 0 or past: not on vacation */
    int64_t respite_ms;  /* end of the respite, during which no deadline falls due;
                            0: no respite */
};

struct table_clock {
    struct clock_rule rule;
    int64_t stopped_ms; /* since when the clocks are stopped; 0: running */
    /* Each seat's clock as it is stored (storage/tables/tables.h). While it is the seat's turn, it
     * is running. due_ms is the deadline, not yet moved out of quiet hours, INT64_MAX: none;
     * bank_ms is the time in the bank when the turn began or, between turns, after the last move.
     * Only the stored clock has the numbers of the table, the seat and the game, and gone_ms. */
    struct storage_clock seats[SEATS_MAX];
};

/* The minimum time for every turn, even when the bank is empty. */
#define CLOCK_TURN_LEAST_MS (1000 * (int64_t)CLOCK_TURN_LEAST_S)

/* Prepares the clocks for a new game: all banks are full, and it is nobody's turn. */
void table_clock_init(struct table_clock *clock, const struct clock_rule *rule);

/* Begins the seat's turn at at_ms, or after the player's vacation at a turn-by-turn table. A second
 * call begins the turn anew. */
void table_clock_begin_turn(struct table_clock *clock, int seat,
                            const struct player_time_off *player, int64_t at_ms);

/* Ends the seat's turn after its move. If the clock has time banks, updates the seat's bank. */
void table_clock_end_turn(struct table_clock *clock, int seat, int64_t at_ms);

/* Stops all clocks, or resumes them as if no time had passed. A second call has no effect. */
void table_clock_stop_all(struct table_clock *clock, int64_t at_ms);
void table_clock_resume_all(struct table_clock *clock, int64_t at_ms);

/* Skips the time from from_ms to to_ms, when the house was down: no player is charged for it. */
void table_clock_skip_time(struct table_clock *clock, int64_t from_ms, int64_t to_ms);

/* table_clock_move_deadline moves the seat's deadline by by_ms, which may be negative;
 * table_clock_extend_deadline extends it to at least until_ms. */
void table_clock_move_deadline(struct table_clock *clock, int seat, int64_t by_ms);
void table_clock_extend_deadline(struct table_clock *clock, int seat, int64_t until_ms);

/* Returns the seat's deadline, which never falls in the player's respite or quiet hours at a
 * turn-by-turn table. INT64_MAX: it is not the seat's turn, there is no clock, or the clocks are
 * stopped. */
int64_t table_clock_deadline_ms(const struct table_clock *clock, int seat,
                                const struct player_time_off *player);

/* Returns the time left for the seat's turn at now_ms, 0 or more, also while the clocks are
 * stopped. INT64_MAX: unlimited. */
int64_t table_clock_turn_left_ms(const struct table_clock *clock, int seat,
                                 const struct player_time_off *player, int64_t now_ms);

/* Returns the time left in the seat's bank at now_ms. */
int64_t table_clock_left_in_bank_ms(const struct table_clock *clock, int seat, int64_t now_ms);

/* Returns the full time of the current turn, which a bar on the screen shows. */
int64_t table_clock_full_turn_ms(const struct table_clock *clock, int seat);

/* What is kept for one seat during a game. */
struct seat_play {
    size_t since_step; /* the step at which this seat's turn began */
    bool is_out_of_time;
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
    size_t turn_reported; /* the turn that was last reported to a webhook: its since_step + 1; 0:
                             none */
};

/* What spectators know of the current game: either everything or, with a delay, only an earlier
 * state. */
struct table_watch {
    size_t step;               /* the number of moves that spectators know */
    int64_t beat_ms;           /* when the current beat began, unix ms */
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

/* A table as it was when changes were last looked for (tables_find_changes). */
struct table_seen {
    struct storage_table row;
    uint64_t people, times; /* hashes of what decides whether `table` and `view` have changed */
    size_t rounds;          /* how many rounds have finished, as players and spectators know */
    const struct payload *result;
};

/* The table's row in the lobby (lobby/people). */
struct lobby_table {
    struct table_row row; /* as in `text` */
    char *text;           /* the row as JSON; NULL: not listed */
    uint64_t version;     /* the version of the lobby since which the row is as it is */
};

struct table {
    struct storage_table row;    /* the table's row in the database */
    struct storage_table stored; /* as it was stored last; with is_touched, as before this pass */
    const struct game_def *game;
    struct conn_links conns;                /* connections that have entered the table */
    char opened_by[STORAGE_NAME_SIZE];      /* who opened it, "" if the core has restarted since */
    char opened_from[STORAGE_ADDRESS_SIZE]; /* from which source (house/parts.h); "" likewise */
    int64_t empty_since_ms; /* since when nobody is at the table and no seated person is online; 0:
                               somebody is */
    int64_t gone_ms[SEATS_MAX]; /* when a seated person's last connection ended; 0: connected */
    struct game_config config;
    bool is_touched; /* something may differ from what is stored, or was sent to people there */
    struct table_seen seen;
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
    struct lobby_table lobby;
};

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
    int64_t back_to; /* the number of the table to return to (play/play.h); 0: none */
    char observes[STORAGE_OBSERVES_SIZE]; /* the reason for observing unseen (play/play.h); "": the
                                             connection does not observe */
};

CONN_STATE(table_conn_state, struct table_conn_state, tables);

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

PERSON_STATE(table_person_state, struct table_person_state, tables);

struct tables {
    struct index by_id;
    int64_t loaded_ms; /* when the core loaded the stored tables */
    bool rows_changed; /* some table's lobby row has changed, or a table was closed */
    bool has_touched;  /* some table's is_touched is set */
};

PART_STATE(tables_of, struct tables, tables);

/* Runs the block that follows for every table, with `item` as the table. The block may free the
 * table. */
#define TABLES_EACH(item, house) INDEX_ITEMS_EACH(struct table, item, &tables_of(house)->by_id)

/* Finds, loads, stores and describes tables. */

struct table *table_find(struct house *house, int64_t id);

/* Builds a table in memory from a stored row. NULL when this program does not know its game or
 * options. */
struct table *table_load(struct house *house, const struct storage_table *row);

/* Handles the result of storing or reading a table's data: an error closes the table. */
void table_check_storage_result(struct house *house, const struct table *table,
                                enum storage_result result);

/* Stores the table's row with its seats at once, as a table that closes needs. */
void table_save(struct house *house, struct table *table);

/* Frees the table's memory; the stored table stays. */
void table_free(struct house *house, struct table *table);

/* Records that something may change at the table. Before the next commit, what has changed is found
 * by comparison, then stored and sent. Only what leads to a table calls this, for whatever is done
 * there: a request about the table (need_table, request_find_named_table), its timers
 * (struct table_timer), and the coming and going of people. */
void table_touch(struct house *house, struct table *table);

/* Touches the tables whose rows differ from what is stored. Called after work that may change any
 * table. */
void tables_touch_changed(struct house *house);

/* Returns the person's seat; -1: none. */
int table_seat_of(const struct table *table, const struct person *person);

/* Sets of seats have one bit for each seat: 1 << seat. These functions return the seats that may
 * act (none when no game is being played); those with a holder of this kind; those that a person
 * holds, present or not; and those whose player a bot replaces for now. */
uint8_t table_seats_on_turn(const struct table *table);
unsigned table_seats_held_by(const struct table *table, enum storage_holder holder);
unsigned table_seats_of_people(const struct table *table);
unsigned table_seats_absent(const struct table *table);

/* Return the seats whose holder is in the house, and those whose holder has entered the table. */
unsigned table_seats_in_house(const struct house *house, const struct table *table);
unsigned table_seats_entered(const struct house *house, const struct table *table);

/* Returns the first seat of the set; -1: the set is empty. */
static inline int seats_first(unsigned seats)
{
    return seats == 0 ? -1 : __builtin_ctz(seats);
}

/* True when the game waits for a move by the player on this seat: there is no halt, and no bot
 * plays for the player. */
bool table_waits_for_seat(const struct table *table, int seat);

/* Returns one bit for each seat whose holder is at the table and sees the stop between two rounds:
 * a person for whom no bot plays. Programs do not count, unless their `hello` says that they show
 * stops. */
uint8_t table_seats_that_see_stop(const struct house *house, const struct table *table);

/* Returns one bit for each seat for whose holder the stop between two rounds still waits. */
uint8_t table_seats_awaited_at_stop(const struct house *house, const struct table *table);

/* True when this connection shows the stop between two rounds. */
bool conn_sees_stop(const struct conn *conn) MUST_CHECK;

/* Returns how many seats are taken, by people or bots. */
int table_count_taken_seats(const struct table *table);

/* True when this connection is counted as a spectator. A person without a seat is counted once,
 * whatever the number of their connections. */
bool table_counts_conn_as_spectator(const struct table *table, const struct conn *conn);

/* Sends a notice to everybody who is at the table or has a seat there. */
void table_notify_people(struct house *house, const struct table *table, json_t *sentence);

/* Return the person who holds this seat, if connected; otherwise NULL. */
struct person *seat_connected_holder(const struct house *house, const struct storage_seat *holder);
struct person *table_connected_holder(const struct house *house, const struct table *table,
                                      int seat);

/* True when the person has entered this table with any connection. */
bool table_is_entered_by(const struct table *table, const struct person *person);

/* Return the rule of the table's clock, and whether the clock gives players days for a move. */
struct clock_rule table_clock_rule(const struct table *table);
bool table_is_turn_by_turn(const struct table *table);

/* Returns the phase of the table that lobby rows show. */
enum table_phase table_phase(const struct table *table);
bool table_is_playing(const struct table *table);

/* Returns "#7" and the game's title, as people name the table: an argument of %p (say.h). */
void *table_title(const struct table *table);

/* True when this connection observes a table unseen (play/play.h). */
bool conn_is_observing(const struct conn *conn) MUST_CHECK;

/* Returns the earliest time that `next_ms` returns for a table, INT64_MAX if there is no table. */
typedef int64_t table_next_ms(const struct house *house, const struct table *table);
int64_t tables_next_ms(const struct house *house, table_next_ms *next_ms);

/* What the core does at each table when its time there has come: `run` at the time that `next_ms`
 * returns. A part (parts.h) has a list of timers, which ends with NULL. */
struct table_timer {
    table_next_ms *next_ms;
    void (*run)(struct house *house, struct table *table); /* may free the table */
};

int64_t table_timers_next_ms(const struct house *house, const struct table_timer *const *timers);

/* Runs the timers whose time has come, one after the other at all tables. A fault closes the table
 * at which it is met. */
void table_timers_run_due(struct house *house, const struct table_timer *const *timers);

/* Shows spectators with a delay the moves that they may know now. */
extern const struct table_timer table_watch_timer;

/* Returns the table that this person has entered; with several connections, the last table entered.
 * NULL: none. */
const struct table *person_find_entered_table(const struct person *person);

/* The accounts and seats of bots. */

/* True when the account is a bot's; false for 0 (a guest). */
bool account_is_bot(struct house *house, int64_t account);

/* Seats a bot of this level (not BOT_LEVEL_NONE) that does not sit at the table yet. Returns false
 * when all bots of the level already sit at the table. */
bool bot_seat_fill(struct house *house, struct table *table, int seat, enum bot_level level);

/* Returns the seat of the bot of that name; NULL when the bot does not sit at the table. */
const struct storage_seat *bot_seat_find(const struct table *table, const char *name);

/* Invitations to a table. An invited person may enter a locked table and need not meet its
 * requirements. An invitation ends after INVITE_MS, when it is declined, or when the table closes.
 * A person has only their newest invitation; it survives a lost connection and a restart of the
 * core. */

#define INVITE_MS 300000

/* Sends a connection that has signed in the person's invitation, if that is still valid. */
void invites_send_valid(struct house *house, struct conn *conn);

bool invites_person_is_invited(const struct house *house, const struct person *person,
                               const struct table *table);

/* Sends the invitations to this table again, because another person became host or the host was
 * renamed. */
void invites_resend_for_new_host(struct house *house, const struct table *table);

/* Invites the person. If they ignore the host or refuse to play with the host, nothing happens and
 * neither of them is told. */
void invites_create(struct house *house, const struct table *table, const struct person *host,
                    struct person *person);

/* True when the message differs from the text that was last sent, *last_text (NULL: none);
 * *last_text then becomes the new text. Takes ownership of the message. */
bool last_sent_replace_if_changed(char **last_text, json_t *message);

/* Lessons: guided first games against bots (games/history.h). Only the player sees the table. A
 * table is a lesson as long as its game has the seed of the game's lesson; a rematch is an ordinary
 * game. */
bool table_is_lesson(const struct table *table);

/*
 * Listeners are told of events at tables. A feature defines const struct table_listener
 * NAME_table_listener = {.closed = …}; and adds a line to listeners.def. Each function of a
 * listener may be NULL.
 */
struct table_listener {
    void (*game_begun)(struct house *house, struct table *table);
    void (*game_over)(
        struct house *house,
        struct table *table); /* called after the end of a game, when its result is known */
    void (*closed)(struct house *house,
                   struct table *table); /* called when the table closes for good */
};

#define TABLE_LISTENER(name) extern const struct table_listener name##_table_listener;
#include "lobby/tables/listeners.def"

#define LABEL_MAX 80

/* Reads the account setting `quiet`: null, or {"from_min":1320,"to_min":480,"offset_min":60}.
 * Returns false and leaves *quiet unchanged for any other value. */
bool quiet_hours_from_json(const json_t *value, struct quiet_hours *quiet);

/*
 * Eligibility: whom a table admits. Whoever follows the whole lobby is sent the list of tables that
 * do not admit them (`unfit`), so that clients can hide those tables.
 */

struct eligibility table_eligibility_rule(const struct table *table);

/* True when the table admits the person: they meet the table's requirements (or are its host, or
 * were invited), and no block forbids them to play with people at the table. Otherwise *why (unless
 * `why` is NULL) is set to the reason: a sentence (say.h), which the caller owns. */
bool table_eligibility_admits(struct house *house, const struct table *table, struct person *person,
                              json_t **why);

/* Sends the message `unfit`, the tables that do not admit the connection's person, if the
 * connection follows the whole lobby. */
void table_eligibility_send(struct house *house, struct conn *conn);

/* Sends the message `unfit` to each person who follows the whole lobby if the list of tables that
 * do not admit the person has changed. Called before changed rows of the lobby are sent. */
void table_eligibility_send_changes(struct house *house);

/* Announces a new table that has requirements to everybody whom the table admits, who is not at a
 * table, and who does not ignore the table's host. */
void table_eligibility_announce_to_admitted(struct house *house, const struct table *table,
                                            json_t *sentence);

/* Changes the host of a table. */

/* Makes this account the host. */
void table_set_host(struct house *house, struct table *table, int64_t account, const char *name);

/* After the host has left, makes another seated person the host, preferably one who is at the
 * table. */
void table_choose_new_host(struct house *house, struct table *table);

/*
 * Messages to the people at a table. Hidden cards are sent only from here, and only in the view of
 * the seat that the receiver holds. Everybody else gets a spectator's view.
 */

/* Finds out which messages about the touched tables have to be sent, and which rows in the lobby
 * made again. */
void tables_find_changes(struct house *house);

/* Sends `table`, `sheet`, `view` and `result`, in this order, to everybody at each table; each of
 * them only if it has changed. Called before a commit. */
void table_push_send_changes(struct house *house);

/* Rates the games played at tables (lobby/ratings/ratings.h). */

/* Reads the players for whom the current game is rated, or one that began now: their accounts,
 * their ratings before the game, and how much they count for each other if nobody leaves. */
void table_rating_read_players(struct house *house, const struct table *table,
                               struct rated_game *game);

/* Rates a finished game: stores the players' new ratings, the rating changes, and the statistics.
 * Call it before the game itself is stored as finished. */
void table_rate_game(struct house *house, struct table *table, const struct game_outcome *outcome);

/* True when a game that begins now may be rated, as far as is known before its end. */
bool table_may_be_rated(struct house *house, const struct table *table);

/* Returns the sentence shown when a game begins: that it is rated, or why it is not. */
const char *table_rating_game_start_sentence(struct house *house, const struct table *table);

/* Checks for requests about a table. A check that fails answers the request with `no`.
 * messages.def also names these checks as needs of messages:
 *
 *     table       the requester has entered a table; sets request->table
 *     idle_table  like table, and no game is being played there
 *     hosted_table like table, and the requester is the table's host
 *     own_table   like idle_table, and the requester is the table's host
 *     seat        the message names a seat of request->table; sets request->seat
 *     free_seat   like seat, but the seat must be empty; without a named seat, the first empty one
 *     change_rate request_is_within_rate_limit
 */

/* True when the requester stays within the rate limit for changes that others are told of, such as
 * opening tables; otherwise the request is refused. */
bool request_is_within_rate_limit(const struct request *request);

/* True when all seated people are connected and, after a game, have asked for another one;
 * otherwise the request is refused. */
bool request_players_are_ready(const struct request *request);

/* True when all seated people are connected and have all asked for a rematch. */
bool table_rematch_is_agreed(const struct table *table);

/* Returns the table whose number the message gives as `table`; NULL when there is none. */
struct table *request_find_named_table(const struct request *request);

/*
 * A respite from deadlines makes an absence of days cost one move, not one at every table. It
 * begins with the first deadline that an absent player misses at a turn-by-turn table. For
 * RESPITE_MS, none of the player's deadlines falls due at any table. Each absence gets one respite;
 * after it, deadlines run as usual.
 */
#define RESPITE_MS (7 * DAY_MS)
/* The least time until the deadline of each move after the player has returned. */
#define RESPITE_RETURN_MS DAY_MS

/* Ends the respite from deadlines of a player who has come into the house, made a move, or become
 * active after a long silence. The player's next absence gets a new respite. */
void deadline_respite_end(struct house *house, int64_t account);

/* Makes the table row of PROTOCOL.md, which contains public information only. */
struct table_row table_make_row(const struct table *table);

/* Returns the halt that everybody in the house may know (enum table_halt). The stop between two
 * rounds is not one: only the people at the table are told of it. */
uint8_t table_row_halt(const struct table *table);

/*
 * Time limits at tables: when a turn passes to a bot, what that costs, and how clocks survive a
 * restart. The arithmetic is that of the clocks.
 *
 * Live games (time per move, or a bank) and games without a clock: when a player's time runs out, a
 * bot makes one move. After TIMES_MISSES_LIVE timeouts in a row, or if the player has lost the
 * connection, the bot plays until the player is back. A lost connection stops no clock, but once
 * in each game the table waits at least absent_grace_s for the player to reconnect.
 *
 * Turn-by-turn games: the first missed deadline costs one move, made by a bot; the next one in a
 * row gives the seat to the bot until the player is back. An absence of several days costs one move
 * in total, not one at every table.
 */
#define TIMES_MISSES_LIVE 3
#define TIMES_MISSES_DAYS 2
/* The least time to move that a player gets who returns during their turn; once in each game. */
#define TIMES_RETURN_MS INT64_C(10000)

/* Reads the times off (quiet hours, vacation and respite) of all players at the table. */
void table_times_read_time_off(struct house *house, struct table *table);

/* Reads the times off of one player again after a change, for all tables where the player has a
 * seat. */
void table_times_reread_time_off(struct house *house, int64_t account);

/* Returns when the turn of this seat's player passes to a bot. INT64_MAX: never, unless something
 * changes. */
int64_t table_times_timeout_at_ms(const struct house *house, const struct table *table, int seat);

/* After a timeout, lets a bot play for this seat: for one move, or until the player is back. */
void table_times_let_bot_play(struct house *house, struct table *table, int seat);

/*
 * Who may watch a table's game, and how much of it they know. With a delay, everything that people
 * without a seat are told of the game (views, sheet, the round in the lobby row, what the players
 * and the house say at the table) is a function of an earlier step, and is sent only when that step
 * changes. Steps change at the table's own beat: the moves that spectators may know when a beat
 * begins are spread evenly over it, so a message reveals of later moves only how many were made in
 * the beat before. Spectators with a delay are not told of clocks, nor for whom a bot plays. After
 * the game they know everything.
 */

#define WATCH_BEAT_MS 10000

/* Returns the table's rule for spectators. */
struct watch_rule table_watch_rule(const struct table *table);

/* True when this person, who has no seat at the table, may watch now. Before the start everybody
 * may watch, so that people can enter and sit down. */
bool table_watch_allows(struct house *house, const struct table *table,
                        const struct person *person);

/* True while spectators know less than the players. */
bool table_watch_is_delayed(const struct table *table);

/* Replays all moves that spectators may know now into the state that they see, and sends them the
 * chat that was hidden until now: when a game ends or is restored. `house` is NULL while a table is
 * restored. */
void table_watch_update_visible_state(struct house *house, struct table *table);

/* Returns the state of the game that spectators know. */
const struct game_state *table_watch_visible_state(const struct table *table);

/* True when this connection at the table gets what spectators get: its person has no seat and does
 * not observe unseen. */
bool table_watch_is_spectator(const struct table *table, const struct conn *conn) MUST_CHECK;

/* Talk at tables. */

/* Makes the house say a sentence (say.h) at the table. */
void chat_announce_at_table(struct house *house, struct table *table, json_t *sentence);

/* Sends a line to everybody who may read it (`table`: the line's table, if any). */
void table_send_line(struct house *house, const struct storage_chat *line,
                     const struct table *table);

/* Sends the connection the last chat lines of the table that it has entered, in order. */
void chat_send_table_backlog(struct house *house, const struct conn *conn);

/* True while this connection at the table knows less than the players. */
bool table_watch_is_delayed_for(const struct table *table, const struct conn *conn) MUST_CHECK;
