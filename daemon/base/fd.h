#pragma once

/* Closes the descriptor, unless it is -1. Preserves errno, so that a function can fail, close its
 * descriptors and still return the errno of the failure. */
void fd_close(int fd);
void fd_close_pair(const int fds[2]);

/* Closes the descriptor, unless it is -1, and sets it to -1. Preserves errno. */
void fd_close_and_reset(int *fd);
