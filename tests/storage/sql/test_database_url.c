#include "storage/sql/sql.h"

#include "tests/unit.h"

static void only_postgresqls_schemes_make_a_url(void **state)
{
    (void)state;
    assert_true(database_url_is("postgresql://host/house"));
    assert_true(database_url_is("postgres://"));
    assert_true(database_url_is("postgresql://house@db1,db2/house"));
    assert_true(database_url_is("postgres:///house"));
    assert_false(database_url_is("/var/lib/trickhouse/house.db"));
    assert_false(database_url_is("postgresql.db"));
    assert_false(database_url_is("postgresql"));
    assert_false(database_url_is(":memory:"));
    assert_false(database_url_is("a/postgresql://host/house"));
}

static void a_url_is_shown_without_user_password_and_parameters(void **state)
{
    static const char *const urls[][2] = {
        {"postgresql://host/house", "postgresql://host/house"},
        {"postgres://me:secret@host:5433/house", "postgresql://host:5433/house"},
        {"postgresql://me@a,b:5433/house?password=secret&x=1", "postgresql://a,b:5433/house"},
        {"postgresql://me:se@cret@host/house", "postgresql://host/house"},
        {"postgresql://me:se?cret@host/house", "postgresql://"},
        {"postgresql://me:se/cret@host/house", "postgresql://host/house"},
        {"postgresql:///house?host=/run&password=s@cret", "postgresql://"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
        char shown[DATABASE_URL_SHOWN_SIZE];
        assert_string_equal(database_url_show(urls[i][0], shown), urls[i][1]);
    }
}

static void the_path_of_a_file_is_shown_as_it_is(void **state)
{
    static const char path[] = "/home/me@work/house?.db";
    char shown[DATABASE_URL_SHOWN_SIZE];
    (void)state;
    assert_ptr_equal(database_url_show(path, shown), path);
}

TEST_GROUP(database_url)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_postgresqls_schemes_make_a_url),
        cmocka_unit_test(a_url_is_shown_without_user_password_and_parameters),
        cmocka_unit_test(the_path_of_a_file_is_shown_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
