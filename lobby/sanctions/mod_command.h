#pragma once

#include "lobby/sanctions/order.h"

/*
 * Each moderation command is one row of lobby/protocol/mod_commands.def and one function
 * mod_run_NAME, which carries out the order and tells the people concerned, or refuses it
 * (order_refuse) with nothing changed. Before it runs, the requester's role and, for staff, their
 * confirmation were checked, its arguments were parsed, and its target was found. Its effect and
 * its audit row are one transaction.
 */

enum mod_command_flag {
    MOD_AGAINST = 1, /* acts against its target: refused for oneself, an equal or a superior */
    MOD_READS = 2,   /* only reads: staff in the house are not told */
    MOD_OWN = 4,     /* concerns only the requester: no audit row, unless it is denied */
    MOD_LOOKS = 8,   /* only reads when players use it: needs no room in the audit log */
    MOD_OPEN = 16,   /* refused for an account that is deleted or merged into another */
};

struct mod_command {
    enum order_part parts[ORDER_PARTS_MAX];
    unsigned targets;                       /* kinds of target allowed, bits of enum order_kind */
    unsigned flags;                         /* bits of enum mod_command_flag */
    const char *options[ORDER_OPTIONS_MAX]; /* the keys of its key=value words, up to a NULL */
    unsigned kind;    /* what a function that several commands share imposes, lifts or sets */
    const char *said; /* the line with which such a function reports success; N_() */
    void (*run)(struct order *order);
};

#define MOD_COMMAND(name, rank, args, help, run, ...) void mod_run_##run(struct order *order);
#include "lobby/protocol/mod_commands.def"
#undef MOD_COMMAND
