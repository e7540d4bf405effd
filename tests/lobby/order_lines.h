#pragma once

#include "lobby/protocol/mod_commands.h"

#include <stdint.h>

/*
 * Makes random lines of moderation commands from the arguments listed in mod_commands.def. There
 * `[` and `]` enclose what may be left out, `|` separates alternative words, and ` | ` alternative
 * forms. Words such as "player" are replaced by a name or a number; other words are written as they
 * are.
 */

#define ORDER_LINE_SIZE 256

/* The values that may appear in a line. All pointers are borrowed. */
struct order_lines {
    void *context;
    uint32_t (*below)(void *context,
                      uint32_t below);    /* draws a random number from 0 to below - 1 */
    const char *(*player)(void *context); /* returns a person's name */
    int64_t tables, games, lines, reports, sanctions,
        serial;               /* the highest number in use of each kind; 0: none */
    const char *const *times; /* such as "15m"; NULL ends the list */
};

/* Writes the command and random arguments. Every reason and text is different, since it ends with
 * `serial`, which rises. */
void order_line_generate(struct order_lines *values, const struct mod_command_words *command,
                         char line[ORDER_LINE_SIZE]);
