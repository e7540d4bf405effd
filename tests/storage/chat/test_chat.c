#include "tests/storage/fixture.h"

#include "storage/chat/chat.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

struct talk {
    char text[256];
    struct storage_chat last;
    size_t count;
    size_t stop_after;
};

static bool collect_line(void *context, const struct storage_chat *line)
{
    struct talk *talk = context;
    const size_t len = strlen(talk->text);

    (void)snprintf(&talk->text[len], sizeof talk->text - len, "%s ", line->text);
    talk->last = *line;
    talk->count++;
    return talk->count < talk->stop_after;
}

static int64_t add_line(struct storage *storage, enum storage_chat_channel channel, int64_t table,
                        const char *text)
{
    int64_t number = 0;
    struct storage_chat line = {.channel = channel, .table = table, .kind = STORAGE_CHAT_SYSTEM};

    (void)snprintf(line.text, sizeof line.text, "%s", text);
    assert_ok(storage_chat_add(storage, &line, &number));
    return number;
}

static void the_last_lines_of_the_lobby_and_of_a_table_are_read_in_order(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_add_table(storage);
    struct talk talk = {.stop_after = 9};

    (void)add_line(storage, STORAGE_CHAT_LOBBY, 0, "one");
    (void)add_line(storage, STORAGE_CHAT_TABLE, table, "at-table");
    const int64_t two = add_line(storage, STORAGE_CHAT_LOBBY, 0, "two");
    const int64_t three = add_line(storage, STORAGE_CHAT_LOBBY, 0, "three");
    assert_true(three > two);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    storage = fixture->storage;
    assert_ok(storage_chat_read_last(storage, STORAGE_CHAT_LOBBY, 0, 2, collect_line, &talk));
    assert_string_equal(talk.text, "two three ");
    assert_int_equal(talk.last.number, three);
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_read_last(storage, STORAGE_CHAT_TABLE, table, 5, collect_line, &talk));
    assert_string_equal(talk.text, "at-table ");
    talk = (struct talk){.stop_after = 9};
    assert_ok(
        storage_chat_read_last(storage, STORAGE_CHAT_TABLE, table + 1, 5, collect_line, &talk));
    assert_int_equal(talk.count, 0);
    talk = (struct talk){.stop_after = 1};
    assert_ok(storage_chat_read_last(storage, STORAGE_CHAT_LOBBY, 0, 3, collect_line, &talk));
    assert_string_equal(talk.text, "one ");
}

static struct storage_chat make_direct_message(const char *from, const char *to, const char *text)
{
    struct storage_chat line = {.channel = STORAGE_CHAT_DIRECT};

    (void)snprintf(line.from, sizeof line.from, "%s", from);
    (void)snprintf(line.to, sizeof line.to, "%s", to);
    (void)snprintf(line.text, sizeof line.text, "%s", text);
    return line;
}

static void a_chat_line_reads_back_as_written(void **state)
{
    struct fixture *fixture = *state;
    struct storage_chat line = make_direct_message("mira", "bob", "hello");
    struct talk talk = {.stop_after = 9};
    int64_t number = 0;

    line.account = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    line.kind = STORAGE_CHAT_ME;
    line.at_ms = INT64_C(1790000000000);
    line.conn = 4;
    line.request = 9;
    assert_ok(storage_chat_add(fixture->storage, &line, &number));
    assert_ok(storage_chat_read_direct_messages(fixture->storage, "bob", 5, collect_line, &talk));
    assert_int_equal(talk.count, 1);
    assert_int_equal(talk.last.number, number);
    assert_int_equal(talk.last.channel, STORAGE_CHAT_DIRECT);
    assert_int_equal(talk.last.kind, STORAGE_CHAT_ME);
    assert_int_equal(talk.last.account, line.account);
    assert_string_equal(talk.last.from, "mira");
    assert_string_equal(talk.last.to, "bob");
    assert_true(talk.last.at_ms == line.at_ms);
    assert_int_equal(talk.last.conn, 4);
    assert_int_equal(talk.last.request, 9);
}

static void only_its_sender_and_its_recipient_find_a_direct_message(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct talk talk = {.stop_after = 9};
    int64_t number = 0;
    const struct storage_chat lines[] = {
        make_direct_message("mira", "bob", "1"), make_direct_message("bob", "mira", "2"),
        make_direct_message("ada", "bob", "3"), make_direct_message("bob", "bob", "4")};

    for (size_t i = 0; i < 4; i++) {
        assert_ok(storage_chat_add(storage, &lines[i], &number));
    }
    assert_ok(storage_chat_read_direct_messages(storage, "mira", 9, collect_line, &talk));
    assert_string_equal(talk.text, "1 2 ");
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_read_direct_messages(storage, "bob", 3, collect_line, &talk));
    assert_string_equal(talk.text, "2 3 4 ");
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_read_last(storage, STORAGE_CHAT_DIRECT, 0, 9, collect_line, &talk));
    assert_int_equal(talk.count, 0);
}

static int64_t add_line_by(struct storage *storage, int64_t account, const char *from,
                           enum storage_chat_channel channel, const char *text)
{
    int64_t number = 0;
    struct storage_chat line = make_direct_message(from, "", text);

    line.account = account;
    line.channel = channel;
    line.at_ms = 100;
    (void)snprintf(line.to, sizeof line.to, "%s",
                   channel == STORAGE_CHAT_CHANNEL  ? "#tea"
                   : channel == STORAGE_CHAT_DIRECT ? "bob"
                                                    : "");
    assert_ok(storage_chat_add(storage, &line, &number));
    return number;
}

static void a_search_by_account_is_newest_first_and_leaves_out_direct_messages(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct talk talk = {.stop_after = 9};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    struct storage_chat_search search = {.account = mira, .text = "", .most = 9};

    (void)add_line_by(storage, mira, "mira", STORAGE_CHAT_LOBBY, "Lobby");
    (void)add_line_by(storage, mira, "mira", STORAGE_CHAT_DIRECT, "private");
    (void)add_line_by(storage, mira, "mira", STORAGE_CHAT_CHANNEL, "tea");
    (void)add_line_by(storage, fixture_add_account(storage, "eve", STORAGE_PLAYER), "eve",
                      STORAGE_CHAT_LOBBY, "other");
    assert_ok(storage_chat_search_account(storage, &search, collect_line, &talk));
    assert_string_equal(talk.text, "tea Lobby ");
    search.text = "lOB";
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_search_account(storage, &search, collect_line, &talk));
    assert_string_equal(talk.text, "Lobby ");
    search.since_ms = 101;
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_search_account(storage, &search, collect_line, &talk));
    assert_string_equal(talk.text, "");
    search = (struct storage_chat_search){.account = mira, .text = "", .most = 1};
    assert_ok(storage_chat_search_account(storage, &search, collect_line, &talk));
    assert_string_equal(talk.text, "tea ");
}

static void a_guests_chat_lines_are_found_by_name(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct talk talk = {.stop_after = 9};
    struct storage_chat_search search = {.guest = "guest-3", .text = "", .most = 9};

    (void)add_line_by(storage, 0, "guest-3", STORAGE_CHAT_LOBBY, "one");
    (void)add_line_by(storage, 0, "guest-4", STORAGE_CHAT_LOBBY, "two");
    (void)add_line_by(storage, 0, "guest-3", STORAGE_CHAT_DIRECT, "private");
    (void)add_line_by(storage, fixture_add_account(storage, "mira", STORAGE_PLAYER), "guest-3",
                      STORAGE_CHAT_LOBBY, "of an account");
    assert_ok(storage_chat_search_account(storage, &search, collect_line, &talk));
    assert_string_equal(talk.text, "one ");
}

static void a_search_finds_only_lines_of_the_searched_channel(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct talk talk = {.stop_after = 9};
    const int64_t table = fixture_add_table(storage);
    struct storage_chat_search search = {.text = "", .to = "#tea", .most = 9};

    (void)add_line(storage, STORAGE_CHAT_LOBBY, 0, "one");
    (void)add_line(storage, STORAGE_CHAT_TABLE, table, "two");
    (void)add_line(storage, STORAGE_CHAT_LOBBY, 0, "three");
    (void)add_line_by(storage, 0, "guest-3", STORAGE_CHAT_CHANNEL, "four");
    (void)add_line_by(storage, 0, "guest-3", STORAGE_CHAT_DIRECT, "five");
    assert_ok(
        storage_chat_search_channel(storage, STORAGE_CHAT_LOBBY, 0, &search, collect_line, &talk));
    assert_string_equal(talk.text, "three one ");
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_search_channel(storage, STORAGE_CHAT_TABLE, table, &search, collect_line,
                                          &talk));
    assert_string_equal(talk.text, "two ");
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_search_channel(storage, STORAGE_CHAT_CHANNEL, 0, &search, collect_line,
                                          &talk));
    assert_string_equal(talk.text, "four ");
    talk = (struct talk){.stop_after = 9};
    assert_ok(
        storage_chat_search_channel(storage, STORAGE_CHAT_DIRECT, 0, &search, collect_line, &talk));
    assert_string_equal(talk.text, "");
}

static void a_range_of_lines_includes_its_first_and_last_line(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct talk talk = {.stop_after = 9};
    int64_t between[2] = {0, 0};

    (void)add_line(storage, STORAGE_CHAT_LOBBY, 0, "one");
    between[0] = add_line(storage, STORAGE_CHAT_LOBBY, 0, "two");
    (void)add_line(storage, STORAGE_CHAT_TABLE, fixture_add_table(storage), "elsewhere");
    between[1] = add_line(storage, STORAGE_CHAT_LOBBY, 0, "three");
    (void)add_line(storage, STORAGE_CHAT_LOBBY, 0, "four");
    assert_ok(
        storage_chat_read_range(storage, STORAGE_CHAT_LOBBY, 0, between, collect_line, &talk));
    assert_string_equal(talk.text, "two three ");
}

static void only_a_hidden_line_is_marked_as_hidden(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_chat line;
    const int64_t first = add_line(storage, STORAGE_CHAT_LOBBY, 0, "one");
    const int64_t second = add_line(storage, STORAGE_CHAT_LOBBY, 0, "two");

    assert_ok(storage_chat_hide(storage, first, 5, 3));
    assert_ok(storage_chat_read(storage, first, &line));
    assert_true(line.is_hidden);
    assert_int_equal(line.hidden_by, 3);
    assert_ok(storage_chat_read(storage, second, &line));
    assert_false(line.is_hidden);
    assert_ok(storage_chat_hide(storage, first, 0, 0));
    assert_ok(storage_chat_read(storage, first, &line));
    assert_false(line.is_hidden);
    assert_result(storage_chat_hide(storage, second + 1, 5, 3), STORAGE_NOT_FOUND);
    assert_result(storage_chat_read(storage, second + 1, &line), STORAGE_NOT_FOUND);
}

static void every_chat_channel_and_kind_of_line_reads_back_as_stored(void **state)
{
    struct fixture *fixture = *state;
    struct storage_chat line = {.text = "x"}, found;
    int64_t number = 0;

    for (unsigned channel = 0; channel <= STORAGE_CHAT_CHANNEL_LAST; channel++) {
        for (unsigned kind = 0; kind <= STORAGE_CHAT_KIND_LAST; kind++) {
            line.channel = (enum storage_chat_channel)channel;
            line.kind = (enum storage_chat_kind)kind;
            assert_ok(storage_chat_add(fixture->storage, &line, &number));
            assert_ok(storage_chat_read(fixture->storage, number, &found));
            assert_int_equal(found.channel, channel);
            assert_int_equal(found.kind, kind);
        }
    }
}

static void the_last_lines_of_a_named_channel_are_read_in_order(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct talk talk = {.stop_after = 9};

    (void)add_line_by(storage, 0, "bob", STORAGE_CHAT_CHANNEL, "one");
    (void)add_line_by(storage, 0, "bob", STORAGE_CHAT_CHANNEL, "two");
    (void)add_line_by(storage, 0, "bob", STORAGE_CHAT_LOBBY, "elsewhere");
    (void)add_line_by(storage, 0, "bob", STORAGE_CHAT_CHANNEL, "three");
    assert_ok(storage_chat_read_channel(storage, "#tea", 2, collect_line, &talk));
    assert_string_equal(talk.text, "two three ");
    talk = (struct talk){.stop_after = 9};
    assert_ok(storage_chat_read_channel(storage, "#dev", 2, collect_line, &talk));
    assert_string_equal(talk.text, "");
}

/* Whether a line was said by a spectator is stored, because players must not see such a line during
 * the game. */
static void a_spectators_chat_line_is_marked_as_theirs_when_read_back(void **state)
{
    struct fixture *fixture = *state;
    struct storage_chat line = {.channel = STORAGE_CHAT_TABLE, .text = "x"}, found;
    int64_t number = 0;

    line.table = fixture_add_table(fixture->storage);
    for (int i = 0; i < 2; i++) {
        line.is_by_spectator = i == 1;
        assert_ok(storage_chat_add(fixture->storage, &line, &number));
        assert_ok(storage_chat_read(fixture->storage, number, &found));
        assert_int_equal(found.is_by_spectator, i == 1);
        assert_int_equal(found.table, line.table);
    }
}

TEST_GROUP(chat)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(the_last_lines_of_the_lobby_and_of_a_table_are_read_in_order),
        FIXTURE_TEST(a_chat_line_reads_back_as_written),
        FIXTURE_TEST(only_its_sender_and_its_recipient_find_a_direct_message),
        FIXTURE_TEST(a_search_by_account_is_newest_first_and_leaves_out_direct_messages),
        FIXTURE_TEST(a_guests_chat_lines_are_found_by_name),
        FIXTURE_TEST(a_search_finds_only_lines_of_the_searched_channel),
        FIXTURE_TEST(a_range_of_lines_includes_its_first_and_last_line),
        FIXTURE_TEST(only_a_hidden_line_is_marked_as_hidden),
        FIXTURE_TEST(every_chat_channel_and_kind_of_line_reads_back_as_stored),
        FIXTURE_TEST(the_last_lines_of_a_named_channel_are_read_in_order),
        FIXTURE_TEST(a_spectators_chat_line_is_marked_as_theirs_when_read_back),
    };

    return cmocka_run_group_tests_name("chat", tests, NULL, NULL);
}
