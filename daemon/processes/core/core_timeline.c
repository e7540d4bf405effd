#include "daemon/processes/core/core_timeline.h"

#include "daemon/base/fd.h"
#include "daemon/base/files.h"
#include "daemon/base/log.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NUMBER_TEXT_MAX 24

char *core_timeline_make_path(const char *database)
{
    const char *end = strrchr(database, '/');
    char *path;
    if (asprintf(&path, "%.*stimeline", end != NULL ? (int)(end + 1 - database) : 0, database) <
        0) {
        abort(); /* out of memory */
    }
    return path;
}

int64_t core_timeline_read(const char *path)
{
    char text[NUMBER_TEXT_MAX] = "";
    int file = files_open_regular(path, O_RDONLY);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    fd_close(file);
    return got > 0 ? strtoll(text, NULL, 10) : 0;
}

/* The number only rises, so a new one is never shorter than the one in the file. */
void core_timeline_write(const char *path, int64_t timeline)
{
    char text[NUMBER_TEXT_MAX];
    int len = snprintf(text, sizeof text, "%" PRId64 "\n", timeline);
    int file = files_open_regular(path, O_WRONLY | O_CREAT);
    if (file < 0 || pwrite(file, text, (size_t)len, 0) != len || fdatasync(file) != 0) {
        (void)log_failure("%s", path);
    }
    fd_close(file);
}
