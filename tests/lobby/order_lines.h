#pragma once

#include "lobby/protocol/protocol.h"

#include <stdint.h>

/*
 * Makes random lines of moderation commands from the arguments listed in mod_commands.def. In this
 * list `[` and `]` enclose an optional part, `|` separates alternative words, and ` | ` separates
 * alternative forms. A word such as "player" is replaced by a name or a number; any other word is
 * written as it is.
 */

#define ORDER_LINE_SIZE 256

/* The values that may appear in a line. All pointers are borrowed. */
struct order_lines {
    void *context;
    uint32_t (*below)(void *context,
                      uint32_t below);    /* draws a random number from 0 to below - 1 */
    const char *(*player)(void *context); /* returns a person's name */
    int64_t tables, games, lines, reports, sanctions,
        serial; /* the highest number in use of each kind; 0: none; `serial`: the last number used
                   in a text */
    const char *const *times; /* such as "15m"; NULL ends the list */
};

/* Writes the command with random arguments. No reason or text comes twice, because each ends with
 * the next serial number. */
void order_line_generate(struct order_lines *values, const struct mod_command_info *command,
                         char line[ORDER_LINE_SIZE]);
