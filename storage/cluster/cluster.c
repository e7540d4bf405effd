#include "storage/cluster/cluster.h"

#include "storage/sql/postgres.h"
#include "storage/sql/sql.h"
#include "storage/upkeep/upkeep.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Generated from migrations/cluster/NNN-what.sql: `migrations_cluster`, an array of struct
 * migration. */
#include "storage/upkeep/migrations_cluster.inc"

#define SLICE_MS 100 /* the caller of a function that waits is asked this often */

/* Returns the time of a clock that never jumps, in ms. */
static int64_t read_clock_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Returns for how long an answer may be late, in ms. */
static int64_t patience_ms(const struct cluster *cluster)
{
    return (int64_t)cluster->options.lease_ms * 5 / 16;
}

static bool is_to_go_on(const struct cluster *cluster)
{
    return cluster->options.is_to_go_on == NULL ||
           cluster->options.is_to_go_on(cluster->options.context);
}

/* Copies the first line of what has failed: the library's messages may have more. */
static void describe_failure(struct cluster *cluster, const char *what)
{
    (void)snprintf(cluster->why, sizeof cluster->why, "%.*s", (int)strcspn(what, "\n"), what);
}

static void disconnect(struct cluster *cluster)
{
    if (cluster->connection != NULL) {
        cluster->pq->PQfinish(cluster->connection);
        cluster->connection = NULL;
    }
    cluster->incarnation[0] = '\0';
    cluster->epoch[0] = '\0';
}

/* Describes a failure, and disconnects. Returns false. */
static bool fail(struct cluster *cluster, const char *what)
{
    describe_failure(cluster, what);
    disconnect(cluster);
    return false;
}

static bool fail_with_library_message(struct cluster *cluster)
{
    return fail(cluster, cluster->pq->PQerrorMessage(cluster->connection));
}

static void copy_value(const struct cluster *cluster, const PGresult *rows, int row, int column,
                       char *copy, size_t size)
{
    (void)snprintf(copy, size, "%s", cluster->pq->PQgetvalue(rows, row, column));
}

/* == Finding the server == */

#define SERVERS_MAX 16
#define PARAMETERS_MAX 64
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

/* `why` may belong to the connection. */
static void rule_out(struct candidates *candidates, struct candidate *candidate, const char *why)
{
    struct cluster *cluster = candidates->cluster;

    describe_failure(cluster, why);
    cluster->pq->PQfinish(candidate->connection);
    candidate->connection = NULL;
}

static void rule_out_with_library_message(struct candidates *candidates,
                                          struct candidate *candidate)
{
    rule_out(candidates, candidate, candidates->cluster->pq->PQerrorMessage(candidate->connection));
}

/* Copies the item at `index` of a list with commas. A list of one item has it at every index. */
static const char *copy_item(const char *list, size_t index, char item[HOST_SIZE])
{
    const bool is_single = strchr(list, ',') == NULL;

    for (size_t i = 0; i < index && !is_single; i++) {
        list += strcspn(list, ",");
        list += *list == ',';
    }
    (void)snprintf(item, HOST_SIZE, "%.*s", (int)strcspn(list, ","), list);
    return item;
}

/* The parameters of the URL that are lists with commas of its servers. */
static const char *const server_lists[] = {"host", "hostaddr", "port"};

static bool is_server_list(const PQconninfoOption *option)
{
    bool is_one = false;

    for (size_t i = 0; i < ARRAY_LEN(server_lists); i++) {
        is_one |= strcmp(option->keyword, server_lists[i]) == 0;
    }
    return is_one && option->val != NULL;
}

static size_t count_servers(const PQconninfoOption *option)
{
    size_t most = 1;

    for (; option->keyword != NULL; option++) {
        size_t count = 1;
        for (const char *at = is_server_list(option) ? option->val : ""; *at != '\0'; at++) {
            count += *at == ',';
        }
        most = count > most ? count : most;
    }
    return most < SERVERS_MAX ? most : SERVERS_MAX;
}

/* Starts to connect to one of the URL's servers. */
static void begin_connecting(struct candidates *candidates, const PQconninfoOption *option,
                             size_t index)
{
    const struct cluster *cluster = candidates->cluster;
    struct candidate *candidate = &candidates->list[candidates->count++];
    char items[ARRAY_LEN(server_lists)][HOST_SIZE];
    char timeout[CLUSTER_NUMBER_SIZE];
    const char *names[PARAMETERS_MAX] = {NULL};
    const char *values[PARAMETERS_MAX] = {NULL};
    size_t count = 0;
    size_t lists = 0;

    for (; option->keyword != NULL && count < PARAMETERS_MAX - 3; option++) {
        names[count] = option->keyword;
        values[count] =
            is_server_list(option) ? copy_item(option->val, index, items[lists++]) : option->val;
        count += option->val != NULL;
    }
    (void)snprintf(timeout, sizeof timeout, "%" PRId64, patience_ms(cluster));
    names[count] = "target_session_attrs";
    values[count++] = "read-write";
    names[count] = "tcp_user_timeout";
    values[count++] = timeout;
    names[count] = NULL;
    candidate->connection = cluster->pq->PQconnectStartParams(names, values, 0);
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
    } else if (candidate->timeline < cluster->seen.timeline) {
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
    const int64_t patience = patience_ms(cluster);
    int64_t asked_ms = read_clock_ms(); /* whether to go on */
    int64_t deadline_ms = asked_ms + patience;
    bool has_first = false;
    bool is_any_awaited = true;
    bool goes_on = true;

    while (is_any_awaited && goes_on) {
        const int64_t now_ms = read_clock_ms();
        if (!has_first && has_any_answered(candidates)) {
            has_first = true;
            deadline_ms = now_ms + patience / FURTHER;
        }
        if (now_ms > deadline_ms) {
            break;
        }
        is_any_awaited = handle_answers(candidates, SLICE_MS);
        if (now_ms - asked_ms >= SLICE_MS) {
            asked_ms = now_ms;
            goes_on = is_to_go_on(cluster);
        }
    }
    for (size_t i = 0; i < candidates->count; i++) {
        struct candidate *candidate = &candidates->list[i];
        if (is_awaited(candidate)) {
            rule_out(candidates, candidate,
                     goes_on ? "the database does not answer"
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
        cluster->seen.timeline = best->timeline;
    }
}

/*
 * Sets cluster->connection. Returns STORAGE_OK, _IO, _FOREIGN as cluster_connect does; the failure
 * is described in cluster->why. Waits at most patience_ms, and only a fifth of
 * that for further servers once one has answered.
 *
 * More than one server may say that it takes writes: a former primary that was cut off or stood
 * still says so until somebody stops it, but its commits wait in vain for a standby. So all servers
 * are asked at once, and of those that answer soon the one with the highest timeline (PostgreSQL's
 * number of a history, which rises when a standby becomes the primary) is taken. Of several with
 * the same timeline, the next try takes another one.
 */
static enum storage_result choose_server(struct cluster *cluster)
{
    struct candidates candidates = {.cluster = cluster};
    char *error = NULL;

    PQconninfoOption *options = cluster->pq->PQconninfoParse(cluster->options.url, &error);
    if (options == NULL) {
        describe_failure(cluster, error != NULL ? error : "out of memory");
        cluster->pq->PQfreemem(error);
        return STORAGE_FOREIGN;
    }
    for (size_t i = 0, count = count_servers(options); i < count; i++) {
        begin_connecting(&candidates, options, i);
    }
    cluster->pq->PQconninfoFree(options);
    await_answers(&candidates);
    choose(&candidates);
    return cluster->connection != NULL ? STORAGE_OK : STORAGE_IO;
}

/* == Statements. All functions that fail disconnect. == */

/* Waits until the connection's socket can be read. Returns false after failing. */
static bool await_socket(struct cluster *cluster, int64_t deadline_ms)
{
    struct pollfd wanted = {.fd = cluster->pq->PQsocket(cluster->connection), .events = POLLIN};

    while (poll(&wanted, 1, SLICE_MS) <= 0) {
        if (!is_to_go_on(cluster)) {
            return fail(cluster, "the wait for the database was given up");
        }
        if (read_clock_ms() > deadline_ms) {
            return fail(cluster, "the database does not answer");
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

/* Sends a statement, or with `is_prepared` the name of a prepared one. */
static bool send_statement(struct cluster *cluster, const char *text, bool is_prepared, int count,
                           const char *const *arguments)
{
    const struct libpq *pq = cluster->pq;
    PGconn *connection = cluster->connection;

    if (connection == NULL) {
        return fail(cluster, "the database is not connected");
    }
    cluster->was_warned = false;
    int sent = is_prepared
                   ? pq->PQsendQueryPrepared(connection, text, count, arguments, NULL, NULL, 0)
               : count == 0
                   ? pq->PQsendQuery(connection, text)
                   : pq->PQsendQueryParams(connection, text, count, NULL, arguments, NULL, NULL, 0);
    return sent == 1 || fail_with_library_message(cluster);
}

/* Returns false after failing if a result is an error, or if there was a warning. That may come
 * after the result, but before the end of the answer (NULL). */
static bool is_good(struct cluster *cluster, const PGresult *result)
{
    const ExecStatusType status =
        result == NULL ? PGRES_COMMAND_OK : cluster->pq->PQresultStatus(result);

    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        return fail(cluster, cluster->pq->PQresultErrorMessage(result));
    }
    return !cluster->was_warned || fail(cluster, "somebody has cancelled the wait for a standby");
}

/* Waits for the next result; NULL after the last one. Returns false after failing. */
static bool await_result(struct cluster *cluster, int64_t deadline_ms, PGresult **result)
{
    while (cluster->pq->PQisBusy(cluster->connection)) {
        if (!await_socket(cluster, deadline_ms)) {
            return false;
        }
        if (cluster->pq->PQconsumeInput(cluster->connection) != 1) {
            return fail_with_library_message(cluster);
        }
    }
    *result = cluster->pq->PQgetResult(cluster->connection);
    return true;
}

/* Waits for the end of the last answer, of which nobody wants to know any more. A barrier whose
 * answer is dropped makes nothing durable. */
static bool await_end_of_answer(struct cluster *cluster, int64_t deadline_ms)
{
    PGresult *rest = NULL;

    cluster->barriers.asked = CLUSTER_ASKS_NOTHING;
    do {
        cluster->pq->PQclear(rest);
        if (!await_result(cluster, deadline_ms, &rest)) {
            return false;
        }
    } while (rest != NULL);
    return true;
}

/* Runs a statement with arguments as texts, and waits for its result. Returns NULL on a failure; a
 * warning is one, because the server only warns if somebody has cancelled the wait for a standby.
 * Free the result with PQclear. Without arguments the text may be several statements, which are one
 * transaction; the result is then that of the last. */
static PGresult *ask(struct cluster *cluster, const char *text, int count,
                     const char *const *arguments)
{
    const int64_t deadline_ms = read_clock_ms() + patience_ms(cluster);
    PGresult *last = NULL;

    if ((cluster->connection != NULL && !await_end_of_answer(cluster, deadline_ms)) ||
        !send_statement(cluster, text, false, count, arguments)) {
        return NULL;
    }
    for (;;) {
        PGresult *next = NULL;
        const bool is_well = await_result(cluster, deadline_ms, &next) && is_good(cluster, next);
        if (is_well && next == NULL) {
            return last;
        }
        cluster->pq->PQclear(last);
        last = next;
        if (!is_well) {
            cluster->pq->PQclear(last);
            return NULL;
        }
    }
}

/* Runs a statement without a result that is wanted. */
static enum storage_result run(struct cluster *cluster, const char *text)
{
    PGresult *done = ask(cluster, text, 0, NULL);
    const bool is_done = done != NULL;

    cluster->pq->PQclear(done);
    return is_done ? STORAGE_OK : STORAGE_IO;
}

/* Runs a statement that changes rows; STORAGE_NOT_FOUND if it has changed none. */
static enum storage_result change(struct cluster *cluster, const char *text, int count,
                                  const char *const *arguments)
{
    PGresult *done = ask(cluster, text, count, arguments);

    if (done == NULL) {
        return STORAGE_IO;
    }
    const bool is_changed = strcmp(cluster->pq->PQcmdTuples(done), "0") != 0;
    cluster->pq->PQclear(done);
    return is_changed ? STORAGE_OK : STORAGE_NOT_FOUND;
}

/* == The list of nodes == */

/* The list of nodes (cluster_nodes), as a result of this query. */
#define LIST_QUERY                                                                                 \
    "SELECT n.node, n.until > clock_timestamp(), n.address, n.key, n.version,"                     \
    " EXISTS (SELECT FROM cluster.leases l WHERE l.scope = 0 AND l.node = n.node),"                \
    " EXISTS (SELECT FROM cluster.leases l WHERE l.scope = 0 AND l.node = n.node"                  \
    " AND l.left_by = n.node),"                                                                    \
    " n.pause_until > '-infinity',"                                                                \
    " ceil(extract(epoch FROM greatest(n.until, clock_timestamp()) - clock_timestamp()) * 1000),"  \
    " (SELECT l.steps FROM cluster.leases l WHERE l.scope = 0)"                                    \
    " FROM cluster.nodes n ORDER BY n.node"

static bool is_true(const struct cluster *cluster, const PGresult *rows, int row, int column)
{
    return cluster->pq->PQgetvalue(rows, row, column)[0] == 't';
}

static enum storage_result take_steps(struct cluster *cluster, int64_t steps)
{
    if (steps < cluster->seen.steps) {
        (void)snprintf(cluster->why, sizeof cluster->why,
                       "the database was restored from an older copy: it has %" PRId64
                       " changes, and people were told %" PRId64
                       ". If that is meant: trickhouse cluster accept",
                       steps, cluster->seen.steps);
        return STORAGE_REFUSED;
    }
    cluster->read_steps = steps;
    return STORAGE_OK;
}

/* Notes steps that were read before a commit that has become durable, and so are durable too. */
static void note_durable(struct cluster *cluster, int64_t steps)
{
    if (steps > cluster->seen.steps) {
        cluster->seen.steps = steps;
    }
}

/* Keeps the list that the rows describe, and counts a change. Returns STORAGE_OK; STORAGE_REFUSED
 * if the database knows fewer steps than before (cluster_seen). */
static enum storage_result take_list(struct cluster *cluster, const PGresult *rows)
{
    struct cluster_list *list = &cluster->next_list;
    const int count = cluster->pq->PQntuples(rows);

    memset(list, 0, sizeof *list); /* equal lists then have equal bytes, */
    list->holder = CLUSTER_NOBODY;
    for (int i = 0; i < count && list->count < ARRAY_LEN(list->nodes); i++) {
        struct cluster_node *node = &list->nodes[list->count++];
        node->node = (int)strtol(cluster->pq->PQgetvalue(rows, i, 0), NULL, 10);
        node->is_alive = is_true(cluster, rows, i, 1);
        copy_value(cluster, rows, i, 2, node->address, sizeof node->address);
        copy_value(cluster, rows, i, 3, node->key, sizeof node->key);
        copy_value(cluster, rows, i, 4, node->version, sizeof node->version);
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

#define FORGET "DELETE FROM cluster.nodes WHERE node = $1 AND until <= clock_timestamp()"

/* More steps than any node has seen: in the mean, a house makes fewer than a thousand a second. */
#define ACCEPT                                                                                     \
    "UPDATE cluster.leases SET steps ="                                                            \
    " greatest(steps, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) WHERE scope = 0"

#define HAND_OVER                                                                                  \
    "UPDATE cluster.leases SET left_by = node, left_at = clock_timestamp()"                        \
    " WHERE scope = 0 AND node = coalesce($1, node)"

enum storage_result cluster_nodes_read(struct cluster *cluster)
{
    PGresult *rows = ask(cluster, LIST_QUERY, 0, NULL);

    if (rows == NULL) {
        return STORAGE_IO;
    }
    const enum storage_result result = take_list(cluster, rows);
    cluster->pq->PQclear(rows);
    return result;
}

enum storage_result cluster_nodes_forget(struct cluster *cluster, int node)
{
    char number[CLUSTER_NUMBER_SIZE];
    const char *const arguments[] = {number};

    (void)snprintf(number, sizeof number, "%d", node);
    const enum storage_result result = change(cluster, FORGET, ARRAY_LEN(arguments), arguments);
    if (result != STORAGE_NOT_FOUND) {
        return result;
    }
    RETURN_FAILURE(cluster_nodes_read(cluster));
    for (size_t i = 0; i < cluster->list.count; i++) {
        if (cluster->list.nodes[i].node == node) {
            (void)snprintf(cluster->why, sizeof cluster->why, "node %d is alive", node);
            return STORAGE_REFUSED;
        }
    }
    (void)snprintf(cluster->why, sizeof cluster->why, "there is no node %d", node);
    return STORAGE_NOT_FOUND;
}

enum storage_result cluster_nodes_accept(struct cluster *cluster)
{
    return change(cluster, ACCEPT, 0, NULL);
}

enum storage_result cluster_nodes_hand_over(struct cluster *cluster, int holder)
{
    char number[CLUSTER_NUMBER_SIZE];
    const char *const arguments[] = {holder == CLUSTER_NOBODY ? NULL : number};

    (void)snprintf(number, sizeof number, "%d", holder);
    const enum storage_result result = change(cluster, HAND_OVER, ARRAY_LEN(arguments), arguments);
    if (result == STORAGE_NOT_FOUND && holder == CLUSTER_NOBODY) {
        (void)snprintf(cluster->why, sizeof cluster->why, "no node holds the house");
    } else if (result == STORAGE_NOT_FOUND) {
        (void)snprintf(cluster->why, sizeof cluster->why, "node %d does not hold the house",
                       holder);
    }
    return result;
}

#define BEATS 5 /* beats within a lease's time */

/* Of the session; an operator may have changed the defaults. The check: a process of the server
 * that waits for a lock ends when this node has given up the connection. */
#define SETTINGS                                                                                   \
    "SET synchronous_commit = on; SET statement_timeout = 0; SET lock_timeout = 0;"                \
    " SET idle_session_timeout = 0; SET client_connection_check_interval = '1 s';"

/* So that only one node at a time makes the tables; the number is "TrHo" in ASCII. */
#define LOCK_SCHEMA "SELECT pg_advisory_xact_lock(1416775791)"

/* Two connections that get the same text are to the same database of the same running server. */
#define DESCRIBE_SERVER                                                                            \
    "SELECT concat_ws(' ', system_identifier, extract(epoch FROM pg_postmaster_start_time()),"     \
    " inet_server_addr(), inet_server_port(), current_database())"
#define FROM_SERVER " FROM pg_control_system()"
#define DESCRIBE_SERVER_NOW DESCRIBE_SERVER ", clock_timestamp()" FROM_SERVER

/* Another owner's row stays until its time has run out. Another house or another program may be
 * able to open the data, so neither has to wait for the end of a pause. */
#define REGISTER                                                                                   \
    "INSERT INTO cluster.nodes AS n"                                                               \
    " (node, incarnation, owner, address, key, version, until, beat)"                              \
    " VALUES ($1, 1, $3, $4, $5, $6, clock_timestamp() + $2::bigint * interval '1 ms', 0)"         \
    " ON CONFLICT (node) DO UPDATE SET incarnation = n.incarnation + 1, owner = excluded.owner,"   \
    " address = excluded.address, key = excluded.key, version = excluded.version,"                 \
    " until = excluded.until, pause_until = CASE WHEN n.owner = excluded.owner"                    \
    " AND n.version = excluded.version THEN n.pause_until ELSE '-infinity' END"                    \
    " WHERE n.owner = excluded.owner OR n.until <= clock_timestamp() RETURNING incarnation"

/* A node whose time has run out cannot beat: it must register anew. */
#define BEAT                                                                                       \
    "UPDATE cluster.nodes SET beat = beat + 1,"                                                    \
    " until = clock_timestamp() + $2::bigint * interval '1 ms'"                                    \
    " WHERE node = $1 AND incarnation = $3 AND until > clock_timestamp()"

/* The row of the lease is locked by a transaction of its holder that is just being committed: then
 * it is skipped, and tried again later. */
#define CLAIM                                                                                      \
    "UPDATE cluster.leases SET node = $1, epoch = epoch + 1, left_by = NULL WHERE scope IN ("      \
    "SELECT l.scope FROM cluster.leases l LEFT JOIN cluster.nodes n ON n.node = l.node"            \
    " WHERE l.scope = 0 AND l.steps >= $5"                                                         \
    " AND (l.node = $1 OR n.node IS NULL OR (n.until <= clock_timestamp()"                         \
    " AND $4::timestamptz + $2::bigint * interval '1 ms' <= clock_timestamp()))"                   \
    " AND (l.left_by IS DISTINCT FROM $1"                                                          \
    " OR l.left_at + $2::bigint * interval '1 ms' <= clock_timestamp())"                           \
    " AND EXISTS (SELECT FROM cluster.nodes own WHERE own.node = $1 AND own.incarnation = $3"      \
    " AND own.until > clock_timestamp() AND own.pause_until <= clock_timestamp())"                 \
    " FOR UPDATE OF l SKIP LOCKED) RETURNING epoch"

/* For a process that was asked to give the house up and died before it could. */
#define LEAVE_AS_ASKED                                                                             \
    "UPDATE cluster.leases SET node = NULL, epoch = epoch + 1"                                     \
    " WHERE scope = 0 AND node = $1 AND left_by = $1"

#define GIVE_UP(columns)                                                                           \
    "UPDATE cluster.leases SET node = NULL, epoch = epoch + 1" columns                             \
    " WHERE node = $1 AND EXISTS"                                                                  \
    " (SELECT FROM cluster.nodes n WHERE n.node = $1 AND n.incarnation = $2)"
#define GIVE_UP_LEASE GIVE_UP("")
#define LEAVE_LEASE_TO_OTHERS GIVE_UP(", left_by = $1, left_at = clock_timestamp()")
#define GIVE_UP_LEASE_AND_PAUSE                                                                    \
    "WITH paused AS (UPDATE cluster.nodes"                                                         \
    " SET pause_until = clock_timestamp()"                                                         \
    " + (0.75 + random() / 2) * $3::bigint * interval '1 ms'"                                      \
    " WHERE node = $1 AND incarnation = $2) " GIVE_UP_LEASE

#define LEAVE "UPDATE cluster.nodes SET until = '-infinity' WHERE node = $1 AND incarnation = $2"

struct cluster *cluster_new(const struct cluster_options *options)
{
    struct cluster *cluster = calloc(1, sizeof *cluster);
    struct sql_engine *engine = malloc(sizeof *engine);

    if (cluster == NULL || engine == NULL) {
        abort(); /* out of memory */
    }
    cluster->engine = engine;
    cluster->options = *options;
    cluster->list.holder = CLUSTER_NOBODY;
    cluster->seen = options->seen;
    (void)snprintf(cluster->node, sizeof cluster->node, "%d", options->node);
    (void)snprintf(cluster->lease_ms, sizeof cluster->lease_ms, "%u", options->lease_ms);
    return cluster;
}

void cluster_free(struct cluster *cluster)
{
    disconnect(cluster);
    free(cluster->engine);
    free(cluster);
}

/* Makes the tables if they are missing, and sets up the connection. */
static enum storage_result prepare_connection(struct cluster *cluster)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        abort(); /* out of memory */
    }
    (void)fputs(SETTINGS LOCK_SCHEMA ";", out);
    for (size_t i = 0; i < ARRAY_LEN(migrations_cluster); i++) {
        (void)fputs(migrations_cluster[i].text, out);
    }
    if (fclose(out) != 0) {
        abort(); /* out of memory */
    }
    const enum storage_result result = run(cluster, text);
    free(text);
    return result;
}

enum storage_result cluster_connect(struct cluster *cluster)
{
    disconnect(cluster);
    cluster->pq = libpq_load(cluster->why, sizeof cluster->why);
    if (cluster->pq == NULL) {
        return STORAGE_FOREIGN;
    }
    RETURN_FAILURE(choose_server(cluster));
    (void)cluster->pq->PQsetNoticeReceiver(cluster->connection, note_warning, cluster);
    RETURN_FAILURE(prepare_connection(cluster));
    PGresult *server = ask(cluster, DESCRIBE_SERVER_NOW, 0, NULL);
    if (server == NULL) {
        return STORAGE_IO;
    }
    copy_value(cluster, server, 0, 0, cluster->server, sizeof cluster->server);
    copy_value(cluster, server, 0, 1, cluster->connected_at, sizeof cluster->connected_at);
    cluster->pq->PQclear(server);
    return STORAGE_OK;
}

/* Reads the number that a statement returns, if it found a row, and keeps it as a text. */
static enum storage_result ask_for_number(struct cluster *cluster, const char *text, int count,
                                          const char *const *arguments,
                                          char number[CLUSTER_NUMBER_SIZE])
{
    PGresult *row = ask(cluster, text, count, arguments);

    if (row == NULL) {
        return STORAGE_IO;
    }
    const bool is_found = cluster->pq->PQntuples(row) == 1;
    if (is_found) {
        copy_value(cluster, row, 0, 0, number, CLUSTER_NUMBER_SIZE);
    }
    cluster->pq->PQclear(row);
    return is_found ? STORAGE_OK : STORAGE_NOT_FOUND;
}

enum storage_result cluster_register(struct cluster *cluster)
{
    const struct cluster_options *options = &cluster->options;
    const char *const arguments[] = {cluster->node,    cluster->lease_ms, options->owner,
                                     options->address, options->key,      options->version};

    cluster->epoch[0] = '\0';
    const enum storage_result result =
        ask_for_number(cluster, REGISTER, ARRAY_LEN(arguments), arguments, cluster->incarnation);
    if (result == STORAGE_NOT_FOUND) {
        (void)snprintf(cluster->why, sizeof cluster->why,
                       "another house is registered as node %s and is alive, or died a moment ago",
                       cluster->node);
        return STORAGE_TAKEN;
    }
    RETURN_FAILURE(result);
    cluster->beat_ms = read_clock_ms();
    return change(cluster, LEAVE_AS_ASKED, 1, arguments) == STORAGE_IO ? STORAGE_IO : STORAGE_OK;
}

static enum storage_result beat_if_due(struct cluster *cluster)
{
    const char *const arguments[] = {cluster->node, cluster->lease_ms, cluster->incarnation};
    const int64_t now_ms = read_clock_ms();

    if (now_ms - cluster->beat_ms < cluster->options.lease_ms / BEATS) {
        return STORAGE_OK;
    }
    cluster->beat_ms = now_ms;
    const int64_t steps = cluster->read_steps;
    const enum storage_result result = change(cluster, BEAT, ARRAY_LEN(arguments), arguments);
    if (result == STORAGE_NOT_FOUND) {
        cluster->incarnation[0] = '\0';
    }
    RETURN_FAILURE(result);
    note_durable(cluster, steps);
    cluster->commit_ms = read_clock_ms() - now_ms;
    return STORAGE_OK;
}

enum storage_result cluster_watch(struct cluster *cluster, bool *is_held)
{
    char steps[CLUSTER_NUMBER_SIZE];
    const char *const arguments[] = {cluster->node, cluster->lease_ms, cluster->incarnation,
                                     cluster->connected_at, steps};

    *is_held = false;
    enum storage_result result = STORAGE_OK;
    if (cluster->connection == NULL) {
        result = cluster_connect(cluster);
    }
    if (result == STORAGE_OK && cluster->incarnation[0] == '\0') {
        result = cluster_register(cluster);
    }
    RETURN_FAILURE(result);
    (void)snprintf(steps, sizeof steps, "%" PRId64, cluster->seen.steps);
    RETURN_FAILURE(beat_if_due(cluster));
    result = ask_for_number(cluster, CLAIM, ARRAY_LEN(arguments), arguments, cluster->epoch);
    if (result != STORAGE_OK && result != STORAGE_NOT_FOUND) {
        return result;
    }
    *is_held = result == STORAGE_OK;
    return cluster_nodes_read(cluster);
}

int64_t cluster_watch_pause_ms(const struct cluster *cluster)
{
    if (cluster->list.holder == CLUSTER_NOBODY) {
        return CLUSTER_VACANT_MS;
    }
    const int64_t left_ms = cluster->holder_left_ms + 1;
    return left_ms < CLUSTER_WATCH_MS ? left_ms : CLUSTER_WATCH_MS;
}

enum storage_result cluster_give_up(struct cluster *cluster, bool is_for_others)
{
    const char *statement = is_for_others ? LEAVE_LEASE_TO_OTHERS : GIVE_UP_LEASE;
    const char *const arguments[] = {cluster->node, cluster->incarnation};

    if (cluster->incarnation[0] == '\0') {
        return STORAGE_OK;
    }
    enum storage_result result = change(cluster, statement, ARRAY_LEN(arguments), arguments);
    if (result == STORAGE_OK || result == STORAGE_NOT_FOUND) {
        result = change(cluster, LEAVE, ARRAY_LEN(arguments), arguments);
    }
    cluster->incarnation[0] = '\0';
    cluster->epoch[0] = '\0';
    return result == STORAGE_IO ? STORAGE_IO : STORAGE_OK;
}

enum storage_result cluster_give_up_and_pause(struct cluster *cluster)
{
    char pause_ms[CLUSTER_NUMBER_SIZE];
    const char *const arguments[] = {cluster->node, cluster->incarnation, pause_ms};

    (void)snprintf(pause_ms, sizeof pause_ms, "%u",
                   cluster->options.lease_ms * CLUSTER_PAUSE_LEASES);
    cluster->epoch[0] = '\0';
    return change(cluster, GIVE_UP_LEASE_AND_PAUSE, ARRAY_LEN(arguments), arguments) == STORAGE_IO
               ? STORAGE_IO
               : STORAGE_OK;
}

#define BARRIERS 5    /* barriers within a lease's time, at least */
#define URL_SIZE 8192 /* room for the URL of the connection for transactions */

/* Also finds no row if this node does not hold the lease any more. It is prepared, because to parse
 * and plan it anew takes several times as long as to run it. */
#define BARRIER "barrier"
#define PREPARE_BARRIER                                                                            \
    "DEALLOCATE ALL; PREPARE " BARRIER " AS UPDATE cluster.nodes SET beat = beat + 1,"             \
    " until = clock_timestamp() + $2::bigint * interval '1 ms'"                                    \
    " WHERE node = $1 AND incarnation = $3 AND until > clock_timestamp() AND EXISTS"               \
    " (SELECT FROM cluster.leases l WHERE l.scope = 0 AND l.node = $1 AND l.epoch = $4)"

/* Gives the node time to load the house, and forgets that it could not open the data before. */
#define BEGIN_LOADING                                                                              \
    "UPDATE cluster.nodes SET pause_until = '-infinity',"                                          \
    " until = clock_timestamp() + 8 * $2::bigint * interval '1 ms'"                                \
    " WHERE node = $1 AND incarnation = $3 AND until > clock_timestamp()"

/* Fails unless one row is changed: the answer is read together with that of the commit, and a
 * number of changed rows would be read too late. The text in place of a number makes the server's
 * message.
 */
#define FENCE                                                                                      \
    "WITH step AS (UPDATE cluster.leases SET steps = steps + 1"                                    \
    " WHERE scope = 0 AND node = ? AND epoch = ? RETURNING scope)"                                 \
    " SELECT CAST(CASE count(*) WHEN 1 THEN '1' ELSE '" POSTGRES_FENCED "' END"                    \
    " AS bigint) FROM step"

/* Counts a step of the lease in the transaction that is to be committed. */
static enum storage_result count_step(struct storage *storage)
{
    const struct cluster *cluster = storage->cluster;

    return sql_run_deferred(SQL_WRITE(storage, FENCE, SQL_INT(cluster->options.node),
                                      SQL_INT(strtoll(cluster->epoch, NULL, 10))));
}

/* Sends the question that is due, unless an answer is still awaited. */
static bool send_due_question(struct cluster *cluster, uint64_t last_turn)
{
    struct cluster_barriers *barriers = &cluster->barriers;
    const char *const arguments[] = {cluster->node, cluster->lease_ms, cluster->incarnation,
                                     cluster->epoch};
    const int64_t now_ms = read_clock_ms();
    const int64_t every_ms = cluster->options.lease_ms / BARRIERS;

    if (barriers->asked != CLUSTER_ASKS_NOTHING) {
        return true;
    }
    barriers->asked_ms = now_ms;
    /* the list is asked for also while every moment has its barrier */
    const bool is_list_due = now_ms - barriers->list_ms >= every_ms;
    if (!barriers->has_begun || (!is_list_due && barriers->covers < last_turn) ||
        now_ms - barriers->barrier_ms >= every_ms) {
        barriers->asked = CLUSTER_ASKS_BARRIER;
        barriers->has_begun = true;
        barriers->covers = last_turn;
        barriers->steps = cluster->read_steps;
        barriers->barrier_ms = now_ms;
        return send_statement(cluster, BARRIER, true, ARRAY_LEN(arguments), arguments);
    }
    if (is_list_due) {
        barriers->asked = CLUSTER_ASKS_LIST;
        barriers->list_ms = now_ms;
        return send_statement(cluster, LIST_QUERY, false, 0, NULL);
    }
    return true;
}

/* Handles a result of the answer, or its end (NULL). */
static bool take_result(struct cluster *cluster, PGresult *result)
{
    struct cluster_barriers *barriers = &cluster->barriers;

    if (!is_good(cluster, result)) {
        return false;
    }
    if (result != NULL && barriers->asked == CLUSTER_ASKS_BARRIER) {
        return strcmp(cluster->pq->PQcmdTuples(result), "1") == 0 ||
               fail(cluster, "this node's lease of the house has run out");
    }
    if (result != NULL && take_list(cluster, result) != STORAGE_OK) {
        disconnect(cluster);
        return false;
    }
    if (result == NULL && barriers->asked == CLUSTER_ASKS_BARRIER) {
        barriers->durable = barriers->covers;
        note_durable(cluster, barriers->steps);
        cluster->commit_ms = read_clock_ms() - barriers->asked_ms;
    }
    barriers->asked = result == NULL ? CLUSTER_ASKS_NOTHING : barriers->asked;
    return true;
}

/* Reads what has arrived of the answer. */
static bool read_answer(struct cluster *cluster)
{
    const struct libpq *pq = cluster->pq;
    const struct cluster_barriers *barriers = &cluster->barriers;

    if (barriers->asked != CLUSTER_ASKS_NOTHING && pq->PQconsumeInput(cluster->connection) != 1) {
        return fail_with_library_message(cluster);
    }
    while (barriers->asked != CLUSTER_ASKS_NOTHING && !pq->PQisBusy(cluster->connection)) {
        PGresult *result = pq->PQgetResult(cluster->connection);
        const bool is_taken = take_result(cluster, result);
        pq->PQclear(result);
        if (!is_taken) {
            return false;
        }
    }
    return barriers->asked == CLUSTER_ASKS_NOTHING ||
           read_clock_ms() - barriers->asked_ms <= patience_ms(cluster) ||
           fail(cluster, "the database does not answer");
}

static enum storage_result settle(struct storage *storage, uint64_t *durable)
{
    struct cluster *cluster = storage->cluster;

    if (!cluster->barriers.has_failed &&
        (!read_answer(cluster) || !send_due_question(cluster, storage_last_turn(storage)))) {
        cluster->barriers.has_failed = true;
        storage->failed = STORAGE_IO;
        (void)snprintf(storage->why, sizeof storage->why, "%s", cluster->why);
    }
    *durable = cluster->barriers.durable;
    return cluster->barriers.has_failed ? STORAGE_IO : STORAGE_OK;
}

static size_t list_sockets(const struct storage *storage, int sockets[STORAGE_SOCKETS_MAX])
{
    const struct cluster *cluster = storage->cluster;

    if (cluster->connection == NULL) {
        return 0;
    }
    sockets[0] = cluster->pq->PQsocket(cluster->connection);
    return 1;
}

/* Appends a parameter to a URL. A value may contain any byte. */
static void write_parameter(FILE *url, char separator, const char *name, const char *value)
{
    fprintf(url, "%c%s=", separator, name);
    for (; *value != '\0'; value++) {
        fprintf(url, "%%%02X", (unsigned)(unsigned char)*value);
    }
}

/* Writes a URL that leads to the server that is connected. Returns false if it has no room. */
static bool write_url(const struct cluster *cluster, char *url, size_t size)
{
    const struct libpq *pq = cluster->pq;
    const struct {
        const char *name, *value;
    } parameters[] = {{"host", pq->PQhost(cluster->connection)},
                      {"hostaddr", pq->PQhostaddr(cluster->connection)},
                      {"port", pq->PQport(cluster->connection)}};
    char separator = strchr(cluster->options.url, '?') == NULL ? '?' : '&';
    FILE *out = fmemopen(url, size, "w");

    if (out == NULL) {
        return false;
    }
    (void)fputs(cluster->options.url, out);
    for (size_t i = 0; i < ARRAY_LEN(parameters); i++) {
        if (parameters[i].value != NULL && parameters[i].value[0] != '\0') {
            write_parameter(out, separator, parameters[i].name, parameters[i].value);
            separator = '&';
        }
    }
    const bool is_whole = ferror(out) == 0;
    return fclose(out) == 0 && is_whole && strlen(url) + 1 < size;
}

/* True if the transactions' connection is to the server to which the membership is connected. */
static enum storage_result check_server(struct storage *storage)
{
    struct sql q = sql_read(storage, DESCRIBE_SERVER FROM_SERVER);
    bool is_same = false;

    if (sql_first_row(&q)) {
        is_same = strcmp(sql_borrow_text(&q), storage->cluster->server) == 0;
    }
    RETURN_FAILURE(sql_end(&q));
    if (!is_same) {
        (void)snprintf(storage->why, sizeof storage->why,
                       "the connections of this node lead to different servers");
        return STORAGE_IO;
    }
    return STORAGE_OK;
}

static enum storage_result set_fence_and_barriers(struct storage *storage, struct cluster *cluster)
{
    storage->cluster = cluster;
    RETURN_FAILURE(check_server(storage));
    cluster->barriers = (struct cluster_barriers){.asked = CLUSTER_ASKS_NOTHING};
    *cluster->engine = *storage->engine;
    cluster->engine->before_commit = count_step;
    cluster->engine->settle = settle;
    cluster->engine->sockets = list_sockets;
    storage->engine = cluster->engine;
    return STORAGE_OK;
}

/* Gives this node time to load the house, and prepares the barriers. */
static enum storage_result begin_loading(struct cluster *cluster)
{
    const char *const arguments[] = {cluster->node, cluster->lease_ms, cluster->incarnation};

    RETURN_FAILURE(change(cluster, BEGIN_LOADING, ARRAY_LEN(arguments), arguments));
    return run(cluster, PREPARE_BARRIER);
}

enum storage_result cluster_house_open(struct cluster *cluster, struct storage **storage,
                                       char why[STORAGE_WHY_SIZE])
{
    char url[URL_SIZE];

    *storage = NULL;
    if (begin_loading(cluster) != STORAGE_OK) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", cluster->why);
        return STORAGE_IO;
    }
    if (!write_url(cluster, url, sizeof url)) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "the URL of the database is too long");
        return STORAGE_IO;
    }
    RETURN_FAILURE(storage_open(url, storage, why));
    const enum storage_result result = set_fence_and_barriers(*storage, cluster);
    if (result != STORAGE_OK) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", (*storage)->why);
        storage_close(*storage);
        *storage = NULL;
    }
    return result;
}
