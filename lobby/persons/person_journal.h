#pragma once

#include "lobby/house/house_state.h"

/* Logs that the connection's person has signed in by that method; does nothing when they have
 * not. */
void person_journal_sign_in(const struct house *house, const struct conn *conn, const char *method);

/* Logs an event without further fields about the connection's person. */
void person_journal_event(const struct house *house, const struct conn *conn, const char *event);
