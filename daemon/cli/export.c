#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "storage/accounts/accounts.h"
#include "storage/copies.h"
#include "storage/sql/sql.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The subcommand `export`: writes everything that a house keeps about a person, for that person. */

#define EXPORT_FORMAT "trickhouse-export"
#define EXPORT_VERSION 1 /* raise it when a key of the document changes its meaning or goes */

struct exporter {
    const char *name;
    const char *path; /* a backup, or the database of a closed house */
    char file[PATH_MAX];
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
        return subcommand_fail(&export_subcommand, exporter->path, storage_last_failure(storage));
    }
    unwrap_account(exporter->document);
    return print_document(exporter->document);
}

static int export_from_file(struct exporter *exporter)
{
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;
    /* a copy, because the schema of an old backup must be brought up to date first */
    if (storage_open_temporary_copy(exporter->path, &storage, why) != STORAGE_OK) {
        return subcommand_fail(&export_subcommand, exporter->path, why);
    }
    exporter->document = json_pack("{s:s, s:i, s:I}", "format", EXPORT_FORMAT, "version",
                                   EXPORT_VERSION, "exported_ms", (json_int_t)clock_unix_ms());
    int status = export_account(exporter, storage);
    json_decref(exporter->document);
    storage_close(storage);
    return status;
}

/* Reads a copy of the database, which is as it was at one moment, also while the house is open. */
static int export_from_database(struct exporter *exporter, const char *url)
{
    char shown_url[DATABASE_URL_SHOWN_SIZE];
    char why[STORAGE_WHY_SIZE];
    char folder[PATH_MAX - sizeof "/house.db"];
    int status = 1;
    (void)database_url_show(url, shown_url);
    if (!data_in_file_make_folder(&export_subcommand, folder, sizeof folder)) {
        return 1;
    }
    (void)snprintf(exporter->file, PATH_MAX, "%s/house.db", folder);
    if (storage_copy_from_postgres(url, exporter->file, NULL, NULL, why) == STORAGE_OK) {
        exporter->path = exporter->file;
        status = export_from_file(exporter);
    } else {
        (void)subcommand_fail(&export_subcommand, shown_url, why);
    }
    (void)unlink(exporter->file);
    (void)rmdir(folder);
    return status;
}

/* Names the file to read for a data folder: a new backup if the house is open, otherwise the
 * database. */
static bool find_file_of_house(struct exporter *exporter)
{
    enum operator_result result = order_backup(&export_subcommand, exporter->path, exporter->file);
    if (result == OPERATOR_CLOSED) {
        int len = snprintf(exporter->file, PATH_MAX, "%s/house.db", exporter->path);
        if (len < 0 || len >= PATH_MAX) {
            return subcommand_fail(&export_subcommand, exporter->path, strerror(ENAMETOOLONG)) == 0;
        }
    }
    exporter->path = exporter->file;
    return result == OPERATOR_OK || result == OPERATOR_CLOSED;
}

static int export_run(char **argv)
{
    struct exporter exporter = {.name = NULL};
    char **words = NULL;
    char url[CONFIG_TEXT_SIZE];
    struct stat status;
    const struct argument options[] = {{.rest = &words}};
    if (!arguments_read(&export_subcommand, options, argv)) {
        return 2;
    }
    if (words == NULL || words[0] == NULL || words[1] == NULL || words[2] != NULL) {
        return subcommand_report_wrong_usage(&export_subcommand,
                                             _("a NAME and a FILE, DIR or URL are needed"));
    }
    exporter.name = words[0];
    exporter.path = words[1];
    if (database_url_is(exporter.path)) {
        return export_from_database(&exporter, exporter.path);
    }
    if (stat(exporter.path, &status) == 0 && S_ISDIR(status.st_mode)) {
        if (data_in_file_find_url(exporter.path, url)) {
            return export_from_database(&exporter, url);
        }
        if (!find_file_of_house(&exporter)) {
            return 1;
        }
    }
    return export_from_file(&exporter);
}

const struct subcommand export_subcommand = {
    .name = "export",
    .args = "NAME FILE|DIR|URL",
    .help = N_("Print everything that is kept about a person, as JSON."),
    .more = N_("Reads a backup, the data folder of a house, or its database in PostgreSQL\n"
               "(postgresql://HOST/DATABASE). An open house makes a backup for it. Passwords,\n"
               "secrets, other people's reports and hidden cards are left out."),
    .run = export_run,
};
