#pragma once

#include "daemon/screens/kernel/request.h"
#include "daemon/screens/model/model.h"
#include "games/text.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A command is a const struct at the end of its file and one line in commands.def, which drive
 * dispatch, completion and help. Everything a key does has a command.
 */
struct ui;

/* Where a command may be used. */
enum command_where {
    COMMAND_ANYWHERE,
    COMMAND_IN_HOUSE, /* signed in */
    COMMAND_AT_TABLE, /* a table is entered */
};

/* What Tab completes its first argument to. */
enum command_completes {
    COMPLETE_NOTHING,
    COMPLETE_NAMES,    /* people in the house */
    COMPLETE_COMMANDS, /* without the slash */
    COMPLETE_FRIENDS,  /* one's own, here or not */
    COMPLETE_TABLES,   /* "#7" */
    COMPLETE_GAMES,    /* their ids */
    COMPLETE_CHANNELS, /* "#name": those one is in */
    COMPLETE_WORDS,    /* `words` */
};

struct command {
    const char *name; /* without slash */
    const char *args; /* "player text", "[theme]", "" */
    const char *help; /* N_(): what it does, in 60 columns; then, as sentences, what else is to be
                         known, with an example: told by /help NAME alone */
    enum command_where where;
    enum person_role role; /* others neither see nor abbreviate it; the house decides who may */
    enum command_completes completes;
    const char *const *words; /* NULL-ended, for COMPLETE_WORDS */
    const char *const *more;  /* NULL-ended: what Tab completes its other arguments to; or NULL */

    /* args: what follows the name, without spaces around it; may be empty. Says itself what is
     * wrong with it (screen_warn). NULL: see `request`. */
    void (*run)(struct ui *ui, const char *args);

    /* Instead of run, for a command that only asks the core: the message it sends. NULL, too: a
     * moderation command, which the core carries out (lobby/protocol/mod_commands.def). */
    const char *request;
    const char *field;     /* the message's key for args; NULL: the message has no fields */
    const char *missing;   /* N_(): warns when args is empty; NULL: the field is then left out */
    const char *done;      /* N_(): the notice when the core agrees; NULL: none */
    screen_answer *answer; /* what to do with the answer instead; NULL: `done`, or the refusal */
};

#define COMMAND(name) extern const struct command name;
#include "daemon/screens/commands/commands.def"
#undef COMMAND

/* In the order of commands.def, then the moderation commands of lobby/protocol/mod_commands.def;
 * NULL past the last. */
const struct command *command_at(size_t index);

/* By name or, if it is everybody's, unambiguous beginning; NULL when there is none. */
const struct command *command_find(const char *name);

/* Runs a line that begins with a slash. It never becomes chat. */
void command_run(struct ui *ui, const char *line);

/* The first sentence of its help, for lists; `out` is an empty text. */
void command_summary(const struct command *command, struct text *out);

/* The first word of args into `word` (cut to cap); returns the rest. */
const char *command_word(const char *args, char *word, size_t cap);
