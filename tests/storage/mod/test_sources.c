#include "storage/mod/mod.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static int64_t add_mute(struct fixture *fixture, const char *name)
{
    struct storage_sanction sanction = {
        .kind = STORAGE_SANCTION_MUTE,
        .until_ms = STORAGE_SANCTION_FOR_GOOD,
    };
    int64_t id = 0;
    (void)snprintf(sanction.name, sizeof sanction.name, "%s", name);
    assert_ok(storage_sanction_add(fixture->storage, &sanction, &id));
    return id;
}

static bool collect_source(void *context, int64_t sanction, const char *source)
{
    char *heard = context;
    size_t len = strlen(heard);
    (void)snprintf(heard + len, 256 - len, "%lld:%s ", (long long)sanction, source);
    return true;
}

static void the_sources_of_a_sanction_are_stored_until_it_ends(void **state)
{
    struct fixture *fixture = *state;
    char heard[256] = "", expected[256];
    int64_t one = add_mute(fixture, "guest-1");
    int64_t two = add_mute(fixture, "guest-2");

    assert_ok(storage_sanction_source_add(fixture->storage, one, "192.0.2.7"));
    assert_ok(storage_sanction_source_add(fixture->storage, one, "SHA256:abc"));
    assert_result(storage_sanction_source_add(fixture->storage, one, "192.0.2.7"), STORAGE_TAKEN);
    assert_ok(storage_sanction_source_add(fixture->storage, two, "192.0.2.7"));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_sanction_sources_each(fixture->storage, collect_source, heard));
    (void)snprintf(expected, sizeof expected, "%lld:192.0.2.7 %lld:SHA256:abc %lld:192.0.2.7 ",
                   (long long)one, (long long)one, (long long)two);
    assert_string_equal(heard, expected);
    assert_ok(storage_sanction_end(fixture->storage, one, 1, "max"));
    heard[0] = '\0';
    assert_ok(storage_sanction_sources_each(fixture->storage, collect_source, heard));
    (void)snprintf(expected, sizeof expected, "%lld:192.0.2.7 ", (long long)two);
    assert_string_equal(heard, expected);
}

static void an_address_for_an_unknown_sanction_is_refused(void **state)
{
    struct fixture *fixture = *state;

    assert_result(storage_sanction_source_add(fixture->storage, 77, "192.0.2.7"), STORAGE_REFUSED);
}

TEST_GROUP(sources)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(the_sources_of_a_sanction_are_stored_until_it_ends),
        FIXTURE_TEST(an_address_for_an_unknown_sanction_is_refused),
    };
    return cmocka_run_group_tests_name("sources", tests, NULL, NULL);
}
