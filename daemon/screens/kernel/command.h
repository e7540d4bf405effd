#pragma once

#include "daemon/screens/kernel/request.h"
#include "daemon/screens/model/model.h"
#include "games/text.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A command is a const struct at the end of its file and one line in commands.def, which drive
 * dispatch, completion and help. Everything that a key does has a command too.
 */
struct ui;

/* Where a command may be used. */
enum command_where {
    COMMAND_ANYWHERE,
    COMMAND_IN_HOUSE, /* signed in */
    COMMAND_AT_TABLE, /* at a table */
};

/* What Tab completes the first argument to. */
enum command_completes {
    COMPLETE_NOTHING,
    COMPLETE_NAMES,    /* people in the house */
    COMPLETE_COMMANDS, /* commands, without the slash */
    COMPLETE_FRIENDS,  /* one's friends, here or not */
    COMPLETE_TABLES,   /* "#7" */
    COMPLETE_GAMES,    /* ids of games */
    COMPLETE_CHANNELS, /* "#name": one's own channels */
    COMPLETE_WORDS,    /* the member `words` */
};

struct command {
    const char *name; /* commands, without the slash */
    const char *args; /* "player text", "[theme]", "" */
    /* N_(): one sentence of at most 60 columns; then more sentences, with an example, which only
     * /help NAME shows */
    const char *help;
    enum command_where where;
    /* staff only: hidden from others, who cannot abbreviate it either; the core decides who may
     * use it */
    enum person_role role;
    enum command_completes completes;
    const char *const *words; /* NULL-terminated, for COMPLETE_WORDS */
    /* NULL-terminated: what Tab completes the other arguments to; or NULL */
    const char *const *more;

    /* Exactly one of the following members says what the command does; none of them: it is a
     * moderation command, which the core carries out (lobby/protocol/mod_commands.def). */

    /* args: the text after the name, without surrounding spaces; may be empty. It reports errors
     * itself (screen_warn). */
    void (*run)(struct ui *ui, const char *args);
    void (*act)(struct ui *ui);              /* for a command without arguments */
    void (*turn)(struct ui *ui, bool is_on); /* for a command whose argument is "on" or "off" */
    const char *opens;                       /* the screen that the command opens */
    const char *request;                     /* the type of the message that it sends */

    int64_t argument;    /* of `opens` */
    const char *field;   /* of `request`: the key for args; NULL: the message has no fields */
    const char *missing; /* N_(): the warning if args is empty; NULL: the field is then left out */
    const char *done;    /* N_(): the notice on success; NULL: none */
    screen_result *result; /* handles success instead of showing `done` */
};

#define COMMAND(name) extern const struct command name;
#include "daemon/screens/commands/commands.def"
#undef COMMAND

/* In the order of commands.def, then the moderation commands of lobby/protocol/mod_commands.def;
 * NULL after the last. */
const struct command *command_at(size_t index);

/* By name or, unless it is for staff, by an unambiguous beginning; NULL if there is none. */
const struct command *command_find(const char *name);

/* Runs a line that begins with a slash. It is never sent as chat. */
void command_run(struct ui *ui, const char *line);

/* The first sentence of its help, for lists; `out` is an empty text. */
void command_write_summary(const struct command *command, struct text *out);

/* Copies the first word of args into `word` (cut to cap); returns the rest. */
const char *command_read_word(const char *args, char *word, size_t cap);
