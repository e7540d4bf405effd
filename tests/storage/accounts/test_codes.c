#include "storage/accounts/accounts.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>

static struct storage_code make_code(int64_t account, const char *hash, int64_t expires_ms)
{
    struct storage_code code = {
        .account = account, .purpose = STORAGE_CODE_KEY, .expires_ms = expires_ms};
    (void)snprintf(code.hash, sizeof code.hash, "%s", hash);
    return code;
}

static void a_code_is_found_by_its_hash_until_it_is_removed(void **state)
{
    struct fixture *fixture = *state;
    struct storage_code found = {0};
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);
    const struct storage_code code = make_code(bob, "abc", 99);

    assert_ok(storage_code_put(fixture->storage, &code));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_code_find(fixture->storage, STORAGE_CODE_KEY, "abc", &found));
    assert_int_equal(found.account, bob);
    assert_int_equal(found.expires_ms, 99);
    assert_ok(storage_code_remove(fixture->storage, bob, STORAGE_CODE_KEY));
    assert_result(storage_code_find(fixture->storage, STORAGE_CODE_KEY, "abc", &found),
                  STORAGE_NOT_FOUND);
    assert_result(storage_code_remove(fixture->storage, bob, STORAGE_CODE_KEY), STORAGE_NOT_FOUND);
}

static void a_new_code_replaces_the_earlier_one(void **state)
{
    struct fixture *fixture = *state;
    struct storage_code found = {0};
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);
    const struct storage_code first = make_code(bob, "abc", 1);
    const struct storage_code second = make_code(bob, "def", 2);

    assert_ok(storage_code_put(fixture->storage, &first));
    assert_ok(storage_code_put(fixture->storage, &second));
    assert_result(storage_code_find(fixture->storage, STORAGE_CODE_KEY, "abc", &found),
                  STORAGE_NOT_FOUND);
    assert_ok(storage_code_find(fixture->storage, STORAGE_CODE_KEY, "def", &found));
    assert_int_equal(found.expires_ms, 2);
}

static void a_code_is_valid_for_its_own_purpose_only(void **state)
{
    struct fixture *fixture = *state;
    struct storage_code found = {0};
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);
    const struct storage_code key = make_code(bob, "abc", 1);
    struct storage_code recovery = make_code(bob, "def", 2);

    recovery.purpose = STORAGE_CODE_RECOVERY;
    assert_ok(storage_code_put(fixture->storage, &key));
    assert_ok(storage_code_put(fixture->storage, &recovery));
    assert_result(storage_code_find(fixture->storage, STORAGE_CODE_RECOVERY, "abc", &found),
                  STORAGE_NOT_FOUND);
    assert_ok(storage_code_find(fixture->storage, STORAGE_CODE_RECOVERY, "def", &found));
    assert_int_equal(found.purpose, STORAGE_CODE_RECOVERY);
    assert_ok(storage_code_remove(fixture->storage, bob, STORAGE_CODE_RECOVERY));
    assert_ok(storage_code_find(fixture->storage, STORAGE_CODE_KEY, "abc", &found));
}

static void a_duplicate_code_or_one_for_an_unknown_account_is_refused(void **state)
{
    struct fixture *fixture = *state;
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_add_account(fixture->storage, "ada", STORAGE_PLAYER);
    const struct storage_code bobs = make_code(bob, "abc", 1);
    const struct storage_code adas = make_code(ada, "abc", 1);
    const struct storage_code nobodys = make_code(ada + 1, "xyz", 1);

    assert_ok(storage_code_put(fixture->storage, &bobs));
    assert_result(storage_code_put(fixture->storage, &adas), STORAGE_TAKEN);
    assert_result(storage_code_put(fixture->storage, &nobodys), STORAGE_REFUSED);
}

TEST_GROUP(codes)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_code_is_found_by_its_hash_until_it_is_removed),
        FIXTURE_TEST(a_new_code_replaces_the_earlier_one),
        FIXTURE_TEST(a_code_is_valid_for_its_own_purpose_only),
        FIXTURE_TEST(a_duplicate_code_or_one_for_an_unknown_account_is_refused),
    };

    return cmocka_run_group_tests_name("codes", tests, NULL, NULL);
}
