#pragma once

#include "tests/cluster/rig_processes.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Real PostgreSQL servers for a test: one server alone, or a primary and a standby that replicates
 * it. They listen on free loopback ports and keep their data in a folder of their own. When the
 * test ends, in whatever way, all their processes end and the folder is removed
 * (rig_processes.h). A test that root runs starts the servers as the user postgres.
 *
 * The role `house` owns the database `house`, as an operator makes them: it is no superuser. All
 * roles have one password, which no URL contains: the start of the servers sets it in the variable
 * PGPASSWORD of the environment, where the library finds it, also in processes that the test
 * starts.
 *
 * Any failure in these functions ends the process with a line on standard error.
 */
#define POSTGRES_RIG_PROGRAMS "/usr/lib/postgresql/15/bin/" /* of the package postgresql-15 */
#define POSTGRES_RIG_SERVERS 2
#define POSTGRES_RIG_URL_SIZE 256
#define POSTGRES_RIG_SKIPPED 77 /* exit status of a test that is skipped */

struct postgres_server {
    char data[96]; /* its data folder */
    char log[96];
    int port;
    pid_t pid; /* of its first process; 0: it does not run */
};

struct postgres_rig {
    char folder[RIG_FOLDER_SIZE];
    char password[RIG_PASSWORD_SIZE];
    struct rig_user user;
    struct rig_watchdog watchdog;
    struct postgres_server servers[POSTGRES_RIG_SERVERS];
    unsigned count;   /* of servers: 1 or 2 */
    unsigned primary; /* the index of the server that takes writes */
    bool is_synchronous;
};

/* Whether Debian's package postgresql-15 is installed. If not, says on standard error that the test
 * is skipped; its main then returns POSTGRES_RIG_SKIPPED. */
bool postgres_rig_is_installed(void);

/* Starts one server for tests that only need its SQL. It does not sync its files, so it survives
 * the death of its processes, but not that of the machine. */
void postgres_rig_start_alone(struct postgres_rig *rig);

/* Starts a primary (server 0, named a) and its standby (server 1, named b), which sync their files.
 * With `is_synchronous`, a commit on the primary waits until the standby has synced it too. */
void postgres_rig_start_pair(struct postgres_rig *rig, bool is_synchronous);

/* Makes one more database, owned by the role `house`. If there is one with that name, it is removed
 * first. */
void postgres_rig_add_database(const struct postgres_rig *rig, const char *name);

/* Write the URL with which the role `house` reaches a database on whichever server takes writes,
 * and the URL with which it reaches a database on one server. */
void postgres_rig_write_url(const struct postgres_rig *rig, const char *database,
                            char url[POSTGRES_RIG_URL_SIZE]);
void postgres_rig_write_server_url(const struct postgres_rig *rig, unsigned server,
                                   const char *database, char url[POSTGRES_RIG_URL_SIZE]);

/* Connects to the database `house` of one server as its superuser. The caller closes the connection
 * with PQfinish. */
PGconn *postgres_rig_connect(const struct postgres_rig *rig, unsigned server);

/* Runs a statement as the superuser of one server, in the database `house`. */
void postgres_rig_run_sql(const struct postgres_rig *rig, unsigned server, const char *sql);

/* Waits until the standby is one for which commits may wait. */
void postgres_rig_wait_for_standby(const struct postgres_rig *rig);

/* Kills all processes of a server with SIGKILL, as when the power of its machine fails. */
void postgres_rig_kill(struct postgres_rig *rig, unsigned server);

/* Starts a killed server again on its own data, as what it was before: a primary or a standby. */
void postgres_rig_start(struct postgres_rig *rig, unsigned server);

/* Stop all processes of a server with SIGSTOP, as when its machine stands still, and let them go
 * on. */
void postgres_rig_pause(const struct postgres_rig *rig, unsigned server);
void postgres_rig_resume(const struct postgres_rig *rig, unsigned server);

/* Makes a standby the primary, and returns when it takes writes. Its commits wait for no standby
 * until postgres_rig_rebuild, as Patroni's do unless its synchronous mode is strict. The former
 * primary may be dead or paused. */
void postgres_rig_promote(struct postgres_rig *rig, unsigned server);

/* Kills a former primary if it runs, and starts it as a standby with a new copy of the primary's
 * data. Returns when commits wait for it again, if the pair is synchronous. */
void postgres_rig_rebuild(struct postgres_rig *rig, unsigned server);

/* Ends all servers and removes their folder. */
void postgres_rig_stop(struct postgres_rig *rig);
