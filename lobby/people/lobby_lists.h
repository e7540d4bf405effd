#pragma once

#include "lobby/people/lobby_rows.h"

/*
 * The lists of people and tables in the lobby, as one person sees them: filtered, sorted, and cut
 * to a window of a few rows. PROTOCOL.md ("The lobby") describes the lists and the fields of a
 * query.
 */

#define LOBBY_WINDOW_ROWS_MAX 100 /* maximum number of rows of one window */
#define LOBBY_FILTER_SIZE 65

/* Which rows of a list are wanted. Two people with the same query get the same rows if their own
 * state does not matter (lobby_people_are_personal, lobby_tables_are_personal). */
struct lobby_people_query {
    uint32_t first, count;
    char at[STORAGE_NAME_SIZE]; /* the window is moved to contain this person, if listed; "": no */
    char start[STORAGE_NAME_SIZE]; /* only people whose names begin with this text; "": all */
};

struct lobby_tables_query {
    int64_t at; /* the window is moved to contain this table, if the list has it; 0: no */
    uint32_t first, count;
    uint64_t games; /* bit i: tables of game_at(i) pass the filter */
    uint8_t show, sort;
    char filter[LOBBY_FILTER_SIZE]; /* only tables that contain this text; "": all */
};

/* Read a query from the JSON object of a message. False, with *query undefined: a field is
 * invalid. */
bool lobby_people_query_read(json_t *object, struct lobby_people_query *query) MUST_CHECK;
bool lobby_tables_query_read(const json_t *object, struct lobby_tables_query *query) MUST_CHECK;

/* True if the queries want the same rows. */
bool lobby_people_query_is_same(const struct lobby_people_query *a,
                                const struct lobby_people_query *b);
bool lobby_tables_query_is_same(const struct lobby_tables_query *a,
                                const struct lobby_tables_query *b);

/* The wanted rows as members of a JSON object. */
struct lobby_window {
    char totals[256]; /* the position of the window and the lengths of the lists */
    struct text rows; /* the rows; the text has room for LOBBY_WINDOW_BYTES */
};

#define LOBBY_WINDOW_BYTES (PAYLOAD_MAX - 1024)

/* Write the window of a list that this person sees. `rows` of the window must have been
 * initialised; its text is replaced. If the rows are longer than LOBBY_WINDOW_BYTES, the last ones
 * are left out. */
void lobby_people_write(const struct house *house, const struct person *person,
                        const struct lobby_people_query *query, struct lobby_window *window);
void lobby_tables_write(struct house *house, struct person *person,
                        const struct lobby_tables_query *query, struct lobby_window *window);

/* True if the person may see other people, or other tables, at a position than somebody with the
 * same query: they have friends in the house, or a seat, or some table does not admit everybody.
 * `has_seat` says whether the person has a seat at any table. */
bool lobby_people_are_personal(const struct house *house, const struct person *person);
bool lobby_tables_are_personal(const struct house *house, const struct person *person,
                               bool has_seat);
