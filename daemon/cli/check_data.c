#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "lobby/archive/archive.h"
#include "lobby/house/house.h"
#include "storage/archive/archive.h"
#include "storage/copies.h"
#include "storage/mod/mod.h"
#include "storage/sql/sql.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct check_data {
    const char *path;
    const char *shown; /* what messages call the data: the path, or the URL without its password */
    char shown_url[DATABASE_URL_SHOWN_SIZE];
    char url[CONFIG_TEXT_SIZE]; /* of the database that the data folder's house.conf names */
    char database[PATH_MAX]; /* path of the database in the data folder, if `path` is that folder;
                                of the copy, if the data are in PostgreSQL */
    char folder[64];         /* of that copy; "": there is none */
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
    return subcommand_fail(&check_data_subcommand, check->shown,
                           storage_last_failure(check->storage));
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
    if (storage_open_read_only(check->path, &check->storage, why) != STORAGE_OK) {
        return subcommand_fail(&check_data_subcommand, check->shown, why);
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
    if (storage_open_temporary_copy(check->path, &copy, why) != STORAGE_OK) {
        return subcommand_fail(&check_data_subcommand, check->shown, why);
    }
    /* The house keeps a backup of what it has, strange or not. */
    const struct storage_findings findings = {print_finding, check};
    if (!check->is_backup && (schema_check(copy, &findings, why) != STORAGE_OK ||
                              row_check(copy, &findings, why) != STORAGE_OK)) {
        storage_close(copy);
        return subcommand_fail(&check_data_subcommand, check->shown, why);
    }
    bool is_good = house_check(copy, clock_unix_ms(), print_finding, check, why);
    storage_close(copy);
    if (!is_good) {
        fprintf(stderr, _("trickhouse check-data: %s: no house can open with this data: %s\n"),
                check->shown, why);
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
                check->shown, why);
        return true;
    }
    return result == STORAGE_OK ? true
                                : subcommand_fail(&check_data_subcommand, check->shown, why) == 0;
}

/* Copies the data from PostgreSQL to a temporary file, on which all checks are then made. The copy
 * is compared with the database row by row, so what holds for it holds for the database. */
static bool copy_database(struct check_data *check)
{
    char why[STORAGE_WHY_SIZE];
    const char *url = check->path;
    check->shown = database_url_show(url, check->shown_url);
    if (!data_in_file_make_folder(&check_data_subcommand, check->folder, sizeof check->folder)) {
        return false;
    }
    (void)snprintf(check->database, sizeof check->database, "%s/copy.db", check->folder);
    check->path = check->database;
    if (storage_copy_from_postgres(url, check->path, NULL, NULL, why) != STORAGE_OK) {
        return subcommand_fail(&check_data_subcommand, check->shown, why) == 0;
    }
    return check_schema_of_database(check, url);
}

static void remove_copy(const struct check_data *check)
{
    if (check->folder[0] != '\0') {
        (void)unlink(check->database);
        (void)rmdir(check->folder);
    }
}

/* If the path is a data folder, replaces it by where the data are: the URL that house.conf in the
 * folder names, or the path of the database in the folder. */
static void find_data_of_folder(struct check_data *check)
{
    struct stat stat_of;
    if (stat(check->path, &stat_of) != 0 || !S_ISDIR(stat_of.st_mode)) {
        return;
    }
    if (data_in_file_find_url(check->path, check->url)) {
        check->path = check->url;
        return;
    }
    int len = snprintf(check->database, sizeof(check->database), "%s/house.db", check->path);
    if (len > 0 && (size_t)len < sizeof(check->database)) {
        check->path = check->database;
        check->shown = check->database;
    }
}

/* Makes all checks of a file. */
static int check_file(struct check_data *check)
{
    struct storage_summary summary;
    char why[STORAGE_WHY_SIZE];
    if (storage_check_file(check->path, &summary, why) != STORAGE_OK) {
        return subcommand_fail(&check_data_subcommand, check->shown, why);
    }
    if (check_by_opening_house_on_copy(check) != 0) {
        return 1;
    }
    if (!check->is_quiet) {
        printf(_("%s is sound. Accounts: %" PRId64 ", finished games: %" PRId64 ".\n"),
               check->shown, summary.accounts, summary.games);
    }
    return check_more(check);
}

int subcommand_run_check_data(char **argv)
{
    struct check_data check = {0};
    const struct argument options[] = {
        {.name = "games", .flag = &check.with_games},
        {.name = "audit", .flag = &check.with_audit},
        {.name = "quiet", .flag = &check.is_quiet},
        {.name = "backup", .flag = &check.is_backup},
        {.text = &check.path, .called = "FILE", .is_needed = true},
    };
    if (!arguments_read(&check_data_subcommand, options, argv)) {
        return 2;
    }
    check.is_quiet |= check.is_backup;
    check.shown = check.path;
    find_data_of_folder(&check);
    if (!database_url_is(check.path)) {
        return check_file(&check);
    }
    int status = copy_database(&check) ? check_file(&check) : 1;
    remove_copy(&check);
    return status;
}
