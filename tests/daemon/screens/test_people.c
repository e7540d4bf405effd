#include "tests/daemon/screens/samples.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct driver *enter_lobby_at_size(int columns, int rows)
{
    struct driver_setup setup = {.columns = columns, .rows = rows};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    return driver;
}

static struct driver *enter_plain_lobby(void)
{
    struct driver_setup setup = {.lines = {.is_on = true, .is_echoed = true}};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    driver_forget_output(driver);
    return driver;
}

static const char *get_field_of_request(const struct driver *driver, const char *type,
                                        const char *key)
{
    return json_string_value(json_object_get(driver_find_request(driver, type), key));
}

/* Returns the number of the screen row that shows these words, or -1. */
static int find_screen_row_with_words(struct driver *driver, const char *words)
{
    for (int row = 0; row < 24; row++) {
        if (strstr(driver_read_row(driver, row), words) != NULL) {
            return row;
        }
    }
    return -1;
}

static void friends_are_listed_first_and_marked(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_at_size(80, 24);
    assert_true(find_screen_row_with_words(driver, "ada") <
                find_screen_row_with_words(driver, "dmitri"));
    driver_push(driver, "{\"t\":\"friends\",\"names\":[\"dmitri\"]}");
    driver_expect(driver, "+dmitri");
    assert_true(find_screen_row_with_words(driver, "+dmitri") <
                find_screen_row_with_words(driver, "mira   "));
    driver_print_screen(driver, "a friend, 80x24");
    driver_free(driver);

    driver = enter_lobby_at_size(120, 40);
    driver_push(driver, "{\"t\":\"friends\",\"names\":[\"dmitri\"]}");
    driver_push(driver, "{\"t\":\"lobby\",\"reset\":false,\"people\":[{\"name\":\"dmitri\","
                        "\"kind\":\"player\",\"rating\":1720,\"idle_s\":0,\"presence\":\"away\","
                        "\"presence_text\":\"coffee\"},{\"name\":\"bob\",\"kind\":\"player\","
                        "\"rating\":1498,\"idle_s\":0,\"presence\":\"dnd\"}]}");
    driver_expect(driver, "away: coffee");
    driver_expect(driver, "busy");
    driver_print_screen(driver, "friends away and busy, 120x40");
    driver_free(driver);
}

static void commands_add_and_list_friends(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_at_size(80, 24);
    driver_type(driver, "/friend bob\r");
    assert_string_equal(get_field_of_request(driver, "friend_add", "name"), "bob");
    driver_answer(driver, "friend_add", NULL);
    driver_expect(driver, "Added to your friends:");
    driver_push(driver, "{\"t\":\"friends\",\"names\":[\"bob\",\"zoe\"]}");
    driver_type(driver, "/unfriend z\t");
    driver_expect(driver, "> /unfriend zoe");
    driver_type(driver, "\033/friends\r");
    driver_answer(driver, "friends",
                  "{\"friends\":[{\"name\":\"zoe\",\"here\":false,\"seen_at\":1794999000000},"
                  "{\"name\":\"bob\",\"here\":true,\"table\":7,\"seated\":true,\"idle_s\":5}]}");
    driver_expect(driver, "bob: playing at #7.");
    driver_expect(driver, "zoe: not here since 2026-11-18");
    assert_true(find_screen_row_with_words(driver, "bob: playing") <
                find_screen_row_with_words(driver, "zoe: not here"));
    driver_type(driver, "/friends quiet\r");
    assert_true(json_is_false(json_object_get(
        json_object_get(driver_find_request(driver, "settings_set"), "settings"), "arrivals")));
    driver_free(driver);
}

static void an_offline_message_is_shown_with_its_date(void **state)
{
    (void)state;
    static const char kept[] =
        "{\"t\":\"chat\",\"channel\":\"tell\",\"kind\":\"say\",\"at\":1794999300000,\"n\":9,"
        "\"from\":\"ada\",\"to\":\"mira\",\"text\":\"call me\",\"kept\":true}";
    struct driver *driver = enter_lobby_at_size(80, 24);
    driver_push(driver, kept);
    driver_expect(driver, "1 message has waited for you");
    driver_expect(driver, "ada to you, 2026-11-18: call me");
    driver_free(driver);
    driver = enter_plain_lobby();
    driver_push(driver, kept);
    driver_expect_output(driver, "ada left you a message at 2026-11-18");
    driver_expect_output(driver, ": call me");
    driver_free(driver);
}

static void no_bell_rings_while_do_not_disturb_is_on(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_at_size(80, 24);
    driver_type(driver, "/dnd on thinking\r");
    assert_string_equal(get_field_of_request(driver, "presence", "kind"), "dnd");
    assert_string_equal(get_field_of_request(driver, "presence", "text"), "thinking");
    driver_answer(driver, "presence", NULL);
    driver_push(driver, "{\"t\":\"you\",\"you\":{\"name\":\"mira\",\"kind\":\"player\","
                        "\"presence\":\"dnd\"}}");
    int bells = driver_count_bells(driver);
    driver_push(driver, "{\"t\":\"chat\",\"channel\":\"tell\",\"kind\":\"say\","
                        "\"at\":1794999300000,\"n\":9,\"from\":\"ada\",\"to\":\"mira\","
                        "\"text\":\"psst\"}");
    assert_int_equal(driver_count_bells(driver), bells);
    driver_type(driver, "/dnd off\r");
    assert_string_equal(get_field_of_request(driver, "presence", "kind"), "here");
    driver_type(driver, "/tell ada hello\r");
    driver_answer(driver, "tell", "{\"word\":\"ada is away: coffee.\"}");
    driver_expect(driver, "ada is away: coffee.");
    driver_free(driver);
}

#define TEA "{\"t\":\"channels\",\"names\":[\"#tea\",\"#dev\"]}"
#define MILK                                                                                       \
    "{\"t\":\"chat\",\"channel\":\"#tea\",\"kind\":\"say\",\"at\":4794999300000,\"n\":9,"          \
    "\"from\":\"ada\",\"text\":\"milk?\"}"

static void bracket_keys_and_joining_a_channel_switch_the_shown_chat(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_at_size(80, 24);
    driver_type(driver, "/join tea\r");
    assert_string_equal(get_field_of_request(driver, "join", "channel"), "#tea");
    driver_push(driver, TEA);
    driver_push(driver, MILK);
    driver_expect(driver, "#lobby  #tea*  #dev");
    driver_expect_not(driver, "milk?");
    driver_expect(driver, "] channel");
    driver_answer(driver, "join", "{\"channel\":\"#tea\"}");
    driver_expect(driver, "<ada> milk?");
    driver_expect(driver, "#tea  #lobby  #dev");
    driver_print_screen(driver, "a channel, 80x24");
    driver_type(driver, "cyes please\r");
    assert_string_equal(get_field_of_request(driver, "say", "to"), "#tea");
    driver_type(driver, "[");
    driver_expect_not(driver, "milk?");
    driver_expect(driver, "anyone for a quick one");
    driver_type(driver, "]");
    driver_type(driver, "/part\r");
    assert_string_equal(get_field_of_request(driver, "part", "channel"), "#tea");
    driver_push(driver, "{\"t\":\"channels\",\"names\":[\"#dev\"]}");
    driver_expect(driver, "#lobby  #dev");
    driver_expect(driver, "anyone for a quick one");
    driver_free(driver);
}

static void in_plain_mode_channel_lines_start_with_the_channels_name(void **state)
{
    (void)state;
    struct driver *driver = enter_plain_lobby();
    driver_push(driver, TEA);
    driver_push(driver, MILK);
    driver_expect_output(driver, "#tea ada: milk?");
    driver_type(driver, "/channels\r");
    driver_answer(driver, "channels",
                  "{\"channels\":[{\"name\":\"#tea\",\"members\":2,\"here\":1,\"is_in\":true}]}");
    driver_expect_output(driver, "#tea: 2 members, 1 here, you are in it.");
    driver_free(driver);
}

static void an_invitation_is_accepted_with_one_key_even_at_a_locked_table(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_at_size(80, 24);
    driver_push(driver, "{\"t\":\"invite\",\"table\":5,\"game\":\"oh-hell\","
                        "\"from\":\"ada\",\"for_s\":300}");
    driver_expect(driver, "ada invites you to #5, Oh Hell: /accept sits down");
    driver_expect(driver, "a accept");
    driver_print_screen(driver, "an invitation, 80x24");
    driver_type(driver, "a");
    assert_int_equal(
        json_integer_value(json_object_get(driver_find_request(driver, "table_enter"), "table")),
        5);
    driver_answer(driver, "table_enter", NULL);
    assert_non_null(driver_find_request(driver, "seat_take"));
    driver_free(driver);

    driver = enter_lobby_at_size(80, 24);
    driver_push(driver, "{\"t\":\"invite\",\"table\":5,\"game\":\"oh-hell\","
                        "\"from\":\"ada\",\"for_s\":300}");
    driver_wait(driver, 301000);
    driver_expect_not(driver, "a accept");
    driver_type(driver, "/accept\r");
    driver_expect(driver, "You have no invitation now");
    driver_free(driver);
}

static void the_who_command_asks_for_the_names_that_begin_with_its_letters(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_at_size(80, 24);
    driver_type(driver, "/who\r");
    driver_expect(driver, "6 people are in: ada #3, bob #7, chen, dmitri, guest-12 #3, mira");
    driver_push(driver, "{\"t\":\"lobby\",\"people\":[]}");
    driver_type(driver, "/who xy\r");
    assert_string_equal(get_field_of_request(driver, "people", "start"), "xy");
    driver_expect(driver, "Nobody in the house has a name that begins so.");
    driver_free(driver);
}

static void the_why_command_says_who_may_sit_down_at_a_table(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_at_size(120, 40);
    driver_type(driver, "/why #7\r");
    assert_int_equal(
        json_integer_value(json_object_get(driver_find_request(driver, "why"), "table")), 7);
    driver_answer(driver, "why", "{\"can_sit\":false,\"why\":\"It is for 1400-1700.\"}");
    driver_expect(driver, "It is for 1400-1700.");
    driver_free(driver);
}

static void the_why_command_without_arguments_repeats_the_last_refusal(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_at_size(80, 24);
    driver_type(driver, "/why\r");
    driver_expect(driver, "No request of yours was refused.");
    driver_type(driver, "/sit x\r");
    driver_type(driver, "/who\r");
    driver_type(driver, "/why\r");
    driver_expect(driver, "Say at which table: /sit 3");
    driver_free(driver);
}

static void one_command_line_opens_a_table_and_looks_for_players(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_at_size(80, 24);
    driver_type(driver, "/seek oh-hell 5 rating 1400-1700 finished 80% clock 30s\r");
    const json_t *sent = driver_find_request(driver, "table_open");
    const json_t *fit = json_object_get(sent, "fit");
    assert_string_equal(get_field_of_request(driver, "table_open", "game"), "oh-hell");
    assert_int_equal(json_integer_value(json_object_get(sent, "players")), 5);
    assert_int_equal(json_integer_value(json_object_get(fit, "rating_min")), 1400);
    assert_int_equal(json_integer_value(json_object_get(fit, "rating_max")), 1700);
    assert_int_equal(json_integer_value(json_object_get(fit, "finished_min")), 80);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(sent, "clock"), "move_s")),
                     30);
    driver_answer(driver, "table_open", "{\"table\":9}");
    driver_free(driver);

    static const char *const bad[] = {"", "poker", "oh-hell 99", "oh-hell 4 rating 9",
                                      "oh-hell clock x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[64];
        driver = enter_lobby_at_size(80, 24);
        snprintf(line, sizeof line, "/seek %s\r", bad[i]);
        driver_type(driver, line);
        driver_expect(driver, "Say which game, how many players");
        assert_null(driver_find_request(driver, "table_open"));
        driver_free(driver);
    }
}

static void the_set_up_screen_says_who_may_sit_down(void **state)
{
    (void)state;
    struct driver *driver = enter_plain_lobby();
    driver_type(driver, "/new\r");
    driver_expect_output(driver, "open-to: all.");
    driver_type(driver, "open-to rating 1400-1700\r");
    driver_expect_output(driver, "open-to: rating 1400-1700.");
    driver_type(driver, "open-to nobody\r");
    driver_expect_output(driver, "There is no such value for open-to.");
    driver_type(driver, "open\r");
    const json_t *fit = json_object_get(driver_find_request(driver, "table_open"), "fit");
    assert_int_equal(json_integer_value(json_object_get(fit, "rating_min")), 1400);
    driver_free(driver);

    driver = enter_lobby_at_size(80, 24);
    driver_type(driver, "n");
    driver_expect(driver, "Open to");
    driver_print_screen(driver, "setting up, 80x24");
    driver_free(driver);
}

static void somebody_alone_in_the_house_can_replay_yesterdays_best_game(void **state)
{
    (void)state;
    static const char alone[] = "{\"t\":\"lobby\",\"reset\":true,\"people\":[{\"name\":\"mira\"}],"
                                "\"tables\":[]}";
    static const char best[] =
        "{\"game_id\":81,\"game\":\"oh-hell\",\"players\":[\"ada\",\"bob\",\"chen\"]}";
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_push(driver, alone);
    driver_answer(driver, "best", best);
    driver_expect(driver, "You have the house to yourself.");
    driver_expect(driver, "y  yesterday's best: Oh Hell, ada, bob and");
    driver_print_screen(driver, "alone, 80x24");
    driver_type(driver, "y");
    assert_int_equal(
        json_integer_value(json_object_get(driver_find_request(driver, "record"), "game_id")), 81);
    driver_free(driver);

    struct driver_setup told = {.lines = {.is_on = true, .is_echoed = true}};
    driver = driver_new(&told);
    driver_push(driver, alone);
    driver_expect_output(driver, "You are alone: /quick plays against bots at once");
    driver_answer(driver, "best", best);
    driver_type(driver, "/look\r");
    driver_expect_output(driver,
                         "/replay 81 shows yesterday's best game: Oh Hell, ada, bob and chen.");
    driver_free(driver);
}

static void an_answer_goes_to_the_screen_that_asked_even_if_it_is_covered(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_type(driver, "/settings\r");
    driver_expect(driver, "Colours");
    driver_push(driver, "{\"t\":\"lobby\",\"reset\":true,\"people\":[{\"name\":\"mira\"}],"
                        "\"tables\":[]}");
    driver_answer(driver, "best",
                  "{\"game_id\":81,\"game\":\"oh-hell\",\"players\":[\"ada\",\"bob\"]}");
    driver_expect(driver, "Colours");
    driver_type(driver, "q");
    driver_expect(driver, "y  yesterday's best: Oh Hell, ada and bob");
    driver_free(driver);
}

static void an_announcement_stays_in_the_chat_and_rings_the_bell(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_at_size(80, 24);
    int bells = driver_count_bells(driver);
    driver_push(driver, "{\"t\":\"notice\",\"kind\":\"motd\",\"text\":\"Welcome to the cup.\"}");
    driver_expect(driver, "Welcome to the cup.");
    driver_push(driver,
                "{\"t\":\"notice\",\"kind\":\"wall\",\"text\":\"ada to everybody: at eight\"}");
    assert_int_equal(driver_count_bells(driver), bells + 1);
    driver_wait(driver, 600000);
    driver_type(driver, "j");
    driver_expect(driver, "ada to everybody: at eight");
    driver_free(driver);
}

TEST_GROUP(people)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friends_are_listed_first_and_marked),
        cmocka_unit_test(commands_add_and_list_friends),
        cmocka_unit_test(an_offline_message_is_shown_with_its_date),
        cmocka_unit_test(no_bell_rings_while_do_not_disturb_is_on),
        cmocka_unit_test(bracket_keys_and_joining_a_channel_switch_the_shown_chat),
        cmocka_unit_test(an_invitation_is_accepted_with_one_key_even_at_a_locked_table),
        cmocka_unit_test(the_who_command_asks_for_the_names_that_begin_with_its_letters),
        cmocka_unit_test(the_why_command_says_who_may_sit_down_at_a_table),
        cmocka_unit_test(the_why_command_without_arguments_repeats_the_last_refusal),
        cmocka_unit_test(one_command_line_opens_a_table_and_looks_for_players),
        cmocka_unit_test(the_set_up_screen_says_who_may_sit_down),
        cmocka_unit_test(somebody_alone_in_the_house_can_replay_yesterdays_best_game),
        cmocka_unit_test(an_answer_goes_to_the_screen_that_asked_even_if_it_is_covered),
        cmocka_unit_test(an_announcement_stays_in_the_chat_and_rings_the_bell),
        cmocka_unit_test(in_plain_mode_channel_lines_start_with_the_channels_name),
    };
    return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
