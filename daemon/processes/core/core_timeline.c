#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX 48

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

struct core_timeline core_timeline_read(const char *path)
{
    char text[TEXT_MAX] = "";
    char *rest = text;
    int file = files_open_regular(path, O_RDONLY);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    fd_close(file);
    if (got <= 0) {
        return (struct core_timeline){0};
    }
    struct core_timeline timeline = {.timeline = strtoll(text, &rest, 10)};
    timeline.steps = strtoll(rest, NULL, 10);
    return timeline;
}

/* The numbers only rise, so new ones are never shorter than those in the file. */
void core_timeline_write(const char *path, struct core_timeline timeline)
{
    char text[TEXT_MAX];
    int len =
        snprintf(text, sizeof text, "%" PRId64 " %" PRId64 "\n", timeline.timeline, timeline.steps);
    int file = files_open_regular(path, O_WRONLY | O_CREAT);
    if (file < 0 || pwrite(file, text, (size_t)len, 0) != len || fdatasync(file) != 0) {
        (void)log_failure("%s", path);
    }
    fd_close(file);
}
