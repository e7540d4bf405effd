#pragma once

#include "lobby/house/house_state.h"

/* Logs that the connection's person has signed in, and by which method. Does nothing if nobody is
 * signed in. */
void person_journal_log_sign_in(const struct house *house, const struct conn *conn,
                                const char *method);

/* Logs an event about the connection's person, without further fields. */
void person_journal_log_event(const struct house *house, const struct conn *conn,
                              const char *event);
