#ifndef LOBBY_CHAT_CHAT_H
#define LOBBY_CHAT_CHAT_H

#include "lobby/house/house_state.h"
#include "storage/chat/chat.h"

/* What is said in the lobby, at tables and in private, and what the house itself says there. */

/* Lines of the house; `text` is translated and needs no cleaning. */
void chat_house_lobby(struct house *house, const char *text);
/* True when the house may say in the lobby what this person has begun: as often as they may talk
 * there, and not while they may not. */
bool chat_may_announce(struct house *house, struct person *person);
void chat_house_table(struct house *house, struct table *table, const char *text);

/* Fills in what this person says, cleaned; false, and the request is answered, when it cannot be
 * said. The rest of the line is the caller's. */
bool chat_read(struct house *house, struct conn *conn, int64_t request, const json_t *body,
               struct storage_chat *line) MUST_CHECK;

/* Stores the line and sets its number; false when this very request was done before. */
bool chat_store(struct house *house, struct storage_chat *line) MUST_CHECK;

/* Tells a line to all who can hear it (of a table: `table`), or to one person alone. With
 * `is_kept` it says that it has waited for them. */
void chat_push(struct house *house, const struct storage_chat *line, const struct table *table);
void chat_push_to(struct house *house, const struct storage_chat *line, const struct person *person,
                  bool is_kept);

/* Tells everybody that these lines (their numbers, an array whose reference is taken over) are to
 * be seen no more. */
void chat_push_hidden(struct house *house, json_t *numbers);

/* Pushes the last lines again, in order, of the table the connection has entered. */
void chat_tell_table_backlog(struct house *house, const struct conn *conn);

/* The same of a channel. */
void chat_tell_channel_backlog(struct house *house, const struct conn *conn, const char *channel);

/* Pushes to all who watch the table what its players and the house said from a time on (unix ms)
 * and before another: they may know it now (table_watch.h). */
void chat_tell_watchers(struct house *house, const struct table *table, int64_t from_ms,
                        int64_t to_ms);

#endif
