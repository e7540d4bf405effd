#pragma once

#include "storage/accounts/accounts.h"
#include "storage/mod/audit.h"
#include "tests/lobby/house_driver.h"

/* A house with somebody of every rank, and the lines they have it carry out. */

#define ADA DRIVER_FIRST         /* admin, has confirmed */
#define MAX (DRIVER_FIRST + 1)   /* moderator, has confirmed */
#define BOB (DRIVER_FIRST + 2)   /* player, from 192.0.2.7 */
#define EVE (DRIVER_FIRST + 3)   /* player, from 192.0.2.8 */
#define OWNER (DRIVER_FIRST + 4) /* a program of the owner's */
#define LATER (DRIVER_FIRST + 5) /* for whoever comes (again) */

/* driver_setup and the people. */
int order_setup(void **state);

#define ORDER_TEST(test) cmocka_unit_test_setup_teardown(test, order_setup, driver_teardown)

/* Has the house carry out a line: `ok`, and every one of its lines as one text; or `no`. */
#define order_ok(driver, conn, line)                                                               \
    order_expect((driver), (conn), (line), NULL, __FILE__, __LINE__)
#define order_no(driver, conn, code, line)                                                         \
    order_expect((driver), (conn), (line), (code), __FILE__, __LINE__)
const char *order_expect(struct driver *driver, int64_t conn, const char *line, const char *code,
                         const char *file, int at);

/* Insists that one row has been added to the audit log since the last order was begun or the last
 * row insisted on, and that it is this one: "actor verb target result". When it tells of the last
 * order, all else in it has to fit: who gave it over which connection, the words of the line, the
 * time, why it was refused. Gives its number. */
int64_t order_row(struct driver *driver, const char *row);

/* The same where more rows than one were added: this many, the newest of them this. */
int64_t order_rows(struct driver *driver, int64_t count, const char *row);

/* Insists that no row was added since then. */
void order_no_row(struct driver *driver);

/* The newest row, until this is called again; its texts are "" instead of NULL. */
const struct storage_audit *order_newest_row(struct driver *driver);

/* Insists that the newest notice (or `bye`) to this connection has these words. */
void order_told(struct driver *driver, int64_t conn, const char *type, const char *words);

/* Signs in somebody, who may be refused with a code (NULL: is not). */
void order_sign_in(struct driver *driver, int64_t conn, const char *name, const char *address,
                   const char *code);

void order_set_role(struct driver *driver, const char *name, enum storage_role role);
