#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The ledger records what the players of a simulation were told. Everything they were told must
 * stay true, whatever fails afterwards. The ledger lies outside the house and its disk. The
 * functions end the process when memory is exhausted.
 */

/* number of views of one step of a game: one for each seat, and one for spectators */
#define LEDGER_VIEWERS 8

/* The latest view of a game that a player or spectator was shown. */
struct ledger_view {
    bool is_there;
    uint16_t step;
    uint64_t hash; /* hash of the text that view_write makes of the view */
};

struct ledger_game {
    int64_t id; /* 0: this entry of the array is free */
    int64_t table;
    struct ledger_view views[LEDGER_VIEWERS];
    json_t *result; /* the result that players were told, or NULL */
    int64_t result_ms;
    bool is_resumed;
};

/* A chat line that a player was shown. Staff may rename the people in it afterwards. */
struct ledger_told_line {
    uint64_t words; /* hash of everything except names; 0: nobody was shown the line */
    char from[32], to[32];
};

/* A move that was answered with `ok`. */
struct ledger_move {
    int64_t game;
    int64_t step; /* the step of the game for which the player requested the move; other seats may
                     have moved at the same time */
    int64_t conn, request;
    char text[72];
};

/* An order: a moderation command (see mod_commands.def) that a player sent over a connection.
 * `line` is the command without the `yes` that confirms it. */
struct ledger_order {
    int64_t conn;
    uint32_t asked; /* how many requests contained this command */
    uint32_t done;  /* how many of these requests were answered with `ok` */
    char line[256];
};

/* The requests that a player has made at a table, for a pause or a rematch, as the house last
 * showed them to the player. */
struct ledger_requests {
    char name[32];
    int64_t game;  /* the game at the table, in progress or over */
    bool is_pause; /* the player has asked for a pause; the request ends when the player's
                      connection ends */
    bool is_rematch;
};

struct ledger {
    int64_t now_ms; /* the simulation's current time; 0 when the ledger is used without a clock */
    struct ledger_told_line *lines; /* the chat lines, indexed by their number */
    size_t line_cap;
    struct ledger_game *games; /* by id */
    size_t game_cap;
    struct ledger_move *moves;
    size_t move_count, move_cap;
    struct ledger_requests *asks;
    size_t ask_count, ask_cap;
    char (*accounts)[32];
    size_t account_count, account_cap;
    int64_t *tables;
    size_t table_count, table_cap;
    struct ledger_order *orders;
    size_t order_count, order_cap;
    uint64_t told_lines, told_views, told_results,
        told_asks; /* how many facts of each kind players were told */
    uint64_t told_orders;
    uint32_t
        games_seen; /* bit i is set when a player was shown a view of the game type game_at(i) */
    uint64_t contradictions; /* number of contradictions: facts told in two different ways, and
                                views of an earlier step than the view before */
    char contradiction[256]; /* description of the first contradiction */
};

void ledger_clear(struct ledger *ledger);

/* Record a `chat` push, a `view` of this game, a `result`, an account, a table, or a move answered
 * with `ok`. */
void ledger_record_chat(struct ledger *ledger, const json_t *message);
void ledger_record_view(struct ledger *ledger, int64_t game, const json_t *message);
void ledger_record_result(struct ledger *ledger, const json_t *message);
void ledger_record_account(struct ledger *ledger, const char *name);
void ledger_record_table(struct ledger *ledger, int64_t table);
void ledger_record_move(struct ledger *ledger, const struct ledger_move *move);

/* Records the requests in a `table` message to the player with that name. `table` is NULL when the
 * player's connection has ended.
 *
 * ledger_record_resumed_game: the game was resumed after a pause, so requests for a pause in that
 * game are no longer checked. */
void ledger_record_requests(struct ledger *ledger, const char *name, const json_t *table);
void ledger_record_resumed_game(struct ledger *ledger, int64_t game);

/* Staff have renamed a player: moves the player's requests from the old name to the new name. */
void ledger_move_requests_to_name(struct ledger *ledger, const char *old_name,
                                  const char *new_name);

/* Record that a player has requested a moderation command, and that such a request was answered
 * with `ok`. */
void ledger_record_order(struct ledger *ledger, int64_t conn, const char *line);
void ledger_record_order_done(struct ledger *ledger, int64_t conn, const char *line);

/* Whether anybody has requested this moderation command against the player `name` ("": against
 * anyone). Requests that were refused count too. */
bool ledger_has_order(const struct ledger *ledger, const char *command, const char *name);

/* The highest numbers of a table, a game and a chat line that any player was shown; 0: none. */
struct ledger_highest {
    int64_t table, game, line;
};
struct ledger_highest ledger_find_highest_numbers(const struct ledger *ledger);

/* Hashes a chat line without the names of its sender and receiver. */
struct ledger_line {
    const char *channel, *kind, *text;
    int64_t at_ms;
};
uint64_t ledger_hash_line(const struct ledger_line *line);

uint64_t ledger_hash(const void *bytes, size_t len);

/* Reads the text or the number of an object's member. Returns "" or -1 when the member is
 * absent. */
const char *ledger_read_text(const json_t *object, const char *key);
int64_t ledger_read_number(const json_t *object, const char *key);

/* Updates the tables that a player knows from a `lobby` message. The keys of `tables` are table
 * numbers, written as text. Returns whether the table with the number `table` was removed. */
bool ledger_update_tables(json_t *tables, const json_t *message, int64_t table);
