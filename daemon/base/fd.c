#include "daemon/base/fd.h"

#include <errno.h>
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
