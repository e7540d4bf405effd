#pragma once

#include "daemon/base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * A program's connection to the house: `ssh -s HOST api` in its own process. A message is one line.
 * No function blocks.
 */
struct link_login {
    int port;
    const char *user;
    const char *key; /* path of the private key */
};

struct link {
    pid_t ssh; /* the ssh process; 0: not running */
    int in, out;
    struct bytes unread, unsent;
};

/* Starts the ssh process. On failure prints a line to standard error and returns false. */
bool link_open(struct link *link, const struct link_login *login);

/* Kills the ssh process. */
void link_close(struct link *link);

/* Sends one line and adds its newline. */
void link_send(struct link *link, const char *json, size_t len);

/* Reads the bytes that have arrived. Returns false when the ssh process has ended. */
bool link_read(struct link *link);

/* Returns the next complete line without its newline, or NULL when there is none. The line is valid
 * until the next call. */
char *link_next_line(struct link *link, size_t *len);

/* Sends as many of the waiting bytes as ssh can take without blocking. */
void link_send_waiting_bytes(struct link *link);
