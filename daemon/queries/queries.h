#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/model/model.h"
#include "games/macros.h"
#include "lobby/protocol/protocol.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The line that somebody wrote after `ssh HOST`, split into words. There are no quotes, variables
 * or wildcards, since this is no shell: words are separated by blanks.
 */
enum {
    QUERY_LINE_MAX = 1000, /* maximum length of a line in bytes */
    QUERY_WORDS_MAX = 16,
};

struct query_line {
    char text[QUERY_LINE_MAX + 1]; /* the line, with a NUL after each word */
    const char *words[QUERY_WORDS_MAX];
    size_t count;
};

/*
 * Answers questions over ssh without entering the house: `ssh HOST QUERY …`. A query is one row of
 * queries.def, from which dispatch and help are made, and the functions of that row. A query first
 * sends requests to the core. Once all answers have arrived, the query writes text for people, 80
 * columns wide, or with --json one line for programs (README.md describes its keys). The session
 * sends the requests and receives the answers: a query itself uses no socket.
 */
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
    /* Reads the words after the query's name and sends requests. Reports its own
     * errors (query_fail). NULL: the query takes no words and sends no requests. */
    void (*ask)(struct query_run *run);
    /* Writes the answer as text, once all answers of the core have arrived. */
    void (*write)(struct query_run *run);
    /* Makes the answer as JSON for --json; the caller releases it. NULL: the query has no JSON. */
    json_t *(*to_json)(struct query_run *run);
};

/* The queries in the order of queries.def; one without a name ends them. */
extern const struct query query_list[];

enum {
    QUERY_ANSWERS_MAX = 3,
    QUERY_COLUMNS = 80, /* width of the text in columns; longer lines are broken at blanks */
};

struct query_setup {
    const char *line; /* the line that was typed after `ssh HOST` */
    struct client *client;
    const json_t *you; /* the row of the person who asks, `you` in the protocol; borrowed; NULL if
                          the person is unregistered */
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
    char typed[QUERY_LINE_MAX + 3]; /* the moderation command to run on a plain-mode screen instead
                                       of this query; "": none */
    int64_t now_ms;                 /* milliseconds since 1970 */
    struct query_line line;
    size_t next_word; /* index of the first word that has not been read */
    bool is_json;
    json_t *answers[QUERY_ANSWERS_MAX]; /* the core's `ok` messages, in the order of the requests */
    size_t asked, answered;
    bool awaits_state;       /* `hello` has been sent, and what the query needs has not arrived */
    struct model *model;     /* one's own tables and chat, from query_request_own_state on */
    json_t *people, *tables; /* the rows of the lobby, from query_request_lobby on: objects with a
                                member for each row */
    struct lines out;
    enum query_status status;
    char why[400];  /* in one line, why the query failed */
    int64_t number; /* for the query's own use: the index of a kind of game, or the number of a
                       played game */
    int64_t step;
    /* For `replay --cast`: the size of the recorded terminal. The session prints the recording
     * (replay/replay.h), because a query cannot draw. */
    bool wants_cast;
    int columns, rows;
};

/* Starts the query. From now on *run and *setup must not move, and the caller must keep
 * passing the core's messages to setup->client. */
void query_begin(struct query_run *run, const struct query_setup *setup);

/* True once every answer has arrived or the run has failed. The members status, why and out are
 * final only after query_write_result. */
bool query_is_answered(const struct query_run *run);

/* Writes the text or the JSON into `out`; each line ends with `line_end`. */
void query_write_result(struct query_run *run, const char *line_end, struct bytes *out);

/*
 * What the queries call, which stand in queries.c.
 */

/* Reads the option `--name` and removes it; true if it was given. */
bool query_has_flag(struct query_run *run, const char *name);

/* Returns the index of the word `--name`, or the number of words if the option is missing. */
size_t query_find_option(const struct query_run *run, const char *name);
void query_remove_words(struct query_run *run, size_t first, size_t count);

/* Fails the run if unread words are left. True if the run has not failed. */
bool query_expect_no_more_words(struct query_run *run);

/* Writes how the query is typed: "games USER [--count N] [--json]". */
void query_write_usage(const struct query *query, struct text *out);

/* Fails the run with a message that shows how the query is typed. */
void query_fail_with_usage(struct query_run *run);

void query_fail(struct query_run *run, enum query_status status, const char *why);

/* Makes a game's history (HISTORY.md) of the protocol's `record`. The caller releases it. Returns
 * NULL if this program does not have the rules of the game. */
json_t *query_record_to_history(json_t *record_json) MUST_CHECK;
