#include "daemon/processes/processes.h"

#include "daemon/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

bool log_file_open(struct log_file *log)
{
    struct stat status;
    int file = files_open_regular(log->path, O_WRONLY | O_APPEND | O_CREAT);
    if (file < 0 || fstat(file, &status) != 0 || dup2(file, STDERR_FILENO) < 0) {
        fd_close(file);
        return false;
    }
    fd_close(log->file);
    log->file = file;
    log->size = (uint64_t)status.st_size;
    return true;
}

/* Renames house.log.4 to house.log.5 and so on, and overwrites the oldest file. Any of the files
 * may be missing. */
static void rotate_files(struct log_file *log)
{
    char from[PATH_MAX];
    char to[PATH_MAX];
    bool is_done = true;
    for (unsigned i = log->keep; i > 0 && is_done; i--) {
        (void)snprintf(to, sizeof to, "%s.%u", log->path, i);
        (void)snprintf(from, sizeof from, i == 1 ? "%s" : "%s.%u", log->path, i - 1);
        is_done = rename(from, to) == 0 || errno == ENOENT;
    }
    if (!is_done || !log_file_open(log)) {
        log_failure("the log cannot be renamed");
        log->size = 0; /* try to rename again once most_bytes more bytes were written */
    }
}

void log_file_write_line(struct log_file *log, const char *line, size_t len)
{
    if (log->size > 0 && log->size + len > log->most_bytes) {
        rotate_files(log);
    }
    if (log->file < 0 && !log_file_open(log)) {
        return;
    }
    while (len > 0) {
        ssize_t put = write(log->file, line, len);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return;
        }
        log->size += (uint64_t)put;
        line += put;
        len -= (size_t)put;
    }
}

void log_file_close(struct log_file *log)
{
    fd_close_and_reset(&log->file);
}
