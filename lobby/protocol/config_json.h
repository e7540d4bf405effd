#pragma once

#include "games/game.h"

#include <jansson.h>
#include <stdbool.h>

/* Converts a game's options between struct game_config and the JSON object of HISTORY.md. */

/* Makes the JSON object of the options, which the caller releases. */
json_t *config_to_json(const struct game_def *game, const struct game_config *config) MUST_CHECK;

/* Sets the options that the JSON object names. Other options stay; one that no longer applies
 * returns to its default. Returns false, with *config unspecified, if `options` is not an object or
 * has an option or value that the game does not have. */
bool config_from_json(const struct game_def *game, const json_t *options,
                      struct game_config *config) MUST_CHECK;
