#include "storage/mod/mod.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static int64_t add_sanction(struct fixture *fixture, enum storage_sanction_kind kind,
                            const char *name, int64_t until_ms)
{
    struct storage_sanction sanction = {
        .kind = kind,
        .by_role = 2,
        .by_name = "max",
        .reason = "spam",
        .audit = 7,
        .since_ms = 1,
        .until_ms = until_ms,
    };
    int64_t id = 0;
    (void)snprintf(sanction.name, sizeof sanction.name, "%s", name);
    assert_ok(storage_sanction_add(fixture->storage, &sanction, &id));
    return id;
}

static bool collect_sanction(void *context, const struct storage_sanction *sanction)
{
    char *words = context;
    size_t len = strlen(words);
    (void)snprintf(words + len, 64 - len, "%s ", sanction->name);
    return true;
}

static void a_sanction_can_be_ended_only_once(void **state)
{
    struct fixture *fixture = *state;
    struct storage_sanction found;
    const int64_t id = add_sanction(fixture, STORAGE_SANCTION_MUTE, "bob", 100);

    assert_ok(storage_sanction_end(fixture->storage, id, 50, "max"));
    assert_result(storage_sanction_end(fixture->storage, id, 60, "ada"), STORAGE_NOT_FOUND);
    assert_ok(storage_sanction_read(fixture->storage, id, &found));
    assert_int_equal(found.ended_ms, 50);
    assert_string_equal(found.ended_by, "max");
}

static void an_ended_sanction_cannot_be_changed(void **state)
{
    struct fixture *fixture = *state;
    struct storage_sanction found;
    const int64_t id = add_sanction(fixture, STORAGE_SANCTION_BAN, "bob", 100);

    assert_ok(storage_sanction_end(fixture->storage, id, 50, "max"));
    assert_ok(storage_sanction_read(fixture->storage, id, &found));
    found.until_ms = 900;
    (void)snprintf(found.appeal, sizeof found.appeal, "please");
    assert_result(storage_sanction_edit(fixture->storage, &found), STORAGE_NOT_FOUND);
    assert_ok(storage_sanction_read(fixture->storage, id, &found));
    assert_int_equal(found.until_ms, 100);
    assert_string_equal(found.appeal, "");
}

static void editing_a_sanction_records_who_edited_it(void **state)
{
    struct fixture *fixture = *state;
    struct storage_sanction found;
    const int64_t id = add_sanction(fixture, STORAGE_SANCTION_BAN, "bob", 100);

    assert_ok(storage_sanction_read(fixture->storage, id, &found));
    found.until_ms = 900;
    found.by_role = 3;
    found.audit = 8;
    (void)snprintf(found.by_name, sizeof found.by_name, "ada");
    (void)snprintf(found.reason, sizeof found.reason, "a lot of spam");
    (void)snprintf(found.appeal, sizeof found.appeal, "please");
    found.appeal_ms = 60;
    assert_ok(storage_sanction_edit(fixture->storage, &found));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_sanction_read(fixture->storage, id, &found));
    assert_int_equal(found.until_ms, 900);
    assert_int_equal(found.by_role, 3);
    assert_int_equal(found.audit, 8);
    assert_string_equal(found.by_name, "ada");
    assert_string_equal(found.reason, "a lot of spam");
    assert_string_equal(found.appeal, "please");
    assert_int_equal(found.appeal_ms, 60);
    assert_string_equal(found.name, "bob");
}

static void sanctions_in_force_are_listed_in_their_order(void **state)
{
    struct fixture *fixture = *state;
    char words[64] = "";
    const int64_t ended = add_sanction(fixture, STORAGE_SANCTION_MUTE, "zoe", 10);

    (void)add_sanction(fixture, STORAGE_SANCTION_MUTE, "eve", 30);
    (void)add_sanction(fixture, STORAGE_SANCTION_BAN, "bob", 20);
    (void)add_sanction(fixture, STORAGE_SANCTION_BAN, "ada", STORAGE_SANCTION_FOR_GOOD);
    assert_ok(storage_sanction_end(fixture->storage, ended, 5, "max"));
    assert_ok(storage_sanctions_list_in_force(fixture->storage, collect_sanction, words));
    assert_string_equal(words, "eve bob ada ");
}

static bool collect_kind(void *context, const struct storage_sanction *sanction)
{
    return fixture_add_word(context, "%d", sanction->kind);
}

static void every_kind_of_sanction_reads_back_as_stored(void **state)
{
    struct fixture *fixture = *state;
    struct fixture_words words = {.count = 0};
    struct storage_sanction found;

    for (unsigned kind = 0; kind <= STORAGE_SANCTION_LAST; kind++) {
        const int64_t id = add_sanction(fixture, (enum storage_sanction_kind)kind, "bob", 100);
        assert_ok(storage_sanction_read(fixture->storage, id, &found));
        assert_int_equal(found.kind, kind);
    }
    assert_ok(storage_sanctions_list_in_force(fixture->storage, collect_kind, &words));
    assert_words(&words, "0 1 2 3 4 5 ");
}

static bool collect_reason(void *context, const struct storage_sanction *sanction)
{
    return fixture_add_word(context, "%s", sanction->reason);
}

static int64_t add_ban_against(struct fixture *fixture, int64_t account, const char *name,
                               const char *reason)
{
    struct storage_sanction sanction = {
        .kind = STORAGE_SANCTION_BAN, .account = account, .by_name = "max", .until_ms = 100};
    int64_t id = 0;
    (void)snprintf(sanction.name, sizeof sanction.name, "%s", name);
    (void)snprintf(sanction.reason, sizeof sanction.reason, "%s", reason);
    assert_ok(storage_sanction_add(fixture->storage, &sanction, &id));
    return id;
}

static void all_sanctions_of_an_account_are_listed_newest_first(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t ended = add_ban_against(fixture, bob, "bob", "ended");

    (void)add_ban_against(fixture, bob, "bob", "first");
    /* the name that bob had at the time of the sanction */
    (void)add_ban_against(fixture, bob, "robert", "second");
    (void)add_ban_against(fixture, 0, "bob", "guest");
    assert_ok(storage_sanction_end(storage, ended, 50, "max"));
    assert_ok(storage_sanctions_list_of_account(storage, bob, collect_reason, &words));
    assert_words(&words, "second first ended ");
    words.stop_after = 2;
    assert_ok(storage_sanctions_list_of_account(storage, bob, collect_reason, &words));
    assert_words(&words, "second first ");
}

TEST_GROUP(sanctions)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_sanction_can_be_ended_only_once),
        FIXTURE_TEST(an_ended_sanction_cannot_be_changed),
        FIXTURE_TEST(editing_a_sanction_records_who_edited_it),
        FIXTURE_TEST(sanctions_in_force_are_listed_in_their_order),
        FIXTURE_TEST(every_kind_of_sanction_reads_back_as_stored),
        FIXTURE_TEST(all_sanctions_of_an_account_are_listed_newest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
