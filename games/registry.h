#pragma once

#include "games/game.h"

/*
 * Declares the game definitions that games.def lists. Only the list of games and each game's own
 * tests use them; all other code calls game_at() or game_find().
 */
#define GAME(name) extern const struct game_def name;
#include "games/games.def"
#undef GAME
