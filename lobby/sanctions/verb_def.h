#ifndef LOBBY_SANCTIONS_VERB_DEF_H
#define LOBBY_SANCTIONS_VERB_DEF_H

#include "lobby/sanctions/order.h"

/*
 * A verb is a const struct at the end of its file and one line in lobby/protocol/verbs.def. Before
 * it runs, who asks has been found to have its role (and to have confirmed it, for staff), its
 * parts have been read, and its target is there. What it does, and the audit row that tells of it,
 * are one transaction (lobby/sanctions/verb_def.h).
 */

enum verb_flag {
    VERB_AGAINST = 1, /* against its target: nobody acts on themselves, an equal or a superior */
    VERB_READS = 2,   /* changes nothing: staff in the house are not told */
    VERB_OWN = 4,     /* one's own affair: no audit row, unless it is denied */
    VERB_LOOKS = 8,   /* players only look with it: it waits for no room in the audit log */
    VERB_OPEN = 16,   /* not to be done to an account that is deleted, or part of another */
};

struct verb {
    enum order_part parts[ORDER_PARTS_MAX];
    unsigned targets;                       /* bits of enum order_kind */
    unsigned flags;                         /* bits of enum verb_flag */
    const char *options[ORDER_OPTIONS_MAX]; /* keys of key=value words; NULL-ended if fewer */

    /* Does it, or refuses (order_no) with nothing changed. Tells those concerned itself. */
    void (*run)(struct order *order);
};

#define VERB(name, role, args, help) extern const struct verb verb_##name;
#include "lobby/protocol/verbs.def"
#undef VERB

#endif
