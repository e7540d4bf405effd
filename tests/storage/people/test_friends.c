#include "storage/people/people.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#define AT_MS INT64_C(1790000000000)

static bool collect_friend(void *context, const struct storage_friend *other)
{
    return fixture_add_word(context, "%s", other->name);
}

static bool copy_friend(void *context, const struct storage_friend *other)
{
    *(struct storage_friend *)context = *other;
    return true;
}

static void friends_are_listed_by_name(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    assert_ok(storage_friends_each(storage, mira, collect_friend, &words));
    assert_words(&words, "");
    assert_ok(storage_friend_add(storage, mira,
                                 fixture_add_account(storage, "chen", STORAGE_PLAYER), AT_MS));
    assert_ok(storage_friend_add(storage, mira, fixture_add_account(storage, "bob", STORAGE_PLAYER),
                                 AT_MS + 1));
    assert_ok(storage_friend_add(storage, mira, fixture_add_account(storage, "ada", STORAGE_PLAYER),
                                 AT_MS + 2));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_friends_each(fixture->storage, mira, collect_friend, &words));
    assert_words(&words, "ada bob chen ");
    words.stop_after = 2;
    assert_ok(storage_friends_each(fixture->storage, mira, collect_friend, &words));
    assert_words(&words, "ada bob ");
}

static void a_listed_friend_has_a_name_and_the_times_added_and_last_seen(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_friend found = {.account = 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    assert_ok(storage_friend_add(storage, mira, bob, AT_MS));
    assert_ok(storage_account_set_last_seen(storage, bob, AT_MS + 77));
    assert_ok(storage_friends_each(storage, mira, copy_friend, &found));
    assert_int_equal(found.account, bob);
    assert_string_equal(found.name, "bob");
    assert_true(found.since_ms == AT_MS);
    assert_true(found.seen_ms == AT_MS + 77);
}

static void a_friendship_is_one_sided_and_exists_once(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    assert_ok(storage_friend_add(storage, mira, bob, AT_MS));
    assert_result(storage_friend_add(storage, mira, bob, AT_MS + 1), STORAGE_TAKEN);
    assert_ok(storage_friend_exists(storage, mira, bob));
    assert_result(storage_friend_exists(storage, bob, mira), STORAGE_NOT_FOUND);
    assert_result(storage_friend_add(storage, mira, bob + 10, AT_MS), STORAGE_REFUSED);
    assert_result(storage_friend_add(storage, mira + 10, bob, AT_MS), STORAGE_REFUSED);
}

static void removing_a_friend_leaves_the_other_friends(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_add_account(storage, "ada", STORAGE_PLAYER);

    assert_ok(storage_friend_add(storage, mira, bob, AT_MS));
    assert_ok(storage_friend_add(storage, mira, ada, AT_MS));
    assert_ok(storage_friend_add(storage, bob, mira, AT_MS));
    assert_ok(storage_friend_remove(storage, mira, bob));
    assert_result(storage_friend_remove(storage, mira, bob), STORAGE_NOT_FOUND);
    assert_result(storage_friend_exists(storage, mira, bob), STORAGE_NOT_FOUND);
    assert_ok(storage_friend_exists(storage, mira, ada));
    assert_ok(storage_friend_exists(storage, bob, mira));
}

TEST_GROUP(friends)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(friends_are_listed_by_name),
        FIXTURE_TEST(a_listed_friend_has_a_name_and_the_times_added_and_last_seen),
        FIXTURE_TEST(a_friendship_is_one_sided_and_exists_once),
        FIXTURE_TEST(removing_a_friend_leaves_the_other_friends),
    };
    return cmocka_run_group_tests_name("friends", tests, NULL, NULL);
}
