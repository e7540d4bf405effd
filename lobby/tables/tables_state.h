#pragma once

#include "lobby/persons/persons_state.h"

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

/* Of a person at tables. */
struct table_person {
    struct bucket stir; /* limits what others are told of: opening tables, changing seats */
};

static inline struct table_person *table_person(const struct person *person)
{
    return PERSON_STATE(person, tables);
}

struct tables {
    struct index by_id;
    bool is_changed;     /* push some table or view */
    bool rows_changed;   /* some table's lobby row changed, or has gone */
    bool fits_changed;   /* some table's eligibility may have changed */
    bool clocks_changed; /* store some seat's clock */
    json_t *gone;        /* numbers of tables to take out of the lobby with the next change */
};

static inline struct tables *tables_of(const struct house *house)
{
    return PART_STATE(house, tables);
}
