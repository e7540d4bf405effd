#pragma once

#include "games/game.h"

/*
 * Declares the definitions listed in games.def, for the list of games and for each game's own
 * tests. All other code calls game_at() or game_find().
 */
#define GAME(name) extern const struct game_def name;
#include "games/games.def"
#undef GAME
