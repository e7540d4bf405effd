#include "storage/chat/chat.h"

#include "storage/accounts/accounts.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>

static void add_line(struct storage *storage, int64_t account, const char *from, const char *to,
                     const char *text)
{
    int64_t number = 0;
    struct storage_chat line = {
        .channel = to[0] == '\0'  ? STORAGE_CHAT_LOBBY
                   : to[0] == '#' ? STORAGE_CHAT_CHANNEL
                                  : STORAGE_CHAT_DIRECT,
        .account = account,
    };

    (void)snprintf(line.from, sizeof line.from, "%s", from);
    (void)snprintf(line.to, sizeof line.to, "%s", to);
    (void)snprintf(line.text, sizeof line.text, "%s", text);
    assert_ok(storage_chat_add(storage, &line, &number));
}

/* Asserts all stored lines, written as "from>to:text"; a hidden line starts with a minus. */
static void assert_stored_chat_lines(struct storage *storage, const char *wanted)
{
    struct fixture_words words = {.count = 0};
    struct storage_chat line;

    for (int64_t number = 1; storage_chat_read(storage, number, &line) == STORAGE_OK; number++) {
        (void)fixture_add_word(&words, "%s%s>%s:%s", line.is_hidden ? "-" : "", line.from, line.to,
                               line.text);
    }
    assert_words(&words, wanted);
}

/* Rewrites at most `max_lines` lines; returns whether more lines remain to be rewritten. */
static bool rewrite_chat_lines(struct storage *storage, size_t max_lines)
{
    bool is_more = false;

    assert_ok(storage_chat_continue_rewrites(storage, max_lines, &is_more));
    return is_more;
}

static void without_a_queued_rewrite_no_line_changes(void **state)
{
    struct fixture *fixture = *state;

    add_line(fixture->storage, 0, "bob", "", "hello");
    assert_false(rewrite_chat_lines(fixture->storage, 10));
    assert_stored_chat_lines(fixture->storage, "bob>:hello ");
}

static void a_rename_rewrites_only_direct_messages(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    add_line(storage, mira, "mira", "bob", "1");
    add_line(storage, 0, "bob", "mira", "2");
    add_line(storage, mira, "mira", "mira", "3");
    add_line(storage, mira, "mira", "", "4");
    add_line(storage, mira, "mira", "#tea", "5");
    add_line(storage, 0, "bob", "ada", "mira");
    assert_ok(storage_account_rename(storage, mira, "maria", "maria"));
    assert_false(rewrite_chat_lines(storage, 100));
    assert_stored_chat_lines(storage, "maria>bob:1 bob>maria:2 maria>maria:3 mira>:4 mira>#tea:5 "
                                      "bob>ada:mira ");
}

static void erasing_an_account_rewrites_its_newest_lines_first_a_few_at_each_call(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    for (int i = 0; i < 3; i++) {
        add_line(storage, mira, "mira", "", "x");
    }
    assert_ok(storage_account_erase(storage, mira, "gone"));
    assert_true(rewrite_chat_lines(storage, 2));
    assert_stored_chat_lines(storage, "mira>:x -gone>: -gone>: ");
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_true(rewrite_chat_lines(fixture->storage, 1));
    assert_stored_chat_lines(fixture->storage, "-gone>: -gone>: -gone>: ");
    assert_false(rewrite_chat_lines(fixture->storage, 1));
}

static void renaming_an_account_rewrites_its_newest_messages_first_a_few_at_each_call(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    add_line(storage, 0, "bob", "mira", "1");
    add_line(storage, mira, "mira", "bob", "2");
    add_line(storage, 0, "bob", "mira", "3");
    add_line(storage, mira, "mira", "bob", "4");
    assert_ok(storage_account_rename(storage, mira, "maria", "maria"));
    assert_true(rewrite_chat_lines(storage, 1)); /* direct messages to the account come first */
    assert_stored_chat_lines(storage, "bob>mira:1 mira>bob:2 bob>maria:3 mira>bob:4 ");
    assert_true(rewrite_chat_lines(storage, 2));
    assert_stored_chat_lines(storage, "bob>maria:1 mira>bob:2 bob>maria:3 maria>bob:4 ");
    assert_false(rewrite_chat_lines(storage, 2));
    assert_stored_chat_lines(storage, "bob>maria:1 maria>bob:2 bob>maria:3 maria>bob:4 ");
}

static void the_rewrite_queued_first_is_done_first(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    add_line(storage, bob, "bob", "", "b");
    add_line(storage, mira, "mira", "", "m");
    add_line(storage, bob, "bob", "", "b");
    assert_ok(storage_account_erase(storage, bob, "gone-2"));
    assert_ok(storage_account_erase(storage, mira, "gone-1"));
    assert_true(rewrite_chat_lines(storage, 2));
    assert_stored_chat_lines(storage, "-gone-2>: mira>:m -gone-2>: ");
    assert_false(rewrite_chat_lines(storage, 2));
    assert_stored_chat_lines(storage, "-gone-2>: -gone-1>: -gone-2>: ");
}

/* Another account may take the old name at once; the lines of that account do not belong to the
 * renamed account. */
static void lines_of_the_next_owner_of_the_name_are_not_rewritten(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    add_line(storage, mira, "mira", "bob", "old");
    assert_ok(storage_account_rename(storage, mira, "maria", "maria"));
    const int64_t next = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    add_line(storage, next, "mira", "bob", "new");
    add_line(storage, 0, "bob", "mira", "new");
    while (rewrite_chat_lines(storage, 1)) {
    }
    assert_stored_chat_lines(storage, "maria>bob:old mira>bob:new bob>mira:new ");
}

static void after_two_renames_the_messages_have_the_last_name(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    add_line(storage, mira, "mira", "bob", "1");
    assert_ok(storage_account_rename(storage, mira, "maria", "maria"));
    add_line(storage, mira, "maria", "bob", "2");
    assert_ok(storage_account_rename(storage, mira, "mary", "mary"));
    assert_false(rewrite_chat_lines(storage, 100));
    assert_stored_chat_lines(storage, "mary>bob:1 mary>bob:2 ");
}

/* Messages from others to a deleted account stay; only the deleted account's name in them is
 * replaced. */
static void erasing_an_account_erases_its_lines_but_not_those_of_others(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    add_line(storage, mira, "mira", "bob", "secret");
    add_line(storage, bob, "bob", "mira", "answer");
    add_line(storage, bob, "bob", "", "hello");
    assert_ok(storage_account_erase(storage, mira, "gone"));
    assert_false(rewrite_chat_lines(storage, 100));
    assert_stored_chat_lines(storage, "-gone>bob: bob>gone:answer bob>:hello ");
}

TEST_GROUP(chat_rewrites)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(without_a_queued_rewrite_no_line_changes),
        FIXTURE_TEST(a_rename_rewrites_only_direct_messages),
        FIXTURE_TEST(erasing_an_account_rewrites_its_newest_lines_first_a_few_at_each_call),
        FIXTURE_TEST(renaming_an_account_rewrites_its_newest_messages_first_a_few_at_each_call),
        FIXTURE_TEST(the_rewrite_queued_first_is_done_first),
        FIXTURE_TEST(lines_of_the_next_owner_of_the_name_are_not_rewritten),
        FIXTURE_TEST(after_two_renames_the_messages_have_the_last_name),
        FIXTURE_TEST(erasing_an_account_erases_its_lines_but_not_those_of_others),
    };
    return cmocka_run_group_tests_name("chat_rewrites", tests, NULL, NULL);
}
