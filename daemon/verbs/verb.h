#ifndef DAEMON_VERBS_VERB_H
#define DAEMON_VERBS_VERB_H

#include "daemon/screens/kernel/lines.h"
#include "daemon/verbs/verb_line.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What can be asked without coming in: `ssh HOST VERB …`. A verb is a const struct at the end of
 * its file and one line in verbs.def, which drive dispatch and help. It asks the house first, and
 * tells once all is answered: as text for people, 80 columns wide, or with --json as one line for
 * programs (README.md here says its shape). Knows no socket.
 */
struct client;
struct verb_run;

enum verb_status {
    VERB_OK = 0,
    VERB_REFUSED = 1, /* by the house, or there is nothing of that name */
    VERB_USAGE = 2,
};

enum verb_who {
    VERB_FOR_ALL,    /* guests too, where the house's settings let them */
    VERB_FOR_PEOPLE, /* with an account */
};

struct ssh_verb {
    const char *name;
    const char *args; /* "GAME [--count N]", "" */
    const char *help; /* N_(): one sentence */
    enum verb_who who;
    bool takes_line; /* as it is: no words, no options */
    /* Reads the words after the verb's own and asks the house (verb_ask…). Says itself what is
     * wrong (verb_fail). NULL: no words, and nothing to ask. */
    void (*ask)(struct verb_run *run);
    /* True when it has seen to a refusal with that code itself. NULL: to none. */
    bool (*refused)(struct verb_run *run, const char *code);
    /* When all is answered. */
    void (*tell)(struct verb_run *run);
    json_t *(*shape)(struct verb_run *run); /* with --json; the caller's. NULL: the verb has none */
};

#define VERB(name) extern const struct ssh_verb name;
#include "daemon/verbs/verbs.def"
#undef VERB

/* In the order of verbs.def; NULL past the last. */
const struct ssh_verb *verb_at(size_t index);
const struct ssh_verb *verb_find(const char *name);

enum {
    VERB_ANSWERS_MAX = 3,
    VERB_COLUMNS = 80, /* of what is told; what has to be longer is broken at blanks */
};

struct verb_setup {
    const char *line; /* what was asked for */
    struct client *client;
    const char *you; /* JSON of the protocol's `you`, NULL for a visitor */
    bool are_guests_welcome;
    bool has_terminal;
    int64_t now_ms; /* unix */
};

struct verb_run {
    const struct verb_setup *setup;
    const struct ssh_verb *verb; /* NULL: none was named */
    struct client *client;
    char you[33];                  /* one's own name */
    char typed[VERB_LINE_MAX + 3]; /* not "": to be typed in the house, with a screen */
    int64_t now_ms;                /* unix */
    struct verb_line line;
    size_t next_word; /* the first that nobody has read */
    bool is_json;
    json_t *answers[VERB_ANSWERS_MAX]; /* `ok`, in the order of verb_ask */
    size_t asked, answered;
    bool awaits_lobby; /* verb_ask_house: has not heard the list of people and tables yet */
    json_t *people, *tables, *mine, *chat; /* after verb_ask_house: the protocol's rows */
    struct lines out;
    enum verb_status status;
    char why[400];  /* one line, for who was refused */
    int64_t number; /* a verb's own: what it was asked for */
    int64_t step;
    /* `replay --cast`: instead of text the session sends a recording of the answered record, of
     * this size (replay_cast.h), for it alone can draw. */
    bool wants_cast;
    int columns, rows;
};

/* Begins, in place: *run and *setup must stay where they are, and the client serve it, until
 * verb_end. */
void verb_begin(struct verb_run *run, const struct verb_setup *setup);

/* True once nothing more is to come: status, why and out are final after verb_finish. */
bool verb_is_answered(const struct verb_run *run);

/* Writes the text or the JSON into `out`: every line ends with `end`. */
void verb_finish(struct verb_run *run, const char *end, struct bytes *out);

/* Frees everything; nothing of the client's is waited for any more. */
void verb_end(struct verb_run *run);

/*
 * For verbs.
 */

/* The next word, NULL when there is none. */
const char *verb_word(struct verb_run *run);

/* The value of `--name N` among the words: from 0 to max, or `absent`. A bad one fails the run. */
int64_t verb_option(struct verb_run *run, const char *name, int64_t max, int64_t absent);

/* Whether `--name` is there. */
bool verb_flag(struct verb_run *run, const char *name);

/* Call when all words are read: those left over fail the run. True when it has not failed. */
bool verb_words_end(struct verb_run *run);

/* A positive number; fails the run otherwise. */
int64_t verb_number(struct verb_run *run, const char *word);

/* Says how the verb is used. */
void verb_fail_usage(struct verb_run *run);

void verb_fail(struct verb_run *run, enum verb_status status, const char *why);

/* Steals `fields`. */
void verb_ask(struct verb_run *run, const char *type, json_t *fields);

/* The house as it is now: people, tables, mine, chat. */
void verb_ask_house(struct verb_run *run);

/* Values of rows: "" and 0 when absent. */
const char *verb_text(const json_t *row, const char *key);
int64_t verb_int(const json_t *row, const char *key);

/* The game's title; its id when this program does not know it. Borrowed. */
const char *verb_game_title(const char *id);

#endif
