#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/config/config.h"
#include "daemon/processes/processes.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `trickhouse serve` and `check-config` report the errors of a file. */
static void ignore_error(UNUSED void *context, UNUSED int line, UNUSED const char *why)
{
}

static bool find_url_in_settings(const char *data_dir, char url[CONFIG_TEXT_SIZE])
{
    const struct config_faults faults = {ignore_error, NULL};
    struct config config = config_make_default();
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s/house.conf", data_dir);
    if (len < (int)sizeof path && access(path, F_OK) == 0) {
        unsigned fault_count = config_read_file(&config, path, &faults);
        (void)fault_count; /* every setting that is right has its value */
    }
    (void)snprintf(url, CONFIG_TEXT_SIZE, "%s", config.storage_url);
    return url[0] != '\0';
}

bool data_in_file_find_url(const char *data_dir, char url[CONFIG_TEXT_SIZE])
{
    return find_url_in_settings(data_dir, url) ||
           data_dir_read_noted_database(data_dir, url, CONFIG_TEXT_SIZE);
}

static bool check(const struct subcommand *self, const char *data_dir, bool is_in_postgres)
{
    if (is_in_postgres) {
        (void)subcommand_fail(self, data_dir,
                              _("the data are in PostgreSQL: use its programs, as OPERATING.md "
                                "says"));
    }
    return !is_in_postgres;
}

bool data_in_file_check(const struct subcommand *self, const char *data_dir)
{
    char url[CONFIG_TEXT_SIZE];
    return check(self, data_dir, data_in_file_find_url(data_dir, url));
}

bool data_in_file_check_setting(const struct subcommand *self, const char *data_dir)
{
    char url[CONFIG_TEXT_SIZE];
    return check(self, data_dir, find_url_in_settings(data_dir, url));
}

bool data_in_file_make_folder(const struct subcommand *self, char *folder, size_t size)
{
    const char *parent = getenv("TMPDIR");
    int len = snprintf(folder, size, "%s/trickhouse-%s-XXXXXX", parent == NULL ? "/tmp" : parent,
                       self->name);
    errno = ENAMETOOLONG;
    if (len >= 0 && (size_t)len < size && mkdtemp(folder) != NULL) {
        return true;
    }
    (void)subcommand_fail(self, _("no temporary folder can be made"), strerror(errno));
    folder[0] = '\0';
    return false;
}
