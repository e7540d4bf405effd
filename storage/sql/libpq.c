#include "storage/sql/postgres.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libpq.so.5"

/* Finds a function of the library. POSIX makes a pointer to data of it, which C cannot convert. */
static bool find_function(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);

    memcpy(function, &found, size);
    return found != NULL;
}

#define FIND(name) &&find_function(library, #name, &functions->name, sizeof functions->name)

static bool find_functions(void *library, struct libpq *functions)
{
    return true LIBPQ_FUNCTIONS(FIND);
}

const struct libpq *libpq_load(char *why, size_t size)
{
    static struct libpq functions;
    static bool is_loaded;

    if (!is_loaded) {
        void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
        is_loaded = library != NULL && find_functions(library, &functions);
        if (!is_loaded) {
            (void)snprintf(why, size, "PostgreSQL's library cannot be loaded: %s", dlerror());
        }
    }
    return is_loaded ? &functions : NULL;
}
