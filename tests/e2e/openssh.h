#ifndef TESTS_E2E_OPENSSH_H
#define TESTS_E2E_OPENSSH_H

#include "tests/e2e/house.h"

/* Command lines of OpenSSH's programs, for what house_enter does not do with them. */

#define OPENSSH_WORDS_MAX 48

struct openssh {
    const char *words[OPENSSH_WORDS_MAX]; /* NULL-ended; those added are borrowed */
    size_t count;
    char port[32], hosts[160];
};

/* Where everybody comes in as. */
#define OPENSSH_GUEST "guest@127.0.0.1"

/* "ssh", "scp" or "sftp" with what all have in common: the house's port, its key believed and
 * remembered, no configuration and no keys of whoever runs the test. `line` has to stay where it
 * is. */
void openssh_begin(struct openssh *line, const struct house_fixture *house, const char *program);

/* More words, NULL-ended, to the end. */
void openssh_add(struct openssh *line, const char *const *words);

#endif
