#include "tests/lobby/order_lines.h"

#include "games/game.h"
#include "games/macros.h"
#include "games/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WORD_SIZE 64
#define CHOICES_MAX 8
#define NEWEST 6 /* a line names only this many of the newest tables, games and so on */
#define SOME_KEY "key=SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static uint32_t choose_random_number_below(const struct order_lines *values, uint32_t limit)
{
    return values->below(values->context, limit);
}

/* Returns one of the newest numbers up to `highest`; 1 when there are none. */
static int64_t choose_random_recent_number(const struct order_lines *values, int64_t highest)
{
    const int64_t count = highest < NEWEST ? highest : NEWEST;
    return count < 1 ? 1 : highest - (int64_t)choose_random_number_below(values, (uint32_t)count);
}

static const char *choose_random_duration(const struct order_lines *values)
{
    uint32_t count = 0;
    while (values->times[count] != NULL) {
        count++;
    }
    return values->times[choose_random_number_below(values, count)];
}

/* Returns the name of a random command that players may use and that staff can disable. */
static const char *choose_random_player_command(const struct order_lines *values)
{
    const struct mod_command_info *words = NULL;
    uint32_t count = 0;
    while ((words = mod_command_info_at(count)) != NULL && words->rank == RANK_PLAYER) {
        count++;
    }
    return mod_command_info_at(choose_random_number_below(values, count))->name;
}

/* Chooses a random number to write for this word of a line ("report", "#table" …); returns -1 when
 * the word does not stand for a number. */
static int64_t choose_random_number_for_word(const struct order_lines *values, const char *word)
{
    const struct {
        const char *word;
        int64_t number;
    } numbers[] = {
        {"line", values->lines},
        {"report", values->reports},
        {"number", values->reports},
        {"ban", values->sanctions},
        {"#table", values->tables},
        {"@game", values->games},
        {"entry", 4},
        {"count", 3},
    };
    if (strcmp(word, "seconds") == 0 || strcmp(word, "minutes") == 0) {
        return choose_random_number_below(values, 4);
    }
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        if (strcmp(numbers[i].word, word) == 0) {
            return choose_random_recent_number(values, numbers[i].number);
        }
    }
    return -1;
}

static bool stands_for_person_name(const char *word)
{
    return strcmp(word, "player") == 0 || strcmp(word, "into") == 0;
}

static bool stands_for_free_text(const char *word)
{
    return strcmp(word, "reason") == 0 || strcmp(word, "text") == 0 || strcmp(word, "answer") == 0;
}

/* Writes an option, key=value. If the value is a word that stands for something else, such as
 * "player", writes a random value for it. */
static void append_random_option(struct order_lines *values, struct text *text, const char *word)
{
    const size_t key = strcspn(word, "=") + 1;
    const char *value = word + key;
    const char *filled = value;
    char number[WORD_SIZE];
    (void)snprintf(number, sizeof(number), "%" PRIu32, 1 + choose_random_number_below(values, 5));
    if (strncmp(word, "key=", 4) == 0) {
        text_put(text, SOME_KEY);
        text_put(text, choose_random_number_below(values, 2) == 0 ? "A" : "E");
        return;
    }
    if (strncmp(value, "player", 6) == 0 || strcmp(word, "actor=") == 0 ||
        strcmp(word, "target=") == 0) {
        filled = values->player(values->context);
    } else if (strcmp(word, "since=") == 0) {
        filled = "1h";
    } else if (strcmp(word, "verb=") == 0) {
        filled = choose_random_player_command(values);
    } else if (value[0] == '\0') {
        filled = number;
    }
    for (size_t i = 0; i < key; i++) {
        const char one[2] = {word[i], '\0'};
        text_put(text, one);
    }
    if (strcmp(value, "net") == 0) {
        text_put(text, "192.0.2.");
        filled = number;
    }
    text_put(text, filled);
}

static void put_word_or_random_value(struct order_lines *values, struct text *text,
                                     const char *word)
{
    char filled[WORD_SIZE];
    const int64_t number = choose_random_number_for_word(values, word);
    text_put(text, " ");
    if (strchr(word, '=') != NULL) {
        append_random_option(values, text, word);
        return;
    }
    if (stands_for_person_name(word)) {
        (void)snprintf(filled, sizeof(filled), "%s", values->player(values->context));
    } else if (stands_for_free_text(word)) {
        (void)snprintf(filled, sizeof(filled), "why %" PRId64, ++values->serial);
    } else if (strcmp(word, "new-name") == 0) {
        (void)snprintf(filled, sizeof(filled), "n%" PRId64, ++values->serial);
    } else if (strcmp(word, "time") == 0) {
        (void)snprintf(filled, sizeof(filled), "%s", choose_random_duration(values));
    } else if (strcmp(word, "command") == 0) {
        (void)snprintf(filled, sizeof(filled), "%s", choose_random_player_command(values));
    } else if (strcmp(word, "game") == 0) {
        (void)snprintf(filled, sizeof(filled), "%s",
                       game_at((uint8_t)choose_random_number_below(values, game_count()))->id);
    } else if (strcmp(word, "#channel") == 0) {
        (void)snprintf(filled, sizeof(filled), "#tea");
    } else if (number >= 0) {
        const char mark[2] = {word[0] == '#' || word[0] == '@' ? word[0] : '\0', '\0'};
        (void)snprintf(filled, sizeof(filled), "%s%" PRId64, mark, number);
    } else {
        (void)snprintf(filled, sizeof(filled), "%s", word);
    }
    text_put(text, filled);
}

/* Writes one of the alternatives of `a|b|c`. In "player|mod|admin", "player" is a role, not a
 * player's name; in "scope=lobby|table" the key "scope=" is written before either word. */
static void put_one_alternative(struct order_lines *values, struct text *text, const char *word)
{
    char copy[2 * WORD_SIZE];
    char filled[2 * WORD_SIZE];
    const char *choices[CHOICES_MAX] = {""};
    uint32_t count = 0;
    bool is_role = false;
    char *rest = NULL;
    (void)snprintf(copy, sizeof(copy), "%s", word);
    for (char *one = strtok_r(copy, "|", &rest); one != NULL && count < CHOICES_MAX;
         one = strtok_r(NULL, "|", &rest)) {
        is_role = is_role || strcmp(one, "mod") == 0;
        choices[count++] = one;
    }
    const uint32_t chosen = choose_random_number_below(values, count);
    const char *equals = strchr(choices[0], '=');
    if (is_role) {
        text_put(text, " ");
        text_put(text, choices[chosen]);
    } else if (chosen > 0 && equals != NULL && strchr(choices[chosen], '=') == NULL) {
        (void)snprintf(filled, sizeof(filled), "%.*s%s", (int)(equals + 1 - choices[0]), choices[0],
                       choices[chosen]);
        put_word_or_random_value(values, text, filled);
    } else {
        put_word_or_random_value(values, text, choices[chosen]);
    }
}

/* Chooses at random one of the forms of a command's arguments; " | " separates the forms. */
static void choose_random_form(const struct order_lines *values, const char *forms, char form[])
{
    static const char between[] = " | ";
    uint32_t count = 1;
    for (const char *at = forms; (at = strstr(at, between)) != NULL; at++) {
        count++;
    }
    for (uint32_t skip = choose_random_number_below(values, count); skip > 0; skip--) {
        forms = strstr(forms, between) + sizeof(between) - 1;
    }
    const char *end = strstr(forms, between);
    const size_t len = end == NULL ? strlen(forms) : (size_t)(end - forms);
    (void)snprintf(form, ORDER_LINE_SIZE, "%.*s", (int)len, forms);
}

/* Writes the words of a form in order, but leaves out each part in brackets with probability
 * 1/2. */
static void put_words_of_form(struct order_lines *values, struct text *text, char *words)
{
    bool is_left_out = false;
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        if (*word == '[') {
            is_left_out = choose_random_number_below(values, 2) == 0;
            word++;
        }
        const size_t len = strcspn(word, "]");
        const bool is_last = word[len] == ']';
        word[len] = '\0';
        if (!is_left_out) {
            put_one_alternative(values, text, word);
        }
        is_left_out = is_left_out && !is_last;
    }
}

void order_line_generate(struct order_lines *values, const struct mod_command_info *command,
                         char line[ORDER_LINE_SIZE])
{
    char form[ORDER_LINE_SIZE];
    struct text text = text_init(line, ORDER_LINE_SIZE);
    text_put(&text, command->name);
    choose_random_form(values, command->args, form);
    put_words_of_form(values, &text, form);
}
