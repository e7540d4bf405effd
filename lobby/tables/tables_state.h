#pragma once

#include "lobby/house/house_state.h"

/* Of a connection: the table it is at. */
struct table_conn {
    struct table *table;   /* NULL: none */
    struct conn_link link; /* in the table's list of connections */
    bool is_new;           /* has entered, but has been sent nothing of the table yet */
    int64_t back_to;       /* told to return to this table (play/away.h), not there yet; 0: none */
    char observes[STORAGE_OBSERVES_SIZE]; /* the reason given for observing (play/observing.h); "":
                                             not observing */
};

static inline struct table_conn *table_conn(const struct conn *conn)
{
    return CONN_STATE(conn, tables);
}

/* The table that the connection has entered; NULL: none. */
static inline struct table *conn_table(const struct conn *conn)
{
    return table_conn(conn)->table;
}
