#pragma once

#include "games/macros.h"

/* The program's name, the arguments (ended by NULL) and up to two more, ended by NULL, as execv(3)
 * and posix_spawn(3) take them. Free the array with free(); the texts are borrowed. */
char **command_line(const char *const *args, const char *more, const char *last) MUST_CHECK;
