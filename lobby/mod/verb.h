#ifndef LOBBY_MOD_VERB_H
#define LOBBY_MOD_VERB_H

#include "lobby/mod/order.h"

/*
 * A verb is a const struct at the end of its file and one line in lobby/protocol/verbs.def. Before
 * it runs, who asks has been found to have its role (and to have confirmed it, for staff), its
 * parts have been read, and its target is there. What it does, and the audit row that tells of it,
 * are one transaction.
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

/* For a verb that does more for those above its role: true when who asks has this one, and has
 * confirmed it; else it is refused, or answered. */
bool verb_needs(struct order *order, enum verb_role role) MUST_CHECK;

/* True when the order's target is not the asker, their equal or above them; else it is refused. */
bool verb_may_act(struct order *order) MUST_CHECK;

/* Carries out a line of `conn` and answers its request. */
void verb_line(struct house *house, struct conn *conn, int64_t request, const char *line,
               const char *via);

#endif
