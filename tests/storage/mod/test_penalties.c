#include "storage/mod/mod.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>

static void save_sign_in_delay(struct storage *storage, const char *name_hash, int64_t until_ms,
                               uint32_t max_delays)
{
    struct storage_backoff backoff = {.failures = 3, .until_ms = until_ms};
    (void)snprintf(backoff.name_hash, sizeof backoff.name_hash, "%s", name_hash);
    assert_ok(storage_backoff_save(storage, &backoff, max_delays));
}

static void a_sign_in_delay_survives_a_restart_until_it_is_removed(void **state)
{
    struct fixture *fixture = *state;
    struct storage_backoff found;

    save_sign_in_delay(fixture->storage, "abc", 98, 9);
    save_sign_in_delay(fixture->storage, "abc", 99, 9);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_backoff_read(fixture->storage, "abc", &found));
    assert_int_equal(found.failures, 3);
    assert_int_equal(found.until_ms, 99);
    assert_ok(storage_backoff_remove(fixture->storage, "abc"));
    assert_ok(storage_backoff_remove(fixture->storage, "abc"));
    assert_result(storage_backoff_read(fixture->storage, "abc", &found), STORAGE_NOT_FOUND);
}

static void beyond_the_limit_the_sign_in_delays_that_end_first_are_forgotten(void **state)
{
    struct fixture *fixture = *state;
    struct storage_backoff found;

    save_sign_in_delay(fixture->storage, "long", 300, 2);
    save_sign_in_delay(fixture->storage, "short", 100, 2);
    save_sign_in_delay(fixture->storage, "middle", 200, 2);
    assert_ok(storage_backoff_read(fixture->storage, "long", &found));
    assert_ok(storage_backoff_read(fixture->storage, "middle", &found));
    assert_result(storage_backoff_read(fixture->storage, "short", &found), STORAGE_NOT_FOUND);
}

static void new_accounts_are_counted_by_address_until_the_counts_expire(void **state)
{
    struct fixture *fixture = *state;
    struct storage_registration found;
    struct storage_registration registration = {.source = "192.0.2.1", .count = 1, .first_ms = 50};

    assert_ok(storage_registration_save(fixture->storage, &registration));
    registration.count = 2;
    assert_ok(storage_registration_save(fixture->storage, &registration));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_registrations_delete_until(fixture->storage, 49));
    assert_ok(storage_registration_read(fixture->storage, "192.0.2.1", &found));
    assert_int_equal(found.count, 2);
    assert_int_equal(found.first_ms, 50);
    assert_result(storage_registration_read(fixture->storage, "192.0.2.2", &found),
                  STORAGE_NOT_FOUND);
    assert_ok(storage_registrations_delete_until(fixture->storage, 50));
    assert_result(storage_registration_read(fixture->storage, "192.0.2.1", &found),
                  STORAGE_NOT_FOUND);
}

TEST_GROUP(penalties)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_sign_in_delay_survives_a_restart_until_it_is_removed),
        FIXTURE_TEST(beyond_the_limit_the_sign_in_delays_that_end_first_are_forgotten),
        FIXTURE_TEST(new_accounts_are_counted_by_address_until_the_counts_expire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
