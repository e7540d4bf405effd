#pragma once

#include "games/game.h"

#include <jansson.h>
#include <stdbool.h>

/* Converts a game's options between the JSON object of HISTORY.md and the struct. */

/* Makes the object of the options, which the caller releases. */
json_t *config_to_json(const struct game_def *game, const struct game_config *config) MUST_CHECK;

/* Sets the options that the object names. Other options stay, or return to their default if they no
 * longer apply. Returns false, with *config unspecified, if this is not an object, or it has an
 * option or value that the game does not have. */
bool config_from_json(const struct game_def *game, const json_t *options,
                      struct game_config *config) MUST_CHECK;
