#pragma once

/* Closes the descriptor, unless it is -1. Preserves errno, which may say why it is closed. */
void fd_close(int fd);
