#pragma once

#include "storage/chat/chat.h"
#include "storage/sql/columns.h"

/* The news entries of the house. */

#define STORAGE_NEWS_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, id) /* number of the entry, rising; never used again */                          \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(TEXT(STORAGE_CHAT_SIZE), text)

struct storage_news {
    STORAGE_MEMBERS(STORAGE_NEWS_COLUMNS)
};

/* Adds an entry, which gets a new number (*id) instead of news->id. */
enum storage_result storage_news_add(struct storage *storage, const struct storage_news *news,
                                     int64_t *id) MUST_CHECK;

/* Deletes a news entry; STORAGE_NOT_FOUND when there is no such entry. */
enum storage_result storage_news_remove(struct storage *storage, int64_t id) MUST_CHECK;

/* Counts the news entries whose number is above `after_id`. */
enum storage_result storage_news_count(struct storage *storage, int64_t after_id,
                                       int64_t *count) MUST_CHECK;

typedef bool storage_news_row(void *context, const struct storage_news *news);

/* Reads the last `count` news entries, newest first. */
enum storage_result storage_news_read_last(struct storage *storage, size_t count,
                                           storage_news_row *row, void *context) MUST_CHECK;
