#pragma once

#include "daemon/metrics/metrics.h"

#include <stdbool.h>
#include <stdint.h>

struct config;

#define CORE_WORKERS_MAX 9
#define CORE_KEY_BYTES 32
#define CORE_FATAL_MAX 16
#define CORE_GAVE_UP_HOUSE 3 /* exit status, see core_run */
#define CORE_IS_LOADING 'L'  /* see core_setup.ready_fd */
#define CORE_IS_WAITING 'W'

enum core_worker {
    CORE_WORKER_AUTH,
    CORE_WORKER_BOT,
    CORE_WORKER_HOOK,
};

/*
 * The core: one thread with the house and its data. In each pass of its loop the core receives what
 * has arrived, applies the changes, commits, and sends what is durable. Its sockets are ends of
 * socket pairs (packet.h) and outlive the core: the next core is given the same sockets and asks
 * every peer to start over.
 */
struct core_setup {
    const char *database;        /* path of the database, unless [storage] url names another */
    const struct config *config; /* settings of the house; borrowed */
    int ready_fd; /* receives a byte once the data are loaded or this node waits for the house, and
                     from then on several within each [limits] core_silence_s, as signs that the
                     core does not hang; CORE_IS_LOADING if it then loads the data, which may take
                     long; CORE_IS_WAITING, also as a sign of life, if it waits because it cannot
                     use its data; -1: none */
    const char *backups;     /* folder of the backups, made when needed; NULL: no backups */
    const char *program;     /* program that a reload runs (core_reload.h); NULL: reloads are not
                                checked     beforehand */
    const char *const *args; /* arguments of the program */
    int control_socket;      /* listening socket for operators; -1: none */
    bool was_open; /* an earlier core was ready: the house stays open, whatever happens to its data
                    */
    int gate_socket;
    int bridge_socket; /* socket pair with the bridge (core_bridge.h); -1: the house has one node */
    const char *node_key; /* public key of this node, "ssh-ed25519 AAAA…"; NULL if the house has one
                             node. Borrowed */
    const uint8_t *answers_key; /* key of CORE_KEY_BYTES for the answers that are stored encrypted,
                                   the same for every core of a house; borrowed */
    struct metrics metrics;     /* the page is borrowed */
    const uint64_t *fatal; /* CORE_FATAL_MAX numbers of packets (core_fatal.h) at which two cores in
                              a row died; 0: none. NULL: none at all. Borrowed */
    bool has_died; /* the core before died of a packet: this one ends a pass after each packet at
                      first, so that its death would tell of which */
    unsigned worker_count;
    struct {
        int socket;
        enum core_worker kind;
    } workers[CORE_WORKERS_MAX];
};

/*
 * Serves until a signal or the end of the gate. With a bridge, first waits until the own node holds
 * the house and the bridge reads none of the own sockets any more (core_bridge.h).
 *
 * After SIGUSR1, ends in good order without telling anybody, so that another core can continue.
 * After SIGTERM, or once every process that has the gate's end of the socket pair open has closed
 * it, says goodbye to all sessions and closes the data. In all these cases first waits, at most
 * CORE_SETTLE_MAX_MS, until what was committed is durable and told, and returns 0.
 *
 * With [storage] url, first waits until this node may open the house (core_lease.h). If the node is
 * asked to give the house up, ends as after SIGUSR1, gives it up and returns CORE_GAVE_UP_HOUSE:
 * the next core waits while another node has it.
 *
 * If another process has the data file open, waits (core_waiting.h) until it can open the file. In
 * a house that was open before, it waits whatever the reason. Otherwise returns 1, with a line on
 * the log, if the data cannot be opened or read; a new process would fail the same way.
 *
 * If a commit fails, or cannot be made durable, ends at once by abort(): nobody has been told about
 * data that are not durable, and a new core continues from the data that are. A full disk is no
 * such failure (house_commit).
 */
int core_run(const struct core_setup *setup);
