#include "daemon/processes/workers/workers.h"

#include "daemon/base/base.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* the library's name as the dynamic linker knows it; it changes with incompatible versions */
#define LIBRARY "libcurl.so.4"

#define FUNCTION(name)                                                                             \
    {                                                                                              \
        "curl_" #name, offsetof(struct hook_curl, name)                                            \
    }

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
    FUNCTION(global_init),      FUNCTION(easy_init),           FUNCTION(easy_setopt),
    FUNCTION(easy_getinfo),     FUNCTION(easy_cleanup),        FUNCTION(multi_init),
    FUNCTION(multi_add_handle), FUNCTION(multi_remove_handle), FUNCTION(multi_perform),
    FUNCTION(multi_poll),       FUNCTION(multi_info_read),     FUNCTION(slist_append),
    FUNCTION(slist_free_all),
};

bool hook_curl_load(struct hook_curl *curl)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library != NULL && i < ARRAY_LEN(functions); i++) {
        void *function = dlsym(library, functions[i].name);
        if (function == NULL) {
            break;
        }
        /* POSIX: a function pointer from dlsym has the representation of a void pointer */
        memcpy((char *)curl + functions[i].offset, &function, sizeof(function));
        if (i + 1 == ARRAY_LEN(functions)) {
            return true;
        }
    }
    log_event(LOG_LEVEL_ERROR, 0, "cannot load libcurl: %s", dlerror());
    return false;
}
