#pragma once

#include "lobby/sanctions/order.h"

/*
 * Each moderation command is a const struct at the end of its file and one line in
 * lobby/protocol/mod_commands.def. Before it runs, the requester's role (and, for staff, the
 * confirmation) has been checked, its arguments have been parsed, and its target has been found.
 * Its effect and its audit row are one transaction.
 */

enum mod_command_flag {
    MOD_AGAINST = 1, /* against its target: refused for oneself, an equal or a superior */
    MOD_READS = 2,   /* read-only: staff in the house are not told */
    MOD_OWN = 4,     /* the requester's own affair: no audit row, unless it is denied */
    MOD_LOOKS = 8,   /* read-only for players: needs no room in the audit log */
    MOD_OPEN = 16,   /* refused for an account that is deleted or merged into another */
};

struct mod_command {
    enum order_part parts[ORDER_PARTS_MAX];
    unsigned targets;                       /* bits of enum order_kind */
    unsigned flags;                         /* bits of enum mod_command_flag */
    const char *options[ORDER_OPTIONS_MAX]; /* keys of key=value words; NULL-terminated if fewer */

    /* Carries out the order, or refuses it (order_no) with nothing changed. Tells those concerned
     * itself. */
    void (*run)(struct order *order);
};

#define MOD_COMMAND(name, rank, args, help) extern const struct mod_command mod_command_##name;
#include "lobby/protocol/mod_commands.def"
#undef MOD_COMMAND
