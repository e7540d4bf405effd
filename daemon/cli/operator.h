#ifndef DAEMON_CLI_OPERATOR_H
#define DAEMON_CLI_OPERATOR_H

#include "games/macros.h"

#include <jansson.h>

/* Asking an open house something, as whoever owns its data. */

#define OPERATOR_VERSION_MAX 32
#define OPERATOR_SAID_MAX 1024

enum operator_result {
    OPERATOR_OK = 0,
    OPERATOR_REFUSED, /* the answer is `no` */
    OPERATOR_CLOSED,  /* no house is open there */
    OPERATOR_FAILED,  /* no answer came; operator_why says why */
    OPERATOR_STAYED,  /* operator_outlast: the core is still the same */
};

/*
 * Sends one request (its reference is taken over; without `t` and `id`) to the house whose data are
 * in the folder and waits: *answer is its answer, the caller's, or NULL when there was none.
 */
enum operator_result operator_ask(const char *data_dir, const char *type, json_t *fields,
                                  json_t **answer) MUST_CHECK;

/* Sends a request upon which another core takes the house over, and waits for that core: `said` is
 * its version, or why there will be none (OPERATOR_REFUSED), in lines. */
enum operator_result operator_outlast(const char *data_dir, const char *type,
                                      char said[OPERATOR_SAID_MAX]) MUST_CHECK;

/* Whether the core answers at all, within some seconds: OK, CLOSED, FAILED. */
enum operator_result operator_greet(const char *data_dir) MUST_CHECK;

/* Why the last one here FAILED, in words: that the core stands still (ETIMEDOUT), or errno's. */
const char *operator_why(void);

#endif
