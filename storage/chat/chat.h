#pragma once

#include "storage/sql/sql.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/* Chat lines. */

#define STORAGE_CHAT_SIZE 513
#define STORAGE_SAY_SIZE 1025

/* The values of these enums are stored: they never change. */
enum storage_chat_channel {
    STORED_VALUES(STORED_CHAT_CHANNELS, STORAGE_CHAT_)
    STORAGE_CHAT_CHANNEL_LAST = STORED_LAST(STORED_CHAT_CHANNELS),
};

enum storage_chat_kind {
    STORED_VALUES(STORED_CHAT_KINDS, STORAGE_CHAT_)
    STORAGE_CHAT_KIND_LAST = STORED_LAST(STORED_CHAT_KINDS),
};

#define STORAGE_CHAT_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER,                                                                                  \
          number) /* number of the line: from 1, ascending over all channels, never used again */  \
    NEXT(CHOICE(storage_chat_channel, STORAGE_CHAT_CHANNEL_LAST), channel)                         \
    NEXT(LINK, table, table_id) /* number of the table for STORAGE_CHAT_TABLE; otherwise 0 */      \
    NEXT(CHOICE(storage_chat_kind, STORAGE_CHAT_KIND_LAST), kind)                                  \
    NEXT(LINK, account)                            /* the speaker; 0: a guest or the house */      \
    NEXT(TEXT(STORAGE_NAME_SIZE), from, from_name) /* name of the speaker; "" for the house */     \
    NEXT(TEXT(STORAGE_NAME_SIZE), to,                                                              \
         to_name) /* recipient of a direct message, or name of a channel */                        \
    NEXT(TEXT(STORAGE_CHAT_SIZE), text)                                                            \
    NEXT(TEXT(STORAGE_SAY_SIZE),                                                                   \
         say) /* sentence and arguments of a line said by the house; otherwise "" */               \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(NUMBER, conn) /* connection that sent the line; 0 for the house */                        \
    NEXT(NUMBER, request)                                                                          \
    NEXT(FLAG, is_by_spectator, by_watcher) /* said by a spectator at a table during a game */     \
    NEXT(FLAG, is_hidden, hidden_ms) /* staff have hidden the line from everybody but themselves   \
                                      */                                                           \
    NEXT(UINT8,                                                                                    \
         hidden_by) /* number of the role of who hid it, defined by the caller; 0: the house */

struct storage_chat {
    STORAGE_MEMBERS(STORAGE_CHAT_COLUMNS)
};

typedef bool storage_chat_row(void *context, const struct storage_chat *line);

/* What somebody who enters has missed: the last lines of the lobby that were said after the line
 * with the number `heard`, the last direct messages from or to them, and the messages that wait for
 * their account. */
struct storage_chat_missed {
    const char *name;
    int64_t account; /* 0: a guest */
    int64_t heard;
    size_t lobby_lines, direct_messages; /* at most so many of each */
};

#define STORAGE_CHAT_LOOKED 10000 /* a search covers this many of the newest lines */

/* Searches the lines that an account, a guest or (0 and NULL) anybody said in the lobby, at tables
 * and in channels, newest first; never direct messages. Finds only lines that contain `text` ("":
 * all lines). */
struct storage_chat_search {
    int64_t account;
    const char *guest; /* a guest's name, when account is 0; NULL: none */
    const char *text;
    const char *to; /* storage_chat_search_channel: the channel's name; "" for lobby and tables */
    int64_t since_ms;
    size_t most;
};
enum storage_result storage_chat_search_account(struct storage *storage,
                                                const struct storage_chat_search *search,
                                                storage_chat_row *row, void *context) MUST_CHECK;

/* Searches the lines of one channel by any speaker; ignores `account`. */
enum storage_result storage_chat_search_channel(struct storage *storage,
                                                enum storage_chat_channel channel, int64_t table,
                                                const struct storage_chat_search *search,
                                                storage_chat_row *row, void *context) MUST_CHECK;

/* Named chat channels and their members. A channel exists as long as it has members. */

#define STORAGE_CHANNEL_COLUMNS(FIRST, NEXT)                                                       \
    FIRST(TEXT(STORAGE_WORD_SIZE), name, channel)                                                  \
    NEXT(NUMBER, members)

struct storage_channel {
    STORAGE_MEMBERS(STORAGE_CHANNEL_COLUMNS)
};

/* Changes the chat lines of an account that was renamed or erased. storage_account_rename and
 * storage_account_erase (accounts/accounts.h) only queue a rewrite, so that they take no longer for
 * an account with many lines. The oldest rewrite is done first; within a rewrite the newest lines
 * come first. */

/* Rewrites at most `max_lines` lines and sets *lines_remain to whether more lines wait. */
enum storage_result storage_chat_continue_rewrites(struct storage *storage, size_t max_lines,
                                                   bool *lines_remain) MUST_CHECK;

/* The news entries of the house. */

#define STORAGE_NEWS_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(NUMBER, id) /* number of the entry, rising; never used again */                          \
    NEXT(NUMBER, at_ms)                                                                            \
    NEXT(TEXT(STORAGE_CHAT_SIZE), text)

struct storage_news {
    STORAGE_MEMBERS(STORAGE_NEWS_COLUMNS)
};

/* Direct messages that wait until their recipient is online. storage_chat_offline_messages_each
 * (chat.h) reads them. */

#define STATEMENT STATEMENT_DECLARED
#include "storage/chat/chat.def"
