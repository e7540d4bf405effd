#include "lobby/protocol/protocol.h"

#include "tests/unit.h"

static const struct clock_rule untouched = {CLOCK_MOVE, 42, 0};

static void assert_text_means_clock(const char *text, enum clock_kind kind, uint32_t time_s,
                                    uint32_t increment_s)
{
    struct clock_rule rule = untouched;
    struct clock_rule wanted = {kind, time_s, increment_s};
    assert_true(clock_rule_parse(text, &rule));
    assert_true(clock_rule_equals(&rule, &wanted));
}

static void assert_clock_text_reads_back_the_same(const char *text)
{
    struct clock_rule rule;
    char buffer[CLOCK_RULE_SIZE];
    struct text out = text_init(buffer, sizeof(buffer));
    assert_true(clock_rule_parse(text, &rule));
    clock_rule_write(&rule, &out);
    assert_false(out.is_cut);
    assert_string_equal(buffer, text);
}

static void clock_rules_are_read_as_people_write_them(void **state)
{
    (void)state;
    assert_text_means_clock("none", CLOCK_NONE, 0, 0);
    assert_text_means_clock("30s", CLOCK_MOVE, 30, 0);
    assert_text_means_clock("5m", CLOCK_MOVE, 300, 0);
    assert_text_means_clock("2h", CLOCK_MOVE, 7200, 0);
    assert_text_means_clock("10m+5s", CLOCK_BANK, 600, 5);
    assert_text_means_clock("1d+0s", CLOCK_BANK, 86400, 0);
    assert_text_means_clock("2d", CLOCK_DAYS, 172800, 0);
    assert_text_means_clock("14d", CLOCK_DAYS, 1209600, 0);
    assert_text_means_clock("24h", CLOCK_DAYS, 86400, 0);
}

static void the_shortest_and_the_longest_clocks_are_accepted(void **state)
{
    (void)state;
    assert_text_means_clock("5s", CLOCK_MOVE, 5, 0);
    assert_text_means_clock("86399s", CLOCK_MOVE, 86399, 0);
    assert_text_means_clock("30s+0s", CLOCK_BANK, 30, 0);
    assert_text_means_clock("24h+10m", CLOCK_BANK, 86400, 600);
    assert_text_means_clock("1d", CLOCK_DAYS, 86400, 0);
    assert_text_means_clock("14d", CLOCK_DAYS, 1209600, 0);
}

static void text_that_is_no_clock_rule_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",       "30",    "s",           "4s",    "15d", "25h",
        "-5s",    "30s ",  "10m+",        "10m+5", "+5s", "10m+11m",
        "29s+5s", "2d+0s", "10m+5s+5s",   "3x",    "0s",  "99999999999999999999s",
        "86401s", "Nones", "4294967326s", "10m 5s"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct clock_rule rule = untouched;
        assert_false(clock_rule_parse(bad[i], &rule));
        assert_true(clock_rule_equals(&rule, &untouched));
    }
}

static void a_clock_is_written_as_it_is_read(void **state)
{
    (void)state;
    static const char *const good[] = {"none", "30s", "60s", "90s",    "2m",      "60m",
                                       "2h",   "1d",  "14d", "10m+5s", "90m+30s", "45s+0s"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_clock_text_reads_back_the_same(good[i]);
    }
}

/* Calls `check` for every rule that a screen offers and for the lowest and highest numbers of each
 * type of clock. */
static void check_rules_of_every_type(void (*check)(const struct clock_rule *rule))
{
    for (unsigned kind = 0; kind <= CLOCK_KIND_LAST; kind++) {
        const struct clock_type *type = clock_type_of((enum clock_kind)kind);
        struct clock_rule least = {(enum clock_kind)kind, type->time_min_s, 0};
        struct clock_rule most = {(enum clock_kind)kind, type->time_max_s, type->increment_max_s};
        assert_true(type->offer_count > 0);
        for (size_t i = 0; i < type->offer_count; i++) {
            check(&type->offers[i]);
        }
        check(&least);
        check(&most);
    }
}

static void assert_survives_text_and_json(const struct clock_rule *rule)
{
    struct clock_rule read = untouched;
    char buffer[CLOCK_RULE_SIZE];
    struct text out = text_init(buffer, sizeof(buffer));
    assert_true(clock_rule_is_valid(rule));
    clock_rule_write(rule, &out);
    assert_false(out.is_cut);
    assert_true(clock_rule_parse(buffer, &read));
    assert_true(clock_rule_equals(rule, &read));

    json_t *json = clock_rule_to_json(rule);
    read = untouched;
    assert_true(clock_rule_from_json(json, &read));
    assert_true(clock_rule_equals(rule, &read));
    json_decref(json);
}

static void clocks_of_every_type_survive_text_and_json(void **state)
{
    (void)state;
    check_rules_of_every_type(assert_survives_text_and_json);
}

static void assert_refused_in_json(struct clock_rule rule)
{
    struct clock_rule read = untouched;
    json_t *json = clock_rule_to_json(&rule);
    assert_false(clock_rule_is_valid(&rule));
    assert_false(clock_rule_from_json(json, &read));
    assert_true(clock_rule_equals(&read, &untouched));
    json_decref(json);
}

static void numbers_beyond_the_range_of_any_type_are_refused(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind <= CLOCK_KIND_LAST; kind++) {
        const struct clock_type *type = clock_type_of((enum clock_kind)kind);
        struct clock_rule least = {(enum clock_kind)kind, type->time_min_s, 0};
        struct clock_rule most = {(enum clock_kind)kind, type->time_max_s, type->increment_max_s};
        if (type->time_key != NULL) {
            least.time_s -= type->unit_s;
            assert_refused_in_json(least);
            most.time_s += type->unit_s;
            assert_refused_in_json(most);
            most.time_s -= type->unit_s;
        }
        if (type->increment_key != NULL) {
            most.increment_s++;
            assert_refused_in_json(most);
        }
    }
}

static void an_invalid_clock_in_a_message_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"{}",
                                      "null",
                                      "[30]",
                                      "{\"kind\":\"move\"}",
                                      "{\"kind\":\"move\",\"move_s\":4}",
                                      "{\"kind\":\"move\",\"move_s\":\"30\"}",
                                      "{\"kind\":\"move\",\"move_s\":4294967326}",
                                      "{\"kind\":\"bank\",\"bank_s\":600}",
                                      "{\"kind\":\"bank\",\"bank_s\":600,\"increment_s\":-1}",
                                      "{\"kind\":\"days\",\"days\":15}",
                                      "{\"kind\":\"sundial\"}"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct clock_rule rule = untouched;
        json_t *json = json_loads(bad[i], JSON_DECODE_ANY, NULL);
        assert_non_null(json);
        assert_false(clock_rule_from_json(json, &rule));
        assert_true(clock_rule_equals(&rule, &untouched));
        json_decref(json);
    }
}

static void the_old_field_clock_s_means_a_move_clock_or_whole_days_per_move(void **state)
{
    (void)state;
    static const struct {
        uint32_t seconds;
        enum clock_kind kind;
    } cases[] = {{0, CLOCK_NONE}, {30, CLOCK_MOVE}, {3600, CLOCK_MOVE}, {86400, CLOCK_DAYS}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct clock_rule rule = clock_rule_from_seconds(cases[i].seconds);
        assert_true(clock_rule_is_valid(&rule));
        assert_int_equal(rule.kind, cases[i].kind);
        assert_int_equal(rule.time_s, cases[i].seconds);
    }
    struct clock_rule too_short = clock_rule_from_seconds(4);
    struct clock_rule uneven = clock_rule_from_seconds(86401);
    assert_false(clock_rule_is_valid(&too_short));
    assert_false(clock_rule_is_valid(&uneven));
}

TEST_GROUP(clock_rule)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_rules_are_read_as_people_write_them),
        cmocka_unit_test(the_shortest_and_the_longest_clocks_are_accepted),
        cmocka_unit_test(text_that_is_no_clock_rule_is_refused_and_changes_nothing),
        cmocka_unit_test(a_clock_is_written_as_it_is_read),
        cmocka_unit_test(clocks_of_every_type_survive_text_and_json),
        cmocka_unit_test(numbers_beyond_the_range_of_any_type_are_refused),
        cmocka_unit_test(an_invalid_clock_in_a_message_is_refused),
        cmocka_unit_test(the_old_field_clock_s_means_a_move_clock_or_whole_days_per_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
