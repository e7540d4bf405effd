#ifndef STORAGE_RATINGS_BOARDS_H
#define STORAGE_RATINGS_BOARDS_H

#include "storage/storage.h"

/*
 * The leaderboards. A board is a list of accounts by rating, kept in order as ratings change; what
 * it shows is found, never counted, so its price does not grow with the house. Who qualifies and
 * until when is the caller's (lobby/ratings/rating.h).
 *
 * Two kinds of rows stand on a board: those listed, and those whose rating does not qualify. Held
 * accounts are kept off both by the database itself.
 */

/* Of the last so long; else the number of a season, above both. */
enum storage_span {
    STORAGE_SPAN_ALL = 0,
    STORAGE_SPAN_MONTH = 1, /* 30 days */
    STORAGE_SPAN_WEEK = 2,  /* 7 days */
    STORAGE_SPAN_SEASONS = 3,
};

struct storage_board {
    const char *game;
    int32_t span;    /* enum storage_span or a season */
    uint8_t players; /* games with so many; 0: any number */
    bool is_bots;    /* bots and people have separate lists */
};

#endif
