#include "daemon/base/clock.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/arguments.h"
#include "lobby/archive/game_record.h"
#include "lobby/house/house_check.h"
#include "storage/archive/past_games.h"
#include "storage/copies.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

struct check_data {
    const char *path;
    char database[PATH_MAX]; /* path of the database in the data folder, if `path` is that folder */
    bool with_games;
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

static int check_finished_games(struct check_data *check)
{
    char why[STORAGE_WHY_SIZE];
    if (storage_open_read_only(check->path, &check->storage, why) != STORAGE_OK) {
        return subcommand_fail(&check_data_subcommand, check->path, why);
    }
    enum storage_result result =
        storage_finished_games_each(check->storage, 0, check_finished_game, check);
    if (result != STORAGE_OK || check->has_failed) {
        (void)subcommand_fail(&check_data_subcommand, check->path,
                              storage_last_failure(check->storage));
        storage_close(check->storage);
        return 1;
    }
    storage_close(check->storage);
    if (!check->is_quiet) {
        printf(_("%" PRId64 " games replayed: %" PRId64 " correct, %" PRId64 " unknown to this"
                 " program, %" PRId64 " wrong.\n"),
               check->good + check->unknown + check->bad, check->good, check->unknown, check->bad);
    }
    return check->bad == 0 ? 0 : 1;
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
        return subcommand_fail(&check_data_subcommand, check->path, why);
    }
    bool is_good = house_check(copy, clock_unix_ms(), print_finding, check, why);
    storage_close(copy);
    if (!is_good) {
        fprintf(stderr, _("trickhouse check-data: %s: no house can open with this data: %s\n"),
                check->path, why);
    }
    return is_good && !check->has_findings ? 0 : 1;
}

/* If the path is a data folder, replaces it by the path of the database in it. */
static void find_database_path(struct check_data *check)
{
    struct stat stat_of;
    if (stat(check->path, &stat_of) != 0 || !S_ISDIR(stat_of.st_mode)) {
        return;
    }
    int len = snprintf(check->database, sizeof(check->database), "%s/house.db", check->path);
    if (len > 0 && (size_t)len < sizeof(check->database)) {
        check->path = check->database;
    }
}

static int check_data_run(char **argv)
{
    struct check_data check = {0};
    struct storage_summary summary;
    char why[STORAGE_WHY_SIZE];
    const struct argument options[] = {
        {.name = "games", .flag = &check.with_games},
        {.name = "quiet", .flag = &check.is_quiet},
        {.text = &check.path, .called = "FILE", .is_needed = true},
    };
    if (!arguments_read(&check_data_subcommand, options, argv)) {
        return 2;
    }
    find_database_path(&check);
    if (storage_check_file(check.path, &summary, why) != STORAGE_OK) {
        return subcommand_fail(&check_data_subcommand, check.path, why);
    }
    if (check_by_opening_house_on_copy(&check) != 0) {
        return 1;
    }
    if (!check.is_quiet) {
        printf(_("%s is sound. Accounts: %" PRId64 ", finished games: %" PRId64 ".\n"), check.path,
               summary.accounts, summary.games);
    }
    return check.with_games ? check_finished_games(&check) : 0;
}

const struct subcommand check_data_subcommand = {
    .name = "check-data",
    .args = "[--games] [--quiet] FILE|DIR",
    .help = N_("Check a backup, or the data of a closed house."),
    .more = N_("Reads every page, index and reference without changing anything, and opens a\n"
               "house on a copy, to report which tables it would close, or why it could not open.\n"
               "The exit status is 1 if something is wrong.\n"
               "\n"
               "  --games   play every finished game again from its seed and compare the scores\n"
               "  --quiet   print errors only"),
    .run = check_data_run,
};
