#pragma once

#include "storage/storage.h"

/*
 * The leaderboards. A board is a list of accounts by rating, kept in order as ratings change. Pages
 * and ranks are looked up, never counted, so their cost does not grow with the number of players.
 * The caller decides who qualifies and until when (lobby/ratings/rating.h).
 *
 * A board has two kinds of rows: listed accounts, and accounts whose rating does not qualify.
 * Database triggers keep pending (held) accounts off both.
 */

/* The period of a board, or the number of a season, which is STORAGE_SPAN_SEASONS or more. */
enum storage_span {
    STORAGE_SPAN_ALL = 0,
    STORAGE_SPAN_MONTH = 1, /* 30 days */
    STORAGE_SPAN_WEEK = 2,  /* 7 days */
    STORAGE_SPAN_SEASONS = 3,
};

struct storage_board {
    const char *game;
    int32_t span;    /* enum storage_span or a season */
    uint8_t players; /* games with this many players; 0: any */
    bool is_bots;    /* bots and people have separate lists */
};
