#pragma once

#include "storage/storage.h"

/*
 * The leaderboards. A board is a list of accounts by rating, kept in order as ratings change. Pages
 * and ranks are looked up, not counted row by row, so their cost does not grow with the number of
 * players. The caller decides who qualifies and until when (lobby/ratings/rating.h).
 *
 * A board has two kinds of rows: listed accounts, and accounts whose rating does not qualify.
 * Database triggers keep pending (held) accounts off both lists.
 */

/* The period whose games a leaderboard counts. A number of STORAGE_SPAN_SEASONS or more is the
 * number of a season. */
enum storage_span {
    STORAGE_SPAN_ALL = 0,
    STORAGE_SPAN_MONTH = 1, /* the last 30 days */
    STORAGE_SPAN_WEEK = 2,  /* the last 7 days */
    STORAGE_SPAN_SEASONS = 3,
};

struct storage_board {
    const char *game;
    int32_t span;    /* an enum storage_span, or the number of a season */
    uint8_t players; /* only games with this many players; 0: with any number */
    bool is_bots;    /* true: the list of bots; false: the list of people */
};
