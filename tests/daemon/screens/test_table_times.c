#include "stage.h"

#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seats mira (the viewer), ada (a bot), bob and ella (a bot). */
static int set_up(void **state)
{
    static const struct driver_setup setup = {.columns = 80, .rows = 24};
    struct stage *stage = calloc(1, sizeof(*stage));
    stage_init(stage, &setup, game_find("oh-hell"), 4, 0);
    stage_deal(stage, 1);
    *state = stage;
    return 0;
}

static int tear_down(void **state)
{
    struct stage *stage = *state;
    stage_clear(stage);
    free(stage);
    return 0;
}

static const char bank[] = "{\"clock\":{\"kind\":\"bank\",\"bank_s\":600,\"increment_s\":5}}";

static void every_time_bank_and_the_time_of_the_current_turn_are_shown(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, bank,
                              "{\"times\":[{\"left_ms\":null,\"bank_ms\":583000,\"bot_ms\":null},"
                              "{\"left_ms\":null,\"bank_ms\":null,\"bot_ms\":null},"
                              "{\"left_ms\":421000,\"bank_ms\":421000,\"bot_ms\":null},{}]}");
    driver_expect(stage->driver, "9:43");
    driver_expect(stage->driver, "7:01");
    driver_wait(stage->driver, 3000);
    driver_expect(stage->driver, "9:43");
    driver_expect(stage->driver, "6:58");
}

static void the_table_counts_down_until_a_bot_plays_for_a_disconnected_player(void **state)
{
    struct stage *stage = *state;
    while (stage->you == (int8_t)__builtin_ctz(game_seats_to_act(&stage->state)) ||
           __builtin_ctz(game_seats_to_act(&stage->state)) != 2) {
        assert_true(stage_make_random_move(stage));
    }
    stage_push_table_and_view(stage,
                              "{\"seats\":[{\"name\":\"mira\",\"kind\":\"player\",\"here\":true},"
                              "{\"name\":\"ada\",\"kind\":\"bot\",\"here\":true},"
                              "{\"name\":\"bob\",\"kind\":\"player\",\"here\":false,\"gone\":true},"
                              "{\"name\":\"ella\",\"kind\":\"bot\",\"here\":true}]}",
                              "{\"clock\":null,\"times\":[{},{},{\"bot_ms\":42000},{}]}");
    driver_wait(stage->driver, 1300);
    driver_expect(stage->driver,
                  "bob lost the connection; waiting 0:41, then a bot plays for them");
    driver_expect(stage->driver, "no connection");
    driver_wait(stage->driver, 1000);
    driver_expect(stage->driver, "waiting 0:40");
}

static void a_pause_is_shown_and_stops_the_clock_until_enter_ends_it(void **state)
{
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, 0));
    stage_push_table_and_view(
        stage, "{\"halt\":\"pause\"}",
        "{\"clock\":{\"left_ms\":17000,\"of_ms\":30000,\"is_stopped\":true}}");
    driver_wait(stage->driver, 1300);
    driver_expect(stage->driver, "Paused: no clock runs");
    driver_expect(stage->driver, "0:17");
    driver_wait(stage->driver, 5000);
    driver_expect(stage->driver, "0:17");
    driver_expect(stage->driver, "Enter play on");
    driver_expect_not(stage->driver, " choose ");
    driver_type(stage->driver, "\r");
    assert_non_null(driver_find_request(stage->driver, "resume"));
}

static void the_last_line_offers_to_agree_to_a_pause(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, "{\"asks\":{\"pause\":[2],\"adjourn\":[],\"resume\":[]}}",
                              NULL);
    driver_wait(stage->driver, 1300);
    driver_expect(stage->driver, "/pause agree");
    driver_type(stage->driver, "/pause\r");
    assert_non_null(driver_find_request(stage->driver, "pause"));
    stage_push_table_and_view(stage, "{\"asks\":{\"pause\":[0,2],\"adjourn\":[],\"resume\":[]}}",
                              NULL);
    driver_expect_not(stage->driver, "/pause agree");
}

static void an_adjourned_game_names_who_is_not_ready(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, "{\"halt\":\"adjourn\",\"asks\":{\"resume\":[0]}}", NULL);
    driver_wait(stage->driver, 1300);
    driver_expect(stage->driver, "Adjourned until all say /resume; not yet: bob");
    stage_push_table_and_view(
        stage, "{\"halt\":\"adjourn\",\"asks\":{\"resume\":[0]},\"resume_by\":1795000000000}",
        NULL);
    driver_expect(stage->driver, "Adjourned: waiting for bob to /resume, until 2026-11-18 ");
}

static void after_a_downtime_the_missing_players_are_named(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, "{\"halt\":\"house\",\"awaited\":[2],\"is_rated\":false}",
                              NULL);
    driver_wait(stage->driver, 1300);
    driver_expect(stage->driver, "waiting for bob. /resume plays without");
    stage_push_table_and_view(stage, "{\"halt\":\"house\",\"awaited\":[2],\"is_rated\":true}",
                              NULL);
    driver_expect(stage->driver, "waiting for bob, up to 7 days after /resume");
    stage_push_table_and_view(stage,
                              "{\"halt\":\"house\",\"awaited\":[2],\"is_rated\":true,"
                              "\"resume_by\":1795000000000}",
                              NULL);
    driver_expect(stage->driver, "waiting for bob, until 2026-11-18 ");
}

static void
the_wait_after_a_downtime_is_shown_whole_beside_a_clock_and_the_longest_name(void **state)
{
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, 0));
    stage_push_table_and_view(
        stage,
        "{\"halt\":\"house\",\"awaited\":[2],\"is_rated\":true,\"seats\":["
        "{\"name\":\"mira\",\"kind\":\"player\",\"here\":true},"
        "{\"name\":\"ada\",\"kind\":\"bot\",\"here\":true},"
        "{\"name\":\"sixteen-letters-\",\"kind\":\"player\",\"here\":false,\"gone\":true},"
        "{\"name\":\"ella\",\"kind\":\"bot\",\"here\":true}]}",
        "{\"clock\":{\"left_ms\":17000,\"of_ms\":30000,\"is_stopped\":true}}");
    driver_wait(stage->driver, 1300);
    driver_expect(stage->driver, "0:17");
    driver_expect(stage->driver, "waiting for sixteen-letters-, up to 7 days after /resume");
}

static void a_refusal_during_a_halt_disappears_once_the_game_goes_on(void **state)
{
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, 0));
    driver_wait(stage->driver, 1300);
    driver_type(stage->driver, "2\r");
    stage_push_table_and_view(stage, "{\"halt\":\"pause\"}", NULL);
    driver_refuse(stage->driver, "move", "halted", "The game stands still.");
    driver_expect(stage->driver, "The game stands still.");
    stage_push_table_and_view(stage, "{\"halt\":\"none\"}", NULL);
    driver_expect_not(stage->driver, "The game stands still.");
}

static void the_enter_key_takes_the_seat_back_from_the_bot(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(
        stage,
        "{\"seats\":[{\"name\":\"mira\",\"kind\":\"player\",\"here\":true,"
        "\"played_by_bot\":true},{\"name\":\"bob\",\"kind\":\"bot\"},"
        "{\"name\":\"ada\",\"kind\":\"player\"},{\"name\":\"chen\",\"kind\":\"bot\"}]}",
        NULL);
    driver_wait(stage->driver, 1300);
    driver_expect(stage->driver, "A bot plays for you");
    driver_type(stage->driver, "\r");
    assert_non_null(driver_find_request(stage->driver, "seat_back"));
}

static void the_bell_rings_once_when_ones_own_time_is_running_out(void **state)
{
    struct stage *stage = *state;
    assert_true(stage_play_until_turn(stage, 0));
    stage_push_table_and_view(stage, NULL, "{\"clock\":{\"left_ms\":12000,\"of_ms\":30000}}");
    driver_wait(stage->driver, 1300);
    int bells = driver_count_bells(stage->driver);
    driver_wait(stage->driver, 1000);
    driver_wait(stage->driver, 1000);
    assert_int_equal(driver_count_bells(stage->driver), bells + 1);
    driver_wait(stage->driver, 3000);
    assert_int_equal(driver_count_bells(stage->driver), bells + 1);
}

static void going_to_the_lobby_from_a_turn_by_turn_game_needs_no_confirmation(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, "{\"clock\":{\"kind\":\"days\",\"days\":2}}", NULL);
    driver_type(stage->driver, "q");
    assert_non_null(driver_find_request(stage->driver, "table_leave"));
}

static void leaving_a_game_for_good_asks_once_and_shows_the_cost(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "/stand\r");
    driver_expect(stage->driver, "You rank below all who finish");
    assert_null(driver_find_request(stage->driver, "seat_leave"));
    driver_type(stage->driver, "y");
    const json_t *sent = driver_find_request(stage->driver, "seat_leave");
    assert_true(json_is_true(json_object_get(sent, "for_good")));
}

static void the_clock_command_sets_valid_clocks_and_explains_invalid_ones(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "/clock 10m+5s\r");
    const json_t *clock = json_object_get(driver_find_request(stage->driver, "table_set"), "clock");
    assert_int_equal(json_integer_value(json_object_get(clock, "bank_s")), 600);
    assert_int_equal(json_integer_value(json_object_get(clock, "increment_s")), 5);
    driver_type(stage->driver, "/clock soon\r");
    driver_expect(stage->driver, "Say 30s, 10m+5s, 2d or none");
}

static void commands_set_vacations_and_quiet_hours(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "/vacation 3\r");
    const json_t *sent = driver_find_request(stage->driver, "vacation");
    assert_int_equal(json_integer_value(json_object_get(sent, "days")), 3);
    driver_answer(stage->driver, "vacation", "{\"until\":1790000000000,\"days_left\":27}");
    driver_expect(stage->driver, "Days left: 27");
    driver_type(stage->driver, "/vacation off\r");
    sent = driver_find_request(stage->driver, "vacation");
    assert_int_equal(json_integer_value(json_object_get(sent, "days")), 0);
    driver_type(stage->driver, "/vacation soon\r");
    driver_expect(stage->driver, "Say how many days");
    driver_type(stage->driver, "/quiet 23:30-8 -3:30\r");
    sent = json_object_get(driver_find_request(stage->driver, "settings_set"), "settings");
    const json_t *quiet = json_object_get(sent, "quiet");
    assert_int_equal(json_integer_value(json_object_get(quiet, "from_min")), 1410);
    assert_int_equal(json_integer_value(json_object_get(quiet, "to_min")), 480);
    assert_int_equal(json_integer_value(json_object_get(quiet, "offset_min")), -210);
    driver_type(stage->driver, "/quiet always\r");
    driver_expect(stage->driver, "Say from when to when");
}

static void the_command_next_goes_to_a_game_where_it_is_ones_turn(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "/next\r");
    driver_expect(stage->driver, "No game waits for your move.");
    driver_push(stage->driver,
                "{\"t\":\"mine\",\"tables\":[{\"table\":3,\"game\":\"oh-hell\",\"turn\":false},"
                "{\"table\":7,\"game\":\"oh-hell\",\"turn\":true},"
                "{\"table\":9,\"game\":\"oh-hell\",\"turn\":true}]}");
    driver_type(stage->driver, "N");
    const json_t *sent = driver_find_request(stage->driver, "table_enter");
    assert_int_equal(json_integer_value(json_object_get(sent, "table")), 9);
}

static void the_lobby_shows_the_time_left_in_turn_by_turn_games(void **state)
{
    struct stage *stage = *state;
    driver_resize(stage->driver, 120, 40);
    driver_push(stage->driver,
                "{\"t\":\"lobby\",\"reset\":true,\"people\":[],\"tables\":[{\"id\":9,\"game\":"
                "\"oh-hell\",\"players\":4,\"seated\":4,\"bots\":2,\"state\":\"playing\",\"host\":"
                "\"mira\",\"clock\":{\"kind\":\"days\",\"days\":2}},{\"id\":8,\"game\":\"oh-hell\","
                "\"players\":4,\"seated\":4,\"state\":\"playing\",\"host\":\"mira\",\"halt\":"
                "\"adjourn\",\"clock\":{\"kind\":\"bank\",\"bank_s\":600,\"increment_s\":5}}],"
                "\"gone_people\":[],\"gone_tables\":[]}");
    char mine[200];
    (void)snprintf(mine, sizeof(mine),
                   "{\"t\":\"mine\",\"tables\":[{\"table\":9,\"game\":\"oh-hell\",\"turn\":true,"
                   "\"due_at\":%lld}]}",
                   (long long)time(NULL) * 1000 + 26LL * 3600000);
    driver_push(stage->driver, mine);
    driver_type(stage->driver, "q");
    driver_type(stage->driver, "l");
    driver_answer(stage->driver, "table_leave", NULL);
    driver_expect(stage->driver, "2d");
    driver_expect(stage->driver, "your turn ◄ 25h");
    driver_expect(stage->driver, "10m+5s");
    driver_expect(stage->driver, "adjourned");
}

static void the_selected_clock_is_visible_in_a_long_list(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "/new\r");
    driver_type(stage->driver, "jjjjjjjjjj");
    driver_type(stage->driver, "kkkkk");
    driver_expect(stage->driver, "* 30 seconds a move");
    driver_type(stage->driver, "hhh");
    char last[200] = "* ";
    struct text text = text_init(last + 2, sizeof(last) - 2);
    const struct clock_type *last_kind = clock_type_of(CLOCK_KIND_LAST);
    option_write_clock(&last_kind->offers[last_kind->offer_count - 1], &text);
    driver_expect(stage->driver, last);
    driver_expect_not(stage->driver, "15 seconds a move");
}

static void clocks_are_described_in_sentences(void **state)
{
    (void)state;
    static const struct {
        const char *clock, *words;
    } cases[] = {
        {"none", "none"},
        {"30s", "30 seconds a move"},
        {"60s", "60 seconds a move"},
        {"5m", "5 minutes a move"},
        {"10m+5s", "10 minutes in all, 5 seconds more after each move"},
        {"1d", "turn by turn: 1 day a move"},
        {"2d", "turn by turn: 2 days a move"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct clock_rule rule;
        char buffer[200];
        struct text text = text_init(buffer, sizeof(buffer));
        assert_true(clock_rule_parse(cases[i].clock, &rule));
        option_write_clock(&rule, &text);
        assert_string_equal(buffer, cases[i].words);
    }
}

#define TIMES_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

TEST_GROUP(table_times)
{
    const struct CMUnitTest tests[] = {
        TIMES_TEST(every_time_bank_and_the_time_of_the_current_turn_are_shown),
        TIMES_TEST(the_table_counts_down_until_a_bot_plays_for_a_disconnected_player),
        TIMES_TEST(a_pause_is_shown_and_stops_the_clock_until_enter_ends_it),
        TIMES_TEST(the_last_line_offers_to_agree_to_a_pause),
        TIMES_TEST(an_adjourned_game_names_who_is_not_ready),
        TIMES_TEST(after_a_downtime_the_missing_players_are_named),
        TIMES_TEST(the_wait_after_a_downtime_is_shown_whole_beside_a_clock_and_the_longest_name),
        TIMES_TEST(a_refusal_during_a_halt_disappears_once_the_game_goes_on),
        TIMES_TEST(the_enter_key_takes_the_seat_back_from_the_bot),
        TIMES_TEST(the_bell_rings_once_when_ones_own_time_is_running_out),
        TIMES_TEST(going_to_the_lobby_from_a_turn_by_turn_game_needs_no_confirmation),
        TIMES_TEST(leaving_a_game_for_good_asks_once_and_shows_the_cost),
        TIMES_TEST(the_clock_command_sets_valid_clocks_and_explains_invalid_ones),
        TIMES_TEST(commands_set_vacations_and_quiet_hours),
        TIMES_TEST(the_command_next_goes_to_a_game_where_it_is_ones_turn),
        TIMES_TEST(the_lobby_shows_the_time_left_in_turn_by_turn_games),
        TIMES_TEST(the_selected_clock_is_visible_in_a_long_list),
        TIMES_TEST(clocks_are_described_in_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
