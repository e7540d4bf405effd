#pragma once

#include <jansson.h>
#include <stdbool.h>

/* What people see of a house, to be compared with what they see of another. It begins as an empty
 * object. */

/* One more message from the house has come. Borrows it. */
void seen_add(json_t *seen, const json_t *message);

/* Says on stderr, after `title`, where the two differ; true when they do not. With is_told only
 * what is kept up to date by pushes is looked at: not lines of talk and notices. */
bool seen_is_same(const char *title, const json_t *before, const json_t *after, bool is_told);
