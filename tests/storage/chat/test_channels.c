#include "storage/chat/chat.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <string.h>

#define AT_MS INT64_C(1790000000000)

static bool collect_channel(void *context, const struct storage_channel *channel)
{
    return fixture_add_word(context, "%s=%d", channel->name, (int)channel->members);
}

static bool channel_exists(struct storage *storage, const char *channel)
{
    bool is_there = false;

    assert_ok(storage_channel_exists(storage, channel, &is_there));
    return is_there;
}

static void all_channels_are_listed_by_name_with_their_number_of_members(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    assert_ok(storage_channels_each(storage, collect_channel, &words));
    assert_words(&words, "");
    assert_ok(storage_channel_join(storage, mira, "#tea", AT_MS));
    assert_ok(storage_channel_join(storage, mira, "#dev", AT_MS + 1));
    assert_ok(storage_channel_join(storage, bob, "#tea", AT_MS));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_channels_each(fixture->storage, collect_channel, &words));
    assert_words(&words, "#dev=1 #tea=2 ");
    words.stop_after = 1;
    assert_ok(storage_channels_each(fixture->storage, collect_channel, &words));
    assert_words(&words, "#dev=1 ");
}

static void an_accounts_channels_are_listed_in_the_order_it_joined_them(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    assert_ok(storage_channel_join(storage, bob, "#b", AT_MS));
    assert_ok(storage_channel_join(storage, mira, "#b", AT_MS + 2));
    assert_ok(storage_channel_join(storage, mira, "#c", AT_MS + 1));
    assert_ok(storage_channel_join(storage, mira, "#a", AT_MS + 2));
    assert_ok(storage_channels_of_account(storage, mira, collect_channel, &words));
    assert_words(&words, "#c=1 #a=1 #b=1 ");
    assert_ok(storage_channels_of_account(storage, bob, collect_channel, &words));
    assert_words(&words, "#b=1 ");
    assert_ok(storage_channels_of_account(storage, bob + 10, collect_channel, &words));
    assert_words(&words, "");
}

static void a_channel_exists_until_its_last_member_leaves(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    assert_false(channel_exists(storage, "#tea"));
    assert_ok(storage_channel_join(storage, mira, "#tea", AT_MS));
    assert_ok(storage_channel_join(storage, bob, "#tea", AT_MS));
    assert_ok(storage_channel_leave(storage, mira, "#tea"));
    assert_true(channel_exists(storage, "#tea"));
    assert_false(channel_exists(storage, "#te"));
    assert_ok(storage_channel_leave(storage, bob, "#tea"));
    assert_false(channel_exists(storage, "#tea"));
}

static void joining_twice_or_leaving_without_membership_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    assert_ok(storage_channel_join(storage, mira, "#tea", AT_MS));
    assert_ok(storage_channel_join(storage, mira, "#dev", AT_MS + 1));
    assert_result(storage_channel_join(storage, mira, "#tea", AT_MS + 2), STORAGE_TAKEN);
    assert_result(storage_channel_join(storage, mira + 10, "#tea", AT_MS), STORAGE_REFUSED);
    assert_result(storage_channel_leave(storage, mira + 10, "#tea"), STORAGE_NOT_FOUND);
    assert_result(storage_channel_leave(storage, mira, "#none"), STORAGE_NOT_FOUND);
    assert_ok(storage_channels_of_account(storage, mira, collect_channel, &words));
    assert_words(&words, "#tea=1 #dev=1 ");
}

static void a_channel_name_that_is_too_long_is_refused(void **state)
{
    struct fixture *fixture = *state;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    char name[STORAGE_WORD_SIZE + 1];

    memset(name, 'x', sizeof name);
    name[STORAGE_WORD_SIZE] = '\0';
    assert_result(storage_channel_join(fixture->storage, mira, name, AT_MS), STORAGE_REFUSED);
    name[STORAGE_WORD_SIZE - 1] = '\0';
    assert_ok(storage_channel_join(fixture->storage, mira, name, AT_MS));
    assert_true(channel_exists(fixture->storage, name));
}

TEST_GROUP(channels)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(all_channels_are_listed_by_name_with_their_number_of_members),
        FIXTURE_TEST(an_accounts_channels_are_listed_in_the_order_it_joined_them),
        FIXTURE_TEST(a_channel_exists_until_its_last_member_leaves),
        FIXTURE_TEST(joining_twice_or_leaving_without_membership_is_refused),
        FIXTURE_TEST(a_channel_name_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests_name("channels", tests, NULL, NULL);
}
