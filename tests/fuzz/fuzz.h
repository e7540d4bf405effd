#pragma once

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Helpers that the fuzz targets share. */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Ends the program unless the condition holds. Unlike assert, it is active in every build. */
static inline void fuzz_assert(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* The part of the input whose lines were not read yet. Empty lines are skipped. */
struct fuzz_lines {
    const char *at, *end;
};

static inline struct fuzz_lines fuzz_split_lines(const uint8_t *bytes, size_t len)
{
    const char *at = (const char *)bytes;
    return (struct fuzz_lines){at, len == 0 ? at : at + len};
}

/* Finds the next line, borrowed from the input and without its newline. Returns false when there is
 * none left. */
static inline bool fuzz_next_line(struct fuzz_lines *lines, const char **line, size_t *len)
{
    while (lines->at < lines->end) {
        size_t left = (size_t)(lines->end - lines->at);
        const char *newline = memchr(lines->at, '\n', left);
        *line = lines->at;
        *len = newline == NULL ? left : (size_t)(newline - lines->at);
        lines->at += *len + (newline != NULL);
        if (*len > 0) {
            return true;
        }
    }
    return false;
}

/* Redirects standard error to the descriptor `fd`. Returns a descriptor for fuzz_restore_log, which
 * ends the redirection. */
static inline int fuzz_redirect_log(int fd)
{
    int saved_fd = dup(STDERR_FILENO);
    fuzz_assert(saved_fd >= 0 && dup2(fd, STDERR_FILENO) == STDERR_FILENO);
    return saved_fd;
}

/* Discards what is logged, until fuzz_restore_log is called with the returned descriptor. */
static inline int fuzz_silence_log(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fuzz_assert(nowhere >= 0);
    int saved_fd = fuzz_redirect_log(nowhere);
    close(nowhere);
    return saved_fd;
}

static inline void fuzz_restore_log(int saved_fd)
{
    fuzz_assert(dup2(saved_fd, STDERR_FILENO) == STDERR_FILENO);
    close(saved_fd);
}
