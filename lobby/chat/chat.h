#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/chat/chat.h"

struct table;

/* Chat in the lobby, in channels, at tables and in direct messages, and the sentences that the
 * house itself says. */

/* Makes the house say a sentence (say.h), in the lobby or at a table. */
void chat_announce_in_lobby(struct house *house, json_t *sentence);
void chat_announce_at_table(struct house *house, struct table *table, json_t *sentence);

/* True when the house may announce in the lobby what this person has just started, such as a table.
 * A person who is muted or over the rate limit of chat is not announced. */
bool chat_may_announce_actions_of(struct house *house, struct person *person);

/* Reads and cleans the requester's line, and fills in the sender and the time. When the line cannot
 * be said, answers the request and returns false. The caller fills in the other fields. */
bool chat_read_line(const struct request *request, struct storage_chat *line) MUST_CHECK;

/* Sets the line's text to a sentence (say.h). Takes ownership of the sentence. */
void chat_set_sentence(struct storage_chat *line, json_t *sentence);

/* Stores the line and sets its number. Returns false when this request was already carried out. */
bool chat_store_line(struct house *house, struct storage_chat *line) MUST_CHECK;

/* chat_send_line sends a line to everybody who may read it (`table`: the line's table, if any),
 * chat_send_line_to to one person. With is_offline_message, the line is marked as an offline
 * message. */
void chat_send_line(struct house *house, const struct storage_chat *line,
                    const struct table *table);
void chat_send_line_to(struct house *house, const struct storage_chat *line,
                       const struct person *person, bool is_offline_message);

/* Tells all clients to hide chat lines. `numbers` is an array of line numbers, of which the
 * function takes ownership. */
void chat_hide_lines(struct house *house, json_t *numbers);

/* Sends the connection the last chat lines of the table that it has entered, in order. */
void chat_send_table_backlog(struct house *house, const struct conn *conn);

/* Sends the connection the last lines of the channel, in order. */
void chat_send_channel_backlog(struct house *house, const struct conn *conn, const char *channel);

/* Sends chat lines to the spectators who see the table with a delay: those that players and the
 * house said between the two times (unix ms). Until now, the lines were hidden from these
 * spectators (table_watch.h). */
void chat_send_delayed_lines(struct house *house, const struct table *table, int64_t from_ms,
                             int64_t to_ms);
