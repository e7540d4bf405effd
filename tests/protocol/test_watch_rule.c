#include "lobby/protocol/protocol.h"
#include "tests/unit.h"

static void assert_same(const struct watch_rule *rule, const struct watch_rule *wanted)
{
    assert_int_equal(rule->policy, wanted->policy);
    assert_int_equal(rule->moves, wanted->moves);
    assert_int_equal(rule->talk, wanted->talk);
}

static void watch_rules_are_read_as_people_write_them(void **state)
{
    struct watch_rule rule = {.talk = WATCH_TALK_APART};
    (void)state;
    assert_true(watch_rule_parse("delay 10", &rule));
    assert_int_equal(rule.policy, WATCH_DELAY);
    assert_int_equal(rule.moves, 10);
    assert_int_equal(rule.talk, WATCH_TALK_APART);
    assert_true(watch_rule_parse("delay", &rule));
    assert_int_equal(rule.moves, 0);
    assert_true(watch_rule_parse("friends", &rule));
    assert_true(watch_rule_parse("none", &rule));
    assert_true(watch_rule_parse("public", &rule));
    assert_true(watch_rule_parse_spectator_talk("off", &rule));
    assert_int_equal(rule.talk, WATCH_TALK_OFF);
}

static void text_that_is_no_watch_rule_is_refused(void **state)
{
    static const char *const bad[] = {
        "",         " ",         "dela",      "delayed",    "delay 0",   "delay 101",
        "delay -1", "delay ten", "delay 1 2", "delay 1000", "public 10", "none 1",
    };
    const struct watch_rule before = {WATCH_DELAY, 7, WATCH_TALK_APART};
    struct watch_rule rule = before;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_false(watch_rule_parse(bad[i], &rule));
    }
    assert_false(watch_rule_parse_spectator_talk("", &rule));
    assert_false(watch_rule_parse_spectator_talk("loud", &rule));
    assert_same(&rule, &before);
}

static void every_watch_rule_reads_back_from_its_json(void **state)
{
    (void)state;
    for (int policy = 0; policy <= WATCH_POLICY_LAST; policy++) {
        for (int talk = 0; talk <= WATCH_TALK_LAST; talk++) {
            struct watch_rule rule = {(enum watch_policy)policy, 0, (enum watch_talk)talk};
            struct watch_rule read = {WATCH_DELAY, 9, WATCH_TALK_APART};
            rule.moves = policy == WATCH_DELAY ? 20 : 0;
            json_t *object = watch_rule_to_json(&rule);
            assert_true(watch_rule_from_json(object, &read));
            assert_same(&read, &rule);
            json_decref(object);
        }
    }
}

static void absent_keys_leave_a_watch_rule_unchanged(void **state)
{
    struct watch_rule rule = {WATCH_DELAY, 9, WATCH_TALK_APART};
    json_t *object = json_pack("{s:s}", "talk", "off");
    (void)state;
    assert_true(watch_rule_from_json(object, &rule));
    assert_int_equal(rule.policy, WATCH_DELAY);
    assert_int_equal(rule.moves, 9);
    assert_int_equal(rule.talk, WATCH_TALK_OFF);
    json_decref(object);
    object = json_pack("{s:s}", "policy",
                       "delay 5"); /* the form that people type, not the form in messages */
    assert_false(watch_rule_from_json(object, &rule));
    assert_false(watch_rule_from_json(NULL, &rule));
    json_decref(object);
}

TEST_GROUP(watch_rule)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(watch_rules_are_read_as_people_write_them),
        cmocka_unit_test(text_that_is_no_watch_rule_is_refused),
        cmocka_unit_test(every_watch_rule_reads_back_from_its_json),
        cmocka_unit_test(absent_keys_leave_a_watch_rule_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
