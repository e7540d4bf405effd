#include "daemon/cli/cli.h"

#include "daemon/processes/processes.h"

#include <errno.h>
#include <string.h>

pid_t open_house_find(const struct subcommand *self, const char *data_dir)
{
    pid_t house_pid;
    switch (data_dir_find_supervisor(data_dir, &house_pid)) {
    case DATA_DIR_OK:
        return house_pid;
    case DATA_DIR_CLOSED:
        return 0;
    case DATA_DIR_FAILED:
    case DATA_DIR_LOCKED:
        break;
    }
    (void)subcommand_fail(self, data_dir, strerror(errno));
    return -1;
}
