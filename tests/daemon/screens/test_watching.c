#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests a table as a spectator sees it, and how its host chooses who may watch. */

#define DELAYED                                                                                    \
    "{\"watch\":{\"policy\":\"delay\",\"moves\":10,\"talk\":\"apart\"},\"watchers\":2,"            \
    "\"watcher_names\":[\"mira\",\"chen\"]}"

static void begin_game_watched_with_delay(struct stage *stage, const struct driver_setup *setup)
{
    stage_init(stage, setup, game_at(0), 4, SPECTATOR);
    stage_deal(stage, 3);
    for (int i = 0; i < 14; i++) {
        (void)stage_make_random_move(stage);
    }
    stage_push_table_and_view(stage, DELAYED, "{\"clock\":null,\"times\":[]}");
}

static void a_spectator_is_shown_the_delay_of_the_table(void **state)
{
    static const struct driver_setup sizes[] = {{.columns = 80, .rows = 24},
                                                {.columns = 120, .rows = 40}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct stage stage;
        begin_game_watched_with_delay(&stage, &sizes[i]);
        driver_expect(stage.driver, "watching, 10 moves behind");
        driver_type(stage.driver, "\033"); /* a key ends the display of the last trick */
        driver_expect(stage.driver, "is next: you see each move some time after it was made");
        driver_type(stage.driver, "w");
        driver_expect(stage.driver, "Watching: mira, chen");
        driver_print_screen(stage.driver, i == 0 ? "watching, 80x24" : "watching, 120x40");
        stage_clear(&stage);
    }
}

static void in_plain_mode_who_may_watch_is_shown_before_the_start(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.lines = {.is_on = true}};
    (void)state;
    stage_init(&stage, &setup, game_at(0), 4, 0);
    driver_forget_output(stage.driver);
    stage_push_table_and_view(&stage, DELAYED, "{}");
    stage_push_table(&stage, "open");
    driver_type(stage.driver, "/look\n");
    driver_expect_output(stage.driver, "Watched by everybody, 10 moves");
    driver_expect_output(stage.driver, "players do not hear spectators");
    stage_clear(&stage);
}

static void an_unrated_table_says_why_before_the_start(void **state)
{
    static const char *const cases[][2] = {
        {"{\"is_rated\":false,\"clock\":{\"kind\":\"none\"}}", "Rated no, since it has no"},
        {"{\"is_rated\":false,\"seats\":[{\"name\":\"mira\",\"kind\":\"player\"},"
         "{\"name\":\"otto\",\"kind\":\"bot\"},null,null]}",
         "that needs two people with accounts."},
        {"{\"is_rated\":true}", "Rated yes"},
    };
    const struct driver_setup setup = {.lines = {.is_on = true}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct stage stage;
        stage_init(&stage, &setup, game_at(0), 4, 0);
        stage_push_table_and_view(&stage, cases[i][0], "{}");
        stage_push_table(&stage, "open");
        driver_forget_output(stage.driver);
        driver_type(stage.driver, "/look\n");
        driver_expect_output(stage.driver, cases[i][1]);
        stage_clear(&stage);
    }
}

static void who_may_sit_down_is_shown_before_the_start(void **state)
{
    static const char asks[] =
        "{\"fit\":{\"rating_min\":1400,\"rating_max\":1700,\"finished_min\":80}}";
    struct stage stage;
    struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    stage_init(&stage, &setup, game_at(0), 4, 0);
    driver_expect_not(stage.driver, "Open to");
    stage_push_table_and_view(&stage, asks, "{}");
    stage_push_table(&stage, "open");
    driver_expect(stage.driver, "Open to         rating 1400-1700 finished 80%");
    stage_clear(&stage);
    setup = (struct driver_setup){.lines = {.is_on = true}};
    stage_init(&stage, &setup, game_at(0), 4, 0);
    stage_push_table_and_view(&stage, asks, "{}");
    stage_push_table(&stage, "open");
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "/look\n");
    driver_expect_output(stage.driver, "Open to rating 1400-1700 finished");
    driver_expect_output(stage.driver, "finished 80%,");
    stage_clear(&stage);
}

static const char *get_requested_watch_policy(struct stage *stage)
{
    const json_t *sent = driver_find_request(stage->driver, "table_set");
    assert_non_null(sent);
    return json_string_value(json_object_get(json_object_get(sent, "watch"), "policy"));
}

static void the_host_chooses_who_may_watch_by_keys_and_commands(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    stage_init(&stage, &setup, game_at(0), 4, 0);
    driver_expect(stage.driver, "everybody");
    driver_type(stage.driver, "w");
    driver_expect(stage.driver, "Who may watch the game?");
    driver_print_screen(stage.driver, "who may watch, 80x24");
    driver_type(stage.driver, "f");
    assert_string_equal(get_requested_watch_policy(&stage), "friends");
    driver_answer(stage.driver, "table_set", NULL);
    driver_type(stage.driver, "/watching delay 12\r");
    assert_string_equal(get_requested_watch_policy(&stage), "delay");
    driver_refuse(stage.driver, "table_set", "not_host", "Only the host can do that.");
    driver_expect(stage.driver, "Only the host can do that.");
    driver_type(stage.driver, "/watching by foes\r");
    driver_expect(stage.driver, "Say public, delay, delay 10, friends or none");
    driver_type(stage.driver, "/watching talk off\r");
    assert_string_equal(get_requested_watch_policy(&stage), "public");
    stage_clear(&stage);
}

static void somebody_removed_from_a_table_returns_to_the_lobby_with_the_reason(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    begin_game_watched_with_delay(&stage, &setup);
    driver_push(stage.driver, "{\"t\":\"sent_out\",\"table\":9,\"why\":\"not this one\"}");
    driver_expect(stage.driver, "watching, 10 moves behind");
    driver_push(stage.driver, "{\"t\":\"sent_out\",\"table\":7,\"why\":\"for its players alone\"}");
    driver_expect(stage.driver, "for its players alone");
    driver_expect(stage.driver, "#lobby");
    stage_clear(&stage);
}

static const char first_deal[] =
    "{\"step\":0,\"last\":9,\"tricks\":[0,4],\"rounds\":[0,9],\"view\":";

/* Answers a request for an earlier step; the answer shows the spectator's current view. */
static void answer_request_for_past_step(struct stage *stage, const char *start_of_answer)
{
    char *buffer = malloc(65536);
    assert_non_null(buffer);
    struct text text = text_init(buffer, 65536);
    struct game_view view;
    stage_write_view(stage, &view);
    text_put(&text, start_of_answer);
    view_write(&view, &text);
    text_put(&text, "}");
    driver_answer(stage->driver, "past", buffer);
    free(buffer);
}

static int64_t get_requested_step(const struct stage *stage)
{
    const json_t *sent = driver_find_request(stage->driver, "past");
    assert_non_null(sent);
    return json_integer_value(json_object_get(sent, "step"));
}

static void a_spectator_can_page_back_to_the_first_card(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    begin_game_watched_with_delay(&stage, &setup);
    driver_type(stage.driver, "p");
    answer_request_for_past_step(
        &stage, "{\"step\":7,\"last\":9,\"tricks\":[4,8],\"rounds\":[0,9],\"view\":");
    driver_expect(stage.driver, "looking back");
    driver_expect(stage.driver, "step 7 of 9");
    driver_type(stage.driver, "\033[D");
    assert_int_equal(get_requested_step(&stage), 6);
    answer_request_for_past_step(
        &stage, "{\"step\":6,\"last\":9,\"tricks\":[4,8],\"rounds\":[0,9],\"view\":");
    driver_type(stage.driver, "\033[A");
    assert_int_equal(get_requested_step(&stage), 4);
    answer_request_for_past_step(
        &stage, "{\"step\":4,\"last\":9,\"tricks\":[0,8],\"rounds\":[0,9],\"view\":");
    driver_type(stage.driver, "\033[H");
    assert_int_equal(get_requested_step(&stage), 0);
    answer_request_for_past_step(&stage, first_deal);
    driver_expect(stage.driver, "step 0 of 9: the first deal");
    driver_type(stage.driver, "q");
    driver_expect_not(stage.driver, "looking back");
    driver_expect(stage.driver, "watching, 10 moves behind");
    stage_clear(&stage);
}

static void in_plain_mode_a_spectator_goes_back_by_commands(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.lines = {.is_on = true, .is_piped = true}};
    (void)state;
    begin_game_watched_with_delay(&stage, &setup);
    driver_type(stage.driver, "/past\n");
    answer_request_for_past_step(
        &stage, "{\"step\":7,\"last\":9,\"tricks\":[4,8],\"rounds\":[0,9],\"view\":");
    driver_expect_output(stage.driver, "step 7 of 9");
    driver_type(stage.driver, "start\n");
    assert_int_equal(get_requested_step(&stage), 0);
    answer_request_for_past_step(&stage, first_deal);
    driver_expect_output(stage.driver, "step 0 of 9: the first deal");
    driver_type(stage.driver, "trick\n");
    assert_int_equal(get_requested_step(&stage), 4);
    stage_clear(&stage);
}

static void a_player_is_not_offered_earlier_steps(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    stage_init(&stage, &setup, game_at(0), 4, 0);
    stage_deal(&stage, 3);
    driver_type(stage.driver, "/past\r");
    driver_expect(stage.driver,
                  "Only spectators of a running game can go back through its tricks.");
    assert_null(driver_find_request(stage.driver, "past"));
    stage_clear(&stage);
}

static void the_hosts_conditions_for_sitting_down_are_shown(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    stage_init(&stage, &setup, game_at(0), 4, 0);
    driver_type(stage.driver, "/only rating 1400-1700\r");
    driver_answer(stage.driver, "table_set", NULL);
    driver_expect(stage.driver, "only players who meet your conditions can see the table");
    driver_type(stage.driver, "/only all\r");
    driver_answer(stage.driver, "table_set", NULL);
    driver_expect(stage.driver, "everybody can see the table and sit down");
    stage_clear(&stage);
}

static void closing_a_table_with_other_people_asks_for_confirmation(void **state)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    (void)state;
    stage_init(&stage, &setup, game_at(0), 4, 0);
    driver_type(stage.driver, "/close\r");
    assert_null(driver_find_request(stage.driver, "table_close"));
    driver_expect(stage.driver, "Close the table?");
    driver_type(stage.driver, "y");
    assert_non_null(driver_find_request(stage.driver, "table_close"));
    driver_answer(stage.driver, "table_close", NULL);
    driver_push(stage.driver,
                "{\"t\":\"sent_out\",\"table\":7,\"why\":\"mira has closed #7 Oh Hell.\"}");
    driver_expect(stage.driver, "mira has closed #7");
    driver_expect(stage.driver, "#lobby");
    stage_clear(&stage);
}

TEST_GROUP(watching)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spectator_is_shown_the_delay_of_the_table),
        cmocka_unit_test(in_plain_mode_who_may_watch_is_shown_before_the_start),
        cmocka_unit_test(an_unrated_table_says_why_before_the_start),
        cmocka_unit_test(who_may_sit_down_is_shown_before_the_start),
        cmocka_unit_test(the_host_chooses_who_may_watch_by_keys_and_commands),
        cmocka_unit_test(somebody_removed_from_a_table_returns_to_the_lobby_with_the_reason),
        cmocka_unit_test(a_spectator_can_page_back_to_the_first_card),
        cmocka_unit_test(in_plain_mode_a_spectator_goes_back_by_commands),
        cmocka_unit_test(a_player_is_not_offered_earlier_steps),
        cmocka_unit_test(the_hosts_conditions_for_sitting_down_are_shown),
        cmocka_unit_test(closing_a_table_with_other_people_asks_for_confirmation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
