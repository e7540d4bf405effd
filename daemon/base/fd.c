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
