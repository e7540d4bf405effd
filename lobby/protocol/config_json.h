#pragma once

#include "games/game.h"

#include <jansson.h>
#include <stdbool.h>

/* A game's options between HISTORY.md's object and the struct. */

/* The options as an object, the caller's to release. */
json_t *config_to_json(const struct game_def *game, const struct game_config *config) MUST_CHECK;

/* Sets the options named in the object; the others stay, or get their default back when they mean
 * nothing any more. False, with *config unspecified, when it
 * is no object or names an option or value the game does not have. */
bool config_from_json(const struct game_def *game, const json_t *options,
                      struct game_config *config) MUST_CHECK;
