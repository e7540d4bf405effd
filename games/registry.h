#ifndef GAMES_REGISTRY_H
#define GAMES_REGISTRY_H

#include "games/game.h"

/*
 * The definitions that games.def lists, by name: for the registry itself and for a game's own
 * tests. Everybody else asks game_at() or game_find().
 */
#define GAME(name) extern const struct game_def name;
#include "games/games.def"
#undef GAME

#endif
