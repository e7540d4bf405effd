#include "daemon/cli/cli.h"

#include "daemon/config/config.h"

#include <stdio.h>

static void print_fault(void *context, int line, const char *why)
{
    const char *const *path_of = context;
    const char *path = *path_of;
    if (line > 0) {
        fprintf(stderr, "%s:%d: %s\n", path, line, why);
    } else {
        fprintf(stderr, "%s: %s\n", path, why);
    }
}

unsigned config_faults_read_and_print(struct config *config, const char *path)
{
    const struct config_faults faults = {print_fault, &path};
    return config_read_file(config, path, &faults);
}
