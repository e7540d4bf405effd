#ifndef TESTS_DAEMON_PROCESSES_PEER_FIXTURE_H
#define TESTS_DAEMON_PROCESSES_PEER_FIXTURE_H

#include <jansson.h>
#include <sys/types.h>

/* One end of a socket pair spoken to in a test; every wait fails the test after some seconds. */

#define FIXTURE_DEADLINE_MS 15000

/* The next message, the caller's to release; fails when the other end closes. */
json_t *peer_expect_any(int socket);

/* The next message of that type; others before it are dropped. */
json_t *peer_expect(int socket, const char *type);

/* Waits until the other end is closed. */
void peer_expect_closed(int socket);

/* Steals the reference. */
void peer_say(int socket, json_t *message);

/* Steals the reference, and passes the descriptor along. */
void peer_say_with(int socket, json_t *message, int fd);

/* Forks a process that runs `run` on its end of a new pair; *socket is the other end. */
pid_t peer_start(int (*run)(int socket), int *socket);

/* The exit status of a process that ends by itself, or 128 + the signal that ended it. */
int peer_wait(pid_t pid);

#endif
