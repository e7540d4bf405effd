#pragma once

#include "games/history.h"
#include "lobby/house/house.h"
#include "storage/archive/archive.h"
#include "storage/storage.h"

struct person;

/* A stored game with everything needed to replay it. */
struct game_record {
    struct storage_game row;
    bool is_known; /* this program has the game and its options, so `source` is valid */
    struct history_source source; /* `source` points into the arrays below */
    struct history_seat seats[STORAGE_SEATS_MAX];
    struct history_move *moves;
    struct history_change *changes;
    struct storage_seat_change
        *rows; /* the stored seat changes; `changes` points to names in them */
    size_t move_count, move_cap;
    size_t row_count, row_cap;
};

/* Reads the game of that number. Call game_record_clear afterwards, even after an error. Returns
 * STORAGE_NOT_FOUND when there is no such game. A stored move that is not valid in this game
 * becomes MOVE_NONE. */
enum storage_result game_record_read(struct storage *storage, int64_t id,
                                     struct game_record *record) MUST_CHECK;
void game_record_clear(struct game_record *record);

enum game_record_verdict {
    GAME_RECORD_HOLDS = 0,
    GAME_RECORD_UNKNOWN,   /* this program does not know the game or its options */
    GAME_RECORD_MISDEALT,  /* the seed does not match the promised hash */
    GAME_RECORD_BAD_MOVE,  /* the game's rules refuse a move, or a move comes after the end */
    GAME_RECORD_NOT_OVER,  /* the game is stored as finished, but its last move does not end it */
    GAME_RECORD_BAD_SCORE, /* the stored scores or ranks differ from those that the moves lead to */
};

/* Replays a finished game from its seed and compares the result with the stored scores. */
enum storage_result game_record_check(struct storage *storage, const struct game_record *record,
                                      enum game_record_verdict *verdict) MUST_CHECK;

/* Returns the verdict in English words, for the operator. */
const char *game_record_describe_verdict(enum game_record_verdict verdict);

/*
 * Shared replays: one person leads through a finished game, and the followers see the same step. A
 * replay lasts as long as one of its participants is connected, even across a restart of the core.
 * The leader may make a follower the leader. When the leader leaves, the follower who joined first
 * becomes leader.
 */

/* Sends the state of the replay (`review`) again to everybody in the same replay as this person. */
void shared_replays_resend_replay_of(struct house *house, const struct person *person);
