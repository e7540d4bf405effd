#pragma once

#include "storage/chat/chat.h"
#include "storage/sql/columns.h"

/* The news of the house, entry by entry. */

#define STORAGE_NEWS_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, id) /* rising, never used again */                                               \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(TEXT(STORAGE_CHAT_SIZE), text)

struct storage_news {
    STORAGE_MEMBERS(STORAGE_NEWS_COLUMNS)
};

/* `id` is ignored and *id set. */
enum storage_result storage_news_add(struct storage *storage, const struct storage_news *news,
                                     int64_t *id) MUST_CHECK;

/* STORAGE_NOT_FOUND when there is no such entry. */
enum storage_result storage_news_remove(struct storage *storage, int64_t id) MUST_CHECK;

/* Counts the entries newer than `after`. */
enum storage_result storage_news_count(struct storage *storage, int64_t after,
                                       int64_t *count) MUST_CHECK;

typedef bool storage_news_row(void *context, const struct storage_news *news);

/* The last `count` entries, newest first. */
enum storage_result storage_news_read_last(struct storage *storage, size_t count,
                                           storage_news_row *row, void *context) MUST_CHECK;
