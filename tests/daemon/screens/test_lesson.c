#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "games/history.h"
#include "tests/daemon/screens/driver.h"
#include "tests/daemon/screens/stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a lesson tells its player at the table, on drawn screens and in plain lines. */

/* Makes the next `count` moves of the script, and lets the shown tricks pass. */
static void make_scripted_moves(struct stage *stage, uint16_t first, uint16_t count)
{
    const struct lesson_move *moves = stage->game->face->lesson->moves;
    for (uint16_t i = first; i < first + count; i++) {
        stage_make_move(stage, moves[i].seat, game_move_parse(stage->game, moves[i].move));
        driver_wait(stage->driver, 9000);
    }
}

/* Appends a row of text without the blanks before it and without what stands beside it. */
static void append_row(char *out, const char *row, size_t len)
{
    size_t before = strspn(row, " ");
    if (before < len) {
        const char *gap = strstr(row + before, "  ");
        const char *pane = strstr(row + before, " │");
        size_t end = len;
        end = gap != NULL && gap < row + end ? (size_t)(gap - row) : end;
        end = pane != NULL && pane < row + end ? (size_t)(pane - row) : end;
        strncat(out, row + before, end - before);
        strcat(out, " ");
    }
}

/* Counts how often the text contains the words, wherever the text's lines are wrapped. */
static size_t count_wrapped_words(const char *text, const char *words)
{
    size_t count = 0;
    char *line = calloc(1, 2 * strlen(text) + 2);
    assert_non_null(line);
    for (const char *row = text; *row != '\0';) {
        size_t len = strcspn(row, "\r\n");
        append_row(line, row, len);
        row += len + strspn(row + len, "\r\n");
    }
    for (const char *at = line; (at = strstr(at, words)) != NULL; at++) {
        count++;
    }
    free(line);
    return count;
}

static void expect_whole_text(struct stage *stage, const char *text)
{
    if (count_wrapped_words(driver_read_screen(stage->driver), _(text)) != 1) {
        driver_print_screen(stage->driver, "lesson");
        fail_msg("the screen does not show \"%s\"", _(text));
    }
}

/* Pushes the table: stopped after a round until the player goes on, or going on. */
static void push_stop(struct stage *stage, bool is_stop)
{
    char fields[120];
    (void)snprintf(fields, sizeof(fields),
                   "{\"lesson\":true,\"is_rated\":false,\"halt\":\"%s\",\"awaited\":[%d]}",
                   is_stop ? "round" : "none", stage->you);
    stage->table_fields = fields;
    stage_push_table(stage, "playing");
    stage->table_fields = NULL;
}

/* Looks at what the lesson tells. */
typedef void look(struct stage *stage, const char *text);

static void look_at_new_note(struct stage *stage, bool shows_scores, uint32_t *told, look *seen)
{
    struct game_view view;
    stage_write_view(stage, &view);
    uint8_t note = lesson_find_note(&view, *told, shows_scores);
    if (note < LESSON_NOTES_MAX) {
        *told |= UINT32_C(1) << note;
        seen(stage, stage->game->face->lesson->notes[note].text);
    }
}

static const char end_of_suggestions[] = "From here you play without suggestions.";
static const char end_after_another_move[] =
    "You chose another move than suggested: from here you play without suggestions; what is new is "
    "still explained.";

/* Makes the moves of the script, and calls `seen` with every note and suggestion when it is told.
 * Returns the notes that were told. */
static uint32_t follow_lesson(struct stage *stage, look *seen)
{
    const struct game_lesson *lesson = stage->game->face->lesson;
    uint32_t told = 0;
    for (uint16_t step = 0; step < lesson->move_count; step++) {
        look_at_new_note(stage, false, &told, seen);
        if (lesson->moves[step].why != NULL) {
            seen(stage, lesson->moves[step].why);
        }
        if (step + 1 == lesson->move_count) {
            push_stop(stage, true);
        }
        make_scripted_moves(stage, step, 1);
    }
    look_at_new_note(stage, true, &told, seen);
    push_stop(stage, false);
    look_at_new_note(stage, false, &told, seen);
    seen(stage, end_of_suggestions);
    return told;
}

static void every_note_and_suggestion_is_shown_whole_in_every_language(void **state)
{
    (void)state;
    static const int sizes[][2] = {{80, 24}, {60, 18}, {120, 40}};
    for (size_t i = 0; i < i18n_count_languages() * ARRAY_LEN(sizes); i++) {
        const int *size = sizes[i % ARRAY_LEN(sizes)];
        const struct driver_setup setup = {.columns = size[0], .rows = size[1]};
        assert_true(i18n_choose_language(i18n_tags[i / ARRAY_LEN(sizes)]));
        for (uint8_t game = 0; game < game_count(); game++) {
            struct stage stage = {0};
            stage_begin_lesson(&stage, &setup, game_at(game));
            (void)follow_lesson(&stage, expect_whole_text);
            stage_clear(&stage);
        }
    }
}

static void a_note_takes_at_most_two_rows_of_78_columns_in_every_language(void **state)
{
    (void)state;
    const struct area width = {.width = 78};
    for (size_t language = 0; language < i18n_count_languages(); language++) {
        assert_true(i18n_choose_language(i18n_tags[language]));
        for (uint8_t i = 0; i < game_count(); i++) {
            const struct game_lesson *lesson = game_at(i)->face->lesson;
            for (uint8_t note = 0; note < lesson->note_count; note++) {
                const char *text = _(lesson->notes[note].text);
                if (draw_wrapped_text(NULL, &width, STYLE_PLAIN, text, 0, 0) > 2) {
                    fail_msg("too long: %s", text);
                }
            }
        }
    }
}

static int choose_english_again(void **state)
{
    (void)state;
    return i18n_choose_language(I18N_ENGLISH) ? 0 : -1;
}

/* Checks that Enter, pressed twice, makes the move that the lesson suggests, at every decision for
 * which the game selects a move in advance. */
static void what_a_lesson_suggests_is_what_enter_would_do(void **state)
{
    (void)state;
    const struct driver_setup setup = {0};
    unsigned checked = 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_lesson *lesson = game_at(i)->face->lesson;
        struct stage stage = {0};
        stage_begin_lesson(&stage, &setup, game_at(i));
        for (uint16_t step = 0; game_at(i)->face->suggest != NULL && step < lesson->move_count;
             step++) {
            struct game_view view;
            stage_write_view(&stage, &view);
            if (view_viewer_may_move(&view) && game_at(i)->face->suggest(&view) != MOVE_NONE) {
                driver_type(stage.driver, "\r\r");
                const json_t *sent = driver_find_request(stage.driver, "move");
                assert_non_null(sent);
                assert_string_equal(json_string_value(json_object_get(sent, "move")),
                                    lesson->moves[step].move);
                driver_answer(stage.driver, "move", NULL);
                checked++;
            }
            make_scripted_moves(&stage, step, 1);
        }
        stage_clear(&stage);
    }
    assert_true(checked >= 2);
}

static void expect_printed_text(struct stage *stage, const char *text)
{
    assert_true(count_wrapped_words(driver_read_output(stage->driver), text) >= 1);
}

static void every_note_and_suggestion_is_printed_once_in_plain_lines(void **state)
{
    (void)state;
    const struct driver_setup setup = {.lines = {.is_on = true}};
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_lesson *lesson = game_at(i)->face->lesson;
        struct stage stage = {0};
        stage_begin_lesson(&stage, &setup, game_at(i));
        uint32_t told = follow_lesson(&stage, expect_printed_text);
        const char *printed = driver_read_output(stage.driver);
        for (uint8_t note = 0; note < lesson->note_count; note++) {
            assert_int_equal(count_wrapped_words(printed, lesson->notes[note].text),
                             told >> note & 1);
        }
        stage_clear(&stage);
    }
}

static void a_suggestion_goes_when_the_move_is_made(void **state)
{
    (void)state;
    const struct driver_setup setup = {0};
    struct stage stage = {0};
    uint16_t step = 0;
    stage_begin_lesson(&stage, &setup, game_find("oh-hell"));
    const struct game_lesson *lesson = stage.game->face->lesson;
    while (lesson->moves[step].why == NULL) {
        step++;
    }
    make_scripted_moves(&stage, 0, step);
    driver_expect(stage.driver, "Try 2: ");
    make_scripted_moves(&stage, step, 1);
    driver_expect_not(stage.driver, "Try 2: ");
    stage_clear(&stage);
}

/* Makes the moves of the script up to `step`. */
static void begin_lesson_at(struct stage *stage, const struct driver_setup *setup, const char *game,
                            uint16_t step)
{
    stage_begin_lesson(stage, setup, game_find(game));
    make_scripted_moves(stage, 0, step);
}

static void a_note_told_while_others_move_stays_until_its_player_has_acted(void **state)
{
    (void)state;
    const struct driver_setup setup = {0};
    struct stage stage = {0};
    begin_lesson_at(&stage, &setup, "heckin-hounds", 2);
    driver_expect(stage.driver, "Clues are true");
    make_scripted_moves(&stage, 2, 5);
    driver_expect(stage.driver, "Clues are true");
    make_scripted_moves(&stage, 7, 1); /* a newer note replaces it */
    driver_expect_not(stage.driver, "Clues are true");
    driver_expect(stage.driver, "You are given Cerberus");
    make_scripted_moves(&stage, 8, 1);
    driver_expect_not(stage.driver, "You are given Cerberus");
    stage_clear(&stage);
}

static void moves_of_others_leave_a_note_while_several_players_act(void **state)
{
    (void)state;
    const struct driver_setup setup = {0};
    struct stage stage = {0};
    begin_lesson_at(&stage, &setup, "suppose", 0);
    driver_expect(stage.driver, "These cards are for your left neighbour");
    stage_make_move(&stage, 1, game_move_parse(stage.game, "arrange:blue,green,red,yellow"));
    driver_expect(stage.driver, "These cards are for your left neighbour");
    stage_make_move(&stage, 0, game_move_parse(stage.game, "arrange:yellow,red,green,blue"));
    driver_expect_not(stage.driver, "These cards are for your left neighbour");
    driver_expect(stage.driver, "Now guess your neighbour's tricks");
    stage_make_move(&stage, 0, game_move_parse(stage.game, "predict:0"));
    driver_expect_not(stage.driver, "Now guess your neighbour's tricks");
    stage_clear(&stage);
}

static void what_just_happened_is_seen_beside_a_note_and_a_suggestion(void **state)
{
    (void)state;
    const struct driver_setup setup = {0};
    struct stage stage = {0};
    begin_lesson_at(&stage, &setup, "oh-hell", 5);
    driver_expect(stage.driver, "You hold the suit that was led");
    driver_expect(stage.driver, "Try T♠");
    driver_expect(stage.driver, "leads A♠");
    stage_clear(&stage);
    begin_lesson_at(&stage, &setup, "hund", 1); /* the game with the fewest rows to spare */
    driver_expect(stage.driver, "Try purple 1");
    driver_expect(stage.driver, "leads purple 5");
    stage_clear(&stage);
}

static void a_suggestion_names_the_key_of_its_card_or_choice_on_a_drawn_screen(void **state)
{
    (void)state;
    const struct driver_setup drawn = {.columns = 120, .rows = 40};
    const struct driver_setup plain = {.lines = {.is_on = true}};
    static const struct {
        const char *game;
        uint16_t step;
        const char *drawn, *plain;
    } rows[] = {
        {"hund", 1, "Try purple 1 (key 5): ", "Try purple 1: "},
        {"suppose", 12, "Try card 10 (key 0): ", "Try card 10: "},
        {"suppose", 7, "Try card 8: ", "Try card 8: "}, /* the card's number is its key */
        {"suppose", 0, "Try yellow red green blue (key =): ", "Try yellow red green blue: "},
        {"heckin-hounds", 10, "Try pass (key a): ", "Try pass: "},
        {"oh-hell", 1, "Try 2: ", "Try 2: "}, /* the key is the number itself */
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct stage stage = {0};
        begin_lesson_at(&stage, &drawn, rows[i].game, rows[i].step);
        if (count_wrapped_words(driver_read_screen(stage.driver), rows[i].drawn) != 1) {
            driver_print_screen(stage.driver, rows[i].drawn);
            fail_msg("the screen does not show \"%s\"", rows[i].drawn);
        }
        stage_clear(&stage);
        begin_lesson_at(&stage, &plain, rows[i].game, rows[i].step);
        assert_int_equal(count_wrapped_words(driver_read_output(stage.driver), rows[i].plain), 1);
        stage_clear(&stage);
    }
}

static void the_sign_of_marks_is_left_out_where_a_lesson_leaves_no_room_for_marks(void **state)
{
    (void)state;
    static const struct driver_setup sizes[] = {{.columns = 120, .rows = 40},
                                                {.columns = 80, .rows = 24}};
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct stage stage = {0};
        begin_lesson_at(&stage, &sizes[i], "suppose", 0);
        const char *screen = driver_read_screen(stage.driver);
        int signs = 0;
        for (const char *at = screen; (at = strstr(at, "▲")) != NULL; at++) {
            signs++;
        }
        assert_non_null(strstr(screen, "will see only"));
        assert_int_equal(signs, i == 0 ? 4 : 0); /* three marks and their meaning, or none */
        stage_clear(&stage);
    }
}

static void the_named_letter_selects_its_choice_and_says_what_takes_it(void **state)
{
    (void)state;
    const struct driver_setup setup = {0};
    struct stage stage = {0};
    begin_lesson_at(&stage, &setup, "heckin-hounds", 10);
    driver_type(stage.driver, "a");
    driver_expect(stage.driver, "Enter twice takes this: pass");
    driver_type(stage.driver, "\r");
    driver_expect(stage.driver, "Enter again takes this: pass");
    assert_null(driver_find_request(stage.driver, "move"));
    driver_type(stage.driver, "\r");
    assert_non_null(driver_find_request(stage.driver, "move"));
    stage_clear(&stage);
}

static void the_named_key_makes_the_suggested_move(void **state)
{
    (void)state;
    const struct driver_setup setup = {0};
    struct stage stage = {0};
    begin_lesson_at(&stage, &setup, "hund", 1);
    driver_type(stage.driver, "5");
    assert_string_equal(
        json_string_value(json_object_get(driver_find_request(stage.driver, "move"), "move")),
        stage.game->face->lesson->moves[1].move);
    stage_clear(&stage);
}

static void the_end_of_suggestions_is_told_once_after_another_move(void **state)
{
    (void)state;
    const struct driver_setup drawn = {0};
    const struct driver_setup plain = {.lines = {.is_on = true}};
    struct stage stage = {0};
    begin_lesson_at(&stage, &drawn, "oh-hell", 1);
    assert_int_equal(count_wrapped_words(driver_read_screen(stage.driver), end_after_another_move),
                     0);
    stage_make_move(&stage, 3, game_move_parse(stage.game, "bid:1"));
    expect_whole_text(&stage, end_after_another_move);
    assert_true(stage_play_until_turn(&stage, 1));
    expect_whole_text(&stage, end_after_another_move);
    struct game_view view;
    stage_write_view(&stage, &view);
    stage_make_move(&stage, 3, move_set_next(&view.legal, 0));
    assert_int_equal(count_wrapped_words(driver_read_screen(stage.driver), end_after_another_move),
                     0);
    stage_clear(&stage);
    begin_lesson_at(&stage, &plain, "oh-hell", 1);
    stage_make_move(&stage, 3, game_move_parse(stage.game, "bid:1"));
    assert_true(stage_play_until_turn(&stage, 1));
    assert_int_equal(count_wrapped_words(driver_read_output(stage.driver), end_after_another_move),
                     1);
    stage_clear(&stage);
}

static void claiming_is_not_offered_while_the_lesson_suggests_moves(void **state)
{
    (void)state;
    const struct driver_setup setup = {.columns = 120};
    struct stage stage = {0};
    begin_lesson_at(&stage, &setup, "hund", 22); /* all three tricks left can be claimed */
    driver_expect(stage.driver, "Try pink 4");
    driver_expect_not(stage.driver, "claim the rest");
    stage_push_table_and_view(&stage, "{\"lesson\":false}", NULL);
    driver_expect(stage.driver, "claim the rest");
    stage_clear(&stage);
}

static void one_is_asked_before_leaving_a_lesson(void **state)
{
    (void)state;
    const struct driver_setup setup = {0};
    struct stage stage = {0};
    stage_begin_lesson(&stage, &setup, game_at(0));
    driver_type(stage.driver, "q");
    driver_expect(stage.driver, "Leave the lesson? It ends here.");
    assert_null(driver_find_request(stage.driver, "table_leave"));
    driver_type(stage.driver, "n");
    assert_null(driver_find_request(stage.driver, "table_leave"));
    driver_type(stage.driver, "qy");
    assert_non_null(driver_find_request(stage.driver, "table_leave"));
    stage_clear(&stage);
}

static void other_tables_tell_nothing(void **state)
{
    (void)state;
    const struct driver_setup setup = {0};
    struct stage stage = {0};
    stage_begin_lesson(&stage, &setup, game_at(0));
    stage_push_table_and_view(&stage, "{\"lesson\":false}", NULL);
    make_scripted_moves(&stage, 0, 1);
    driver_expect_not(stage.driver, "Try ");
    stage_clear(&stage);
}

static void lessons_begin_from_the_offer_and_by_command(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_type(driver, "b");
    driver_answer(driver, "games", "{\"rows\":[]}");
    driver_expect(driver, "l learn it");
    driver_type(driver, "\x1b[Bl");
    const json_t *request = driver_find_request(driver, "learn");
    assert_string_equal(json_string_value(json_object_get(request, "game")), "heckin-hounds");
    driver_answer(driver, "learn", "{\"table\":9}");
    assert_string_equal(driver_screen_name(driver), "table");
    driver_type(driver, "/learn sup\r");
    request = driver_find_request(driver, "learn");
    assert_string_equal(json_string_value(json_object_get(request, "game")), "suppose");
    driver_free(driver);
}

static int set_up_catalogues(void **state)
{
    (void)state;
    return i18n_load_catalogues(NULL) ? 0 : -1;
}

TEST_GROUP(lesson)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_note_and_suggestion_is_shown_whole_in_every_language,
                                  choose_english_again),
        cmocka_unit_test_teardown(a_note_takes_at_most_two_rows_of_78_columns_in_every_language,
                                  choose_english_again),
        cmocka_unit_test(what_a_lesson_suggests_is_what_enter_would_do),
        cmocka_unit_test(every_note_and_suggestion_is_printed_once_in_plain_lines),
        cmocka_unit_test(a_suggestion_goes_when_the_move_is_made),
        cmocka_unit_test(a_note_told_while_others_move_stays_until_its_player_has_acted),
        cmocka_unit_test(moves_of_others_leave_a_note_while_several_players_act),
        cmocka_unit_test(what_just_happened_is_seen_beside_a_note_and_a_suggestion),
        cmocka_unit_test(a_suggestion_names_the_key_of_its_card_or_choice_on_a_drawn_screen),
        cmocka_unit_test(the_sign_of_marks_is_left_out_where_a_lesson_leaves_no_room_for_marks),
        cmocka_unit_test(the_named_letter_selects_its_choice_and_says_what_takes_it),
        cmocka_unit_test(the_named_key_makes_the_suggested_move),
        cmocka_unit_test(the_end_of_suggestions_is_told_once_after_another_move),
        cmocka_unit_test(claiming_is_not_offered_while_the_lesson_suggests_moves),
        cmocka_unit_test(one_is_asked_before_leaving_a_lesson),
        cmocka_unit_test(other_tables_tell_nothing),
        cmocka_unit_test(lessons_begin_from_the_offer_and_by_command),
    };
    return cmocka_run_group_tests_name("lesson", tests, set_up_catalogues, NULL);
}
