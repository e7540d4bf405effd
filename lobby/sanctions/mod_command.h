#pragma once

#include "lobby/sanctions/order.h"

/*
 * Each moderation command is a const struct at the end of its file and one line in
 * lobby/protocol/mod_commands.def. Before it runs, the requester's role and, for staff, their
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
    unsigned targets; /* kinds of target allowed, bits of enum order_kind */
    unsigned flags;   /* bits of enum mod_command_flag */
    const char
        *options[ORDER_OPTIONS_MAX]; /* the keys of key=value words that it knows, up to a NULL */

    /* Carries out the order and tells the people concerned, or refuses it (order_refuse) with
     * nothing changed. */
    void (*run)(struct order *order);
};

#define MOD_COMMAND(name, rank, args, help) extern const struct mod_command mod_command_##name;
#include "lobby/protocol/mod_commands.def"
#undef MOD_COMMAND
