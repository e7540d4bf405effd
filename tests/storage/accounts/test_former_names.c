#include "storage/accounts/accounts.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static void add_former_name(struct fixture *fixture, int64_t account, const char *name,
                            int64_t until_ms)
{
    struct storage_former_name row = {.account = account, .until_ms = until_ms};
    (void)snprintf(row.name, sizeof row.name, "%s", name);
    (void)snprintf(row.skeleton, sizeof row.skeleton, "%s", name);
    assert_ok(storage_former_name_add(fixture->storage, &row));
}

static bool is_former_name_of_other_account(struct fixture *fixture, const char *name,
                                            int64_t account, int64_t since_ms)
{
    bool is_there = false;
    assert_ok(storage_former_name_is_taken(fixture->storage, name, account, since_ms, &is_there));
    return is_there;
}

static bool collect_name(void *context, const struct storage_former_name *name)
{
    char *names = context;
    size_t len = strlen(names);
    (void)snprintf(names + len, 64 - len, "%s@%d ", name->name, (int)name->until_ms);
    return true;
}

static void a_former_name_is_reserved_for_a_time_except_for_its_own_account(void **state)
{
    struct fixture *fixture = *state;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    add_former_name(fixture, mira, "maria", 100);
    assert_true(is_former_name_of_other_account(fixture, "maria", 0, 99));
    assert_false(is_former_name_of_other_account(fixture, "maria", 0, 100));
    assert_false(is_former_name_of_other_account(fixture, "maria", mira, 99));
    assert_false(is_former_name_of_other_account(fixture, "mira", 0, 99));
    add_former_name(fixture, mira, "maria", 200);
    assert_true(is_former_name_of_other_account(fixture, "maria", 0, 199));
}

static void former_names_are_listed_newest_first(void **state)
{
    struct fixture *fixture = *state;
    char names[64] = "";
    struct storage_former_name found;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);
    add_former_name(fixture, mira, "maria", 100);
    add_former_name(fixture, mira, "mirabel", 200);
    add_former_name(fixture, bob, "maria", 300);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_former_names_each(fixture->storage, mira, collect_name, names));
    assert_string_equal(names, "mirabel@200 maria@100 ");
    assert_ok(storage_former_name_find(fixture->storage, "maria", &found));
    assert_int_equal(found.account, bob);
    assert_result(storage_former_name_find(fixture->storage, "eve", &found), STORAGE_NOT_FOUND);
}

static void former_names_are_deleted_or_merged_with_the_account(void **state)
{
    struct fixture *fixture = *state;
    char names[64] = "";
    struct storage_former_name found;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);
    add_former_name(fixture, mira, "maria", 100);
    add_former_name(fixture, bob, "maria", 50);
    add_former_name(fixture, mira, "mirabel", 200);
    assert_ok(storage_account_merge(fixture->storage, mira, bob));
    assert_ok(storage_former_names_each(fixture->storage, bob, collect_name, names));
    assert_string_equal(names, "mirabel@200 maria@50 ");
    assert_ok(storage_account_erase(fixture->storage, bob, "deleted-account-2"));
    assert_result(storage_former_name_find(fixture->storage, "mirabel", &found), STORAGE_NOT_FOUND);
}

TEST_GROUP(former_names)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_former_name_is_reserved_for_a_time_except_for_its_own_account),
        FIXTURE_TEST(former_names_are_listed_newest_first),
        FIXTURE_TEST(former_names_are_deleted_or_merged_with_the_account),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
