#pragma once

#include "games/macros.h"

#include <jansson.h>

/* Moderation commands (PROTOCOL.md, mod) for an open house, given by the owner of its data. */

#define OPERATOR_VERSION_MAX 32
#define OPERATOR_SAID_MAX 1024

enum operator_result {
    OPERATOR_OK = 0,
    OPERATOR_REFUSED, /* the core answered `no` */
    OPERATOR_CLOSED,  /* no house is open with this folder */
    OPERATOR_FAILED,  /* no answer arrived; operator_explain_failure says why */
    OPERATOR_STAYED,  /* only from operator_replace_core: the core was not replaced */
};

/* Sends one line to the house that is open with the folder and waits for the answer: the caller
 * owns *answer, which is NULL if there was none. */
enum operator_result operator_send_line(const char *data_dir, const char *line,
                                        json_t **answer) MUST_CHECK;

/* Sends a line that makes another core take over the house, and waits for that core. `said` becomes
 * its version, or, after OPERATOR_REFUSED, the reason in lines. */
enum operator_result operator_replace_core(const char *data_dir, const char *line,
                                           char said[OPERATOR_SAID_MAX]) MUST_CHECK;

/* Checks whether the core answers within a few seconds: OK, CLOSED or FAILED. */
enum operator_result operator_check_core(const char *data_dir) MUST_CHECK;

/* Explains OPERATOR_FAILED of the last call: the core hangs (ETIMEDOUT), or the text of errno. */
const char *operator_explain_failure(void);
