#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "daemon/processes/processes.h"
#include "daemon/screens/drawing/words.h"
#include "storage/mod/mod.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The subcommand `admin`: runs moderation commands for the owner of the data folder. */

#define LINE_MAX_BYTES 1024
#define VERIFY_ALL "audit verify"
#define LIST_COLUMNS 80
#define LIST_BYTES_MAX ((size_t)64 << 10)

/* Exit statuses besides 0, 1 (failed or refused) and 2 (wrong usage); 3 means that the house does
 * not work, as from the subcommand `status`. */
enum {
    STATUS_CONFIRM = 4, /* the command asks for --yes */
    STATUS_UNKNOWN = 5, /* no such command, person, report and so on */
};

struct admin_request {
    const char *data_dir;
    bool is_json, is_confirmed;
    char line[LINE_MAX_BYTES];
};

/* Prints an answer of the house, or a refusal in the form of one, as a line of JSON. */
static void print_json(const json_t *answer)
{
    (void)json_dumpf(answer, stdout, JSON_COMPACT);
    puts("");
}

static int print_failure(const struct admin_request *request, const char *code, const char *why)
{
    if (request->is_json) {
        json_t *answer = json_pack("{s:s,s:s}", "code", code, "why", why);
        print_json(answer);
        json_decref(answer);
    } else {
        fprintf(stderr, "trickhouse admin: %s\n", why);
    }
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
    return is_whole ? 0
                    : print_failure(&(struct admin_request){0}, "failed",
                                    "the list of commands is too long");
}

static void print_answer(const struct admin_request *request, const json_t *answer)
{
    if (request->is_json) {
        print_json(answer);
        return;
    }
    for (size_t i = 0; i < json_array_size(json_object_get(answer, "lines")); i++) {
        json_t *line = json_array_get(json_object_get(answer, "lines"), i);
        puts(json_string_value(line));
    }
}

/* Returns the row of the audit log at which `audit verify` must continue; 0 if it is done. */
static json_int_t read_row_to_continue_at(const json_t *answer)
{
    return json_integer_value(json_object_get(json_object_get(answer, "data"), "next"));
}

static void print_verified_log(const struct admin_request *request,
                               const struct storage_audit_check *check)
{
    if (request->is_json) {
        json_t *answer = json_pack("{s:{s:b,s:I,s:I}}", "data", "is_whole", check->bad == 0, "bad",
                                   (json_int_t)check->bad, "rows", (json_int_t)check->rows);
        print_json(answer);
        json_decref(answer);
    } else if (check->bad != 0) {
        printf(_("Row %lld of the audit log was changed or is missing.\n"), (long long)check->bad);
    } else {
        printf(_("All %lld rows of the audit log are as they were written.\n"),
               (long long)check->rows);
    }
}

static int verify_audit_log_of_closed_house(const struct admin_request *request)
{
    struct data_dir dir;
    struct storage *storage = NULL;
    struct storage_audit_check check = {0};
    char why[STORAGE_WHY_SIZE];
    char url[CONFIG_TEXT_SIZE];
    if (data_in_file_find_url(request->data_dir, url)) {
        return print_failure(request, "failed",
                             _("the data are in PostgreSQL: use \"trickhouse check-data --audit\" "
                               "with their URL"));
    }
    if (data_dir_open(&dir, request->data_dir) != DATA_DIR_OK) {
        return print_failure(request, "failed", strerror(errno));
    }
    enum storage_result result = access(dir.database, F_OK) != 0
                                     ? STORAGE_NOT_FOUND
                                     : storage_open(dir.database, &storage, why);
    if (result == STORAGE_OK) {
        result = storage_audit_verify(storage, 1, INT64_MAX, &check);
    }
    int status = result != STORAGE_OK || check.bad != 0;
    if (result != STORAGE_OK) {
        (void)print_failure(request, "failed",
                            result == STORAGE_NOT_FOUND ? _("there is no data in this folder")
                                                        : why);
    } else {
        print_verified_log(request, &check);
    }
    storage_close(storage);
    data_dir_close(&dir);
    return status;
}

static int print_refusal(const struct admin_request *request, const json_t *answer)
{
    const char *code = json_string_value(json_object_get(answer, "code"));
    bool is_question = code != NULL && strcmp(code, "confirm") == 0;
    bool is_unknown = code != NULL && strcmp(code, "unknown") == 0;
    if (request->is_json) {
        print_json(answer);
    } else {
        (void)print_failure(request, code, json_string_value(json_object_get(answer, "why")));
    }
    if (is_question && !request->is_json) {
        fputs(_("To confirm, repeat the command with --yes before it.\n"), stderr);
    }
    return is_question ? STATUS_CONFIRM : is_unknown ? STATUS_UNKNOWN : 1;
}

static int handle_answer(const struct admin_request *request, const json_t *answer,
                         json_int_t *next_row)
{
    *next_row = read_row_to_continue_at(answer);
    if (*next_row == 0) {
        print_answer(request, answer);
    }
    return json_is_false(json_object_get(json_object_get(answer, "data"), "is_whole"));
}

/* Sends one line to the open house. *next_row becomes the row of the audit log at which `audit
 * verify` continues; 0 if it is done. */
static int send_command_line(const struct admin_request *request, const char *line,
                             json_int_t *next_row)
{
    json_t *answer;
    int status = 1;
    *next_row = 0;
    switch (operator_run_command(request->data_dir, line, &answer)) {
    case OPERATOR_OK:
        status = handle_answer(request, answer, next_row);
        break;
    case OPERATOR_REFUSED:
        status = print_refusal(request, answer);
        break;
    case OPERATOR_CLOSED:
        status =
            strncmp(request->line, VERIFY_ALL, strlen(VERIFY_ALL)) == 0
                ? verify_audit_log_of_closed_house(request)
                : print_failure(request, "closed", _("no open house uses the data in this folder"));
        break;
    case OPERATOR_FAILED:
    case OPERATOR_STAYED:
    case OPERATOR_WAITS:
        status = print_failure(request, errno == ECONNRESET ? "lost" : "failed",
                               operator_explain_failure());
        break;
    }
    json_decref(answer);
    return status;
}

static int run_command(const struct admin_request *request)
{
    char line[LINE_MAX_BYTES + 32];
    json_int_t next_row;
    (void)snprintf(line, sizeof line, "%s%s", request->is_confirmed ? "yes " : "", request->line);
    int status = send_command_line(request, line, &next_row);
    while (next_row != 0) { /* the house verifies a few thousand rows at a time */
        (void)snprintf(line, sizeof line, VERIFY_ALL " from=%lld", (long long)next_row);
        status = send_command_line(request, line, &next_row);
    }
    return status;
}

/* Joins the words of the command into one line. Accepts "--verify" for "verify", because people
 * tend to write it as an option. */
static bool join_words(struct admin_request *request, char **words)
{
    size_t len = 0;
    for (; *words != NULL; words++) {
        const char *word = strcmp(*words, "--verify") == 0 ? "verify" : *words;
        int wrote = snprintf(request->line + len, sizeof request->line - len, "%s%s",
                             len > 0 ? " " : "", word);
        len += (size_t)wrote;
        if (len >= sizeof request->line) {
            return false;
        }
    }
    return true;
}

/* Reloads as `trickhouse reload` does, which waits until it is known whether the house could. */
static int run_reload(const char *data_dir)
{
    char *copy = must_copy_text(data_dir);
    char *argv[] = {(char[]){"reload"}, (char[]){"--data"}, copy, NULL};
    int status = reload_subcommand.run(argv);
    free(copy);
    return status;
}

static int admin_run(char **argv)
{
    struct admin_request request = {0};
    char **words = NULL;
    const struct argument options[] = {
        {.name = "data", .text = &request.data_dir},
        {.name = "json", .flag = &request.is_json},
        {.name = "yes", .flag = &request.is_confirmed},
        {.rest = &words},
    };
    if (!arguments_read(&admin_subcommand, options, argv)) {
        return 2;
    }
    if (words == NULL || (strcmp(words[0], "help") == 0 && words[1] == NULL)) {
        return print_mod_commands();
    }
    if (request.data_dir == NULL) {
        return subcommand_report_wrong_usage(&admin_subcommand, "--data DIR is missing");
    }
    if (access(request.data_dir, F_OK) != 0) {
        return print_failure(&request, "failed",
                             strerror(errno)); /* the folder must exist: it is not created here */
    }
    if (!join_words(&request, words)) {
        return subcommand_report_wrong_usage(&admin_subcommand, "the command is too long");
    }
    if (strcmp(request.line, "reload") == 0 && !request.is_json) {
        return run_reload(request.data_dir);
    }
    return run_command(&request);
}

const struct subcommand admin_subcommand = {
    .name = "admin",
    .args = "--data DIR [--json] [--yes] [COMMAND ...]",
    .help = N_("Run moderation commands in the open house whose data is in DIR."),
    .more =
        N_("Runs a command of moderators and admins, as in the lobby: ban, mute, audit,\n"
           "shutdown and so on. Without a command, lists all of them. --yes confirms a\n"
           "command that asks for confirmation; --json prints the answer or the refusal, with\n"
           "its code, for programs. The exit status is 1 if the command failed or was refused,\n"
           "4 if it must be confirmed, 5 if it names something that does not exist. Every\n"
           "command is recorded in the house's audit log; \"audit --verify\" checks that log,\n"
           "even while the house is closed."),
    .run = admin_run,
};
