#pragma once

#include "tests/cluster/postgres_rig.h"
#include "tests/cluster/rig_processes.h"

#include <libpq-fe.h>
#include <stdbool.h>

/*
 * What an operator of several nodes runs, on one machine: etcd, and two PostgreSQL servers that
 * Patroni watches, with the settings of deploy/OPERATING.md. Each server has a Patroni and a folder
 * of its own, which stand for its machine. Roles, database, password and the end of all processes
 * are as in postgres_rig.h. Any failure in these functions ends the process with a line on standard
 * error.
 */
#define PATRONI_RIG_MEMBERS 2

struct patroni_member {
    char folder[96]; /* holds patroni.yml, patroni.log and the data folder */
    char data[104];
    char log[112];
    int port, rest_port;
    pid_t pid; /* of its Patroni; 0: it does not run */
};

struct patroni_rig {
    char folder[RIG_FOLDER_SIZE];
    char password[RIG_PASSWORD_SIZE];
    struct rig_user user;
    struct rig_watchdog watchdog;
    pid_t etcd;
    int etcd_port, etcd_peer_port;
    struct patroni_member members[PATRONI_RIG_MEMBERS];
};

/* Whether Debian's packages patroni, etcd-server and postgresql-15 are installed. If not, says on
 * standard error that the test is skipped; its main then returns POSTGRES_RIG_SKIPPED. */
bool patroni_rig_is_installed(void);

/* Starts everything, and returns when commits wait for a standby. */
void patroni_rig_start(struct patroni_rig *rig);

/* Writes the URL with which the role `house` reaches the database `house` on whichever server takes
 * writes. */
void patroni_rig_write_url(const struct patroni_rig *rig, char url[POSTGRES_RIG_URL_SIZE]);

/* Returns the index of the primary, or -1 if there is none now. */
int patroni_rig_find_primary(const struct patroni_rig *rig);

/* Kills Patroni and PostgreSQL of a member, as when the power of its machine fails, or only its
 * PostgreSQL. */
void patroni_rig_kill_machine(struct patroni_rig *rig, unsigned member);
void patroni_rig_kill_postgres(const struct patroni_rig *rig, unsigned member);

/* Starts a member whose machine was killed, if it was. */
void patroni_rig_start_machine(struct patroni_rig *rig, unsigned member);

/* Whether both servers run again, commits wait for the standby, and Patroni may promote it. */
bool patroni_rig_is_whole(const struct patroni_rig *rig);

/* Prints the logs of both members on standard error. */
void patroni_rig_print_logs(const struct patroni_rig *rig);

/* Ends all processes and removes their folder. */
void patroni_rig_stop(struct patroni_rig *rig);
