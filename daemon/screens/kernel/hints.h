#pragma once

#include <stdbool.h>

/* The hints in the bottom row, each of which names a key. The most important hints come first.
 * Hints that do not fit are left out, except the last two. */
#define HINTS_MAX 16
#define HINT_MAX 32

struct hints {
    int count;
    struct {
        char key[HINT_MAX];
        char label[HINT_MAX];
    } at[HINTS_MAX];
};

/* Adds a hint. Both texts are copied and cut to HINT_MAX - 1 bytes. A hint beyond HINTS_MAX is
 * dropped, and so is a second one for the same key. */
void hints_add(struct hints *hints, const char *key, const char *label);

/* Returns the names of keys (screen_key.keys) in the person's language; in ASCII mode, words
 * instead of arrows. */
const char *hints_translate_key_names(const char *keys, bool is_ascii);
