#include "daemon/base/base.h"
#include "daemon/cli/cli.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/processes.h"
#include "storage/upkeep/upkeep.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int back_up_closed_house(const char *data_dir)
{
    struct data_dir dir;
    struct storage *storage = NULL;
    char why[STORAGE_WHY_SIZE];
    char name[BACKUPS_NAME_MAX];
    if (data_dir_open(&dir, data_dir) != DATA_DIR_OK) {
        return subcommand_fail(&backup_subcommand, data_dir, strerror(errno));
    }
    char path[PATH_MAX];
    int status = 1;
    backups_dir_write_name(dir.backups, clock_unix_ms(), name);
    (void)snprintf(path, sizeof path, "%s/%s", dir.backups, name);
    if (access(dir.database, F_OK) != 0 || !backups_dir_make(dir.backups)) {
        (void)subcommand_fail(&backup_subcommand,
                              access(dir.database, F_OK) != 0 ? dir.database : dir.backups,
                              strerror(errno));
    } else if (storage_open(dir.database, &storage, why) != STORAGE_OK ||
               storage_backup_make(storage, path, why) != STORAGE_OK) {
        (void)subcommand_fail(&backup_subcommand, data_dir, why);
    } else {
        puts(path);
        status = 0;
    }
    storage_close(storage);
    data_dir_close(&dir);
    return status;
}

static int back_up_house(const char *data_dir)
{
    char path[PATH_MAX];
    if (access(data_dir, F_OK) != 0) {
        return subcommand_fail(&backup_subcommand, data_dir,
                               strerror(errno)); /* the folder must exist: it is not created here */
    }
    if (!data_in_file_check(&backup_subcommand, data_dir)) {
        return 1;
    }
    enum operator_result result = order_backup(&backup_subcommand, data_dir, path);
    if (result == OPERATOR_CLOSED) {
        return back_up_closed_house(data_dir);
    }
    if (result == OPERATOR_OK) {
        puts(path);
    }
    return result == OPERATOR_OK ? 0 : 1;
}

static int backup_run(char **argv)
{
    const char *data_dir = arguments_read_data_dir(&backup_subcommand, argv);
    return data_dir == NULL ? 2 : back_up_house(data_dir);
}

const struct subcommand backup_subcommand = {
    .name = "backup",
    .args = "--data DIR",
    .help = N_("Back up the data in DIR, whether the house is open or closed."),
    .more = N_("Copies the data while people play on, checks the copy, keeps it in DIR/backups\n"
               "and prints its path. An open house also makes backups by itself ([backup] in its\n"
               "configuration), and removes the oldest."),
    .run = backup_run,
};
