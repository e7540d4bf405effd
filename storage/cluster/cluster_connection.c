#include "storage/cluster/cluster_connection.h"

#include "storage/cluster/cluster_servers.h"
#include "storage/sql/sql.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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

bool cluster_connection_is_to_go_on(const struct cluster *cluster)
{
    return cluster->options.is_to_go_on == NULL ||
           cluster->options.is_to_go_on(cluster->options.context);
}

/* Waits until the connection's socket has one of the events. Returns false after failing. */
static bool await_socket(struct cluster *cluster, short events, int64_t deadline_ms)
{
    struct pollfd wanted = {.fd = cluster->pq->PQsocket(cluster->connection), .events = events};

    while (poll(&wanted, 1, CLUSTER_SLICE_MS) <= 0) {
        if (!cluster_connection_is_to_go_on(cluster)) {
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

enum storage_result cluster_connection_open(struct cluster *cluster)
{
    cluster_connection_close(cluster);
    cluster->pq = libpq_load(cluster->why, sizeof cluster->why);
    if (cluster->pq == NULL) {
        return STORAGE_FOREIGN;
    }
    RETURN_FAILURE(cluster_servers_connect(cluster));
    (void)cluster->pq->PQsetNoticeReceiver(cluster->connection, note_warning, cluster);
    return STORAGE_OK;
}

/* Call it before anything is sent. */
static bool begin_sending(struct cluster *cluster)
{
    if (cluster->connection == NULL) {
        (void)snprintf(cluster->why, sizeof cluster->why, "the database is not connected");
        return false;
    }
    cluster->was_warned = false;
    return true;
}

static bool end_sending(struct cluster *cluster, int sent)
{
    if (sent != 1) {
        fail_with_library_message(cluster);
    }
    return sent == 1;
}

bool cluster_connection_send(struct cluster *cluster, const char *text, int count,
                             const char *const *arguments)
{
    const struct libpq *pq = cluster->pq;

    return begin_sending(cluster) &&
           end_sending(cluster, count == 0 ? pq->PQsendQuery(cluster->connection, text)
                                           : pq->PQsendQueryParams(cluster->connection, text, count,
                                                                   NULL, arguments, NULL, NULL, 0));
}

bool cluster_connection_send_prepared(struct cluster *cluster, const char *name, int count,
                                      const char *const *arguments)
{
    return begin_sending(cluster) &&
           end_sending(cluster, cluster->pq->PQsendQueryPrepared(cluster->connection, name, count,
                                                                 arguments, NULL, NULL, 0));
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

bool cluster_connection_finish(struct cluster *cluster)
{
    const int64_t deadline_ms =
        cluster_connection_clock_ms() + cluster_connection_patience_ms(cluster);
    bool is_over = false;

    while (!is_over) {
        PGresult *rest = NULL;
        if (cluster->connection == NULL || !await_result(cluster, deadline_ms, &rest)) {
            return false;
        }
        is_over = rest == NULL;
        cluster->pq->PQclear(rest);
    }
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
