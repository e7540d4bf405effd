#include "tests/e2e/play.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROW_MAX 2048
#define ROWS_MAX 64
#define PAUSE_MS 20 /* how long one screen may stay unchanged */
#define KEY_MAX 8

static const char card_keys[] = "1234567890ABCDE";

/* The screen, row by row. */
struct picture {
    int count;
    char rows[ROWS_MAX][ROW_MAX];
};

static void picture_take(struct terminal *player, struct picture *picture)
{
    const char *at = terminal_text(player);
    picture->count = 0;
    while (*at != '\0' && picture->count < ROWS_MAX) {
        size_t len = strcspn(at, "\n");
        snprintf(picture->rows[picture->count++], ROW_MAX, "%.*s", (int)len, at);
        at += len + (at[len] == '\n');
    }
}

static bool row_begins(const char *row, const char *words)
{
    return strncmp(row + strspn(row, " "), words, strlen(words)) == 0;
}

/* The row of the prompt, which begins with the mark of the player's turn. -1: it is not the
 * player's turn. */
static int prompt_row(const struct picture *picture)
{
    for (int i = 0; i < picture->count; i++) {
        if (row_begins(picture->rows[i], "◄ ")) {
            return i;
        }
    }
    return -1;
}

/* How often `what` occurs in the first `len` bytes. */
static size_t count_before(const char *row, size_t len, const char *what)
{
    size_t count = 0;
    for (const char *at = row; (at = strstr(at, what)) != NULL && (size_t)(at - row) < len; at++) {
        count++;
    }
    return count;
}

/* The key of the first card in brackets inside a frame, such as "│ [Q♣] │". */
static bool card_key(const struct picture *picture, char key[KEY_MAX])
{
    for (int i = 0; i < picture->count; i++) {
        const char *row = picture->rows[i];
        const char *bracket = strchr(row, '[');
        if (bracket != NULL && row_begins(row, "│")) {
            size_t place = count_before(row, (size_t)(bracket - row), "│");
            assert_in_range(place, 1, sizeof(card_keys) - 1);
            snprintf(key, KEY_MAX, "%c", card_keys[place - 1]);
            return true;
        }
    }
    return false;
}

/* What to press for the first choice in brackets: the key before it in "1 [ada]", otherwise the
 * number in "[0]", otherwise Enter because the choice is already selected. */
static bool choice_key(const char *row, char key[KEY_MAX])
{
    const char *bracket = strchr(row, '[');
    if (bracket == NULL) {
        return false;
    }
    if (bracket > row + 1 && bracket[-1] == ' ' && bracket[-2] != ' ') {
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

/* Looks in the prompt's row, in the rows below it, or in a list over the table. */
static bool any_choice_key(const struct picture *picture, int prompt, char key[KEY_MAX])
{
    for (int i = prompt; i < picture->count; i++) {
        if (choice_key(picture->rows[i], key)) {
            return true;
        }
    }
    for (int i = 0; i < prompt; i++) {
        if (choice_key(picture->rows[i], key)) {
            return true;
        }
    }
    return false;
}

/* The key of a move that the screen offers; false when it offers none, or none yet. */
static bool find_key(const struct picture *picture, char key[KEY_MAX])
{
    int prompt = prompt_row(picture);
    return prompt >= 0 && (card_key(picture, key) || any_choice_key(picture, prompt, key));
}

/* A finished trick is shown for a moment. */
static bool is_trick_held(struct terminal *player)
{
    return terminal_shows(player, "takes it") || terminal_shows(player, "you take it");
}

bool play_move(struct terminal *player)
{
    static struct picture picture;
    char key[KEY_MAX];
    if (is_trick_held(player)) {
        terminal_type(player, "\x1b"); /* no need to look at the finished trick */
        return true;
    }
    picture_take(player, &picture);
    if (!find_key(&picture, key)) {
        return false;
    }
    /* A number that could have more digits has been typed: Enter ends it. */
    terminal_type(player, terminal_shows(player, "take ") ? "\r" : key);
    return true;
}

/* Presses one key per screen, because a move changes the screen. */
static void play_changed(struct terminal *player, char **seen)
{
    const char *text = terminal_text(player);
    if (*seen != NULL && strcmp(text, *seen) == 0) {
        return;
    }
    free(*seen);
    *seen = strdup(text);
    assert_non_null(*seen);
    play_move(player);
}

void play_until(struct terminal *const *players, const char *words, long limit_ms)
{
    play_and_watch(players, words, limit_ms, NULL, NULL);
}

void play_and_watch(struct terminal *const *players, const char *words, long limit_ms,
                    play_watcher *watch, void *context)
{
    char *seen[8] = {NULL};
    long deadline = terminal_now_ms() + limit_ms;
    while (!terminal_shows(players[0], words)) {
        for (size_t i = 0; players[i] != NULL; i++) {
            terminal_read(players[i], PAUSE_MS);
            if (watch != NULL) {
                watch(context, players[i]);
            }
            play_changed(players[i], &seen[i]);
            if (terminal_now_ms() > deadline) {
                terminal_print(players[i], "played in vain");
            }
        }
        if (terminal_now_ms() > deadline) {
            fail_msg("the game never came to \"%s\"", words);
        }
    }
    for (size_t i = 0; i < 8; i++) {
        free(seen[i]);
    }
}

bool play_prompt(struct terminal *player, char *out, size_t size)
{
    static struct picture picture;
    char key[KEY_MAX];
    picture_take(player, &picture);
    if (is_trick_held(player) || !find_key(&picture, key)) {
        return false;
    }
    const char *row = picture.rows[prompt_row(&picture)];
    snprintf(out, size, "%s", row + strspn(row, " ") + strlen("◄ "));
    return true;
}
