#ifndef TESTS_LOBBY_SEEN_H
#define TESTS_LOBBY_SEEN_H

#include "tests/lobby/house_driver.h"

/* What people see of a house, to be compared with what they see of another. */

/* What a connection knows by all it was told since its inbox was emptied. The caller's. */
json_t *seen_of(const struct driver *driver, int64_t conn);

/* Has the house tell a connection everything anew, and gives that. The caller's. */
json_t *seen_anew(struct driver *driver, int64_t conn);

/* Says on stderr, after `title`, where the two differ; true when they do not. With is_told only
 * what is kept up to date by pushes is looked at: not lines of talk and notices. */
bool seen_same(const char *title, const json_t *before, const json_t *after, bool is_told);

#endif
