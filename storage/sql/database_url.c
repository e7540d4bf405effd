#include "storage/sql/sql.h"

#include <stdio.h>
#include <string.h>

static const char *const schemes[] = {"postgresql://", "postgres://"};

/* Returns what follows the scheme; NULL if the text is no URL of PostgreSQL. */
static const char *skip_scheme(const char *path)
{
    for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
        if (strncmp(path, schemes[i], strlen(schemes[i])) == 0) {
            return path + strlen(schemes[i]);
        }
    }
    return NULL;
}

bool database_url_is(const char *path)
{
    return skip_scheme(path) != NULL;
}

const char *database_url_show(const char *path, char shown[DATABASE_URL_SHOWN_SIZE])
{
    const char *server = skip_scheme(path);

    if (server == NULL) {
        return path;
    }
    /* People forget to write an @ or a ? of their password as %40 or %3F. So the server is what
     * stands after the last @; an @ after a ? may belong to a password on either side of it. */
    const char *at = strrchr(server, '@');
    const char *parameters = strchr(server, '?');
    const bool is_unclear = at != NULL && parameters != NULL && at > parameters;
    server = at == NULL ? server : at + 1;
    (void)snprintf(shown, DATABASE_URL_SHOWN_SIZE, "%s%.*s", schemes[0],
                   is_unclear ? 0 : (int)strcspn(server, "?"), server);
    return shown;
}
