#include "tests/cluster/patroni_writer.h"

#include "tests/cluster/rig_processes.h"
#include "tests/times.h"

#include <inttypes.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_MAX 1000000
#define AGAIN_MS 100 /* between two tries to connect */

struct writer {
    const char *url;
    PGconn *connection;
    bool was_cancelled; /* the latest commit no longer waited for the standby */
    uint64_t next;
    uint64_t acknowledged;
    bool is_acknowledged[NUMBERS_MAX];
};

/* A commit whose wait for the standby is cancelled succeeds with this warning. */
static void receive_notice(void *context, const char *text)
{
    struct writer *writer = context;
    writer->was_cancelled = writer->was_cancelled || strstr(text, "canceling wait") != NULL;
}

static bool run(struct writer *writer, const char *sql)
{
    PGresult *result = PQexec(writer->connection, sql);
    bool is_done = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    return is_done;
}

/* Connects unless it is connected. Returns whether it is. */
static bool connect_to_database(struct writer *writer)
{
    if (writer->connection != NULL && PQstatus(writer->connection) == CONNECTION_OK) {
        return true;
    }
    PQfinish(writer->connection);
    writer->connection = PQconnectdb(writer->url);
    (void)PQsetNoticeProcessor(writer->connection, receive_notice, writer);
    return PQstatus(writer->connection) == CONNECTION_OK;
}

/* Writes the next number. Returns whether it was acknowledged; if not, it may be stored or not. */
static bool write_next(struct writer *writer)
{
    char sql[64];
    if (writer->next == NUMBERS_MAX) {
        rig_fail(0, "the writer has", "no more numbers");
    }
    if (!connect_to_database(writer)) {
        (void)poll(NULL, 0, AGAIN_MS);
        return false;
    }
    uint64_t number = writer->next++;
    writer->was_cancelled = false;
    (void)snprintf(sql, sizeof(sql), "INSERT INTO moves VALUES (%llu)", (unsigned long long)number);
    bool is_acknowledged = run(writer, sql) && !writer->was_cancelled;
    writer->is_acknowledged[number] = is_acknowledged;
    writer->acknowledged += is_acknowledged;
    return is_acknowledged;
}

static void write_for_ms(void *context, int64_t ms)
{
    double until_ms = times_now_ms() + (double)ms;
    while (times_now_ms() < until_ms) {
        (void)write_next(context);
    }
}

static int64_t wait_for_write(void *context, int64_t limit_ms)
{
    double begun_ms = times_now_ms();
    while (!write_next(context)) {
        if (times_now_ms() - begun_ms > (double)limit_ms) {
            return -1;
        }
    }
    return (int64_t)(times_now_ms() - begun_ms);
}

/* Returns how many acknowledged numbers are not in the table. */
static uint64_t count_lost(struct writer *writer)
{
    uint64_t lost = writer->acknowledged;
    if (!connect_to_database(writer)) {
        rig_fail(0, "the numbers cannot be read", PQerrorMessage(writer->connection));
    }
    PGresult *rows = PQexec(writer->connection, "SELECT n FROM moves");
    if (PQresultStatus(rows) != PGRES_TUPLES_OK) {
        rig_fail(0, "the numbers cannot be read", PQerrorMessage(writer->connection));
    }
    for (int i = 0; i < PQntuples(rows); i++) {
        unsigned long long number = strtoull(PQgetvalue(rows, i, 0), NULL, 10);
        lost -= number < NUMBERS_MAX && writer->is_acknowledged[number];
    }
    PQclear(rows);
    return lost;
}

static bool finish(void *context)
{
    struct writer *writer = context;
    uint64_t lost = count_lost(writer);
    bool is_lossless = lost == 0 && writer->acknowledged > 0;
    printf("%" PRIu64 " writes acknowledged, %" PRIu64 " lost\n", writer->acknowledged, lost);
    PQfinish(writer->connection);
    free(writer);
    return is_lossless;
}

struct patroni_load patroni_writer_start(const char *url)
{
    struct writer *writer = calloc(1, sizeof(*writer));
    if (writer == NULL) {
        abort();
    }
    writer->url = url;
    if (!connect_to_database(writer) || !run(writer, "CREATE TABLE moves (n bigint PRIMARY KEY)")) {
        rig_fail(0, "the writer cannot begin", PQerrorMessage(writer->connection));
    }
    return (struct patroni_load){write_for_ms, wait_for_write, finish, writer};
}
