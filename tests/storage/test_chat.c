#include "fixture.h"

#include "storage/chat.h"

#include <stdio.h>
#include <string.h>

struct talk {
    char text[256];
    struct storage_chat last;
    size_t count;
    size_t stop_after;
};

static bool note_line(void *context, const struct storage_chat *line)
{
    struct talk *talk = context;
    const size_t len = strlen(talk->text);

    (void)snprintf(&talk->text[len], sizeof talk->text - len, "%s ", line->text);
    talk->last = *line;
    talk->count++;
    return talk->count < talk->stop_after;
}

static int64_t say(struct storage *storage, enum storage_chat_channel channel, int64_t table,
                   const char *text)
{
    int64_t number = 0;
    struct storage_chat line = {.channel = channel, .table = table, .kind = STORAGE_CHAT_SYSTEM};

    (void)snprintf(line.text, sizeof line.text, "%s", text);
    assert_ok(storage_chat_add(storage, &line, &number));
    return number;
}

static void the_last_lines_of_a_channel_come_back_in_order(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_table(storage);
    struct talk talk = {.stop_after = 9};

    (void)say(storage, STORAGE_CHAT_LOBBY, 0, "one");
    (void)say(storage, STORAGE_CHAT_TABLE, table, "at-table");
    const int64_t two = say(storage, STORAGE_CHAT_LOBBY, 0, "two");
    const int64_t three = say(storage, STORAGE_CHAT_LOBBY, 0, "three");
    assert_true(three > two);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    storage = fixture->storage;
    assert_ok(storage_chat_last(storage, STORAGE_CHAT_LOBBY, 0, 2, note_line, &talk));
    assert_string_equal(talk.text, "two three ");
    assert_int_equal(talk.last.number, three);
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_last(storage, STORAGE_CHAT_TABLE, table, 5, note_line, &talk));
    assert_string_equal(talk.text, "at-table ");
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_last(storage, STORAGE_CHAT_TABLE, table + 1, 5, note_line, &talk));
    assert_int_equal(talk.count, 0);
    talk = (struct talk){.stop_after = 1};
    assert_ok(storage_chat_last(storage, STORAGE_CHAT_LOBBY, 0, 3, note_line, &talk));
    assert_string_equal(talk.text, "one ");
}

static struct storage_chat tell(const char *from, const char *to, const char *text)
{
    struct storage_chat line = {.channel = STORAGE_CHAT_TELL};

    (void)snprintf(line.from, sizeof line.from, "%s", from);
    (void)snprintf(line.to, sizeof line.to, "%s", to);
    (void)snprintf(line.text, sizeof line.text, "%s", text);
    return line;
}

static void a_line_keeps_all_that_was_said_with_it(void **state)
{
    struct fixture *fixture = *state;
    struct storage_chat line = tell("mira", "bob", "hello");
    struct talk talk = {.stop_after = 9};
    int64_t number = 0;

    line.account = fixture_account(fixture->storage, "mira", STORAGE_PLAYER);
    line.kind = STORAGE_CHAT_ME;
    line.at_ms = INT64_C(1790000000000);
    line.conn = 4;
    line.request = 9;
    assert_ok(storage_chat_add(fixture->storage, &line, &number));
    assert_ok(storage_chat_last_tells(fixture->storage, "bob", 5, note_line, &talk));
    assert_int_equal(talk.count, 1);
    assert_int_equal(talk.last.number, number);
    assert_int_equal(talk.last.channel, STORAGE_CHAT_TELL);
    assert_int_equal(talk.last.kind, STORAGE_CHAT_ME);
    assert_int_equal(talk.last.account, line.account);
    assert_string_equal(talk.last.from, "mira");
    assert_string_equal(talk.last.to, "bob");
    assert_true(talk.last.at_ms == line.at_ms);
    assert_int_equal(talk.last.conn, 4);
    assert_int_equal(talk.last.request, 9);
}

static void a_request_said_again_is_one_line(void **state)
{
    struct fixture *fixture = *state;
    struct storage_chat line = {.text = "hello", .conn = 4, .request = 9};
    struct talk talk = {.stop_after = 9};
    int64_t number = 0;
    int64_t again = 0;

    assert_ok(storage_chat_add(fixture->storage, &line, &number));
    assert_result(storage_chat_add(fixture->storage, &line, &again), STORAGE_TAKEN);
    assert_int_equal(again, number);
    line.request = 10;
    assert_ok(storage_chat_add(fixture->storage, &line, &again));
    assert_ok(storage_chat_last(fixture->storage, STORAGE_CHAT_LOBBY, 0, 9, note_line, &talk));
    assert_int_equal(talk.count, 2);
}

static void private_lines_are_found_by_both_ends_and_nobody_else(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct talk talk = {.stop_after = 9};
    int64_t number = 0;
    const struct storage_chat lines[] = {tell("mira", "bob", "1"), tell("bob", "mira", "2"),
                                         tell("ada", "bob", "3"), tell("bob", "bob", "4")};

    for (size_t i = 0; i < 4; i++) {
        assert_ok(storage_chat_add(storage, &lines[i], &number));
    }
    assert_ok(storage_chat_last_tells(storage, "mira", 9, note_line, &talk));
    assert_string_equal(talk.text, "1 2 ");
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_last_tells(storage, "bob", 3, note_line, &talk));
    assert_string_equal(talk.text, "2 3 4 ");
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_last(storage, STORAGE_CHAT_TELL, 0, 9, note_line, &talk));
    assert_int_equal(talk.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(the_last_lines_of_a_channel_come_back_in_order),
        FIXTURE_TEST(a_line_keeps_all_that_was_said_with_it),
        FIXTURE_TEST(a_request_said_again_is_one_line),
        FIXTURE_TEST(private_lines_are_found_by_both_ends_and_nobody_else),
    };

    return cmocka_run_group_tests_name("chat", tests, NULL, NULL);
}
