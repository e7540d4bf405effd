#include "tests/storage/postgres_schema.h"

#include "storage/sql/postgres.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool postgres_schema_run(const char *url, const char *script)
{
    struct storage *storage = calloc(1, sizeof *storage);

    if (storage == NULL) {
        return false;
    }
    const bool is_done = sql_postgres_connect(storage, url) == STORAGE_OK &&
                         sql_run_script(storage, script) == STORAGE_OK;
    if (!is_done) {
        fprintf(stderr, "%.60s: %s\n", script, storage->why);
    }
    storage_close(storage);
    return is_done;
}

/* The schema has a function of SQLite that scripts of tests call. */
bool postgres_schema_make(const char *database, char url[POSTGRES_SCHEMA_URL_SIZE])
{
    const int number = (int)getpid();
    char script[512];
    const int len = snprintf(url, POSTGRES_SCHEMA_URL_SIZE, "%s%coptions=-csearch_path%%3Dtest_%d",
                             database, strchr(database, '?') == NULL ? '?' : '&', number);

    (void)snprintf(script, sizeof script,
                   "DROP SCHEMA IF EXISTS test_%d CASCADE; CREATE SCHEMA test_%d;"
                   "CREATE FUNCTION test_%d.zeroblob(integer) RETURNS bytea LANGUAGE sql"
                   " AS 'SELECT decode(repeat(''00'', $1), ''hex'')'",
                   number, number, number);
    return len > 0 && len < POSTGRES_SCHEMA_URL_SIZE && postgres_schema_run(database, script);
}

bool postgres_schema_drop(const char *database)
{
    char script[64];

    (void)snprintf(script, sizeof script, "DROP SCHEMA test_%d CASCADE", (int)getpid());
    return postgres_schema_run(database, script);
}
