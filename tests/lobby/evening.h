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
#define HAL 22     /* a new account, which staff have not released yet */
#define VISITOR 23 /* a connection that has said hello but not signed in */
#define GUS 24     /* another guest, who does nothing after arriving */
#define KEEPER 25
#define HOOK 26
#define NEWCOMER 30 /* not connected at first; tests sign up new people on this connection */

/* Numbers of the tables; each table's game has the same number. */
#define EVENING_RATED                                                                              \
    "1" /* finished, rated: uma and jon played with a bot, then stood up; uma watches */
#define EVENING_CASUAL "2" /* finished, played by eve; closed when she left it */
#define EVENING_RUN "3"    /* in play, rated: bob, cyd and a bot; max watches */
#define EVENING_GUESTS "4" /* in play, casual: a guest and bots */
#define EVENING_DAYS                                                                               \
    "5" /* in play, rated, with days for each move: jon, dan and a bot; nobody is at the table */
#define EVENING_OPEN "6"    /* not begun, with a password: eve, a guest and a bot; cyd is invited */
#define EVENING_HELD_UP "7" /* in play, casual, paused: hal and bots */

/* Accounts without a connection: "zed", who is banned, and "kim", for whom messages are stored. */

/* Makes the evening's data in a new house. The core is then restarted, and nobody is connected. */
void evening_make(struct driver *driver);

/* cmocka's group set-up and tear-down. The set-up makes the evening's data and saves them in a
 * file. */
int evening_setup(void **state);
int evening_teardown(void **state);

/* Starts a new core on a copy of the evening's data and connects everybody again. */
void evening_restore_house(struct driver *driver);

/* Ends the core without warning, starts another one and connects `conns` to it again. */
void evening_restart_core(struct driver *driver, const int64_t *conns, size_t count);

/* Copies the file with the evening's data. A test can change the copy and then call
 * evening_house_survives_changed_file. Returns the copy's path, which the caller must not free. */
const char *evening_copy_database_file(struct driver *driver);

/* Returns true when a core can start on the changed copy and keeps running while all people return,
 * send all requests, play on and leave. Also true when the storage refuses to open the copy and
 * gives a reason. */
bool evening_house_survives_changed_file(struct driver *driver);

/* Returns one of the connections whose views the tests compare, or 0 when `index` is past the last.
 * The connection may be closed at the moment. */
int64_t evening_viewer_conn_at(size_t index);
