#include "stage.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* Tests questions and notices at the table that do not concern moves, and the key that folds the
 * game's board. */

static int set_up_table(void **state)
{
    struct stage *stage = calloc(1, sizeof(*stage));
    struct driver_setup setup = {.columns = 80, .rows = 24};
    assert_non_null(stage);
    stage_init(stage, &setup, game_at(0), 4, 0);
    stage_deal(stage, 3);
    *state = stage;
    return 0;
}

static void the_q_key_offers_to_keep_the_seat_or_to_leave_for_good(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "q");
    driver_expect(stage->driver, "In the lobby your seat is kept; for good ranks you below all");
    driver_type(stage->driver, "\x1b");
    driver_expect_not(stage->driver, "your seat is kept");
    assert_null(driver_find_request(stage->driver, "table_leave"));
    driver_type(stage->driver, "ql");
    assert_non_null(driver_find_request(stage->driver, "table_leave"));
    assert_null(driver_find_request(stage->driver, "seat_leave"));
}

static void leaving_for_good_gives_up_the_seat_and_then_leaves_the_table(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "qg");
    driver_expect(stage->driver, "Leave for good?");
    assert_null(driver_find_request(stage->driver, "seat_leave"));
    driver_type(stage->driver, "y");
    const json_t *sent = driver_find_request(stage->driver, "seat_leave");
    assert_non_null(sent);
    assert_true(json_is_true(json_object_get(sent, "for_good")));
    assert_null(driver_find_request(stage->driver, "table_leave"));
    driver_answer(stage->driver, "seat_leave", NULL);
    assert_non_null(driver_find_request(stage->driver, "table_leave"));
}

static void keys_without_a_meaning_do_not_close_a_question(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "qx\r7");
    driver_expect(stage->driver, "Leave?");
    driver_expect(stage->driver, "Esc stay");
}

static void a_notice_about_the_turn_disappears_when_the_game_continues(void **state)
{
    struct stage *stage = *state;
    struct game_view view;
    for (stage_write_view(stage, &view); view_viewer_may_move(&view);
         stage_write_view(stage, &view)) {
        assert_true(stage_make_random_move(stage));
    }
    driver_type(stage->driver, "1");
    driver_expect(stage->driver, "Not your turn yet");
    assert_true(stage_make_random_move(stage));
    driver_expect(stage->driver, "Not your turn yet"); /* it has not been read yet */
    driver_wait(stage->driver, 2500);
    driver_expect_not(stage->driver, "Not your turn yet");
}

static void a_notice_is_shown_only_on_its_own_screen(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "w");
    driver_expect(stage->driver, "Watching: guest-12");
    driver_type(stage->driver, "s");
    driver_expect_not(stage->driver, "Watching: guest-12");
}

static void the_i_key_folds_and_unfolds_the_board(void **state)
{
    (void)state;
    struct driver_setup setup = {.columns = 80, .rows = 24};
    for (uint8_t i = 0; i < game_count(); i++) {
        struct face_fact facts[FACE_BOARD_MAX];
        struct stage stage;
        struct game_view view;
        stage_init(&stage, &setup, game_at(i), game_at(i)->seats_min, 0);
        stage_deal(&stage, 3);
        stage_write_view(&stage, &view);
        if (game_at(i)->face->board != NULL && game_at(i)->face->board(&view, NULL, facts) > 0) {
            char *before = strdup(driver_read_row(stage.driver, 1));
            assert_non_null(before);
            assert_non_null(strstr(before, facts[0].label));
            driver_type(stage.driver, "i");
            assert_string_not_equal(driver_read_row(stage.driver, 1), before);
            driver_type(stage.driver, "i");
            assert_string_equal(driver_read_row(stage.driver, 1), before);
            free(before);
        }
        stage_clear(&stage);
    }
}

#define at_table(test) cmocka_unit_test_setup_teardown(test, set_up_table, stage_teardown)

TEST_GROUP(table_asked)
{
    const struct CMUnitTest tests[] = {
        at_table(the_q_key_offers_to_keep_the_seat_or_to_leave_for_good),
        at_table(leaving_for_good_gives_up_the_seat_and_then_leaves_the_table),
        at_table(keys_without_a_meaning_do_not_close_a_question),
        at_table(a_notice_about_the_turn_disappears_when_the_game_continues),
        at_table(a_notice_is_shown_only_on_its_own_screen),
        cmocka_unit_test(the_i_key_folds_and_unfolds_the_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
