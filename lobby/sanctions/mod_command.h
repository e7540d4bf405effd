#pragma once

#include "lobby/sanctions/order.h"

/*
 * Each moderation command is one row of lobby/protocol/mod_commands.def and one function
 * mod_run_NAME. The function either carries out the order and tells the people concerned, or
 * refuses it (order_refuse) and changes nothing. Before the function runs, the requester's role
 * and, for staff, their confirmation were checked, the arguments were parsed, and the target was
 * found. The effect of the order and its audit row are one transaction.
 */

enum mod_command_flag {
    MOD_AGAINST = 1, /* acts against its target: refused when the target is the requester or has the
                        same or a higher rank */
    MOD_READS = 2,   /* only reads: other staff are not told that the command was used */
    MOD_OWN = 4,     /* concerns only the requester: no audit row, unless the order is denied */
    MOD_LOOKS = 8,   /* only reads when a player uses it: works even when the rate limit allows no
                        audit row */
    MOD_OPEN = 16,   /* refused for an account that is deleted or merged into another */
    MOD_CASE = 32,   /* makes a case, which has the player's words; the audit row has none */
};

struct mod_command {
    enum order_part parts[ORDER_PARTS_MAX];
    unsigned targets; /* the allowed kinds of target, bits of enum order_kind */
    unsigned flags;   /* bits of enum mod_command_flag */
    const char *options[ORDER_OPTIONS_MAX]; /* keys of the key=value words that the command knows,
                                               ended by NULL */
    unsigned kind; /* for a function that several commands share: the kind of sanction or rule that
                      this command sets or ends */
    const char
        *said; /* for a function that several commands share: the line that reports success; N_() */
    void (*run)(struct order *order);
};

#define MOD_COMMAND(name, rank, args, help, run, ...) void mod_run_##run(struct order *order);
#include "lobby/protocol/mod_commands.def"
#undef MOD_COMMAND
