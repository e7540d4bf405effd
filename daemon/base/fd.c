#include "daemon/base/base.h"

#include <errno.h>
#include <stddef.h>
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
