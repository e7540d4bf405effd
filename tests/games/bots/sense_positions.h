#pragma once

#include "games/game.h"

/*
 * Positions in which some moves are senseless, read from the text files of a folder. The README of
 * tests/games/bots/sense describes their format.
 */

#define POSITION_PATH_MAX 512
#define POSITION_REASON_MAX 240

struct position {
    char file[POSITION_PATH_MAX];
    unsigned line; /* of the file, where the position begins */
    const struct game_def *game;
    struct game_config config;
    struct game_state state; /* after the moves */
    uint8_t seat;            /* the seat that has to move */
    struct move_set never;   /* the moves that a sensible player never makes there */
    char reason[POSITION_REASON_MAX];
};

/* Reads all files "GAME.txt" and "GAME_anything.txt" of the folder, in the order of their names,
 * and calls `visit` for each position. Fails the running test, with the file and the line, if a
 * position cannot be read or if one of its moves is refused. */
void sense_positions_visit(const char *folder,
                           void (*visit)(void *context, const struct position *position),
                           void *context);
