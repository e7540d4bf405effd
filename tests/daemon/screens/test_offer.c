#include "games/game.h"
#include "tests/daemon/screens/driver.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* The offer of games against bots: what it shows, how one begins a game, who sees it unasked. */

static const char alone[] =
    "{\"t\":\"lobby\",\"reset\":true,\"people\":[{\"name\":\"mira\"}],\"tables\":[]}";
static const char guest[] = "{\"name\":\"guest-1\",\"kind\":\"guest\",\"role\":\"player\","
                            "\"settings\":{}}";
static const char no_games[] = "{\"rows\":[]}";

static struct driver *enter_lobby(int columns, int rows)
{
    struct driver_setup setup = {.columns = columns, .rows = rows};
    struct driver *driver = driver_new(&setup);
    driver_push(driver, alone);
    return driver;
}

static const char *find_requested_game(const struct driver *driver)
{
    const json_t *request = driver_find_request(driver, "quick");
    return request == NULL ? "" : json_string_value(json_object_get(request, "game"));
}

/* Returns the game that is offered as the nth, from 1; NULL if there is none. */
static const struct game_def *find_offered_game(struct driver *driver, int n)
{
    char words[100];
    for (uint8_t i = 0; i < game_count(); i++) {
        snprintf(words, sizeof(words), "%d  %s", n, game_at(i)->title);
        if (driver_shows(driver, words)) {
            return game_at(i);
        }
    }
    return NULL;
}

static void every_game_is_offered_with_its_sentence_and_the_shortest_first(void **state)
{
    (void)state;
    static const int sizes[][2] = {{80, 24}, {120, 40}, {60, 18}};
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct driver *driver = enter_lobby(sizes[i][0], sizes[i][1]);
        driver_type(driver, "b");
        driver_expect(driver, "1-5 play"); /* known before the house has answered */
        driver_answer(driver, "games", no_games);
        uint8_t minutes = 0;
        for (int n = 1; n <= game_count(); n++) {
            const struct game_def *game = find_offered_game(driver, n);
            assert_non_null(game);
            driver_expect(driver, game->face->pitch);
            assert_true(game->short_form.minutes >= minutes);
            minutes = game->short_form.minutes;
        }
        driver_expect(driver, "1-5 play");
        driver_free(driver);
    }
}

static void the_last_row_names_the_lesson_also_on_a_small_screen(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(60, 18);
    driver_type(driver, "b");
    driver_answer(driver, "games", no_games);
    driver_expect(driver, "1-5 play  Enter play it  l learn it");
    driver_free(driver);
}

static void the_game_played_last_is_offered_first(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(80, 24);
    driver_type(driver, "b");
    driver_answer(driver, "games",
                  "{\"rows\":[{\"game_id\":812,\"game\":\"hund\",\"at\":1795000000000,"
                  "\"players\":[{\"name\":\"mira\"}],\"rank\":1,\"score\":3,\"change\":0}]}");
    driver_expect(driver, "1  HUND");
    driver_type(driver, "3");
    const struct game_def *third = find_offered_game(driver, 3);
    assert_string_equal(find_requested_game(driver), third->id);
    driver_answer(driver, "quick", "{\"table\":9}");
    assert_string_equal(driver_screen_name(driver), "table");
    driver_type(driver, "/quick\r");
    assert_ptr_equal(find_offered_game(driver, 1), third); /* known without a question */
    driver_free(driver);
}

static void arrows_enter_and_the_mouse_begin_a_game(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(80, 24);
    driver_type(driver, "b");
    driver_answer(driver, "games", no_games);
    driver_type(driver, "\x1b[B\r");
    assert_string_equal(find_requested_game(driver), find_offered_game(driver, 2)->id);
    driver_refuse(driver, "quick", "wait", "That was a lot of changes.");
    driver_expect(driver, "That was a lot of changes.");
    driver_type(driver, "\x1b[<0;20;19M\x1b[<0;20;19m"); /* below the games */
    assert_null(driver_find_request(driver, "quick"));
    driver_type(driver, "\x1b[<0;20;10M\x1b[<0;20;10m");
    assert_string_equal(find_requested_game(driver), find_offered_game(driver, 3)->id);
    driver_free(driver);
}

static void a_number_typed_before_the_games_are_shown_begins_the_game_shown_then(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby(80, 24);
    driver_type(driver, "b1");
    assert_null(driver_find_request(driver, "quick"));
    driver_answer(driver, "games", no_games);
    assert_string_equal(find_requested_game(driver), find_offered_game(driver, 1)->id);
    driver_free(driver);
}

static void a_guest_sees_the_offer_once_and_unasked(void **state)
{
    (void)state;
    struct driver_setup setup = {.you = guest};
    struct driver *driver = driver_new(&setup);
    driver_push(driver, alone);
    assert_string_equal(driver_screen_name(driver), "offer");
    driver_answer(driver, "games", no_games);
    driver_type(driver, "\x1b");
    driver_wait(driver, 1000);
    assert_string_equal(driver_screen_name(driver), "lobby");
    driver_push(driver, alone);
    assert_string_equal(driver_screen_name(driver), "lobby");
    driver_free(driver);

    driver = enter_lobby(80, 24); /* a person with an account is not asked */
    assert_string_equal(driver_screen_name(driver), "lobby");
    driver_free(driver);
}

static void a_warning_of_the_house_can_be_read_when_the_offer_opens_and_closes(void **state)
{
    (void)state;
    struct driver_setup setup = {.you = guest};
    struct driver *driver = driver_new(&setup);
    driver_push(driver, "{\"t\":\"notice\",\"kind\":\"warn\",\"text\":\"The disk is full\"}");
    driver_expect(driver, "The disk is full");
    driver_push(driver, alone);
    assert_string_equal(driver_screen_name(driver), "offer");
    driver_expect(driver, "The disk is full");
    driver_type(driver, "q");
    assert_string_equal(driver_screen_name(driver), "lobby");
    driver_expect(driver, "The disk is full");
    driver_wait(driver, 3000);
    driver_expect_not(driver, "The disk is full");
    driver_free(driver);
}

static void the_command_begins_a_game_by_any_clear_beginning_of_its_name(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *id;
    } cases[] = {
        {"/quick HUND\r", "hund"},  {"/quick hu\r", "hund"},     {"/quick oh-\r", "oh-hell"},
        {"/quick Oh\r", "oh-hell"}, {"/quick sup\r", "suppose"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct driver *driver = enter_lobby(80, 24);
        driver_type(driver, cases[i].typed);
        assert_string_equal(find_requested_game(driver), cases[i].id);
        driver_free(driver);
    }
    struct driver *driver = enter_lobby(80, 24);
    driver_type(driver, "/quick h\r");
    driver_expect(driver, "No game, or more than one, begins with \"h\"");
    driver_type(driver, "/quick chess\r");
    driver_expect(driver, "No game, or more than one, begins with \"chess\"");
    assert_null(driver_find_request(driver, "quick"));
    driver_free(driver);
}

static void the_offer_is_a_numbered_list_in_plain_lines(void **state)
{
    (void)state;
    struct driver_setup setup = {.lines = {.is_on = true, .is_echoed = true}, .you = guest};
    struct driver *driver = driver_new(&setup);
    driver_push(driver, alone);
    driver_expect_no_output(driver, "Games against bots");
    driver_refuse(driver, "best", "off", "Not now.");
    driver_type(driver, "/quick\r");
    driver_answer(driver, "games", no_games);
    driver_expect_output(driver, "Games against bots, without a clock:\r\n1. ");
    driver_type(driver, "6\r");
    assert_null(driver_find_request(driver, "quick"));
    driver_type(driver, "5\r");
    assert_string_equal(find_requested_game(driver), "hund");
    driver_refuse(driver, "quick", "wait", "That was a lot of changes.");
    driver_type(driver, "learn 6\r");
    assert_null(driver_find_request(driver, "learn"));
    driver_type(driver, "learn 2\r");
    const json_t *lesson = driver_find_request(driver, "learn");
    assert_string_equal(json_string_value(json_object_get(lesson, "game")), "heckin-hounds");
    driver_free(driver);
}

TEST_GROUP(offer)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_is_offered_with_its_sentence_and_the_shortest_first),
        cmocka_unit_test(the_last_row_names_the_lesson_also_on_a_small_screen),
        cmocka_unit_test(the_game_played_last_is_offered_first),
        cmocka_unit_test(arrows_enter_and_the_mouse_begin_a_game),
        cmocka_unit_test(a_number_typed_before_the_games_are_shown_begins_the_game_shown_then),
        cmocka_unit_test(a_guest_sees_the_offer_once_and_unasked),
        cmocka_unit_test(a_warning_of_the_house_can_be_read_when_the_offer_opens_and_closes),
        cmocka_unit_test(the_command_begins_a_game_by_any_clear_beginning_of_its_name),
        cmocka_unit_test(the_offer_is_a_numbered_list_in_plain_lines),
    };
    return cmocka_run_group_tests_name("offer", tests, NULL, NULL);
}
