#pragma once

#include "driver.h"
#include "games/game.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Plays a real game at table #7. The test acts as the core, and pushes the core's messages to the
 * driver's session.
 */
#define STAGE_TABLE 7
#define STAGE_GAME_ID 812

#define STAGE_LEFT_SEAT 2

struct stage {
    const char
        *leaver; /* the player who had seat STAGE_LEFT_SEAT and left for good; NULL: nobody */
    struct driver *driver;
    const struct game_def *game;
    struct game_config config;
    struct game_state state;
    uint8_t seed[SEED_BYTES];
    int8_t you;
    struct quick_random random;
    json_t *sheet;       /* the score rows of the finished rounds */
    json_t *moves;       /* the moves so far, in the form of a game record */
    bool has_long_names; /* the other players have long names in the messages pushed from now on */
    const char *table_fields,
        *view_fields; /* JSON objects merged into the messages `table` and `view`; NULL: none */
};

/* Seats people (even seats) and bots (odd ones) at a table of the game and enters the table;
 * own_seat may be SPECTATOR. Nothing is dealt yet and the last seat is free. */
void stage_init(struct stage *stage, const struct driver_setup *setup, const struct game_def *game,
                uint8_t player_count, int8_t own_seat);

/* Releases the stage; does nothing with zeroed memory. */
void stage_clear(struct stage *stage);

/* cmocka's tear-down function for a *state that is a stage from the heap. Always returns 0. */
int stage_teardown(void **state);

/* Pushes the message `table`, with that value of its field "state": "open", "playing" or
 * "finished". */
void stage_push_table(struct stage *stage, const char *table_state);

/* Deals the cards from a seed made of `seed_number`, and pushes the table and the viewer's view. */
void stage_deal(struct stage *stage, uint32_t seed_number);

/* Begins the game's lesson at the stage's table. */
void stage_begin_lesson(struct stage *stage, const struct driver_setup *setup,
                        const struct game_def *game);

/* Pushes the table and its view again, with the fields of both JSON texts (NULL: none) merged
 * in. */
void stage_push_table_and_view(struct stage *stage, const char *table_fields,
                               const char *view_fields);

/* Makes a seat's move, and pushes the viewer's new view and the scores of a round that the move
 * ends. */
void stage_make_move(struct stage *stage, uint8_t seat, uint8_t move);

/* Makes a random move for a seat whose turn it is; returns false if the game is over. */
bool stage_make_random_move(struct stage *stage);

/* Plays until it is the viewer's turn in the phase with that index; returns false if the game ends
 * before. */
bool stage_play_until_turn(struct stage *stage, uint8_t phase);

/* Fills `view` with what the viewer may see now. */
void stage_write_view(const struct stage *stage, struct game_view *view);

/* Pushes the result of a finished game. */
void stage_push_result(struct stage *stage);

/* Returns a game record with the moves so far, in the protocol's form; the caller releases it. */
json_t *stage_make_game_record(const struct stage *stage);

/* Answers the request for a game's record with the moves so far. */
void stage_answer_with_record(struct stage *stage);

/* Returns the move in the oldest unanswered request, borrowed; NULL if no move was sent. */
const char *stage_find_sent_move(const struct stage *stage);
