#pragma once

/* Closes the descriptor, unless it is -1. Preserves errno, which may say why it is closed. */
void fd_close(int fd);
void fd_close_pair(const int fds[2]);

/* Closes the descriptor in the same way, and sets it to -1. */
void fd_clear(int *fd);
