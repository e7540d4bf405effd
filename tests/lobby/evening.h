#pragma once

#include "tests/lobby/order_driver.h"

/*
 * A house in the middle of an evening: order_driver.h's people and more, guests, tables in every
 * state, and whatever else the data may hold. It is made once; each test begins with a copy of its
 * data, under a core of its own.
 */

#define CYD 16
#define DAN 17
#define UMA 18
#define JON 19
#define GUEST 20
#define BOB_TOO 21 /* bob's other connection */
#define HAL 22     /* a new account that is held */
#define VISITOR 23 /* at the door still */
#define GUS 24     /* another guest, who has only come */
#define KEEPER 25
#define HOOK 26
#define NEWCOMER 30 /* not connected: for whoever comes */

/* Tables and their games, by number. */
#define EVENING_RATED "1"  /* finished, rated: uma, jon and a bot; both stood up, uma looks on */
#define EVENING_CASUAL "2" /* finished, by eve, who has left: closed */
#define EVENING_RUN "3"    /* on, rated: bob, cyd and a bot; max watches */
#define EVENING_GUESTS "4" /* on, casual: a guest and bots */
#define EVENING_DAYS "5"   /* on, played turn by turn, rated: jon, dan and a bot; nobody is there */
#define EVENING_OPEN "6"   /* not begun, locked: eve, a guest, a bot; cyd is invited */
#define EVENING_HELD_UP "7" /* on, casual, paused: hal and bots */

/* Accounts nobody is connected to: "zed" is banned, words wait for "kim". */

/* cmocka's group set-up and tear-down: makes the evening. */
int evening_setup(void **state);
int evening_teardown(void **state);

/* The same evening once more: a new core on a copy of its data, and everybody there again. */
void evening_begin(struct driver *driver);

/* The core dies; the next one finds these connections. */
void evening_restart(struct driver *driver, const int64_t *conns, size_t count);

/* A copy of the evening's file that may be changed, for evening_can_continue. Borrowed. */
const char *evening_copy_file(struct driver *driver);

/* True when a core can begin on that file and outlives that everybody comes back, looks at
 * everything, plays on and goes, and so can the next one; or when the storage itself says why the
 * file cannot be opened. */
bool evening_can_continue(struct driver *driver);

/* Somebody's connection that is to be compared, if it is there; 0 past the last. */
int64_t evening_viewer_at(size_t index);
