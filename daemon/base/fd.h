#pragma once

/* Closes the descriptor, unless it is -1. Preserves errno, which may say why it is closed. */
void fd_close(int fd);
void fd_close_pair(const int fds[2]);

/* Closes the descriptor, unless it is -1, and sets it to -1. Preserves errno. */
void fd_close_and_reset(int *fd);
