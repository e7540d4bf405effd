#ifndef DAEMON_CLI_OPERATOR_H
#define DAEMON_CLI_OPERATOR_H

#include "games/macros.h"

#include <jansson.h>

/* Asking an open house something, as whoever owns its data. */

#define OPERATOR_VERSION_MAX 32

enum operator_result {
    OPERATOR_OK = 0,
    OPERATOR_REFUSED, /* the answer is `no` */
    OPERATOR_CLOSED,  /* no house is open there */
    OPERATOR_FAILED,  /* no answer came; errno says why */
    OPERATOR_STAYED,  /* operator_outlast: the core is still the same */
};

/*
 * Sends one request (its reference is taken over; without `t` and `id`) to the house whose data are
 * in the folder and waits: *answer is its answer, the caller's, or NULL when there was none.
 */
enum operator_result operator_ask(const char *data_dir, const char *type, json_t *fields,
                                  json_t **answer) MUST_CHECK;

/* Sends a request upon which another core takes the house over, waits for that core and gives its
 * version, cut to fit. */
enum operator_result operator_outlast(const char *data_dir, const char *type,
                                      char version[OPERATOR_VERSION_MAX]) MUST_CHECK;

#endif
