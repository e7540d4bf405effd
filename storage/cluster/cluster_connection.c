#include "storage/cluster/cluster_connection.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLICE_MS 100 /* most time between two calls of is_to_go_on */
#define PARAMETERS_MAX 8
#define HOST_SIZE 256 /* room for a host's name, or for the folder of its socket */

int64_t cluster_connection_clock_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t cluster_connection_patience_ms(const struct cluster *cluster)
{
    return (int64_t)cluster->options.lease_ms * 5 / 16;
}

void cluster_connection_close(struct cluster *cluster)
{
    if (cluster->connection != NULL) {
        cluster->pq->PQfinish(cluster->connection);
        cluster->connection = NULL;
    }
    cluster->incarnation[0] = '\0';
    cluster->epoch[0] = '\0';
}

void cluster_connection_fail(struct cluster *cluster, const char *what)
{
    /* the library's messages end with a newline, and may have more than one line */
    (void)snprintf(cluster->why, sizeof cluster->why, "%.*s", (int)strcspn(what, "\n"), what);
    cluster_connection_close(cluster);
}

static void fail_with_library_message(struct cluster *cluster)
{
    cluster_connection_fail(cluster, cluster->pq->PQerrorMessage(cluster->connection));
}

/* Waits until the connection's socket has one of the events. Returns false after failing. */
static bool await_socket(struct cluster *cluster, short events, int64_t deadline_ms)
{
    struct pollfd wanted = {.fd = cluster->pq->PQsocket(cluster->connection), .events = events};

    while (poll(&wanted, 1, SLICE_MS) <= 0) {
        if (cluster->options.is_to_go_on != NULL &&
            !cluster->options.is_to_go_on(cluster->options.context)) {
            cluster_connection_fail(cluster, "the wait for the database was given up");
            return false;
        }
        if (cluster_connection_clock_ms() > deadline_ms) {
            cluster_connection_fail(cluster, "the database does not answer");
            return false;
        }
    }
    return true;
}

/* The server warns of a wait for a standby that somebody has cancelled, and of nothing else in our
 * statements. */
static void note_warning(void *context, const PGresult *notice)
{
    struct cluster *cluster = context;
    const char *severity = cluster->pq->PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);

    if (severity != NULL && strcmp(severity, "WARNING") == 0) {
        cluster->was_warned = true;
    }
}

/* Starts to connect, and waits until that has succeeded or failed. */
static bool connect_to_server(struct cluster *cluster, const char *const *names,
                              const char *const *values)
{
    const int64_t deadline_ms =
        cluster_connection_clock_ms() + cluster_connection_patience_ms(cluster);

    cluster->connection = cluster->pq->PQconnectStartParams(names, values, 1);
    if (cluster->connection == NULL) {
        cluster_connection_fail(cluster, "out of memory");
        return false;
    }
    if (cluster->pq->PQstatus(cluster->connection) == CONNECTION_BAD) {
        fail_with_library_message(cluster);
        return false;
    }
    (void)cluster->pq->PQsetNoticeReceiver(cluster->connection, note_warning, cluster);
    PostgresPollingStatusType status = PGRES_POLLING_WRITING;
    while (status != PGRES_POLLING_OK) {
        if (!await_socket(cluster, status == PGRES_POLLING_READING ? POLLIN : POLLOUT,
                          deadline_ms)) {
            return false;
        }
        status = cluster->pq->PQconnectPoll(cluster->connection);
        if (status == PGRES_POLLING_FAILED) {
            fail_with_library_message(cluster);
            return false;
        }
    }
    return true;
}

/* Copies the item at `index` of a list with commas. A list of one item has it at every index.
 * Returns NULL if there is no list. */
static const char *copy_item(const char *list, size_t index, char item[HOST_SIZE])
{
    if (list == NULL) {
        return NULL;
    }
    const bool is_single = strchr(list, ',') == NULL;
    for (size_t i = 0; i < index && !is_single; i++) {
        list += strcspn(list, ",");
        list += *list == ',';
    }
    (void)snprintf(item, HOST_SIZE, "%.*s", (int)strcspn(list, ","), list);
    return item;
}

/* Connects to one of the URL's servers. */
static bool connect_to_server_at(struct cluster *cluster, const char *hosts, const char *addresses,
                                 const char *ports, size_t index)
{
    char host[HOST_SIZE], address[HOST_SIZE], port[HOST_SIZE], timeout[CLUSTER_NUMBER_SIZE];
    const char *names[PARAMETERS_MAX] = {"dbname", "target_session_attrs", "tcp_user_timeout"};
    const char *values[PARAMETERS_MAX] = {cluster->url, "read-write", timeout};
    const char *const server_names[] = {"host", "hostaddr", "port"};
    const char *const server_values[] = {copy_item(hosts, index, host),
                                         copy_item(addresses, index, address),
                                         copy_item(ports, index, port)};
    size_t count = 3;

    (void)snprintf(timeout, sizeof timeout, "%lld",
                   (long long)cluster_connection_patience_ms(cluster));
    for (size_t i = 0; i < ARRAY_LEN(server_names); i++) {
        if (server_values[i] != NULL) {
            names[count] = server_names[i];
            values[count++] = server_values[i];
        }
    }
    return connect_to_server(cluster, names, values);
}

/* The URL's lists with commas of its servers; NULL: it has none. */
struct servers {
    const char *hosts, *addresses, *ports;
};

/* Returns a parameter of the URL; NULL if it has none of that name. */
static const char *find_parameter(const PQconninfoOption *options, const char *keyword)
{
    while (options->keyword != NULL && strcmp(options->keyword, keyword) != 0) {
        options++;
    }
    return options->val;
}

static struct servers find_servers(const PQconninfoOption *options)
{
    return (struct servers){.hosts = find_parameter(options, "host"),
                            .addresses = find_parameter(options, "hostaddr"),
                            .ports = find_parameter(options, "port")};
}

static size_t count_items(const char *list)
{
    size_t count = 1;

    for (; list != NULL && *list != '\0'; list++) {
        count += *list == ',';
    }
    return count;
}

/* The library itself would wait for each server in turn, without asking is_to_go_on. */
enum storage_result cluster_connection_open(struct cluster *cluster)
{
    char *error = NULL;

    cluster_connection_close(cluster);
    cluster->pq = libpq_load(cluster->why, sizeof cluster->why);
    if (cluster->pq == NULL) {
        return STORAGE_FOREIGN;
    }
    PQconninfoOption *options = cluster->pq->PQconninfoParse(cluster->url, &error);
    if (options == NULL) {
        cluster_connection_fail(cluster, error != NULL ? error : "out of memory");
        cluster->pq->PQfreemem(error);
        return STORAGE_FOREIGN;
    }
    const struct servers servers = find_servers(options);
    const size_t count = count_items(servers.hosts != NULL ? servers.hosts : servers.addresses);
    bool is_open = false;
    for (size_t i = 0; i < count && !is_open; i++) {
        is_open = connect_to_server_at(cluster, servers.hosts, servers.addresses, servers.ports, i);
    }
    cluster->pq->PQconninfoFree(options);
    return is_open ? STORAGE_OK : STORAGE_IO;
}

bool cluster_connection_send(struct cluster *cluster, const char *text, int count,
                             const char *const *arguments)
{
    const struct libpq *pq = cluster->pq;

    if (cluster->connection == NULL) {
        (void)snprintf(cluster->why, sizeof cluster->why, "the database is not connected");
        return false;
    }
    cluster->was_warned = false;
    const int sent = count == 0 ? pq->PQsendQuery(cluster->connection, text)
                                : pq->PQsendQueryParams(cluster->connection, text, count, NULL,
                                                        arguments, NULL, NULL, 0);
    if (sent != 1) {
        fail_with_library_message(cluster);
    }
    return sent == 1;
}

bool cluster_connection_is_good(struct cluster *cluster, const PGresult *result)
{
    const ExecStatusType status = cluster->pq->PQresultStatus(result);

    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        cluster_connection_fail(cluster, cluster->pq->PQresultErrorMessage(result));
        return false;
    }
    if (cluster->was_warned) {
        cluster_connection_fail(cluster, "somebody has cancelled the wait for a standby");
        return false;
    }
    return true;
}

/* Waits for the next result; NULL after the last one. Returns false after failing. */
static bool await_result(struct cluster *cluster, int64_t deadline_ms, PGresult **result)
{
    while (cluster->pq->PQisBusy(cluster->connection)) {
        if (!await_socket(cluster, POLLIN, deadline_ms)) {
            return false;
        }
        if (cluster->pq->PQconsumeInput(cluster->connection) != 1) {
            fail_with_library_message(cluster);
            return false;
        }
    }
    *result = cluster->pq->PQgetResult(cluster->connection);
    return true;
}

PGresult *cluster_connection_ask(struct cluster *cluster, const char *text, int count,
                                 const char *const *arguments)
{
    const int64_t deadline_ms =
        cluster_connection_clock_ms() + cluster_connection_patience_ms(cluster);
    PGresult *last = NULL, *next = NULL;

    if (!cluster_connection_send(cluster, text, count, arguments)) {
        return NULL;
    }
    do {
        if (!await_result(cluster, deadline_ms, &next) ||
            (next != NULL && !cluster_connection_is_good(cluster, next))) {
            cluster->pq->PQclear(next);
            cluster->pq->PQclear(last);
            return NULL;
        }
        if (next != NULL) {
            cluster->pq->PQclear(last);
            last = next;
        }
    } while (next != NULL);
    /* a warning may come after the result, but before the end of the answer */
    if (last == NULL || !cluster_connection_is_good(cluster, last)) {
        cluster->pq->PQclear(last);
        return NULL;
    }
    return last;
}

enum storage_result cluster_connection_change(struct cluster *cluster, const char *text, int count,
                                              const char *const *arguments)
{
    PGresult *done = cluster_connection_ask(cluster, text, count, arguments);

    if (done == NULL) {
        return STORAGE_IO;
    }
    const bool is_changed = strcmp(cluster->pq->PQcmdTuples(done), "0") != 0;
    cluster->pq->PQclear(done);
    return is_changed ? STORAGE_OK : STORAGE_NOT_FOUND;
}

/* Appends a parameter to a URL. A value may contain any byte. */
static void write_parameter(FILE *url, char separator, const char *name, const char *value)
{
    fprintf(url, "%c%s=", separator, name);
    for (; *value != '\0'; value++) {
        fprintf(url, "%%%02X", (unsigned)(unsigned char)*value);
    }
}

bool cluster_connection_write_url(struct cluster *cluster, char *url, size_t size)
{
    const struct libpq *pq = cluster->pq;
    const struct {
        const char *name, *value;
    } parameters[] = {{"host", pq->PQhost(cluster->connection)},
                      {"hostaddr", pq->PQhostaddr(cluster->connection)},
                      {"port", pq->PQport(cluster->connection)}};
    char separator = strchr(cluster->url, '?') == NULL ? '?' : '&';
    FILE *out = fmemopen(url, size, "w");

    if (out == NULL) {
        return false;
    }
    (void)fputs(cluster->url, out);
    for (size_t i = 0; i < ARRAY_LEN(parameters); i++) {
        if (parameters[i].value != NULL && parameters[i].value[0] != '\0') {
            write_parameter(out, separator, parameters[i].name, parameters[i].value);
            separator = '&';
        }
    }
    const bool is_whole = ferror(out) == 0;
    return fclose(out) == 0 && is_whole && strlen(url) + 1 < size;
}
