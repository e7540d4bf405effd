#pragma once

#include "lobby/protocol/mod_commands.h"

#include <stdint.h>

/*
 * Random lines of orders, made from what mod_commands.def says of a command's arguments:
 * `[` and `]` around what may be left out, `|` between words of which one is written, ` | ` between
 * whole forms. A word of the list below stands for what a person writes in its place, any other for
 * itself.
 */

#define ORDER_LINE_SIZE 256

/* What a line may name. All borrowed. */
struct order_lines {
    void *context;
    uint32_t (*below)(void *context, uint32_t below);         /* 0 to below - 1 */
    const char *(*player)(void *context);                     /* somebody's name */
    int64_t tables, games, lines, reports, sanctions, serial; /* the highest there are; 0: none */
    const char *const *times;                                 /* as in "15m", ended by NULL */
};

/* Writes the command and its arguments. Every reason and text is another one: it ends
 * with `serial`, which is counted up. */
void order_line_generate(struct order_lines *from, const struct mod_command_words *command,
                         char line[ORDER_LINE_SIZE]);
