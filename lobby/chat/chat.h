#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/chat/chat.h"

struct table;

/* Chat in the lobby, at tables and in private, and the house's own lines. */

/* Lines from the house: sentences of say.h. */
void chat_announce_in_lobby(struct house *house, json_t *sentence);
/* True when the house may announce in the lobby what this person has begun: within their rate limit
 * for chat, and unless they are muted. */
bool chat_may_announce(struct house *house, struct person *person);
void chat_announce_at_table(struct house *house, struct table *table, json_t *sentence);

/* Fills in and cleans what this person says. Returns false, and answers the request, when it cannot
 * be said. The caller fills in the rest of the line. */
bool chat_read_line(const struct request *request, struct storage_chat *line) MUST_CHECK;

/* Sets what the house says in this line to a sentence of say.h. */
void chat_set_sentence(struct storage_chat *line, json_t *sentence);

/* Stores the line and sets its number; false when the same request was carried out before. */
bool chat_store_line(struct house *house, struct storage_chat *line) MUST_CHECK;

/* Sends a line to everybody who can hear it (at a table: `table`), or to one person. `is_kept`: the
 * line has waited for them. */
void chat_send_line(struct house *house, const struct storage_chat *line,
                    const struct table *table);
void chat_send_line_to(struct house *house, const struct storage_chat *line,
                       const struct person *person, bool is_kept);

/* Tells everybody to hide these lines (an array of their numbers; takes over its reference). */
void chat_send_hidden_lines(struct house *house, json_t *numbers);

/* Pushes the last lines of the table that the connection has entered, in order. */
void chat_send_table_backlog(struct house *house, const struct conn *conn);

/* The same for a channel. */
void chat_send_channel_backlog(struct house *house, const struct conn *conn, const char *channel);

/* Pushes to all spectators of the table what its players and the house said from one time on (unix
 * ms) and before another: they may now know it (table_watch.h). */
void chat_send_delayed_lines(struct house *house, const struct table *table, int64_t from_ms,
                             int64_t to_ms);
