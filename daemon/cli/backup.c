#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"
#include "daemon/processes/processes.h"
#include "storage/copies.h"
#include "storage/upkeep/upkeep.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum operator_result order_backup(const struct subcommand *self, const char *data_dir,
                                  char path[PATH_MAX])
{
    json_t *answer = NULL;
    enum operator_result result = operator_run_command(data_dir, "backup", &answer);
    const char *said =
        json_string_value(json_object_get(answer, result == OPERATOR_OK ? "path" : "why"));
    if (result == OPERATOR_OK) {
        (void)snprintf(path, PATH_MAX, "%s", said);
    } else if (result != OPERATOR_CLOSED) {
        (void)subcommand_fail(self, data_dir,
                              result == OPERATOR_REFUSED ? said : operator_explain_failure());
    }
    json_decref(answer);
    return result;
}

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

/* True if the data of this folder are in a file there. Otherwise prints that PostgreSQL's programs
 * are to be used instead. For subcommands that only know files; `self` is the one that asks. */
static bool data_in_file_check(const struct subcommand *self, const char *data_dir)
{
    char url[CONFIG_TEXT_SIZE];
    return check(self, data_dir, data_in_file_find_url(data_dir, url));
}

/* The same, but only for what house.conf in the folder says: for data that the house finds when it
 * is opened the next time. */
static bool data_in_file_check_setting(const struct subcommand *self, const char *data_dir)
{
    char url[CONFIG_TEXT_SIZE];
    return check(self, data_dir, find_url_in_settings(data_dir, url));
}

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

int subcommand_run_backup(char **argv)
{
    const char *data_dir = arguments_read_data_dir(&backup_subcommand, argv);
    return data_dir == NULL ? 2 : back_up_house(data_dir);
}

#define STAMP_MAX 32

struct restore {
    const char *data_dir;
    const char *file;
    struct data_dir dir;
    char stamp[STAMP_MAX]; /* time of the restore, which becomes part of the old database's new name
                            */
    bool has_put_aside;
};

static bool report_failure(const char *what, const char *why)
{
    return subcommand_fail(&restore_subcommand, what, why) == 0;
}

static bool copy_bytes(int from_fd, int to_fd)
{
    struct stat status;
    if (fstat(from_fd, &status) != 0) {
        return false;
    }
    off_t left = status.st_size;
    while (left > 0) {
        ssize_t sent = sendfile(to_fd, from_fd, NULL, (size_t)left);
        if (sent <= 0) {
            return false;
        }
        left -= sent;
    }
    return fsync(to_fd) == 0;
}

static bool write_copy(int from, const char *to_path)
{
    int to = open(to_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool is_copied = to >= 0 && copy_bytes(from, to);
    int error = errno;
    if (to >= 0 && close(to) != 0) {
        is_copied = false;
        error = errno;
    }
    return is_copied ? true : report_failure(to_path, strerror(error));
}

/* True if a process has the database open: an open house has locked a part of it. */
static bool is_in_use(int file)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

static bool copy_file(const char *from_path, const char *to_path)
{
    struct stat status = {0};
    int from = open(from_path, O_RDONLY | O_CLOEXEC);
    bool is_good = from >= 0 && fstat(from, &status) == 0;
    if (!is_good) {
        (void)report_failure(from_path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        is_good = report_failure(from_path, "this is not a file");
    } else if (is_in_use(from)) {
        is_good = report_failure(from_path, "a house is open with this file: let it make a backup");
    } else {
        is_good = write_copy(from, to_path);
    }
    fd_close(from);
    return is_good;
}

/* Copies the database, with all that is in the write-ahead log beside it: the log of a database
 * that was not closed properly contains the last moves. */
static bool copy_database(const struct restore *restore, const char *partial)
{
    char from[PATH_MAX];
    char from_log[PATH_MAX + 8];
    char to_log[PATH_MAX + 8];
    char why[STORAGE_WHY_SIZE];
    struct stat log;
    if (realpath(restore->file, from) == NULL) { /* the log does not lie beside a link */
        return report_failure(restore->file, strerror(errno));
    }
    (void)snprintf(from_log, sizeof from_log, "%s-wal", from);
    (void)snprintf(to_log, sizeof to_log, "%s-wal", partial);
    if (unlink(to_log) != 0 && errno != ENOENT) { /* an earlier restore may have left it */
        return report_failure(to_log, strerror(errno));
    }
    bool is_good = copy_file(from, partial);
    if (is_good && stat(from_log, &log) == 0 && log.st_size > 0) {
        is_good = copy_file(from_log, to_log);
        if (is_good && storage_backup_merge_log(partial, why) != STORAGE_OK) {
            is_good = report_failure(from_log, why);
        }
        (void)unlink(to_log); /* it is left after a failure only */
    }
    return is_good;
}

/* Puts the present database under another name too: the restored one then takes its place in one
 * step, whenever the power is cut. If it was not closed properly, the write-ahead log beside it,
 * which contains the last moves, is merged into it before. */
static bool put_old_database_aside(struct restore *restore)
{
    static const char *const names[] = {"house.db-wal", "house.db-shm", "house.db"};
    char *log = data_dir_join_path(&restore->dir, names[0]);
    char why[STORAGE_WHY_SIZE];
    bool is_merged = access(log, F_OK) != 0 ||
                     storage_backup_merge_log(restore->dir.database, why) == STORAGE_OK;
    bool is_good = true;
    (void)is_merged; /* if it is not, the log is put aside, too */
    free(log);
    for (size_t i = 0; is_good && i < ARRAY_LEN(names); i++) {
        char *from = data_dir_join_path(&restore->dir, names[i]);
        char to[PATH_MAX];
        const char *suffix = strchr(names[i], '-');
        (void)snprintf(to, sizeof to, "%s/house-before-%s.db%s", restore->dir.path, restore->stamp,
                       suffix == NULL ? "" : suffix);
        bool is_kept = suffix == NULL && link(from, to) == 0;
        bool is_moved = is_kept || rename(from, to) == 0;
        if (!is_moved && errno != ENOENT) {
            is_good = report_failure(from, strerror(errno));
        }
        restore->has_put_aside = restore->has_put_aside || is_moved;
        free(from);
    }
    return is_good;
}

static bool install_backup(struct restore *restore)
{
    char why[STORAGE_WHY_SIZE];
    struct storage_summary summary;
    char *partial = data_dir_join_path(&restore->dir, "house.restored");
    bool is_good = copy_database(restore, partial);
    /* check the copy, not the original, so that an unreadable copy is never installed */
    if (is_good && storage_check_file(partial, &summary, why) != STORAGE_OK) {
        is_good = report_failure(restore->file, why);
    }
    is_good = is_good && put_old_database_aside(restore);
    if (is_good && storage_backup_rename(partial, restore->dir.database, why) != STORAGE_OK) {
        is_good = report_failure(restore->dir.database, why);
    }
    if (!is_good) {
        (void)unlink(partial); /* restore_data has printed the error */
    } else {
        printf(_("Restored. Accounts: %" PRId64 ", finished games: %" PRId64 ".\n"),
               summary.accounts, summary.games);
        if (restore->has_put_aside) {
            printf(_("The previous data is kept as house-before-%s.db.\n"), restore->stamp);
        }
    }
    free(partial);
    return is_good;
}

/* Sets the stamp to the time. If there are data of that stamp, a clock that was set back has shown
 * the time before: adds a number. */
static void set_stamp(struct restore *restore)
{
    const time_t now = (time_t)(clock_unix_ms() / 1000);
    char path[PATH_MAX];
    struct tm utc;
    gmtime_r(&now, &utc);
    size_t len = strftime(restore->stamp, sizeof restore->stamp, "%Y%m%dT%H%M%SZ", &utc);
    for (unsigned n = 2;; n++) {
        (void)snprintf(path, sizeof path, "%s/house-before-%s.db", restore->dir.path,
                       restore->stamp);
        if (access(path, F_OK) != 0) {
            return;
        }
        (void)snprintf(restore->stamp + len, sizeof restore->stamp - len, "-%u", n);
    }
}

static bool restore_data(struct restore *restore)
{
    enum data_dir_result opened = data_dir_open(&restore->dir, restore->data_dir);
    if (opened != DATA_DIR_OK) {
        return report_failure(restore->data_dir,
                              opened == DATA_DIR_LOCKED
                                  ? "the house is open: close it first (trickhouse stop)"
                                  : strerror(errno));
    }
    set_stamp(restore);
    bool is_good = install_backup(restore);
    data_dir_close(&restore->dir);
    return is_good;
}

int subcommand_run_restore(char **argv)
{
    struct restore restore = {0};
    const struct argument options[] = {
        {.name = "data", .text = &restore.data_dir, .called = "--data DIR", .is_needed = true},
        {.text = &restore.file, .called = "FILE", .is_needed = true},
    };
    if (!arguments_read(&restore_subcommand, options, argv)) {
        return 2;
    }
    return data_in_file_check_setting(&restore_subcommand, restore.data_dir) &&
                   restore_data(&restore)
               ? 0
               : 1;
}
