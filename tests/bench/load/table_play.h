#pragma once

#include "tests/bench/load/crowd.h"
#include "tests/bench/load/screen_text.h"

#include <stdbool.h>
#include <stdint.h>

#define TABLE_PEOPLE 4

/* What the moves of all tables took. */
struct table_results {
    double *times_ms; /* from the key until one of the others got output */
    size_t count, most;
    int moves;   /* seen by all */
    int unseen;  /* not seen by all in time */
    int refused; /* keys of moves after which nothing happened */
    int timeout_s;
    struct reasons failed; /* why tables did not begin */
};

bool table_results_init(struct table_results *results, int timeout_s);
void table_results_clear(struct table_results *results);

/*
 *   to open -> opening -> seating (3 people, one after the other) -> starting -> waiting
 *   waiting -> redrawing (to find a legal move on the mover's screen) -> moved -> waiting
 *   Until waiting, a step that takes too long leads to failed.
 */
enum table_state {
    TABLE_TO_OPEN,
    TABLE_OPENING,
    TABLE_SEATING,
    TABLE_STARTING,
    TABLE_WAITING,
    TABLE_REDRAWING,
    TABLE_MOVED,
    TABLE_FAILED,
};

/* Four people of the crowd, and the table at which they play. */
struct table {
    struct crowd *crowd;
    struct table_results *results;
    int first;  /* the crowd's member who opens the table; the three others follow */
    int number; /* of the table, as the server shows it */
    enum table_state state;
    int seated, mover;
    int64_t since_us;    /* when the state began */
    int64_t next_us;     /* when the table is to be opened, or the next move is due */
    int64_t interval_us; /* mean time between two moves at this table */
    uint64_t random;
    struct person {
        struct screen_text screen;
        int64_t output_us; /* when the last output came */
        int64_t seen_us;   /* when the first output after the move came; 0: not yet */
    } people[TABLE_PEOPLE];
};

void table_init(struct table *table, struct crowd *crowd, int first, struct table_results *results);

/* Takes the output of one of the four people. */
void table_hear(struct table *table, int person, const char *bytes, size_t len);

/* Takes the next step towards a game, if the step before has had its effect. */
void table_set_up(struct table *table, int64_t now_us);
bool table_is_being_set_up(const struct table *table);
bool table_is_set_up(const struct table *table); /* also if it has failed */
bool table_has_begun(const struct table *table);

/* Says when the moves begin, and how often each person moves. */
void table_begin_moves(struct table *table, int64_t now_us, int move_every_s);

/* Makes or finishes a move, if it is time. */
void table_play(struct table *table, int64_t now_us);
