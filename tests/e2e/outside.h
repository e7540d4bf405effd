#pragma once

#include "tests/e2e/house.h"

/*
 * People who connect with any client, and what each client must allow: signing up, coming back,
 * playing a trick, leaving.
 */

/* The password of people who need one. */
extern const char outside_password[];

/* Starts a client (argv, NULL-ended) on an 80×24 terminal; the house's folder is its home. */
struct terminal *outside_open(const struct house_fixture *house, const char *const *argv);

/* A function that connects with one kind of client as `user`. `key` is the name of a file in the
 * house's folder; NULL: no key. */
typedef struct terminal *outside_connector(const struct house_fixture *house, const char *user,
                                           const char *key);

/* What a client must allow over SSH. Each function takes the name of a new person. */

/* Signs up with a new key, plays a trick, and signs in again with the key. */
void outside_can_use_key(const struct house_fixture *house, outside_connector *connect_as,
                         const char *name);

/* Signs up with a password instead of a key, signs in again with it, then plays a trick. */
void outside_can_use_password(const struct house_fixture *house, outside_connector *connect_as,
                              const char *name);

/* A guest's screen follows the size of the window. */
void outside_can_resize_window(const struct house_fixture *house, outside_connector *connect_as);

/* Parts of the functions above: */

/* Goes from the question for a name, which already shows the client's user name, to the lobby. */
void outside_sign_up(struct terminal *person, const char *name);

/* By telnet: asks for an account and creates it with outside_password. Ends in the lobby. */
void outside_sign_up_by_telnet(struct terminal *person, const char *name);

/* By telnet: types the name and outside_password. */
void outside_sign_in_by_telnet(struct terminal *person, const char *name);

/* From the lobby: sits down with bots, bids, and plays until the first trick is finished. */
void outside_play_trick(struct terminal *person);

/* Resigns the game and leaves; the client's exit status is success. */
void outside_give_up(struct terminal *person);

/* Leaves from the lobby; the client's exit status is success. */
void outside_leave(struct terminal *person);
