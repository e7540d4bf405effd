#ifndef TESTS_DAEMON_PROCESSES_GATE_FIXTURE_H
#define TESTS_DAEMON_PROCESSES_GATE_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A gate around a core that knows one account (fake_core.h), and the real ssh client. Whatever goes
 * wrong fails the test. */

#define HOUSE_PATIENCE_MS 15000

struct config;

/* The house of a test: a gate, a core, a key for the host and one for a client. */
struct house {
    char folder[64], host_key[96], user_key[96];
    int core_ends[2]; /* the gate's, the core's */
    int log[2];       /* what the core heard */
    uint16_t port;
    pid_t gate, core;
    int gate_log;                /* -1: none of its own */
    const struct config *config; /* NULL: the defaults */
};

void house_open(struct house *house, uint32_t sessions_max);

/* The same with these settings (NULL: the defaults). The gate's standard output and error are that
 * file (-1: the test's own), which stays the caller's. */
void house_open_with(struct house *house, uint32_t sessions_max, int gate_log,
                     const struct config *config);
void house_close(struct house *house);

/* The wait status of a child. */
int house_wait(pid_t pid);

/* The real ssh client on a pseudo-terminal. */
struct person {
    pid_t pid;
    int terminal;
    char seen[1 << 16];
    size_t len, read_to; /* what an expectation has passed is read */
};

/* Comes in by ssh; key and extra (an option or a command) may be NULL. */
void person_ssh(struct person *person, const struct house *house, const char *name, const char *key,
                const char *extra);

/* Waits for the text after what was expected before. False when the terminal closed first. */
bool person_sees(struct person *person, const char *text);
void person_types(struct person *person, const char *text);

/* Waits for the client's end; its exit status. */
int person_leaves(struct person *person);

#endif
