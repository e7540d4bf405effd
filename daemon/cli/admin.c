#include "daemon/base/i18n.h"
#include "daemon/cli/arguments.h"
#include "daemon/cli/operator.h"
#include "daemon/processes/data_dir.h"
#include "daemon/screens/drawing/usage.h"
#include "storage/mod/audit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `admin`: moderation commands for the owner of the data. */

#define LINE_MAX_BYTES 1024
#define VERIFY_ALL "audit verify"
#define LIST_COLUMNS 80
#define LIST_BYTES_MAX ((size_t)64 << 10)

struct asked {
    const char *data_dir;
    bool is_json, is_confirmed;
    char line[LINE_MAX_BYTES];
};

static int print_failure(const char *why)
{
    fprintf(stderr, "trickhouse admin: %s\n", why);
    return 1;
}

static int print_mod_commands(void)
{
    const struct lines_look look = {.width = LIST_COLUMNS, .end = "\n"};
    struct lines lines;
    struct bytes out;
    lines_init(&lines, LIST_BYTES_MAX);
    bytes_init(&out, LIST_BYTES_MAX);
    usage_put_mod_commands(RANK_OWNER, &lines);
    bool is_whole = lines_write(&lines, &look, &out) && !lines.is_cut;
    (void)fwrite(out.at, 1, out.len, stdout);
    bytes_clear(&out);
    lines_clear(&lines);
    return is_whole ? 0 : print_failure("the list is too long");
}

static void print_answer(const struct asked *asked, const json_t *answer)
{
    if (asked->is_json) {
        (void)json_dumpf(answer, stdout, JSON_COMPACT);
        puts("");
        return;
    }
    for (size_t i = 0; i < json_array_size(json_object_get(answer, "lines")); i++) {
        json_t *line = json_array_get(json_object_get(answer, "lines"), i);
        puts(json_string_value(line));
    }
}

/* Returns the row of the audit log at which `audit verify` must continue; 0 if it is done. */
static json_int_t read_next_row(const json_t *answer)
{
    return json_integer_value(json_object_get(json_object_get(answer, "data"), "next"));
}

static int verify_closed_house(const char *data_dir)
{
    struct data_dir dir;
    struct storage *storage = NULL;
    struct storage_audit_check check = {0};
    char why[STORAGE_WHY_SIZE];
    int64_t rows = 0;
    if (data_dir_open(&dir, data_dir) != DATA_DIR_OK) {
        return print_failure(strerror(errno));
    }
    enum storage_result result = access(dir.database, F_OK) != 0
                                     ? STORAGE_NOT_FOUND
                                     : storage_open(dir.database, &storage, why);
    if (result == STORAGE_OK) {
        result = storage_audit_verify(storage, 1, INT64_MAX, &check);
        rows = check.rows;
    }
    int status = result != STORAGE_OK || check.bad != 0;
    if (result != STORAGE_OK) {
        (void)print_failure(result == STORAGE_NOT_FOUND ? _("there is no data in this folder")
                                                        : why);
    } else if (check.bad != 0) {
        printf(_("Row %lld is not as it was written, or missing.\n"), (long long)check.bad);
    } else {
        printf(_("%lld rows are as they were written, and none is missing.\n"), (long long)rows);
    }
    storage_close(storage);
    data_dir_close(&dir);
    return status;
}

static int print_refusal(const json_t *answer)
{
    const char *code = json_string_value(json_object_get(answer, "code"));
    (void)print_failure(json_string_value(json_object_get(answer, "why")));
    if (code != NULL && strcmp(code, "confirm") == 0) {
        fputs(_("To confirm, repeat the command with --yes before it.\n"), stderr);
    }
    return 1;
}

static int handle_answer(const struct asked *asked, const json_t *answer, json_int_t *next)
{
    *next = read_next_row(answer);
    if (*next == 0) {
        print_answer(asked, answer);
    }
    return json_is_false(json_object_get(json_object_get(answer, "data"), "is_whole"));
}

/* Sends one line to the open house. *next becomes the row at which `audit verify` continues. */
static int send_line(const struct asked *asked, const char *line, json_int_t *next)
{
    json_t *answer;
    int status = 1;
    *next = 0;
    switch (operator_send_line(asked->data_dir, line, &answer)) {
    case OPERATOR_OK:
        status = handle_answer(asked, answer, next);
        break;
    case OPERATOR_REFUSED:
        status = print_refusal(answer);
        break;
    case OPERATOR_CLOSED:
        status = strncmp(asked->line, VERIFY_ALL, strlen(VERIFY_ALL)) == 0
                     ? verify_closed_house(asked->data_dir)
                     : print_failure(_("no house is open with this data"));
        break;
    case OPERATOR_FAILED:
    case OPERATOR_STAYED:
        status = print_failure(operator_explain_failure());
        break;
    }
    json_decref(answer);
    return status;
}

static int run_command(const struct asked *asked)
{
    char line[LINE_MAX_BYTES + 32];
    json_int_t next;
    (void)snprintf(line, sizeof line, "%s%s", asked->is_confirmed ? "yes " : "", asked->line);
    int status = send_line(asked, line, &next);
    while (next != 0) { /* the house verifies a few thousand rows at a time */
        (void)snprintf(line, sizeof line, VERIFY_ALL " from=%lld", (long long)next);
        status = send_line(asked, line, &next);
    }
    return status;
}

/* Joins the words of the command into one line. People tend to try --verify as an option, so it is
 * accepted. */
static bool join_words(struct asked *asked, char **words)
{
    size_t len = 0;
    for (; *words != NULL; words++) {
        const char *word = strcmp(*words, "--verify") == 0 ? "verify" : *words;
        int wrote =
            snprintf(asked->line + len, sizeof asked->line - len, "%s%s", len > 0 ? " " : "", word);
        len += (size_t)wrote;
        if (len >= sizeof asked->line) {
            return false;
        }
    }
    return true;
}

static int admin_run(char **argv)
{
    struct asked asked = {0};
    char **words = NULL;
    const struct argument options[] = {
        {.name = "data", .text = &asked.data_dir},
        {.name = "json", .flag = &asked.is_json},
        {.name = "yes", .flag = &asked.is_confirmed},
        {.rest = &words},
    };
    if (!arguments_read(&admin_subcommand, options, argv)) {
        return 2;
    }
    if (words == NULL || (strcmp(words[0], "help") == 0 && words[1] == NULL)) {
        return print_mod_commands();
    }
    if (asked.data_dir == NULL) {
        return subcommand_refuse_usage(&admin_subcommand, "--data DIR is missing");
    }
    if (access(asked.data_dir, F_OK) != 0) {
        return print_failure(strerror(errno)); /* the folder must exist: it is not created here */
    }
    if (!join_words(&asked, words)) {
        return subcommand_refuse_usage(&admin_subcommand, "the command is too long");
    }
    return run_command(&asked);
}

const struct subcommand admin_subcommand = {
    .name = "admin",
    .args = "--data DIR [--json] [--yes] [COMMAND ...]",
    .help = N_("Use moderation commands in the open house with its data in DIR."),
    .more = N_("Runs a command of moderators and admins, as in the lobby: ban, mute, audit,\n"
               "shutdown and so on. Without a command, lists all of them. --yes confirms a\n"
               "command that asks for confirmation; --json prints the answer for programs. Every\n"
               "command is recorded in the house's audit log; \"audit --verify\" checks that log,\n"
               "also while the house is closed."),
    .run = admin_run,
};
