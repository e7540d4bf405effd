#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"
#include "daemon/processes/processes.h"
#include "lobby/archive/archive.h"
#include "lobby/house/house.h"
#include "storage/accounts/accounts.h"
#include "storage/archive/archive.h"
#include "storage/copies.h"
#include "storage/mod/mod.h"
#include "storage/sql/sql.h"
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

/* Lets the house that is open with this data folder make a backup, and waits for it. OPERATOR_OK:
 * `path` is the backup's path. OPERATOR_CLOSED: no house is open. After any other result, the
 * reason has been printed on standard error. */
static enum operator_result order_backup(const char *data_dir, char path[PATH_MAX])
{
    json_t *answer = NULL;
    enum operator_result result = operator_run_command(data_dir, "backup", &answer);
    const char *said =
        json_string_value(json_object_get(answer, result == OPERATOR_OK ? "path" : "why"));
    if (result == OPERATOR_OK) {
        (void)snprintf(path, PATH_MAX, "%s", said);
    } else if (result != OPERATOR_CLOSED) {
        (void)subcommand_fail(data_dir,
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

/* For subcommands that only know data in files. Returns 1, for callers to return. */
static int refuse_postgres(const char *data_dir)
{
    return subcommand_fail(data_dir,
                           _("the data are in PostgreSQL: use its programs, as OPERATING.md says"));
}

static int back_up_closed_house(const char *data_dir)
{
    struct data_dir dir;
    struct storage *storage = NULL;
    char why[STORAGE_WHY_SIZE];
    char name[BACKUPS_NAME_MAX];
    if (data_dir_open(&dir, data_dir) != DATA_DIR_OK) {
        return subcommand_fail(data_dir, strerror(errno));
    }
    char path[PATH_MAX];
    int status = 1;
    backups_dir_write_name(dir.backups, clock_unix_ms(), name);
    (void)snprintf(path, sizeof path, "%s/%s", dir.backups, name);
    if (access(dir.database, F_OK) != 0 || !backups_dir_make(dir.backups)) {
        (void)subcommand_fail(access(dir.database, F_OK) != 0 ? dir.database : dir.backups,
                              strerror(errno));
    } else if (storage_open(dir.database, &storage, why) != STORAGE_OK ||
               storage_backup_make(storage, path, why) != STORAGE_OK) {
        (void)subcommand_fail(data_dir, why);
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
    char url[CONFIG_TEXT_SIZE];
    if (access(data_dir, F_OK) != 0) {
        return subcommand_fail(data_dir,
                               strerror(errno)); /* the folder must exist: it is not created here */
    }
    if (data_in_file_find_url(data_dir, url)) {
        return refuse_postgres(data_dir);
    }
    enum operator_result result = order_backup(data_dir, path);
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
    const char *data_dir = arguments_read_data_dir(argv);
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
static bool copy_with_log(const struct restore *restore, const char *partial)
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
    bool is_good = copy_with_log(restore, partial);
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
    char url[CONFIG_TEXT_SIZE];
    const struct argument options[] = {
        {.name = "data", .text = &restore.data_dir, .called = "--data DIR", .is_needed = true},
        {.text = &restore.file, .called = "FILE", .is_needed = true},
    };
    if (!arguments_read(options, argv)) {
        return 2;
    }
    if (find_url_in_settings(restore.data_dir, url)) { /* where the house will look for its data */
        return refuse_postgres(restore.data_dir);
    }
    return restore_data(&restore) ? 0 : 1;
}

/* The subcommands `check-data` and `export`, which read data. */

/* The data that a subcommand reads: a file, the database in a data folder, or a copy of a database
 * in PostgreSQL. */
struct data_source {
    const char *path;
    const char *shown; /* what messages call the data: the path, or the URL without its password */
    const char *url;   /* of the database; NULL: the data are in a file */
    char found_url[CONFIG_TEXT_SIZE];
    char shown_url[DATABASE_URL_SHOWN_SIZE];
    char file[PATH_MAX]; /* the database in the data folder, or the copy */
    char folder[64];     /* of the copy; "": there is none */
};

/* Makes an empty folder for the copy, in the one that TMPDIR names or in /tmp. Otherwise prints why
 * not. */
static bool make_folder_for_copy(struct data_source *source)
{
    const char *parent = getenv("TMPDIR");
    int len = snprintf(source->folder, sizeof source->folder, "%s/trickhouse-%s-XXXXXX",
                       parent == NULL ? "/tmp" : parent, program_invocation_short_name);
    errno = ENAMETOOLONG;
    if (len >= 0 && (size_t)len < sizeof source->folder && mkdtemp(source->folder) != NULL) {
        return true;
    }
    (void)subcommand_fail(_("no temporary folder can be made"), strerror(errno));
    source->folder[0] = '\0';
    return false;
}

/* Copies the data from PostgreSQL to a temporary file. The copy is compared with the database row
 * by row, and is as that was at one moment, also while the house is open. */
static bool copy_database(struct data_source *source)
{
    char why[STORAGE_WHY_SIZE];
    source->shown = database_url_show(source->url, source->shown_url);
    if (!make_folder_for_copy(source)) {
        return false;
    }
    (void)snprintf(source->file, sizeof source->file, "%s/house.db", source->folder);
    source->path = source->file;
    return storage_copy_from_postgres(source->url, source->path, NULL, NULL, why) == STORAGE_OK ||
           subcommand_fail(source->shown, why) == 0;
}

/* Finds the data of a FILE, DIR or URL, and copies them if they are in PostgreSQL. If
 * `is_backup_made`, an open house of the DIR makes a backup, which is then read. Returns false
 * after printing why not. data_source_clear in any case. */
static bool data_source_find(struct data_source *source, const char *place, bool is_backup_made)
{
    struct stat status;
    bool is_folder = stat(place, &status) == 0 && S_ISDIR(status.st_mode);
    *source = (struct data_source){.path = place, .shown = place};
    if (database_url_is(place)) {
        source->url = place;
    } else if (is_folder && data_in_file_find_url(place, source->found_url)) {
        source->url = source->found_url;
    }
    if (source->url != NULL) {
        return copy_database(source);
    }
    if (!is_folder) {
        return true;
    }
    enum operator_result backup = OPERATOR_CLOSED;
    if (is_backup_made) {
        backup = order_backup(place, source->file);
    }
    if (backup == OPERATOR_CLOSED) {
        int len = snprintf(source->file, sizeof source->file, "%s/house.db", place);
        if (len < 0 || (size_t)len >= sizeof source->file) {
            return subcommand_fail(place, strerror(ENAMETOOLONG)) == 0;
        }
    }
    source->path = source->shown = source->file;
    return backup == OPERATOR_CLOSED || backup == OPERATOR_OK;
}

/* Removes the copy, if there is one. */
static void data_source_clear(const struct data_source *source)
{
    if (source->folder[0] != '\0') {
        (void)unlink(source->file);
        (void)rmdir(source->folder);
    }
}

struct check_data {
    struct data_source source;
    bool with_games;
    bool with_audit;
    bool is_backup; /* as the house checks the backups that it makes */
    bool is_quiet;
    struct storage *storage;
    int64_t good, unknown, bad;
    bool has_failed;
    bool has_findings; /* opening a house on a copy of the data found a fault, such as a table that
                          the house would close */
};

static bool check_finished_game(void *context, int64_t game_id)
{
    struct check_data *check = context;
    struct game_record record;
    enum game_record_verdict verdict = GAME_RECORD_HOLDS;
    enum storage_result result = game_record_read(check->storage, game_id, &record);
    if (result == STORAGE_OK) {
        result = game_record_check(check->storage, &record, &verdict);
    }
    game_record_clear(&record);
    if (result != STORAGE_OK) {
        check->has_failed = true;
        return false;
    }
    if (verdict == GAME_RECORD_HOLDS) {
        check->good++;
    } else {
        *(verdict == GAME_RECORD_UNKNOWN ? &check->unknown : &check->bad) += 1;
        fprintf(stderr, _("game %" PRId64 " %s\n"), game_id, game_record_describe_verdict(verdict));
    }
    return true;
}

static int fail_to_read(const struct check_data *check)
{
    return subcommand_fail(check->source.shown, storage_last_failure(check->storage));
}

static int check_finished_games(struct check_data *check)
{
    enum storage_result result =
        storage_finished_games_each(check->storage, 0, check_finished_game, check);
    if (result != STORAGE_OK || check->has_failed) {
        return fail_to_read(check);
    }
    if (!check->is_quiet) {
        printf(_("%" PRId64 " games replayed: %" PRId64 " correct, %" PRId64 " unknown to this"
                 " program, %" PRId64 " wrong.\n"),
               check->good + check->unknown + check->bad, check->good, check->unknown, check->bad);
    }
    return check->bad == 0 ? 0 : 1;
}

static int check_audit_log(struct check_data *check)
{
    struct storage_audit_check audit = {0};
    if (storage_audit_verify(check->storage, 1, INT64_MAX, &audit) != STORAGE_OK) {
        return fail_to_read(check);
    }
    if (audit.bad != 0) {
        fprintf(stderr, _("Row %" PRId64 " of the audit log was changed or is missing.\n"),
                audit.bad);
        return 1;
    }
    if (!check->is_quiet) {
        printf(_("All %" PRId64 " rows of the audit log are as they were written.\n"), audit.rows);
    }
    return 0;
}

/* Makes the checks that read all data of a kind. */
static int check_more(struct check_data *check)
{
    char why[STORAGE_WHY_SIZE];
    if (!check->with_games && !check->with_audit) {
        return 0;
    }
    if (storage_open_read_only(check->source.path, &check->storage, why) != STORAGE_OK) {
        return subcommand_fail(check->source.shown, why);
    }
    int status = check->with_audit ? check_audit_log(check) : 0;
    if (check->with_games && check_finished_games(check) != 0) {
        status = 1;
    }
    storage_close(check->storage);
    return status;
}

static void print_finding(void *context, const char *finding)
{
    struct check_data *check = context;
    check->has_findings = true;
    fprintf(stderr, "%s\n", finding);
}

static int check_by_opening_house_on_copy(struct check_data *check)
{
    char why[STORAGE_WHY_SIZE];
    struct storage *copy = NULL;
    if (storage_open_temporary_copy(check->source.path, &copy, why) != STORAGE_OK) {
        return subcommand_fail(check->source.shown, why);
    }
    /* The house keeps a backup of what it has, strange or not. */
    const struct storage_findings findings = {print_finding, check};
    if (!check->is_backup && (schema_check(copy, &findings, why) != STORAGE_OK ||
                              row_check(copy, &findings, why) != STORAGE_OK)) {
        storage_close(copy);
        return subcommand_fail(check->source.shown, why);
    }
    bool is_good = house_check(copy, clock_unix_ms(), print_finding, check, why);
    storage_close(copy);
    if (!is_good) {
        fprintf(stderr, _("trickhouse check-data: %s: no house can open with this data: %s\n"),
                check->source.shown, why);
    }
    return is_good && !check->has_findings ? 0 : 1;
}

/* Checks the schema of the database itself: the copy has that of any house. */
static bool check_schema_of_database(struct check_data *check, const char *url)
{
    char why[STORAGE_WHY_SIZE];
    const struct storage_findings findings = {print_finding, check};
    enum storage_result result = schema_check_postgres(url, &findings, why);
    if (result == STORAGE_REFUSED) {
        fprintf(stderr, _("trickhouse check-data: %s: the schema is not checked: %s\n"),
                check->source.shown, why);
        return true;
    }
    return result == STORAGE_OK ? true : subcommand_fail(check->source.shown, why) == 0;
}

/* Makes all checks of a file. */
static int check_file(struct check_data *check)
{
    struct storage_summary summary;
    char why[STORAGE_WHY_SIZE];
    if (storage_check_file(check->source.path, &summary, why) != STORAGE_OK) {
        return subcommand_fail(check->source.shown, why);
    }
    if (check_by_opening_house_on_copy(check) != 0) {
        return 1;
    }
    if (!check->is_quiet) {
        printf(_("%s is sound. Accounts: %" PRId64 ", finished games: %" PRId64 ".\n"),
               check->source.shown, summary.accounts, summary.games);
    }
    return check_more(check);
}

int subcommand_run_check_data(char **argv)
{
    struct check_data check = {0};
    const char *place = NULL;
    const struct argument options[] = {
        {.name = "games", .flag = &check.with_games},
        {.name = "audit", .flag = &check.with_audit},
        {.name = "quiet", .flag = &check.is_quiet},
        {.name = "backup", .flag = &check.is_backup},
        {.text = &place, .called = "FILE", .is_needed = true},
    };
    if (!arguments_read(options, argv)) {
        return 2;
    }
    check.is_quiet |= check.is_backup;
    bool is_good = data_source_find(&check.source, place, false) &&
                   (check.source.url == NULL || check_schema_of_database(&check, check.source.url));
    int status = is_good ? check_file(&check) : 1;
    data_source_clear(&check.source);
    return status;
}

/* The subcommand `export`: writes everything that a house keeps about a person, for that person. */

#define EXPORT_FORMAT "trickhouse-export"
#define EXPORT_VERSION 1 /* raise it when a key of the document changes its meaning or goes */

struct exporter {
    const char *name;
    struct data_source source;
    json_t *document;
};

static int print_document(const json_t *document)
{
    char *text = must_not_be_null(json_dumps(document, JSON_INDENT(2)));
    output_begin();
    puts(text);
    free(text);
    return 0;
}

static int export_account(struct exporter *exporter, struct storage *storage)
{
    struct storage_account account;
    enum storage_result result = storage_account_by_name(storage, exporter->name, &account);
    if (result == STORAGE_NOT_FOUND) {
        return subcommand_fail(exporter->name, _("no account has this name"));
    }
    if (result == STORAGE_OK) {
        result = storage_account_export(storage, account.id, exporter->document);
    }
    if (result != STORAGE_OK) {
        return subcommand_fail(exporter->source.path, storage_last_failure(storage));
    }
    return print_document(exporter->document);
}

static int export_from_file(struct exporter *exporter)
{
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;
    /* a copy, because the schema of an old backup must be brought up to date first */
    if (storage_open_temporary_copy(exporter->source.path, &storage, why) != STORAGE_OK) {
        return subcommand_fail(exporter->source.path, why);
    }
    exporter->document = json_pack("{s:s, s:i, s:I}", "format", EXPORT_FORMAT, "version",
                                   EXPORT_VERSION, "exported_ms", (json_int_t)clock_unix_ms());
    int status = export_account(exporter, storage);
    json_decref(exporter->document);
    storage_close(storage);
    return status;
}

int subcommand_run_export(char **argv)
{
    struct exporter exporter = {.name = NULL};
    char **words = NULL;
    const struct argument options[] = {{.rest = &words}};
    if (!arguments_read(options, argv)) {
        return 2;
    }
    if (words == NULL || words[0] == NULL || words[1] == NULL || words[2] != NULL) {
        return subcommand_report_wrong_usage(_("a NAME and a FILE, DIR or URL are needed"));
    }
    exporter.name = words[0];
    int status =
        data_source_find(&exporter.source, words[1], true) ? export_from_file(&exporter) : 1;
    data_source_clear(&exporter.source);
    return status;
}
