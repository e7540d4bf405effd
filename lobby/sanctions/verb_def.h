#ifndef LOBBY_SANCTIONS_VERB_DEF_H
#define LOBBY_SANCTIONS_VERB_DEF_H

#include "lobby/sanctions/order.h"

/*
 * A verb is a const struct at the end of its file and one line in lobby/protocol/verbs.def. Before
 * it runs, the requester's role (and, for staff, the confirmation) has been checked, its arguments
 * have been parsed, and its target has been found. Its effect and its audit row are one transaction
 * (lobby/sanctions/verb_def.h).
 */

enum verb_flag {
    VERB_AGAINST = 1, /* against its target: refused for oneself, an equal or a superior */
    VERB_READS = 2,   /* read-only: staff in the house are not told */
    VERB_OWN = 4,     /* the requester's own affair: no audit row, unless it is denied */
    VERB_LOOKS = 8,   /* read-only for players: needs no room in the audit log */
    VERB_OPEN = 16,   /* refused for an account that is deleted or merged into another */
};

struct verb {
    enum order_part parts[ORDER_PARTS_MAX];
    unsigned targets;                       /* bits of enum order_kind */
    unsigned flags;                         /* bits of enum verb_flag */
    const char *options[ORDER_OPTIONS_MAX]; /* keys of key=value words; NULL-terminated if fewer */

    /* Carries out the order, or refuses it (order_no) with nothing changed. Tells those concerned
     * itself. */
    void (*run)(struct order *order);
};

#define VERB(name, role, args, help) extern const struct verb verb_##name;
#include "lobby/protocol/verbs.def"
#undef VERB

#endif
