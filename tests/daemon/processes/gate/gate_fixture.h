#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A gate with a core that knows one account (fake_core.h), and the real ssh client. Every error
 * fails the test. */

#define HOUSE_PATIENCE_MS 15000
#define HOUSE_GREETING_SIZE 4096

struct config;

/* The house of a test: a gate, a core, a host key and a client's key. */
struct house {
    char folder[64], host_key[96], user_key[96];
    int core_ends[2]; /* the gate's end and the core's end of their socket pair */
    int log[2];       /* pipe on which the core lists the messages that it has received */
    uint16_t port;
    pid_t gate, core;
    int gate_log; /* descriptor for the gate's output; -1: the gate uses the test's output */
    const struct config *config; /* settings of the gate; NULL: the defaults */
};

void house_open(struct house *house, uint32_t sessions_max);

/* Opens a house with these settings (NULL: the defaults). The gate's standard output and error go
 * to the descriptor `gate_log`, which the caller keeps (-1: the test's own output and error). */
void house_open_with_config(struct house *house, uint32_t sessions_max, int gate_log,
                            const struct config *config);
void house_close(struct house *house);

/* Connects to the gate and reads into `words` the first bytes that the gate sends. *peer becomes
 * the socket of the connection. */
void house_read_greeting(const struct house *house, int *peer, char words[HOUSE_GREETING_SIZE]);

/* Waits for a child process to end; returns its wait status. */
int house_wait_for_child(pid_t pid);

/* The real ssh client on a pseudo-terminal. */
struct person {
    pid_t pid;
    int terminal;
    char seen[1 << 16];
    size_t len, read_to; /* read_to: number of bytes that calls of person_expect have consumed */
};

/* Connects by ssh. `key` (the path of a key) and `extra_arg` (an option or a command) may be NULL.
 */
void person_connect(struct person *person, const struct house *house, const char *name,
                    const char *key, const char *extra_arg);

/* Waits until the text appears in the client's output, after what earlier calls have found there.
 * Returns false if the terminal is closed first. */
bool person_expect(struct person *person, const char *text);
void person_type_text(struct person *person, const char *text);

/* Waits until the client ends; returns its exit status. */
int person_wait_for_end(struct person *person);
