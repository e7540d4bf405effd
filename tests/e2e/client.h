#pragma once

#include "tests/e2e/house.h"

/*
 * People who connect with any kind of client, and checks of what each kind of client must allow:
 * signing up, coming back, playing a trick, leaving.
 */

/* The password of every person who needs one. */
extern const char client_password[];

/* Starts a client (argv, NULL-ended) on an 80×24 terminal; the house's folder is its home. */
struct terminal *client_start(const struct house_fixture *house, const char *const *argv);

/* A function that connects with one kind of client as `user`. `key` is the name of a file in the
 * house's folder; NULL: no key. */
typedef struct terminal *client_connector(const struct house_fixture *house, const char *user,
                                          const char *key);

/* Checks of what a client must allow over SSH. `name` is the name of a new account. */

/* Signs up with a new key, plays a trick, and signs in again with the key. */
void client_assert_key_works(const struct house_fixture *house, client_connector *connect_as,
                             const char *name);

/* Signs up with a password instead of a key, signs in again with it, then plays a trick. */
void client_assert_password_works(const struct house_fixture *house, client_connector *connect_as,
                                  const char *name);

/* Checks that a guest's screen follows the size of the window. */
void client_assert_resizing_works(const struct house_fixture *house, client_connector *connect_as);

/* The functions below are steps of these client_assert functions. */

/* Signs up with a key: accepts the suggested account name, which is the client's user name. Ends in
 * the lobby. */
void client_sign_up(struct terminal *person, const char *name);

/* Signs up by telnet, with client_password. Ends in the lobby. */
void client_sign_up_by_telnet(struct terminal *person, const char *name);

/* Signs in by telnet: types the name and client_password. */
void client_sign_in_by_telnet(struct terminal *person, const char *name);

/* Begins a game against bots: from the lobby, or from the offer that guests see first. */
void client_begin_game(struct terminal *person);

/* Begins a game against bots, bids, and plays until the first trick is finished. */
void client_play_trick(struct terminal *person);

/* Resigns the game and leaves the house. The client's exit status must be success. */
void client_resign(struct terminal *person);

/* Leaves the house from the lobby. The client's exit status must be success. */
void client_leave(struct terminal *person);
