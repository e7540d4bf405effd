#pragma once

#include "daemon/cli/history_read.h"

/* Plays a history again from its seed and moves, and compares everything in it. */

enum history_verdict {
    HISTORY_HOLDS = 0,
    HISTORY_DIFFERS, /* `why` says where they first differ, what was expected and what is there */
    HISTORY_UNFINISHED, /* without a seed the cards cannot be dealt again */
};

/* `moves` counts the moves that were right. */
enum history_verdict history_verify(const struct history_record *record, uint32_t *moves,
                                    struct text *why) MUST_CHECK;
