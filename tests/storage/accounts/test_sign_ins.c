#include "storage/accounts/accounts.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define AT_MS INT64_C(1790000000000)

struct found {
    char text[256]; /* the sign-ins as "name@address*count", separated by blanks */
};

static bool collect_sign_in(void *context, const struct storage_sign_in *row)
{
    struct found *found = context;
    size_t len = strlen(found->text);
    (void)snprintf(found->text + len, sizeof found->text - len, "%s@%s*%u ", row->name,
                   row->address, row->count);
    return true;
}

static void add_sign_in(struct storage *storage, int64_t account, const char *address,
                        const char *key, int64_t at_ms)
{
    struct storage_connection from = {.account = account};
    (void)snprintf(from.address, sizeof from.address, "%s", address);
    (void)snprintf(from.key_fingerprint, sizeof from.key_fingerprint, "%s", key);
    assert_ok(storage_sign_in_add(storage, &from, at_ms));
}

static void sign_ins_are_counted_by_address_and_key(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct found found = {.text = ""};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    add_sign_in(storage, mira, "192.0.2.2", "", AT_MS);
    add_sign_in(storage, mira, "192.0.2.3", "", AT_MS + 1);
    add_sign_in(storage, mira, "192.0.2.2", "", AT_MS + 2);
    assert_ok(storage_sign_ins_by_account(storage, mira, collect_sign_in, &found));
    assert_string_equal(found.text, "mira@192.0.2.2*2 mira@192.0.2.3*1 ");
}

static void accounts_that_share_an_address_or_a_key_are_listed(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct found found = {.text = ""};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_add_account(storage, "ada", STORAGE_PLAYER);
    const int64_t eve = fixture_add_account(storage, "eve", STORAGE_PLAYER);

    add_sign_in(storage, mira, "192.0.2.1", "SHA256:m", AT_MS);
    add_sign_in(storage, bob, "192.0.2.1", "", AT_MS + 1);
    add_sign_in(storage, ada, "192.0.2.9", "SHA256:m", AT_MS + 2);
    add_sign_in(storage, eve, "192.0.2.8", "",
                AT_MS + 3); /* two sign-ins without a key share no key */
    assert_ok(storage_sign_ins_sharing_source(storage, mira, collect_sign_in, &found));
    assert_string_equal(found.text, "ada@192.0.2.9*1 bob@192.0.2.1*1 ");
}

static void accounts_are_found_by_address_or_key_newest_first(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct found found = {.text = ""};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    add_sign_in(storage, mira, "192.0.2.1", "SHA256:m", AT_MS + 1);
    add_sign_in(storage, bob, "192.0.2.2", "SHA256:m", AT_MS + 3);
    add_sign_in(storage, bob, "192.0.2.1", "", AT_MS + 2);
    add_sign_in(storage, bob, "192.0.2.9", "", AT_MS + 4);
    assert_ok(storage_sign_ins_by_source(storage, "192.0.2.1", "", collect_sign_in, &found));
    assert_string_equal(found.text, "bob@192.0.2.1*1 mira@192.0.2.1*1 ");
    found.text[0] = '\0';
    assert_ok(
        storage_sign_ins_by_source(storage, "192.0.2.8", "SHA256:m", collect_sign_in, &found));
    assert_string_equal(found.text, "bob@192.0.2.2*1 mira@192.0.2.1*1 ");
    found.text[0] = '\0';
    assert_ok(
        storage_sign_ins_by_source(storage, "192.0.2.9", "SHA256:m", collect_sign_in, &found));
    assert_string_equal(found.text, "bob@192.0.2.9*1 bob@192.0.2.2*1 mira@192.0.2.1*1 ");
}

TEST_GROUP(sign_ins)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(sign_ins_are_counted_by_address_and_key),
        FIXTURE_TEST(accounts_that_share_an_address_or_a_key_are_listed),
        FIXTURE_TEST(accounts_are_found_by_address_or_key_newest_first),
    };

    return cmocka_run_group_tests_name("sign_ins", tests, NULL, NULL);
}
