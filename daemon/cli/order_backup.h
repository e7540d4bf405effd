#pragma once

#include "daemon/cli/operator.h"

#include <limits.h>

struct subcommand;

/* Lets the house that is open with this data folder make a backup, and waits for it. OPERATOR_OK:
 * `path` is the backup's path. OPERATOR_CLOSED: no house is open. After any other result, the
 * reason has been printed on standard error for the subcommand `self`. */
enum operator_result order_backup(const struct subcommand *self, const char *data_dir,
                                  char path[PATH_MAX]);
