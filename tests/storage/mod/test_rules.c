#include "storage/mod/mod.h"

#include "storage/ratings/ratings.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static bool collect_rule(void *context, const char *name, int64_t value)
{
    char *heard = context;
    size_t len = strlen(heard);
    (void)snprintf(heard + len, 128 - len, "%s=%d ", name, (int)value);
    return strcmp(name, "c") != 0;
}

static void a_house_rule_can_be_set_changed_and_deleted(void **state)
{
    struct fixture *fixture = *state;
    int64_t value = 9;

    assert_ok(storage_rule_read(fixture->storage, STORAGE_RULE_SLOW, "#tea", &value));
    assert_int_equal(value, 0);
    assert_ok(storage_rule_set(fixture->storage, STORAGE_RULE_SLOW, "#tea", 30));
    assert_ok(storage_rule_set(fixture->storage, STORAGE_RULE_SLOW, "#tea", 60));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_rule_read(fixture->storage, STORAGE_RULE_SLOW, "#tea", &value));
    assert_int_equal(value, 60);
    assert_ok(storage_rule_read(fixture->storage, STORAGE_RULE_FROZEN, "#tea", &value));
    assert_int_equal(value, 0);
    assert_ok(storage_rule_set(fixture->storage, STORAGE_RULE_SLOW, "#tea", 0));
    assert_ok(storage_rule_set(fixture->storage, STORAGE_RULE_SLOW, "#tea", 0));
    assert_ok(storage_rule_read(fixture->storage, STORAGE_RULE_SLOW, "#tea", &value));
    assert_int_equal(value, 0);
}

static void house_rules_of_a_kind_are_listed_by_name_until_the_caller_stops(void **state)
{
    struct fixture *fixture = *state;
    static const char *const names[] = {"d", "b", "c", "a"};
    char heard[128] = "";

    for (int i = 0; i < 4; i++) {
        assert_ok(storage_rule_set(fixture->storage, STORAGE_RULE_OFF, names[i], i + 1));
    }
    assert_ok(storage_rule_set(fixture->storage, STORAGE_RULE_ALLOWED, "a", 7));
    assert_ok(storage_rules_each(fixture->storage, STORAGE_RULE_OFF, collect_rule, heard));
    assert_string_equal(heard, "a=4 b=2 c=3 ");
}

static void rating_refunds_are_summed_by_season_and_time_and_deleted_by_game(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t game = fixture_add_game(storage, fixture_add_table(storage));
    struct storage_refund refund = {
        .account = mira, .game = "oh-hell", .game_id = game, .at_ms = 10, .mu = 0.5};
    struct storage_rating rating = {.account = mira, .game = "oh-hell", .rated_ms = 9};
    struct storage_refund_sum sum;

    assert_ok(storage_refund_add(storage, &refund));
    refund.at_ms = 20;
    assert_ok(storage_refund_add(storage, &refund));
    refund.season = 20264;
    assert_ok(storage_refund_add(storage, &refund));
    assert_ok(storage_refunds_sum(storage, &rating, 20, &sum));
    assert_true(sum.mu == 1.0);
    rating.rated_ms = 10;
    assert_ok(storage_refunds_sum(storage, &rating, 20, &sum));
    assert_true(sum.mu == 0.5);
    assert_ok(storage_refunds_delete(storage, game));
    assert_ok(storage_refunds_sum(storage, &rating, INT64_MAX, &sum));
    assert_true(sum.mu == 0.0);
}

static void deleting_a_house_rule_leaves_rules_of_other_names_and_kinds(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    int64_t value = 0;

    assert_ok(storage_rule_set(storage, STORAGE_RULE_SLOW, "lobby", 10));
    assert_ok(storage_rule_set(storage, STORAGE_RULE_SLOW, "#tea", 20));
    assert_ok(storage_rule_set(storage, STORAGE_RULE_FROZEN, "lobby", 30));
    assert_ok(storage_rule_set(storage, STORAGE_RULE_SLOW, "lobby", 0));
    assert_ok(storage_rule_read(storage, STORAGE_RULE_SLOW, "lobby", &value));
    assert_int_equal(value, 0);
    assert_ok(storage_rule_read(storage, STORAGE_RULE_SLOW, "#tea", &value));
    assert_int_equal(value, 20);
    assert_ok(storage_rule_read(storage, STORAGE_RULE_FROZEN, "lobby", &value));
    assert_int_equal(value, 30);
}

TEST_GROUP(rules)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_house_rule_can_be_set_changed_and_deleted),
        FIXTURE_TEST(house_rules_of_a_kind_are_listed_by_name_until_the_caller_stops),
        FIXTURE_TEST(rating_refunds_are_summed_by_season_and_time_and_deleted_by_game),
        FIXTURE_TEST(deleting_a_house_rule_leaves_rules_of_other_names_and_kinds),
    };
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
