#pragma once

#include "lobby/house/house_state.h"

/*
 * Events for the log (house_config.log): sign-ins and their method, refused sign-ins, changes to
 * accounts, mutes. The log never contains what was said, played or typed. It never contains a name
 * that no account has, since some people type their password as their name.
 */

/* Logs an event of a connection. `pairs` has alternating keys and values, ended by NULL
 * (JOURNAL_PAIRS). A key whose value is NULL is left out. */
void journal_write(const struct house *house, const struct conn *conn, const char *event,
                   const char *const *pairs);

/* Logs an event of the house itself. */
void journal_write_house_event(const struct house *house, const char *event,
                               const char *const *pairs);

#define JOURNAL_PAIRS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Logs and counts a refused sign-in. `account` is the name of an account, or NULL if no account has
 * the name that was given. */
void journal_write_denied_sign_in(const struct house *house, const struct conn *conn,
                                  const char *method, const char *account, const char *why);
