#pragma once

#include "tests/e2e/house.h"

#include <stdbool.h>

/*
 * A person who uses plain lines: a client program between two pipes, or a socket. All output is
 * kept; a byte of an escape sequence fails the test at once. Every wait has a deadline.
 */
struct talker;

/* Starts argv (NULL-ended, argv[0] found in PATH) in the house's folder, which is also its HOME,
 * with TERM=term. */
struct talker *talker_start(const struct house_fixture *house, const char *const *argv,
                            const char *term);

/* Connects with the real ssh and one more option ("-T", "-tt"). `key` was made by house_make_key;
 * NULL: no key. */
struct talker *talker_by_ssh(const struct house_fixture *house, const char *user, const char *key,
                             const char *option, const char *term);

/* Connects a socket to the house's telnet port. Nothing is negotiated except what the test
 * types. */
struct talker *talker_by_socket(const struct house_fixture *house);

/* Closes everything and waits for the program to end. Takes NULL. */
void talker_free(struct talker *talker);

void talker_type(struct talker *talker, const char *text);
void talker_send(struct talker *talker, const void *bytes, size_t len);

/* Closes the input: nothing more will be typed. */
void talker_end(struct talker *talker);

/* Reads until the words have arrived, after everything expected before. Otherwise fails the test
 * and prints all output. */
void talker_expect(struct talker *talker, const char *words);

/* The same for any word of a NULL-ended list. Returns the index of the one that came first. */
size_t talker_expect_any(struct talker *talker, const char *const *words, long limit_ms);

/* Whether the words have arrived since the start. */
bool talker_heard(const struct talker *talker, const char *words);

/* The output after the words expected last. */
const char *talker_rest(const struct talker *talker);

/* Reads until the other end closes. Returns the program's exit status, or 128 + signal; 0 for a
 * socket. */
int talker_wait_end(struct talker *talker);

/* Prints all output, for a person who reads the test's output. */
void talker_print(const struct talker *talker, const char *caption);
