#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/* Chat lines. */

#define STORAGE_CHAT_SIZE 513
#define STORAGE_SAY_SIZE 1025

/* Stored: the numbers never change. */
enum storage_chat_channel {
    STORED_VALUES(STORED_CHAT_CHANNELS, STORAGE_CHAT_)
    STORAGE_CHAT_CHANNEL_LAST = STORED_LAST(STORED_CHAT_CHANNELS),
};

enum storage_chat_kind {
    STORED_VALUES(STORED_CHAT_KINDS, STORAGE_CHAT_)
    STORAGE_CHAT_KIND_LAST = STORED_LAST(STORED_CHAT_KINDS),
};

#define STORAGE_CHAT_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, number) /* 1 or more, ascending over all channels, never reused */               \
    NEXT(CHOICE(storage_chat_channel, STORAGE_CHAT_CHANNEL_LAST), channel)                         \
    NEXT(LINK, table, table_id) /* STORAGE_CHAT_TABLE: its id; else 0 */                           \
    NEXT(CHOICE(storage_chat_kind, STORAGE_CHAT_KIND_LAST), kind)                                  \
    NEXT(LINK, account)                            /* the speaker; 0: a guest or the house */      \
    NEXT(TEXT(STORAGE_NAME_SIZE), from, from_name) /* "" for the house */                          \
    NEXT(TEXT(STORAGE_NAME_SIZE), to,                                                              \
         to_name) /* whom a direct message is to, or the channel; else "" */                       \
    NEXT(TEXT(STORAGE_CHAT_SIZE), text)                                                            \
    NEXT(TEXT(STORAGE_SAY_SIZE), say) /* the house's line as sentence and arguments; else "" */    \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(NUMBER, conn) /* with `request`: its origin, 0 for the house */                           \
    NEXT(NUMBER, request)                                                                          \
    NEXT(FLAG, is_by_watcher, by_watcher) /* a spectator's line at a table during a game */        \
    NEXT(FLAG, is_hidden, hidden_ms)      /* hidden by staff; only staff see it */

struct storage_chat {
    STORAGE_MEMBERS(STORAGE_CHAT_COLUMNS)
};

/* Adds a line; its `number` is ignored and *number set. */
enum storage_result storage_chat_add(struct storage *storage, const struct storage_chat *line,
                                     int64_t *number) MUST_CHECK;

typedef bool storage_chat_row(void *context, const struct storage_chat *line);

/* The last `count` lines of the lobby or of a table, in the order they were said. */
enum storage_result storage_chat_read_last(struct storage *storage,
                                           enum storage_chat_channel channel, int64_t table,
                                           size_t count, storage_chat_row *row,
                                           void *context) MUST_CHECK;

/* The last `count` lines of the channel of that name, in order. */
enum storage_result storage_chat_read_channel(struct storage *storage, const char *name,
                                              size_t count, storage_chat_row *row,
                                              void *context) MUST_CHECK;

/* The last `count` direct messages from or to this name, in order. */
enum storage_result storage_chat_read_direct(struct storage *storage, const char *name,
                                             size_t count, storage_chat_row *row,
                                             void *context) MUST_CHECK;

/* Lines `first` to `last` of the lobby or of a table, in order. */
enum storage_result storage_chat_read_range(struct storage *storage,
                                            enum storage_chat_channel channel, int64_t table,
                                            const int64_t between[2], storage_chat_row *row,
                                            void *context) MUST_CHECK;

#define STORAGE_CHAT_LOOKED 10000 /* the newest lines that a search covers */

/* What an account said in the lobby, at tables and in channels, newest first; with `is_private` in
 * direct messages too. Only lines that contain `text` ("" for all). */
struct storage_chat_search {
    int64_t account;
    const char *guest; /* a guest's name, when account is 0 */
    bool is_private;
    const char *text;
    const char *to; /* storage_chat_search_channel: the channel's name; "" for lobby and tables */
    int64_t since_ms;
    size_t most;
};
enum storage_result storage_chat_search_account(struct storage *storage,
                                                const struct storage_chat_search *search,
                                                storage_chat_row *row, void *context) MUST_CHECK;

/* The same for all lines of one channel; ignores `account` and `is_private`. */
enum storage_result storage_chat_search_channel(struct storage *storage,
                                                enum storage_chat_channel channel, int64_t table,
                                                const struct storage_chat_search *search,
                                                storage_chat_row *row, void *context) MUST_CHECK;

/* The offline messages of the account (offline_messages.h), oldest first. */
enum storage_result storage_chat_offline_each(struct storage *storage, int64_t account,
                                              storage_chat_row *row, void *context) MUST_CHECK;

/* One line; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_chat_read(struct storage *storage, int64_t number,
                                      struct storage_chat *line) MUST_CHECK;

/* Hides a line; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_chat_hide(struct storage *storage, int64_t number,
                                      int64_t hidden_ms) MUST_CHECK;
