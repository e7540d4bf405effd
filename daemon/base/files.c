#include "daemon/base/files.h"

#include "daemon/base/fd.h"
#include "daemon/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns the kinds of file access that this version of Landlock can restrict. Each version
 * includes the kinds of the version before. */
static uint64_t restrictable_access_kinds(long landlock_version)
{
    /* MAKE_SYM is the highest bit of Landlock version 1 */
    uint64_t rights = LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1;
    if (landlock_version >= 2) {
        rights |= LANDLOCK_ACCESS_FS_REFER;
    }
#ifdef LANDLOCK_ACCESS_FS_TRUNCATE
    if (landlock_version >= 3) {
        rights |= LANDLOCK_ACCESS_FS_TRUNCATE;
    }
#endif
    return rights;
}

/* Allows this process to read the files below a directory. A missing directory is skipped. Returns
 * false with errno. */
static bool allow_reading(int rules_fd, const char *path)
{
    struct landlock_path_beneath_attr beneath = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
        .parent_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC),
    };
    if (beneath.parent_fd < 0) {
        return errno == ENOENT;
    }
    long result = syscall(SYS_landlock_add_rule, rules_fd, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    fd_close(beneath.parent_fd);
    return result == 0;
}

int files_make_access_rules(const char *const *readable_folders)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    const struct landlock_ruleset_attr attributes = {.handled_access_fs =
                                                         restrictable_access_kinds(version)};
    long rules_fd =
        version < 0 ? -1 : syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0);
    bool is_made = rules_fd >= 0;
    for (size_t i = 0; readable_folders[i] != NULL && is_made; i++) {
        is_made = allow_reading((int)rules_fd, readable_folders[i]);
    }
    if (is_made) {
        return (int)rules_fd;
    }
    log_event(LOG_LEVEL_WARN, 0, "no Landlock: %s", strerror(errno));
    if (rules_fd >= 0) {
        close((int)rules_fd);
    }
    return -1;
}

bool files_apply_access_rules(int rules_fd)
{
    return syscall(SYS_landlock_restrict_self, rules_fd, 0) == 0;
}
