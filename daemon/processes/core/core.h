#ifndef DAEMON_PROCESSES_CORE_CORE_H
#define DAEMON_PROCESSES_CORE_CORE_H

#include <stdint.h>

struct config;

#define CORE_WORKERS_MAX 9
#define CORE_KEY_BYTES 32

enum core_worker {
    CORE_WORKER_AUTH,
    CORE_WORKER_BOT,
    CORE_WORKER_HOOK,
};

/*
 * The core: one thread, the house and its data. A turn takes what has arrived, applies it, commits,
 * and only then sends. Sockets are the core's ends of pairs (packet.h) and outlive a core: the next
 * one is given the same ones and asks every peer to begin anew.
 */
struct core_setup {
    const char *database;        /* path of the data */
    const struct config *config; /* borrowed */
    int ready_fd;            /* gets one byte, and is closed, once the data are loaded; -1: none */
    const char *backups;     /* the folder for them, made when needed; NULL: there are none */
    const char *program;     /* what a reload runs, and with which arguments (core_reload.h); */
    const char *const *args; /* NULL: it is not looked at before */
    int control_socket;      /* where operators come in; -1: nowhere */
    int gate_socket;
    const uint8_t *answers_key; /* CORE_KEY_BYTES that are the same for the next core; borrowed */
    unsigned worker_count;
    struct {
        int socket;
        enum core_worker kind;
    } workers[CORE_WORKERS_MAX];
};

/*
 * Serves until SIGUSR1, when it ends in good order without a word, for another core to go on; until
 * SIGTERM, or until the gate's end is closed by everyone who held it: then it says
 * goodbye to all sessions, closes the data and returns 0. Returns 1 when the data cannot be opened
 * or read, said on the log; a new process would meet the same. When a commit fails it ends at once
 * by abort(): nobody has been told what is not on disk, and a new core begins from there. A disk
 * that is full is no such failure (house_commit).
 */
int core_run(const struct core_setup *setup);

#endif
