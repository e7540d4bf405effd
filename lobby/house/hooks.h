#pragma once

#include "games/macros.h"

/* For each entry of a list, in order, calls this hook of the entry, unless the entry's hook is
 * NULL. The list is an array of pointers to structs of hooks, such as parts or listeners, and comes
 * from a .def file. */
#define HOOKS_CALL(list, hook, ...)                                                                \
    do {                                                                                           \
        for (size_t i_ = 0; i_ < ARRAY_LEN(list); i_++)                                            \
            (list)[i_]->hook == NULL ? (void)0 : (list)[i_]->hook(__VA_ARGS__);                    \
    } while (false)
