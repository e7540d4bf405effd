#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <sys/types.h>

/* Closes the descriptor, unless it is -1. Preserves errno, so that a function can fail, close its
 * descriptors and still return the errno of the failure. */
void fd_close(int fd);
void fd_close_pair(const int fds[2]);

/* Closes the descriptor, unless it is -1, and sets it to -1. Preserves errno. */
void fd_close_and_reset(int *fd);

/* Closes the descriptors from `first` to `last`; the flags are those of close_range(2), which not
 * every C library offers. Returns false with errno. */
bool fd_close_range(unsigned first, unsigned last, unsigned flags);

/* Returns a descriptor of a process (pidfd_open(2)), which becomes readable when the process ends;
 * -1 with errno. */
int fd_open_process(pid_t pid) MUST_CHECK;

/* Sends a signal to the process of such a descriptor. Returns false with errno. */
bool fd_signal_process(int process_fd, int signal_number) MUST_CHECK;
