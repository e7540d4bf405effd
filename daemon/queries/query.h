#pragma once

#include "daemon/queries/query_line.h"
#include "daemon/screens/drawing/lines.h"
#include "games/macros.h"
#include "lobby/protocol/rows.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What one asks over ssh without entering the house: `ssh HOST QUERY …`. A query is a const struct
 * at the end of its file and one line in queries.def, from which dispatch and help are made. It
 * asks the core first. When all answers are there it writes text for people, 80 columns wide, or
 * with --json one line for programs (README.md describes its keys). It knows no socket.
 */
struct client;
struct query_run;

enum query_status {
    QUERY_OK = 0,
    QUERY_REFUSED = 1, /* the core refused it, or nothing has that name */
    QUERY_USAGE = 2,
};

enum query_who {
    QUERY_FOR_ALL,    /* guests too, if the settings allow it */
    QUERY_FOR_PEOPLE, /* with an account */
};

struct query {
    const char *name;
    const char *args; /* "GAME [--count N]", "" */
    const char *help; /* N_(): one sentence */
    enum query_who who;
    bool takes_line; /* gets the line as typed, not split into words and options */
    /* Reads the words after the query's name and asks the core (query_ask.h). Reports its own
     * errors (query_fail). NULL: the query takes no words and asks nothing. */
    void (*ask)(struct query_run *run);
    /* True when the query has handled a refusal with that code. NULL: it handles none. */
    bool (*refused)(struct query_run *run, const char *code);
    /* Writes the text, when all answers are there. */
    void (*tell)(struct query_run *run);
    /* Makes the JSON for --json; the caller releases it. NULL: the query has none. */
    json_t *(*shape)(struct query_run *run);
};

#define QUERY(name) extern const struct query name;
#include "daemon/queries/queries.def"
#undef QUERY

/* In the order of queries.def; NULL past the last. */
const struct query *query_at(size_t index);
const struct query *query_find(const char *name);

enum {
    QUERY_ANSWERS_MAX = 3,
    QUERY_COLUMNS = 80, /* of what is told; what has to be longer is broken at blanks */
};

struct query_setup {
    const char *line; /* what was asked for */
    struct client *client;
    const char *you; /* JSON of the protocol's `you`, NULL for a visitor */
    bool are_guests_welcome;
    bool has_terminal;
    int64_t now_ms; /* unix */
};

struct query_run {
    const struct query_setup *setup;
    const struct query *query; /* NULL: none was named */
    struct client *client;
    char you[ROW_NAME_SIZE];        /* one's own name */
    char typed[QUERY_LINE_MAX + 3]; /* not "": to be typed in the house, with a screen */
    int64_t now_ms;                 /* unix */
    struct query_line line;
    size_t next_word; /* the first that nobody has read */
    bool is_json;
    json_t *answers[QUERY_ANSWERS_MAX]; /* `ok`, in the order of query_ask */
    size_t asked, answered;
    bool awaits_lobby; /* query_ask_house: has not heard the list of people and tables yet */
    json_t *people, *tables, *mine, *chat; /* after query_ask_house: the protocol's rows */
    struct lines out;
    enum query_status status;
    char why[400];  /* one line, for who was refused */
    int64_t number; /* a query's own: what it was asked for */
    int64_t step;
    /* `replay --cast`: instead of text the session sends a recording of the answered record, of
     * this size (replay_cast.h), for it alone can draw. */
    bool wants_cast;
    int columns, rows;
};

/* Begins, in place: *run and *setup must stay where they are, and the client serve it, until
 * query_end. */
void query_begin(struct query_run *run, const struct query_setup *setup);

/* True once nothing more is to come: status, why and out are final after query_finish. */
bool query_is_answered(const struct query_run *run);

/* Writes the text or the JSON into `out`: every line ends with `end`. */
void query_finish(struct query_run *run, const char *end, struct bytes *out);

/* Frees everything; nothing of the client's is waited for any more. */
void query_end(struct query_run *run);

/*
 * For queries.
 */

/* The next word, NULL when there is none. */
const char *query_word(struct query_run *run);

/* The value of `--name N` among the words: from 0 to max, or `absent`. A bad one fails the run. */
int64_t query_option(struct query_run *run, const char *name, int64_t max, int64_t absent);

/* Whether `--name` is there. */
bool query_flag(struct query_run *run, const char *name);

/* Call when all words are read: those left over fail the run. True when it has not failed. */
bool query_words_end(struct query_run *run);

/* A positive number; fails the run otherwise. */
int64_t query_number(struct query_run *run, const char *word);

/* Says how the query is used. */
void query_fail_usage(struct query_run *run);

void query_fail(struct query_run *run, enum query_status status, const char *why);

/* Values of rows: "" and 0 when absent. */
const char *query_text(const json_t *row, const char *key);
int64_t query_int(const json_t *row, const char *key);
