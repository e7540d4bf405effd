#pragma once

#include "daemon/screens/lobby/lobby_people.h"
#include "daemon/screens/lobby/lobby_tables.h"

#include <jansson.h>

/*
 * Which rows of the lobby's lists the screen asks the core for (PROTOCOL.md, "The lobby"): those on
 * the screen, and as many above and below them. While these rows are on the screen, the lobby asks
 * for the same window, so that moving the cursor costs nothing.
 */

/* The window of a list for which the lobby has asked. */
struct lobby_query_window {
    int first, count; /* count 0: the lobby has asked for none yet */
    bool is_at_row;   /* the window is where the selected row is */
};

struct lobby_query {
    struct lobby_query_window people, tables;
    char at_person[MODEL_NAME_MAX]; /* the person around whom the window of people lies; "": none */
    int64_t at_table;               /* the table around which the window of tables lies; 0: none */
    uint8_t show, sort;             /* as for the window of tables */
    char filter[LOBBY_FILTER_MAX];
};

/* Return the fields of the list for the message lobby_watch, which the caller releases. */
json_t *lobby_query_people(struct lobby_query *query, const struct lobby_people *people,
                           const struct model_people *rows);
json_t *lobby_query_tables(struct lobby_query *query, const struct lobby_tables *tables,
                           const struct model_tables *rows);
