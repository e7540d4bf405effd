#ifndef LOBBY_HOUSE_JOURNAL_H
#define LOBBY_HOUSE_JOURNAL_H

#include "lobby/house/house_state.h"

/*
 * What the house tells its log (house_config.log): who came in by which way, who did not, what was
 * changed about an account, who is kept quiet. Never what was said, played or typed; and no name
 * that no account has, since some type their password there.
 */

/* The event's name, and keys and values in turn, ended by NULL (JOURNAL_PAIRS); a value that is
 * NULL is left out with its key. */
void journal_write(const struct house *house, const struct conn *conn, const char *event,
                   const char *const *pairs);

/* The same of the house itself. */
void journal_house(const struct house *house, const char *event, const char *const *pairs);

#define JOURNAL_PAIRS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* That the connection's person is in by that method; nothing when it is not. */
void journal_sign_in(const struct house *house, const struct conn *conn, const char *method);

/* That it is not. `account` is an account's name, NULL when there is none of the name given. */
void journal_denied(const struct house *house, const struct conn *conn, const char *method,
                    const char *account, const char *why);

/* An event of the connection's person alone. */
void journal_person(const struct house *house, const struct conn *conn, const char *event);

#endif
