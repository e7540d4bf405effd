#include "storage/cluster/cluster_servers.h"

#include "storage/cluster/cluster_connection.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum storage_result cluster_servers_connect(struct cluster *cluster)
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
