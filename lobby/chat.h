#ifndef LOBBY_CHAT_H
#define LOBBY_CHAT_H

#include "lobby/house_state.h"

/* What is said in the lobby, at tables and in private, and what the house itself says there. */

/* Lines of the house; `text` is translated and needs no cleaning. */
void chat_house_lobby(struct house *house, const char *text);
void chat_house_table(struct house *house, struct table *table, const char *text);

/* Pushes the last lines again, in order: of the lobby with this person's private ones, and of the
 * table the connection has entered. */
void chat_tell_backlog(struct house *house, const struct conn *conn);
void chat_tell_table_backlog(struct house *house, const struct conn *conn);

/* Pushes to all who watch the table what its players and the house said from a time on (unix ms)
 * and before another: they may know it now (table_watch.h). */
void chat_tell_watchers(struct house *house, const struct table *table, int64_t from_ms,
                        int64_t to_ms);

#endif
