#include "lobby/protocol/protocol.h"

#include <stdio.h>

#define CONFIG_TEXT_MAX 512
json_t *config_to_json(const struct game_def *game, const struct game_config *config)
{
    char buffer[CONFIG_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    game_config_write(game, config, &text);
    return json_loads(buffer, 0, NULL);
}

/* Converts a JSON value to text for game_config_set. Returns NULL for a type that no option has. */
static const char *get_option_value_text(const json_t *value, char *number_buffer, size_t cap)
{
    if (json_is_string(value)) {
        return json_string_value(value);
    }
    if (json_is_boolean(value)) {
        return json_is_true(value) ? "true" : "false";
    }
    if (json_is_integer(value)) {
        (void)snprintf(number_buffer, cap, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return number_buffer;
    }
    return NULL;
}

bool config_from_json(const struct game_def *game, const json_t *options,
                      struct game_config *config)
{
    if (!json_is_object(options)) {
        return false;
    }
    /* Only the game's own keys are looked up, so an unknown key is never taken for an option. */
    size_t found = 0;
    for (uint8_t i = 0; i < game->option_count; i++) {
        const json_t *value = json_object_get(options, game->options[i].key);
        if (value == NULL) {
            continue;
        }
        found++;
        char number[24];
        const char *word = get_option_value_text(value, number, sizeof(number));
        if (word == NULL || !game_config_set(game, config, game->options[i].key, word)) {
            return false;
        }
    }
    game_config_reset_unused_options(game, config);
    return found == json_object_size(options);
}
