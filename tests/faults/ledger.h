#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The ledger records what the players of a simulation were told. All of it has happened, whatever
 * fails afterwards. The ledger is kept outside the house and its disk. Ends the process when memory
 * is exhausted.
 */

#define LEDGER_VIEWERS 8 /* the seats, then one entry for spectators */

/* The latest view of a game that a player or spectator was shown. */
struct ledger_view {
    bool is_there;
    uint16_t step;
    uint64_t hash; /* hash of the bytes that view_write gives */
};

struct ledger_game {
    int64_t id; /* 0: nothing is known about the game */
    int64_t table;
    struct ledger_view views[LEDGER_VIEWERS];
    json_t *result; /* the result as told, or NULL */
    int64_t result_ms;
    bool is_resumed;
};

/* A chat line. Staff may rename its people afterwards. */
struct ledger_told_line {
    uint64_t words; /* hash of everything except names; 0: nobody was told about the line */
    char from[32], to[32];
};

/* A move that was answered with `ok`. */
struct ledger_move {
    int64_t game;
    int64_t step; /* the step when it was requested; other seats may have moved at the same time */
    int64_t conn, request;
    char text[72];
};

/* A line of mod_commands.def that a player gave over a connection, without its `yes`. */
struct ledger_order {
    int64_t conn;
    uint32_t asked; /* how many requests gave this order */
    uint32_t done;  /* how many of these were answered with `ok` */
    char line[256];
};

/* What a player is asking for at the table they see, as last told. */
struct ledger_ask {
    char name[32];
    int64_t game;  /* a game in progress or over */
    bool is_pause; /* ends with their connection */
    bool is_rematch;
};

struct ledger {
    int64_t now_ms; /* the current time, if the owner of the ledger sets it; otherwise 0 */
    struct ledger_told_line *lines; /* by the line's number */
    size_t line_cap;
    struct ledger_game *games; /* by id */
    size_t game_cap;
    struct ledger_move *moves;
    size_t move_count, move_cap;
    struct ledger_ask *asks;
    size_t ask_count, ask_cap;
    char (*accounts)[32];
    size_t account_count, account_cap;
    int64_t *tables;
    size_t table_count, table_cap;
    struct ledger_order *orders;
    size_t order_count, order_cap;
    uint64_t told_lines, told_views, told_results, told_asks; /* how many facts were told */
    uint64_t told_orders;
    uint32_t games_seen;     /* bit i: a view of game_at(i) was told */
    uint64_t contradictions; /* facts told twice with a difference, or going back in time */
    char contradiction[256]; /* description of the first of these */
};

void ledger_clear(struct ledger *ledger);

/* Record a `chat` push, a `view` of this game, a `result`, an account, a table, or a move answered
 * with `ok`. */
void ledger_chat(struct ledger *ledger, const json_t *message);
void ledger_view(struct ledger *ledger, int64_t game, const json_t *message);
void ledger_result(struct ledger *ledger, const json_t *message);
void ledger_account(struct ledger *ledger, const char *name);
void ledger_table(struct ledger *ledger, int64_t table);
void ledger_move(struct ledger *ledger, const struct ledger_move *move);

/* Record a `table` push to the player with that name; NULL when their connection has ended. When a
 * player ends a pause of a game or says "let us play on", requests for a pause there are no longer
 * checked. */
void ledger_asks(struct ledger *ledger, const char *name, const json_t *table);
void ledger_resumed(struct ledger *ledger, int64_t game);

/* Staff have renamed a player. */
void ledger_asks_renamed(struct ledger *ledger, const char *before, const char *name);

/* Record that a request has given an order, and that such a request was answered with `ok`. */
void ledger_order_asked(struct ledger *ledger, int64_t conn, const char *line);
void ledger_order_done(struct ledger *ledger, int64_t conn, const char *line);

/* Whether an order with that command was given about that name ("": about anyone), carried
 * out or not. */
bool ledger_may_have_changed(const struct ledger *ledger, const char *command, const char *name);

/* The highest number of each kind that any player was told about; 0: none. */
struct ledger_highest {
    int64_t table, game, line;
};
struct ledger_highest ledger_highest(const struct ledger *ledger);

/* Hash of a chat line as told, without its names. */
struct ledger_line {
    const char *channel, *kind, *text;
    int64_t at_ms;
};
uint64_t ledger_hash_line(const struct ledger_line *line);

uint64_t ledger_hash(const void *bytes, size_t len);

/* The text or number of a member; "" or -1 when it is absent. */
const char *ledger_text(const json_t *object, const char *key);
int64_t ledger_number(const json_t *object, const char *key);
