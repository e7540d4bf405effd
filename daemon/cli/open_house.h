#pragma once

#include <sys/types.h>

struct subcommand;

/* Finds the house that is open with the data in `data_dir`. Returns the process id of its
 * supervisor, 0 if no house is open, or -1 with a message on standard error if that cannot be found
 * out. `self` is the subcommand that asks. */
pid_t open_house_find(const struct subcommand *self, const char *data_dir);
