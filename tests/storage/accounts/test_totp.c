#include "storage/accounts/accounts.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

static const struct storage_totp first = {.secret = "JBSWY3DPEHPK3PXP", .used_step = 7};
static const struct storage_totp second = {.secret = "KRSXG5BAMRUXG3DB", .used_step = 3};

static void an_authenticator_is_stored_until_it_is_removed(void **state)
{
    struct fixture *fixture = *state;
    struct storage_totp found = {0};
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);

    assert_result(storage_totp_read(fixture->storage, bob, &found), STORAGE_NOT_FOUND);
    assert_ok(storage_totp_put(fixture->storage, bob, &first));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_totp_read(fixture->storage, bob, &found));
    assert_string_equal(found.secret, first.secret);
    assert_int_equal(found.used_step, 7);
    assert_ok(storage_totp_put(fixture->storage, bob, &second));
    assert_ok(storage_totp_read(fixture->storage, bob, &found));
    assert_string_equal(found.secret, second.secret);
    assert_int_equal(found.used_step, 3);
    assert_ok(storage_totp_remove(fixture->storage, bob));
    assert_result(storage_totp_read(fixture->storage, bob, &found), STORAGE_NOT_FOUND);
    assert_result(storage_totp_remove(fixture->storage, bob), STORAGE_NOT_FOUND);
}

static void using_a_code_also_uses_up_all_earlier_codes(void **state)
{
    struct fixture *fixture = *state;
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);

    assert_result(storage_totp_mark_used(fixture->storage, bob, 8), STORAGE_NOT_FOUND);
    assert_ok(storage_totp_put(fixture->storage, bob, &first));
    assert_result(storage_totp_mark_used(fixture->storage, bob, 7), STORAGE_NOT_FOUND);
    assert_ok(storage_totp_mark_used(fixture->storage, bob, 9));
    assert_result(storage_totp_mark_used(fixture->storage, bob, 9), STORAGE_NOT_FOUND);
    assert_result(storage_totp_mark_used(fixture->storage, bob, 8), STORAGE_NOT_FOUND);
    assert_ok(storage_totp_mark_used(fixture->storage, bob, 10));
}

static void an_unknown_account_has_no_authenticator(void **state)
{
    struct fixture *fixture = *state;

    assert_result(storage_totp_put(fixture->storage, 99, &first), STORAGE_REFUSED);
}

TEST_GROUP(totp)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(an_authenticator_is_stored_until_it_is_removed),
        FIXTURE_TEST(using_a_code_also_uses_up_all_earlier_codes),
        FIXTURE_TEST(an_unknown_account_has_no_authenticator),
    };
    return cmocka_run_group_tests_name("totp", tests, NULL, NULL);
}
