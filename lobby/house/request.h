#pragma once

#include <jansson.h>
#include <stdint.h>

struct conn;
struct house;
struct table;

/* A message from a peer while it is carried out. */
struct request {
    struct house *house;
    struct conn *conn; /* who sent it */
    int64_t id;        /* by which it is answered (answers.h); 0: not a request */
    json_t *body;      /* the whole message, borrowed; NULL when the answer was delayed */

    /* What its needs (messages.h) have found. */
    struct table *table;
    int seat; /* at the table */
};
