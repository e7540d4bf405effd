#pragma once

#include "tests/e2e/house.h"

#include <stdbool.h>

/*
 * A person in plain mode, where the house sends lines without escape sequences: a client program
 * between two pipes, or a socket. All output is kept. A byte of an escape sequence fails the test
 * at once. Every wait has a deadline.
 */
struct line_client;

/* Starts argv (NULL-ended, argv[0] found in PATH) in the house's folder, with HOME set to that
 * folder and TERM to `term`. */
struct line_client *line_client_start(const struct house_fixture *house, const char *const *argv,
                                      const char *term);

/* Connects with the real ssh and one more option, such as "-T" or "-tt". `key` is a file in the
 * house's folder; NULL: no key. */
struct line_client *line_client_open_ssh(const struct house_fixture *house, const char *user,
                                         const char *key, const char *option, const char *term);

/* Connects a socket to the house's telnet port. Only what the test types is sent; no telnet options
 * are negotiated. */
struct line_client *line_client_open_socket(const struct house_fixture *house);

/* Closes the connection and waits for the program to end. Takes NULL. */
void line_client_free(struct line_client *client);

void line_client_type(struct line_client *client, const char *text);
void line_client_send(struct line_client *client, const void *bytes, size_t len);

/* Closes the input: nothing more will be typed. */
void line_client_end_input(struct line_client *client);

/* Reads until the words arrive, beginning after the words expected last. Otherwise fails the test
 * and prints all output. */
void line_client_expect(struct line_client *client, const char *words);

/* Like line_client_expect, for any text of a NULL-ended list. Returns the index of the text that
 * arrived first. */
size_t line_client_expect_any(struct line_client *client, const char *const *words, long limit_ms);

/* Whether the output since the start contains the words. */
bool line_client_has_read(const struct line_client *client, const char *words);

/* Returns the output after the words expected last. */
const char *line_client_unmatched_output(const struct line_client *client);

/* Reads until the other end closes. Returns the program's exit status, or 128 + signal; 0 for a
 * socket. */
int line_client_wait_for_end(struct line_client *client);

/* Prints all output, for a person who reads the test's output. */
void line_client_print(const struct line_client *client, const char *caption);
