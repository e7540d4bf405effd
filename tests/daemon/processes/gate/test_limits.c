#include "daemon/config/config.h"
#include "daemon/processes/gate/gate.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t add_penalty(struct limits_rate *rate, const struct config *config,
                           const struct limits_source *source, enum limits_offence offence,
                           int64_t now_ms)
{
    bool is_blocked;
    return limits_add_penalty(rate, config, source, offence, now_ms, &is_blocked);
}

static bool is_equal(const struct limits_source *a, const struct limits_source *b)
{
    return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static bool are_same_source(const char *a, const char *b)
{
    struct limits_source x = limits_source_of_address(a), y = limits_source_of_address(b);
    return is_equal(&x, &y);
}

static bool is_loopback(const char *text)
{
    struct config config = config_make_default(); /* exempts loopback, and nothing else */
    struct limits_source source = limits_source_of_address(text);
    return limits_is_exempt(&config, &source);
}

static void a_source_is_an_ipv4_address_or_an_ipv6_network_of_64_bits(void **state)
{
    (void)state;
    assert_true(are_same_source("192.0.2.1", "::ffff:192.0.2.1"));
    assert_false(are_same_source("192.0.2.1", "192.0.2.2"));
    assert_true(are_same_source("2001:db8:1:2::1", "2001:db8:1:2:ffff::9"));
    assert_false(are_same_source("2001:db8:1:2::1", "2001:db8:1:3::1"));
}

static void the_net_of_a_source_is_its_ipv6_network_of_48_bits(void **state)
{
    (void)state;
    struct limits_source first = limits_source_of_address("2001:db8:1:2::1"),
                         second = limits_source_of_address("2001:db8:1:3::1");
    struct limits_source other = limits_source_of_address("2001:db8:2:2::1"),
                         v4 = limits_source_of_address("192.0.2.1");
    struct limits_source none = limits_source_of_address("2001:db8:1:0::1"),
                         loopback = limits_source_of_address("::1");
    struct limits_source nets[3];
    assert_true(limits_source_to_net(&first, &nets[0]));
    assert_true(limits_source_to_net(&second, &nets[1]));
    assert_true(limits_source_to_net(&other, &nets[2]));
    assert_true(is_equal(&nets[0], &nets[1]));
    assert_false(is_equal(&nets[0], &nets[2]));
    assert_false(is_equal(&nets[0], &none));
    assert_false(limits_source_to_net(&v4, &nets[0]));
    assert_false(limits_source_to_net(&loopback, &nets[0]));
}

static void every_form_of_a_loopback_address_is_recognised(void **state)
{
    (void)state;
    assert_true(is_loopback("127.0.0.1"));
    assert_true(is_loopback("127.9.9.9"));
    assert_true(is_loopback("::ffff:127.0.0.1"));
    assert_true(is_loopback("::1"));
    assert_false(is_loopback("::2"));
    assert_false(is_loopback("128.0.0.1"));
}

/* Checks which of the random numbers lead to a refusal: the lowest ones, so many percent. */
static void expect_refusal_percent(const struct config *config, int unauth, uint64_t percent)
{
    struct limits_counts counts = {.unauth = unauth};
    uint64_t first_admitted = (percent << 32) / 100 + (percent % 100 != 0 ? 1 : 0);
    if (first_admitted > 0) {
        assert_int_equal(limits_judge_connection(config, &counts, (uint32_t)(first_admitted - 1)),
                         GATE_REFUSAL_UNAUTH);
    }
    if (first_admitted <= UINT32_MAX) {
        assert_int_equal(limits_judge_connection(config, &counts, (uint32_t)first_admitted),
                         GATE_ADMIT);
    }
}

static void the_chance_of_a_random_refusal_rises_to_100_percent(void **state)
{
    (void)state;
    struct config config = config_make_default();
    expect_refusal_percent(&config, 0, 0);
    expect_refusal_percent(&config, 19, 0);
    expect_refusal_percent(&config, 20, 30);
    expect_refusal_percent(&config, 60, 65);
    expect_refusal_percent(&config, 99, 99);
    expect_refusal_percent(&config, 100, 100);
}

static void connections_are_refused_at_random_between_the_two_limits(void **state)
{
    (void)state;
    struct config config = config_make_default();
    struct limits_counts counts = {.unauth = 20}; /* 30 % */
    assert_int_equal(limits_judge_connection(&config, &counts, 0), GATE_REFUSAL_UNAUTH);
    assert_int_equal(limits_judge_connection(&config, &counts, UINT32_MAX / 100 * 29),
                     GATE_REFUSAL_UNAUTH);
    assert_int_equal(limits_judge_connection(&config, &counts, UINT32_MAX / 100 * 31), GATE_ADMIT);
    counts.unauth = 19;
    assert_int_equal(limits_judge_connection(&config, &counts, 0), GATE_ADMIT);
    counts.unauth = 100;
    assert_int_equal(limits_judge_connection(&config, &counts, UINT32_MAX), GATE_REFUSAL_UNAUTH);
}

static void one_source_has_a_limited_number_of_connections(void **state)
{
    (void)state;
    struct config config = config_make_default();
    struct limits_counts counts = {.source_connections = 7, .source_unauth = 3};
    assert_int_equal(limits_judge_connection(&config, &counts, UINT32_MAX), GATE_ADMIT);
    counts.source_unauth = 4;
    assert_int_equal(limits_judge_connection(&config, &counts, UINT32_MAX),
                     GATE_REFUSAL_SOURCE_UNAUTH);
    counts.source_unauth = 0;
    counts.source_connections = 8;
    assert_int_equal(limits_judge_connection(&config, &counts, UINT32_MAX),
                     GATE_REFUSAL_SOURCE_FULL);
}

static void an_ipv6_net_has_looser_limits_than_a_single_source(void **state)
{
    (void)state;
    struct config config = config_make_default();
    struct limits_counts counts = {.net_connections = 63, .net_unauth = 15};
    assert_true(config.door_net_unauth > config.door_source_unauth);
    assert_true(config.door_net_connections > config.door_source_connections);
    assert_int_equal(limits_judge_connection(&config, &counts, UINT32_MAX), GATE_ADMIT);
    counts.net_unauth = 16;
    assert_int_equal(limits_judge_connection(&config, &counts, UINT32_MAX),
                     GATE_REFUSAL_NET_UNAUTH);
    counts.net_unauth = 0;
    counts.net_connections = 64;
    assert_int_equal(limits_judge_connection(&config, &counts, UINT32_MAX), GATE_REFUSAL_NET_FULL);
}

/* The owner of an IPv6 network of 48 bits can use a new network of 64 bits for each connection. */
static void new_sources_of_one_ipv6_net_are_limited_together(void **state)
{
    (void)state;
    static struct limits_rate rate;
    struct config config = config_make_default();
    memset(&rate, 0, sizeof(rate));
    for (uint32_t i = 0; i <= config.door_net_burst; i++) {
        char text[64];
        (void)snprintf(text, sizeof(text), "2001:db8:1:%x::1", i);
        struct limits_source source = limits_source_of_address(text);
        assert_int_equal(limits_take_token(&rate, &config, &source, 1000),
                         i < config.door_net_burst ? GATE_ADMIT : GATE_REFUSAL_NET_RATE);
    }
    struct limits_source neighbour = limits_source_of_address("2001:db8:2:1::1"),
                         v4 = limits_source_of_address("192.0.2.1");
    assert_int_equal(limits_take_token(&rate, &config, &neighbour, 1000), GATE_ADMIT);
    assert_int_equal(limits_take_token(&rate, &config, &v4, 1000), GATE_ADMIT);
    struct limits_source later = limits_source_of_address("2001:db8:1:ffff::1");
    assert_int_equal(limits_take_token(&rate, &config, &later, 1249), GATE_REFUSAL_NET_RATE);
    assert_int_equal(limits_take_token(&rate, &config, &later, 1250), GATE_ADMIT);
}

static void loopback_is_exempt_from_limits_unless_a_setting_ends_that(void **state)
{
    (void)state;
    struct config config = config_make_default();
    static struct limits_rate rate;
    struct limits_source loopback = limits_source_of_address("::1");
    struct limits_source other = limits_source_of_address("2001:db8::1");
    assert_true(limits_is_exempt(&config, &loopback));
    assert_false(limits_is_exempt(&config, &other));
    for (uint32_t i = 0; i <= config.door_source_burst; i++) {
        assert_int_equal(limits_take_token(&rate, &config, &loopback, 1000), GATE_ADMIT);
    }
    config.door_limit_loopback = true;
    assert_false(limits_is_exempt(&config, &loopback));
    for (uint32_t i = 0; i < config.door_source_burst; i++) {
        assert_int_equal(limits_take_token(&rate, &config, &loopback, 1000), GATE_ADMIT);
    }
    assert_int_equal(limits_take_token(&rate, &config, &loopback, 1000), GATE_REFUSAL_SOURCE_RATE);
}

static void after_a_burst_a_source_may_connect_once_a_second(void **state)
{
    (void)state;
    struct config config = config_make_default();
    struct limits_rate *rate = calloc(1, sizeof(*rate));
    assert_non_null(rate);
    struct limits_source source = limits_source_of_address("192.0.2.1"),
                         other = limits_source_of_address("192.0.2.2");
    for (int i = 0; i < 20; i++) {
        assert_int_equal(limits_take_token(rate, &config, &source, 5000), GATE_ADMIT);
    }
    assert_int_equal(limits_take_token(rate, &config, &source, 5000), GATE_REFUSAL_SOURCE_RATE);
    assert_int_equal(limits_take_token(rate, &config, &source, 5999), GATE_REFUSAL_SOURCE_RATE);
    assert_int_equal(limits_take_token(rate, &config, &other, 5999), GATE_ADMIT);
    assert_int_equal(limits_take_token(rate, &config, &source, 6000), GATE_ADMIT);
    assert_int_equal(limits_take_token(rate, &config, &source, 6000), GATE_REFUSAL_SOURCE_RATE);
    free(rate);
}

static void a_full_table_of_rates_forgets_the_least_active_source(void **state)
{
    (void)state;
    struct config config = config_make_default();
    config.door_source_burst = 2;
    struct limits_rate *rate = calloc(1, sizeof(*rate));
    assert_non_null(rate);
    struct limits_source busy = limits_source_of_address("198.51.100.1");
    assert_int_equal(limits_take_token(rate, &config, &busy, 1), GATE_ADMIT);
    assert_int_equal(limits_take_token(rate, &config, &busy, 1), GATE_ADMIT);
    for (int i = 0; i < 3 * LIMITS_RATE_SOURCES; i++) {
        char text[INET_ADDRSTRLEN];
        snprintf(text, sizeof(text), "203.0.%d.%d", i / 256, i % 256);
        struct limits_source passer = limits_source_of_address(text);
        assert_int_equal(limits_take_token(rate, &config, &passer, 1), GATE_ADMIT);
    }
    assert_int_equal(limits_take_token(rate, &config, &busy, 1), GATE_REFUSAL_SOURCE_RATE);
    free(rate);
}

static void penalties_add_up_and_block_a_source_from_a_sum_of_15_seconds(void **state)
{
    (void)state;
    struct config config = config_make_default();
    struct limits_rate *rate = calloc(1, sizeof(*rate));
    assert_non_null(rate);
    struct limits_source source = limits_source_of_address("192.0.2.1");
    add_penalty(rate, &config, &source, LIMITS_AUTH_FAILED, 1000);
    add_penalty(rate, &config, &source, LIMITS_AUTH_FAILED, 1000);
    assert_int_equal(limits_take_token(rate, &config, &source, 1000), GATE_ADMIT);
    add_penalty(rate, &config, &source, LIMITS_AUTH_FAILED, 1000);
    assert_int_equal(limits_take_token(rate, &config, &source, 1000), GATE_REFUSAL_SOURCE_BLOCKED);
    assert_int_equal(limits_take_token(rate, &config, &source, 15999), GATE_REFUSAL_SOURCE_BLOCKED);
    assert_int_equal(limits_take_token(rate, &config, &source, 16000), GATE_ADMIT);
    free(rate);
}

static void
excessive_use_of_the_processor_blocks_a_source_at_once_and_for_10_minutes_at_most(void **state)
{
    (void)state;
    struct config config = config_make_default();
    struct limits_rate *rate = calloc(1, sizeof(*rate));
    assert_non_null(rate);
    struct limits_source source = limits_source_of_address("2001:db8::1"),
                         next = limits_source_of_address("2001:db8::2");
    add_penalty(rate, &config, &source, LIMITS_GREEDY, 1);
    assert_int_equal(limits_take_token(rate, &config, &next, 90000), GATE_REFUSAL_SOURCE_BLOCKED);
    for (int i = 0; i < 20; i++) {
        add_penalty(rate, &config, &source, LIMITS_GREEDY, 1);
    }
    assert_int_equal(limits_take_token(rate, &config, &source, 600000),
                     GATE_REFUSAL_SOURCE_BLOCKED);
    assert_int_equal(limits_take_token(rate, &config, &source, 600001), GATE_ADMIT);
    free(rate);
}

static void the_first_crash_blocks_nobody_and_the_next_one_does(void **state)
{
    (void)state;
    struct config config = config_make_default();
    struct limits_rate *rate = calloc(1, sizeof(*rate));
    bool is_blocked = true;
    assert_non_null(rate);
    struct limits_source source = limits_source_of_address("192.0.2.1");
    (void)limits_add_penalty(rate, &config, &source, LIMITS_CRASH, 1, &is_blocked);
    assert_false(is_blocked);
    assert_int_equal(limits_take_token(rate, &config, &source, 2), GATE_ADMIT);
    (void)limits_add_penalty(rate, &config, &source, LIMITS_CRASH, 90002, &is_blocked);
    assert_false(is_blocked);
    (void)limits_add_penalty(rate, &config, &source, LIMITS_CRASH, 180001, &is_blocked);
    assert_true(is_blocked);
    assert_int_equal(limits_take_token(rate, &config, &source, 180001),
                     GATE_REFUSAL_SOURCE_BLOCKED);
    free(rate);
}

/* Returns the nth IPv6 network of 64 bits within one network of 48 bits. */
static struct limits_source make_nth_source_of_ipv6_net(unsigned n)
{
    char text[INET6_ADDRSTRLEN];
    snprintf(text, sizeof(text), "2001:db8:1:%x::1", n);
    return limits_source_of_address(text);
}

static void penalties_of_an_ipv6_net_add_up_and_block_all_its_sources(void **state)
{
    (void)state;
    struct config config = config_make_default();
    struct limits_rate *rate = calloc(1, sizeof(*rate));
    const struct limits_source fresh = make_nth_source_of_ipv6_net(0xffff),
                               other = limits_source_of_address("2001:db8:2:1::1");
    assert_non_null(rate);
    /* Each penalty is 5 s: it blocks no source by itself, but the sum of 60 s blocks the net. */
    for (unsigned n = 0; n < 11; n++) {
        struct limits_source source = make_nth_source_of_ipv6_net(n);
        assert_int_equal(limits_take_token(rate, &config, &source, 1000), GATE_ADMIT);
        assert_int_equal(add_penalty(rate, &config, &source, LIMITS_AUTH_FAILED, 1000), 5000);
    }
    assert_int_equal(limits_take_token(rate, &config, &fresh, 1000), GATE_ADMIT);
    struct limits_source last = make_nth_source_of_ipv6_net(11);
    (void)add_penalty(rate, &config, &last, LIMITS_AUTH_FAILED, 1000);
    assert_int_equal(limits_take_token(rate, &config, &fresh, 1000), GATE_REFUSAL_NET_BLOCKED);
    assert_int_equal(limits_take_token(rate, &config, &fresh, 60999), GATE_REFUSAL_NET_BLOCKED);
    assert_int_equal(limits_take_token(rate, &config, &other, 1000), GATE_ADMIT);
    assert_int_equal(limits_take_token(rate, &config, &fresh, 61000), GATE_ADMIT);
    /* one blocked household does not block its neighbours */
    struct limits_source alone = limits_source_of_address("2001:db8:3:1::1");
    const struct limits_source beside = limits_source_of_address("2001:db8:3:2::1");
    for (int i = 0; i < 3; i++) {
        (void)add_penalty(rate, &config, &alone, LIMITS_AUTH_FAILED, 1000);
    }
    assert_int_equal(limits_take_token(rate, &config, &alone, 1000), GATE_REFUSAL_SOURCE_BLOCKED);
    assert_int_equal(limits_take_token(rate, &config, &beside, 1000), GATE_ADMIT);
    free(rate);
}

static void loopback_has_no_penalties_unless_a_setting_ends_that(void **state)
{
    (void)state;
    struct config config = config_make_default();
    struct limits_rate *rate = calloc(1, sizeof(*rate));
    assert_non_null(rate);
    struct limits_source source = limits_source_of_address("::1");
    add_penalty(rate, &config, &source, LIMITS_GREEDY, 1);
    assert_int_equal(limits_take_token(rate, &config, &source, 1), GATE_ADMIT);
    config.door_limit_loopback = true;
    add_penalty(rate, &config, &source, LIMITS_GREEDY, 1);
    assert_int_equal(limits_take_token(rate, &config, &source, 1), GATE_REFUSAL_SOURCE_BLOCKED);
    free(rate);
}

TEST_GROUP(limits)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_is_an_ipv4_address_or_an_ipv6_network_of_64_bits),
        cmocka_unit_test(the_net_of_a_source_is_its_ipv6_network_of_48_bits),
        cmocka_unit_test(an_ipv6_net_has_looser_limits_than_a_single_source),
        cmocka_unit_test(new_sources_of_one_ipv6_net_are_limited_together),
        cmocka_unit_test(every_form_of_a_loopback_address_is_recognised),
        cmocka_unit_test(the_chance_of_a_random_refusal_rises_to_100_percent),
        cmocka_unit_test(connections_are_refused_at_random_between_the_two_limits),
        cmocka_unit_test(one_source_has_a_limited_number_of_connections),
        cmocka_unit_test(loopback_is_exempt_from_limits_unless_a_setting_ends_that),
        cmocka_unit_test(after_a_burst_a_source_may_connect_once_a_second),
        cmocka_unit_test(a_full_table_of_rates_forgets_the_least_active_source),
        cmocka_unit_test(penalties_add_up_and_block_a_source_from_a_sum_of_15_seconds),
        cmocka_unit_test(the_first_crash_blocks_nobody_and_the_next_one_does),
        cmocka_unit_test(
            excessive_use_of_the_processor_blocks_a_source_at_once_and_for_10_minutes_at_most),
        cmocka_unit_test(penalties_of_an_ipv6_net_add_up_and_block_all_its_sources),
        cmocka_unit_test(loopback_has_no_penalties_unless_a_setting_ends_that),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
