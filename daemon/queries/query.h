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
    QUERY_REFUSED = 1, /* the core refused the request, or nothing has that name */
    QUERY_USAGE = 2,
};

enum query_who {
    QUERY_FOR_ALL,    /* guests may use it too, if the settings allow it */
    QUERY_FOR_PEOPLE, /* needs an account */
};

struct query {
    const char *name;
    const char *args; /* "GAME [--count N]", "" */
    const char *help; /* N_(): one sentence */
    enum query_who who;
    bool takes_line; /* gets the line as typed, not split into words and options */
    /* Reads the words after the query's name and sends requests (query_ask.h). Reports its
     * own errors (query_fail). NULL: the query takes no words and sends none. */
    void (*ask)(struct query_run *run);
    /* True if the query has handled a refusal with that code. NULL: it handles none. */
    bool (*refused)(struct query_run *run, const char *code);
    /* Writes the text once all answers have arrived. */
    void (*write)(struct query_run *run);
    /* Makes the JSON for --json, which the caller releases. NULL: the query has none. */
    json_t *(*to_json)(struct query_run *run);
};

#define QUERY(name) extern const struct query name;
#include "daemon/queries/queries.def"
#undef QUERY

/* Writes how the query is typed: "games USER [--count N] [--json]". */
void query_write_usage(const struct query *query, struct text *out);

/* In the order of queries.def; NULL after the last. */
const struct query *query_at(size_t index);
const struct query *query_find(const char *name);

enum {
    QUERY_ANSWERS_MAX = 3,
    QUERY_COLUMNS = 80, /* columns of the text; longer lines are broken at blanks */
};

struct query_setup {
    const char *line; /* the line of the query */
    struct client *client;
    const json_t *you; /* the protocol's `you`, borrowed; NULL for somebody unregistered */
    bool are_guests_welcome;
    bool has_terminal;
    int64_t now_ms; /* milliseconds since 1970 */
};

struct query_run {
    const struct query_setup *setup;
    const struct query *query; /* NULL: unknown query */
    struct client *client;
    char you[ROW_NAME_SIZE]; /* the name of the person who asks */
    bool is_guest;
    enum person_role role;
    char typed[QUERY_LINE_MAX + 3]; /* not "": a line to run in the house instead, with a screen */
    int64_t now_ms;                 /* milliseconds since 1970 */
    struct query_line line;
    size_t next_word; /* the first answer not yet read */
    bool is_json;
    json_t *answers[QUERY_ANSWERS_MAX]; /* `ok` messages, in the order of query_send_request */
    size_t asked, answered;
    bool awaits_lobby;   /* query_request_house_state: the list of people and tables has not arrived
                            yet */
    struct model *model; /* after query_request_house_state: the house; NULL: not requested */
    struct lines out;
    enum query_status status;
    char why[400];  /* one line: why it was refused */
    int64_t number; /* the query's own state */
    int64_t step;
    /* For `replay --cast`: the terminal size of the recording (replay_cast.h) that the session
     * prints instead of text, because a query cannot draw. */
    bool wants_cast;
    int columns, rows;
};

/* Starts the query. *run and *setup must not move, and the client must be served, until
 * query_clear. */
void query_begin(struct query_run *run, const struct query_setup *setup);

/* True once no answer is outstanding. After query_write_result, status, why and out are final. */
bool query_is_answered(const struct query_run *run);

/* Writes the text or the JSON into `out`: every line ends with `end`. */
void query_write_result(struct query_run *run, const char *end, struct bytes *out);

/* Frees everything; later answers are ignored. */
void query_clear(struct query_run *run);

/*
 * Functions for the queries themselves.
 */

/* Returns the next word; NULL if there is none. */
const char *query_next_word(struct query_run *run);

/* Returns the value of `--name N`, from 0 to max; `absent` if there is no such option. An invalid
 * value fails the run. */
int64_t query_read_option(struct query_run *run, const char *name, int64_t max, int64_t absent);

/* True if the option `--name` was given. */
bool query_has_flag(struct query_run *run, const char *name);

/* Call it when all words are read: remaining words fail the run. True if it has not failed. */
bool query_expect_no_more_words(struct query_run *run);

/* Reads a positive number; any other word fails the run. */
int64_t query_read_number(struct query_run *run, const char *word);

/* Fails the run with the usage of the query. */
void query_fail_usage(struct query_run *run);

void query_fail(struct query_run *run, enum query_status status, const char *why);

/* Members of rows: "" and 0 if absent. */
const char *query_get_text(const json_t *row, const char *key);
int64_t query_get_int(const json_t *row, const char *key);
