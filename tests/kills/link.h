#ifndef TESTS_KILLS_LINK_H
#define TESTS_KILLS_LINK_H

#include "daemon/base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * A program's way into the house: `ssh -s HOST api` as a process of its own, one message a line.
 * Nothing blocks.
 */
struct link_where {
    int port;
    const char *user;
    const char *key; /* path of the private key */
};

struct link {
    pid_t ssh; /* 0: there is none */
    int in, out;
    struct bytes unread, unsent;
};

/* Starts it. False, with a line on standard error, when that cannot be. */
bool link_open(struct link *link, const struct link_where *where);

/* Ends it, whatever it is doing. */
void link_close(struct link *link);

/* One line, with its newline added. */
void link_send(struct link *link, const char *json, size_t len);

/* Takes what has come; false when the other end is gone. */
bool link_read(struct link *link);

/* The next whole line, without its newline, until the next call; NULL when there is none. */
char *link_line(struct link *link, size_t *len);

/* Sends what waits, as far as there is room. */
void link_flush(struct link *link);

#endif
