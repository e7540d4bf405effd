#include "storage/people/people.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

struct found {
    int64_t others[8];
    size_t count;
};

static bool collect_other_account(void *context, int64_t other)
{
    struct found *found = context;
    found->others[found->count++] = other;
    return found->count < ARRAY_LEN(found->others);
}

static void blocks_are_stored_by_kind(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    int64_t others[4];
    size_t count = 9;
    bool is_so = true;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    assert_ok(storage_block_add(storage, mira, bob, STORAGE_BLOCK_IGNORE));
    assert_result(storage_block_add(storage, mira, bob, STORAGE_BLOCK_IGNORE), STORAGE_TAKEN);
    assert_ok(storage_blocks_read(storage, mira, STORAGE_BLOCK_IGNORE, others, 4, &count));
    assert_int_equal(count, 1);
    assert_int_equal(others[0], bob);
    assert_ok(storage_blocks_read(storage, bob, STORAGE_BLOCK_IGNORE, others, 4, &count));
    assert_int_equal(count, 0);
    assert_ok(storage_block_exists_between(storage, mira, bob, STORAGE_BLOCK_NOPLAY, &is_so));
    assert_false(is_so);
    assert_ok(storage_block_remove(storage, mira, bob, STORAGE_BLOCK_IGNORE));
    assert_result(storage_block_remove(storage, mira, bob, STORAGE_BLOCK_IGNORE),
                  STORAGE_NOT_FOUND);
}

static void accounts_that_block_each_other_are_listed_once(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct found found = {.count = 0};
    bool is_so = false;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_add_account(storage, "ada", STORAGE_PLAYER);

    assert_ok(storage_block_add(storage, ada, mira, STORAGE_BLOCK_NOPLAY));
    assert_ok(storage_block_add(storage, mira, bob, STORAGE_BLOCK_NOPLAY));
    assert_ok(storage_block_add(storage, bob, mira, STORAGE_BLOCK_NOPLAY));
    assert_ok(storage_block_add(storage, ada, bob, STORAGE_BLOCK_IGNORE));
    assert_ok(storage_blocks_each_both_ways(storage, mira, STORAGE_BLOCK_NOPLAY,
                                            collect_other_account, &found));
    assert_int_equal(found.count, 2);
    assert_int_equal(found.others[0], bob);
    assert_int_equal(found.others[1], ada);
    assert_ok(storage_block_exists_between(storage, mira, ada, STORAGE_BLOCK_NOPLAY, &is_so));
    assert_true(is_so);
    found.count = 0;
    assert_ok(storage_blocks_each_both_ways(storage, ada, STORAGE_BLOCK_NOPLAY,
                                            collect_other_account, &found));
    assert_int_equal(found.count, 1);
}

static bool block_exists_between(struct storage *storage, int64_t one, int64_t other,
                                 enum storage_block kind)
{
    bool is_so = false;

    assert_ok(storage_block_exists_between(storage, one, other, kind, &is_so));
    return is_so;
}

static void removing_one_block_leaves_all_others(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_add_account(storage, "ada", STORAGE_PLAYER);

    assert_ok(storage_block_add(storage, mira, bob, STORAGE_BLOCK_NOPLAY));
    assert_ok(storage_block_add(storage, mira, bob, STORAGE_BLOCK_IGNORE));
    assert_ok(storage_block_add(storage, mira, ada, STORAGE_BLOCK_NOPLAY));
    assert_ok(storage_block_add(storage, ada, bob, STORAGE_BLOCK_NOPLAY));
    assert_ok(storage_block_remove(storage, mira, bob, STORAGE_BLOCK_NOPLAY));
    assert_false(block_exists_between(storage, mira, bob, STORAGE_BLOCK_NOPLAY));
    assert_true(block_exists_between(storage, mira, bob, STORAGE_BLOCK_IGNORE));
    assert_true(block_exists_between(storage, ada, mira, STORAGE_BLOCK_NOPLAY));
    assert_true(block_exists_between(storage, bob, ada, STORAGE_BLOCK_NOPLAY));
}

TEST_GROUP(blocks)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(blocks_are_stored_by_kind),
        FIXTURE_TEST(accounts_that_block_each_other_are_listed_once),
        FIXTURE_TEST(removing_one_block_leaves_all_others),
    };
    return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
