#include "storage/chat/chat.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>

#define AT_MS INT64_C(1790000000000)

static void add_offline_message(struct storage *storage, int64_t account, const char *from, int at)
{
    struct storage_chat line = {.channel = STORAGE_CHAT_DIRECT, .at_ms = AT_MS + at};

    (void)snprintf(line.from, sizeof line.from, "%s", from);
    (void)snprintf(line.to, sizeof line.to, "%d", (int)account);
    (void)snprintf(line.text, sizeof line.text, "%s%d", from, at);
    assert_ok(storage_chat_add(storage, &line, &line.number));
    assert_ok(storage_offline_message_add(storage, &line, account));
}

static bool collect_line(void *context, const struct storage_chat *line)
{
    return fixture_add_word(context, "%s", line->text);
}

static void offline_messages_are_read_oldest_first(void **state)
{
    struct fixture *fixture = *state;
    struct fixture_words words = {.count = 0};
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    const int64_t eve = fixture_add_account(fixture->storage, "eve", STORAGE_PLAYER);

    add_offline_message(fixture->storage, mira, "bob", 1);
    add_offline_message(fixture->storage, eve, "bob", 2);
    add_offline_message(fixture->storage, mira, "ada", 3);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_chat_offline_messages_each(fixture->storage, mira, collect_line, &words));
    assert_words(&words, "bob1 ada3 ");
    words.stop_after = 1;
    assert_ok(storage_chat_offline_messages_each(fixture->storage, mira, collect_line, &words));
    assert_words(&words, "bob1 ");
}

static int64_t add_line(struct storage *storage, enum storage_chat_channel channel,
                        const char *text)
{
    struct storage_chat line = {.channel = channel, .at_ms = AT_MS};

    (void)snprintf(line.from, sizeof line.from, "%s", "bob");
    (void)snprintf(line.to, sizeof line.to, "%s", channel == STORAGE_CHAT_DIRECT ? "mira" : "");
    (void)snprintf(line.text, sizeof line.text, "%s", text);
    assert_ok(storage_chat_add(storage, &line, &line.number));
    return line.number;
}

static void what_somebody_has_missed_is_read_in_order_and_each_line_once(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    add_offline_message(storage, mira, "mira", 1); /* it is a direct message by mira, too */
    const int64_t heard = add_line(storage, STORAGE_CHAT_LOBBY, "heard");
    (void)add_line(storage, STORAGE_CHAT_DIRECT, "told");
    (void)add_line(storage, STORAGE_CHAT_LOBBY, "early");
    (void)add_line(storage, STORAGE_CHAT_CHANNEL, "elsewhere");
    add_offline_message(storage, mira, "ada", 2);
    (void)add_line(storage, STORAGE_CHAT_LOBBY, "late");
    (void)add_line(storage, STORAGE_CHAT_LOBBY, "later");
    struct storage_chat_missed missed = {
        .name = "mira", .account = mira, .heard = heard, .lobby_lines = 9, .direct_messages = 9};
    assert_ok(storage_chat_read_missed(storage, &missed, collect_line, &words));
    assert_words(&words, "mira1 told early ada2 late later ");
    missed = (struct storage_chat_missed){.name = "mira", .lobby_lines = 2, .direct_messages = 1};
    assert_ok(storage_chat_read_missed(storage, &missed, collect_line, &words));
    assert_words(&words, "told late later ");
}

static void offline_messages_are_counted_in_all_and_by_sender(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    int64_t count = 9, from = 9;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t eve = fixture_add_account(storage, "eve", STORAGE_PLAYER);

    assert_ok(storage_offline_messages_count(storage, mira, "bob", &count, &from));
    assert_int_equal(count, 0);
    assert_int_equal(from, 0);
    add_offline_message(storage, mira, "bob", 1);
    add_offline_message(storage, mira, "bob", 2);
    add_offline_message(storage, mira, "ada", 3);
    add_offline_message(storage, eve, "bob", 4);
    assert_ok(storage_offline_messages_count(storage, mira, "bob", &count, &from));
    assert_int_equal(count, 3);
    assert_int_equal(from, 2);
}

static void deleting_delivered_messages_leaves_those_of_other_accounts(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t eve = fixture_add_account(storage, "eve", STORAGE_PLAYER);

    add_offline_message(storage, mira, "bob", 1);
    add_offline_message(storage, eve, "bob", 2);
    assert_ok(storage_offline_messages_delete(storage, mira));
    assert_ok(storage_chat_offline_messages_each(storage, mira, collect_line, &words));
    assert_words(&words, "");
    assert_ok(storage_chat_offline_messages_each(storage, eve, collect_line, &words));
    assert_words(&words, "bob2 ");
}

static void old_offline_messages_expire_a_few_at_each_call(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    int64_t count = 0, from = 0, left = 25;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    for (int i = 0; i < 27; i++) {
        add_offline_message(storage, mira, "bob", i);
    }
    for (int calls = 0; left > 2; calls++) {
        assert_true(calls < 27);
        assert_ok(storage_offline_messages_expire(storage, AT_MS + 25));
        assert_ok(storage_offline_messages_count(storage, mira, "bob", &left, &from));
    }
    assert_ok(storage_offline_messages_expire(storage, AT_MS + 25));
    assert_ok(storage_offline_messages_count(storage, mira, "bob", &count, &from));
    assert_int_equal(count, 2);
    assert_ok(storage_chat_offline_messages_each(storage, mira, collect_line, &words));
    assert_words(&words, "bob25 bob26 ");
}

TEST_GROUP(offline_messages)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(offline_messages_are_read_oldest_first),
        FIXTURE_TEST(what_somebody_has_missed_is_read_in_order_and_each_line_once),
        FIXTURE_TEST(offline_messages_are_counted_in_all_and_by_sender),
        FIXTURE_TEST(deleting_delivered_messages_leaves_those_of_other_accounts),
        FIXTURE_TEST(old_offline_messages_expire_a_few_at_each_call),
    };
    return cmocka_run_group_tests_name("kept_tells", tests, NULL, NULL);
}
