#include "tests/e2e/play.h"

#include "tests/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_MAX 2048
#define ROWS_MAX 64
/* longest wait for one player's output before the next player's output is read */
#define PAUSE_MS 20
#define KEY_MAX 8

static const char card_keys[] = "1234567890ABCDE";

/* The text of a screen, row by row. */
struct screen {
    int count;
    char rows[ROWS_MAX][ROW_MAX];
};

static void read_screen(struct terminal *player, struct screen *screen)
{
    const char *at = terminal_read_text(player);
    screen->count = 0;
    while (*at != '\0' && screen->count < ROWS_MAX) {
        size_t len = strcspn(at, "\n");
        snprintf(screen->rows[screen->count++], ROW_MAX, "%.*s", (int)len, at);
        at += len + (at[len] == '\n');
    }
}

static bool row_begins_with(const char *row, const char *words)
{
    return strncmp(row + strspn(row, " "), words, strlen(words)) == 0;
}

/* Finds the prompt's row, which begins with the mark of the player's turn. Returns -1 when it is
 * not the player's turn. */
static int find_prompt_row(const struct screen *screen)
{
    for (int i = 0; i < screen->count; i++) {
        if (row_begins_with(screen->rows[i], "◄ ")) {
            return i;
        }
    }
    return -1;
}

/* Counts how often `what` occurs in the first `len` bytes of the row. */
static size_t count_occurrences_in_prefix(const char *row, size_t len, const char *what)
{
    size_t count = 0;
    for (const char *at = row; (at = strstr(at, what)) != NULL && (size_t)(at - row) < len; at++) {
        count++;
    }
    return count;
}

/* Finds the key to press for the first card in brackets inside a frame, such as "│ [Q♣] │". */
static bool find_card_key(const struct screen *screen, char key[KEY_MAX])
{
    for (int i = 0; i < screen->count; i++) {
        const char *row = screen->rows[i];
        const char *bracket = strchr(row, '[');
        if (bracket != NULL && row_begins_with(row, "│")) {
            size_t place = count_occurrences_in_prefix(row, (size_t)(bracket - row), "│");
            assert_in_range(place, 1, sizeof(card_keys) - 1);
            snprintf(key, KEY_MAX, "%c", card_keys[place - 1]);
            return true;
        }
    }
    return false;
}

/* Finds the key to press for the first choice in brackets: the letter or digit before it in "1
 * [ada]", otherwise the number in "[0]", otherwise Enter because the choice is already selected, as
 * in "clue for ada: [every 3]". */
static bool find_choice_key(const char *row, char key[KEY_MAX])
{
    const char *bracket = strchr(row, '[');
    if (bracket == NULL) {
        return false;
    }
    if (bracket > row + 1 && bracket[-1] == ' ' && bracket[-2] != ' ' && bracket[-2] != ':') {
        const char *begin = bracket - 1;
        while (begin > row && begin[-1] != ' ') {
            begin--;
        }
        snprintf(key, KEY_MAX, "%.*s", (int)(bracket - 1 - begin), begin);
    } else if (isdigit((unsigned char)bracket[1])) {
        snprintf(key, KEY_MAX, "%ld", strtol(bracket + 1, NULL, 10));
    } else {
        snprintf(key, KEY_MAX, "\r");
    }
    return true;
}

/* Looks for the key of a choice in the prompt's row, in the rows below it, and in a list drawn over
 * the table. */
static bool find_any_choice_key(const struct screen *screen, int prompt, char key[KEY_MAX])
{
    for (int i = prompt; i < screen->count; i++) {
        if (find_choice_key(screen->rows[i], key)) {
            return true;
        }
    }
    for (int i = 0; i < prompt; i++) {
        if (find_choice_key(screen->rows[i], key)) {
            return true;
        }
    }
    return false;
}

/* Finds the key that the screen itself names: it ends a typed number, or takes what is selected in
 * advance. */
static bool find_named_key(const struct screen *screen, char key[KEY_MAX])
{
    static const struct {
        const char *words, *key;
    } offers[] = {{"Enter confirms", "\r"},
                  {"Enter predicts", "\r"},
                  {"Enter twice predicts", "\r"},
                  {"Enter again predicts", "\r"},
                  {"Order the colours: ", "="}};
    for (int i = 0; i < screen->count; i++) {
        for (size_t j = 0; j < sizeof(offers) / sizeof(offers[0]); j++) {
            if (strstr(screen->rows[i], offers[j].words) != NULL) {
                snprintf(key, KEY_MAX, "%s", offers[j].key);
                return true;
            }
        }
    }
    return false;
}

/* Finds the key of a move that the screen offers. Returns false when it offers none yet. */
static bool find_move_key(const struct screen *screen, char key[KEY_MAX])
{
    int prompt = find_prompt_row(screen);
    return prompt >= 0 && (find_named_key(screen, key) || find_card_key(screen, key) ||
                           find_any_choice_key(screen, prompt, key));
}

/* Whether the screen shows a finished trick, which it does for a moment. */
static bool is_finished_trick_shown(struct terminal *player)
{
    return terminal_shows(player, "takes it") || terminal_shows(player, "you take it");
}

bool play_move(struct terminal *player)
{
    static struct screen screen;
    char key[KEY_MAX];
    if (is_finished_trick_shown(player)) {
        terminal_type(player, "\x1b"); /* skips the display of the finished trick */
        return true;
    }
    if (terminal_shows(player, "is over. Enter")) {
        terminal_type(player, "\x1b"); /* the end of a round: goes on */
        return true;
    }
    read_screen(player, &screen);
    if (!find_move_key(&screen, key)) {
        return false;
    }
    terminal_type(player, key);
    return true;
}

/* Makes a move, but only if the screen has changed since the last move: an unchanged screen does
 * not show the last move yet. */
static void move_if_screen_changed(struct terminal *player, char **last_text)
{
    bool was_too_early = terminal_shows(player, "too early for this screen");
    const char *text = terminal_read_text(player); /* valid until the terminal is read again */
    if (*last_text != NULL && strcmp(text, *last_text) == 0 && !was_too_early) {
        return;
    }
    free(*last_text);
    *last_text = strdup(text);
    assert_non_null(*last_text);
    play_move(player);
}

void play_until(struct terminal *const *players, const char *words, long limit_ms)
{
    play_until_observed(players, words, limit_ms, NULL, NULL);
}

void play_until_observed(struct terminal *const *players, const char *words, long limit_ms,
                         play_observer *watch, void *context)
{
    char *last_text[8] = {NULL};
    long deadline = terminal_now_ms() + limit_ms;
    while (!terminal_shows(players[0], words)) {
        for (size_t i = 0; players[i] != NULL; i++) {
            terminal_read(players[i], PAUSE_MS);
            if (watch != NULL) {
                watch(context, players[i]);
            }
            move_if_screen_changed(players[i], &last_text[i]);
            if (terminal_now_ms() > deadline) {
                terminal_print(players[i], "played in vain");
            }
        }
        if (terminal_now_ms() > deadline) {
            fail_msg("the game never came to \"%s\"", words);
        }
    }
    for (size_t i = 0; i < 8; i++) {
        free(last_text[i]);
    }
}

bool play_read_prompt(struct terminal *player, char *out, size_t size)
{
    static struct screen screen;
    char key[KEY_MAX];
    read_screen(player, &screen);
    if (is_finished_trick_shown(player) || !find_move_key(&screen, key)) {
        return false;
    }
    const char *row = screen.rows[find_prompt_row(&screen)];
    snprintf(out, size, "%s", row + strspn(row, " ") + strlen("◄ "));
    return true;
}
