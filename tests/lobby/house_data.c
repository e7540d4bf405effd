#include "tests/lobby/house_data.h"

#include "storage/copies.h"
#include "tests/storage/postgres_schema.h"
#include "tests/unit.h"

#include <stdio.h>

#define COPY_BYTES 65536

#define TRIES 5

/* A busy server may not answer within the seconds for which a house waits. */
void house_data_empty_database(const char *url)
{
    bool is_empty = false;
    for (int i = 0; i < TRIES && !is_empty; i++) {
        is_empty = postgres_schema_run(url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    }
    assert_true(is_empty);
}

void house_data_fill_database(const char *url, const char *path)
{
    char why[STORAGE_WHY_SIZE] = "";
    struct storage *from = NULL;
    assert_int_equal(storage_open_temporary_copy(path, &from, why), STORAGE_OK);
    if (storage_copy_to_postgres(from, url, NULL, NULL, why) != STORAGE_OK) {
        fail_msg("%s", why);
    }
    storage_close(from);
}

void house_data_copy_file(const char *from, const char *to)
{
    static char buffer[COPY_BYTES];
    FILE *in = fopen(from, "rb");
    FILE *out = fopen(to, "wb");
    size_t len = 0;
    assert_non_null(in);
    assert_non_null(out);
    while ((len = fread(buffer, 1, sizeof(buffer), in)) > 0) {
        assert_int_equal(fwrite(buffer, 1, len, out), len);
    }
    assert_int_equal(fclose(out), 0);
    assert_int_equal(fclose(in), 0);
}
