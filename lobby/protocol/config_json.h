#pragma once

#include "games/game.h"

#include <jansson.h>
#include <stdbool.h>

/* Converts a game's options between HISTORY.md's object and the struct. */

/* The options as an object, which the caller releases. */
json_t *config_to_json(const struct game_def *game, const struct game_config *config) MUST_CHECK;

/* Sets the options named in the object. Others stay, or return to their default if they no longer
 * apply. False, with *config unspecified, if it is not an object or names an option or value that
 * the game does not have. */
bool config_from_json(const struct game_def *game, const json_t *options,
                      struct game_config *config) MUST_CHECK;
