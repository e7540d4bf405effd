#pragma once

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Helpers that the load programs share. */

/* Unless the condition holds, prints the text and ends the program. */
static inline void fail_unless(bool condition, const char *message)
{
    if (!condition) {
        (void)fprintf(stderr, "%s\n", message);
        exit(EXIT_FAILURE);
    }
}

/* Drops the file's unmodified pages from the system's memory, so that the next reader must read the
 * disk. */
static inline void drop_cached_pages(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    fail_unless(file >= 0, "the file cannot be opened");
    fail_unless(posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0,
                "the file's pages stay in memory");
    (void)close(file);
}
