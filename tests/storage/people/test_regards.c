#include "storage/people/regards.h"

#include "tests/storage/fixture.h"

#include <stdio.h>
#include <string.h>

#define AT_MS INT64_C(1790000000000)
#define FORGET_MS (AT_MS - 1000)

struct found {
    int64_t others[8];
    size_t count;
    char text[256]; /* "name@address*count", blanks between */
};

static bool find_other(void *context, int64_t other)
{
    struct found *found = context;
    found->others[found->count++] = other;
    return found->count < ARRAY_LEN(found->others);
}

static bool find_sign_in(void *context, const struct storage_sign_in *row)
{
    struct found *found = context;
    size_t len = strlen(found->text);
    (void)snprintf(found->text + len, sizeof found->text - len, "%s@%s*%u ", row->name,
                   row->address, row->count);
    return true;
}

static void what_people_want_of_each_other_is_kept_by_kind(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    int64_t others[4];
    size_t count = 9;
    bool is_so = true;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);

    assert_ok(storage_regard_add(storage, mira, bob, STORAGE_REGARD_IGNORE));
    assert_result(storage_regard_add(storage, mira, bob, STORAGE_REGARD_IGNORE), STORAGE_TAKEN);
    assert_ok(storage_regards_read(storage, mira, STORAGE_REGARD_IGNORE, others, 4, &count));
    assert_int_equal(count, 1);
    assert_int_equal(others[0], bob);
    assert_ok(storage_regards_read(storage, bob, STORAGE_REGARD_IGNORE, others, 4, &count));
    assert_int_equal(count, 0);
    assert_ok(storage_regard_between(storage, mira, bob, STORAGE_REGARD_NOPLAY, &is_so));
    assert_false(is_so);
    assert_ok(storage_regard_remove(storage, mira, bob, STORAGE_REGARD_IGNORE));
    assert_result(storage_regard_remove(storage, mira, bob, STORAGE_REGARD_IGNORE),
                  STORAGE_NOT_FOUND);
}

static void who_is_kept_apart_is_found_from_both_ends_once(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct found found = {.count = 0};
    bool is_so = false;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_account(storage, "ada", STORAGE_PLAYER);

    assert_ok(storage_regard_add(storage, ada, mira, STORAGE_REGARD_NOPLAY));
    assert_ok(storage_regard_add(storage, mira, bob, STORAGE_REGARD_NOPLAY));
    assert_ok(storage_regard_add(storage, bob, mira, STORAGE_REGARD_NOPLAY));
    assert_ok(storage_regard_add(storage, ada, bob, STORAGE_REGARD_IGNORE));
    assert_ok(storage_regards_both_ways(storage, mira, STORAGE_REGARD_NOPLAY, find_other, &found));
    assert_int_equal(found.count, 2);
    assert_int_equal(found.others[0], bob);
    assert_int_equal(found.others[1], ada);
    assert_ok(storage_regard_between(storage, mira, ada, STORAGE_REGARD_NOPLAY, &is_so));
    assert_true(is_so);
    found.count = 0;
    assert_ok(storage_regards_both_ways(storage, ada, STORAGE_REGARD_NOPLAY, find_other, &found));
    assert_int_equal(found.count, 1);
}

static void come(struct storage *storage, int64_t account, const char *address, const char *key,
                 int64_t at_ms)
{
    struct storage_connection from = {.account = account};
    (void)snprintf(from.address, sizeof from.address, "%s", address);
    (void)snprintf(from.key_fingerprint, sizeof from.key_fingerprint, "%s", key);
    assert_ok(storage_sign_in_note(storage, &from, at_ms, FORGET_MS));
}

static void from_where_accounts_are_used_is_counted_and_in_time_forgotten(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct found found = {.count = 0};
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);

    come(storage, mira, "192.0.2.1", "", FORGET_MS - 1);
    come(storage, mira, "192.0.2.2", "", AT_MS);
    come(storage, mira, "192.0.2.3", "", AT_MS + 1);
    come(storage, mira, "192.0.2.2", "", AT_MS + 2);
    assert_ok(storage_sign_ins_of(storage, mira, find_sign_in, &found));
    assert_string_equal(found.text, "mira@192.0.2.2*2 mira@192.0.2.3*1 ");
}

static void accounts_that_share_an_address_or_a_key_are_alike(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct found found = {.count = 0};
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_account(storage, "ada", STORAGE_PLAYER);
    const int64_t eve = fixture_account(storage, "eve", STORAGE_PLAYER);

    come(storage, mira, "192.0.2.1", "SHA256:m", AT_MS);
    come(storage, bob, "192.0.2.1", "", AT_MS + 1);
    come(storage, ada, "192.0.2.9", "SHA256:m", AT_MS + 2);
    come(storage, eve, "192.0.2.8", "", AT_MS + 3); /* no key is nothing shared */
    assert_ok(storage_sign_ins_like(storage, mira, find_sign_in, &found));
    assert_string_equal(found.text, "ada@192.0.2.9*1 bob@192.0.2.1*1 ");
}

static bool is_between(struct storage *storage, int64_t one, int64_t other,
                       enum storage_regard kind)
{
    bool is_so = false;

    assert_ok(storage_regard_between(storage, one, other, kind, &is_so));
    return is_so;
}

static void one_wish_taken_back_leaves_all_others(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_account(storage, "ada", STORAGE_PLAYER);

    assert_ok(storage_regard_add(storage, mira, bob, STORAGE_REGARD_NOPLAY));
    assert_ok(storage_regard_add(storage, mira, bob, STORAGE_REGARD_IGNORE));
    assert_ok(storage_regard_add(storage, mira, ada, STORAGE_REGARD_NOPLAY));
    assert_ok(storage_regard_add(storage, ada, bob, STORAGE_REGARD_NOPLAY));
    assert_ok(storage_regard_remove(storage, mira, bob, STORAGE_REGARD_NOPLAY));
    assert_false(is_between(storage, mira, bob, STORAGE_REGARD_NOPLAY));
    assert_true(is_between(storage, mira, bob, STORAGE_REGARD_IGNORE));
    assert_true(is_between(storage, ada, mira, STORAGE_REGARD_NOPLAY));
    assert_true(is_between(storage, bob, ada, STORAGE_REGARD_NOPLAY));
}

static void accounts_are_found_by_the_address_or_the_key_newest_first(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct found found = {.count = 0};
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);

    come(storage, mira, "192.0.2.1", "SHA256:m", AT_MS + 1);
    come(storage, bob, "192.0.2.2", "SHA256:m", AT_MS + 3);
    come(storage, bob, "192.0.2.1", "", AT_MS + 2);
    come(storage, bob, "192.0.2.9", "", AT_MS + 4);
    assert_ok(storage_sign_ins_from(storage, "192.0.2.1", "", find_sign_in, &found));
    assert_string_equal(found.text, "bob@192.0.2.1*1 mira@192.0.2.1*1 ");
    found.text[0] = '\0';
    assert_ok(storage_sign_ins_from(storage, "192.0.2.8", "SHA256:m", find_sign_in, &found));
    assert_string_equal(found.text, "bob@192.0.2.2*1 mira@192.0.2.1*1 ");
    found.text[0] = '\0';
    assert_ok(storage_sign_ins_from(storage, "192.0.2.9", "SHA256:m", find_sign_in, &found));
    assert_string_equal(found.text, "bob@192.0.2.9*1 bob@192.0.2.2*1 mira@192.0.2.1*1 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(what_people_want_of_each_other_is_kept_by_kind),
        FIXTURE_TEST(who_is_kept_apart_is_found_from_both_ends_once),
        FIXTURE_TEST(from_where_accounts_are_used_is_counted_and_in_time_forgotten),
        FIXTURE_TEST(accounts_that_share_an_address_or_a_key_are_alike),
        FIXTURE_TEST(one_wish_taken_back_leaves_all_others),
        FIXTURE_TEST(accounts_are_found_by_the_address_or_the_key_newest_first),
    };
    return cmocka_run_group_tests_name("regards", tests, NULL, NULL);
}
