#include "tests/daemon/screens/driver.h"
#include "tests/daemon/screens/stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests plain mode outside games: input, questions and output. */

#define PLAIN                                                                                      \
    {                                                                                              \
        .is_on = true, .is_piped = true                                                            \
    }
#define ECHOED                                                                                     \
    {                                                                                              \
        .is_on = true, .is_echoed = true                                                           \
    }

static const struct driver_setup piped = {.lines = PLAIN};
static const struct driver_setup echoed = {.lines = ECHOED};

static const char *const lobby_state =
    "{\"t\":\"lobby\",\"reset\":true,\"people\":["
    "{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"player\",\"rating\":1642,\"table\":3,"
    "\"seated\":true,\"idle_s\":0},"
    "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"admin\",\"rating\":null,\"table\":null,"
    "\"seated\":false,\"idle_s\":600}],"
    "\"tables\":[{\"id\":3,\"game\":\"oh-hell\",\"players\":4,\"seated\":3,\"bots\":2,"
    "\"clock\":{\"kind\":\"move\",\"move_s\":30},\"state\":\"open\",\"round\":null,\"rounds\":null,"
    "\"host\":\"ada\","
    "\"is_locked\":false,\"watchers\":1}],\"gone_people\":[],\"gone_tables\":[]}";

static struct driver *enter_lobby(const struct driver_setup *setup)
{
    struct driver *driver = driver_new(setup);
    driver_push(driver, lobby_state);
    return driver;
}

static void expect_no_escape_sequences_and_free(struct driver *driver)
{
    assert_null(strchr(driver_read_output(driver), 0x1B));
    driver_free(driver);
}

static void the_lobby_is_printed_on_arrival(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&piped);
    driver_expect_output(driver, "The lobby of Trickhouse. You are mira.\n");
    driver_expect_output(driver, "2 people are in.\n");
    driver_expect_output(driver, "ada 1642, playing at #3.\n");
    driver_expect_output(driver, "mira, admin, in the lobby, away for 10m.\n");
    driver_expect_output(driver, "#3 Oh Hell, host ada: 3 of 4 seats taken, clock 30 seconds a ");
    driver_expect_output(driver, "/quick");
    driver_expect_no_output(driver, "\r");
    driver_expect_no_output(driver, "> ");
    expect_no_escape_sequences_and_free(driver);
}

static void a_prompt_is_shown_only_where_the_house_echoes_typed_text(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&echoed);
    driver_expect_output(driver, "\r\n> ");
    driver_forget_output(driver);
    driver_type(driver, "/whx\x7fo");
    assert_string_equal(driver_read_output(driver), "/whx\b \bo");
    driver_type(driver, "\r");
    driver_expect_output(driver, "\r\n2 people are in.\r\n");
    expect_no_escape_sequences_and_free(driver);
}

static void new_lines_are_printed_above_the_line_being_typed(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&echoed);
    driver_type(driver, "hel");
    driver_forget_output(driver);
    driver_push(driver, "{\"t\":\"notice\",\"kind\":\"info\",\"text\":\"The house closes soon.\"}");
    assert_string_equal(driver_read_output(driver), "\r\nThe house closes soon.\r\n> hel");
    driver_type(driver, "lo\r");
    assert_string_equal(
        json_string_value(json_object_get(driver_find_request(driver, "say"), "text")), "hello");
    expect_no_escape_sequences_and_free(driver);
}

static void each_chat_line_is_printed_once(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&piped);
    const char *said = "{\"t\":\"chat\",\"channel\":\"lobby\",\"from\":\"ada\",\"kind\":\"say\","
                       "\"text\":\"anyone?\",\"at\":4000000000000,\"n\":7}";
    driver_forget_output(driver);
    driver_push(driver, said);
    driver_push(driver, said);
    assert_string_equal(driver_read_output(driver), "ada: anyone?\n");
    driver_forget_output(driver);
    driver_push(driver, "{\"t\":\"chat\",\"channel\":\"tell\",\"from\":\"ada\",\"to\":\"mira\","
                        "\"kind\":\"say\",\"text\":\"psst\",\"at\":4000000000000,\"n\":8}");
    assert_string_equal(driver_read_output(driver), "ada tells you: psst\n");
    driver_forget_output(driver);
    driver_type(driver, "/chat\n");
    assert_string_equal(driver_read_output(driver), "ada: anyone?\nada tells you: psst\n");
    expect_no_escape_sequences_and_free(driver);
}

static void a_command_waits_for_the_answer_to_the_previous_one(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&piped);
    driver_type(driver, "/tell ada hello\nhello all\n");
    assert_non_null(driver_find_request(driver, "tell"));
    assert_null(driver_find_request(driver, "say"));
    driver_answer(driver, "tell", NULL);
    assert_non_null(driver_find_request(driver, "say"));
    expect_no_escape_sequences_and_free(driver);
}

static void typed_lines_wait_until_the_core_has_described_the_lobby(void **state)
{
    (void)state;
    struct driver *driver = driver_new(&piped);
    driver_type(driver, "/who\n");
    driver_end_input(driver);
    driver_wait(driver, 20000); /* a core under load may be this slow */
    driver_expect_no_output(driver, "people are in");
    assert_false(driver_is_session_over(driver));
    driver_push(driver, lobby_state);
    assert_true(driver_is_session_over(driver));
    driver_end_session(driver);
    driver_expect_output(driver, "2 people are in.\n");
    expect_no_escape_sequences_and_free(driver);
}

static void a_session_ends_if_the_core_does_not_describe_the_lobby_in_time(void **state)
{
    (void)state;
    struct driver *driver = driver_new(&piped);
    driver_end_input(driver);
    driver_wait(driver, 31000);
    assert_true(driver_is_session_over(driver));
    expect_no_escape_sequences_and_free(driver);
}

static void a_session_ends_if_the_last_answer_does_not_come_in_time(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&piped);
    driver_type(driver, "hello\n");
    driver_end_input(driver);
    driver_wait(driver, 31000);
    assert_true(driver_is_session_over(driver));
    expect_no_escape_sequences_and_free(driver);
}

static int count_occurrences_in_output(const struct driver *driver, const char *words)
{
    int count = 0;
    for (const char *at = driver_read_output(driver); (at = strstr(at, words)) != NULL; at++) {
        count++;
    }
    return count;
}

static void a_flood_of_lines_is_carried_out_in_batches(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&piped);
    char lines[100 * 5 + 1] = "";
    for (int i = 0; i < 100; i++) {
        memcpy(lines + 5 * i, "/why\n", 6);
    }
    driver_forget_output(driver);
    driver_type(driver, lines);
    assert_in_range(count_occurrences_in_output(driver, "No request of yours"), 1, 50);
    for (int i = 0; i < 10; i++) {
        driver_wait(driver, 200);
    }
    assert_int_equal(count_occurrences_in_output(driver, "No request of yours"), 100);
    expect_no_escape_sequences_and_free(driver);
}

static void at_the_end_of_input_the_session_waits_for_the_last_answer_and_leaves(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&piped);
    driver_type(driver, "hello");
    driver_type(driver, "\n");
    driver_end_input(driver);
    driver_wait(driver, 20000); /* a core under load may be this slow */
    assert_false(driver_is_session_over(driver));
    driver_answer(driver, "say", NULL);
    assert_true(driver_is_session_over(driver));
    driver_end_session(driver);
    driver_expect_output(driver, "Goodbye, mira. Trickhouse is open whenever you are.\n");
    expect_no_escape_sequences_and_free(driver);
}

static void a_session_without_input_prints_the_lobby_and_ends(void **state)
{
    (void)state;
    struct driver *driver = driver_new(&piped);
    driver_end_input(driver);
    assert_false(driver_is_session_over(driver));
    driver_push(driver, lobby_state);
    assert_true(driver_is_session_over(driver));
    driver_end_session(driver);
    driver_expect_output(driver, "2 people are in.");
    expect_no_escape_sequences_and_free(driver);
}

static void in_plain_mode_one_signs_up_by_answering_questions(void **state)
{
    (void)state;
    const struct driver_setup visitor = {.lines = PLAIN, .is_unregistered = true};
    struct driver *driver = driver_new(&visitor);
    driver_expect_output(driver, "Choose a name:\n");
    driver_type(driver, "9mira\n");
    driver_expect_output(driver, "A name begins with a letter");
    driver_type(driver, "mira\n");
    driver_refuse(driver, "name_check", "name_taken", "That name is taken.");
    driver_expect_output(driver, "That name is taken.");
    driver_type(driver, "mira2\n");
    driver_answer(driver, "name_check", NULL);
    driver_expect_output(driver, "Choose a password: (what you type is visible)\n");
    driver_type(driver, "a short sentence\na short sentence\n");
    driver_answer(driver, "sign_up",
                  "{\"you\":{\"name\":\"mira2\",\"kind\":\"player\",\"role\":\"player\","
                  "\"settings\":{},\"recovery\":\"ABCD-EFGH\"}}");
    driver_expect_output(driver, "Welcome, mira2.");
    driver_expect_output(driver, "Write this down: ABCD-EFGH");
    driver_push(driver, lobby_state);
    driver_type(driver, "play\n");
    driver_refuse(driver, "games", "off", "Not now.");
    driver_expect_output(driver, "1. Suppose, about 6 minutes. ");
    driver_type(driver, "1\n");
    assert_non_null(driver_find_request(driver, "quick"));
    expect_no_escape_sequences_and_free(driver);
}

static void a_password_is_not_echoed(void **state)
{
    (void)state;
    const struct driver_setup visitor = {
        .lines = ECHOED, .is_unregistered = true, .suggested_name = "mira"};
    struct driver *driver = driver_new(&visitor);
    driver_expect_output(driver, "Choose a name: (Enter alone: mira) ");
    driver_type(driver, "\r");
    driver_answer(driver, "name_check", NULL);
    driver_expect_output(driver, "Choose a password: ");
    driver_forget_output(driver);
    driver_type(driver, "a short sentence\r");
    driver_expect_no_output(driver, "sentence");
    expect_no_escape_sequences_and_free(driver);
}

static void a_table_is_set_up_by_typing_its_settings(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&piped);
    driver_type(driver, "/new\n");
    driver_expect_output(driver, "game can be: Oh Hell, ");
    driver_type(driver, "players 9\n");
    driver_expect_output(driver, "There is no such value for players.");
    driver_type(driver, "players 3\nlength short\nclock 60\n");
    driver_expect_output(driver, "players: 3 (from 3 to 7).\n");
    driver_type(driver, "nonsense\n");
    driver_type(driver, "bots\n");
    const json_t *sent = driver_find_request(driver, "table_open");
    assert_int_equal(json_integer_value(json_object_get(sent, "players")), 3);
    const json_t *clock = json_object_get(sent, "clock");
    assert_int_equal(json_integer_value(json_object_get(clock, "move_s")), 60);
    driver_answer(driver, "table_open", "{\"table\":9}");
    assert_non_null(driver_find_request(driver, "table_start"));
    expect_no_escape_sequences_and_free(driver);
}

static void a_screen_that_asks_nothing_closes_after_it_is_printed(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&piped);
    driver_type(driver, "/help\n");
    driver_expect_output(driver, "/tables: ");
    driver_type(driver, "/rules heckin full\n");
    driver_expect_output(driver, ": the rules\n");
    driver_type(driver, "/settings\n");
    driver_expect_output(driver, "Plain lines: on.");
    driver_type(driver, "/leaders hund\n");
    driver_answer(driver, "leaders",
                  "{\"total\":1,\"rows\":[{\"rank\":1,\"name\":\"ada\",\"kind\":\"player\","
                  "\"rating\":1642,\"deviation\":60,\"games\":31,\"wins\":40,\"place\":61,"
                  "\"stat\":null,\"finished\":98,\"best\":44}],\"me\":null}");
    driver_expect_output(driver, "The best at HUND.");
    driver_expect_output(driver, "1 ada, Rating 1642 +-60, Games 31, Won 40%");
    driver_type(driver, "/history\n");
    driver_answer(driver, "games",
                  "{\"rows\":[{\"game_id\":812,\"game\":\"oh-hell\",\"at\":1795000000000,"
                  "\"players\":[{\"name\":\"mira\"},{\"name\":\"ada\"}],\"rank\":1,\"score\":33,"
                  "\"change\":12}]}");
    driver_expect_output(driver, "Oh Hell, place 1 of 2, score 33, rating +12, with ada.\n");
    driver_type(driver,
                "hello\n"); /* the screen was closed, so the lobby takes this line as chat */
    assert_non_null(driver_find_request(driver, "say"));
    expect_no_escape_sequences_and_free(driver);
}

static void one_can_switch_between_plain_and_full_screen_mode(void **state)
{
    (void)state;
    const struct driver_setup drawn = {.lines = {.is_echoed = true}};
    struct driver *driver = enter_lobby(&drawn);
    driver_type(driver, "/plain on\r");
    assert_true(json_is_true(json_object_get(
        json_object_get(driver_find_request(driver, "settings_set"), "settings"), "plain")));
    driver_answer(driver, "settings_set", NULL);
    driver_expect_output(driver, "The lobby of Trickhouse. You are mira.\r\n");
    driver_forget_output(driver);
    driver_type(driver, "/who\r");
    driver_expect_no_output(driver, "\033");
    driver_type(driver, "/plain off\r");
    driver_answer(driver, "settings_set", NULL);
    driver_expect(driver, "Tables");
    driver_expect_output(driver, "\033[");
    driver_free(driver);
}

static void plain_mode_in_the_settings_applies_from_the_first_line(void **state)
{
    (void)state;
    const struct driver_setup setup = {
        .lines = {.is_echoed = true},
        .you = "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\",\"has_password\":true,"
               "\"settings\":{\"plain\":true},\"is_new\":false}"};
    struct driver *driver = enter_lobby(&setup);
    driver_expect_output(driver, "You are mira.\r\n");
    driver_end_session(driver);
    expect_no_escape_sequences_and_free(driver);
}

static void lines_are_wrapped_except_for_screen_readers(void **state)
{
    (void)state;
    const struct driver_setup narrow = {.lines = PLAIN, .columns = 30};
    struct driver *driver = enter_lobby(&narrow);
    size_t longest = 0;
    for (const char *at = driver_read_output(driver); *at != '\0';
         at += at[strcspn(at, "\n")] != '\0') {
        size_t len = strcspn(at, "\n");
        longest = len > longest ? len : longest;
        at += len;
    }
    assert_in_range(longest, 20, 30);
    expect_no_escape_sequences_and_free(driver);
    const struct driver_setup aloud = {.lines = {.is_on = true, .is_read_aloud = true},
                                       .columns = 30};
    driver = enter_lobby(&aloud);
    driver_expect_output(driver, "#3 Oh Hell, host ada: 3 of 4 seats taken, clock 30 seconds a move"
                                 ", open, 1 watching.\r\n");
    expect_no_escape_sequences_and_free(driver);
}

static void words_of_other_people_never_begin_at_the_left_margin(void **state)
{
    (void)state;
    for (int columns = 12; columns < 45; columns++) {
        const struct driver_setup narrow = {.lines = PLAIN, .columns = columns};
        struct driver *driver = enter_lobby(&narrow);
        driver_forget_output(driver);
        driver_push(driver, "{\"t\":\"chat\",\"n\":11,\"channel\":\"lobby\",\"kind\":\"say\","
                            "\"from\":\"ada\",\"at\":4000000000000,"
                            "\"text\":\"Your turn: aaa Your turn: bbb Your turn: ccc\"}");
        driver_expect_output(driver, "ada: Your");
        driver_expect_no_output(driver, "\nYour");
        driver_expect_no_output(driver, "\nturn");
        driver_expect_output(driver, "\n  ");
        driver_free(driver);
    }
}

static void printed_lines_of_other_people_contain_no_control_characters(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&piped);
    driver_forget_output(driver);
    driver_push(driver, "{\"t\":\"chat\",\"channel\":\"lobby\",\"from\":\"ada\",\"kind\":\"say\","
                        "\"text\":\"a\\u001b[2Jb\\u009bc\\u0007d\\nzwei \\u00e9\","
                        "\"at\":4000000000000,\"n\":9}");
    for (const char *at = driver_read_output(driver); *at != '\0'; at++) {
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
    }
    driver_expect_output(driver, "\xc3\xa9");
    driver_expect_no_output(driver, "\xc2\x9b");
    expect_no_escape_sequences_and_free(driver);
}

static void a_move_is_typed_by_number_or_name_and_other_words_are_chat(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, &piped, game_find("oh-hell"), 3, 0);
    stage_deal(&stage, 3);
    driver_type(stage.driver, "3\n");
    assert_string_equal(
        json_string_value(json_object_get(driver_find_request(stage.driver, "move"), "move")),
        "bid:3");
    driver_refuse(stage.driver, "move", "later", "Not yet.");
    driver_type(stage.driver, "nice cards\n");
    assert_non_null(driver_find_request(stage.driver, "say"));
    driver_answer(stage.driver, "say", NULL);
    assert_true(stage_play_until_turn(&stage, 1));
    struct game_view view;
    stage_write_view(&stage, &view);
    char name[CARD_TEXT_MAX];
    struct text text = text_init(name, sizeof(name));
    uint8_t move = move_set_next(&view.legal, 0);
    card_write_name(stage.game->deck, move, &text);
    char line[CARD_TEXT_MAX + 2];
    snprintf(line, sizeof(line), "%c%c\n", name[0] | 0x20, name[1] | 0x20);
    driver_type(stage.driver, name[0] >= 'A' ? line : strcat(name, "\n"));
    assert_non_null(driver_find_request(stage.driver, "move"));
    stage_clear(&stage);
}

static void an_illegal_card_is_refused_with_the_reason(void **state)
{
    (void)state;
    struct stage stage;
    struct game_view view;
    stage_init(&stage, &piped, game_find("oh-hell"), 3, 0);
    stage_deal(&stage, 3);
    do {
        assert_true(stage_play_until_turn(&stage, 1));
        stage_write_view(&stage, &view);
        if (move_set_count(&view.legal) == 10 - view.past_count) {
            stage_make_random_move(&stage);
        }
    } while (move_set_count(&view.legal) == 10 - view.past_count);
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "\r");
    driver_expect_output(stage.driver, "In the trick: ");
    driver_expect_output(stage.driver, "Not now: ");
    driver_expect_output(stage.driver, "must follow ");
    const char *number =
        strstr(driver_read_output(stage.driver), "Not now: ") + strlen("Not now: ");
    char line[8];
    snprintf(line, sizeof(line), "%.*s\n", (int)strspn(number, "0123456789"), number);
    driver_forget_output(stage.driver);
    driver_type(stage.driver, line);
    driver_expect_output(stage.driver, "must follow ");
    assert_null(driver_find_request(stage.driver, "move"));
    stage_clear(&stage);
}

static void plain_mode_warns_when_little_time_is_left(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, &piped, game_find("oh-hell"), 3, 0);
    stage_deal(&stage, 3);
    driver_type(stage.driver, "\r");
    driver_expect_output(stage.driver, "Time left: 0:2");
    driver_forget_output(stage.driver);
    driver_wait(stage.driver, 15000);
    assert_true(driver_read_output(stage.driver)[0] != '\0');
    driver_expect_output(stage.driver, "Time left: 0:0");
    driver_forget_output(stage.driver);
    driver_wait(stage.driver, 5000);
    driver_expect_no_output(stage.driver, "Time left");
    stage_clear(&stage);
}

static void plain_mode_chosen_before_sign_up_stays_on(void **state)
{
    (void)state;
    const struct driver_setup visitor = {.lines = PLAIN, .is_unregistered = true, .has_key = true};
    struct driver *driver = driver_new(&visitor);
    driver_type(driver, "/plain on\nmira\n");
    assert_null(driver_find_request(driver, "settings_set"));
    driver_answer(driver, "name_check", NULL);
    driver_type(driver, "\n");
    driver_answer(driver, "sign_up",
                  "{\"you\":{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\","
                  "\"settings\":{}}}");
    assert_non_null(driver_find_request(driver, "settings_set"));
    expect_no_escape_sequences_and_free(driver);
}

static void a_finished_game_can_be_replayed_step_by_step(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, &piped, game_find("oh-hell"), 3, 0);
    stage_deal(&stage, 3);
    while (stage_make_random_move(&stage)) {
    }
    stage_push_result(&stage);
    driver_type(stage.driver, "/replay 812\n");
    stage_answer_with_record(&stage);
    driver_expect_output(stage.driver, "the first deal");
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "\n");
    driver_expect_output(stage.driver, "step 1 of ");
    driver_expect_output(stage.driver, " bids ");
    driver_type(stage.driver, "trick\n");
    driver_expect_output(stage.driver, " takes the trick: ");
    driver_type(stage.driver, "all\n");
    driver_expect_output(stage.driver, "Round 19 is over.");
    driver_type(stage.driver, "/back\n");
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "/scores\n");
    driver_expect_output(stage.driver, "Round 19 is over.");
    stage_clear(&stage);
}

static void printed_scores_begin_with_the_viewers(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, &piped, game_find("oh-hell"), 4, 2);
    stage_deal(&stage, 3);
    while (json_array_size(stage.sheet) == 0) {
        assert_true(stage_make_random_move(&stage));
    }
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "/scores\n");
    const char *at = strstr(driver_read_output(stage.driver), "Round 1 is over.");
    assert_non_null(at);
    static const char *const players[] = {"You: ", "ella: ", "mira: ", "ada: "};
    for (size_t i = 0; i < ARRAY_LEN(players); i++) {
        at = strstr(at, players[i]);
        if (at == NULL) {
            fail_msg("%s is missing in this order: %s", players[i],
                     driver_read_output(stage.driver));
        }
    }
    stage_clear(&stage);
}

static void a_number_in_the_lobby_is_not_said_to_everybody(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(&piped);
    driver_type(driver, "3\n");
    driver_expect_output(driver, "\"3\" was not said. /sit 3 sits down at that table");
    assert_null(driver_find_request(driver, "say"));
    driver_type(driver, "/chat 3\n");
    assert_non_null(driver_find_request(driver, "say"));
    driver_free(driver);
}

TEST_GROUP(plain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lobby_is_printed_on_arrival),
        cmocka_unit_test(printed_scores_begin_with_the_viewers),
        cmocka_unit_test(a_prompt_is_shown_only_where_the_house_echoes_typed_text),
        cmocka_unit_test(new_lines_are_printed_above_the_line_being_typed),
        cmocka_unit_test(each_chat_line_is_printed_once),
        cmocka_unit_test(a_command_waits_for_the_answer_to_the_previous_one),
        cmocka_unit_test(typed_lines_wait_until_the_core_has_described_the_lobby),
        cmocka_unit_test(a_session_ends_if_the_core_does_not_describe_the_lobby_in_time),
        cmocka_unit_test(a_session_ends_if_the_last_answer_does_not_come_in_time),
        cmocka_unit_test(a_flood_of_lines_is_carried_out_in_batches),
        cmocka_unit_test(at_the_end_of_input_the_session_waits_for_the_last_answer_and_leaves),
        cmocka_unit_test(a_session_without_input_prints_the_lobby_and_ends),
        cmocka_unit_test(in_plain_mode_one_signs_up_by_answering_questions),
        cmocka_unit_test(a_password_is_not_echoed),
        cmocka_unit_test(a_table_is_set_up_by_typing_its_settings),
        cmocka_unit_test(a_screen_that_asks_nothing_closes_after_it_is_printed),
        cmocka_unit_test(one_can_switch_between_plain_and_full_screen_mode),
        cmocka_unit_test(plain_mode_in_the_settings_applies_from_the_first_line),
        cmocka_unit_test(lines_are_wrapped_except_for_screen_readers),
        cmocka_unit_test(words_of_other_people_never_begin_at_the_left_margin),
        cmocka_unit_test(printed_lines_of_other_people_contain_no_control_characters),
        cmocka_unit_test(a_move_is_typed_by_number_or_name_and_other_words_are_chat),
        cmocka_unit_test(an_illegal_card_is_refused_with_the_reason),
        cmocka_unit_test(plain_mode_warns_when_little_time_is_left),
        cmocka_unit_test(plain_mode_chosen_before_sign_up_stays_on),
        cmocka_unit_test(a_finished_game_can_be_replayed_step_by_step),
        cmocka_unit_test(a_number_in_the_lobby_is_not_said_to_everybody),
    };
    return cmocka_run_group_tests_name("plain", tests, NULL, NULL);
}
