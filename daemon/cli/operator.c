#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"
#include "daemon/processes/processes.h"
#include "daemon/screens/drawing/words.h"
#include "lobby/protocol/protocol.h"
#include "storage/mod/mod.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANSWER_MS 600000 /* ten minutes, because the backup of a large database takes a while */
#define OUTLAST_MS                                                                                 \
    30000 /* core and supervisor check one after the other whether they can reload                 \
           */
/* If the core says nothing for this long, we ping it, and wait as long again for its answer. */
#define SILENCE_MS 2500

#define WAITS_MS                                                                                   \
    5000 /* how long a reloaded house may wait for its data before the reload says so */

struct connection {
    int socket;
    struct client *client;
    char *buffer;
    bool has_failed; /* sending failed: see errno */
    bool is_ok;
    json_t *answer;
    char version[OPERATOR_VERSION_MAX]; /* version of the core; "" before the core has sent
                                           `welcome` */
    char waits[OPERATOR_SAID_MAX];      /* why the house waits, from `welcome`; "": it is open */
    char refused[OPERATOR_SAID_MAX];    /* why a reload was refused; "" if it was not refused */
};

static void send_packet(void *context, const char *json, size_t len)
{
    struct connection *connection = context;
    if (packet_send(connection->socket, json, len, -1) != PACKET_OK) {
        connection->has_failed = true;
    }
}

static void store_answer(void *context, bool is_ok, const json_t *answer)
{
    struct connection *connection = context;
    connection->is_ok = is_ok;
    connection->answer = json_deep_copy(answer);
}

/* Stores the version and what the house waits for from a `welcome`, or the reason from a
 * `reload_refused`. */
static void store_version_or_refusal(void *context, const char *type, const json_t *message)
{
    struct connection *connection = context;
    if (strcmp(type, "welcome") == 0) {
        connection->waits[0] = '\0';
    }
    const struct {
        const char *type, *key;
        char *kept;
        size_t size;
    } pushes[] = {
        {"welcome", "version", connection->version, sizeof connection->version},
        {"welcome", "waits", connection->waits, sizeof connection->waits},
        {"reload_refused", "why", connection->refused, sizeof connection->refused},
    };
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        const char *text = json_string_value(json_object_get(message, pushes[i].key));
        if (strcmp(pushes[i].type, type) == 0 && text != NULL) {
            (void)snprintf(pushes[i].kept, pushes[i].size, "%s", text);
        }
    }
}

/* Connects to the core. Returns OPERATOR_OK, _CLOSED or _FAILED; call close_connection in any
 * case. */
static enum operator_result open_connection(struct connection *connection, const char *data_dir)
{
    *connection = (struct connection){.socket = control_socket_connect(data_dir)};
    if (connection->socket < 0) {
        return errno == ENOENT || errno == ECONNREFUSED ? OPERATOR_CLOSED : OPERATOR_FAILED;
    }
    connection->buffer = malloc(PACKET_MAX);
    if (connection->buffer == NULL) {
        return OPERATOR_FAILED;
    }
    connection->client = client_new(send_packet, connection);
    client_set_push_receiver(connection->client, store_version_or_refusal, connection);
    client_send_hello(connection->client, "trickhouse");
    return OPERATOR_OK;
}

static void close_connection(struct connection *connection)
{
    client_free(connection->client);
    free(connection->buffer);
    json_decref(connection->answer);
    fd_close(connection->socket);
}

/* Receives the next packet, if one arrives before the deadline. Returns false with errno if none
 * arrives. */
static bool receive_packet(struct connection *connection, int64_t deadline_ms)
{
    struct pollfd readable = {.fd = connection->socket, .events = POLLIN};
    int64_t left_ms = deadline_ms - clock_steady_ms();
    errno = ETIMEDOUT;
    if (connection->has_failed || left_ms <= 0 || poll(&readable, 1, (int)left_ms) == 0) {
        return false;
    }
    size_t len;
    enum packet_result received =
        packet_receive(connection->socket, connection->buffer, &len, NULL);
    errno = received == PACKET_OK ? EPROTO : ECONNRESET;
    return received == PACKET_AGAIN ||
           (received == PACKET_OK &&
            client_receive_packet(connection->client, connection->buffer, len) == CLIENT_OK);
}

static void ignore_pong(void *context, UNUSED bool is_ok, UNUSED const json_t *answer)
{
    (void)context; /* the content of the answer does not matter */
}

/* Receives the next packet like receive_packet. If the core stays silent, sends a ping; fails if
 * the core does not answer that either. */
static bool receive_packet_pinging_silent_core(struct connection *connection, int64_t deadline_ms)
{
    int64_t silence_ms = clock_steady_ms() + SILENCE_MS;
    if (receive_packet(connection, silence_ms < deadline_ms ? silence_ms : deadline_ms)) {
        return true;
    }
    if (errno != ETIMEDOUT || clock_steady_ms() >= deadline_ms ||
        !client_send_request(connection->client, "ping", NULL, ignore_pong, connection)) {
        return false;
    }
    return receive_packet(connection, clock_steady_ms() + SILENCE_MS);
}

static enum operator_result send_command_and_await_answer(struct connection *connection,
                                                          const char *command)
{
    int64_t deadline_ms = clock_steady_ms() + ANSWER_MS;
    if (!client_send_request(connection->client, "mod", json_pack("{s:s}", "line", command),
                             store_answer, connection)) {
        return OPERATOR_FAILED;
    }
    while (connection->answer == NULL) {
        if (!receive_packet_pinging_silent_core(connection, deadline_ms)) {
            return OPERATOR_FAILED;
        }
    }
    return connection->is_ok ? OPERATOR_OK : OPERATOR_REFUSED;
}

enum operator_result operator_run_command(const char *data_dir, const char *command,
                                          json_t **answer)
{
    struct connection connection;
    *answer = NULL;
    enum operator_result result = open_connection(&connection, data_dir);
    if (result == OPERATOR_OK) {
        result = send_command_and_await_answer(&connection, command);
        *answer = json_incref(connection.answer);
    }
    close_connection(&connection);
    return result;
}

/* Waits until the deadline for a core's `welcome`, and writes the core's version. If the core says
 * that the house waits, waits for `patience_ms` until it is open; then writes the reason and
 * returns OPERATOR_WAITS. */
static enum operator_result await_welcome(const char *data_dir, int64_t deadline_ms,
                                          int64_t patience_ms,
                                          char version_or_reason[OPERATOR_SAID_MAX])
{
    struct connection connection;
    enum operator_result result = open_connection(&connection, data_dir);
    int64_t until_ms = deadline_ms;
    while (result == OPERATOR_OK &&
           (connection.version[0] == '\0' || connection.waits[0] != '\0')) {
        bool was_waiting = connection.waits[0] != '\0';
        if (!receive_packet(&connection, until_ms)) {
            result = was_waiting ? OPERATOR_WAITS : OPERATOR_FAILED;
        } else if (!was_waiting && connection.waits[0] != '\0') {
            until_ms = clock_steady_ms() + patience_ms;
        }
    }
    (void)snprintf(version_or_reason, OPERATOR_SAID_MAX, "%s",
                   result == OPERATOR_WAITS ? connection.waits : connection.version);
    close_connection(&connection);
    return result;
}

enum operator_result operator_check_core_answers(const char *data_dir,
                                                 char version_or_reason[OPERATOR_SAID_MAX])
{
    return await_welcome(data_dir, clock_steady_ms() + SILENCE_MS, 0, version_or_reason);
}

const char *operator_explain_failure(void)
{
    return errno == ETIMEDOUT || errno == EAGAIN
               ? _("the house is open, but its core does not answer")
           : errno == ECONNRESET ? _("the connection to the house was lost before it has answered: "
                                     "a command may have been carried out, see \"audit\"")
                                 : strerror(errno);
}

/* Waits until the core ends, but no longer once the core has refused to be replaced. */
static enum operator_result await_core_end(struct connection *connection, int64_t deadline_ms)
{
    while (connection->refused[0] == '\0' && receive_packet(connection, deadline_ms)) {
    }
    if (connection->refused[0] != '\0') {
        return OPERATOR_REFUSED;
    }
    return errno == ECONNRESET  ? OPERATOR_OK
           : errno == ETIMEDOUT ? OPERATOR_STAYED
                                : OPERATOR_FAILED;
}

enum operator_result operator_replace_core(const char *data_dir, const char *command,
                                           char version_or_reason[OPERATOR_SAID_MAX])
{
    struct connection connection;
    int64_t deadline_ms = clock_steady_ms() + OUTLAST_MS;
    enum operator_result result = open_connection(&connection, data_dir);
    version_or_reason[0] = '\0';
    if (result == OPERATOR_OK) {
        result = send_command_and_await_answer(&connection, command);
        const char *why = json_string_value(json_object_get(connection.answer, "why"));
        (void)snprintf(version_or_reason, OPERATOR_SAID_MAX, "%s", why == NULL ? "" : why);
    }
    if (result == OPERATOR_OK) {
        result = await_core_end(&connection, deadline_ms);
        (void)snprintf(version_or_reason, OPERATOR_SAID_MAX, "%s", connection.refused);
    }
    close_connection(&connection);
    return result == OPERATOR_OK ? await_welcome(data_dir, deadline_ms, WAITS_MS, version_or_reason)
                                 : result;
}

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
    const json_t *data = json_object_get(answer, "data");
    *next_row = json_integer_value(json_object_get(data, "next"));
    if (*next_row == 0) {
        print_answer(request, answer);
    }
    return json_is_false(json_object_get(data, "is_whole"));
}

/* Sends one line to the open house. *next_row becomes the row of the audit log at which `audit
 * verify` continues; 0 if it is done. */
static int send_command_line(const struct admin_request *request, const char *line,
                             json_int_t *next_row)
{
    json_t *answer;
    int status;
    *next_row = 0;
    enum operator_result result = operator_run_command(request->data_dir, line, &answer);
    if (result == OPERATOR_OK) {
        status = handle_answer(request, answer, next_row);
    } else if (result == OPERATOR_REFUSED) {
        status = print_refusal(request, answer);
    } else if (result != OPERATOR_CLOSED) {
        status = print_failure(request, errno == ECONNRESET ? "lost" : "failed",
                               operator_explain_failure());
    } else if (strncmp(request->line, VERIFY_ALL, strlen(VERIFY_ALL)) == 0) {
        status = verify_audit_log_of_closed_house(request);
    } else {
        status = print_failure(request, "closed", _("no open house uses the data in this folder"));
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
    static char name[] = "reload";
    program_invocation_short_name = name;
    return house_reload(data_dir);
}

int subcommand_run_admin(char **argv)
{
    struct admin_request request = {0};
    char **words = NULL;
    const struct argument options[] = {
        {.name = "data", .text = &request.data_dir},
        {.name = "json", .flag = &request.is_json},
        {.name = "yes", .flag = &request.is_confirmed},
        {.rest = &words},
    };
    if (!arguments_read(options, argv)) {
        return 2;
    }
    if (words == NULL || (strcmp(words[0], "help") == 0 && words[1] == NULL)) {
        return print_mod_commands();
    }
    if (request.data_dir == NULL) {
        return subcommand_report_wrong_usage("--data DIR is missing");
    }
    if (access(request.data_dir, F_OK) != 0) {
        return print_failure(&request, "failed",
                             strerror(errno)); /* the folder must exist: it is not created here */
    }
    if (!join_words(&request, words)) {
        return subcommand_report_wrong_usage("the command is too long");
    }
    if (strcmp(request.line, "reload") == 0 && !request.is_json) {
        return run_reload(request.data_dir);
    }
    return run_command(&request);
}

#define WHAT "what=\"" /* the text before the message in a line of the log (base.h) */

static FILE *open_log(const char *data_dir)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s/house.log", data_dir);
    int file = len > 0 && len < (int)sizeof path ? files_open_regular(path, O_RDONLY) : -1;
    return file >= 0 ? fdopen(file, "r") : NULL;
}

long house_log_length(const char *data_dir)
{
    FILE *log = open_log(data_dir);
    long length = log != NULL && fseek(log, 0, SEEK_END) == 0 ? ftell(log) : 0;
    if (log != NULL) {
        fclose(log);
    }
    return length;
}

void house_log_print_error(const char *data_dir, long start_byte)
{
    FILE *log = open_log(data_dir);
    char line[1024];
    const char *error = NULL;
    if (log == NULL) {
        return;
    }
    bool is_there = fseek(log, start_byte, SEEK_SET) == 0;
    while (is_there && error == NULL && fgets(line, sizeof line, log) != NULL) {
        error = strstr(line, " error conn=-");
    }
    const char *what = error != NULL ? strstr(error, WHAT) : NULL;
    if (what != NULL) {
        what += sizeof WHAT - 1;
        fprintf(stderr, "error: %.*s\n", (int)strcspn(what, "\"\n"), what);
    }
    fclose(log);
}

pid_t open_house_find(const char *data_dir)
{
    pid_t house_pid;
    enum data_dir_result found = data_dir_find_supervisor(data_dir, &house_pid);
    if (found == DATA_DIR_OK || found == DATA_DIR_CLOSED) {
        return found == DATA_DIR_OK ? house_pid : 0;
    }
    (void)subcommand_fail(data_dir, strerror(errno));
    return -1;
}
