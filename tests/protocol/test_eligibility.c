#include "lobby/protocol/protocol.h"
#include "tests/unit.h"

static void a_written_eligibility_rule_reads_back_the_same(void **state)
{
    (void)state;
    static const char *const lines[] = {"all",          "rating 1400-1700",
                                        "rating 1400-", "rating -900",
                                        "finished 80%", "rating 1-9999 finished 100%"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct eligibility rule = {7, 7, 7}, again = {0};
        char written[ELIGIBILITY_SIZE];
        struct text text = text_init(written, sizeof written);
        assert_true(eligibility_parse(lines[i], &rule));
        eligibility_write(&rule, &text);
        assert_string_equal(written, lines[i]);
        json_t *json = eligibility_to_json(&rule);
        assert_true(eligibility_from_json(json, &again));
        json_decref(json);
        assert_memory_equal(&again.rating_min, &rule.rating_min, sizeof rule.rating_min);
        assert_int_equal(again.rating_max, rule.rating_max);
        assert_int_equal(again.finished_min, rule.finished_min);
    }
}

static void an_invalid_condition_leaves_the_eligibility_rule_unchanged(void **state)
{
    (void)state;
    static const char *const lines[] = {"",
                                        "nobody",
                                        "rating",
                                        "rating -",
                                        "rating 9",
                                        "rating 1700-1400",
                                        "rating 1-99999",
                                        "finished",
                                        "finished 0%",
                                        "finished 101%",
                                        "rating 1-2x",
                                        "all rating 1-2"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct eligibility rule = {1, 2, 3};
        assert_false(eligibility_parse(lines[i], &rule));
        assert_int_equal(rule.rating_min, 1);
        assert_int_equal(rule.rating_max, 2);
        assert_int_equal(rule.finished_min, 3);
    }
    static const char *const jsons[] = {"[]", "{\"rating_min\":-1}", "{\"finished_min\":101}",
                                        "{\"rating_max\":\"x\"}",
                                        "{\"rating_min\":2,\"rating_max\":1}"};
    for (size_t i = 0; i < sizeof jsons / sizeof jsons[0]; i++) {
        struct eligibility rule = {1, 2, 3};
        json_t *json = json_loads(jsons[i], 0, NULL);
        assert_false(eligibility_from_json(json, &rule));
        json_decref(json);
        assert_int_equal(rule.finished_min, 3);
    }
}

TEST_GROUP(eligibility)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_eligibility_rule_reads_back_the_same),
        cmocka_unit_test(an_invalid_condition_leaves_the_eligibility_rule_unchanged),
    };
    return cmocka_run_group_tests_name("eligibility", tests, NULL, NULL);
}
