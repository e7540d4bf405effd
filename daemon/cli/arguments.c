#include "daemon/cli/arguments.h"

#include "daemon/base/i18n.h"

#include <sodium.h>
#include <string.h>

#define LIST_TEXT_MAX 512

struct arguments arguments_of(const struct subcommand *self, const struct argument *known, int argc,
                              char **argv)
{
    return (struct arguments){.self = self, .known = known, .argc = argc, .argv = argv, .next = 1};
}

static int known_index(const struct argument *known, const char *name, size_t len)
{
    for (int i = 0; known[i].name != NULL; i++) {
        if (strlen(known[i].name) == len && memcmp(known[i].name, name, len) == 0) {
            return i;
        }
    }
    return ARGUMENT_BAD;
}

static int read_option(struct arguments *arguments, const char *word)
{
    size_t len = strcspn(word, "=");
    int index = word[1] == '-' ? known_index(arguments->known, word + 2, len - 2) : ARGUMENT_BAD;
    if (index == ARGUMENT_BAD) {
        subcommand_usage(arguments->self, _("there is no option \"%s\""), word);
        return ARGUMENT_BAD;
    }
    bool has_value = arguments->known[index].has_value;
    const char *name = arguments->known[index].name;
    if (word[len] == '=') {
        arguments->value = word + len + 1;
        if (!has_value) {
            subcommand_usage(arguments->self, _("--%s takes no value"), name);
            return ARGUMENT_BAD;
        }
    } else if (has_value) {
        if (arguments->next >= arguments->argc) {
            subcommand_usage(arguments->self, _("--%s needs a value"), name);
            return ARGUMENT_BAD;
        }
        arguments->value = arguments->argv[arguments->next++];
    }
    return index;
}

int arguments_next(struct arguments *arguments)
{
    if (!arguments->only_words && arguments->next < arguments->argc &&
        strcmp(arguments->argv[arguments->next], "--") == 0) {
        arguments->only_words = true;
        arguments->next++;
    }
    if (arguments->next >= arguments->argc) {
        return ARGUMENT_END;
    }
    const char *word = arguments->argv[arguments->next++];
    if (!arguments->only_words && word[0] == '-' && word[1] != '\0') {
        return read_option(arguments, word);
    }
    arguments->value = word;
    return ARGUMENT_WORD;
}

const char *arguments_data_dir(const struct subcommand *self, int argc, char **argv)
{
    static const struct argument options[] = {{"data", true}, {NULL, false}};
    struct arguments arguments = arguments_of(self, options, argc, argv);
    const char *data_dir = NULL;
    int option;
    while ((option = arguments_next(&arguments)) != ARGUMENT_END) {
        if (option == ARGUMENT_BAD) {
            return NULL;
        }
        if (option == ARGUMENT_WORD) {
            subcommand_usage(self, "\"%s\" is no option", arguments.value);
            return NULL;
        }
        data_dir = arguments.value;
    }
    if (data_dir == NULL) {
        subcommand_usage(self, "--data DIR is missing");
    }
    return data_dir;
}

bool arguments_number(const struct subcommand *self, const char *what, const char *text,
                      uint32_t min, uint32_t max, uint32_t *number)
{
    size_t len = strlen(text);
    uint64_t read = 0;
    bool is_number = len > 0 && len <= 10 && strspn(text, "0123456789") == len;
    for (size_t i = 0; is_number && i < len; i++) {
        read = read * 10 + (uint64_t)(text[i] - '0');
    }
    if (!is_number || read < min || read > max) {
        subcommand_usage(self, _("%s must be a number from %u to %u, not \"%s\""), what, min, max,
                         text);
        return false;
    }
    *number = (uint32_t)read;
    return true;
}

bool arguments_seed(const struct subcommand *self, const char *text, uint8_t seed[SEED_BYTES])
{
    size_t bytes = 0;
    size_t digits = strlen(text);
    if (digits != (size_t)SEED_BYTES * 2) {
        subcommand_usage(self, _("--seed must be %d hex digits, not %zu characters"),
                         SEED_BYTES * 2, digits);
        return false;
    }
    if (sodium_hex2bin(seed, SEED_BYTES, text, digits, NULL, &bytes, NULL) != 0 ||
        bytes != SEED_BYTES) {
        subcommand_usage(self, _("--seed must be %d hex digits, not \"%s\""), SEED_BYTES * 2, text);
        return false;
    }
    return true;
}

bool arguments_game(const struct subcommand *self, const char *id, const struct game_def **game)
{
    *game = game_find(id);
    if (*game != NULL) {
        return true;
    }
    char buffer[LIST_TEXT_MAX];
    struct text list = text_init(buffer, sizeof(buffer));
    for (uint8_t i = 0; i < game_count(); i++) {
        text_put(&list, i == 0 ? "" : ", ");
        text_put(&list, game_at(i)->id);
    }
    subcommand_usage(self, _("there is no game \"%s\"; there are: %s"), id, list.at);
    return false;
}

bool arguments_setting(const struct subcommand *self, struct settings *settings, const char *text)
{
    if (settings->count == SETTINGS_MAX) {
        subcommand_usage(self, _("--option may be given %d times at most"), SETTINGS_MAX);
        return false;
    }
    settings->at[settings->count++] = text;
    return true;
}

static void put_values(const struct option_def *option, struct text *list)
{
    for (uint8_t v = 0; v < option->value_count; v++) {
        const struct option_value *value = &option->values[v];
        text_put(list, v == 0 ? "" : "|");
        if (option->type == OPTION_WORD) {
            text_put(list, value->word);
        } else if (option->type == OPTION_SWITCH) {
            text_put(list, value->number != 0 ? "true" : "false");
        } else {
            text_put_number(list, value->number);
        }
    }
}

static void refuse_setting(const struct subcommand *self, const struct game_def *game,
                           const char *setting)
{
    if (game->option_count == 0) {
        subcommand_usage(self, _("%s has no options, so \"%s\" cannot be set"), game->id, setting);
        return;
    }
    char buffer[LIST_TEXT_MAX];
    struct text list = text_init(buffer, sizeof(buffer));
    for (uint8_t i = 0; i < game->option_count; i++) {
        text_put(&list, i == 0 ? "" : ", ");
        text_put(&list, game->options[i].key);
        text_put_char(&list, '=');
        put_values(&game->options[i], &list);
    }
    subcommand_usage(self, _("%s has no option \"%s\"; it has: %s"), game->id, setting, list.at);
}

static bool set_option(const struct subcommand *self, const struct game_def *game,
                       const char *setting, struct game_config *config)
{
    char key[64];
    size_t len = strcspn(setting, "=");
    if (len < sizeof(key) && setting[len] == '=') {
        memcpy(key, setting, len);
        key[len] = '\0';
        if (game_config_set(game, config, key, setting + len + 1)) {
            return true;
        }
    }
    refuse_setting(self, game, setting);
    return false;
}

bool arguments_config(const struct subcommand *self, const struct game_def *game,
                      const char *players, const struct settings *settings,
                      struct game_config *config)
{
    if (players == NULL) {
        subcommand_usage(self, _("--players is missing; %s takes %u to %u"), game->id,
                         game->seats_min, game->seats_max);
        return false;
    }
    uint32_t count;
    if (!arguments_number(self, "--players", players, game->seats_min, game->seats_max, &count)) {
        return false;
    }
    *config = game_config_default(game, (uint8_t)count);
    for (size_t i = 0; i < settings->count; i++) {
        if (!set_option(self, game, settings->at[i], config)) {
            return false;
        }
    }
    game_config_settle(game, config);
    if (game_config_check(game, config) != GAME_OK) {
        subcommand_usage(self, _("%s cannot be played so: these options do not go together"),
                         game->id);
        return false;
    }
    return true;
}
