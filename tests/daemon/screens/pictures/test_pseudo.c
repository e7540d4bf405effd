#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "games/game.h"
#include "tests/daemon/screens/all_screens.h"
#include "tests/daemon/screens/pictures/gallery.h"
#include "tests/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Finds sentences that nobody can translate: shows every screen in a made-up language without Latin
 * letters. A word with two or more Latin letters is then a name, a word that people type, or part
 * of a sentence that is not in the catalogue.
 */

#define TOKEN_BYTES 200
#define FOUND_MAX 500

struct found {
    int count;
    char words[FOUND_MAX][TOKEN_BYTES];
    bool is_plain;
};

/* Texts that people wrote in the tests' messages; screens show these untranslated. */
static const char *const written[] = {
    "opened #7, 4 seats, 30 s a move",
    "anyone for a quick one before lunch?",
    "after this round, mira owes me a game and I have been waiting",
    "for it since yesterday, so a table of four it is",
    "is away: coffee",
    "coffee",
    "join us at #7",
    "call me",
    "later",
    "much-too-long-a-name",
};

/* Names, and other words that occur only in the tests' messages; screens show these
 * untranslated. */
static const char *const names[] = {
    "mira",
    "ada",
    "bob",
    "chen",
    "dmitri",
    "ella",
    "charlotte-anne-9",
    "guest-12",
    "friends-of-ada",
    "Trickhouse",
    "Deutsch",
    "UTC",
    "English",
    "bartholome",
    "bartholomew_iii1",
    "wolfeschlegel-55",
    "montgomery-smit",
    "anastasia-maria4",
    "konstantin_wurst",
    "eve",
    "max",
    "zzz",
    "BUY",
    "NO",
    "spam",
    "zoe",
};

/* Names of keys, and words that people type: both are the same in every language. */
static const char *const typed[] = {
    "useful",  "newest",   "game",
    "watched", "Enter",    "Esc",
    "Ctrl-C",  "Ctrl-L",   "Ctrl-D",
    "Tab",     "PgUp",     "PgDn",
    "notice",  "quiet",    "on",
    "off",     "easy",     "medium",
    "strong",  "none",     "me",
    "pace",    "quick",    "normal",
    "slow",    "public",   "delay",
    "friends", "talk",     "all",
    "apart",   "colour",   "mono",
    "list",    "contrast", "add",
    "remove",  "oh-hell",  "mute",
    "ban",     "backup",   "BCDF-GHJK-MNPQ-RSTV",
    "otpauth", "secret",   "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    "GEZD",    "GNBV",     "GY3T",
    "QOJQ",
};

/* Words that people type to set up a table in plain mode: the same in every language. */
static const char *const set_up[] = {
    "game", "players", "clock", "open-to", "watching", "password", "bots",
};

static bool is_in_list(const char *const *list, size_t count, const char *token)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], token) == 0) {
            return true;
        }
    }
    return false;
}

/* True if the token is a card, written as its number and the letters of its suit. */
static bool is_card_notation(const char *token)
{
    const char *letters = token + strspn(token, "0123456789");
    letters += strlen(letters) == 2 && strchr("TJQKA", letters[0]) != NULL &&
               islower((unsigned char)letters[1]) == 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct deck_def *deck = game_at(i)->deck;
        for (uint8_t suit = 0; suit < deck->suit_count; suit++) {
            if (strcmp(deck->suits[suit].letters, letters) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* True if the token is the name of a game's option, or of an option's value. */
static bool is_game_option_or_value(const char *token)
{
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        for (uint8_t j = 0; j < game->option_count; j++) {
            const struct option_def *option = &game->options[j];
            bool is_found = strcmp(option->key, token) == 0;
            for (uint8_t k = 0; k < option->value_count; k++) {
                const char *id = option->values[k].word;
                is_found = is_found || (id != NULL && strcmp(id, token) == 0);
            }
            if (is_found) {
                return true;
            }
        }
    }
    return false;
}

static bool is_name_or_typed_word(const char *caption, const char *token)
{
    bool is_set_up = strncmp(caption, "/new", strlen("/new")) == 0;
    bool is_of_samples = strncmp(token, "player-", strlen("player-")) == 0;
    bool is_seed = strlen(token) == 64;
    return is_of_samples || is_seed || is_in_list(names, ARRAY_LEN(names), token) ||
           is_in_list(typed, ARRAY_LEN(typed), token) || is_card_notation(token) ||
           (is_set_up &&
            (is_in_list(set_up, ARRAY_LEN(set_up), token) || is_game_option_or_value(token)));
}

static bool has_two_adjacent_latin_letters(const char *token)
{
    int run = 0;
    for (; *token != '\0'; token++) {
        run = isalpha((unsigned char)*token) != 0 ? run + 1 : 0;
        if (run >= 2) {
            return true;
        }
    }
    return false;
}

/* Overwrites the texts that people wrote with blanks. */
static void blank_out_texts_of_people(char *text)
{
    for (size_t i = 0; i < ARRAY_LEN(written); i++) {
        for (char *at = text; (at = strstr(at, written[i])) != NULL;) {
            memset(at, ' ', strlen(written[i]));
        }
    }
}

static void note_untranslated_word(struct found *found, const char *caption, const char *token)
{
    for (int i = 0; i < found->count; i++) {
        if (strcmp(found->words[i], token) == 0) {
            return;
        }
    }
    assert_true(found->count < FOUND_MAX);
    snprintf(found->words[found->count++], TOKEN_BYTES, "%s", token);
    printf("\"%s\" in %s\n", token, caption);
}

static void find_untranslated_words(void *context, const char *caption, struct driver *driver)
{
    static const char of_word[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    struct found *found = context;
    char *text = strdup(found->is_plain ? driver_read_output(driver) : driver_read_screen(driver));
    assert_non_null(text);
    int before = found->count;
    blank_out_texts_of_people(text);
    for (char *at = text, *end; *(at += strcspn(at, of_word)) != '\0'; at = end) {
        char token[TOKEN_BYTES];
        end = at + strspn(at, of_word);
        snprintf(token, sizeof token, "%.*s", (int)(end - at), at);
        bool is_typed = at > text && strchr("/#", at[-1]) != NULL;
        bool is_cut = strncmp(end, "…", strlen("…")) == 0;
        if (!is_typed && !is_cut && has_two_adjacent_latin_letters(token) &&
            !is_name_or_typed_word(caption, token)) {
            note_untranslated_word(found, caption, token);
        }
    }
    free(text);
    if (found->count > before) {
        printf("%s\n", found->is_plain ? driver_read_output(driver) : driver_read_screen(driver));
    }
    driver_forget_output(driver);
}

static void assert_all_screens_are_translatable(const struct driver_setup *setup)
{
    static struct found found;
    found = (struct found){.is_plain = setup->lines.is_on};
    const struct gallery gallery = {
        .setup = *setup, .look = find_untranslated_words, .context = &found};
    gallery_show_house(&gallery);
    gallery_show_tables(&gallery);
    gallery_show_commands(&gallery);
    assert_int_equal(found.count, 0);
}

/* True if a translation changes the names of the keys: "up down", but not "Tab" or "PgUp PgDn". */
static bool is_translatable_key_name(const char *keys)
{
    for (; keys[0] != '\0' && keys[1] != '\0'; keys += 1 + strcspn(keys + 1, " ,")) {
        keys += strspn(keys, " ,");
        if (islower((unsigned char)keys[0]) != 0 && islower((unsigned char)keys[1]) != 0) {
            return true;
        }
    }
    return false;
}

static void every_description_of_a_key_is_translatable(void **state)
{
    (void)state;
    const struct screen *screen;
    for (size_t i = 0; (screen = all_screens[i]) != NULL; i++) {
        for (const struct screen_key *key = screen->keys; key != NULL && key->keys != NULL; key++) {
            const char *words = key->help != NULL ? key->help : key->hint;
            if (i18n_translate(words) == words ||
                (is_translatable_key_name(key->keys) && i18n_translate(key->keys) == key->keys)) {
                fail_msg("%s: %s: %s", screen->name, key->keys, words);
            }
        }
    }
}

static void every_sentence_on_full_screens_is_translatable(void **state)
{
    (void)state;
    assert_all_screens_are_translatable(&(struct driver_setup){.columns = 80, .rows = 24});
}

static void every_sentence_in_plain_mode_is_translatable(void **state)
{
    (void)state;
    assert_all_screens_are_translatable(
        &(struct driver_setup){.lines = {.is_on = true, .is_read_aloud = true}});
}

static int set_up_catalogues(void **state)
{
    (void)state;
    return i18n_load_catalogues(PSEUDO_FOLDER) && i18n_choose_language("de") ? 0 : -1;
}

TEST_GROUP(pseudo)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_description_of_a_key_is_translatable),
        cmocka_unit_test(every_sentence_on_full_screens_is_translatable),
        cmocka_unit_test(every_sentence_in_plain_mode_is_translatable),
    };
    return cmocka_run_group_tests_name("pseudo", tests, set_up_catalogues, NULL);
}
