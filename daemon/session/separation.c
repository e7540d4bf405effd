#include "daemon/session/session.h"

#include "daemon/base/base.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <unistd.h>

void separation_begin(int signed_in_fd)
{
    const char done = SEPARATION_DONE;
    if (!fd_close_range(SEPARATION_FDS, ~0U, CLOSE_RANGE_UNSHARE) ||
        write(signed_in_fd, &done, 1) != 1) {
        _exit(SESSION_FAILED);
    }
}

int separation_keep_from_children(int fd)
{
    int kept = fd < SEPARATION_FDS ? fcntl(fd, F_DUPFD_CLOEXEC, SEPARATION_FDS) : -1;
    if (kept < 0) {
        return fd;
    }
    close(fd);
    return kept;
}

int separation_give_to_children(int fd)
{
    int given = fd >= SEPARATION_FDS ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
    if (given >= SEPARATION_FDS) {
        close(given);
        return fd;
    }
    if (given < 0) {
        return fd;
    }
    close(fd);
    return given;
}
