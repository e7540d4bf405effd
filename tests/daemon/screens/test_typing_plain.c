#include "daemon/screens/kernel/ui.h"
#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests that nothing that was meant as a command or a move is said to the table in plain mode. */

static const struct driver_setup piped = {
    .lines = {.is_on = true, .is_piped = true, .is_read_aloud = true}};

static void type_line(struct stage *stage, const char *line)
{
    char keys[80];
    snprintf(keys, sizeof(keys), "%s\r", line);
    driver_forget_output(stage->driver);
    driver_type(stage->driver, keys);
}

static void assert_line_is_not_said(struct stage *stage, const char *line)
{
    type_line(stage, line);
    if (driver_find_request(stage->driver, "say") != NULL) {
        fail_msg("%s: \"%s\" was said", stage->game->id, line);
    }
}

/* Plays random moves until the viewer is asked for a move, or until others are. */
static void play_until(struct stage *stage, bool is_own_turn)
{
    struct game_view view;
    for (stage_write_view(stage, &view); view_viewer_may_move(&view) != is_own_turn;
         stage_write_view(stage, &view)) {
        assert_true(stage_make_random_move(stage));
    }
}

/* Runs the check at a table of each game. */
static void check_at_every_game(void (*check)(struct stage *stage))
{
    for (uint8_t i = 0; i < game_count(); i++) {
        struct stage stage;
        stage_init(&stage, &piped, game_at(i), game_at(i)->seats_min, 0);
        stage_deal(&stage, 3);
        check(&stage);
        stage_clear(&stage);
    }
}

static void check_help_is_printed(struct stage *stage)
{
    static const char *const lines[] = {"help", "?", "/help"};
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        assert_line_is_not_said(stage, lines[i]);
        driver_expect_output(stage->driver, "A line that begins with / is a command");
    }
}

static void who_asks_for_help_without_a_slash_gets_it(void **state)
{
    (void)state;
    check_at_every_game(check_help_is_printed);
}

static void help_at_a_table_lists_the_commands_of_tables(void **state)
{
    struct stage stage;
    (void)state;
    stage_init(&stage, &piped, game_at(0), 4, 0);
    stage_deal(&stage, 3);
    type_line(&stage, "help");
    driver_expect_output(stage.driver, "/premove [card");
    driver_expect_output(stage.driver, "/leave: ");
    driver_expect_no_output(stage.driver, "/motd");
    type_line(&stage, "/help all");
    driver_expect_output(stage.driver, "/premove [card");
    driver_expect_output(stage.driver, "/motd");
    stage_clear(&stage);
}

static void no_stays_at_the_table(void **state)
{
    static const char *const answers[] = {"n", "No", "/back"};
    struct stage stage;
    (void)state;
    stage_init(&stage, &piped, game_at(0), 4, 0);
    stage_deal(&stage, 3);
    for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
        type_line(&stage, "/leave");
        driver_expect_output(stage.driver, "l: to the lobby, g: leave for good, /back: stay");
        type_line(&stage, answers[i]);
        driver_expect_no_output(stage.driver, "/back: stay");
        assert_null(driver_find_request(stage.driver, "table_leave"));
        assert_null(driver_find_request(stage.driver, "seat_leave"));
    }
    type_line(&stage, "not yet");
    assert_non_null(driver_find_request(stage.driver, "say"));
    stage_clear(&stage);
}

static void check_names_of_commands_are_not_said(struct stage *stage)
{
    for (int turn = 0; turn < 2; turn++) {
        play_until(stage, turn == 0);
        for (const struct command *command = command_list; command->name != NULL; command++) {
            if (command->role != ROLE_PLAYER) {
                continue;
            }
            assert_line_is_not_said(stage, command->name);
            assert_null(driver_find_request(stage->driver, "move"));
        }
    }
    type_line(stage, "scores");
    driver_expect_output(stage->driver, "/scores is the command, /chat scores says it.");
}

static void the_name_of_a_command_alone_is_not_said(void **state)
{
    (void)state;
    check_at_every_game(check_names_of_commands_are_not_said);
}

static void the_name_of_a_command_of_staff_is_talk_for_players(void **state)
{
    struct stage stage;
    (void)state;
    stage_init(&stage, &piped, game_at(0), 4, 0);
    stage_deal(&stage, 3);
    type_line(&stage, "mute");
    assert_non_null(driver_find_request(stage.driver, "say"));
    stage_clear(&stage);
}

static void check_slips_are_not_said(struct stage *stage)
{
    static const char *const lines[] = {"ye6", "p5", "4h4", "no.3", "#2", "99", "12,13"};
    for (int turn = 0; turn < 2; turn++) {
        play_until(stage, turn == 0);
        for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
            assert_line_is_not_said(stage, lines[i]);
            assert_null(driver_find_request(stage->driver, "move"));
            driver_expect_output(stage->driver, "was not said");
            driver_expect_output(stage->driver, turn == 0 ? "Your turn" : "Waiting for");
        }
    }
}

static void a_word_that_looks_like_a_move_is_not_said(void **state)
{
    (void)state;
    check_at_every_game(check_slips_are_not_said);
}

static void words_of_the_printed_choices_are_not_said(void **state)
{
    struct stage stage;
    unsigned seen = 0;
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        stage_init(&stage, &piped, game_at(i), game_at(i)->seats_min, 0);
        stage_deal(&stage, 3);
        while (stage_make_random_move(&stage)) {
            type_line(&stage, "");
            if (strstr(driver_read_output(stage.driver), "You can choose 1 unknown") != NULL) {
                assert_line_is_not_said(&stage, "unknown");
                assert_line_is_not_said(&stage, "Unknown");
                seen++;
            }
        }
        stage_clear(&stage);
    }
    assert_true(seen > 0);
}

static void a_sentence_is_said_whoever_has_the_turn(void **state)
{
    static const char *const lines[] = {"well played", "nice", "why did you do that?",
                                        "3 hearts again?", "ha ha"};
    struct stage stage;
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        stage_init(&stage, &piped, game_at(i), game_at(i)->seats_min, 0);
        stage_deal(&stage, 3);
        for (int turn = 0; turn < 2; turn++) {
            play_until(&stage, turn == 0);
            for (size_t line = 0; line < ARRAY_LEN(lines); line++) {
                type_line(&stage, lines[line]);
                assert_non_null(driver_find_request(stage.driver, "say"));
                driver_answer(stage.driver, "say", NULL);
            }
        }
        stage_clear(&stage);
    }
}

/* Returns the number that plain mode prints for a card that may not be played now; 0: none. */
static int find_number_of_refused_card(struct stage *stage)
{
    struct text list = TEXT_OF(400);
    type_line(stage, "");
    const char *at = strstr(driver_read_output(stage->driver), "Not now: ");
    if (at == NULL) {
        return 0;
    }
    text_put(&list, at + strlen("Not now: "));
    return list.at[0] - '0';
}

static void a_refused_card_is_named_and_the_choices_are_printed_again(void **state)
{
    struct stage stage;
    int number = 0;
    (void)state;
    stage_init(&stage, &piped, game_at(0), 4, 0);
    for (uint32_t seed = 1; seed < 40 && number == 0; seed++) {
        stage_deal(&stage, seed);
        while (number == 0 && stage_make_random_move(&stage)) {
            number = find_number_of_refused_card(&stage);
        }
    }
    assert_true(number > 0);
    for (int way = 0; way < 2; way++) {
        char line[20];
        snprintf(line, sizeof(line), way == 0 ? "%d" : "/play %d", number);
        type_line(&stage, line);
        driver_expect_output(stage.driver, " was not played: must follow");
        driver_expect_output(stage.driver, "You can choose ");
        assert_null(driver_find_request(stage.driver, "move"));
    }
    stage_clear(&stage);
}

static void premove_in_ones_own_turn_is_an_ordinary_move(void **state)
{
    struct stage stage;
    (void)state;
    stage_init(&stage, &piped, game_at(0), 4, 0);
    stage_deal(&stage, 3);
    play_until(&stage, true);
    type_line(&stage, "/premove 1");
    driver_expect_no_output(stage.driver, "will play itself");
    assert_non_null(driver_find_request(stage.driver, "move"));
    stage_clear(&stage);
}

static void nothing_is_asked_when_the_chosen_move_plays_itself(void **state)
{
    struct stage stage;
    (void)state;
    stage_init(&stage, &piped, game_at(0), 4, 0);
    stage_deal(&stage, 3);
    play_until(&stage, false);
    type_line(&stage, "/premove bid 1");
    driver_forget_output(stage.driver);
    play_until(&stage, true);
    driver_expect_output(stage.driver, "Played as you wanted: 1");
    driver_expect_no_output(stage.driver, "Your turn");
    stage_clear(&stage);
}

TEST_GROUP(typing_plain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_asks_for_help_without_a_slash_gets_it),
        cmocka_unit_test(help_at_a_table_lists_the_commands_of_tables),
        cmocka_unit_test(no_stays_at_the_table),
        cmocka_unit_test(the_name_of_a_command_alone_is_not_said),
        cmocka_unit_test(the_name_of_a_command_of_staff_is_talk_for_players),
        cmocka_unit_test(a_word_that_looks_like_a_move_is_not_said),
        cmocka_unit_test(words_of_the_printed_choices_are_not_said),
        cmocka_unit_test(a_sentence_is_said_whoever_has_the_turn),
        cmocka_unit_test(a_refused_card_is_named_and_the_choices_are_printed_again),
        cmocka_unit_test(premove_in_ones_own_turn_is_an_ordinary_move),
        cmocka_unit_test(nothing_is_asked_when_the_chosen_move_plays_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
