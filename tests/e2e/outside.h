#ifndef TESTS_E2E_OUTSIDE_H
#define TESTS_E2E_OUTSIDE_H

#include "tests/e2e/house.h"

/*
 * People who come in with a client of any kind, and what each of them has to be able to do: sign
 * up, come back, play a trick, leave.
 */

/* A password for whoever needs one. */
extern const char outside_password[];

/* Starts a client (argv, NULL-ended) on an 80×24 terminal, with the house's folder for its home. */
struct terminal *outside_open(const struct house_fixture *house, const char *const *argv);

/* Comes in with a client as `user`. `key`: a file's name in the house's folder, NULL: none. */
typedef struct terminal *outside_comer(const struct house_fixture *house, const char *user,
                                       const char *key);

/* What a client has to be able to do over SSH, each by a person `name` of its own: */

/* A newcomer's key signs up, plays a trick, and opens the account again. */
void outside_key_opens(const struct house_fixture *house, outside_comer *come, const char *name);

/* Without a key: a password is chosen, and opens the account again; then a trick is played. */
void outside_password_opens(const struct house_fixture *house, outside_comer *come,
                            const char *name);

/* A guest's screen follows the size of the window. */
void outside_window_follows(const struct house_fixture *house, outside_comer *come);

/* The parts of that: */

/* At the question for a name, which the client's user name answers already, to the lobby. */
void outside_sign_up(struct terminal *person, const char *name);

/* By telnet: asks for an account, and makes it with outside_password; in the lobby afterwards. */
void outside_sign_up_by_telnet(struct terminal *person, const char *name);

/* By telnet: tells name and outside_password. */
void outside_sign_in_by_telnet(struct terminal *person, const char *name);

/* From the lobby: sits down with bots, bids, and plays until the first trick is taken. */
void outside_play_trick(struct terminal *person);

/* Gives the game up and leaves; the client's status is success. */
void outside_give_up(struct terminal *person);

/* Leaves from the lobby; the client's status is success. */
void outside_leave(struct terminal *person);

#endif
