#include "storage/cluster/cluster_state.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool cluster_connection_is_to_go_on(const struct cluster *cluster);

#define SERVERS_MAX 16
#define PARAMETERS_MAX 8
#define HOST_SIZE 256 /* room for a host's name, or for the folder of its socket */
#define FURTHER 5     /* further servers have so many times less time than the first */

/* The first eight digits of a WAL file's name are the timeline. */
#define READ_TIMELINE                                                                              \
    "SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint,"        \
    " pg_backend_pid()"

/* A server that is being asked. */
struct candidate {
    PGconn *connection; /* NULL: it is out of the question */
    short events;       /* what its socket is waited for */
    bool is_connected;
    bool has_answered; /* the timeline is known */
    int64_t timeline;
};

struct candidates {
    struct cluster *cluster;
    size_t count;
    struct candidate list[SERVERS_MAX];
};

static void rule_out(struct candidates *candidates, struct candidate *candidate, const char *why)
{
    struct cluster *cluster = candidates->cluster;

    (void)snprintf(cluster->why, sizeof cluster->why, "%.*s", (int)strcspn(why, "\n"), why);
    cluster->pq->PQfinish(candidate->connection);
    candidate->connection = NULL;
}

static void rule_out_with_library_message(struct candidates *candidates,
                                          struct candidate *candidate)
{
    char why[STORAGE_WHY_SIZE]; /* the message belongs to the connection */

    (void)snprintf(why, sizeof why, "%s",
                   candidates->cluster->pq->PQerrorMessage(candidate->connection));
    rule_out(candidates, candidate, why);
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
    return count < SERVERS_MAX ? count : SERVERS_MAX;
}

/* Starts to connect to one of the URL's servers. */
static void begin_connecting(struct candidates *candidates, const struct servers *servers,
                             size_t index)
{
    const struct cluster *cluster = candidates->cluster;
    struct candidate *candidate = &candidates->list[candidates->count++];
    char host[HOST_SIZE], address[HOST_SIZE], port[HOST_SIZE], timeout[CLUSTER_NUMBER_SIZE];
    const char *names[PARAMETERS_MAX] = {"dbname", "target_session_attrs", "tcp_user_timeout"};
    const char *values[PARAMETERS_MAX] = {cluster->url, "read-write", timeout};
    const char *const server_names[] = {"host", "hostaddr", "port"};
    const char *const server_values[] = {copy_item(servers->hosts, index, host),
                                         copy_item(servers->addresses, index, address),
                                         copy_item(servers->ports, index, port)};
    size_t count = 3;

    (void)snprintf(timeout, sizeof timeout, "%lld",
                   (long long)cluster_connection_patience_ms(cluster));
    for (size_t i = 0; i < ARRAY_LEN(server_names); i++) {
        if (server_values[i] != NULL) {
            names[count] = server_names[i];
            values[count++] = server_values[i];
        }
    }
    candidate->connection = cluster->pq->PQconnectStartParams(names, values, 1);
    candidate->events = POLLOUT;
    if (candidate->connection == NULL) {
        rule_out(candidates, candidate, "out of memory");
    } else if (cluster->pq->PQstatus(candidate->connection) == CONNECTION_BAD) {
        rule_out_with_library_message(candidates, candidate);
    }
}

static void go_on_connecting(struct candidates *candidates, struct candidate *candidate)
{
    const struct libpq *pq = candidates->cluster->pq;

    const PostgresPollingStatusType status = pq->PQconnectPoll(candidate->connection);
    candidate->events = status == PGRES_POLLING_WRITING ? POLLOUT : POLLIN;
    candidate->is_connected = status == PGRES_POLLING_OK;
    if (status == PGRES_POLLING_FAILED ||
        (status == PGRES_POLLING_OK &&
         pq->PQsendQuery(candidate->connection, READ_TIMELINE) != 1)) {
        rule_out_with_library_message(candidates, candidate);
    }
}

static void take_timeline(struct candidates *candidates, struct candidate *candidate,
                          const PGresult *result)
{
    const struct cluster *cluster = candidates->cluster;

    if (cluster->pq->PQresultStatus(result) != PGRES_TUPLES_OK) {
        rule_out_with_library_message(candidates, candidate);
        return;
    }
    candidate->timeline = strtoll(cluster->pq->PQgetvalue(result, 0, 0), NULL, 10);
    candidate->has_answered = true;
    /* A pooler gives each of its clients a number of its own. It may give the next transaction to
     * another process of the server, which knows nothing of our settings and statements. */
    if (strtol(cluster->pq->PQgetvalue(result, 0, 1), NULL, 10) !=
        cluster->pq->PQbackendPID(candidate->connection)) {
        rule_out(candidates, candidate,
                 "a pooler such as pgbouncer stands before the database: name the server itself");
    } else if (candidate->timeline < cluster->timeline) {
        rule_out(candidates, candidate, "this server was the primary before another one");
    }
}

static void read_timeline(struct candidates *candidates, struct candidate *candidate)
{
    const struct libpq *pq = candidates->cluster->pq;

    if (pq->PQconsumeInput(candidate->connection) != 1) {
        rule_out_with_library_message(candidates, candidate);
    }
    /* NULL stands at the end of the answer */
    while (candidate->connection != NULL && !pq->PQisBusy(candidate->connection)) {
        PGresult *result = pq->PQgetResult(candidate->connection);
        if (result == NULL) {
            break;
        }
        take_timeline(candidates, candidate, result);
        pq->PQclear(result);
    }
}

static bool is_awaited(const struct candidate *candidate)
{
    return candidate->connection != NULL && !candidate->has_answered;
}

/* Waits for the servers' sockets for a moment, and handles what has come. Returns false if no
 * server is awaited any more. */
static bool handle_answers(struct candidates *candidates, int64_t wait_ms)
{
    struct pollfd wanted[SERVERS_MAX];
    bool is_any_awaited = false;

    for (size_t i = 0; i < candidates->count; i++) {
        const struct candidate *candidate = &candidates->list[i];
        const bool is_one = is_awaited(candidate);
        wanted[i] = (struct pollfd){
            .fd = is_one ? candidates->cluster->pq->PQsocket(candidate->connection) : -1,
            .events = candidate->events,
        };
        is_any_awaited |= is_one;
    }
    if (!is_any_awaited || poll(wanted, candidates->count, (int)wait_ms) <= 0) {
        return is_any_awaited;
    }
    for (size_t i = 0; i < candidates->count; i++) {
        struct candidate *candidate = &candidates->list[i];
        if (wanted[i].revents != 0) {
            (candidate->is_connected ? read_timeline : go_on_connecting)(candidates, candidate);
        }
    }
    return true;
}

static bool has_any_answered(const struct candidates *candidates)
{
    bool has_any = false;

    for (size_t i = 0; i < candidates->count; i++) {
        has_any |= candidates->list[i].connection != NULL && candidates->list[i].has_answered;
    }
    return has_any;
}

/* Waits until all servers have answered or failed, or have had their time. */
static void await_answers(struct candidates *candidates)
{
    struct cluster *cluster = candidates->cluster;
    const int64_t patience_ms = cluster_connection_patience_ms(cluster);
    int64_t asked_ms = cluster_connection_clock_ms(); /* whether to go on */
    int64_t deadline_ms = asked_ms + patience_ms;
    bool has_first = false;
    bool is_any_awaited = true;
    bool is_to_go_on = true;

    while (is_any_awaited && is_to_go_on) {
        const int64_t now_ms = cluster_connection_clock_ms();
        if (!has_first && has_any_answered(candidates)) {
            has_first = true;
            deadline_ms = now_ms + patience_ms / FURTHER;
        }
        if (now_ms > deadline_ms) {
            break;
        }
        is_any_awaited = handle_answers(candidates, CLUSTER_SLICE_MS);
        if (now_ms - asked_ms >= CLUSTER_SLICE_MS) {
            asked_ms = now_ms;
            is_to_go_on = cluster_connection_is_to_go_on(cluster);
        }
    }
    for (size_t i = 0; i < candidates->count; i++) {
        struct candidate *candidate = &candidates->list[i];
        if (is_awaited(candidate)) {
            rule_out(candidates, candidate,
                     is_to_go_on ? "the database does not answer"
                                 : "the wait for the database was given up");
        }
    }
}

/* Keeps the connection to the server with the highest timeline, and closes the others. */
static void choose(struct candidates *candidates)
{
    struct cluster *cluster = candidates->cluster;
    struct candidate *best = NULL;

    for (size_t i = 0; i < candidates->count; i++) {
        struct candidate *candidate = &candidates->list[(cluster->tries + i) % candidates->count];
        if (candidate->connection != NULL &&
            (best == NULL || candidate->timeline > best->timeline)) {
            best = candidate;
        }
    }
    cluster->tries++;
    for (size_t i = 0; i < candidates->count; i++) {
        struct candidate *candidate = &candidates->list[i];
        if (candidate != best && candidate->connection != NULL) {
            rule_out(candidates, candidate, "another server has the newer history");
        }
    }
    if (best != NULL) {
        cluster->connection = best->connection;
        cluster->timeline = best->timeline;
    }
}

/*
 * Sets cluster->connection. Returns STORAGE_OK, _IO, _FOREIGN as cluster_connect does; the failure
 * is described in cluster->why. Waits at most cluster_connection_patience_ms, and only a fifth of
 * that for further servers once one has answered.
 *
 * More than one server may say that it takes writes: a former primary that was cut off or stood
 * still says so until somebody stops it, but its commits wait in vain for a standby. So all servers
 * are asked at once, and of those that answer soon the one with the highest timeline (PostgreSQL's
 * number of a history, which rises when a standby becomes the primary) is taken. Of several with
 * the same timeline, the next try takes another one.
 */
static enum storage_result cluster_servers_connect(struct cluster *cluster)
{
    struct candidates candidates = {.cluster = cluster};
    char *error = NULL;

    PQconninfoOption *options = cluster->pq->PQconninfoParse(cluster->url, &error);
    if (options == NULL) {
        cluster_connection_fail(cluster, error != NULL ? error : "out of memory");
        cluster->pq->PQfreemem(error);
        return STORAGE_FOREIGN;
    }
    const struct servers servers = find_servers(options);
    const size_t count = count_items(servers.hosts != NULL ? servers.hosts : servers.addresses);
    for (size_t i = 0; i < count; i++) {
        begin_connecting(&candidates, &servers, i);
    }
    cluster->pq->PQconninfoFree(options);
    await_answers(&candidates);
    choose(&candidates);
    return cluster->connection != NULL ? STORAGE_OK : STORAGE_IO;
}

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

static bool cluster_connection_is_to_go_on(const struct cluster *cluster)
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

static void copy_text(const struct cluster *cluster, const PGresult *rows, int row, int column,
                      char *copy, size_t size)
{
    (void)snprintf(copy, size, "%s", cluster->pq->PQgetvalue(rows, row, column));
}

static bool is_true(const struct cluster *cluster, const PGresult *rows, int row, int column)
{
    return cluster->pq->PQgetvalue(rows, row, column)[0] == 't';
}

static enum storage_result take_steps(struct cluster *cluster, int64_t steps)
{
    if (steps < cluster->steps) {
        (void)snprintf(cluster->why, sizeof cluster->why,
                       "the database was restored from an older copy: it has %" PRId64
                       " changes, and people were told %" PRId64
                       ". If that is meant: trickhouse cluster accept",
                       steps, cluster->steps);
        return STORAGE_REFUSED;
    }
    cluster->read_steps = steps;
    return STORAGE_OK;
}

void cluster_list_note_durable(struct cluster *cluster, int64_t steps)
{
    if (steps > cluster->steps) {
        cluster->steps = steps;
    }
}

enum storage_result cluster_list_take(struct cluster *cluster, const PGresult *rows)
{
    struct cluster_list *list = &cluster->next_list;
    const int count = cluster->pq->PQntuples(rows);

    memset(list, 0, sizeof *list); /* equal lists then have equal bytes, */
    list->holder = CLUSTER_NOBODY;
    for (int i = 0; i < count && list->count < ARRAY_LEN(list->nodes); i++) {
        struct cluster_node *node = &list->nodes[list->count++];
        node->node = (int)strtol(cluster->pq->PQgetvalue(rows, i, 0), NULL, 10);
        node->is_alive = is_true(cluster, rows, i, 1);
        copy_text(cluster, rows, i, 2, node->address, sizeof node->address);
        copy_text(cluster, rows, i, 3, node->key, sizeof node->key);
        copy_text(cluster, rows, i, 4, node->version, sizeof node->version);
        node->has_failed_to_open = is_true(cluster, rows, i, 7);
        if (node->is_alive && is_true(cluster, rows, i, 5)) {
            list->holder = node->node;
            cluster->holder_left_ms = strtoll(cluster->pq->PQgetvalue(rows, i, 8), NULL, 10);
            list->is_asked_to_leave = is_true(cluster, rows, i, 6);
        }
    }
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-*): also between members */
    if (memcmp(&cluster->list, list, sizeof *list) != 0) {
        memcpy(&cluster->list, list, sizeof *list);
        cluster->list_changes++;
    }
    return count == 0 ? STORAGE_OK
                      : take_steps(cluster, strtoll(cluster->pq->PQgetvalue(rows, 0, 9), NULL, 10));
}
