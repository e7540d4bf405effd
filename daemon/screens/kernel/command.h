#pragma once

#include "daemon/screens/kernel/request.h"
#include "daemon/screens/model/model.h"
#include "games/text.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A command that people type after a slash: a const struct at the end of its file, and one line in
 * commands.def, from which dispatch, completion and help are made. Everything that a key does can
 * also be done by a command.
 */
struct ui;

/* The argument of the screen "help" with which plain mode prints all commands: without it, it
 * prints those of the place where the person is. */
#define HELP_ALL 1

/* Where a command may be used. */
enum command_where {
    COMMAND_IN_HOUSE, /* only for people who are signed in */
    COMMAND_ANYWHERE,
    COMMAND_AT_TABLE, /* only at a table */
};

/* What Tab can offer for a command's first argument. */
enum command_completes {
    COMPLETE_NOTHING,
    COMPLETE_NAMES,    /* names of people in the house */
    COMPLETE_COMMANDS, /* names of commands, without the slash */
    COMPLETE_FRIENDS,  /* names of one's friends, present or not */
    COMPLETE_TABLES,   /* "#7" */
    COMPLETE_GAMES,    /* ids of games */
    COMPLETE_CHANNELS, /* names of one's own channels ("#name") */
};

struct command {
    const char *name; /* the command's name, without the slash */
    const char *args; /* how help shows the arguments: "player text", "[theme]"; NULL: the command
                         takes none */
    /* N_(): first one sentence of at most 60 columns; then more sentences, with an example, which
     * only /help NAME shows */
    const char *help;
    enum command_where where;
    /* The lowest role that may use the command. A command for staff is hidden from others and
     * cannot be abbreviated. */
    enum person_role role;
    enum command_completes completes;
    const char *const *words; /* words to which Tab completes the first argument, instead of
                                 `completes`; ended by NULL */
    /* words to which Tab completes the later arguments, ended by NULL; may be NULL */
    const char *const *more;

    /* At most one of the next five members is set: it says what the command does. If all are NULL,
     * the command is a moderation command, which the core carries out
     * (lobby/protocol/mod_commands.def). */

    /* Runs the command. args is the text after the name, without surrounding spaces, and may be
     * empty. The function reports errors itself (screen_warn). */
    void (*run)(struct ui *ui, const char *args);
    void (*act)(struct ui *ui);              /* runs a command without arguments */
    void (*turn)(struct ui *ui, bool is_on); /* runs a command whose argument is "on" or "off" */
    const char *opens;                       /* name of the screen that the command opens */
    const char *request;                     /* type of the request that the command sends */

    int64_t argument; /* argument passed to the screen that `opens` names */
    const char
        *field; /* the request's key for the typed arguments; NULL: the request has no fields */
    const char *missing;   /* N_(): the warning if the argument is missing; NULL: the field is then
                              left out */
    const char *done;      /* N_(): the notice when the request succeeds; NULL: none */
    screen_result *result; /* handles a successful answer, instead of `done` */
};

#define COMMAND(name) extern const struct command name;
#include "daemon/screens/commands/commands.def"
#undef COMMAND

/* Returns the commands in the order of commands.def, then the moderation commands; NULL after the
 * last. */
const struct command *command_at(size_t index);

/* Finds a command by its name; NULL if there is none. Commands that are not for staff are also
 * found by an unambiguous beginning of the name. */
const struct command *command_find(const char *name);

/* True if the line is the whole name of a command that the person may use, or another word for
 * it ("exit"). */
bool command_is_named(const struct ui *ui, const char *line);

/* Carries out a typed line that begins with a slash. Such a line is never sent as chat. */
void command_run(struct ui *ui, const char *line);

/* Writes the first sentence of a command's help into the empty text `out`. */
void command_write_summary(const struct command *command, struct text *out);

/* Copies the first word of `args` into `word` (truncated to cap - 1 bytes); returns what follows
 * it. */
const char *command_read_word(const char *args, char *word, size_t cap);

/* True if the text is the word, which is marked with N_(), or its translation, which help shows. */
bool command_word_is(const char *typed, const char *word);

/* Sends a moderation command (PROTOCOL.md, mod), written without its slash, and shows the answer.
 * If the core requires confirmation, asks the person and then sends the command again. */
void command_send_mod_command(struct ui *ui, const char *line);
