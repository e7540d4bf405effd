#pragma once

#include "daemon/screens/drawing/lines.h"
#include "games/text.h"

/* How help lists commands, queries and moderation commands: "/sit [table]: Take a seat." */
struct usage {
    const char *prefix; /* "/", "" */
    const char *name;
    const char *args; /* untranslated; may be "" */
    const char *help; /* translated: one or more sentences */
};

void usage_write(const struct usage *usage, struct text *out);

/* Adds the entry as a line. */
void usage_put(const struct usage *usage, struct lines *lines);
