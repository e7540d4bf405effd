#ifndef TESTS_E2E_OUTSIDE_H
#define TESTS_E2E_OUTSIDE_H

#include "tests/e2e/house.h"

/*
 * People who come in with a client of any kind (argv, NULL-ended), and what each of them has to be
 * able to do: sign up, come back, play a trick, leave.
 */

/* A password for whoever needs one. */
extern const char outside_password[];

/* Starts the client on an 80×24 terminal, with the house's folder for its home. */
struct terminal *outside_open(const struct house_fixture *house, const char *const *argv);

/* As a newcomer with a key, whose client named `name`; returns in the lobby. */
void outside_sign_up(struct terminal *person, const char *name);

/* The same without a key, from the question for the password on: chooses outside_password. */
void outside_sign_up_with_password(struct terminal *person, const char *name);

/* Or by telnet: asks for an account, and makes it. */
void outside_sign_up_by_telnet(struct terminal *person, const char *name);

/* By telnet: tells name and outside_password. */
void outside_sign_in_by_telnet(struct terminal *person, const char *name);

/* In the lobby: sits down with bots, bids, and plays until the first trick is taken. */
void outside_play_trick(struct terminal *person);

/* Gives the game up and leaves; the client's status is success. */
void outside_give_up(struct terminal *person);

/* Leaves from the lobby; the client's status is success. */
void outside_leave(struct terminal *person);

#endif
