#include "daemon/screens/replay/replay.h"
#include "games/face.h"
#include "stage.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests hints of the strong bot: at the table, in replays, and in plain mode. */

#define RIGHT "\x1b[C"
#define UNRATED "{\"is_rated\":false}"

static const struct driver_setup drawn = {.columns = 80, .rows = 24};
static const struct driver_setup plain = {.columns = 80, .rows = 24, .lines = {.is_on = true}};

/* Deals a game that is not rated, in its short form. */
static void deal_unrated_game(struct stage *stage, const struct driver_setup *setup,
                              const struct game_def *game, int8_t own_seat)
{
    stage_init(stage, setup, game, game->short_form.players, own_seat);
    stage->config = game_config_short(game);
    stage->table_fields = UNRATED;
    stage_deal(stage, 3);
}

static bool may_viewer_move(const struct stage *stage)
{
    return (game_seats_to_act(&stage->state) >> stage->you & 1) != 0;
}

static bool make_random_moves_until_viewers_turn(struct stage *stage, uint8_t phase)
{
    struct game_view view;
    do {
        stage_write_view(stage, &view);
        if (may_viewer_move(stage) && view.phase == phase && move_set_count(&view.legal) > 1) {
            return true;
        }
    } while (stage_make_random_move(stage));
    return false;
}

static const struct game_def *find_game_with_bids(void)
{
    return game_at(0);
}

static void at_the_table_a_hint_names_a_move_and_compares_it_with_others(void **state)
{
    struct stage stage;
    (void)state;
    deal_unrated_game(&stage, &drawn, find_game_with_bids(), 0);
    assert_true(make_random_moves_until_viewers_turn(&stage, 1));
    driver_type(stage.driver, "/hint\r");
    driver_print_screen(stage.driver, "a hint at the table, 80x24");
    driver_expect(stage.driver, "The strong bot would choose ");
    driver_expect(stage.driver, "Expected points this round");
    stage_clear(&stage);
}

static void the_same_hint_may_be_asked_for_as_often_as_one_likes(void **state)
{
    struct stage stage;
    (void)state;
    deal_unrated_game(&stage, &plain, find_game_with_bids(), 0);
    assert_true(make_random_moves_until_viewers_turn(&stage, 1));
    for (int i = 0; i < 12; i++) {
        driver_type(stage.driver, "/hint\n");
    }
    driver_expect_output(stage.driver, "The strong bot would choose ");
    driver_expect_no_output(stage.driver, "The bot needs a moment");
    stage_clear(&stage);
}

static void a_hint_tells_the_key_of_a_card_whose_number_is_no_key(void **state)
{
    struct stage stage;
    unsigned told = 0;
    (void)state;
    deal_unrated_game(&stage, &drawn, game_find("suppose"), 0);
    while (told == 0 && make_random_moves_until_viewers_turn(&stage, 1)) {
        driver_wait(stage.driver, 9000);
        driver_type(stage.driver, "/hint\r");
        driver_expect(stage.driver, "The strong bot would choose ");
        bool is_tenth = driver_shows(stage.driver, "would choose card 10");
        bool is_eleventh = driver_shows(stage.driver, "would choose card 11");
        if (is_tenth || is_eleventh) {
            driver_expect(stage.driver, is_tenth ? "card 10 (key 0)." : "card 11 (key A).");
            told++;
        }
        assert_true(stage_make_random_move(&stage));
    }
    assert_int_equal(told, 1);
    stage_clear(&stage);
}

static void an_answer_on_a_page_that_covers_the_chat_is_told_in_a_notice(void **state)
{
    struct stage stage;
    (void)state;
    deal_unrated_game(&stage, &drawn, find_game_with_bids(), 0);
    assert_true(make_random_moves_until_viewers_turn(&stage, 1));
    driver_type(stage.driver, "/rules\r/hint\r");
    driver_expect(stage.driver, "The answer is in the chat");
    driver_type(stage.driver, "q");
    driver_expect(stage.driver, "The strong bot would choose ");
    stage_clear(&stage);
}

static void in_a_rated_game_a_hint_is_refused(void **state)
{
    struct stage stage;
    (void)state;
    deal_unrated_game(&stage, &drawn, find_game_with_bids(), 0);
    stage_push_table_and_view(&stage, "{\"is_rated\":true}", NULL);
    assert_true(make_random_moves_until_viewers_turn(&stage, 0));
    driver_type(stage.driver, "/hint\r");
    driver_expect(stage.driver, "Hints are for games that are not rated.");
    driver_expect_not(stage.driver, "would choose");
    stage_clear(&stage);
}

static void a_hint_is_refused_when_it_is_not_ones_turn(void **state)
{
    struct stage stage;
    (void)state;
    deal_unrated_game(&stage, &drawn, find_game_with_bids(), 0);
    while (may_viewer_move(&stage)) {
        assert_true(stage_make_random_move(&stage));
    }
    driver_type(stage.driver, "/hint\r");
    driver_expect(stage.driver, "It is not your turn.");
    stage_clear(&stage);
}

static void spectators_get_no_hint(void **state)
{
    struct stage stage;
    (void)state;
    deal_unrated_game(&stage, &drawn, find_game_with_bids(), SPECTATOR);
    driver_type(stage.driver, "/hint\r");
    driver_expect(stage.driver, "Hints are for players: you only watch here.");
    stage_clear(&stage);
}

static void without_a_running_game_there_is_no_hint(void **state)
{
    struct stage stage;
    (void)state;
    stage_init(&stage, &drawn, find_game_with_bids(), 4, 0);
    driver_type(stage.driver, "/hint\r");
    driver_expect(stage.driver, "No game is running here.");
    stage_clear(&stage);
}

static void in_the_lobby_there_is_no_hint(void **state)
{
    struct driver *driver = driver_new(&drawn);
    (void)state;
    driver_type(driver, "/hint\r");
    driver_expect(driver, "Hints are for your turn at a table, and for replays.");
    driver_free(driver);
}

static void play_to_the_end(struct stage *stage)
{
    while (stage_make_random_move(stage)) {
    }
}

static void open_replay(struct stage *stage)
{
    driver_type(stage->driver, "/replay 812\r");
    stage_answer_with_record(stage);
}

static void open_replay_of_unrated_game(struct stage *stage, const struct driver_setup *setup)
{
    deal_unrated_game(stage, setup, find_game_with_bids(), 0);
    play_to_the_end(stage);
    open_replay(stage);
}

static void a_key_shows_and_hides_the_hint_of_a_replays_step(void **state)
{
    struct stage stage;
    (void)state;
    open_replay_of_unrated_game(&stage, &drawn);
    driver_type(stage.driver, "b");
    driver_print_screen(stage.driver, "a hint in a replay, 80x24");
    driver_expect(stage.driver, "The strong bot, with what ");
    driver_expect(stage.driver, " next. The strong bot ");
    driver_expect(stage.driver, "Points it expects this round:");
    driver_type(stage.driver, "b");
    driver_expect_not(stage.driver, "The strong bot");
    driver_type(stage.driver, "/hint\r");
    driver_expect(stage.driver, "The strong bot, with what ");
    driver_type(stage.driver, RIGHT);
    driver_expect_not(stage.driver, "The strong bot");
    stage_clear(&stage);
}

static void hints_typed_faster_than_anybody_reads_are_refused_for_a_second(void **state)
{
    struct stage stage;
    (void)state;
    open_replay_of_unrated_game(&stage, &plain);
    driver_type(stage.driver, "hint\nhint\nhint\nhint\nhint\nhint\n");
    driver_expect_no_output(stage.driver, "The bot needs a moment"); /* it was always one hint */
    driver_wait(stage.driver, 1300);
    driver_type(stage.driver, "next\nhint\nnext\nhint\nnext\nhint\nnext\nhint\nnext\nhint\n");
    driver_expect_no_output(stage.driver, "The bot needs a moment");
    driver_type(stage.driver, "next\nhint\n");
    driver_expect_output(stage.driver, "The bot needs a moment");
    driver_forget_output(stage.driver);
    driver_wait(stage.driver, 1300);
    driver_type(stage.driver, "hint\n");
    driver_expect_output(stage.driver, " next. The strong bot ");
    stage_clear(&stage);
}

static void at_the_last_step_of_a_replay_nobody_moves(void **state)
{
    struct stage stage;
    (void)state;
    open_replay_of_unrated_game(&stage, &drawn);
    driver_type(stage.driver, "\x1b[F");
    driver_type(stage.driver, "b");
    driver_expect(stage.driver, "Nobody moves after the last step");
    stage_clear(&stage);
}

static void what_one_player_saw_is_shown_without_hints_for_the_others(void **state)
{
    struct stage stage;
    (void)state;
    open_replay_of_unrated_game(&stage, &drawn);
    driver_type(stage.driver, "b");
    driver_expect(stage.driver, "The strong bot, with what ");
    int hidden = 0;
    for (int seat = 0; seat < stage.config.players; seat++) {
        driver_type(stage.driver, "v");
        bool is_hidden = !driver_shows(stage.driver, "The strong bot, with what ");
        driver_type(stage.driver, is_hidden ? "b" : "");
        hidden += is_hidden && driver_shows(stage.driver, " saw: v shows other views.");
    }
    assert_int_equal(hidden, stage.config.players - 1);
    stage_clear(&stage);
}

static void in_plain_mode_hints_are_printed_in_lines(void **state)
{
    struct stage stage;
    (void)state;
    deal_unrated_game(&stage, &plain, find_game_with_bids(), 0);
    assert_true(make_random_moves_until_viewers_turn(&stage, 1));
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "/hint\n");
    driver_expect_output(stage.driver, "The strong bot would choose ");
    driver_expect_output(stage.driver, "Expected points this round: ");
    play_to_the_end(&stage);
    open_replay(&stage);
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "hint\n");
    printf("%s\n", driver_read_output(stage.driver));
    driver_expect_output(stage.driver, " next. The strong bot ");
    driver_expect_output(stage.driver, "Expected points this round: ");
    stage_clear(&stage);
}

/* Checks the hint at the replay's current step, and that what is shown of it comes from the view of
 * the player who moves. */
static void check_hint_at_step(struct replay_game *game, struct hint *hint)
{
    struct game_view view;
    assert_true(replay_game_fill_movers_view(game, &view));
    hint_make(hint, &view, &game->record.source.config, STAGE_GAME_ID);
    assert_int_equal(view.seat, game->record.source.moves[game->step].seat);
    assert_int_equal(view.step, game->step);
    assert_true(move_set_has(&view.legal, hint->move));
    assert_true(move_set_has(&view.legal, game->record.source.moves[game->step].move));
    assert_int_equal(hint->is_only_move, move_set_count(&view.legal) == 1);
    for (uint8_t i = 0; i < hint->count; i++) {
        assert_true(move_set_has(&view.legal, hint->choices[i].move));
        assert_non_null(face_label(&view, hint->choices[i].move).format);
    }
    if (hint->count > 0) {
        assert_int_equal(hint->choices[0].move, hint->move);
    }
}

static void every_step_of_a_short_game_has_a_hint_with_a_legal_move(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        struct stage stage;
        struct replay_game game = {0};
        struct game_view view;
        struct hint hint;
        uint32_t with_points = 0;
        deal_unrated_game(&stage, &drawn, game_at(i), 0);
        play_to_the_end(&stage);
        json_t *record = stage_make_game_record(&stage);
        assert_true(replay_game_init(&game, record));
        json_decref(record);
        for (uint32_t step = 0; step < game.record.source.move_count; step++) {
            if (!environment_tries(step)) {
                continue;
            }
            replay_game_go_to(&game, step);
            check_hint_at_step(&game, &hint);
            with_points += hint.count > 0;
        }
        replay_game_go_to(&game, game.record.source.move_count);
        assert_false(replay_game_fill_movers_view(&game, &view));
        /* without a net, the bot compares no points */
        assert_true(game_at(i)->encode == NULL ? with_points == 0
                                               : with_points > 10 / environment_part());
        printf("%s: %u steps, %u with points\n", game_at(i)->id, game.record.source.move_count,
               with_points);
        replay_game_clear(&game);
        stage_clear(&stage);
    }
}

static void expect_same_hint(const struct hint *hint, const struct hint *expected)
{
    assert_int_equal(hint->move, expected->move);
    assert_int_equal(hint->is_only_move, expected->is_only_move);
    assert_int_equal(hint->count, expected->count);
    for (uint8_t i = 0; i < hint->count; i++) {
        assert_int_equal(hint->choices[i].move, expected->choices[i].move);
        assert_int_equal(hint->choices[i].visits, expected->choices[i].visits);
        assert_true(hint->choices[i].points == expected->choices[i].points);
    }
}

static void the_hint_of_a_replay_is_the_one_that_the_player_got_at_the_table(void **state)
{
    struct stage stage;
    struct replay_game game = {0};
    struct hint at_table, again, later;
    struct game_view view;
    (void)state;
    deal_unrated_game(&stage, &drawn, find_game_with_bids(), 0);
    assert_true(make_random_moves_until_viewers_turn(&stage, 1));
    stage_write_view(&stage, &view);
    hint_make(&at_table, &view, &stage.config, STAGE_GAME_ID);
    hint_make(&again, &view, &stage.config, STAGE_GAME_ID);
    expect_same_hint(&again, &at_table);
    play_to_the_end(&stage);
    json_t *record = stage_make_game_record(&stage);
    assert_true(replay_game_init(&game, record));
    json_decref(record);
    replay_game_go_to(&game, view.step);
    assert_true(replay_game_fill_movers_view(&game, &view));
    hint_make(&later, &view, &game.record.source.config, STAGE_GAME_ID);
    expect_same_hint(&later, &at_table);
    replay_game_clear(&game);
    stage_clear(&stage);
}

/* The bot must see what the player sees, not the deal: a deal that the player cannot tell from this
 * one gives the same hint. */
static void a_hint_does_not_depend_on_cards_that_the_player_cannot_see(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        struct stage stage;
        struct game_view view, other_view;
        struct game_state other;
        struct hint hint, other_hint;
        deal_unrated_game(&stage, &drawn, game_at(i), 0);
        while (!may_viewer_move(&stage)) {
            assert_true(stage_make_random_move(&stage));
        }
        stage_write_view(&stage, &view);
        assert_int_equal(game_sample_state(&view, &stage.config, &stage.random, &other), GAME_OK);
        game_fill_view(stage.game, &other, stage.you, &other_view);
        hint_make(&hint, &view, &stage.config, STAGE_GAME_ID);
        hint_make(&other_hint, &other_view, &stage.config, STAGE_GAME_ID);
        expect_same_hint(&other_hint, &hint);
        stage_clear(&stage);
    }
}

TEST_GROUP(hint)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_the_table_a_hint_names_a_move_and_compares_it_with_others),
        cmocka_unit_test(the_same_hint_may_be_asked_for_as_often_as_one_likes),
        cmocka_unit_test(a_hint_tells_the_key_of_a_card_whose_number_is_no_key),
        cmocka_unit_test(an_answer_on_a_page_that_covers_the_chat_is_told_in_a_notice),
        cmocka_unit_test(in_a_rated_game_a_hint_is_refused),
        cmocka_unit_test(a_hint_is_refused_when_it_is_not_ones_turn),
        cmocka_unit_test(spectators_get_no_hint),
        cmocka_unit_test(without_a_running_game_there_is_no_hint),
        cmocka_unit_test(in_the_lobby_there_is_no_hint),
        cmocka_unit_test(a_key_shows_and_hides_the_hint_of_a_replays_step),
        cmocka_unit_test(hints_typed_faster_than_anybody_reads_are_refused_for_a_second),
        cmocka_unit_test(at_the_last_step_of_a_replay_nobody_moves),
        cmocka_unit_test(what_one_player_saw_is_shown_without_hints_for_the_others),
        cmocka_unit_test(in_plain_mode_hints_are_printed_in_lines),
        cmocka_unit_test(every_step_of_a_short_game_has_a_hint_with_a_legal_move),
        cmocka_unit_test(the_hint_of_a_replay_is_the_one_that_the_player_got_at_the_table),
        cmocka_unit_test(a_hint_does_not_depend_on_cards_that_the_player_cannot_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
