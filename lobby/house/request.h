#pragma once

#include <jansson.h>
#include <stdint.h>

struct conn;
struct house;
struct table;

/* A message that is being carried out. */
struct request {
    struct house *house;
    struct conn *conn; /* the connection that sent it */
    int64_t id; /* the request's number, with which it is answered (answers.h); 0: not a request */
    json_t *body; /* the whole message, borrowed; NULL when the answer was delayed */

    /* What the needs of the message (messages.h) have found. */
    struct table *table;
    int seat; /* a seat at that table */
};
