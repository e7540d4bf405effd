#pragma once

#include "daemon/screens/drawing/lines.h"
#include "games/text.h"
#include "lobby/protocol/mod_commands.h"

/* An entry of the help about commands, queries and moderation commands: "/sit [table]: Take a
 * seat." */
struct usage {
    const char *prefix; /* "/", "" */
    const char *name;
    const char *args; /* the arguments, untranslated; may be NULL or "" */
    const char *help; /* the explanation, translated: one or more sentences */
};

void usage_write_entry(const struct usage *usage, struct text *out);

/* Adds an entry of help as a line for plain mode. */
void usage_put_entry_line(const struct usage *usage, struct lines *lines);

/* Adds a line for each moderation command that people of this rank may use. */
void usage_put_mod_commands(enum rank rank, struct lines *lines);
