#include "tests/cluster/patroni_rig.h"

#include "games/macros.h"
#include "tests/ports.h"
#include "tests/times.h"

#include <curl/curl.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATRONI "/usr/bin/patroni"
#define ETCD "/usr/bin/etcd"
#define DEADLINE_MS 120000
#define POLL_MS 100
#define SQL_SIZE 256

static const char *const member_names[PATRONI_RIG_MEMBERS] = {"a", "b"};

/* The arguments are the member's name, its REST port twice, etcd's port, the folder three times,
 * the port twice, PostgreSQL's programs, and the password three times. What follows `dcs` is that
 * of the operator's book; one machine has no watchdog device to spare. */
#define SETTINGS                                                                                   \
    "scope: house\n"                                                                               \
    "name: %s\n"                                                                                   \
    "restapi: {listen: '127.0.0.1:%d', connect_address: '127.0.0.1:%d'}\n"                         \
    "etcd3: {hosts: '127.0.0.1:%d'}\n"                                                             \
    "bootstrap:\n"                                                                                 \
    "  dcs:\n"                                                                                     \
    "    ttl: 20\n"                                                                                \
    "    loop_wait: 3\n"                                                                           \
    "    retry_timeout: 5\n"                                                                       \
    "    primary_start_timeout: 0\n"                                                               \
    "    synchronous_mode: true\n"                                                                 \
    "    failsafe_mode: true\n"                                                                    \
    "    postgresql: {use_pg_rewind: true}\n"                                                      \
    "  initdb: [{locale: C.UTF-8}, {encoding: UTF8}, data-checksums, no-sync]\n"                   \
    "  pg_hba:\n"                                                                                  \
    "    - host all all 127.0.0.1/32 scram-sha-256\n"                                              \
    "    - host replication replicator 127.0.0.1/32 scram-sha-256\n"                               \
    "postgresql:\n"                                                                                \
    "  data_dir: %s/data\n"                                                                        \
    "  pgpass: %s/pgpass\n"                                                                        \
    "  listen: 127.0.0.1:%d\n"                                                                     \
    "  connect_address: 127.0.0.1:%d\n"                                                            \
    "  bin_dir: %s\n"                                                                              \
    "  authentication:\n"                                                                          \
    "    superuser: {username: postgres, password: %s}\n"                                          \
    "    replication: {username: replicator, password: %s}\n"                                      \
    "    rewind: {username: rewinder, password: %s}\n"                                             \
    "  basebackup: [{checkpoint: fast}]\n"                                                         \
    "  parameters: {unix_socket_directories: '', shared_buffers: 32MB}\n"                          \
    "watchdog: {mode: 'off'}\n"

bool patroni_rig_is_installed(void)
{
    bool is_installed = access(PATRONI, X_OK) == 0 && access(ETCD, X_OK) == 0;
    if (!is_installed) {
        fprintf(stderr, "skipped: the packages patroni and etcd-server are not installed\n");
    }
    return is_installed && postgres_rig_is_installed();
}

static void prepare_member(struct patroni_rig *rig, unsigned index)
{
    char folder[sizeof(rig->members[0].folder)];
    char path[128];
    char settings[sizeof(SETTINGS) + 1024];
    struct patroni_member *member = &rig->members[index];
    int len = snprintf(folder, sizeof(folder), "%s/%s", rig->folder, member_names[index]);
    memcpy(member->folder, folder, (size_t)len + 1);
    (void)snprintf(member->data, sizeof(member->data), "%s/data", folder);
    (void)snprintf(member->log, sizeof(member->log), "%s/patroni.log", folder);
    (void)snprintf(path, sizeof(path), "%s/patroni.yml", folder);
    member->port = ports_find_free();
    member->rest_port = ports_find_free();
    if (mkdir(folder, 0700) != 0 || chown(folder, rig->user.uid, rig->user.gid) != 0) {
        rig_fail(errno, "cannot make", folder);
    }
    (void)snprintf(settings, sizeof(settings), SETTINGS, member_names[index], member->rest_port,
                   member->rest_port, rig->etcd_port, folder, folder, member->port, member->port,
                   POSTGRES_RIG_PROGRAMS, rig->password, rig->password, rig->password);
    rig_write_file(&rig->user, path, settings, "we");
}

static void start_etcd(struct patroni_rig *rig)
{
    char client[64];
    char peer[64];
    char cluster[80];
    char data[96];
    char log[96];
    rig->etcd_port = ports_find_free();
    rig->etcd_peer_port = ports_find_free();
    (void)snprintf(client, sizeof(client), "http://127.0.0.1:%d", rig->etcd_port);
    (void)snprintf(peer, sizeof(peer), "http://127.0.0.1:%d", rig->etcd_peer_port);
    (void)snprintf(cluster, sizeof(cluster), "one=%s", peer);
    (void)snprintf(data, sizeof(data), "%s/etcd", rig->folder);
    (void)snprintf(log, sizeof(log), "%s/etcd.log", rig->folder);
    const char *const argv[] = {ETCD,
                                "--name=one",
                                "--data-dir",
                                data,
                                "--listen-client-urls",
                                client,
                                "--advertise-client-urls",
                                client,
                                "--listen-peer-urls",
                                peer,
                                "--initial-advertise-peer-urls",
                                peer,
                                "--initial-cluster",
                                cluster,
                                NULL};
    rig->etcd = rig_processes_start(&rig->user, rig->folder, log, argv);
}

void patroni_rig_start_machine(struct patroni_rig *rig, unsigned member)
{
    struct patroni_member *started = &rig->members[member];
    const char *const argv[] = {PATRONI, "patroni.yml", NULL};
    if (started->pid == 0) {
        started->pid = rig_processes_start(&rig->user, started->folder, started->log, argv);
    }
}

/* Connects to a member as the superuser. Returns NULL if it does not answer. */
static PGconn *connect_to_member(const struct patroni_rig *rig, unsigned member)
{
    char url[POSTGRES_RIG_URL_SIZE];
    (void)snprintf(url, sizeof(url),
                   "postgresql://postgres@127.0.0.1:%d/postgres?connect_timeout=2",
                   rig->members[member].port);
    PGconn *connection = PQconnectdb(url);
    if (PQstatus(connection) != CONNECTION_OK) {
        PQfinish(connection);
        return NULL;
    }
    return connection;
}

/* Whether the member answers, and the query says true there. */
static bool is_true_at(const struct patroni_rig *rig, unsigned member, const char *query)
{
    PGconn *connection = connect_to_member(rig, member);
    if (connection == NULL) {
        return false;
    }
    PGresult *row = PQexec(connection, query);
    bool is_true = PQresultStatus(row) == PGRES_TUPLES_OK && PQntuples(row) == 1 &&
                   strcmp(PQgetvalue(row, 0, 0), "t") == 0;
    PQclear(row);
    PQfinish(connection);
    return is_true;
}

int patroni_rig_find_primary(const struct patroni_rig *rig)
{
    for (unsigned i = 0; i < PATRONI_RIG_MEMBERS; i++) {
        if (is_true_at(rig, i, "SELECT NOT pg_is_in_recovery()")) {
            return (int)i;
        }
    }
    return -1;
}

static size_t drop_body(UNUSED char *bytes, size_t size, size_t count, UNUSED void *context)
{
    return size * count;
}

/* Whether Patroni counts the member as a synchronous standby, which it may promote. That takes some
 * seconds longer than until commits wait for the member. */
static bool is_synchronous_standby(const struct patroni_rig *rig, unsigned member)
{
    char url[64];
    long status = 0;
    CURL *curl = curl_easy_init();
    if (curl == NULL) {
        rig_fail(0, "no request can be made", "curl");
    }
    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%d/synchronous",
                   rig->members[member].rest_port);
    (void)curl_easy_setopt(curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 2000L);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop_body);
    if (curl_easy_perform(curl) == CURLE_OK) {
        (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    }
    curl_easy_cleanup(curl);
    return status == 200;
}

bool patroni_rig_is_whole(const struct patroni_rig *rig)
{
    int primary = patroni_rig_find_primary(rig);
    return primary >= 0 &&
           is_true_at(rig, (unsigned)primary,
                      "SELECT count(*) > 0 FROM pg_stat_replication"
                      " WHERE state = 'streaming' AND sync_state = 'sync'") &&
           is_synchronous_standby(rig, primary == 0 ? 1 : 0);
}

static bool has_primary(const struct patroni_rig *rig)
{
    return patroni_rig_find_primary(rig) >= 0;
}

static void wait_until(const struct patroni_rig *rig, bool (*is_so)(const struct patroni_rig *),
                       const char *what)
{
    double deadline_ms = times_now_ms() + DEADLINE_MS;
    while (!is_so(rig)) {
        if (times_now_ms() > deadline_ms) {
            rig_processes_print_log(rig->members[0].log);
            rig_fail(0, "this does not come about", what);
        }
        (void)poll(NULL, 0, POLL_MS);
    }
}

static void make_role_and_database(const struct patroni_rig *rig)
{
    char sql[SQL_SIZE];
    PGconn *connection = connect_to_member(rig, (unsigned)patroni_rig_find_primary(rig));
    if (connection == NULL) {
        rig_fail(0, "cannot connect to", "the primary");
    }
    (void)snprintf(sql, sizeof(sql), "CREATE ROLE house LOGIN PASSWORD '%s'", rig->password);
    const char *const statements[] = {sql, "CREATE DATABASE house OWNER house TEMPLATE template0"};
    for (size_t i = 0; i < 2; i++) {
        PGresult *result = PQexec(connection, statements[i]);
        if (PQresultStatus(result) != PGRES_COMMAND_OK) {
            rig_fail(0, statements[i], PQerrorMessage(connection));
        }
        PQclear(result);
    }
    PQfinish(connection);
}

void patroni_rig_start(struct patroni_rig *rig)
{
    *rig = (struct patroni_rig){0};
    rig->user = rig_processes_find_user("postgres");
    rig_watchdog_start(&rig->watchdog, &rig->user, rig->folder);
    rig_set_password(rig->password);
    start_etcd(rig);
    for (unsigned i = 0; i < PATRONI_RIG_MEMBERS; i++) {
        prepare_member(rig, i);
        patroni_rig_start_machine(rig, i);
    }
    wait_until(rig, has_primary, "a primary");
    make_role_and_database(rig);
    wait_until(rig, patroni_rig_is_whole, "a synchronous standby");
}

void patroni_rig_write_url(const struct patroni_rig *rig, char url[POSTGRES_RIG_URL_SIZE])
{
    (void)snprintf(
        url, POSTGRES_RIG_URL_SIZE,
        "postgresql://house@127.0.0.1:%d,127.0.0.1:%d/house?target_session_attrs=read-write",
        rig->members[0].port, rig->members[1].port);
}

void patroni_rig_kill_machine(struct patroni_rig *rig, unsigned member)
{
    struct patroni_member *killed = &rig->members[member];
    rig_processes_kill(killed->folder);
    (void)waitpid(killed->pid, NULL, 0);
    killed->pid = 0;
}

void patroni_rig_kill_postgres(const struct patroni_rig *rig, unsigned member)
{
    rig_processes_kill(rig->members[member].data);
}

void patroni_rig_print_logs(const struct patroni_rig *rig)
{
    for (unsigned i = 0; i < PATRONI_RIG_MEMBERS; i++) {
        rig_processes_print_log(rig->members[i].log);
    }
}

void patroni_rig_stop(struct patroni_rig *rig)
{
    rig_watchdog_finish(&rig->watchdog);
    for (unsigned i = 0; i < PATRONI_RIG_MEMBERS; i++) {
        if (rig->members[i].pid != 0) {
            (void)waitpid(rig->members[i].pid, NULL, 0);
        }
    }
    (void)waitpid(rig->etcd, NULL, 0);
}
