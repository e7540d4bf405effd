#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests the screens around the table: set-up, score sheet, rules, replay. */

#define RIGHT "\x1b[C"
#define LEFT "\x1b[D"
#define DOWN "\x1b[B"
#define UP "\x1b[A"
#define PAGE_DOWN "\x1b[6~"
#define COMMITMENT "8214b5d6761c76c57d5c39dd4b4557282c221d7069acdc37a837b81909d49ce3"

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

/* Plays the game to its end and opens its replay. */
static void open_replay(struct stage *stage)
{
    while (stage_make_random_move(stage)) {
    }
    driver_wait(stage->driver, 2000);
    stage_push_result(stage);
    driver_type(stage->driver, "p");
    stage_answer_with_record(stage);
}

static void a_replay_starts_with_the_deal_and_shows_all_hands(void **state)
{
    struct stage *stage = *state;
    open_replay(stage);
    driver_expect(stage->driver, "the first deal");
    driver_expect(stage->driver, "replay: all hands");
    driver_expect(stage->driver, "Q♠ 7♠ A♥ 8♥ 4♥ A♣ Q♣ 9♣ A♦ T♦");
}

static void a_step_back_in_a_replay_shows_the_same_frame_again(void **state)
{
    struct stage *stage = *state;
    open_replay(stage);
    for (int i = 0; i < 60; i++) {
        driver_type(stage->driver, RIGHT);
        char *before = strdup(driver_read_screen(stage->driver));
        assert_non_null(before);
        driver_type(stage->driver, RIGHT LEFT);
        assert_string_equal(driver_read_screen(stage->driver), before);
        free(before);
    }
    driver_expect(stage->driver, "step 60 of");
}

static void a_replay_can_jump_by_trick_by_round_and_to_both_ends(void **state)
{
    struct stage *stage = *state;
    open_replay(stage);
    driver_type(stage->driver, DOWN);
    driver_expect(stage->driver, "step 8 of"); /* after four bids and the four cards of a trick */
    driver_expect(stage->driver, "took it");
    driver_type(stage->driver, DOWN UP);
    driver_expect(stage->driver, "step 8 of");
    driver_type(stage->driver, PAGE_DOWN);
    driver_expect(stage->driver,
                  "step 44 of"); /* after four bids and the forty cards of ten tricks */
    driver_type(stage->driver, RIGHT);
    driver_expect(stage->driver, "round 2 of 19");
    driver_type(stage->driver, "\x1b[F");
    driver_expect(stage->driver, "round 19 of 19");
    driver_type(stage->driver, "\x1b[H");
    driver_expect(stage->driver, "step 0 of");
}

static void a_replay_from_one_seat_shows_only_that_players_hand(void **state)
{
    struct stage *stage = *state;
    open_replay(stage);
    driver_type(stage->driver, "v");
    driver_expect(stage->driver, "replay: mira");
    driver_expect(stage->driver, "T♥");
    driver_expect_not(stage->driver, "A♥"); /* bob holds this card */
    driver_type(stage->driver, "vv");
    driver_expect(stage->driver, "replay: bob");
    driver_expect(stage->driver, "A♥");
    driver_expect_not(stage->driver, "T♥");
}

static void an_invalid_game_record_is_not_shown(void **state)
{
    struct stage *stage = *state;
    while (stage_make_random_move(stage)) {
    }
    driver_wait(stage->driver, 2000);
    stage_push_result(stage);
    driver_type(stage->driver, "p");
    driver_answer(stage->driver, "record", "{\"record\":{\"game\":\"nothing\",\"moves\":7}}");
    driver_expect(stage->driver, "This game cannot be shown");
    driver_type(stage->driver, RIGHT PAGE_DOWN "q");
    driver_expect(stage->driver, "deal ✓");
}

static void the_result_ranks_a_leaver_last_and_gives_the_score_to_the_bot(void **state)
{
    struct stage *stage = *state;
    stage->leaver = "zoe";
    while (stage_make_random_move(stage)) {
    }
    driver_wait(stage->driver, 2000);
    stage_push_result(stage);
    driver_expect(stage->driver, "zoe");
    int last = 0;
    for (int row = 0; row < 24; row++) {
        const char *text = driver_read_row(stage->driver, row);
        last = strstr(text, "zoe") != NULL && strstr(text, "left") != NULL ? row : last;
    }
    assert_true(last > 0);
    assert_non_null(strstr(driver_read_row(stage->driver, last), " 5  zoe"));
    assert_non_null(strstr(driver_read_row(stage->driver, last), "1574"));
    for (int row = 0; row < last; row++) { /* only zoe has this rating */
        assert_null(strstr(driver_read_row(stage->driver, row), "1574"));
    }
    assert_non_null(strstr(driver_read_row(stage->driver, last + 1), "zoe "));
}

static void a_player_who_left_a_game_for_good_has_no_score_in_the_history(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "/history\r");
    driver_answer(stage->driver, "games",
                  "{\"rows\":[{\"game_id\":9,\"game\":\"oh-hell\",\"at\":1794000000000,"
                  "\"players\":[{\"name\":\"bob\",\"rank\":1,\"score\":77},"
                  "{\"name\":\"nora\",\"rank\":2,\"score\":3},"
                  "{\"name\":\"mira\",\"rank\":3,\"score\":null}],"
                  "\"rank\":3,\"score\":null,\"change\":-12.0}]}");
    driver_expect(stage->driver, "3 of 3");
    driver_expect(stage->driver, "left");
}

static void the_score_sheet_explains_the_chosen_round(void **state)
{
    struct stage *stage = *state;
    while (stage_make_random_move(stage)) {
    }
    driver_wait(stage->driver, 2000);
    driver_type(stage->driver, "s");
    driver_expect(stage->driver, "Oh Hell: scores");
    driver_expect(stage->driver, "each round: bid/won, points, total");
    driver_expect(stage->driver, ">19 ");
    driver_expect(stage->driver, "Round 19:");
    char *before = strdup(driver_read_screen(stage->driver));
    assert_non_null(before);
    driver_type(stage->driver, UP);
    assert_string_not_equal(driver_read_screen(stage->driver), before);
    free(before);
    driver_expect(stage->driver, ">18 ");
    driver_expect(stage->driver, "Round 18:");
    driver_expect(stage->driver, "you: bid ");
    driver_type(stage->driver, "q");
    driver_expect_not(stage->driver, ": scores");
}

/* Plays until a round is on the score sheet. */
static void play_one_round(struct stage *stage)
{
    while (json_array_size(stage->sheet) == 0) {
        assert_true(stage_make_random_move(stage));
    }
    driver_wait(stage->driver, 2000);
}

static void the_first_column_of_the_score_sheet_is_the_viewers(void **state)
{
    (void)state;
    for (int8_t seat = SPECTATOR; seat < 4; seat++) {
        struct stage stage;
        stage_init(&stage, &(struct driver_setup){.columns = 80, .rows = 24}, game_at(0), 4, seat);
        stage_deal(&stage, 3);
        play_one_round(&stage);
        driver_type(stage.driver, "/scores\r");
        const char *names = driver_read_row(stage.driver, 3);
        if (seat != SPECTATOR && strncmp(names + strspn(names, " "), "you ", 4) != 0) {
            driver_print_screen(stage.driver, "the first column is not the viewer's");
            fail_msg("seat %d: %s", seat, names);
        }
        stage_clear(&stage);
    }
}

/* Reads the explanations of the first round in one piece, and then page by page. */
static void expect_pages_to_show_all_explanations(const struct game_def *game, uint32_t seed)
{
    struct stage stage;
    char all[20000], read[20000] = "";
    stage_init(&stage, &(struct driver_setup){.columns = 60, .rows = 60}, game, game->seats_max, 0);
    stage.has_long_names = true;
    stage_deal(&stage, seed);
    play_one_round(&stage);
    driver_type(stage.driver, "/scores\r");
    snprintf(all, sizeof(all), "%s", driver_read_screen(stage.driver));
    driver_resize(stage.driver, 60, 18);
    for (const char *page = driver_read_screen(stage.driver); strstr(read, page) == NULL;
         page = driver_read_screen(stage.driver)) {
        strncat(read, page, sizeof(read) - strlen(read) - 1);
        driver_type(stage.driver, PAGE_DOWN);
    }
    char *rows = strstr(all, "Round 1:"), *rest = NULL;
    assert_non_null(rows);
    *strstr(rows, "\n\n") = '\0';
    const char *at = read; /* pages may repeat rows, but must not leave out any */
    for (char *row = strtok_r(rows, "\n", &rest); row != NULL; row = strtok_r(NULL, "\n", &rest)) {
        at = strstr(at, row);
        if (at == NULL) {
            fail_msg("\"%s\" is missing in:\n%s", row, read);
        }
        at += strlen(row);
    }
    stage_clear(&stage);
}

static void page_down_shows_every_row_of_the_explanations(void **state)
{
    (void)state;
    for (uint8_t game = 0; game < game_count(); game++) {
        expect_pages_to_show_all_explanations(game_at(game), 3);
    }
}

static void without_a_finished_round_no_key_explains_one(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "s");
    driver_expect(stage->driver, "No round is finished yet.");
    driver_expect_not(stage->driver, "explain a round");
    driver_type(stage->driver, "q");
    play_one_round(stage);
    driver_type(stage->driver, "/scores\r");
    driver_expect(stage->driver, "explain a round");
}

static void the_score_sheet_says_what_the_commitment_of_the_deal_is(void **state)
{
    struct stage *stage = *state;
    stage_push_table_and_view(stage, "{\"commitment\":\"" COMMITMENT "\"}", NULL);
    driver_type(stage->driver, "s");
    driver_expect(stage->driver, "deal: the seed was fixed before the first card");
    driver_expect(stage->driver, COMMITMENT);
}

static void expect_in_help(struct driver *driver, bool is_listed, const char *words)
{
    if (is_listed) {
        driver_expect(driver, words);
    } else {
        driver_expect_not(driver, words);
    }
}

static void the_help_at_a_table_lists_only_keys_that_its_game_has(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        struct stage stage;
        stage_init(&stage, &(struct driver_setup){.columns = 120, .rows = 60}, game,
                   game->seats_max, 0);
        stage_deal(&stage, 3);
        driver_type(stage.driver, "??");
        driver_expect(stage.driver, "show the last trick again");
        expect_in_help(stage.driver, game->face->aim != NULL, "another player's card and a clue");
        expect_in_help(stage.driver, game->face->order != NULL, "move the picked one");
        expect_in_help(stage.driver, game->face->order != NULL, "give the hand as it lies");
        expect_in_help(stage.driver, game->claim != NULL, "claim all remaining tricks");
        stage_clear(&stage);
    }
}

static void the_question_mark_key_shows_the_rules_and_then_the_keys(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "?");
    driver_expect(stage->driver, "Oh Hell in brief");
    driver_type(stage->driver, "?");
    driver_expect(stage->driver, "show the last trick again");
    driver_type(stage->driver, "q");
    driver_expect_not(stage->driver, "Oh Hell in brief");
}

static void the_rules_are_shown_in_brief_and_then_in_full(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "r");
    driver_expect(stage->driver, "Oh Hell in brief");
    driver_expect(stage->driver, "Winner  The highest total after the last round.");
    driver_type(stage->driver, "\r");
    driver_expect(stage->driver, "Oh Hell: the rules");
    driver_expect_not(stage->driver, "Players with the same total share");
    driver_type(stage->driver, "\x1b[F");
    driver_expect(stage->driver, "Players with the same total share");
}

static void the_signs_of_the_game_stand_before_the_common_ones(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "?s");
    const char *screen = driver_read_screen(stage->driver);
    const char *own = strstr(screen, "under-bid "), *common = strstr(screen, "score 12 "),
               *rating = strstr(screen, "1551? ");
    assert_true(own != NULL && common != NULL && rating != NULL);
    assert_true(own < common && common < rating);
}

static void only_the_rules_of_the_tables_game_say_which_options_hold(void **state)
{
    struct stage *stage = *state;
    char line[128];
    driver_type(stage->driver, "?");
    driver_expect(stage->driver, "This table: Length: long: down to 1 card, then up again");
    driver_expect(stage->driver, "Scoring: positive");
    driver_type(stage->driver, "q");
    snprintf(line, sizeof(line), "/rules %s\r", game_at(1)->id);
    driver_type(stage->driver, line);
    driver_expect(stage->driver, game_at(1)->title);
    driver_expect_not(stage->driver, "This table:");
}

static void a_new_table_gets_the_chosen_settings(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "/new\r");
    driver_expect(stage->driver, "A new table");
    driver_type(stage->driver, DOWN RIGHT); /* five players */
    driver_type(stage->driver,
                DOWN RIGHT RIGHT); /* the third value of the option for the game's length */
    driver_type(stage->driver, DOWN DOWN LEFT); /* 15 seconds */
    driver_type(stage->driver, "psesame\r");
    driver_type(stage->driver, "\r");
    const json_t *sent = driver_find_request(stage->driver, "table_open");
    assert_non_null(sent);
    assert_int_equal(json_integer_value(json_object_get(sent, "players")), 5);
    const json_t *clock = json_object_get(sent, "clock");
    assert_int_equal(json_integer_value(json_object_get(clock, "move_s")), 15);
    assert_string_equal(json_string_value(json_object_get(sent, "password")), "sesame");
    const json_t *length = json_object_get(json_object_get(sent, "options"), "length");
    assert_string_equal(json_string_value(length), "short-up-down");
}

static void the_command_new_takes_a_game_and_a_number_of_players(void **state)
{
    struct stage *stage = *state;
    char line[128];
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        const char *const names[] = {game->id, game->title};
        for (size_t j = 0; j < ARRAY_LEN(names); j++) {
            snprintf(line, sizeof(line), "/new %s %u\r", names[j], game->seats_max);
            driver_type(stage->driver, line);
            driver_expect(stage->driver, "A new table");
            driver_type(stage->driver, "\r");
            const json_t *sent = driver_find_request(stage->driver, "table_open");
            assert_non_null(sent);
            assert_string_equal(json_string_value(json_object_get(sent, "game")), game->id);
            assert_int_equal(json_integer_value(json_object_get(sent, "players")), game->seats_max);
            driver_refuse(stage->driver, "table_open", "full", "There are enough tables.");
            driver_type(stage->driver, "q");
        }
    }
}

static void the_command_new_refuses_words_that_name_no_game(void **state)
{
    struct stage *stage = *state;
    char line[128];
    driver_type(stage->driver, "/new canasta 4\r");
    driver_expect(stage->driver, "There is no game called canasta here.");
    driver_expect_not(stage->driver, "A new table");
    snprintf(line, sizeof(line), "/new %s 99\r", game_at(0)->id);
    driver_type(stage->driver, line);
    snprintf(line, sizeof(line), "%s is for %u to %u players.", game_at(0)->title,
             game_at(0)->seats_min, game_at(0)->seats_max);
    driver_expect(stage->driver, line);
    driver_expect_not(stage->driver, "A new table");
}

static void a_game_against_bots_only_has_no_clock_unless_one_is_chosen(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "/new\rb");
    const json_t *clock =
        json_object_get(driver_find_request(stage->driver, "table_open"), "clock");
    assert_string_equal(json_string_value(json_object_get(clock, "kind")), "none");
    driver_refuse(stage->driver, "table_open", "full", "There are enough tables.");
    driver_type(stage->driver, "q/new\r");
    driver_type(stage->driver, DOWN DOWN DOWN DOWN LEFT "b");
    clock = json_object_get(driver_find_request(stage->driver, "table_open"), "clock");
    assert_int_equal(json_integer_value(json_object_get(clock, "move_s")), 15);
}

static void the_b_key_opens_a_table_full_of_bots_and_starts_the_game(void **state)
{
    struct stage *stage = *state;
    driver_type(stage->driver, "/new\rb");
    driver_answer(stage->driver, "table_open", "{\"table\":9}");
    for (int i = 0; i < 3; i++) {
        assert_non_null(driver_find_request(stage->driver, "bot_add"));
        driver_answer(stage->driver, "bot_add", NULL);
    }
    assert_null(driver_find_request(stage->driver, "bot_add"));
    assert_non_null(driver_find_request(stage->driver, "table_start"));
}

static void the_play_command_takes_a_cards_name(void **state)
{
    struct stage *stage = *state;
    struct game_view view;
    assert_true(stage_play_until_turn(stage, 1));
    stage_write_view(stage, &view);
    char command[64] = "/play ";
    struct text text = text_init(command + strlen(command), sizeof(command) - strlen(command));
    uint8_t move = move_set_next(&view.legal, 0);
    card_write_name(view.game->deck, move, &text);
    text_put(&text, "\r");
    driver_type(stage->driver, command);
    const json_t *sent = driver_find_request(stage->driver, "move");
    assert_non_null(sent);
    assert_int_equal(json_integer_value(json_object_get(sent, "step")), view.step);
}

#define at_table(test) cmocka_unit_test_setup_teardown(test, set_up_table, stage_teardown)

TEST_GROUP(table_more)
{
    const struct CMUnitTest tests[] = {
        at_table(a_replay_starts_with_the_deal_and_shows_all_hands),
        at_table(a_step_back_in_a_replay_shows_the_same_frame_again),
        at_table(a_replay_can_jump_by_trick_by_round_and_to_both_ends),
        at_table(a_replay_from_one_seat_shows_only_that_players_hand),
        at_table(an_invalid_game_record_is_not_shown),
        at_table(the_result_ranks_a_leaver_last_and_gives_the_score_to_the_bot),
        at_table(a_player_who_left_a_game_for_good_has_no_score_in_the_history),
        at_table(the_score_sheet_explains_the_chosen_round),
        cmocka_unit_test(the_first_column_of_the_score_sheet_is_the_viewers),
        cmocka_unit_test(page_down_shows_every_row_of_the_explanations),
        at_table(without_a_finished_round_no_key_explains_one),
        at_table(the_score_sheet_says_what_the_commitment_of_the_deal_is),
        cmocka_unit_test(the_help_at_a_table_lists_only_keys_that_its_game_has),
        at_table(the_rules_are_shown_in_brief_and_then_in_full),
        at_table(the_signs_of_the_game_stand_before_the_common_ones),
        at_table(only_the_rules_of_the_tables_game_say_which_options_hold),
        at_table(the_question_mark_key_shows_the_rules_and_then_the_keys),
        at_table(a_new_table_gets_the_chosen_settings),
        at_table(the_command_new_takes_a_game_and_a_number_of_players),
        at_table(the_command_new_refuses_words_that_name_no_game),
        at_table(a_game_against_bots_only_has_no_clock_unless_one_is_chosen),
        at_table(the_b_key_opens_a_table_full_of_bots_and_starts_the_game),
        at_table(the_play_command_takes_a_cards_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
