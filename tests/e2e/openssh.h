#pragma once

#include "tests/e2e/house.h"

/* Command lines of OpenSSH's programs. Most tests need only house_connect_by_ssh. */

#define OPENSSH_WORDS_MAX 48

struct openssh {
    const char
        *words[OPENSSH_WORDS_MAX]; /* the words of the command line, NULL-ended and borrowed */
    size_t count;
    char port[32], hosts[160], identity[160], target[80];
};

/* The user name with which these programs connect. */
#define OPENSSH_GUEST "guest@127.0.0.1"

/* Starts a command line of "ssh", "scp" or "sftp" with their common options: the house's port, its
 * host key accepted and remembered, and neither configuration nor keys of the person who runs the
 * test. `line` must not be moved. */
void openssh_begin_command_line(struct openssh *line, const struct house_fixture *house,
                                const char *program);

/* Appends words (NULL-ended) to the command line. ssh uses the first value of an option. */
void openssh_add_words(struct openssh *line, const char *const *words);

/* Appends the key (a file in the house's folder, which is made if it is missing; NULL: no key) and
 * the user's login. */
void openssh_add_login(struct openssh *line, const struct house_fixture *house, const char *user,
                       const char *key);
