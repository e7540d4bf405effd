#pragma once

#include "daemon/cli/history_read.h"

/* Plays a history again from its seed and moves, and compares every recorded value with the
 * replayed one. */

enum history_verdict {
    HISTORY_HOLDS = 0,
    HISTORY_DIFFERS,    /* `why` says where the first difference is, what was expected and what was
                           found */
    HISTORY_UNFINISHED, /* without a seed the cards cannot be dealt again */
};

/* Verifies the history; *correct_moves becomes the number of correct moves. */
enum history_verdict history_verify(const struct history_record *record, uint32_t *correct_moves,
                                    struct text *why) MUST_CHECK;
