#pragma once

#include "games/macros.h"

#include <jansson.h>

/* Requests to an open house, made as the owner of its data. */

#define OPERATOR_VERSION_MAX 32
#define OPERATOR_SAID_MAX 1024

enum operator_result {
    OPERATOR_OK = 0,
    OPERATOR_REFUSED, /* the answer is `no` */
    OPERATOR_CLOSED,  /* no house is open with this folder */
    OPERATOR_FAILED,  /* no answer arrived; operator_why says why */
    OPERATOR_STAYED,  /* from operator_outlast: the core is still the same */
};

/*
 * Sends one request, without `t` and `id`, to the house that is open with the folder; steals the
 * reference. Waits for the answer: the caller owns *answer, which is NULL if there was none.
 */
enum operator_result operator_ask(const char *data_dir, const char *type, json_t *fields,
                                  json_t **answer) MUST_CHECK;

/* Sends a request after which another core takes over the house, and waits for that core. `said` is
 * its version, or why there will be none (OPERATOR_REFUSED), in lines. */
enum operator_result operator_outlast(const char *data_dir, const char *type,
                                      char said[OPERATOR_SAID_MAX]) MUST_CHECK;

/* Checks whether the core answers within a few seconds: OK, CLOSED or FAILED. */
enum operator_result operator_greet(const char *data_dir) MUST_CHECK;

/* Says why the last call here returned FAILED: the core hangs (ETIMEDOUT), or errno's text. */
const char *operator_why(void);
