#include "daemon/metrics/metrics.h"
#include "games/game.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct metrics_page page;
static const struct metrics metrics = {.page = &page};

/* True if one line of the text is this line. */
static bool has_line(const char *text, const char *line)
{
    size_t len = strlen(line);
    const char *at = text;
    while (at != NULL && *at != '\0') {
        const char *end = strchr(at, '\n');
        assert_non_null(end); /* every line ends */
        if ((size_t)(end - at) == len && memcmp(at, line, len) == 0) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

static void expect_line(const char *line)
{
    char *text = prometheus_write(&page);
    if (!has_line(text, line)) {
        fail_msg("no line \"%s\" in\n%s", line, text);
    }
    free(text);
}

static int empty_page(void **state)
{
    (void)state;
    memset(&page, 0, sizeof page);
    return 0;
}

static void a_counter_has_a_line_for_each_value_of_its_label(void **state)
{
    (void)state;
    char line[128];
    metrics_add(&metrics, METRIC_connections, "ssh", NULL, UINT64_C(12345678901));
    metrics_add(&metrics, METRIC_moves, game_at(0)->id, "house", 2);
    expect_line("# TYPE trickhouse_connections_total counter");
    expect_line("trickhouse_connections_total{transport=\"ssh\"} 12345678901");
    expect_line("trickhouse_connections_total{transport=\"telnet\"} 0");
    expect_line("trickhouse_sign_ups_total 0");
    snprintf(line, sizeof line, "trickhouse_moves_total{game=\"%s\",mover=\"house\"} 2",
             game_at(0)->id);
    expect_line(line);
}

static void the_buckets_of_a_histogram_add_up(void **state)
{
    (void)state;
    metrics_observe_us(&metrics, METRIC_move, "durable", 500,
                       1); /* the bound belongs to the bucket */
    metrics_observe_us(&metrics, METRIC_move, "durable", 501, 2);
    metrics_observe_us(&metrics, METRIC_move, "durable", 7000000, 1); /* above all bounds */
    expect_line("# TYPE trickhouse_move_seconds histogram");
    expect_line("trickhouse_move_seconds_bucket{until=\"durable\",le=\"0.0005\"} 1");
    expect_line("trickhouse_move_seconds_bucket{until=\"durable\",le=\"0.001\"} 3");
    expect_line("trickhouse_move_seconds_bucket{until=\"durable\",le=\"5\"} 3");
    expect_line("trickhouse_move_seconds_bucket{until=\"durable\",le=\"+Inf\"} 4");
    expect_line("trickhouse_move_seconds_sum{until=\"durable\"} 7.001502");
    expect_line("trickhouse_move_seconds_count{until=\"durable\"} 4");
    expect_line("trickhouse_move_seconds_count{until=\"told\"} 0");
}

static void a_gauge_of_another_page_replaces_the_old_value_and_counters_stay(void **state)
{
    (void)state;
    static struct metrics_page other;
    metrics_set(&metrics, METRIC_people, NULL, NULL, 7);
    metrics_set(&metrics, METRIC_sessions, "telnet", NULL, 7);
    metrics_add(&metrics, METRIC_sign_ups, NULL, NULL, 3);
    metrics_set(&(const struct metrics){.page = &other}, METRIC_people, NULL, NULL, 5);
    metrics_copy_gauges(&metrics, &other);
    expect_line("trickhouse_people 5");
    expect_line("trickhouse_sessions{transport=\"telnet\"} 0");
    expect_line("trickhouse_sign_ups_total 3");
}

static void the_silence_of_a_kind_of_process_is_that_of_the_most_silent_one(void **state)
{
    (void)state;
    const struct metrics second = {.page = &page, .process = LIFE_FIRST + 1};
    life_note_start(&metrics, LIFE_FIRST, "bot", 100);
    life_note_start(&metrics, LIFE_FIRST + 1, "bot", 101);
    life_give_sign(&second, LIFE_WORKS);
    page.lives[LIFE_FIRST].seen_ms = 1000;
    page.lives[LIFE_FIRST + 1].seen_ms = 9000;
    life_measure_silence(&metrics, 9999);
    expect_line("trickhouse_process_silence_seconds{process=\"bot\"} 8");
    expect_line("trickhouse_process_silence_seconds{process=\"core\"} 0");
    life_note_death(&metrics, LIFE_FIRST);
    expect_line("trickhouse_process_restarts_total{process=\"bot\"} 1");
}

TEST_GROUP(prometheus)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_counter_has_a_line_for_each_value_of_its_label, empty_page),
        cmocka_unit_test_setup(the_buckets_of_a_histogram_add_up, empty_page),
        cmocka_unit_test_setup(a_gauge_of_another_page_replaces_the_old_value_and_counters_stay,
                               empty_page),
        cmocka_unit_test_setup(the_silence_of_a_kind_of_process_is_that_of_the_most_silent_one,
                               empty_page),
    };
    return cmocka_run_group_tests_name("prometheus", tests, NULL, NULL);
}
