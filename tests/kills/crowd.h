#pragma once

#include "tests/faults/ledger.h"
#include "tests/kills/gambler.h"
#include "tests/kills/node.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A house with its data in its own folder, or several nodes with their data in PostgreSQL, and
 * groups of gamblers (simulated players) in the house.
 * Each gambler has an account and a key from the start. Any failure in these functions ends the
 * process with a line on standard error.
 */
#define CROWD_COMPANIES_MAX 200
#define CROWD_PEOPLE_MAX 500
#define CROWD_PATH_SIZE NODE_PATH_SIZE
#define CROWD_NODES_MAX 8

struct crowd_setup {
    const char *program; /* the path of the house's program */
    unsigned companies;
    unsigned people;      /* number of people in each group */
    unsigned bots;        /* number of bots at each group's table */
    const char *policy;   /* of the bots */
    int bot_delay_ms;     /* the pace of the bots */
    const char *database; /* the house starts with a copy of this file; NULL: with no data */
    const char *url;      /* of the empty PostgreSQL database that holds the data; NULL: SQLite */
    unsigned nodes;       /* number of nodes, with `url`; otherwise there is one house */
};

struct crowd {
    struct crowd_setup setup;
    char folder[64];
    struct node nodes[CROWD_NODES_MAX];
    unsigned node_count;
    unsigned count;
    char names[CROWD_PEOPLE_MAX][24];
    char keys[CROWD_PEOPLE_MAX][CROWD_PATH_SIZE];
    struct company companies[CROWD_COMPANIES_MAX];
    struct gambler_counts counts[CROWD_COMPANIES_MAX];
    struct gambler *gamblers[CROWD_PEOPLE_MAX];
    struct ledger ledger;
    int epoll;                     /* reports whose input is readable */
    int watched[CROWD_PEOPLE_MAX]; /* the input that epoll watches for each gambler; -1: none */
    int64_t pass_ms; /* when every gambler had a turn last, also those who heard nothing */
};

/* Describes the usual crowd: groups of three people with an easy bot, as many groups as the text
 * says; NULL: 6. Returns false, with a line on standard error, unless that is a number from 1 to
 * CROWD_COMPANIES_MAX. Both texts are borrowed. */
bool crowd_setup_read(struct crowd_setup *setup, const char *program, const char *companies);

/* Opens the house, or all nodes, and creates the gamblers; nobody is connected yet. */
void crowd_open(struct crowd *crowd, const struct crowd_setup *setup);

/* Waits a moment for messages from the house, then lets every gambler that got one, and from time
 * to time all of them, take the next action. */
void crowd_run_pass(struct crowd *crowd);

/* Runs passes until a move was made at every table. Returns false if that takes longer than
 * `limit_ms`. */
bool crowd_wait_for_moves(struct crowd *crowd, int64_t limit_ms);

/* From now on, watches for the first move at every table. Returns the current time. */
int64_t crowd_watch_for_first_moves(struct crowd *crowd);

/* Whether a move was made at every table since then. The counts of each group tell when
 * (first_ms). */
bool crowd_has_first_moves(const struct crowd *crowd);

/* Runs passes for that time. */
void crowd_run_passes_for_ms(struct crowd *crowd, int64_t ms);

/* Stops all gamblers from moving, and waits until every request is answered or a time limit is
 * reached. */
void crowd_finish_moves(struct crowd *crowd);

/* Disconnects every gambler and closes the house. Returns whether the house, or every node that
 * still ran, ended without an error. */
bool crowd_close(struct crowd *crowd);

/* Writes the path of the database of a house without `url`. The database may be opened once the
 * house is closed. */
void crowd_database_path(const struct crowd *crowd, char path[CROWD_PATH_SIZE + 16]);

/* Removes the house's folder, or keeps the folder and prints its path. Frees all memory. */
void crowd_clear(struct crowd *crowd, bool keeps_folder);

/* Adds up the counts of all groups. */
struct gambler_counts crowd_sum_counts(const struct crowd *crowd);

int64_t crowd_now_ms(void);
