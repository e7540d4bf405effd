#pragma once

/* A PostgreSQL server alone, and the data of an evening (tests/lobby/evening.h), for a test program
 * whose houses have their data in that server. */

/* cmocka's group set-up and tear-down. */
int evening_rig_setup(void **state);
int evening_rig_teardown(void **state);

/* The URL of the server's database, between the two. */
const char *evening_rig_url(void);
