#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static const struct storage_account mira = {
    .name = "mira",
    .skeleton = "mlra",
    .kind = STORAGE_PLAYER,
    .role = STORAGE_ROLE_ADMIN,
    .password_hash = "$argon2id$v=19$m=65536",
    .settings = "{\"theme\": \"mono\"}",
    .created_ms = INT64_C(1790000000123),
    .seen_ms = INT64_C(1790000000456),
};

static void assert_is_miras_account(const struct storage_account *account, int64_t id)
{
    assert_int_equal(account->id, id);
    assert_string_equal(account->name, mira.name);
    assert_string_equal(account->skeleton, mira.skeleton);
    assert_int_equal(account->kind, mira.kind);
    assert_int_equal(account->role, mira.role);
    assert_string_equal(account->password_hash, mira.password_hash);
    assert_string_equal(account->settings, mira.settings);
    assert_true(account->created_ms == mira.created_ms);
    assert_true(account->seen_ms == mira.seen_ms);
}

static void an_account_is_found_by_id_name_skeleton_and_key(void **state)
{
    struct fixture *fixture = *state;
    struct storage_account found;
    const struct storage_key key = {
        .fingerprint = "SHA256:abc", .type = "ssh-ed25519", .added_ms = 7};
    int64_t id = 0;

    assert_ok(storage_account_add(fixture->storage, &mira, &id));
    assert_true(id > 0);
    assert_ok(storage_key_add(fixture->storage, id, &key));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_account_by_id(fixture->storage, id, &found));
    assert_is_miras_account(&found, id);
    assert_ok(storage_account_by_name(fixture->storage, "mira", &found));
    assert_is_miras_account(&found, id);
    assert_ok(storage_account_by_skeleton(fixture->storage, "mlra", &found));
    assert_is_miras_account(&found, id);
    assert_ok(storage_account_by_key(fixture->storage, "SHA256:abc", &found));
    assert_is_miras_account(&found, id);
}

static void an_unknown_account_is_not_found(void **state)
{
    struct fixture *fixture = *state;
    struct storage_account found = {.id = 42};
    char endless[300];

    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_result(storage_account_by_id(fixture->storage, 1, &found), STORAGE_NOT_FOUND);
    assert_result(storage_account_by_name(fixture->storage, "mira", &found), STORAGE_NOT_FOUND);
    assert_result(storage_account_by_name(fixture->storage, endless, &found), STORAGE_NOT_FOUND);
    assert_result(storage_account_by_skeleton(fixture->storage, "", &found), STORAGE_NOT_FOUND);
    assert_result(storage_account_by_key(fixture->storage, "SHA256:x", &found), STORAGE_NOT_FOUND);
    assert_int_equal(found.id, 42);
    assert_false(storage_is_dirty(fixture->storage));
}

static void a_taken_or_confusable_name_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct storage_account other = mira;
    int64_t id = 0;
    int64_t other_id = 0;

    assert_ok(storage_account_add(fixture->storage, &mira, &id));
    (void)snprintf(other.skeleton, sizeof other.skeleton, "next clue");
    assert_result(storage_account_add(fixture->storage, &other, &other_id), STORAGE_TAKEN);
    other = mira;
    (void)snprintf(other.name, sizeof other.name, "m1ra");
    assert_result(storage_account_add(fixture->storage, &other, &other_id), STORAGE_TAKEN);
    assert_int_equal(other_id, 0);
    fixture_commit(fixture);
    assert_ok(storage_account_by_id(fixture->storage, id, &other));
    assert_is_miras_account(&other, id);
}

static void each_value_of_an_account_can_be_changed(void **state)
{
    struct fixture *fixture = *state;
    struct storage_account found;
    const int64_t id = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);

    assert_ok(storage_account_set_password(fixture->storage, id, "hash"));
    assert_ok(storage_account_set_settings(fixture->storage, id, "{\"bell\": false}"));
    assert_ok(storage_account_set_role(fixture->storage, id, STORAGE_ROLE_MOD));
    assert_ok(storage_account_set_last_seen(fixture->storage, id, 99));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_account_by_id(fixture->storage, id, &found));
    assert_string_equal(found.password_hash, "hash");
    assert_string_equal(found.settings, "{\"bell\": false}");
    assert_int_equal(found.role, STORAGE_ROLE_MOD);
    assert_int_equal(found.seen_ms, 99);
    assert_int_equal(found.created_ms, 1);
    assert_result(storage_account_set_last_seen(fixture->storage, id + 1, 99), STORAGE_NOT_FOUND);
    assert_result(storage_account_set_password(fixture->storage, id + 1, ""), STORAGE_NOT_FOUND);
    assert_result(storage_account_set_settings(fixture->storage, id + 1, ""), STORAGE_NOT_FOUND);
    assert_result(storage_account_set_role(fixture->storage, id + 1, STORAGE_ROLE_MOD),
                  STORAGE_NOT_FOUND);
}

static void a_text_that_is_too_long_is_refused_not_truncated(void **state)
{
    struct fixture *fixture = *state;
    struct storage_account found;
    char endless[STORAGE_SETTINGS_SIZE + 1];
    const int64_t id = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);

    memset(endless, ' ', sizeof endless);
    endless[STORAGE_SETTINGS_SIZE] = '\0';
    assert_result(storage_account_set_settings(fixture->storage, id, endless), STORAGE_REFUSED);
    assert_ok(storage_account_by_id(fixture->storage, id, &found));
    assert_string_equal(found.settings, "{}");
    endless[STORAGE_SETTINGS_SIZE - 1] = '\0';
    assert_ok(storage_account_set_settings(fixture->storage, id, endless));
    assert_ok(storage_account_by_id(fixture->storage, id, &found));
    assert_string_equal(found.settings, endless);
}

static void an_account_may_have_several_keys_but_a_key_only_one_account(void **state)
{
    struct fixture *fixture = *state;
    struct storage_key keys[3];
    size_t count = 0;
    const struct storage_key first = {
        .fingerprint = "SHA256:zzz", .type = "ssh-ed25519", .added_ms = 1};
    const struct storage_key second = {
        .fingerprint = "SHA256:aaa", .type = "ecdsa-sha2-nistp256", .added_ms = 2};
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_add_account(fixture->storage, "ada", STORAGE_PLAYER);

    assert_ok(storage_key_add(fixture->storage, bob, &second));
    assert_ok(storage_key_add(fixture->storage, bob, &first));
    assert_result(storage_key_add(fixture->storage, ada, &first), STORAGE_TAKEN);
    assert_result(storage_key_add(fixture->storage, bob, &first), STORAGE_TAKEN);
    assert_ok(storage_key_list(fixture->storage, bob, keys, 3, &count));
    assert_int_equal(count, 2);
    assert_string_equal(keys[0].fingerprint, "SHA256:zzz");
    assert_string_equal(keys[1].type, "ecdsa-sha2-nistp256");
    assert_int_equal(keys[1].added_ms, 2);
    assert_ok(storage_key_list(fixture->storage, bob, keys, 1, &count));
    assert_int_equal(count, 1);
    assert_ok(storage_key_list(fixture->storage, ada, keys, 3, &count));
    assert_int_equal(count, 0);
}

static void a_removed_key_finds_no_account(void **state)
{
    struct fixture *fixture = *state;
    struct storage_account found;
    const struct storage_key key = {
        .fingerprint = "SHA256:abc", .type = "ssh-ed25519", .added_ms = 1};
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);

    assert_ok(storage_key_add(fixture->storage, bob, &key));
    assert_result(storage_key_remove(fixture->storage, bob + 1, "SHA256:abc"), STORAGE_NOT_FOUND);
    assert_ok(storage_key_remove(fixture->storage, bob, "SHA256:abc"));
    assert_result(storage_key_remove(fixture->storage, bob, "SHA256:abc"), STORAGE_NOT_FOUND);
    assert_result(storage_account_by_key(fixture->storage, "SHA256:abc", &found),
                  STORAGE_NOT_FOUND);
}

static void a_key_for_an_unknown_account_is_refused(void **state)
{
    struct fixture *fixture = *state;
    const struct storage_key key = {
        .fingerprint = "SHA256:abc", .type = "ssh-ed25519", .added_ms = 1};

    assert_result(storage_key_add(fixture->storage, 17, &key), STORAGE_REFUSED);
    assert_string_not_equal(storage_last_failure(fixture->storage), "");
    fixture_commit(fixture);
}

static void every_account_kind_and_role_reads_back_as_stored(void **state)
{
    struct fixture *fixture = *state;
    struct storage_account found;
    int64_t id = 0;

    assert_ok(storage_account_add(fixture->storage, &mira, &id));
    for (unsigned kind = 0; kind <= STORAGE_KIND_LAST; kind++) {
        for (unsigned role = 0; role <= STORAGE_ROLE_LAST; role++) {
            assert_ok(storage_account_set_kind(fixture->storage, id, (enum storage_kind)kind));
            assert_ok(storage_account_set_role(fixture->storage, id, (enum storage_role)role));
            assert_ok(storage_account_by_id(fixture->storage, id, &found));
            assert_int_equal(found.kind, kind);
            assert_int_equal(found.role, role);
        }
    }
}

static bool collect_pending_account(void *context, const struct storage_account *account)
{
    return fixture_add_word(context, "%s", account->name);
}

static void pending_accounts_are_listed_oldest_first_and_marked_as_pending(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    struct storage_account found;
    const int64_t zoe = fixture_add_account(storage, "zoe", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_add_account(storage, "ada", STORAGE_PLAYER);

    assert_ok(storage_account_set_pending(storage, ada, true));
    assert_ok(storage_account_set_pending(storage, zoe, true));
    assert_ok(storage_accounts_each_pending(storage, collect_pending_account, &words));
    assert_words(&words, "zoe ada ");
    assert_ok(storage_account_by_id(storage, ada, &found));
    assert_true(found.is_held);
    assert_ok(storage_account_by_id(storage, bob, &found));
    assert_false(found.is_held);
    words.stop_after = 1;
    assert_ok(storage_accounts_each_pending(storage, collect_pending_account, &words));
    assert_words(&words, "zoe ");
    assert_ok(storage_account_set_pending(storage, zoe, false));
    assert_ok(storage_accounts_each_pending(storage, collect_pending_account, &words));
    assert_words(&words, "ada ");
}

TEST_GROUP(accounts)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(an_account_is_found_by_id_name_skeleton_and_key),
        FIXTURE_TEST(an_unknown_account_is_not_found),
        FIXTURE_TEST(a_taken_or_confusable_name_is_refused),
        FIXTURE_TEST(each_value_of_an_account_can_be_changed),
        FIXTURE_TEST(a_text_that_is_too_long_is_refused_not_truncated),
        FIXTURE_TEST(an_account_may_have_several_keys_but_a_key_only_one_account),
        FIXTURE_TEST(a_removed_key_finds_no_account),
        FIXTURE_TEST(a_key_for_an_unknown_account_is_refused),
        FIXTURE_TEST(every_account_kind_and_role_reads_back_as_stored),
        FIXTURE_TEST(pending_accounts_are_listed_oldest_first_and_marked_as_pending),
    };

    return cmocka_run_group_tests_name("accounts", tests, NULL, NULL);
}
