#pragma once

#include "lobby/persons/persons_state.h"
#include "lobby/protocol/rows.h"
#include "lobby/tables/tables_state.h"

/*
 * The lobby's rows of people and tables, as JSON text. A row is written once for all its recipients
 * when what it shows has changed. People are kept sorted, so that a window of the list
 * costs no more in a full house than in an empty one.
 */

struct lobby_rows;

/* A listed person: somebody in the house, or a bot of the house that sits at a table. */
struct lobby_person_row {
    char name[STORAGE_NAME_SIZE];
    int64_t account;         /* 0: a guest */
    bool is_bot;             /* the row's kind is `bot` */
    char *text;              /* the row as JSON; NULL: not listed */
    struct lobby_rows *list; /* the list that has this row; NULL: not listed */
    bool is_unsent;          /* the row is in the list `unsent` */
    TAILQ_ENTRY(lobby_person_row) of_unsent;
};

/* The lobby's part of a table. */
struct lobby_table {
    struct table_row row; /* as in `text` */
    char *text;           /* the row as JSON; NULL: not listed */
    bool is_unsent;       /* those who follow the whole lobby have not been sent this row */
};

TAILQ_HEAD(lobby_person_rows, lobby_person_row);

/* A place in the list of people. */
struct lobby_listed_person {
    struct lobby_person_row *row;
};

struct lobby_rows {
    struct lobby_listed_person *people; /* the listed people, in the order of lobby_rows_compare */
    size_t people_count, people_cap;
    size_t bot_count;        /* how many of `people` are bots */
    size_t table_count;      /* the number of listed tables */
    uint64_t people_version; /* grows with every change of the list of people */
    uint64_t tables_version; /* grows with every change of the list of tables */
    struct index by_account; /* the listed people who have an account */
    int64_t idle_checked_ms; /* when idle times were last updated */
    /* Changes for those who follow the whole lobby (lobby_push.c): */
    struct lobby_person_rows unsent;   /* rows of people that have changed */
    bool has_unsent_tables;            /* some table's is_unsent is set */
    json_t *gone_people, *gone_tables; /* names and numbers of removed rows */
};

struct lobby_rows *lobby_rows_of(const struct house *house);
struct lobby_table *lobby_rows_of_table(const struct table *table);

/* Update the rows of everybody whose row has been marked as changed, or the rows of people, bots
 * and tables. */
void lobby_rows_update_people(struct house *house);
void lobby_rows_update_all(struct house *house);

/* True if people or tables have changed since lobby_rows_update_all was last called. */
bool lobby_rows_are_outdated(const struct house *house);

/* Compares two names as the list of people is sorted: by name, and guests last, by their number.
 * The newest guests thus stand at the end, where few windows show them. */
int lobby_rows_compare(const char *a, const char *b);

/* Returns how many listed people stand before the one with this name, who may be missing. */
size_t lobby_rows_rank_of_name(const struct lobby_rows *rows, const char *name);

/* Returns the listed person with this account; NULL: there is none. */
const struct lobby_person_row *lobby_rows_find_account(const struct lobby_rows *rows,
                                                       int64_t account);
