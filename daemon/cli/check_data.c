#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "lobby/archive/archive.h"
#include "lobby/house/house.h"
#include "storage/accounts/accounts.h"
#include "storage/archive/archive.h"
#include "storage/copies.h"
#include "storage/mod/mod.h"
#include "storage/sql/sql.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
static bool make_folder_for_copy(const struct subcommand *self, struct data_source *source)
{
    const char *parent = getenv("TMPDIR");
    int len = snprintf(source->folder, sizeof source->folder, "%s/trickhouse-%s-XXXXXX",
                       parent == NULL ? "/tmp" : parent, self->name);
    errno = ENAMETOOLONG;
    if (len >= 0 && (size_t)len < sizeof source->folder && mkdtemp(source->folder) != NULL) {
        return true;
    }
    (void)subcommand_fail(self, _("no temporary folder can be made"), strerror(errno));
    source->folder[0] = '\0';
    return false;
}

/* Copies the data from PostgreSQL to a temporary file. The copy is compared with the database row
 * by row, and is as that was at one moment, also while the house is open. */
static bool copy_database(const struct subcommand *self, struct data_source *source)
{
    char why[STORAGE_WHY_SIZE];
    source->shown = database_url_show(source->url, source->shown_url);
    if (!make_folder_for_copy(self, source)) {
        return false;
    }
    (void)snprintf(source->file, sizeof source->file, "%s/house.db", source->folder);
    source->path = source->file;
    return storage_copy_from_postgres(source->url, source->path, NULL, NULL, why) == STORAGE_OK ||
           subcommand_fail(self, source->shown, why) == 0;
}

/* Finds the data of a FILE, DIR or URL, and copies them if they are in PostgreSQL. If
 * `is_backup_made`, an open house of the DIR makes a backup, which is then read. Returns false
 * after printing why not. data_source_clear in any case. */
static bool data_source_find(const struct subcommand *self, struct data_source *source,
                             const char *place, bool is_backup_made)
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
        return copy_database(self, source);
    }
    if (!is_folder) {
        return true;
    }
    enum operator_result backup = OPERATOR_CLOSED;
    if (is_backup_made) {
        backup = order_backup(self, place, source->file);
    }
    if (backup == OPERATOR_CLOSED) {
        int len = snprintf(source->file, sizeof source->file, "%s/house.db", place);
        if (len < 0 || (size_t)len >= sizeof source->file) {
            return subcommand_fail(self, place, strerror(ENAMETOOLONG)) == 0;
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
    return subcommand_fail(&check_data_subcommand, check->source.shown,
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
    if (storage_open_read_only(check->source.path, &check->storage, why) != STORAGE_OK) {
        return subcommand_fail(&check_data_subcommand, check->source.shown, why);
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
        return subcommand_fail(&check_data_subcommand, check->source.shown, why);
    }
    /* The house keeps a backup of what it has, strange or not. */
    const struct storage_findings findings = {print_finding, check};
    if (!check->is_backup && (schema_check(copy, &findings, why) != STORAGE_OK ||
                              row_check(copy, &findings, why) != STORAGE_OK)) {
        storage_close(copy);
        return subcommand_fail(&check_data_subcommand, check->source.shown, why);
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
    return result == STORAGE_OK
               ? true
               : subcommand_fail(&check_data_subcommand, check->source.shown, why) == 0;
}

/* Makes all checks of a file. */
static int check_file(struct check_data *check)
{
    struct storage_summary summary;
    char why[STORAGE_WHY_SIZE];
    if (storage_check_file(check->source.path, &summary, why) != STORAGE_OK) {
        return subcommand_fail(&check_data_subcommand, check->source.shown, why);
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
    if (!arguments_read(&check_data_subcommand, options, argv)) {
        return 2;
    }
    check.is_quiet |= check.is_backup;
    bool is_good = data_source_find(&check_data_subcommand, &check.source, place, false) &&
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
    json_t *section; /* borrowed: the array of the section that is being read */
    json_t *row;     /* borrowed */
};

static void begin_section(void *context, const char *name)
{
    struct exporter *exporter = context;
    exporter->section = json_array();
    (void)json_object_set_new(exporter->document, name, exporter->section);
}

static void begin_row(void *context)
{
    struct exporter *exporter = context;
    exporter->row = json_object();
    (void)json_array_append_new(exporter->section, exporter->row);
}

static json_t *make_value(const struct storage_export_value *value)
{
    switch (value->kind) {
    case STORAGE_EXPORT_NUMBER:
        return json_integer(value->number);
    case STORAGE_EXPORT_FLAG:
        return json_boolean(value->number != 0);
    case STORAGE_EXPORT_REAL:
        return json_real(value->real);
    case STORAGE_EXPORT_JSON:
        return json_loads(value->text, JSON_DECODE_ANY, NULL);
    case STORAGE_EXPORT_TEXT:
        return json_string(value->text);
    case STORAGE_EXPORT_NULL:
        break;
    }
    return json_null();
}

static void add_value(void *context, const struct storage_export_value *value)
{
    struct exporter *exporter = context;
    json_t *made = make_value(value);
    (void)json_object_set_new(exporter->row, value->name, made == NULL ? json_null() : made);
}

/* The account's section has one row: puts the row in the place of the list. */
static void unwrap_account(json_t *document)
{
    json_t *row = json_array_get(json_object_get(document, STORAGE_EXPORT_ACCOUNT), 0);
    (void)json_object_set(document, STORAGE_EXPORT_ACCOUNT, row);
}

static int print_document(const json_t *document)
{
    char *text = json_dumps(document, JSON_INDENT(2));
    if (text == NULL) {
        abort(); /* out of memory */
    }
    struct output output = output_begin();
    output_write(&output, text, strlen(text));
    output_write(&output, "\n", 1);
    free(text);
    return output_end(&output, &export_subcommand);
}

static int export_account(struct exporter *exporter, struct storage *storage)
{
    struct storage_account account;
    const struct storage_export_reader reader = {
        .context = exporter, .section = begin_section, .row = begin_row, .value = add_value};
    enum storage_result result = storage_account_by_name(storage, exporter->name, &account);
    if (result == STORAGE_NOT_FOUND) {
        return subcommand_fail(&export_subcommand, exporter->name, _("no account has this name"));
    }
    if (result == STORAGE_OK) {
        result = storage_account_export(storage, account.id, &reader);
    }
    if (result != STORAGE_OK) {
        return subcommand_fail(&export_subcommand, exporter->source.path,
                               storage_last_failure(storage));
    }
    unwrap_account(exporter->document);
    return print_document(exporter->document);
}

static int export_from_file(struct exporter *exporter)
{
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;
    /* a copy, because the schema of an old backup must be brought up to date first */
    if (storage_open_temporary_copy(exporter->source.path, &storage, why) != STORAGE_OK) {
        return subcommand_fail(&export_subcommand, exporter->source.path, why);
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
    if (!arguments_read(&export_subcommand, options, argv)) {
        return 2;
    }
    if (words == NULL || words[0] == NULL || words[1] == NULL || words[2] != NULL) {
        return subcommand_report_wrong_usage(&export_subcommand,
                                             _("a NAME and a FILE, DIR or URL are needed"));
    }
    exporter.name = words[0];
    int status = data_source_find(&export_subcommand, &exporter.source, words[1], true)
                     ? export_from_file(&exporter)
                     : 1;
    data_source_clear(&exporter.source);
    return status;
}
