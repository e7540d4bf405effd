#include "daemon/base/process_name.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define STAT_MAX 2048

/* Field numbers of /proc/self/stat, counted from 1 (proc(5)). The second field ends at the last
 * parenthesis. */
#define FIELD_AFTER_NAME 3
#define FIELD_ARG_START 48

/* Finds this process's command line in its own memory, where it can be overwritten. */
static bool find_own_command_line(char **start, size_t *len)
{
    char text[STAT_MAX];
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    text[got > 0 ? got : 0] = '\0';
    char *at = strrchr(text, ')');
    for (int field = FIELD_AFTER_NAME; at != NULL && field <= FIELD_ARG_START; field++) {
        at = strchr(at + 1, ' ');
    }
    if (at == NULL) {
        return false;
    }
    char *end;
    uintptr_t arg_start = strtoull(at, &end, 10);
    uintptr_t arg_end = strtoull(end, NULL, 10);
    if (arg_start == 0 || arg_end <= arg_start) {
        return false;
    }
    *start = (char *)arg_start;
    *len = arg_end - arg_start;
    return true;
}

void process_set_name(const char *name)
{
    prctl(PR_SET_NAME, name);
    char *line;
    size_t len;
    if (find_own_command_line(&line, &len)) {
        memset(line, 0, len);
        snprintf(line, len, "trickhouse: %s", name);
    }
}

void process_get_name(char name[PROCESS_NAME_MAX])
{
    name[0] = '\0';
    prctl(PR_GET_NAME, name);
    name[PROCESS_NAME_MAX - 1] = '\0';
}
