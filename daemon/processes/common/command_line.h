#pragma once

#include "games/macros.h"

/* Makes a command line for execv(3) or posix_spawn(3): the program's name, the arguments (which end
 * with NULL), and up to two more, which may be NULL. Free the array with free(); the texts are
 * borrowed. */
char **command_line_make(const char *const *args, const char *more, const char *last) MUST_CHECK;
