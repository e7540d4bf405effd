#pragma once

#include "storage/accounts/accounts.h"
#include "storage/mod/audit.h"
#include "tests/lobby/house_driver.h"

/* A house with people of every rank, and moderation commands ("orders") that they give as lines. */

#define ADA DRIVER_FIRST         /* admin, identity confirmed */
#define MAX (DRIVER_FIRST + 1)   /* moderator, identity confirmed */
#define BOB (DRIVER_FIRST + 2)   /* player, from 192.0.2.7 */
#define EVE (DRIVER_FIRST + 3)   /* player, from 192.0.2.8 */
#define OWNER (DRIVER_FIRST + 4) /* an operator's program */
#define LATER (DRIVER_FIRST + 5) /* number for a newcomer or a returning person */

/* Does what driver_setup does and adds the people above. */
int order_setup(void **state);

#define ORDER_TEST(test) cmocka_unit_test_setup_teardown(test, order_setup, driver_teardown)

/* Gives the order `line`. order_ok expects success and returns the answer's lines as one text;
 * order_no expects a refusal with this code and returns its reason. */
#define order_ok(driver, conn, line)                                                               \
    order_expect((driver), (conn), (line), NULL, __FILE__, __LINE__)
#define order_no(driver, conn, code, line)                                                         \
    order_expect((driver), (conn), (line), (code), __FILE__, __LINE__)
const char *order_expect(struct driver *driver, int64_t conn, const char *line, const char *code,
                         const char *file, int line_in_file);

/* Checks that exactly one audit row is newer than those checked before or written before the last
 * order, and that this row reads "actor verb target result". A row of the last order must also have
 * the right actor, connection, words, time and error. Returns the row's number. */
int64_t order_expect_audit_row(struct driver *driver, const char *row);

/* As order_expect_audit_row, when `count` rows were added and `row` is the newest. */
int64_t order_expect_audit_rows(struct driver *driver, int64_t count, const char *row);

/* Checks that no audit row is newer than those checked before or written before the last order. */
void order_expect_no_audit_row(struct driver *driver);

/* Returns the newest audit row, valid until the next call; its texts are "" instead of NULL. */
const struct storage_audit *order_newest_audit_row(struct driver *driver);

/* Checks that the newest message of this type (a notice or `bye`) to the connection has these
 * words. */
void order_expect_message(struct driver *driver, int64_t conn, const char *type, const char *words);

/* Signs a person in; `code` is the expected refusal, NULL: none. */
void order_sign_in(struct driver *driver, int64_t conn, const char *name, const char *address,
                   const char *code);

void order_set_role(struct driver *driver, const char *name, enum storage_role role);
