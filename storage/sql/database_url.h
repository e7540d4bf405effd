#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

/* The URL of a PostgreSQL database, which stands in the place of the path of a data file. */

#define DATABASE_URL_SHOWN_SIZE 128

/* True if the text is the URL of a PostgreSQL database; false for the path of a file. */
bool database_url_is(const char *path);

/* Returns what may be shown of a path. Of a URL this is the server and the database, written into
 * `shown` and cut to its size: the user, the password and all parameters are left out. The path of
 * a file is returned as it is. */
const char *database_url_show(const char *path, char shown[DATABASE_URL_SHOWN_SIZE]);
