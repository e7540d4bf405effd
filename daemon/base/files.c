#include "daemon/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void fd_close(int fd)
{
    int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    errno = error;
}

void fd_close_pair(const int fds[2])
{
    fd_close(fds[0]);
    fd_close(fds[1]);
}

void fd_close_and_reset(int *fd)
{
    fd_close(*fd);
    *fd = -1;
}

bool fd_close_range(unsigned first, unsigned last, unsigned flags)
{
    return syscall(SYS_close_range, first, last, flags) == 0;
}

int fd_open_process(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

bool fd_signal_process(int process_fd, int signal_number)
{
    return syscall(SYS_pidfd_send_signal, process_fd, signal_number, NULL, 0) == 0;
}

int files_open_regular(const char *path, int flags)
{
    struct stat status;
    int file = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    if (file >= 0 && fstat(file, &status) == 0 && !S_ISREG(status.st_mode)) {
        fd_close_and_reset(&file);
        errno = S_ISDIR(status.st_mode) ? EISDIR : EMEDIUMTYPE;
    }
    return file;
}

char *files_read(const char *path, size_t most, size_t *len)
{
    int file = files_open_regular(path, O_RDONLY);
    char *text = file >= 0 ? malloc(most + 2) : NULL;
    ssize_t got = -1;
    for (*len = 0; text != NULL && (got = read(file, text + *len, most + 1 - *len)) > 0;) {
        *len += (size_t)got;
    }
    bool is_long = got == 0 && *len > most;
    fd_close(file);
    if (got == 0 && !is_long) {
        text[*len] = '\0';
        return text;
    }
    int error = is_long ? EFBIG : errno;
    free(text);
    errno = error;
    return NULL;
}

const char *files_explain_errno(void)
{
    return errno == EMEDIUMTYPE ? "this is not a regular file" : strerror(errno);
}

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
