#include "storage/account_changes.h"

#include "fixture.h"
#include "storage/chat.h"
#include "storage/chat_rewrites.h"
#include "storage/ratings.h"
#include "storage/regards.h"
#include "storage/reports.h"

#include <stdio.h>
#include <string.h>

#define AT_MS INT64_C(1790000000000)

/* Lines as they came, "from>to:text" with blanks between. */
struct heard {
    char text[512];
    size_t empty;
};

static bool hear(void *context, const struct storage_chat *line)
{
    struct heard *heard = context;
    size_t len = strlen(heard->text);
    (void)snprintf(heard->text + len, sizeof heard->text - len, "%s>%s:%s ", line->from, line->to,
                   line->text);
    heard->empty += line->text[0] == '\0' && line->is_hidden;
    return true;
}

static void say(struct storage *storage, int64_t account, const char *from, const char *to,
                const char *text)
{
    int64_t number = 0;
    struct storage_chat line = {
        .channel = to[0] == '\0' ? STORAGE_CHAT_LOBBY : STORAGE_CHAT_TELL,
        .account = account,
        .at_ms = AT_MS,
    };
    (void)snprintf(line.from, sizeof line.from, "%s", from);
    (void)snprintf(line.to, sizeof line.to, "%s", to);
    (void)snprintf(line.text, sizeof line.text, "%s", text);
    assert_ok(storage_chat_add(storage, &line, &number));
}

static size_t rewrite_all(struct storage *storage, size_t most)
{
    bool is_more = true;
    size_t calls = 0;
    while (is_more) {
        assert_ok(storage_chat_rewrite(storage, most, &is_more));
        calls++;
    }
    return calls;
}

static void a_name_is_changed_wherever_it_stands(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_account account;
    struct heard heard = {"", 0};
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);

    (void)fixture_account(storage, "bob", STORAGE_PLAYER);
    say(storage, mira, "mira", "bob", "one");
    say(storage, 0, "bob", "mira", "two");
    assert_result(storage_account_rename(storage, mira, "bob", "bob"), STORAGE_TAKEN);
    assert_ok(storage_account_rename(storage, mira, "ada", "ada"));
    (void)rewrite_all(storage, 100);
    assert_result(storage_account_by_name(storage, "mira", &account), STORAGE_NOT_FOUND);
    assert_ok(storage_account_by_name(storage, "ada", &account));
    assert_int_equal(account.id, mira);
    assert_ok(storage_chat_last_tells(storage, "ada", 10, hear, &heard));
    assert_string_equal(heard.text, "ada>bob:one bob>ada:two ");
}

static void whoever_has_a_name_next_reads_nothing_of_the_one_before(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct heard heard = {"", 0};
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);

    say(storage, 0, "bob", "mira", "for the first");
    assert_ok(storage_account_erase(storage, mira, "gone-1"));
    (void)fixture_account(storage, "mira", STORAGE_PLAYER);
    say(storage, 0, "bob", "mira", "for the second");
    (void)rewrite_all(storage, 1);
    assert_ok(storage_chat_last_tells(storage, "mira", 10, hear, &heard));
    assert_string_equal(heard.text, "bob>mira:for the second ");
}

static void what_was_said_is_erased_some_lines_at_a_time_the_newest_first(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const struct storage_chat_search search = {.text = "", .most = 100};
    struct heard heard = {"", 0};
    bool is_more = false;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);

    for (int i = 0; i < 10; i++) {
        say(storage, mira, "mira", "", "x");
        say(storage, bob, "bob", "", "y");
    }
    assert_ok(storage_account_erase(storage, mira, "gone-1"));
    assert_ok(storage_chat_rewrite(storage, 4, &is_more));
    assert_true(is_more);
    assert_ok(storage_chat_heard(storage, STORAGE_CHAT_LOBBY, 0, &search, hear, &heard));
    assert_int_equal(heard.empty, 4);
    assert_int_equal(strncmp(heard.text, "bob>:y gone-1>: bob>:y gone-1>: ", 32), 0);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_int_equal(rewrite_all(fixture->storage, 4), 2);
    heard = (struct heard){"", 0};
    assert_ok(storage_chat_heard(fixture->storage, STORAGE_CHAT_LOBBY, 0, &search, hear, &heard));
    assert_int_equal(heard.empty, 10);
    assert_null(strstr(heard.text, "mira"));
}

static void an_account_that_is_gone_leaves_no_key_rating_or_list(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_account account;
    struct storage_rating rating = {.game = "oh-hell", .mu = 25, .sigma = 8};
    int64_t others[4];
    size_t count = 0;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);

    rating.account = mira;
    assert_ok(storage_rating_save(storage, &rating));
    assert_ok(storage_account_set_role(storage, mira, STORAGE_ROLE_MOD));
    assert_ok(storage_regard_add(storage, bob, mira, STORAGE_REGARD_IGNORE));
    assert_ok(storage_account_erase(storage, mira, "gone-1"));
    assert_ok(storage_account_by_id(storage, mira, &account));
    assert_string_equal(account.name, "gone-1");
    assert_string_equal(account.password_hash, "");
    assert_int_equal(account.role, STORAGE_ROLE_PLAYER);
    assert_result(storage_rating_read(storage, mira, "oh-hell", &rating), STORAGE_NOT_FOUND);
    assert_ok(storage_regards_read(storage, bob, STORAGE_REGARD_IGNORE, others, 4, &count));
    assert_int_equal(count, 0);
}

static bool count_note(void *context, const struct storage_note *note)
{
    *(int *)context += strcmp(note->text, "shouts") == 0;
    return true;
}

static void what_one_account_was_becomes_the_others(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_note note = {.by_name = "max", .text = "shouts", .at_ms = AT_MS};
    int notes = 0;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);

    note.account = mira;
    assert_ok(storage_note_add(storage, &note));
    assert_ok(storage_account_merge(storage, mira, bob));
    assert_ok(storage_notes_of_account(storage, mira, count_note, &notes));
    assert_int_equal(notes, 0);
    assert_ok(storage_notes_of_account(storage, bob, count_note, &notes));
    assert_int_equal(notes, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_name_is_changed_wherever_it_stands),
        FIXTURE_TEST(whoever_has_a_name_next_reads_nothing_of_the_one_before),
        FIXTURE_TEST(what_was_said_is_erased_some_lines_at_a_time_the_newest_first),
        FIXTURE_TEST(an_account_that_is_gone_leaves_no_key_rating_or_list),
        FIXTURE_TEST(what_one_account_was_becomes_the_others),
    };
    return cmocka_run_group_tests_name("account_changes", tests, NULL, NULL);
}
