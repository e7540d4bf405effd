#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "games/face.h"
#include "lobby/protocol/protocol.h"
#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests the log of a game at the table: the story of the game and what people say. */

#define PAGE_UP "\x1b[5~"
#define HOME "\x1b[H"
#define ESCAPE "\x1b"

static const struct driver_setup small = {.columns = 80, .rows = 24};
static const struct driver_setup plain = {.lines = {.is_on = true, .is_piped = true}};

static const struct driver_setup small_list = {.columns = 60, .rows = 18};

static void begin_game(struct stage *stage, const char *game_id, uint8_t player_count, int8_t you)
{
    stage_init(stage, &small, game_find(game_id), player_count, you);
    stage_deal(stage, 3);
}

/* Plays random moves until the view is of that round. */
static void play_until_round(struct stage *stage, uint8_t round)
{
    struct game_view view;
    do {
        assert_true(stage_make_random_move(stage));
        stage_write_view(stage, &view);
    } while (view.round != round);
}

static void push_chat_line(struct stage *stage, json_t *line)
{
    static int number = 0;
    json_t *message = json_pack("{s:s, s:s, s:i, s:I}", "t", "chat", "channel", "table", "n",
                                ++number, "at", (json_int_t)1795000000000);
    assert_int_equal(json_object_update(message, line), 0);
    char *text = json_dumps(message, JSON_COMPACT);
    assert_non_null(text);
    driver_push(stage->driver, text);
    free(text);
    json_decref(message);
    json_decref(line);
}

static void push_talk(struct stage *stage, const char *from, const char *text)
{
    push_chat_line(stage, json_pack("{s:s, s:s, s:s}", "kind", "say", "from", from, "text", text));
}

/* Pushes the core's sentence about bob. */
static void push_sentence(struct stage *stage, const char *format, const char *english)
{
    push_chat_line(stage, json_pack("{s:s, s:s, s:s, s:[s,s]}", "kind", "system", "from", "",
                                    "text", english, "say", format, "bob"));
}

static void the_rows_below_the_hand_mix_story_and_talk_in_the_order_of_time(void **unused)
{
    (void)unused;
    struct stage stage;
    struct game_view view;
    begin_game(&stage, "oh-hell", 4, 0);
    driver_expect(stage.driver, "trump is");
    assert_true(stage_make_random_move(&stage));
    push_talk(&stage, "bob", "let us begin");
    assert_true(stage_make_random_move(&stage));
    stage_write_view(&stage, &view);
    driver_expect(stage.driver, "<bob> let us begin");
    const char *screen = driver_read_screen(stage.driver);
    const char *talk = strstr(screen, "let us begin");
    const char *bid = strstr(screen, " bids ");
    assert_non_null(bid);
    assert_true(bid < talk && (strstr(talk, " bids ") != NULL || strstr(talk, "You bid") != NULL));
    stage_clear(&stage);
}

static void
the_rows_below_the_hand_show_what_the_house_says_but_not_who_comes_and_goes(void **unused)
{
    (void)unused;
    struct stage stage;
    begin_game(&stage, "oh-hell", 4, 0);
    driver_expect(stage.driver, "trump is");
    push_talk(&stage, "bob", "let us begin");
    push_sentence(&stage, "%s asks for a pause", "bob asks for a pause");
    push_sentence(&stage, ARRIVAL_SAT_DOWN, "bob sat down.");
    push_sentence(&stage, ARRIVAL_STOOD_UP, "bob stood up.");
    push_sentence(&stage, ARRIVAL_LOST_CONNECTION, "bob lost the connection; the seat waits.");
    push_sentence(&stage, ARRIVAL_CAME_BACK, "bob is back.");
    push_chat_line(&stage, json_pack("{s:s, s:s, s:s, s:[s,s,{s:s}]}", "kind", "system", "from", "",
                                     "text", "ella, a bot (medium), sat down.", "say",
                                     ARRIVAL_BOT_SAT_DOWN, "ella", "word", "medium"));
    const char *talk = strstr(driver_read_screen(stage.driver), "<bob> let us begin");
    assert_non_null(talk);
    assert_non_null(strstr(talk, "bob asks for a pause"));
    static const char *const left_out[] = {"sat down", "stood up", "lost the connection",
                                           "is back"};
    for (size_t i = 0; i < ARRAY_LEN(left_out); i++) {
        driver_expect_not(stage.driver, left_out[i]);
    }
    stage_clear(&stage);
}

static void a_key_and_a_command_show_the_story_from_the_first_round_on(void **unused)
{
    (void)unused;
    static const char *const ways[] = {"L", PAGE_UP, "/story\r"};
    struct stage stage;
    begin_game(&stage, "oh-hell", 3, 0);
    play_until_round(&stage, 3);
    driver_wait(stage.driver, 9000);
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        driver_type(stage.driver, ways[i]);
        assert_string_equal(driver_screen_name(stage.driver), "log");
        driver_expect(stage.driver, "what happened");
        driver_expect(stage.driver, "Round 2 is over");
        driver_type(stage.driver, HOME);
        driver_expect(stage.driver, "Round 1 of 19 begins");
        driver_expect_not(stage.driver, "Round 2 is over");
        driver_type(stage.driver, "q");
        assert_string_equal(driver_screen_name(stage.driver), "table");
    }
    stage_clear(&stage);
}

/* Enters the table again, as after a lost connection. */
static void enter_again(struct stage *stage)
{
    json_t *message = json_pack("{s:s, s:i, s:b, s:O}", "t", "sheet", "table", STAGE_TABLE, "reset",
                                1, "rows", stage->sheet);
    char *text = json_dumps(message, JSON_COMPACT);
    assert_non_null(text);
    driver_type(stage->driver, "/leave\r");
    driver_answer(stage->driver, "table_leave", NULL);
    driver_type(stage->driver, "/watch 7\r");
    stage_push_table(stage, "playing");
    driver_push(stage->driver, text);
    stage_push_table_and_view(stage, NULL, NULL);
    driver_answer(stage->driver, "table_enter", NULL);
    free(text);
    json_decref(message);
}

static void
who_comes_back_reads_the_points_of_finished_rounds_and_the_story_of_this_one(void **unused)
{
    (void)unused;
    struct stage stage;
    struct game_view view;
    begin_game(&stage, "oh-hell", 3, SPECTATOR);
    play_until_round(&stage, 2);
    do {
        assert_true(stage_make_random_move(&stage));
        stage_write_view(&stage, &view);
    } while (view.past_count == 0);
    enter_again(&stage);
    driver_type(stage.driver, "L");
    driver_type(stage.driver, HOME);
    const char *screen = driver_read_screen(stage.driver);
    const char *points = strstr(screen, "Round 1 is over");
    assert_non_null(points);
    assert_non_null(strstr(points, "took"));
    const char *round = strstr(points, "Round 2 of 19 begins");
    assert_non_null(round);
    assert_non_null(strstr(round, "takes the trick"));
    stage_clear(&stage);
}

/* Begins a game in which bob asks for a pause, talks, plays on despite a claim and comes back. */
static void begin_game_with_talk(struct stage *stage, const struct driver_setup *setup)
{
    stage_init(stage, setup, game_find("oh-hell"), 4, 0);
    push_sentence(stage, "%s asks for a pause", "bob asks for a pause too early");
    stage_deal(stage, 3);
    assert_true(stage_make_random_move(stage));
    push_talk(stage, "bob", "let us begin");
    push_sentence(stage, "%s plays on: the claim does not stand.", "bob plays on");
    push_sentence(stage, ARRIVAL_CAME_BACK, "bob is back.");
    assert_true(stage_make_random_move(stage));
}

static void the_whole_log_tells_what_the_house_said_in_this_game_but_no_talk(void **unused)
{
    (void)unused;
    static const char *const left_out[] = {"let us begin", "is back", "too early"};
    struct stage stage;
    begin_game_with_talk(&stage, &small);
    driver_type(stage.driver, "L");
    const char *screen = driver_read_screen(stage.driver);
    const char *house = strstr(screen, "bob plays on");
    assert_non_null(house);
    assert_true(strstr(screen, " bid") < house && strstr(house, " bid") != NULL);
    for (size_t i = 0; i < ARRAY_LEN(left_out); i++) {
        driver_expect_not(stage.driver, left_out[i]);
    }
    stage_clear(&stage);
    begin_game_with_talk(&stage, &plain);
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "/story\n");
    driver_expect_output(stage.driver, "bob plays on");
    for (size_t i = 0; i < ARRAY_LEN(left_out); i++) {
        driver_expect_no_output(stage.driver, left_out[i]);
    }
    stage_clear(&stage);
}

static void an_answer_to_a_command_is_no_part_of_the_story(void **unused)
{
    (void)unused;
    struct stage stage;
    begin_game(&stage, "oh-hell", 3, 0);
    while (json_array_size(stage.sheet) == 0) {
        assert_true(stage_make_random_move(&stage));
    }
    driver_wait(stage.driver, 9000);
    driver_type(stage.driver, "/last\r");
    driver_expect(stage.driver, "took the previous trick: highest");
    driver_type(stage.driver, "L");
    driver_expect(stage.driver, "takes the trick");
    driver_expect_not(stage.driver, "took the previous trick");
    stage_clear(&stage);
}

static void the_last_trick_tells_from_which_place_of_a_hand_each_card_came(void **unused)
{
    (void)unused;
    static struct game_view view;
    struct stage stage;
    begin_game(&stage, "suppose", 3, 0);
    do {
        assert_true(stage_make_random_move(&stage));
        game_fill_view(stage.game, &stage.state, 0, &view);
    } while (!view.has_last_trick);
    driver_wait(stage.driver, 9000);
    driver_type(stage.driver, "/last\r");
    char words[32];
    (void)snprintf(words, sizeof(words), "(card %d)", view.last_trick.plays[0].slot + 1);
    driver_expect(stage.driver, words);
    stage_clear(&stage);
}

static void a_line_names_who_held_the_seat_then(void **unused)
{
    (void)unused;
    struct stage stage;
    begin_game(&stage, "oh-hell", 3, 0);
    play_until_round(&stage, 2);
    stage.has_long_names = true;
    stage_push_table_and_view(&stage, NULL, NULL);
    assert_true(stage_make_random_move(&stage));
    assert_true(stage_make_random_move(&stage));
    assert_true(stage_make_random_move(&stage));
    driver_wait(stage.driver, 9000);
    driver_type(stage.driver, "L");
    driver_expect(stage.driver, "bartholomew_iii1 bids");
    driver_type(stage.driver, HOME);
    driver_expect(stage.driver, "ada bids");
    driver_expect_not(stage.driver, "bartholomew_iii1");
    stage_clear(&stage);
}

static void a_great_moment_is_announced_for_as_long_as_a_trick_stands(void **unused)
{
    (void)unused;
    struct stage stage;
    struct game_view view;
    const char *designated;
    begin_game(&stage, "hund", 4, 0);
    do {
        static char buffer[VIEW_TEXT_MAX];
        struct text info = text_init(buffer, sizeof(buffer));
        assert_true(stage_make_random_move(&stage));
        stage_write_view(&stage, &view);
        view_write_info(&view, false, &info);
        designated = strstr(buffer, "\"designated\":{");
        assert_non_null(designated);
    } while (designated[strlen("\"designated\":{")] == '}');
    const char *first = strstr(driver_read_screen(stage.driver), "is TRUMP now");
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "is TRUMP now")); /* in the middle and in the log */
    driver_wait(stage.driver, 1300);
    first = strstr(driver_read_screen(stage.driver), "is TRUMP now");
    assert_non_null(first);
    assert_null(strstr(first + 1, "is TRUMP now"));
    stage_clear(&stage);
}

/* True if the rows above the log show words of this phrase: its first words between two values. */
static bool is_announced(struct driver *driver, const struct phrase *great)
{
    const char *format = phrase_choose_format(great, 0);
    const char *words = format[0] == '{' ? format + strlen("{0} ") : format;
    char *part = strndup(words, strcspn(words, "{"));
    bool is_shown = false;
    for (int row = 0; row < small_list.rows && !is_shown; row++) {
        const char *text = driver_read_row(driver, row);
        is_shown = strncmp(text, "! ", 2) != 0 && strstr(text, part) != NULL;
    }
    free(part);
    return is_shown;
}

static void a_great_moment_is_announced_also_where_the_middle_has_no_room(void **unused)
{
    (void)unused;
    static struct game_view before, now;
    static struct story story;
    int announced = 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        struct stage stage;
        stage_init(&stage, &small_list, game_at(i), game_at(i)->seats_max, 0);
        stage_deal(&stage, 3);
        stage_write_view(&stage, &before);
        for (int step = 0; step < 150 && stage_make_random_move(&stage); step++, before = now) {
            stage_write_view(&stage, &now);
            story_tell(&before, &now, &story);
            int great = 0, shown = 0;
            for (uint8_t j = 0; j < story.count; j++) {
                bool is_great = story.lines[j].great.format != NULL;
                great += is_great;
                shown += is_great && is_announced(stage.driver, &story.lines[j].great);
            }
            if (great > 0 && shown == 0) {
                driver_print_screen(stage.driver, "a great moment is not announced");
                fail_msg("%s", game_at(i)->id);
            }
            announced += shown;
            driver_wait(stage.driver, 9000);
            driver_wait(stage.driver, 9000);
        }
        stage_clear(&stage);
    }
    assert_true(announced > 10);
}

static void the_result_says_who_wins_and_why_on_the_screen_and_in_the_log(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        struct stage stage;
        struct game_view view;
        static struct story story;
        struct game_outcome outcome;
        begin_game(&stage, game_at(i)->id, game_at(i)->seats_min, 0);
        while (stage_make_random_move(&stage)) {
        }
        stage_push_result(&stage);
        driver_wait(stage.driver, 9000);
        driver_type(stage.driver, " ");
        game_fill_outcome(stage.game, &stage.state, &outcome);
        stage_write_view(&stage, &view);
        story_tell_result(&view, &stage.config, outcome.winners, &story);
        const char *why = strstr(phrase_choose_format(&story.lines[0].words, 0), ": ");
        char words[20];
        assert_non_null(why);
        why += why[2] == '{' ? strlen(": {0} ") : strlen(": ");
        snprintf(words, sizeof(words), "%.*s", (int)strcspn(why, "{,("), why);
        driver_expect(stage.driver, words);
        driver_type(stage.driver, "L");
        driver_expect(stage.driver, words);
        stage_clear(&stage);
    }
}

static void expect_translated(const char *format)
{
    if (format != NULL && strpbrk(format, "abcdefghijklmnopqrstuvwxyz") != NULL &&
        strcmp(_(format), format) == 0) {
        fail_msg("not translated: %s", format);
    }
}

static void every_sentence_of_a_story_is_translated(void **unused)
{
    (void)unused;
    assert_true(i18n_load_catalogues(NULL));
    assert_true(i18n_choose_language("de"));
    for (uint8_t i = 0; i < game_count(); i++) {
        static struct game_view before, now;
        static struct story story;
        struct stage stage;
        begin_game(&stage, game_at(i)->id, game_at(i)->seats_max, 0);
        stage_write_view(&stage, &before);
        for (; stage_make_random_move(&stage); before = now) {
            stage_write_view(&stage, &now);
            story_tell(&before, &now, &story);
            for (uint8_t j = 0; j < story.count; j++) {
                expect_translated(story.lines[j].words.format);
                expect_translated(story.lines[j].words.own);
                expect_translated(story.lines[j].words.own_other);
                expect_translated(story.lines[j].great.format);
                expect_translated(story.lines[j].great.own);
            }
        }
        stage_clear(&stage);
    }
    assert_true(i18n_choose_language(I18N_ENGLISH));
}

TEST_GROUP(table_log)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_below_the_hand_mix_story_and_talk_in_the_order_of_time),
        cmocka_unit_test(
            the_rows_below_the_hand_show_what_the_house_says_but_not_who_comes_and_goes),
        cmocka_unit_test(a_key_and_a_command_show_the_story_from_the_first_round_on),
        cmocka_unit_test(
            who_comes_back_reads_the_points_of_finished_rounds_and_the_story_of_this_one),
        cmocka_unit_test(the_whole_log_tells_what_the_house_said_in_this_game_but_no_talk),
        cmocka_unit_test(an_answer_to_a_command_is_no_part_of_the_story),
        cmocka_unit_test(the_last_trick_tells_from_which_place_of_a_hand_each_card_came),
        cmocka_unit_test(a_line_names_who_held_the_seat_then),
        cmocka_unit_test(a_great_moment_is_announced_for_as_long_as_a_trick_stands),
        cmocka_unit_test(a_great_moment_is_announced_also_where_the_middle_has_no_room),
        cmocka_unit_test(the_result_says_who_wins_and_why_on_the_screen_and_in_the_log),
        cmocka_unit_test(every_sentence_of_a_story_is_translated),
    };
    return cmocka_run_group_tests_name("table log", tests, NULL, NULL);
}
