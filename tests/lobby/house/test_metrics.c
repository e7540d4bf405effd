#include "games/game.h"
#include "lobby/house/house_state.h"
#include "tests/lobby/house_driver.h"
#include "tests/lobby/metric_check.h"
#include "tests/lobby/table_driver.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests what the house counts. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)
#define ENTRIES_MAX 64

/* The sum of all amounts that the house has passed for each series. */
struct counts {
    struct {
        enum house_metric metric;
        char labels[64]; /* "a,b"; "-" for no label */
        uint64_t sum;
        unsigned calls;
    } entries[ENTRIES_MAX];
    size_t len;
};

static void count_amount(void *context, enum house_metric metric, const char *a, const char *b,
                         uint64_t amount)
{
    struct counts *counts = context;
    metric_check(NULL, metric, a, b, amount);
    char labels[64];
    size_t i = 0;
    (void)snprintf(labels, sizeof(labels), "%s,%s", a == NULL ? "-" : a, b == NULL ? "-" : b);
    while (i < counts->len && (counts->entries[i].metric != metric ||
                               strcmp(counts->entries[i].labels, labels) != 0)) {
        i++;
    }
    assert_true(i < ENTRIES_MAX);
    if (i == counts->len) {
        counts->len++;
        counts->entries[i].metric = metric;
        (void)snprintf(counts->entries[i].labels, sizeof(labels), "%s", labels);
    }
    counts->entries[i].sum += amount;
    counts->entries[i].calls++;
}

static uint64_t sum_of(const struct counts *counts, enum house_metric metric, const char *labels)
{
    for (size_t i = 0; i < counts->len; i++) {
        if (counts->entries[i].metric == metric && strcmp(counts->entries[i].labels, labels) == 0) {
            return counts->entries[i].sum;
        }
    }
    return 0;
}

#define expect_sum(counts, metric, labels, sum)                                                    \
    assert_int_equal(sum_of(counts, HOUSE_METRIC_##metric, labels), sum)

static void restart_house_that_counts(struct driver *driver, struct counts *counts)
{
    *counts = (struct counts){0};
    driver->config.measure = count_amount;
    driver->config.measure_context = counts;
    driver_restart_core(driver);
}

static void measure_house(struct driver *driver, struct counts *counts)
{
    *counts = (struct counts){0};
    house_measure(driver->house);
}

static void a_clock_that_was_set_back_while_the_house_was_closed_is_counted(void **state)
{
    static struct counts counts;
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_pass_time(driver, 3600000);
    driver_sign_up(driver, BOB, "bob");
    restart_house_that_counts(driver, &counts);
    expect_sum(&counts, clock_jumps, "-,-", 0);
    driver->now_ms -= 59000;
    restart_house_that_counts(driver, &counts);
    expect_sum(&counts, clock_jumps, "-,-", 0);
    driver->now_ms -= 1200000;
    restart_house_that_counts(driver, &counts);
    expect_sum(&counts, clock_jumps, "-,-", 1);
    driver_sign_up(driver, EVE, "eve");
    restart_house_that_counts(driver, &counts);
    expect_sum(&counts, clock_jumps, "-,-", 0); /* it is told once */
}

static void every_sign_in_and_every_refusal_is_counted(void **state)
{
    static struct counts counts;
    struct driver *driver = *state;
    restart_house_that_counts(driver, &counts);
    driver_sign_up(driver, ADA, "ada");
    driver_connect_session_from(driver, BOB, "192.0.2.7", "telnet");
    driver_ok(driver, BOB, "{'t':'sign_in','method':'guest'}");
    expect_sum(&counts, sign_ups, "-,-", 1);
    expect_sum(&counts, sign_ins, "guest,telnet", 1);
    driver_connect_session(driver, EVE);
    (void)driver_request(driver, EVE,
                         "{'t':'sign_in','method':'password','name':'ada','password':'wrong'}");
    driver_pass_time(driver, 400);
    (void)driver_request(driver, EVE,
                         "{'t':'sign_in','method':'password','name':'ada','password':'wrong'}");
    expect_sum(&counts, sign_ins_refused, "password,denied", 1);
    expect_sum(&counts, sign_ins_refused, "password,wait", 1);
    driver_pass_time(driver, 4000);
    driver_ok(driver, EVE,
              "{'t':'sign_in','method':'password','name':'ada','password':'password of ada'}");
    expect_sum(&counts, sign_ins, "password,ssh", 1);
    driver_ok(driver, EVE, "{'t':'mod','line':'report guest-1 spam he shouts'}");
    expect_sum(&counts, reports, "-,-", 1);
    measure_house(driver, &counts);
    expect_sum(&counts, people, "-,-", 2);
    expect_sum(&counts, sessions, "ssh,-", 2);
    expect_sum(&counts, sessions, "telnet,-", 1);
}

static void every_game_and_every_move_is_counted(void **state)
{
    static struct counts counts;
    struct driver *driver = *state;
    const int64_t players[] = {ADA, BOB};
    char labels[64];
    const char *game = game_at(0)->id;
    restart_house_that_counts(driver, &counts);
    (void)table_begin_game_for_two(driver, 0);
    (void)snprintf(labels, sizeof(labels), "%s,-", game);
    expect_sum(&counts, games_begun, labels, 1);
    (void)snprintf(labels, sizeof(labels), "%s,player", game);
    uint64_t made = sum_of(&counts, HOUSE_METRIC_moves, labels);
    assert_true(made > 0);
    made += driver_play_moves(driver, players, 2, 3);
    expect_sum(&counts, moves, labels, made);
    driver_no(driver, ADA, "stale", "{'t':'move','table':1,'step':900,'move':'x'}");
    expect_sum(&counts, moves, labels, made);
    measure_house(driver, &counts);
    (void)snprintf(labels, sizeof(labels), "%s,playing", game);
    expect_sum(&counts, tables, labels, 1);
    restart_house_that_counts(driver, &counts);
    expect_sum(&counts, moves, labels, 0);
    measure_house(driver, &counts);
    expect_sum(&counts, tables, labels, 1);
    (void)snprintf(labels, sizeof(labels), "%s,-", game);
    expect_sum(&counts, games_finished, labels, 0);
}

/* Begins a game of Ada and two bots, with a bot process that never answers. */
static void begin_game_with_silent_bots(struct driver *driver)
{
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    assert_int_equal(driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3}"), HOUSE_OK);
    driver_sign_up(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'table_open','game':'%s','players':3,'options':{},'clock_s':0}",
              game_at(0)->id);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    while (driver_make_first_legal_move(driver, ADA)) {
    }
}

static void a_bots_move_that_no_process_chooses_is_counted_as_late(void **state)
{
    static struct counts counts;
    struct driver *driver = *state;
    char labels[64];
    restart_house_that_counts(driver, &counts);
    begin_game_with_silent_bots(driver);
    driver_pass_time(driver, 0);
    measure_house(driver, &counts);
    expect_sum(&counts, queue_length, "bot,-", 1);
    counts = (struct counts){0};
    while (sum_of(&counts, HOUSE_METRIC_bot_moves_unanswered, "-,-") == 0) {
        driver_pass_time(driver, 10);
    }
    expect_sum(&counts, bot_moves_unanswered, "-,-", 1);
    (void)snprintf(labels, sizeof(labels), "%s,house", game_at(0)->id);
    expect_sum(&counts, moves, labels, 1);
    uint64_t late_us = sum_of(&counts, HOUSE_METRIC_bot_lateness, "-,-");
    int64_t delay_ms = driver->config.play_bot_delay_ms;
    assert_in_range(late_us, (PACE_BOT_ANSWER_MS - delay_ms) * 1000, PACE_BOT_ANSWER_MS * 1000);
}

static void a_password_that_waits_for_its_check_is_in_the_queue(void **state)
{
    static struct counts counts;
    struct driver *driver = *state;
    restart_house_that_counts(driver, &counts);
    driver_sign_up(driver, ADA, "ada");
    driver->has_workers = false;
    driver_connect_session(driver, EVE);
    (void)driver_request(driver, EVE,
                         "{'t':'sign_in','method':'password','name':'ada','password':'wrong'}");
    measure_house(driver, &counts);
    expect_sum(&counts, queue_length, "auth,-", 1);
}

TEST_GROUP(metrics)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_clock_that_was_set_back_while_the_house_was_closed_is_counted),
        DRIVER_TEST(every_sign_in_and_every_refusal_is_counted),
        DRIVER_TEST(every_game_and_every_move_is_counted),
        DRIVER_TEST(a_bots_move_that_no_process_chooses_is_counted_as_late),
        DRIVER_TEST(a_password_that_waits_for_its_check_is_in_the_queue),
    };
    return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
