#include "tests/e2e/play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROW_MAX 2048
#define PAUSE_MS 20 /* how long one screen is watched before the next one is */

static const char card_keys[] = "1234567890ABCDE";

/* The row that begins with those words, or with them behind blanks, and has a bracket. */
static bool find_row(const char *text, const char *begin, char row[ROW_MAX])
{
    for (const char *at = text; *at != '\0';) {
        size_t len = strcspn(at, "\n");
        size_t blanks = strspn(at, " ");
        if (len < ROW_MAX && strncmp(at + blanks, begin, strlen(begin)) == 0 &&
            memchr(at, '[', len) != NULL) {
            memcpy(row, at, len);
            row[len] = '\0';
            return true;
        }
        at += len + (at[len] == '\n');
    }
    return false;
}

/* How often `what` stands in the first `len` bytes. */
static size_t count_before(const char *row, size_t len, const char *what)
{
    size_t count = 0;
    for (const char *at = row; (at = strstr(at, what)) != NULL && (size_t)(at - row) < len; at++) {
        count++;
    }
    return count;
}

bool play_move(struct terminal *player)
{
    char row[ROW_MAX];
    char keys[8] = "";
    const char *text = terminal_text(player);
    if (strstr(text, "takes it") != NULL || strstr(text, "you take it") != NULL) {
        terminal_type(player, "\x1b"); /* no need to look at a trick taken */
        return true;
    }
    if (strstr(text, "your turn") == NULL) {
        return false;
    }
    if (find_row(text, "◄", row)) { /* numbers, as "[0] [1]": Enter ends one that may go on */
        snprintf(keys, sizeof(keys), "%ld", strtol(strchr(row, '[') + 1, NULL, 10));
        terminal_type(player, keys);
        terminal_read(player, PAUSE_MS);
        if (terminal_shows(player, "take ")) {
            terminal_type(player, "\r");
        }
        return true;
    }
    if (find_row(text, "│", row)) { /* cards, as "│ [Q♣] │" */
        size_t place = count_before(row, (size_t)(strchr(row, '[') - row), "│");
        assert_in_range(place, 1, sizeof(card_keys) - 1);
        keys[0] = card_keys[place - 1];
        terminal_type(player, keys);
        return true;
    }
    return false;
}

/* A move is pressed once for each picture: what is shown changes with it. */
static void play_changed(struct terminal *player, char **seen)
{
    terminal_read(player, PAUSE_MS);
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
    char *seen[8] = {NULL};
    long deadline = terminal_now_ms() + limit_ms;
    while (!terminal_shows(players[0], words)) {
        for (size_t i = 0; players[i] != NULL; i++) {
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
