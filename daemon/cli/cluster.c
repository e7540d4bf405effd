#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "daemon/processes/processes.h"
#include "storage/copies.h"
#include "storage/sql/sql.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The subcommand `cluster`: what operators do with a house on PostgreSQL. Its first word says
 * what. */

#define DATABASE_NAME "house.db"

struct cluster_copy {
    const char *path;    /* a backup, or the database of a closed house */
    struct data_dir dir; /* locked while the copy runs, if the database is that of a house */
    bool has_dir;
    const char *url;
    char shown_url[DATABASE_URL_SHOWN_SIZE];
    bool shows_progress;
    int64_t tables, rows;
};

static int fail(const char *what, const char *why)
{
    return subcommand_fail(&cluster_subcommand, what, why);
}

static void report_copy(void *context, const struct storage_copy_progress *progress)
{
    struct cluster_copy *copy = context;
    const char *stage = progress->stage == STORAGE_COPY_SENDING ? _("copying") : _("comparing");
    if (progress->stage == STORAGE_COPY_EQUAL) {
        printf(_("%s%s: %" PRId64 " rows, all equal\n"), copy->shows_progress ? "\r\033[K" : "",
               progress->table, progress->rows);
        copy->tables++;
        copy->rows += progress->rows;
    } else if (copy->shows_progress) {
        printf("\r\033[K%s: %s %" PRId64, progress->table, stage, progress->rows);
    }
    (void)fflush(stdout);
}

static void print_end(const struct cluster_copy *copy, int64_t passed_ms,
                      const struct storage_summary *summary)
{
    printf(_("Copied %" PRId64 " tables with %" PRId64 " rows in %.1f s; every row was compared.\n"
             "Accounts: %" PRId64 ", finished games: %" PRId64 ".\n"),
           copy->tables, copy->rows, (double)passed_ms / 1000, summary->accounts, summary->games);
}

static int copy_data(struct cluster_copy *copy)
{
    char why[STORAGE_WHY_SIZE];
    struct storage_summary summary;
    struct storage *from = NULL;
    if (storage_check_file(copy->path, &summary, why) != STORAGE_OK ||
        storage_open_temporary_copy(copy->path, &from, why) != STORAGE_OK) {
        return fail(copy->path, why);
    }
    const int64_t begun_ms = clock_unix_ms();
    const enum storage_result result =
        storage_copy_to_postgres(from, copy->url, report_copy, copy, why);
    const int64_t passed_ms = clock_unix_ms() - begun_ms;
    storage_close(from);
    if (result != STORAGE_OK) {
        return fail(copy->shown_url, why);
    }
    print_end(copy, passed_ms, &summary);
    return 0;
}

/* Returns the data folder of the house whose data are at the path, written into `folder` unless it
 * is the path itself; NULL if the path is that of a backup. */
static const char *find_data_dir(const char *path, char folder[PATH_MAX])
{
    struct stat status;
    const char *slash = strrchr(path, '/');
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        return path;
    }
    if (strcmp(slash == NULL ? path : slash + 1, DATABASE_NAME) != 0) {
        return NULL;
    }
    (void)snprintf(folder, PATH_MAX, "%.*s", slash == NULL ? 1 : (int)(slash - path + 1),
                   slash == NULL ? "." : path);
    return folder;
}

/* If the path is that of a house, locks the house, so that nobody can open it until the copy is
 * complete, and sets the path to that of its database. */
static bool lock_house(struct cluster_copy *copy)
{
    char folder[PATH_MAX];
    if (access(copy->path, F_OK) != 0) {
        return fail(copy->path, strerror(errno)) == 0;
    }
    const char *data_dir = find_data_dir(copy->path, folder);
    if (data_dir == NULL) {
        return true;
    }
    switch (data_dir_open(&copy->dir, data_dir)) {
    case DATA_DIR_OK:
        copy->has_dir = true;
        copy->path = copy->dir.database;
        return true;
    case DATA_DIR_LOCKED:
        return fail(data_dir, _("the house is open: close it first (trickhouse stop)")) == 0;
    case DATA_DIR_FAILED:
    case DATA_DIR_CLOSED:
        break;
    }
    return fail(data_dir, strerror(errno)) == 0;
}

/* Copies the database to a new file. */
static int copy_back(struct cluster_copy *copy, const char *path)
{
    char why[STORAGE_WHY_SIZE];
    struct storage_summary summary;
    const int64_t begun_ms = clock_unix_ms();
    if (storage_copy_from_postgres(copy->url, path, report_copy, copy, why) != STORAGE_OK) {
        return fail(copy->shown_url, why);
    }
    const int64_t passed_ms = clock_unix_ms() - begun_ms;
    if (storage_check_file(path, &summary, why) != STORAGE_OK) {
        return fail(path, why);
    }
    print_end(copy, passed_ms, &summary);
    return 0;
}

/* Copies the file of a house to the database. */
static int copy_file(struct cluster_copy *copy, const char *path)
{
    copy->path = path;
    int status = lock_house(copy) ? copy_data(copy) : 1;
    if (copy->has_dir) {
        data_dir_close(&copy->dir);
    }
    return status;
}

static int run_copy(char **words)
{
    struct cluster_copy copy = {.shows_progress = isatty(STDOUT_FILENO) == 1};
    if (words[0] == NULL || words[1] == NULL || words[2] != NULL ||
        database_url_is(words[0]) == database_url_is(words[1])) {
        return subcommand_report_wrong_usage(
            &cluster_subcommand, _("copy needs a file and a URL, postgresql://…, or the reverse"));
    }
    const bool is_back = database_url_is(words[0]);
    copy.url = words[is_back ? 0 : 1];
    (void)database_url_show(copy.url, copy.shown_url);
    return is_back ? copy_back(&copy, words[1]) : copy_file(&copy, words[0]);
}

/* What the first word may be. */
static const struct cluster_word {
    const char *word;
    int (*run)(char **words); /* gets the words after it; returns the exit status */
} cluster_words[] = {
    {"accept", cluster_admin_accept_older_database},
    {"copy", run_copy},
    {"forget", cluster_admin_forget_node},
    {"handover", cluster_admin_hand_over},
    {"status", cluster_admin_show_nodes},
};

static int cluster_run(char **argv)
{
    char **words = NULL;
    const struct argument options[] = {{.rest = &words}};
    if (!arguments_read(&cluster_subcommand, options, argv)) {
        return 2;
    }
    for (size_t i = 0; words != NULL && words[0] != NULL && i < ARRAY_LEN(cluster_words); i++) {
        if (strcmp(words[0], cluster_words[i].word) == 0) {
            return cluster_words[i].run(words + 1);
        }
    }
    return subcommand_report_wrong_usage(
        &cluster_subcommand, _("the first word must be copy, status, handover, forget or accept"));
}

const struct subcommand cluster_subcommand = {
    .name = "cluster",
    .args = "copy FILE|DIR URL | copy URL FILE | status [--json] DIR|URL | handover DIR|URL | "
            "forget NODE DIR|URL | accept DIR|URL",
    .help = N_("Move a house to PostgreSQL, or back; show and change its nodes."),
    .more =
        N_("  copy FILE|DIR URL\n"
           "      Copies a backup, or the data of a closed house, to the empty database at\n"
           "      URL (postgresql://HOST/DATABASE), compares every row, and only then commits.\n"
           "      The file stays as it is.\n"
           "  copy URL FILE\n"
           "      Copies the database to a new FILE, of which restore makes the data of a\n"
           "      house, and compares every row.\n"
           "  status [--json] DIR|URL\n"
           "      Shows the nodes of the house whose data folder on this machine is DIR, or\n"
           "      whose database is at URL, and which of them holds the house.\n"
           "  handover DIR|URL\n"
           "      Makes another node hold the house; people stay connected. With DIR, only if\n"
           "      the node of this folder holds it.\n"
           "  forget NODE DIR|URL\n"
           "      Removes a node that is gone for good.\n"
           "  accept DIR|URL\n"
           "      Has all nodes take a database that was restored from an older copy. What\n"
           "      people were told since that copy is lost.\n"
           "\n"
           "A password belongs in ~/.pgpass rather than in the URL: others on this machine\n"
           "can see the command line."),
    .run = cluster_run,
};
