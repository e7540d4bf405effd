#pragma once

#include "storage/accounts/accounts.h"
#include "storage/mod/mod.h"
#include "tests/lobby/house_driver.h"

/* A house with people of every role, and moderation commands ("orders") that they give as lines. */

#define ADA DRIVER_FIRST         /* admin, identity confirmed */
#define MAX (DRIVER_FIRST + 1)   /* moderator, identity confirmed */
#define BOB (DRIVER_FIRST + 2)   /* player, from 192.0.2.7 */
#define EVE (DRIVER_FIRST + 3)   /* player, from 192.0.2.8 */
#define OWNER (DRIVER_FIRST + 4) /* an operator's program */
#define LATER (DRIVER_FIRST + 5) /* connection of a newcomer or of a person who returns */

/* Does what driver_setup does, and connects the people above. */
int order_setup(void **state);

/* Connects the people above to a new house. */
void order_connect_people(struct driver *driver);

#define ORDER_TEST(test) cmocka_unit_test_setup_teardown(test, order_setup, driver_teardown)

/* Gives the moderation command `line`. order_ok expects success and returns the answer's lines as
 * one text; order_no expects a refusal with this code and returns its reason. */
#define order_ok(driver, conn, line)                                                               \
    order_give_and_check((driver), (conn), (line), NULL, __FILE__, __LINE__)
#define order_no(driver, conn, code, line)                                                         \
    order_give_and_check((driver), (conn), (line), (code), __FILE__, __LINE__)
const char *order_give_and_check(struct driver *driver, int64_t conn, const char *line,
                                 const char *refusal_code, const char *file, int line_in_file);

/* Checks that exactly one audit row was added since the last such check, or since the last command
 * if that was later, and that this row reads "actor verb target result". If the last command added
 * the row, its actor, connection, words, time and error must be right too. Returns the row's
 * number. */
int64_t order_expect_audit_row(struct driver *driver, const char *row);

/* Checks as order_expect_audit_row does, but that `count` rows were added, of which `row` is the
 * newest. */
int64_t order_expect_audit_rows(struct driver *driver, int64_t count, const char *row);

/* Checks that no audit row was added since the last such check, or since the last command if that
 * was later. */
void order_expect_no_audit_row(struct driver *driver);

/* Returns the newest audit row, valid until the next call; its texts are "" instead of NULL. */
const struct storage_audit *order_newest_audit_row(struct driver *driver);

/* Checks that the newest message of this type (a notice or `bye`) to the connection has these
 * words. */
void order_expect_message(struct driver *driver, int64_t conn, const char *type, const char *words);

/* Signs a person in from `address`. `refusal_code`: the expected refusal; NULL: none. */
void order_sign_in(struct driver *driver, int64_t conn, const char *name, const char *address,
                   const char *refusal_code);

void order_set_role(struct driver *driver, const char *name, enum storage_role role);
