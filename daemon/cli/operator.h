#pragma once

#include "games/macros.h"

#include <jansson.h>

/* Sends moderation commands (PROTOCOL.md, mod) to an open house for the owner of its data
 * folder. */

#define OPERATOR_VERSION_MAX 32
#define OPERATOR_SAID_MAX 1024

enum operator_result {
    OPERATOR_OK = 0,
    OPERATOR_REFUSED, /* the core answered `no` */
    OPERATOR_CLOSED,  /* no house is open with this data folder */
    OPERATOR_FAILED,  /* no answer arrived; operator_explain_failure says why */
    OPERATOR_WAITS,  /* the core cannot use its data, and waits; only from the last two functions */
    OPERATOR_STAYED, /* the core was not replaced; only operator_replace_core returns this */
};

/* Sends a moderation command to the house that is open with this data folder, and waits for the
 * answer. The caller owns *answer, which is NULL if no answer came. */
enum operator_result operator_run_command(const char *data_dir, const char *command,
                                          json_t **answer) MUST_CHECK;

/* Sends the command that makes another core take over the house, and waits for that core. Writes
 * the new core's version into `version_or_reason`; after OPERATOR_REFUSED and _WAITS the reasons,
 * one per line. */
enum operator_result operator_replace_core(const char *data_dir, const char *command,
                                           char version_or_reason[OPERATOR_SAID_MAX]) MUST_CHECK;

/* Checks whether the core answers within a few seconds: returns OPERATOR_OK, _CLOSED, _FAILED or
 * _WAITS. Writes what operator_replace_core writes. */
enum operator_result
operator_check_core_answers(const char *data_dir,
                            char version_or_reason[OPERATOR_SAID_MAX]) MUST_CHECK;

/* Explains why the last call returned OPERATOR_FAILED: the core hangs (ETIMEDOUT), the connection
 * was lost (ECONNRESET), or the text of errno. */
const char *operator_explain_failure(void);
