#pragma once

#include "daemon/base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * The connection of a program to the house: `ssh -s HOST api` in its own process, one message per
 * line. No call blocks.
 */
struct link_login {
    int port;
    const char *user;
    const char *key; /* path of the private key */
};

struct link {
    pid_t ssh; /* the process; 0: not running */
    int in, out;
    struct bytes unread, unsent;
};

/* Starts the process. On failure prints a line to standard error and returns false. */
bool link_open(struct link *link, const struct link_login *login);

/* Ends the process, whatever it is doing. */
void link_close(struct link *link);

/* Sends one line and adds its newline. */
void link_send(struct link *link, const char *json, size_t len);

/* Reads what has arrived. Returns false when the other end is gone. */
bool link_read(struct link *link);

/* Returns the next complete line without its newline, valid until the next call; NULL when there is
 * none. */
char *link_next_line(struct link *link, size_t *len);

/* Sends the bytes that wait to be sent, as far as there is room. */
void link_send_waiting(struct link *link);
