#include "daemon/base/base.h"

#include <fcntl.h>
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

struct command_line process_find_command_line(void)
{
    const struct command_line nowhere = {NULL, 0};
    char text[STAT_MAX];
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return nowhere;
    }
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    text[got > 0 ? got : 0] = '\0';
    char *at = strrchr(text, ')');
    for (int field = FIELD_AFTER_NAME; at != NULL && field <= FIELD_ARG_START; field++) {
        at = strchr(at + 1, ' ');
    }
    if (at == NULL) {
        return nowhere;
    }
    char *end;
    uintptr_t arg_start = strtoull(at, &end, 10);
    uintptr_t arg_end = strtoull(end, NULL, 10);
    if (arg_start == 0 || arg_end <= arg_start) {
        return nowhere;
    }
    return (struct command_line){(char *)arg_start, arg_end - arg_start};
}

void process_set_name_in(const struct command_line *line, const char *name)
{
    prctl(PR_SET_NAME, name);
    if (line->at != NULL) {
        memset(line->at, 0, line->len);
        snprintf(line->at, line->len, "trickhouse: %s", name);
    }
}

void process_set_name(const char *name)
{
    const struct command_line line = process_find_command_line();
    process_set_name_in(&line, name);
}

void process_get_name(char name[PROCESS_NAME_MAX])
{
    name[0] = '\0';
    prctl(PR_GET_NAME, name);
    name[PROCESS_NAME_MAX - 1] = '\0';
}
