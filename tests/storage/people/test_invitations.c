#include "storage/people/people.h"

#include "storage/accounts/accounts.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>

static void add_invitation(struct storage *storage, const char *name, int64_t account,
                           int64_t table, int64_t until_ms)
{
    struct storage_invitation invitation = {
        .account = account, .table = table, .until_ms = until_ms};

    (void)snprintf(invitation.name, sizeof invitation.name, "%s", name);
    assert_ok(storage_invitation_set(storage, &invitation));
}

/* Returns the table that a person is invited to; 0: none. */
static int64_t find_table_of_invitation(struct storage *storage, const char *name)
{
    struct storage_invitation found = {.table = 0};
    const enum storage_result result = storage_invitation_read(storage, name, &found);

    assert_true(result == STORAGE_OK || (result == STORAGE_NOT_FOUND && found.table == 0));
    return found.table;
}

static void an_invitation_replaces_the_earlier_one(void **state)
{
    struct fixture *fixture = *state;
    struct storage_invitation found;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    const int64_t first = fixture_add_table(fixture->storage);
    const int64_t second = fixture_add_table(fixture->storage);

    add_invitation(fixture->storage, "mira", mira, first, 100);
    add_invitation(fixture->storage, "guest-3", 0, first, 200);
    add_invitation(fixture->storage, "mira", mira, second, 300);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_invitation_read(fixture->storage, "mira", &found));
    assert_string_equal(found.name, "mira");
    assert_int_equal(found.account, mira);
    assert_int_equal(found.table, second);
    assert_int_equal(found.until_ms, 300);
    assert_ok(storage_invitation_read(fixture->storage, "guest-3", &found));
    assert_int_equal(found.account, 0);
    assert_int_equal(found.table, first);
}

static void an_invitation_to_an_unknown_table_is_refused(void **state)
{
    struct fixture *fixture = *state;
    const struct storage_invitation invitation = {.name = "mira", .table = 5};

    assert_result(storage_invitation_set(fixture->storage, &invitation), STORAGE_REFUSED);
}

static void deleting_a_persons_invitation_twice_succeeds(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_add_table(storage);

    add_invitation(storage, "guest-3", 0, table, 100);
    add_invitation(storage, "guest-4", 0, table, 100);
    assert_ok(storage_invitation_delete(storage, "guest-3"));
    assert_ok(storage_invitation_delete(storage, "guest-3"));
    assert_int_equal(find_table_of_invitation(storage, "guest-3"), 0);
    assert_int_equal(find_table_of_invitation(storage, "guest-4"), table);
}

static void deleting_a_tables_invitations_leaves_those_to_other_tables(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_add_table(storage);
    const int64_t other = fixture_add_table(storage);

    add_invitation(storage, "guest-3", 0, table, 100);
    add_invitation(storage, "guest-4", 0, other, 100);
    add_invitation(storage, "guest-5", 0, table, 100);
    assert_ok(storage_invitations_delete_for_table(storage, table));
    assert_ok(storage_invitations_delete_for_table(storage, table));
    assert_int_equal(find_table_of_invitation(storage, "guest-3"), 0);
    assert_int_equal(find_table_of_invitation(storage, "guest-4"), other);
    assert_int_equal(find_table_of_invitation(storage, "guest-5"), 0);
}

static void an_invitation_that_ends_at_this_moment_has_expired(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_add_table(storage);

    add_invitation(storage, "guest-3", 0, table, 99);
    add_invitation(storage, "guest-4", 0, table, 100);
    add_invitation(storage, "guest-5", 0, table, 101);
    assert_ok(storage_invitations_delete_expired(storage, 100));
    assert_int_equal(find_table_of_invitation(storage, "guest-3"), 0);
    assert_int_equal(find_table_of_invitation(storage, "guest-4"), 0);
    assert_int_equal(find_table_of_invitation(storage, "guest-5"), table);
}

static void an_invitation_follows_a_rename_and_is_deleted_with_the_account(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t table = fixture_add_table(storage);

    add_invitation(storage, "mira", mira, table, 100);
    add_invitation(storage, "bob", bob, table, 100);
    assert_ok(storage_account_rename(storage, mira, "maria", "maria"));
    assert_int_equal(find_table_of_invitation(storage, "mira"), 0);
    assert_int_equal(find_table_of_invitation(storage, "maria"), table);
    assert_ok(storage_account_erase(storage, mira, "gone-1"));
    assert_int_equal(find_table_of_invitation(storage, "maria"), 0);
    assert_int_equal(find_table_of_invitation(storage, "gone-1"), 0);
    assert_int_equal(find_table_of_invitation(storage, "bob"), table);
}

TEST_GROUP(invitations)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(an_invitation_replaces_the_earlier_one),
        FIXTURE_TEST(an_invitation_to_an_unknown_table_is_refused),
        FIXTURE_TEST(deleting_a_persons_invitation_twice_succeeds),
        FIXTURE_TEST(deleting_a_tables_invitations_leaves_those_to_other_tables),
        FIXTURE_TEST(an_invitation_that_ends_at_this_moment_has_expired),
        FIXTURE_TEST(an_invitation_follows_a_rename_and_is_deleted_with_the_account),
    };
    return cmocka_run_group_tests_name("invitations", tests, NULL, NULL);
}
