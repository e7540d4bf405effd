#ifndef TESTS_E2E_TALKER_H
#define TESTS_E2E_TALKER_H

#include "tests/e2e/house.h"

#include <stdbool.h>

/*
 * A person in plain lines: a client program between two pipes, or a socket. All that comes is kept;
 * a byte of an escape sequence fails the test at once. Every wait has a deadline.
 */
struct talker;

/* Starts argv (NULL-ended, argv[0] found in PATH) in the house's folder, which is its HOME too,
 * under TERM=term. */
struct talker *talker_start(const struct house_fixture *house, const char *const *argv,
                            const char *term);

/* The real ssh to the house with one more option ("-T", "-tt"). `key`: made by house_make_key;
 * NULL: none. */
struct talker *talker_by_ssh(const struct house_fixture *house, const char *user, const char *key,
                             const char *option, const char *term);

/* A socket to the house's telnet; nothing is negotiated but what the test types. */
struct talker *talker_by_socket(const struct house_fixture *house);

/* Closes everything and reaps the program. Takes NULL. */
void talker_free(struct talker *talker);

void talker_type(struct talker *talker, const char *text);
void talker_send(struct talker *talker, const void *bytes, size_t len);

/* Nothing more will be typed. */
void talker_end(struct talker *talker);

/* Reads until the words have come, after all that was expected before; fails the test with all
 * that came otherwise. */
void talker_expect(struct talker *talker, const char *words);

/* The same for one of the words (NULL-ended list); says which came first. */
size_t talker_expect_any(struct talker *talker, const char *const *words, long limit_ms);

/* Whether it came since the beginning. */
bool talker_heard(const struct talker *talker, const char *words);

/* What has come after what was expected last. */
const char *talker_rest(const struct talker *talker);

/* Reads until the other end closes; the program's exit status, 128 + signal, 0 for a socket. */
int talker_wait_end(struct talker *talker);

/* Prints all that came, for a person who reads the test's output. */
void talker_print(const struct talker *talker, const char *caption);

#endif
