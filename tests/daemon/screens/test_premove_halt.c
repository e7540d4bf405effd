#include "stage.h"

#include "games/face.h"
#include "tests/unit.h"

#include <stdlib.h>

/* Tests that a move made while a game waits for players whom the house has disconnected is kept,
 * shown and made when the game goes on. */

#define BID 0
#define PLAY 1
#define WAIT "{\"halt\":\"house\",\"awaited\":[2],\"is_rated\":false}"
#define GO_ON "{\"halt\":\"none\",\"awaited\":[]}"
#define KEPT "will play itself when the game goes on"

static int set_up_with(void **state, const struct driver_setup *setup, uint8_t phase)
{
    struct stage *stage = calloc(1, sizeof(*stage));
    assert_non_null(stage);
    stage_init(stage, setup, game_find("oh-hell"), 4, 0);
    stage_deal(stage, 1);
    assert_true(stage_play_until_turn(stage, phase));
    driver_wait(stage->driver, 9000); /* no finished trick and no older words are shown */
    *state = stage;
    return 0;
}

static int set_up_bid(void **state)
{
    return set_up_with(state, &(const struct driver_setup){.columns = 80, .rows = 24}, BID);
}

static int set_up_play(void **state)
{
    return set_up_with(state, &(const struct driver_setup){.columns = 80, .rows = 24}, PLAY);
}

static int set_up_plain(void **state)
{
    return set_up_with(
        state, &(const struct driver_setup){.lines = {.is_on = true, .is_piped = true}}, BID);
}

static int tear_down(void **state)
{
    stage_clear(*state);
    free(*state);
    return 0;
}

static void assert_sent_move(const struct stage *stage, const char *move)
{
    assert_non_null(stage_find_sent_move(stage));
    assert_string_equal(stage_find_sent_move(stage), move);
}

static void a_move_chosen_while_the_game_waits_is_shown_and_made_when_it_goes_on(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, WAIT, NULL);
    driver_expect(stage->driver, "Enter play on");
    driver_expect(stage->driver, " choose ");
    driver_type(stage->driver, "2\r");
    assert_null(stage_find_sent_move(stage));
    assert_null(driver_find_request(stage->driver, "resume"));
    driver_expect(stage->driver, "2 " KEPT ". Esc takes it back.");
    driver_expect(stage->driver, "waiting for bob; then 2 plays itself");
    driver_expect(stage->driver, "Esc take back");
    stage_push_table_and_view(stage, GO_ON, NULL);
    assert_sent_move(stage, "bid:2");
    driver_expect(stage->driver, "Played as you wanted: 2");
}

static void a_kept_move_can_be_changed_or_taken_back(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, WAIT, NULL);
    driver_type(stage->driver, "2");
    driver_type(stage->driver, "1\r"); /* 1 may be the beginning of 10 */
    driver_expect(stage->driver, "waiting for bob; then 1 plays itself");
    driver_type(stage->driver, "\x1b");
    driver_wait(stage->driver, 100);
    driver_expect(stage->driver, "Taken back");
    driver_expect(stage->driver, "Interrupted: waiting for bob");
    stage_push_table_and_view(stage, GO_ON, NULL);
    assert_null(stage_find_sent_move(stage));
}

static void a_move_that_is_not_legal_is_refused_and_not_kept(void **state)
{
    struct stage *stage = *state;
    struct game_view view;
    stage_push_table_and_view(stage, WAIT, NULL);
    driver_type(stage->driver, "/premove bid 99\r");
    driver_expect(stage->driver, "is no card or move of yours");
    driver_type(stage->driver, "/premove KS\r"); /* a card of the hand, but it is time to bid */
    driver_expect(stage->driver, "bid first");
    driver_expect_not(stage->driver, "will play itself");
    stage_push_table_and_view(stage, GO_ON, NULL);
    stage_write_view(stage, &view);
    assert_true(view_viewer_may_move(&view));
    assert_null(stage_find_sent_move(stage));
}

static void enter_confirms_a_selected_card_and_otherwise_goes_on(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, WAIT, NULL);
    driver_expect(stage->driver, "Enter play on");
    do {
        driver_type(stage->driver, "\x1b[C");
        driver_expect_not(stage->driver, "Enter play on");
        driver_type(stage->driver, "\r");
    } while (!driver_shows(stage->driver, KEPT));
    assert_null(driver_find_request(stage->driver, "resume"));
    driver_expect(stage->driver, "Enter play on");
    driver_wait(stage->driver, 2000);
    driver_type(stage->driver, "\r");
    assert_non_null(driver_find_request(stage->driver, "resume"));
    assert_null(stage_find_sent_move(stage));
    stage_push_table_and_view(stage, GO_ON, NULL);
    assert_non_null(stage_find_sent_move(stage));
}

static void a_move_that_reaches_the_house_before_the_others_are_back_is_kept(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "2\r");
    assert_sent_move(stage, "bid:2");
    stage_push_table_and_view(stage, WAIT, NULL);
    driver_refuse(stage->driver, "move", "halted", "The game stands still.");
    driver_expect_not(stage->driver, "The game stands still.");
    driver_expect(stage->driver, "2 " KEPT);
    assert_null(stage_find_sent_move(stage));
    stage_push_table_and_view(stage, GO_ON, NULL);
    assert_sent_move(stage, "bid:2");
}

static void a_move_refused_before_the_halt_is_told_is_sent_once_more(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "2\r");
    driver_refuse(stage->driver, "move", "halted", "The game stands still.");
    assert_sent_move(stage, "bid:2");
    stage_push_table_and_view(stage, WAIT, NULL);
    driver_refuse(stage->driver, "move", "halted", "The game stands still.");
    driver_expect(stage->driver, "2 " KEPT);
    assert_null(stage_find_sent_move(stage));
    stage_push_table_and_view(stage, GO_ON, NULL);
    assert_sent_move(stage, "bid:2");
}

static void a_move_that_is_refused_again_without_a_halt_is_not_repeated_for_ever(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "2\r");
    driver_refuse(stage->driver, "move", "halted", "The game stands still.");
    driver_refuse(stage->driver, "move", "halted", "The game stands still.");
    assert_null(stage_find_sent_move(stage));
    driver_expect(stage->driver, "The game stands still.");
}

static void a_move_made_in_a_pause_is_refused_and_not_kept(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, "{\"halt\":\"pause\"}", NULL);
    driver_type(stage->driver, "2");
    assert_sent_move(stage, "bid:2");
    driver_refuse(stage->driver, "move", "halted", "The game stands still.");
    driver_expect(stage->driver, "The game stands still.");
    driver_expect_not(stage->driver, "plays itself");
    stage_push_table_and_view(stage, GO_ON, NULL);
    assert_null(stage_find_sent_move(stage));
}

static void in_plain_mode_a_typed_move_is_kept_too(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, WAIT, NULL);
    driver_type(stage->driver, "2\r");
    driver_expect_output(stage->driver, KEPT ". /premove off takes it back.");
    assert_null(stage_find_sent_move(stage));
    driver_type(stage->driver, "KS\r"); /* a card of the hand, but it is time to bid */
    driver_type(stage->driver, "/premove\r");
    driver_expect_output(stage->driver, "At your turn, this plays itself: 2");
    stage_push_table_and_view(stage, GO_ON, NULL);
    assert_sent_move(stage, "bid:2");
}

#define BID_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_bid, tear_down)

TEST_GROUP(premove_halt)
{
    const struct CMUnitTest tests[] = {
        BID_TEST(a_move_chosen_while_the_game_waits_is_shown_and_made_when_it_goes_on),
        BID_TEST(a_kept_move_can_be_changed_or_taken_back),
        BID_TEST(a_move_that_is_not_legal_is_refused_and_not_kept),
        cmocka_unit_test_setup_teardown(enter_confirms_a_selected_card_and_otherwise_goes_on,
                                        set_up_play, tear_down),
        BID_TEST(a_move_that_reaches_the_house_before_the_others_are_back_is_kept),
        BID_TEST(a_move_refused_before_the_halt_is_told_is_sent_once_more),
        BID_TEST(a_move_that_is_refused_again_without_a_halt_is_not_repeated_for_ever),
        BID_TEST(a_move_made_in_a_pause_is_refused_and_not_kept),
        cmocka_unit_test_setup_teardown(in_plain_mode_a_typed_move_is_kept_too, set_up_plain,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
