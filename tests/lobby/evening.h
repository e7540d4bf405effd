#pragma once

#include "tests/lobby/order_driver.h"

/*
 * A house in the middle of an evening: the people of order_driver.h and others, guests, tables in
 * every state, and an example of everything else that can be stored. The data are made once; each
 * test gets its own core on a copy.
 */

#define CYD 16
#define DAN 17
#define UMA 18
#define JON 19
#define GUEST 20
#define BOB_TOO 21 /* bob's second connection */
#define HAL 22     /* a new account that staff hold back */
#define VISITOR 23 /* said hello, but has not signed in */
#define GUS 24     /* another guest, who does nothing after arriving */
#define KEEPER 25
#define HOOK 26
#define NEWCOMER 30 /* not connected: tests use it for newcomers */

/* Numbers of the tables; each table's game has the same number. */
#define EVENING_RATED                                                                              \
    "1" /* finished, rated: uma, jon and a bot played; both have stood up, and uma watches */
#define EVENING_CASUAL "2" /* finished, played by eve; closed since she left it */
#define EVENING_RUN "3"    /* in play, rated: bob, cyd and a bot; max watches */
#define EVENING_GUESTS "4" /* in play, casual: a guest and bots */
#define EVENING_DAYS                                                                               \
    "5" /* in play, turn by turn, rated: jon, dan and a bot; none of them is at the table */
#define EVENING_OPEN "6"    /* not begun, locked: eve, a guest and a bot; cyd is invited */
#define EVENING_HELD_UP "7" /* in play, casual, paused: hal and bots */

/* Accounts that nobody is connected to: "zed" is banned; messages wait for "kim". */

/* cmocka's group set-up and tear-down. The set-up makes the evening. */
int evening_setup(void **state);
int evening_teardown(void **state);

/* Starts a new core on a copy of the evening's data and connects everybody again. */
void evening_restore(struct driver *driver);

/* Ends the core without warning; these connections return to the next core. */
void evening_restart_core(struct driver *driver, const int64_t *conns, size_t count);

/* Copies the evening's file, so that a test may change the copy before
 * evening_house_survives_changed_file. Returns the path, borrowed. */
const char *evening_copy_file(struct driver *driver);

/* Returns true when a core can start on the changed file and keeps running while everybody returns,
 * sends all requests, plays on and leaves. Also true when the storage refuses to open the file and
 * gives a reason. */
bool evening_house_survives_changed_file(struct driver *driver);

/* Returns the connection at this index of the list of viewers, whose views tests compare; 0 past
 * the last. The viewer need not be connected. */
int64_t evening_viewer_at(size_t index);
