#pragma once

#include "games/macros.h"

/* Makes a command line for execv(3) or posix_spawn(3): the program's name, then `args` (which end
 * with NULL), then `extra1` and `extra2`, each of which may be NULL. Free the array with free();
 * the texts are borrowed. */
char **command_line_make(const char *const *args, const char *extra1,
                         const char *extra2) MUST_CHECK;
