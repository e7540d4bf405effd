#include "tests/cluster/cluster_losses.h"

#include "tests/cluster/rig_processes.h"
#include "tests/kills/losses.h"

#include <stdio.h>
#include <unistd.h>

/* Copies the data from PostgreSQL into a new file, with the house's own program. */
static void copy_data(const struct crowd *crowd, const char *path)
{
    char log[CROWD_PATH_SIZE];
    const struct rig_user user = {geteuid(), getegid()};
    const char *const argv[] = {crowd->setup.program, "cluster", "copy",
                                crowd->setup.url,     path,      NULL};
    (void)snprintf(log, sizeof(log), "%s/copy.log", crowd->folder);
    rig_processes_run(&user, crowd->folder, log, argv);
}

bool cluster_losses_check(const struct crowd *crowd, bool is_control)
{
    char path[CROWD_PATH_SIZE + 16];
    crowd_database_path(crowd, path);
    if (crowd->setup.url != NULL) {
        copy_data(crowd, path);
    }
    return losses_check(crowd, path, is_control);
}
