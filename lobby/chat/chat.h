#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/chat/chat.h"

struct table;

/* Chat in the lobby, in channels, at tables and in direct messages, and what the house says
 * there. */

/* The house says this sentence (say.h) in the lobby; below, at the table. */
void chat_announce_in_lobby(struct house *house, json_t *sentence);
/* True when the house may announce in the lobby what this person has begun: they are not muted and
 * are within their rate limit of chat. */
bool chat_may_announce(struct house *house, struct person *person);
void chat_announce_at_table(struct house *house, struct table *table, json_t *sentence);

/* Reads and cleans what the person says, and fills in the sender and the time. Returns false, with
 * the request answered, when it cannot be said. The caller fills in the rest of the line. */
bool chat_read_line(const struct request *request, struct storage_chat *line) MUST_CHECK;

/* Sets the line's text to a sentence of say.h, whose reference is taken over. */
void chat_set_sentence(struct storage_chat *line, json_t *sentence);

/* Stores the line and sets its number. Returns false when the same request was carried out
 * before. */
bool chat_store_line(struct house *house, struct storage_chat *line) MUST_CHECK;

/* Sends a line to everybody who may hear it (of a table: `table`), or to one person. With is_kept,
 * it is marked as an offline message. */
void chat_send_line(struct house *house, const struct storage_chat *line,
                    const struct table *table);
void chat_send_line_to(struct house *house, const struct storage_chat *line,
                       const struct person *person, bool is_kept);

/* Tells all clients to hide these lines: an array of their numbers, whose reference is taken
 * over. */
void chat_send_hidden_lines(struct house *house, json_t *numbers);

/* Sends the last lines of the table that the connection has entered, in order. */
void chat_send_table_backlog(struct house *house, const struct conn *conn);

/* Sends the last lines of the channel, in order. */
void chat_send_channel_backlog(struct house *house, const struct conn *conn, const char *channel);

/* Sends the table's spectators what its players and the house said in this span of time (unix ms),
 * which their delay hid until now (table_watch.h). */
void chat_send_delayed_lines(struct house *house, const struct table *table, int64_t from_ms,
                             int64_t to_ms);
