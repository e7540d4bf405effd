#pragma once

#include "daemon/queries/query_line.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/model/model.h"
#include "lobby/protocol/rows.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What one can ask over ssh without entering the house: `ssh HOST QUERY …`. A query is a const
 * struct at the end of its file and one line in queries.def, from which dispatch and help are made.
 * It first sends requests to the core. Once all answers have arrived it writes text for people, 80
 * columns wide, or with --json one line for programs (README.md describes its keys). It uses no
 * socket itself.
 */
struct client;
struct query_run;

enum query_status {
    QUERY_OK = 0,
    QUERY_REFUSED = 1, /* the core refused the request, or the requested thing does not exist */
    QUERY_USAGE = 2,
};

enum query_who {
    QUERY_FOR_ALL,    /* guests may run the query too, if the house's settings allow it */
    QUERY_FOR_PEOPLE, /* only people with an account may run the query */
};

struct query {
    const char *name;
    const char *args; /* how the arguments are shown: "GAME [--count N]"; may be "" */
    const char *help; /* N_(): what the query does, in one sentence */
    enum query_who who;
    bool takes_line; /* the query gets the line as typed, not split into words and options */
    /* Reads the words after the query's name and sends requests (query_ask.h). Reports its
     * own errors (query_fail). NULL: the query takes no words and sends none. */
    void (*ask)(struct query_run *run);
    /* Handles the core's refusal of a request, by the refusal's `code`; true if it did. NULL: the
     * query handles no refusal. */
    bool (*refused)(struct query_run *run, const char *code);
    /* Writes the answer as text, once all answers of the core have arrived. */
    void (*write)(struct query_run *run);
    /* Makes the answer as JSON for --json; the caller releases it. NULL: the query has no JSON. */
    json_t *(*to_json)(struct query_run *run);
};

#define QUERY(name) extern const struct query name;
#include "daemon/queries/queries.def"
#undef QUERY

/* Writes how the query is typed: "games USER [--count N] [--json]". */
void query_write_usage(const struct query *query, struct text *out);

/* Return a query by its index in queries.def (NULL after the last), or by its name (NULL if
 * unknown). */
const struct query *query_at(size_t index);
const struct query *query_find(const char *name);

enum {
    QUERY_ANSWERS_MAX = 3,
    QUERY_COLUMNS = 80, /* width of the text in columns; longer lines are broken at blanks */
};

struct query_setup {
    const char *line; /* the line that was typed after `ssh HOST` */
    struct client *client;
    const json_t *you; /* the person's own row, `you` in the protocol; borrowed; NULL for somebody
                          unregistered */
    bool are_guests_welcome;
    bool has_terminal;
    int64_t now_ms; /* milliseconds since 1970 */
};

struct query_run {
    const struct query_setup *setup;
    const struct query *query; /* the query that was asked; NULL: no query has that name */
    struct client *client;
    char you[ROW_NAME_SIZE]; /* the name of the person who asks */
    bool is_guest;
    enum person_role role;
    char typed[QUERY_LINE_MAX +
               3];  /* a command to run on a screen of the house instead of the query; "": none */
    int64_t now_ms; /* milliseconds since 1970 */
    struct query_line line;
    size_t next_word; /* index of the first word that has not been read */
    bool is_json;
    json_t *answers[QUERY_ANSWERS_MAX]; /* the `ok` messages, in the order of the requests */
    size_t asked, answered;
    bool awaits_lobby; /* the lobby's people and tables have been requested and have not arrived */
    struct model
        *model; /* the state of the house, from query_request_house_state on; NULL before */
    struct lines out;
    enum query_status status;
    char why[400];  /* in one line, why the query failed */
    int64_t number; /* data private to the query: a game, or a game's number */
    int64_t step;
    /* For `replay --cast`: the size of the recorded terminal. The session prints the recording
     * (replay_cast.h), because a query cannot draw. */
    bool wants_cast;
    int columns, rows;
};

/* Starts the query. Until query_clear, *run and *setup must not move, and the caller must keep
 * passing the core's messages to the client. */
void query_begin(struct query_run *run, const struct query_setup *setup);

/* True once every answer has arrived. After query_write_result, status, why and out are final. */
bool query_is_answered(const struct query_run *run);

/* Writes the text or the JSON into `out`; each line ends with `line_end`. */
void query_write_result(struct query_run *run, const char *line_end, struct bytes *out);

/* Frees what the run holds; answers that arrive later are ignored. */
void query_clear(struct query_run *run);

/*
 * Functions for the files of queries.
 */

/* Reads the next word; NULL if there is none. */
const char *query_next_word(struct query_run *run);

/* Reads the value of `--name N`, from 0 to max. Returns `value_if_absent` if there is no such
 * option. An invalid value fails the run. */
int64_t query_read_option(struct query_run *run, const char *name, int64_t max,
                          int64_t value_if_absent);

/* Reads the option `--name`; true if it was given. */
bool query_has_flag(struct query_run *run, const char *name);

/* Fails the run if words are left that nothing has read. True if the run has not failed. */
bool query_expect_no_more_words(struct query_run *run);

/* Reads a positive number, with or without "#". Anything else fails the run. */
int64_t query_read_number(struct query_run *run, const char *word);

/* Fails the run and shows how the query is typed. */
void query_fail_with_usage(struct query_run *run);

void query_fail(struct query_run *run, enum query_status status, const char *why);

/* Return members of a row; "" and 0 if they are absent. */
const char *query_get_text(const json_t *row, const char *key);
int64_t query_get_int(const json_t *row, const char *key);
