#include "storage/sql/postgres.h"

#include "storage/house/house.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static bool is_libpq_mapped(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    bool is_mapped = false;

    assert_non_null(maps);
    while (fgets(line, sizeof line, maps) != NULL) {
        is_mapped = is_mapped || strstr(line, "/libpq.so") != NULL;
    }
    assert_int_equal(fclose(maps), 0);
    return is_mapped;
}

static void a_house_on_sqlite_maps_no_library_of_postgresql(void **state)
{
    struct fixture *fixture = *state;

    SKIP_ON_POSTGRES("it needs no library of another database");
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    fixture_commit(fixture);
    assert_false(is_libpq_mapped());
}

static void the_library_is_loaded_once_with_all_its_functions(void **state)
{
    char why[STORAGE_WHY_SIZE] = "";
    const struct libpq *functions = libpq_load(why, sizeof why);

    (void)state;
    assert_string_equal(why, "");
    assert_non_null(functions);
    assert_true(is_libpq_mapped());
    assert_non_null(functions->PQconnectdbParams);
    assert_ptr_equal(libpq_load(why, sizeof why), functions);
}

TEST_GROUP(libpq)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_house_on_sqlite_maps_no_library_of_postgresql),
        cmocka_unit_test(the_library_is_loaded_once_with_all_its_functions),
    };
    return cmocka_run_group_tests_name("libpq", tests, NULL, NULL);
}
