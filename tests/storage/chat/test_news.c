#include "storage/chat/chat.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define AT_MS INT64_C(1790000000000)

static int64_t add_news(struct storage *storage, const char *text)
{
    struct storage_news news = {.id = 99, .at_ms = AT_MS};
    int64_t id = 0;

    (void)snprintf(news.text, sizeof news.text, "%s", text);
    assert_ok(storage_news_add(storage, &news, &id));
    return id;
}

static bool collect_news_entry(void *context, const struct storage_news *news)
{
    assert_true(news->at_ms == AT_MS);
    return fixture_add_word(context, "%d:%s", (int)news->id, news->text);
}

static int64_t count_news_after(struct storage *storage, int64_t after)
{
    int64_t count = -1;

    assert_ok(storage_news_count(storage, after, &count));
    return count;
}

static void the_last_news_entries_are_listed_newest_first(void **state)
{
    struct fixture *fixture = *state;
    struct fixture_words words = {.count = 0};

    assert_ok(storage_news_read_last(fixture->storage, 9, collect_news_entry, &words));
    assert_words(&words, "");
    (void)add_news(fixture->storage, "a");
    (void)add_news(fixture->storage, "b");
    (void)add_news(fixture->storage, "c");
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_news_read_last(fixture->storage, 9, collect_news_entry, &words));
    assert_words(&words, "3:c 2:b 1:a ");
    assert_ok(storage_news_read_last(fixture->storage, 2, collect_news_entry, &words));
    assert_words(&words, "3:c 2:b ");
    words.stop_after = 1;
    assert_ok(storage_news_read_last(fixture->storage, 9, collect_news_entry, &words));
    assert_words(&words, "3:c ");
}

static void news_entries_newer_than_a_given_one_are_counted(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;

    assert_int_equal(count_news_after(storage, 0), 0);
    const int64_t first = add_news(storage, "a");
    const int64_t last = add_news(storage, "b");
    assert_int_equal(count_news_after(storage, 0), 2);
    assert_int_equal(count_news_after(storage, first), 1);
    assert_int_equal(count_news_after(storage, last), 0);
    assert_ok(storage_news_remove(storage, last));
    assert_int_equal(count_news_after(storage, first), 0);
}

/* The house stores up to which number a reader has read. A reused number would hide a new entry. */
static void the_number_of_a_removed_news_entry_is_never_used_again(void **state)
{
    struct fixture *fixture = *state;
    struct fixture_words words = {.count = 0};

    (void)add_news(fixture->storage, "a");
    const int64_t removed = add_news(fixture->storage, "b");
    assert_ok(storage_news_remove(fixture->storage, removed));
    assert_result(storage_news_remove(fixture->storage, removed), STORAGE_NOT_FOUND);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_true(add_news(fixture->storage, "c") > removed);
    assert_int_equal(count_news_after(fixture->storage, removed), 1);
    assert_ok(storage_news_read_last(fixture->storage, 9, collect_news_entry, &words));
    assert_words(&words, "3:c 1:a ");
}

TEST_GROUP(news)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(the_last_news_entries_are_listed_newest_first),
        FIXTURE_TEST(news_entries_newer_than_a_given_one_are_counted),
        FIXTURE_TEST(the_number_of_a_removed_news_entry_is_never_used_again),
    };
    return cmocka_run_group_tests_name("news", tests, NULL, NULL);
}
