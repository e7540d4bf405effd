#include "storage/accounts/accounts.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>

static void add_notice(struct storage *storage, int64_t account, const char *excluded_key,
                       const char *text)
{
    struct storage_notice notice = {.account = account, .at_ms = 7};

    (void)snprintf(notice.not_by_key, sizeof notice.not_by_key, "%s", excluded_key);
    (void)snprintf(notice.text, sizeof notice.text, "%s", text);
    assert_ok(storage_notice_add(storage, &notice));
}

/* Asserts the texts of the waiting notices, each followed by a blank: "first second ". */
static void assert_waiting_notices(struct storage *storage, int64_t account, const char *key,
                                   const char *expected)
{
    struct storage_notice notices[STORAGE_NOTICES_MAX];
    struct fixture_words words = {.count = 0};
    size_t count = 99;

    assert_ok(storage_notices_read(storage, account, key, notices, STORAGE_NOTICES_MAX, &count));
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(notices[i].account, account);
        assert_int_equal(notices[i].at_ms, 7);
        (void)fixture_add_word(&words, "%s", notices[i].text);
    }
    assert_words(&words, expected);
}

static void notices_are_read_oldest_first_until_they_are_deleted(void **state)
{
    struct fixture *fixture = *state;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    const int64_t eve = fixture_add_account(fixture->storage, "eve", STORAGE_PLAYER);

    assert_waiting_notices(fixture->storage, mira, "", "");
    add_notice(fixture->storage, mira, "", "one");
    add_notice(fixture->storage, eve, "", "two");
    add_notice(fixture->storage, mira, "", "three");
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_waiting_notices(fixture->storage, mira, "SHA256:abc", "one three ");
    assert_ok(storage_notices_remove(fixture->storage, mira, ""));
    assert_waiting_notices(fixture->storage, mira, "", "");
    assert_waiting_notices(fixture->storage, eve, "", "two ");
}

static void a_sign_in_with_the_excluded_key_neither_reads_nor_deletes_the_notice(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    add_notice(storage, mira, "SHA256:new", "key");
    add_notice(storage, mira, "", "password");
    assert_waiting_notices(storage, mira, "SHA256:new", "password ");
    assert_ok(storage_notices_remove(storage, mira, "SHA256:new"));
    assert_waiting_notices(storage, mira, "SHA256:new", "");
    assert_waiting_notices(storage, mira, "", "key ");
    assert_waiting_notices(storage, mira, "SHA256:old", "key ");
}

static void beyond_the_limit_new_notices_are_dropped(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_notice notices[STORAGE_NOTICES_MAX];
    size_t count = 0;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    add_notice(storage, mira, "", "first");
    for (int i = 0; i < 2 * STORAGE_NOTICES_MAX; i++) {
        add_notice(storage, mira, "", "more");
    }
    assert_ok(storage_notices_read(storage, mira, "", notices, STORAGE_NOTICES_MAX, &count));
    assert_int_equal(count, STORAGE_NOTICES_MAX);
    assert_string_equal(notices[0].text, "first");
}

static void notices_are_deleted_with_the_account(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    add_notice(storage, mira, "", "one");
    assert_ok(storage_account_erase(storage, mira, "gone"));
    assert_waiting_notices(storage, mira, "", "");
}

TEST_GROUP(account_notices)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(notices_are_read_oldest_first_until_they_are_deleted),
        FIXTURE_TEST(a_sign_in_with_the_excluded_key_neither_reads_nor_deletes_the_notice),
        FIXTURE_TEST(beyond_the_limit_new_notices_are_dropped),
        FIXTURE_TEST(notices_are_deleted_with_the_account),
    };
    return cmocka_run_group_tests_name("account notices", tests, NULL, NULL);
}
