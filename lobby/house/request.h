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
    int64_t id; /* the request's number, which its answer repeats (answers.h); 0: the message is no
                   request */
    json_t *body; /* the whole message, borrowed; NULL when the request gets a delayed answer */

    /* What the checks of the message's needs (struct need in messages.h) have found. */
    struct table *table;
    int seat; /* a seat at `table` */
};
