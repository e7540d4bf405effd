#include "storage/chat/chat_rewrites.h"

#include "storage/accounts/account_changes.h"
#include "storage/chat/chat.h"
#include "tests/storage/fixture.h"

#include <stdio.h>

static void say(struct storage *storage, int64_t account, const char *from, const char *to,
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

/* Asserts all stored lines as "from>to:text"; a hidden line starts with a minus. */
static void assert_lines(struct storage *storage, const char *wanted)
{
    struct fixture_heard heard = {.count = 0};
    struct storage_chat line;

    for (int64_t number = 1; storage_chat_read(storage, number, &line) == STORAGE_OK; number++) {
        (void)fixture_hear(&heard, "%s%s>%s:%s", line.is_hidden ? "-" : "", line.from, line.to,
                           line.text);
    }
    assert_heard(&heard, wanted);
}

/* Rewrites at most this many lines; tells whether lines remain. */
static bool rewrite(struct storage *storage, size_t most)
{
    bool is_more = false;

    assert_ok(storage_chat_rewrite(storage, most, &is_more));
    return is_more;
}

static void without_work_nothing_is_rewritten(void **state)
{
    struct fixture *fixture = *state;

    say(fixture->storage, 0, "bob", "", "hello");
    assert_false(rewrite(fixture->storage, 10));
    assert_lines(fixture->storage, "bob>:hello ");
}

static void another_name_is_put_into_private_lines_alone(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);

    say(storage, mira, "mira", "bob", "1");
    say(storage, 0, "bob", "mira", "2");
    say(storage, mira, "mira", "mira", "3");
    say(storage, mira, "mira", "", "4");
    say(storage, mira, "mira", "#tea", "5");
    say(storage, 0, "bob", "ada", "mira");
    assert_ok(storage_account_rename(storage, mira, "maria", "maria"));
    assert_false(rewrite(storage, 100));
    assert_lines(storage, "maria>bob:1 bob>maria:2 maria>maria:3 mira>:4 mira>#tea:5 "
                          "bob>ada:mira ");
}

static void the_newest_lines_are_rewritten_first_and_no_more_than_asked(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);

    for (int i = 0; i < 3; i++) {
        say(storage, mira, "mira", "", "x");
    }
    assert_ok(storage_account_erase(storage, mira, "gone"));
    assert_true(rewrite(storage, 2));
    assert_lines(storage, "mira>:x -gone>: -gone>: ");
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_true(rewrite(fixture->storage, 1));
    assert_lines(fixture->storage, "-gone>: -gone>: -gone>: ");
    assert_false(rewrite(fixture->storage, 1));
}

static void private_lines_get_another_name_newest_first_and_no_more_than_asked(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);

    say(storage, 0, "bob", "mira", "1");
    say(storage, mira, "mira", "bob", "2");
    say(storage, 0, "bob", "mira", "3");
    say(storage, mira, "mira", "bob", "4");
    assert_ok(storage_account_rename(storage, mira, "maria", "maria"));
    assert_true(rewrite(storage, 1)); /* first the direct messages to her */
    assert_lines(storage, "bob>mira:1 mira>bob:2 bob>maria:3 mira>bob:4 ");
    assert_true(rewrite(storage, 2));
    assert_lines(storage, "bob>maria:1 mira>bob:2 bob>maria:3 maria>bob:4 ");
    assert_false(rewrite(storage, 2));
    assert_lines(storage, "bob>maria:1 maria>bob:2 bob>maria:3 maria>bob:4 ");
}

static void the_work_that_waits_longest_is_done_first(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);

    say(storage, bob, "bob", "", "b");
    say(storage, mira, "mira", "", "m");
    say(storage, bob, "bob", "", "b");
    assert_ok(storage_account_erase(storage, bob, "gone-2"));
    assert_ok(storage_account_erase(storage, mira, "gone-1"));
    assert_true(rewrite(storage, 2));
    assert_lines(storage, "-gone-2>: mira>:m -gone-2>: ");
    assert_false(rewrite(storage, 2));
    assert_lines(storage, "-gone-2>: -gone-1>: -gone-2>: ");
}

/* Somebody else may take the old name at once: their lines do not belong to the old account. */
static void lines_of_whoever_has_the_name_next_stay(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);

    say(storage, mira, "mira", "bob", "old");
    assert_ok(storage_account_rename(storage, mira, "maria", "maria"));
    const int64_t next = fixture_account(storage, "mira", STORAGE_PLAYER);
    say(storage, next, "mira", "bob", "new");
    say(storage, 0, "bob", "mira", "new");
    while (rewrite(storage, 1)) {
    }
    assert_lines(storage, "maria>bob:old mira>bob:new bob>mira:new ");
}

static void lines_of_a_name_changed_twice_get_the_last_one(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);

    say(storage, mira, "mira", "bob", "1");
    assert_ok(storage_account_rename(storage, mira, "maria", "maria"));
    say(storage, mira, "maria", "bob", "2");
    assert_ok(storage_account_rename(storage, mira, "mary", "mary"));
    assert_false(rewrite(storage, 100));
    assert_lines(storage, "mary>bob:1 mary>bob:2 ");
}

/* Messages from others to a deleted account stay: only the deleted account's name is replaced. */
static void who_is_gone_loses_what_they_said_and_not_what_others_said(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);

    say(storage, mira, "mira", "bob", "secret");
    say(storage, bob, "bob", "mira", "answer");
    say(storage, bob, "bob", "", "hello");
    assert_ok(storage_account_erase(storage, mira, "gone"));
    assert_false(rewrite(storage, 100));
    assert_lines(storage, "-gone>bob: bob>gone:answer bob>:hello ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(without_work_nothing_is_rewritten),
        FIXTURE_TEST(another_name_is_put_into_private_lines_alone),
        FIXTURE_TEST(the_newest_lines_are_rewritten_first_and_no_more_than_asked),
        FIXTURE_TEST(private_lines_get_another_name_newest_first_and_no_more_than_asked),
        FIXTURE_TEST(the_work_that_waits_longest_is_done_first),
        FIXTURE_TEST(lines_of_whoever_has_the_name_next_stay),
        FIXTURE_TEST(lines_of_a_name_changed_twice_get_the_last_one),
        FIXTURE_TEST(who_is_gone_loses_what_they_said_and_not_what_others_said),
    };
    return cmocka_run_group_tests_name("chat_rewrites", tests, NULL, NULL);
}
