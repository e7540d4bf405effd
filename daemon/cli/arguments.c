#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"

#include <signal.h>
#include <string.h>

#define LIST_TEXT_MAX 512
#define OPTION_TEXT_MAX 40

static const struct argument *find_option(const struct argument *known_arguments, const char *name,
                                          size_t len)
{
    while (known_arguments->name != NULL && (strlen(known_arguments->name) != len ||
                                             memcmp(known_arguments->name, name, len) != 0)) {
        known_arguments++;
    }
    return known_arguments->name != NULL ? known_arguments : NULL;
}

static bool add_setting(struct settings *settings, const char *key_and_value)
{
    if (settings->count == SETTINGS_MAX) {
        return subcommand_report_wrong_usage(_("--option may be given %d times at most"),
                                             SETTINGS_MAX) == 0;
    }
    settings->at[settings->count++] = key_and_value;
    return true;
}

/* Reads a decimal number from min to max; anything else is an error. `what` names the number in
 * error messages ("--games"). */
static bool parse_number(const char *what, const char *text, uint32_t min, uint32_t max,
                         uint32_t *number)
{
    size_t len = strlen(text);
    uint64_t read = 0;
    bool is_number = len > 0 && len <= 10 && strspn(text, "0123456789") == len;
    for (size_t i = 0; is_number && i < len; i++) {
        read = read * 10 + (uint64_t)(text[i] - '0');
    }
    if (!is_number || read < min || read > max) {
        return subcommand_report_wrong_usage(_("%s must be a number from %u to %u, not \"%s\""),
                                             what, min, max, text) == 0;
    }
    *number = (uint32_t)read;
    return true;
}

static bool store_value(const struct argument *option, const char *value)
{
    char what[OPTION_TEXT_MAX];
    if (option->number != NULL) {
        (void)snprintf(what, sizeof what, "--%s", option->name);
        return parse_number(what, value, option->min, option->max, option->number);
    }
    if (option->settings != NULL) {
        return add_setting(option->settings, value);
    }
    *option->text = value;
    return true;
}

/* Reads the option at *at. If its value is the next word, moves *at to that word. */
static bool read_option(const struct argument *known_arguments, char ***at)
{
    const char *word = **at;
    size_t len = strcspn(word, "=");
    const char *value = word[len] == '=' ? word + len + 1 : NULL;
    const struct argument *option =
        word[1] == '-' ? find_option(known_arguments, word + 2, len - 2) : NULL;
    if (option == NULL) {
        return subcommand_report_wrong_usage(_("there is no option \"%s\""), word) == 0;
    }
    if (option->flag != NULL) {
        *option->flag = true;
        return value == NULL ||
               subcommand_report_wrong_usage(_("--%s takes no value"), option->name) == 0;
    }
    if (value == NULL && (*at)[1] == NULL) {
        return subcommand_report_wrong_usage(_("--%s needs a value"), option->name) == 0;
    }
    return store_value(option, value != NULL ? value : *++*at);
}

static bool store_word(const struct argument *words_argument, const char *word)
{
    if (words_argument->text == NULL) {
        return subcommand_report_wrong_usage("\"%s\" is no option", word) == 0;
    }
    if (*words_argument->text != NULL) {
        return subcommand_report_wrong_usage(_("there is more than one %s: \"%s\""),
                                             words_argument->called, word) == 0;
    }
    *words_argument->text = word;
    return true;
}

bool arguments_read(const struct argument *known_arguments, char **argv)
{
    const struct argument *words = known_arguments;
    bool is_good = true;
    bool only_words = false;
    while (words->name != NULL) {
        words++;
    }
    for (char **at = argv + 1; is_good && *at != NULL; at++) {
        if (!only_words && strcmp(*at, "--") == 0) {
            only_words = true;
        } else if (!only_words && (*at)[0] == '-' && (*at)[1] != '\0') {
            is_good = read_option(known_arguments, &at);
        } else if (words->rest != NULL) {
            *words->rest = at;
            return true;
        } else {
            is_good = store_word(words, *at);
        }
    }
    for (const struct argument *each = known_arguments; is_good && each <= words; each++) {
        is_good = !each->is_needed || *each->text != NULL ||
                  subcommand_report_wrong_usage(_("%s is missing"), each->called) == 0;
    }
    return is_good;
}

const char *arguments_read_data_dir(char **argv)
{
    const char *data_dir = NULL;
    const struct argument options[] = {
        {.name = "data", .text = &data_dir, .called = "--data DIR", .is_needed = true},
        {.name = NULL},
    };
    return arguments_read(options, argv) ? data_dir : NULL;
}

bool arguments_find_game(const char *game_id, const struct game_def **game)
{
    *game = game_find(game_id);
    if (*game != NULL) {
        return true;
    }
    struct text list = TEXT_OF(LIST_TEXT_MAX);
    for (uint8_t i = 0; i < game_count(); i++) {
        text_put(&list, i == 0 ? "" : ", ");
        text_put(&list, game_at(i)->id);
    }
    subcommand_report_wrong_usage(_("there is no game \"%s\"; there are: %s"), game_id, list.at);
    return false;
}

static void list_option_values(const struct option_def *option, struct text *list)
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

static void refuse_setting(const struct game_def *game, const char *setting)
{
    if (game->option_count == 0) {
        subcommand_report_wrong_usage(_("%s has no options, so \"%s\" cannot be set"), game->id,
                                      setting);
        return;
    }
    struct text list = TEXT_OF(LIST_TEXT_MAX);
    for (uint8_t i = 0; i < game->option_count; i++) {
        text_put(&list, i == 0 ? "" : ", ");
        text_put(&list, game->options[i].key);
        text_put_char(&list, '=');
        list_option_values(&game->options[i], &list);
    }
    subcommand_report_wrong_usage(_("%s has no option \"%s\"; it has: %s"), game->id, setting,
                                  list.at);
}

static bool set_option(const struct game_def *game, const char *setting, struct game_config *config)
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
    refuse_setting(game, setting);
    return false;
}

bool arguments_make_game_config(const struct game_def *game, const char *players,
                                const struct settings *settings, struct game_config *config)
{
    if (players == NULL) {
        subcommand_report_wrong_usage(_("--players is missing; %s takes %u to %u"), game->id,
                                      game->seats_min, game->seats_max);
        return false;
    }
    uint32_t count = 0;
    if (!parse_number("--players", players, game->seats_min, game->seats_max, &count)) {
        return false;
    }
    *config = game_config_default(game, (uint8_t)count);
    for (size_t i = 0; i < settings->count; i++) {
        if (!set_option(game, settings->at[i], config)) {
            return false;
        }
    }
    game_config_reset_unused_options(game, config);
    if (game_config_check(game, config) != GAME_OK) {
        return subcommand_report_wrong_usage(_("%s cannot be played with these options together"),
                                             game->id) == 0;
    }
    return true;
}

#define OUTPUT_BUFFER 65536

void output_begin(void)
{
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOFBF, OUTPUT_BUFFER);
}
