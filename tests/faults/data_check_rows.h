#pragma once

#include "games/game.h"
#include "tests/faults/data_check.h"

#include <sqlite3.h>

/* A stored game, and the state that its replay leads to. */
struct data_check_move {
    int64_t step, conn, request;
    uint8_t seat;
    char text[72];
};

struct stored_game {
    int64_t id, table;
    const struct game_def *def;
    struct game_config config;
    int64_t state; /* a value of enum storage_game_state */
    uint8_t seed[SEED_BYTES];
    uint8_t commitment[32];
    struct data_check_move *moves;
    size_t move_count, move_cap;
    struct game_state start;
};

/* Reads a stored game and its moves, and adds their faults to the findings. Returns false when the
 * stored data do not even allow to start the game. */
bool data_check_read_game(sqlite3 *db, int64_t id, struct stored_game *game,
                          struct findings *findings);
void data_check_clear_game(struct stored_game *game);

/* Replays the game and compares it with its stored scores and with the views and the result in
 * `told_game`, which may be NULL. */
void data_check_replay_game(sqlite3 *db, const struct stored_game *game,
                            const struct ledger_game *told_game, struct findings *findings);

/* Checks the staff's moderation commands (orders): compares the audit log with what players were
 * told, and the data with the audit log. */
void data_check_orders(sqlite3 *db, const struct ledger *ledger, struct findings *findings);

/* An SQL condition that finds the rows of the audit log after which a rating may have changed. */
#define PROOF_RERATES "result = 'ok' AND verb IN ('void', 'refund', 'merge', 'delete', 'program')"

/* Returns the single number that a query finds; -1 when it finds none. */
int64_t data_check_read_number(sqlite3 *db, const char *sql, int64_t argument);
