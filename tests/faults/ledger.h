#ifndef TESTS_FAULTS_LEDGER_H
#define TESTS_FAULTS_LEDGER_H

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the players of a simulation were told, written down by them: it has happened, whatever fails
 * afterwards. The ledger lives outside of the house and its disk. Memory that is out ends the
 * process.
 */

#define LEDGER_VIEWERS 8 /* seats, then the spectators' */

/* The latest view of a game somebody was shown. */
struct ledger_view {
    bool is_there;
    uint16_t step;
    uint64_t hash; /* of view_write's bytes */
};

struct ledger_game {
    int64_t id; /* 0: nothing is known of it */
    int64_t table;
    struct ledger_view views[LEDGER_VIEWERS];
    json_t *result; /* as told, or NULL */
    int64_t result_ms;
    bool is_resumed;
};

/* A line of chat. Staff may have its people renamed afterwards. */
struct ledger_told_line {
    uint64_t words; /* hash of all but the names; 0: nobody was told of it */
    char from[32], to[32];
};

/* A move that was answered `ok`. */
struct ledger_move {
    int64_t game;
    int64_t step; /* as asked for; others may have moved at the same time */
    int64_t conn, request;
    char text[72];
};

/* A line of verbs.def that somebody gave over a connection, without its `yes`. */
struct ledger_order {
    int64_t conn;
    uint32_t asked; /* by so many requests, */
    uint32_t done;  /* of which so many were answered `ok` */
    char line[256];
};

/* What somebody asks for at the table they see, as they were told last. */
struct ledger_ask {
    char name[32];
    int64_t game;  /* on, or over */
    bool is_pause; /* until their connection ends */
    bool is_rematch;
};

struct ledger {
    int64_t now_ms;                 /* of whoever keeps it; 0: nobody says */
    struct ledger_told_line *lines; /* by number */
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
    uint64_t told_lines, told_views, told_results, told_asks; /* how often anything was */
    uint64_t told_orders;
    uint32_t games_seen;     /* bit i: a view of game_at(i) */
    uint64_t contradictions; /* told twice in different ways, or going back */
    char contradiction[256]; /* the first of them */
};

void ledger_clear(struct ledger *ledger);

/* A `chat` push, a `view` of this game, a `result`; an account, a table, a move answered `ok`. */
void ledger_chat(struct ledger *ledger, const json_t *message);
void ledger_view(struct ledger *ledger, int64_t game, const json_t *message);
void ledger_result(struct ledger *ledger, const json_t *message);
void ledger_account(struct ledger *ledger, const char *name);
void ledger_table(struct ledger *ledger, int64_t table);
void ledger_move(struct ledger *ledger, const struct ledger_move *move);

/* A `table` push to somebody of that name; or NULL: their connection has ended. Somebody ends a
 * pause of a game, or says "let us play on": who asks for one there is not looked at any more. */
void ledger_asks(struct ledger *ledger, const char *name, const json_t *table);
void ledger_resumed(struct ledger *ledger, int64_t game);

/* Staff have given somebody another name. */
void ledger_asks_renamed(struct ledger *ledger, const char *before, const char *name);

/* An order is given by one more request; such a request was answered `ok`. */
void ledger_order_asked(struct ledger *ledger, int64_t conn, const char *line);
void ledger_order_done(struct ledger *ledger, int64_t conn, const char *line);

/* True when somebody has given an order of that verb about that name ("": about anything), done or
 * not. */
bool ledger_may_have_changed(const struct ledger *ledger, const char *verb, const char *name);

/* The highest number of each that anybody was told of; 0: none. */
struct ledger_highest {
    int64_t table, game, line;
};
struct ledger_highest ledger_highest(const struct ledger *ledger);

/* Hashes a chat line as it is told, but for its names. */
struct ledger_line {
    const char *channel, *kind, *text;
    int64_t at_ms;
};
uint64_t ledger_hash_line(const struct ledger_line *line);

uint64_t ledger_hash(const void *bytes, size_t len);

/* Text and number of a member; "" and -1 when absent. */
const char *ledger_text(const json_t *object, const char *key);
int64_t ledger_number(const json_t *object, const char *key);

#endif
