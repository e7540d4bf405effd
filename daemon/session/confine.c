#include "daemon/session/confine.h"

#include "daemon/base/log.h"
#include "games/macros.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

static const struct {
    __rlimit_resource_t resource;
    rlim_t most;
} resource_limits[] = {
    {RLIMIT_CORE, 0},        {RLIMIT_NPROC, 0}, {RLIMIT_NOFILE, 16},
#ifndef IS_SANITIZED
    {RLIMIT_DATA, 64 << 20}, /* a screen of 500 by 200 and its frames take a tenth of it */
    {RLIMIT_AS, 512 << 20},
#endif
};

void confine_session(void)
{
    for (size_t i = 0; i < ARRAY_LEN(resource_limits); i++) {
        struct rlimit limit = {resource_limits[i].most, resource_limits[i].most};
        if (setrlimit(resource_limits[i].resource, &limit) != 0) {
            log_event(LOG_LEVEL_WARN, 0, "cannot limit resource %d: %s",
                      (int)resource_limits[i].resource, strerror(errno));
        }
    }
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        log_event(LOG_LEVEL_WARN, 0, "cannot give up privileges: %s", strerror(errno));
    }
}
