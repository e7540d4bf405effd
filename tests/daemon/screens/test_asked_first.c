#include "daemon/screens/kernel/ui.h"
#include "samples.h"
#include "stage.h"
#include "tests/daemon/screens/all_screens.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests that nothing happens that cannot be undone before the person was asked, and that everything
 * a key does can be typed as a command too. */

enum place {
    IN_LOBBY,
    BEFORE_START,
    IN_GAME,
};

/* Every key and command that cannot be undone, with the request that it leads to in the end (NULL:
 * the session ends). An Enter after it, which hurried people press, must not confirm it; only
 * quitting takes Enter. */
static const struct {
    enum place place;
    const char *typed, *question, *confirmed_by, *request;
} irreversible[] = {
    {IN_LOBBY, "q", "Leave the house?", "y", NULL},
    {IN_LOBBY, "\x03", "Leave the house?", "y", NULL},
    {IN_LOBBY, "\x04", "Leave the house?", "\x04", NULL},
    {IN_LOBBY, "/key remove 1\r", "Remove key 1?", "y", "key_remove"},
    {IN_LOBBY, "/botaccount on\r", "This cannot be undone", "y", "bot_account"},
    {BEFORE_START, "/kick bob\r", "Kick bob: are you sure?", "y", "mod"},
    {BEFORE_START, "\x1b[A\x1b[A\x1b[A\x1b[B\x1b[Bk", "Kick bob: are you sure?", "y", "mod"},
    {BEFORE_START, "/close\r", "Close the table?", "y", "table_close"},
    {IN_GAME, "q", "Leave?", "l", "table_leave"},
    {IN_GAME, "qg", "Leave for good?", "y", "seat_leave"},
    {IN_GAME, "/leave\rg", "Leave for good?", "y", "seat_leave"},
    {IN_GAME, "/back\rg", "Leave for good?", "y", "seat_leave"},
    {IN_GAME, "X", "Leave for good?", "y", "seat_leave"},
    {IN_GAME, "/resign\r", "Leave for good?", "y", "seat_leave"},
    {IN_GAME, "/stand\r", "Leave for good?", "y", "seat_leave"},
    {IN_GAME, "\x03", "goes on without you", "y", NULL},
    {IN_GAME, "/quit\r", "goes on without you", "y", NULL},
};

static void go_to_place(struct stage *stage, enum place place)
{
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    *stage = (struct stage){0};
    if (place == IN_LOBBY) {
        stage->driver = driver_new(&setup);
        samples_push_lobby(stage->driver);
        return;
    }
    stage_init(stage, &setup, game_at(0), 4, 0);
    if (place == IN_GAME) {
        stage_deal(stage, 3);
        samples_push_lobby(stage->driver);
        driver_push(stage->driver, "{\"t\":\"mine\",\"tables\":[{\"table\":3,\"game\":"
                                   "\"oh-hell\",\"turn\":false,\"is_live\":true}]}");
    }
}

static void leave_place(struct stage *stage, enum place place)
{
    if (place == IN_LOBBY) {
        driver_free(stage->driver);
    } else {
        stage_clear(stage);
    }
}

static bool has_happened(const struct stage *stage, const char *request)
{
    return request == NULL ? driver_is_session_over(stage->driver)
                           : driver_find_request(stage->driver, request) != NULL;
}

static void every_key_and_command_that_cannot_be_undone_asks_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(irreversible); i++) {
        struct stage stage;
        const char *request = irreversible[i].request;
        go_to_place(&stage, irreversible[i].place);
        driver_type(stage.driver, irreversible[i].typed);
        driver_expect(stage.driver, irreversible[i].question);
        assert_false(has_happened(&stage, request));
        if (request != NULL) {
            driver_type(stage.driver, "\r");
            assert_false(has_happened(&stage, request));
        }
        driver_type(stage.driver, "\x1b");
        driver_expect_not(stage.driver, irreversible[i].question);
        driver_type(stage.driver, irreversible[i].typed);
        driver_type(stage.driver, irreversible[i].confirmed_by);
        if (!has_happened(&stage, request)) {
            driver_print_screen(stage.driver, irreversible[i].typed);
            fail_msg("it never happened");
        }
        leave_place(&stage, irreversible[i].place);
    }
}

static void nobody_is_asked_before_a_request_that_the_core_refuses(void **state)
{
    (void)state;
    static const enum place places[] = {IN_LOBBY, IN_GAME};
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        struct stage stage;
        go_to_place(&stage, places[i]);
        driver_type(stage.driver, "/kick bob\r");
        driver_expect_not(stage.driver, "are you sure?");
        assert_true(has_happened(&stage, "mod"));
        leave_place(&stage, places[i]);
    }
}

/* Keys that only move about, change what the screen shows, or belong to screens on which plain
 * lines have words of their own. */
static const struct {
    const char *screen, *keys;
} without_command[] = {
    {"lobby", "Tab"},     {"past", "← →"},   {"past", "↑ ↓"},         {"past", "PgUp PgDn"},
    {"past", "Home End"}, {"past", "p q"},   {"profile", "Tab"},      {"mod", "Up, Down"},
    {"replay", "← →"},    {"replay", "↑ ↓"}, {"replay", "PgUp PgDn"}, {"replay", "Home End"},
    {"replay", "v Tab"},  {"replay", "g"},   {"replay", "s"},         {"replay", "e"},
    {"rules", "Enter"},   {"rules", "↑ ↓"},  {"set_up", "up down"},   {"set_up", "left right"},
    {"set_up", "Enter"},  {"sheet", "↑ ↓"},  {"sheet", "s q"},        {"sheet", "PgDn PgUp"},
    {"log", "↑ ↓"},       {"log", "L q"},    {"log", "Home End"},     {"rules", "s"},
    {"log", "PgUp PgDn"}, {"sign_up", "l"},
};

static bool needs_no_command(const char *screen, const char *keys)
{
    for (size_t i = 0; i < ARRAY_LEN(without_command); i++) {
        if (strcmp(without_command[i].screen, screen) == 0 &&
            strcmp(without_command[i].keys, keys) == 0) {
            return true;
        }
    }
    return false;
}

/* Checks that every word with a slash in `commands` ("/sit /watch") is a command. */
static void assert_commands_exist(const char *commands)
{
    char word[80];
    while (*commands != '\0') {
        commands = command_read_word(commands, word, sizeof(word));
        if (word[0] == '/' && command_find(word + 1) == NULL) {
            fail_msg("there is no command %s", word);
        }
    }
}

static void everything_that_a_key_does_can_be_typed_as_a_command(void **state)
{
    const struct screen *screen;
    (void)state;
    for (size_t i = 0; (screen = all_screens[i]) != NULL; i++) {
        for (const struct screen_key *key = screen->keys; key != NULL && key->keys != NULL; key++) {
            if (key->command != NULL) {
                assert_commands_exist(key->command);
            } else if (key->help != NULL && !needs_no_command(screen->name, key->keys)) {
                fail_msg("no command does what %s does on the screen %s", key->keys, screen->name);
            }
        }
    }
}

static void a_question_names_all_its_answers_at_every_width(void **state)
{
    static const int columns[] = {80, 70, 60};
    static const char *const answers[] = {"p everybody", "d a round behind", "t ten moves behind",
                                          "f friends",   "n nobody",         "Esc stay"};
    (void)state;
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    stage_init(&stage, &setup, game_at(0), 4, 0);
    driver_type(stage.driver, "w");
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        driver_resize(stage.driver, columns[i], 24);
        driver_expect(stage.driver, "Who may watch the game?");
        for (size_t j = 0; j < ARRAY_LEN(answers); j++) {
            driver_expect(stage.driver, answers[j]);
        }
    }
    stage_clear(&stage);
}

static void a_notice_of_two_rows_leaves_the_frame_of_the_lobby_whole(void **state)
{
    (void)state;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    driver_push(driver, "{\"t\":\"notice\",\"kind\":\"info\",\"text\":\"It begins here and has so "
                        "much to say that one row of the window is not enough, and ends there.\"}");
    const char *last = driver_read_row(driver, 21);
    assert_non_null(strstr(last, "└─ "));
    assert_non_null(strstr(last, "there. ──"));
    assert_non_null(strstr(last, "─┘"));
    driver_free(driver);
}

static void the_lobbys_chat_pane_takes_all_letters_as_talk(void **state)
{
    (void)state;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    driver_type(driver, "\t\tquite nice here?\r");
    const json_t *said = driver_find_request(driver, "say");
    assert_non_null(said);
    assert_string_equal(json_string_value(json_object_get(said, "text")), "quite nice here?");
    driver_expect(driver, "letters talk");
    driver_free(driver);
}

TEST_GROUP(asked_first)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_asked_before_a_request_that_the_core_refuses),
        cmocka_unit_test(every_key_and_command_that_cannot_be_undone_asks_first),
        cmocka_unit_test(everything_that_a_key_does_can_be_typed_as_a_command),
        cmocka_unit_test(a_question_names_all_its_answers_at_every_width),
        cmocka_unit_test(a_notice_of_two_rows_leaves_the_frame_of_the_lobby_whole),
        cmocka_unit_test(the_lobbys_chat_pane_takes_all_letters_as_talk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
