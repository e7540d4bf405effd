#pragma once

#include "lobby/house/house_state.h"

#include <jansson.h>

/*
 * What happens at tables, told in the lobby's talk. When much happens in a short time, the house
 * does not drown what people say: it tells the first events one by one, and sums up the following
 * ones.
 */
enum table_news {
    TABLE_NEWS_OPENED, /* somebody opened a table */
    TABLE_NEWS_BEGUN,  /* a game has begun */
    TABLE_NEWS_OVER,   /* a game is over */
    TABLE_NEWS_COUNT,
};

/* How many events are told at once, and after them one in TABLE_NEWS_PACE_MS. */
#define TABLE_NEWS_BURST 6
#define TABLE_NEWS_PACE_MS 5000

/* Tells an event, now or as part of a sum. Takes over the sentence. */
void table_news_tell(struct house *house, enum table_news kind, json_t *sentence);
