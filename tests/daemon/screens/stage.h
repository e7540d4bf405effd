#pragma once

#include "driver.h"
#include "games/game.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A real game at table #7, with the test as the core: its messages are pushed to the driver's
 * screen.
 */
#define STAGE_TABLE 7
#define STAGE_GAME_ID 812

#define STAGE_LEFT_SEAT 2

struct stage {
    const char *leaver; /* held STAGE_LEFT_SEAT at the start and left for good; NULL: nobody */
    struct driver *driver;
    const struct game_def *game;
    struct game_config config;
    struct game_state state;
    uint8_t seed[SEED_BYTES];
    int8_t you;
    struct quick_random random;
    json_t *sheet;                      /* rows so far */
    json_t *moves;                      /* as in a record */
    bool has_long_names;                /* of the others; in force from the next push on */
    const char *table_more, *view_more; /* JSON objects merged into those messages; NULL: none */
};

/* Seats people (even seats) and bots (odd ones) at a table of the game and enters it; you: own
 * seat or SPECTATOR. Nothing is dealt yet and the last seat is free. */
void stage_init(struct stage *stage, const struct driver_setup *setup, const struct game_def *game,
                uint8_t players, int8_t you);

/* Zeroed memory is clear already. */
void stage_clear(struct stage *stage);

/* Pushes `table` in that state: "open", "playing", "finished". */
void stage_push_table(struct stage *stage, const char *state);

/* Deals from a seed made of `number` and shows it. */
void stage_deal(struct stage *stage, uint32_t number);

/* Shows the table and its view as they are, with `table_more` and `view_more`. */
void stage_show(struct stage *stage, const char *table_more, const char *view_more);

/* Makes a move and pushes its consequences. */
void stage_move(struct stage *stage, uint8_t seat, uint8_t move);

/* A random move of some seat that may act; false when the game is over. */
bool stage_step(struct stage *stage);

/* Plays until it is your turn in that phase (index); false if the game is over first. */
bool stage_go_to_turn(struct stage *stage, uint8_t phase);

/* The viewer's current view. */
void stage_view(const struct stage *stage, struct game_view *view);

/* The end of a finished game. */
void stage_push_result(struct stage *stage);

/* The protocol's record of the moves so far, which the caller releases. */
json_t *stage_record(const struct stage *stage);
