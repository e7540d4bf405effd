#include "daemon/processes/common/common.h"

#include "daemon/base/base.h"

#include <stdlib.h>
#include <string.h>

char **command_line_make(const char *const *args, const char *extra1, const char *extra2)
{
    size_t count = 0;
    while (args[count] != NULL) {
        count++;
    }
    const char **line = must_not_be_null(calloc(count + 4, sizeof *line));
    line[0] = "trickhouse";
    memcpy(&line[1], args, count * sizeof *line);
    line[count + 1] = extra1;
    line[count + 2] = extra2;
    /* execv and posix_spawn take pointers to non-const text, but do not change the text */
    char **command;
    memcpy(&command, &line, sizeof command);
    return command;
}
