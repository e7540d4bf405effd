#include "daemon/cli/cli.h"

#include "daemon/base/base.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WHAT "what=\"" /* the text before the message in a line of the log (log.h) */

static FILE *open_log(const char *data_dir)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s/house.log", data_dir);
    int file = len > 0 && len < (int)sizeof path ? files_open_regular(path, O_RDONLY) : -1;
    return file >= 0 ? fdopen(file, "r") : NULL;
}

long house_log_length(const char *data_dir)
{
    FILE *log = open_log(data_dir);
    long length = log != NULL && fseek(log, 0, SEEK_END) == 0 ? ftell(log) : 0;
    if (log != NULL) {
        fclose(log);
    }
    return length;
}

void house_log_print_error(const char *data_dir, long start_byte)
{
    FILE *log = open_log(data_dir);
    char line[1024];
    const char *error = NULL;
    if (log == NULL) {
        return;
    }
    bool is_there = fseek(log, start_byte, SEEK_SET) == 0;
    while (is_there && error == NULL && fgets(line, sizeof line, log) != NULL) {
        error = strstr(line, " error conn=-");
    }
    const char *what = error != NULL ? strstr(error, WHAT) : NULL;
    if (what != NULL) {
        what += sizeof WHAT - 1;
        fprintf(stderr, "error: %.*s\n", (int)strcspn(what, "\"\n"), what);
    }
    fclose(log);
}
