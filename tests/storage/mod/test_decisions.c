#include "storage/mod/mod.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>

static void add_staff_decision(struct fixture *fixture, const char *name, uint8_t by_role,
                               const char *by_name)
{
    struct storage_decision decision = {
        .kind = STORAGE_DECISION_SLOW, .by_role = by_role, .at_ms = 9};
    (void)snprintf(decision.name, sizeof decision.name, "%s", name);
    (void)snprintf(decision.by_name, sizeof decision.by_name, "%s", by_name);
    assert_ok(storage_decision_set(fixture->storage, &decision));
}

static void a_new_staff_decision_replaces_the_earlier_one_of_the_same_kind_and_name(void **state)
{
    struct fixture *fixture = *state;
    struct storage_decision found;
    add_staff_decision(fixture, "#tea", 2, "max");
    add_staff_decision(fixture, "#tea", 3, "ada");
    add_staff_decision(fixture, "lobby", 2, "max");
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_decision_read(fixture->storage, STORAGE_DECISION_SLOW, "#tea", &found));
    assert_int_equal(found.by_role, 3);
    assert_string_equal(found.by_name, "ada");
    assert_string_equal(found.name, "#tea");
    assert_int_equal(found.at_ms, 9);
    assert_result(storage_decision_read(fixture->storage, STORAGE_DECISION_HOLD, "#tea", &found),
                  STORAGE_NOT_FOUND);
}

static void a_staff_decision_can_be_deleted(void **state)
{
    struct fixture *fixture = *state;
    struct storage_decision found;
    add_staff_decision(fixture, "#tea", 2, "max");
    add_staff_decision(fixture, "lobby", 2, "max");
    assert_ok(storage_decision_delete(fixture->storage, STORAGE_DECISION_SLOW, "#tea"));
    assert_ok(storage_decision_delete(fixture->storage, STORAGE_DECISION_SLOW, "#tea"));
    assert_result(storage_decision_read(fixture->storage, STORAGE_DECISION_SLOW, "#tea", &found),
                  STORAGE_NOT_FOUND);
    assert_ok(storage_decision_read(fixture->storage, STORAGE_DECISION_SLOW, "lobby", &found));
}

TEST_GROUP(decisions)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_new_staff_decision_replaces_the_earlier_one_of_the_same_kind_and_name),
        FIXTURE_TEST(a_staff_decision_can_be_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
