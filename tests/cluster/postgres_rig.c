#include "tests/cluster/postgres_rig.h"

#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/ports.h"
#include "tests/times.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAMS POSTGRES_RIG_PROGRAMS
#define DEADLINE_MS 30000
#define POLL_MS 5
#define SQL_SIZE 512

/* A server that starts does not sync its files, of which there are a thousand. A pair does once it
 * runs. */
static const char settings[] = "listen_addresses = '127.0.0.1'\n"
                               "unix_socket_directories = ''\n"
                               "shared_buffers = '32MB'\n"
                               "log_timezone = 'UTC'\n"
                               "timezone = 'UTC'\n"
                               "client_min_messages = warning\n"
                               "fsync = off\n";

static const char server_names[POSTGRES_RIG_SERVERS][2] = {"a", "b"};

bool postgres_rig_is_installed(void)
{
    bool is_installed = access(PROGRAMS "pg_ctl", X_OK) == 0;
    if (!is_installed) {
        fprintf(stderr, "skipped: the package postgresql-15 is not installed\n");
    }
    return is_installed;
}

/* Makes the folder, starts its watchdog, and chooses ports and password. */
static void prepare(struct postgres_rig *rig, unsigned count, bool is_synchronous)
{
    *rig = (struct postgres_rig){.count = count, .is_synchronous = is_synchronous};
    rig->user = rig_processes_find_user("postgres");
    rig_watchdog_start(&rig->watchdog, &rig->user, rig->folder);
    rig_set_password(rig->password);
    for (unsigned i = 0; i < count; i++) {
        struct postgres_server *server = &rig->servers[i];
        (void)snprintf(server->data, sizeof(server->data), "%s/%s", rig->folder, server_names[i]);
        (void)snprintf(server->log, sizeof(server->log), "%s/%s.log", rig->folder, server_names[i]);
        do {
            server->port = ports_find_free();
        } while (i > 0 && server->port == rig->servers[0].port);
    }
}

/* Runs a program of PostgreSQL as its user. */
static void run_program(const struct postgres_rig *rig, const struct postgres_server *server,
                        const char *const *argv)
{
    rig_processes_run(&rig->user, rig->folder, server->log, argv);
}

static void make_data_folder(const struct postgres_rig *rig, const struct postgres_server *server)
{
    char password_file[128];
    char settings_path[128];
    (void)snprintf(password_file, sizeof(password_file), "%s/password", rig->folder);
    rig_write_file(&rig->user, password_file, rig->password, "we");
    const char *const argv[] = {PROGRAMS "initdb",
                                "--pgdata",
                                server->data,
                                "--username=postgres",
                                "--locale=C.UTF-8",
                                "--auth=scram-sha-256",
                                "--pwfile",
                                password_file,
                                "--no-sync",
                                "--no-instructions",
                                NULL};
    run_program(rig, server, argv);
    (void)snprintf(settings_path, sizeof(settings_path), "%s/postgresql.conf", server->data);
    rig_write_file(&rig->user, settings_path, settings, "we");
}

static void write_superuser_url(const struct postgres_server *server, const char *database,
                                char url[POSTGRES_RIG_URL_SIZE])
{
    (void)snprintf(url, POSTGRES_RIG_URL_SIZE, "postgresql://postgres@127.0.0.1:%d/%s",
                   server->port, database);
}

/* Waits until the server takes connections. */
static void wait_until_open(const struct postgres_server *server)
{
    char url[POSTGRES_RIG_URL_SIZE];
    double deadline_ms = times_now_ms() + DEADLINE_MS;
    write_superuser_url(server, "postgres", url);
    while (PQping(url) != PQPING_OK) {
        if (times_now_ms() > deadline_ms || waitpid(server->pid, NULL, WNOHANG) != 0) {
            rig_processes_print_log(server->log);
            rig_fail(0, "the server does not open", server->data);
        }
        (void)poll(NULL, 0, POLL_MS);
    }
}

void postgres_rig_start(struct postgres_rig *rig, unsigned server)
{
    struct postgres_server *started = &rig->servers[server];
    char port[32];
    char name[32];
    (void)snprintf(port, sizeof(port), "port=%d", started->port);
    /* a standby gives this name to its primary, which knows it by that name */
    (void)snprintf(name, sizeof(name), "cluster_name=%s", server_names[server]);
    const char *const argv[] = {
        PROGRAMS "postgres", "-D", started->data, "-c", port, "-c", name, NULL};
    started->pid = rig_processes_start(&rig->user, rig->folder, started->log, argv);
    wait_until_open(started);
}

static PGconn *connect_to_database(const struct postgres_rig *rig, unsigned server,
                                   const char *database)
{
    char url[POSTGRES_RIG_URL_SIZE];
    write_superuser_url(&rig->servers[server], database, url);
    PGconn *connection = PQconnectdb(url);
    if (PQstatus(connection) != CONNECTION_OK) {
        rig_fail(0, "cannot connect", PQerrorMessage(connection));
    }
    return connection;
}

PGconn *postgres_rig_connect(const struct postgres_rig *rig, unsigned server)
{
    return connect_to_database(rig, server, "house");
}

/* Runs a statement. Returns whether its first value, if it has one, is true. */
static bool run_on(PGconn *connection, const char *sql)
{
    PGresult *result = PQexec(connection, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        rig_fail(0, sql, PQerrorMessage(connection));
    }
    bool is_true = PQntuples(result) > 0 && strcmp(PQgetvalue(result, 0, 0), "t") == 0;
    PQclear(result);
    return is_true;
}

void postgres_rig_run_sql(const struct postgres_rig *rig, unsigned server, const char *sql)
{
    PGconn *connection = postgres_rig_connect(rig, server);
    (void)run_on(connection, sql);
    PQfinish(connection);
}

void postgres_rig_add_database(const struct postgres_rig *rig, const char *name)
{
    char sql[SQL_SIZE];
    PGconn *connection = connect_to_database(rig, rig->primary, "postgres");
    (void)snprintf(sql, sizeof(sql), "DROP DATABASE IF EXISTS %s WITH (FORCE)", name);
    (void)run_on(connection, sql);
    (void)snprintf(sql, sizeof(sql), "CREATE DATABASE %s OWNER house TEMPLATE template0", name);
    (void)run_on(connection, sql);
    PQfinish(connection);
}

/* Starts the first server and makes the role and the database in it. */
static void start_first(struct postgres_rig *rig)
{
    char sql[SQL_SIZE];
    make_data_folder(rig, &rig->servers[0]);
    postgres_rig_start(rig, 0);
    PGconn *connection = connect_to_database(rig, 0, "postgres");
    (void)snprintf(sql, sizeof(sql), "CREATE ROLE house LOGIN PASSWORD '%s'", rig->password);
    (void)run_on(connection, sql);
    PQfinish(connection);
    postgres_rig_add_database(rig, "house");
}

void postgres_rig_start_alone(struct postgres_rig *rig)
{
    prepare(rig, 1, false);
    start_first(rig);
}

/* Runs the query until it says true. */
static void wait_until_true(const struct postgres_rig *rig, unsigned server, const char *query)
{
    double deadline_ms = times_now_ms() + DEADLINE_MS;
    PGconn *connection = postgres_rig_connect(rig, server);
    while (!run_on(connection, query)) {
        if (times_now_ms() > deadline_ms) {
            rig_processes_print_log(rig->servers[server].log);
            rig_fail(0, "this does not become true", query);
        }
        (void)poll(NULL, 0, POLL_MS);
    }
    PQfinish(connection);
}

/* Changes a setting of a running server, primary or standby. */
static void change_setting(const struct postgres_rig *rig, unsigned server, const char *name,
                           const char *value)
{
    char sql[SQL_SIZE];
    PGconn *connection = postgres_rig_connect(rig, server);
    (void)snprintf(sql, sizeof(sql), "ALTER SYSTEM SET %s = '%s'", name, value);
    (void)run_on(connection, sql);
    (void)run_on(connection, "SELECT pg_reload_conf()");
    (void)snprintf(sql, sizeof(sql), "SELECT current_setting('%s') = '%s'", name, value);
    PQfinish(connection);
    wait_until_true(rig, server, sql);
}

void postgres_rig_wait_for_standby(const struct postgres_rig *rig)
{
    wait_until_true(rig, rig->primary,
                    rig->is_synchronous
                        ? "SELECT count(*) > 0 FROM pg_stat_replication"
                          " WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')"
                        : "SELECT count(*) > 0 FROM pg_stat_replication WHERE state = 'streaming'");
}

/* Copies the primary's data for the server, starts it as a standby, and waits until it has
 * caught up. */
static void start_standby(struct postgres_rig *rig, unsigned server)
{
    struct postgres_server *standby = &rig->servers[server];
    char port[16];
    char slot[32];
    char path[128];
    (void)snprintf(port, sizeof(port), "%d", rig->servers[rig->primary].port);
    (void)snprintf(slot, sizeof(slot), "standby_%s", server_names[server]);
    const char *const argv[] = {PROGRAMS "pg_basebackup",
                                "--pgdata",
                                standby->data,
                                "--host=127.0.0.1",
                                "--port",
                                port,
                                "--username=postgres",
                                "--checkpoint=fast",
                                "--write-recovery-conf",
                                "--create-slot",
                                "--slot",
                                slot,
                                "--no-sync",
                                NULL};
    run_program(rig, standby, argv);
    (void)snprintf(path, sizeof(path), "%s/postgresql.auto.conf", standby->data);
    rig_write_file(&rig->user, path, "fsync = off\n", "ae"); /* as in `settings` */
    postgres_rig_start(rig, server);
    change_setting(rig, server, "fsync", "on");
    if (rig->is_synchronous) {
        change_setting(rig, rig->primary, "synchronous_standby_names", "ANY 1 (a,b)");
    }
    postgres_rig_wait_for_standby(rig);
}

void postgres_rig_start_pair(struct postgres_rig *rig, bool is_synchronous)
{
    prepare(rig, 2, is_synchronous);
    start_first(rig);
    start_standby(rig, 1);
    change_setting(rig, 0, "fsync", "on");
}

void postgres_rig_write_url(const struct postgres_rig *rig, const char *database,
                            char url[POSTGRES_RIG_URL_SIZE])
{
    char others[64] = "";
    if (rig->count > 1) {
        (void)snprintf(others, sizeof(others), ",127.0.0.1:%d", rig->servers[1].port);
    }
    (void)snprintf(url, POSTGRES_RIG_URL_SIZE,
                   "postgresql://house@127.0.0.1:%d%s/%s?target_session_attrs=read-write",
                   rig->servers[0].port, others, database);
}

void postgres_rig_write_server_url(const struct postgres_rig *rig, unsigned server,
                                   const char *database, char url[POSTGRES_RIG_URL_SIZE])
{
    (void)snprintf(url, POSTGRES_RIG_URL_SIZE, "postgresql://house@127.0.0.1:%d/%s",
                   rig->servers[server].port, database);
}

/* Removes what a killed server leaves behind: its shared memory, whose number is in the seventh
 * line of postmaster.pid, and this file itself. The next server would take it for a sign that the
 * killed one still runs, as long as nobody has waited for the killed process. A server that has
 * ended by itself has no such file. */
static void remove_remains(const struct postgres_server *server)
{
    char path[128];
    char line[256] = "";
    unsigned long key = 0;
    int id = -1;
    (void)snprintf(path, sizeof(path), "%s/postmaster.pid", server->data);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return;
    }
    for (int i = 0; i < 7 && fgets(line, sizeof(line), file) != NULL; i++) {
    }
    fclose(file);
    if (sscanf(line, "%lu %d", &key, &id) == 2) {
        (void)shmctl(id, IPC_RMID, NULL);
    }
    (void)unlink(path);
}

void postgres_rig_kill(struct postgres_rig *rig, unsigned server)
{
    struct postgres_server *killed = &rig->servers[server];
    rig_processes_kill(killed->data);
    remove_remains(killed);
    if (killed->pid != 0) {
        (void)waitpid(killed->pid, NULL, 0);
    }
    killed->pid = 0;
}

void postgres_rig_pause(const struct postgres_rig *rig, unsigned server)
{
    if (rig_processes_signal(rig->servers[server].data, SIGSTOP) == 0) {
        rig_fail(0, "no process to pause in", rig->servers[server].data);
    }
}

void postgres_rig_resume(const struct postgres_rig *rig, unsigned server)
{
    if (rig_processes_signal(rig->servers[server].data, SIGCONT) == 0) {
        rig_fail(0, "no process to resume in", rig->servers[server].data);
    }
}

void postgres_rig_promote(struct postgres_rig *rig, unsigned server)
{
    change_setting(rig, server, "synchronous_standby_names", "");
    /* A query that waits for the promotion may itself hold it up: what is still to be applied may
     * remove rows that the query could see, and so waits for the query to end. */
    postgres_rig_run_sql(rig, server, "SELECT pg_promote(false)");
    wait_until_true(rig, server, "SELECT NOT pg_is_in_recovery()");
    rig->primary = server;
}

void postgres_rig_rebuild(struct postgres_rig *rig, unsigned server)
{
    char sql[SQL_SIZE];
    postgres_rig_kill(rig, server);
    if (folder_remove(rig->servers[server].data) != 0) {
        rig_fail(errno, "cannot remove", rig->servers[server].data);
    }
    (void)snprintf(sql, sizeof(sql),
                   "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                   " WHERE slot_name = 'standby_%s'",
                   server_names[server]);
    postgres_rig_run_sql(rig, rig->primary, sql);
    start_standby(rig, server);
}

void postgres_rig_stop(struct postgres_rig *rig)
{
    rig_watchdog_finish(&rig->watchdog);
    for (unsigned i = 0; i < rig->count; i++) {
        if (rig->servers[i].pid != 0) {
            (void)waitpid(rig->servers[i].pid, NULL, 0);
        }
    }
}
