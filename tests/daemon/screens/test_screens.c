#include "tests/daemon/screens/samples.h"
#include "tests/daemon/screens/stage.h"

#include "daemon/screens/kernel/ui.h"
#include "tests/daemon/screens/all_screens.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests what all screens have in common. */

static const int sizes[][2] = {{80, 24}, {120, 40}, {60, 18}, {200, 60}, {61, 19}, {20, 10}};

/* The screens that open from the lobby, each with the keys that open it. */
static const struct {
    const char *name, *keys;
    const char *answers; /* type of the request that the screen sends when it opens; NULL: none */
} ways[] = {
    {"lobby", "", NULL},         {"help", "?", NULL},       {"settings", "o", NULL},
    {"leaders", "l", "leaders"}, {"history", "h", "games"},
};

static struct driver *open_screen(size_t screen_index, const struct driver_setup *setup)
{
    struct driver *driver = driver_new(setup);
    samples_push_lobby(driver);
    driver_type(driver, ways[screen_index].keys);
    if (ways[screen_index].answers != NULL && strcmp(ways[screen_index].answers, "leaders") == 0) {
        samples_answer_leaders(driver);
    } else if (ways[screen_index].answers != NULL) {
        samples_answer_games(driver, 30);
    }
    driver_wait(driver, 10000);
    return driver;
}

static bool is_bare_carriage_return_sent(bool is_telnet)
{
    const struct driver_setup setup = {.is_telnet = is_telnet};
    bool is_seen = false;
    for (size_t way = 0; way < ARRAY_LEN(ways); way++) {
        struct driver *driver = open_screen(way, &setup);
        driver_resize(driver, 120, 40);
        driver_type(driver, "\x1bq");
        driver_end_session(driver);
        is_seen = is_seen || driver_saw_bare_carriage_return(driver);
        driver_free(driver);
    }
    return is_seen;
}

static void a_bare_carriage_return_is_sent_over_ssh_but_not_over_telnet(void **state)
{
    (void)state;
    /* over ssh, a carriage return is the shortest way to the first column */
    assert_true(is_bare_carriage_return_sent(false));
    /* over telnet, a NUL would have to follow the carriage return */
    assert_false(is_bare_carriage_return_sent(true));
}

static bool is_terminal_too_small(const struct driver_setup *setup)
{
    return setup->columns < 60 || setup->rows < 18;
}

static void check_prompt_and_key_rows(struct driver *driver, const struct driver_setup *setup)
{
    if (is_terminal_too_small(setup)) {
        assert_true(driver_shows(driver, "need 60x18"));
        return;
    }
    const char *keys = driver_read_row(driver, setup->rows - 1);
    if (strstr(keys, "q ") == NULL) {
        driver_print_screen(driver, "no way out named in the last line");
        fail();
    }
    assert_non_null(strstr(driver_read_row(driver, setup->rows - 2), ">"));
    int row, column;
    driver_find_cursor(driver, &row, &column);
    assert_int_equal(row, setup->rows - 2);
}

static void every_screen_names_its_keys_in_the_last_line_at_every_size(void **state)
{
    (void)state;
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct driver_setup setup = {.columns = sizes[i][0], .rows = sizes[i][1]};
            struct driver *driver = open_screen(way, &setup);
            check_prompt_and_key_rows(driver, &setup);
            driver_free(driver);
        }
    }
}

static void every_screen_is_redrawn_whole_after_any_resize(void **state)
{
    (void)state;
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        struct driver_setup setup = {.columns = 80, .rows = 24};
        struct driver *driver = open_screen(way, &setup);
        char *before = strdup(driver_read_screen(driver));
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct driver_setup now = {.columns = sizes[i][0], .rows = sizes[i][1]};
            driver_resize(driver, now.columns, now.rows);
            check_prompt_and_key_rows(driver, &now);
            driver_type(driver, "j\033[6~");
        }
        driver_resize(driver, 80, 24);
        driver_type(driver, "\033[H");
        for (int row = 21; row < 24; row++) {
            const char *line = driver_read_row(driver, row);
            assert_non_null(strstr(before, line));
        }
        free(before);
        driver_free(driver);
    }
}

static void ascii_mode_sends_nothing_but_ascii(void **state)
{
    (void)state;
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        struct driver_setup setup = {
            .columns = 100,
            .rows = 30,
            .you = "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\","
                   "\"settings\":{\"ascii\":true}}",
        };
        struct driver *driver = open_screen(way, &setup);
        driver_push(driver, "{\"t\":\"chat\",\"channel\":\"lobby\",\"kind\":\"say\",\"n\":99,"
                            "\"from\":\"ada\",\"text\":\"caf\\u00e9 \\u65e5\\u672c \\u2660\"}");
        driver_type(driver, "/tell jos\xc3\xa9 \xe6\x97\xa5");
        assert_false(driver_saw_non_ascii(driver));
        driver_free(driver);
    }
}

static void a_screen_below_the_table_is_raised_and_the_table_stays_open(void **state)
{
    (void)state;
    struct stage stage;
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    stage_init(&stage, &setup, game_at(0), 4, 0);
    driver_push(stage.driver, "{\"t\":\"sent_out\",\"table\":7,\"why\":\"Back.\"}");
    driver_type(stage.driver, "/rules suppose\r");
    assert_string_equal(driver_screen_name(stage.driver), "rules");
    driver_type(stage.driver, "/watch 7\r");
    stage_push_table(&stage, "open");
    driver_answer(stage.driver, "table_enter", NULL);
    assert_string_equal(driver_screen_name(stage.driver), "table");
    driver_type(stage.driver, "/rules\r");
    assert_string_equal(driver_screen_name(stage.driver), "rules");
    driver_type(stage.driver, "q");
    assert_string_equal(driver_screen_name(stage.driver), "table");
    stage_clear(&stage);
}

static void ctrl_d_quits_only_if_the_input_line_is_empty(void **state)
{
    (void)state;
    struct driver *driver = driver_new(&(struct driver_setup){.columns = 80, .rows = 24});
    driver_type(driver, "chello\x04");
    driver_expect(driver, "hello");
    assert_false(driver_is_session_over(driver));
    driver_type(driver, "\x03"); /* Ctrl-C empties the line */
    driver_expect_not(driver, "hello");
    driver_type(driver, "\x04");
    driver_expect(driver, "Leave the house?");
    driver_type(driver, "\x04");
    assert_true(driver_is_session_over(driver));
    driver_free(driver);
}

static void a_terminal_without_utf8_gets_only_ascii_whatever_the_settings(void **state)
{
    (void)state;
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        struct driver_setup setup = {
            .is_ascii = true,
            .you = "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\","
                   "\"settings\":{\"ascii\":false}}",
        };
        struct driver *driver = open_screen(way, &setup);
        assert_false(driver_saw_non_ascii(driver));
        driver_free(driver);
    }
}

static void the_goodbye_is_on_a_line_of_its_own_on_every_terminal(void **state)
{
    (void)state;
    static const char *const terms[] = {"xterm-256color", "linux", "vt100", "vt220", "screen"};
    static const char *const keys[] = {
        "", "?"}; /* keys that open screens with a long and a short row of key hints */
    for (size_t i = 0; i < 2 * sizeof terms / sizeof terms[0]; i++) {
        struct driver_setup setup = {.term = terms[i / 2]};
        struct driver *driver = driver_new(&setup);
        driver_type(driver, keys[i % 2]);
        char *screen = strdup(driver_end_session(driver));
        assert_non_null(screen);
        char *goodbye = strstr(screen, "Goodbye, mira. Trickhouse is open whenever you are.");
        assert_non_null(goodbye);
        assert_true(goodbye == screen || goodbye[-1] == '\n');
        assert_int_equal(goodbye[strcspn(goodbye, "\n") - 1], '.');
        free(screen);
        driver_free(driver);
    }
}

static void a_guests_settings_offer_nothing_that_needs_an_account(void **state)
{
    (void)state;
    struct driver_setup setup = {.you = "{\"name\":\"guest-1\",\"kind\":\"guest\","
                                        "\"role\":\"player\",\"settings\":{}}"};
    struct driver *driver = driver_new(&setup);
    driver_type(driver, "/settings\r");
    driver_expect(driver, "Colours");
    driver_expect(driver, "With an account, you also have a password, telnet and a webhook.");
    driver_expect_not(driver, "none yet");
    driver_expect_not(driver, "Telnet");
    driver_free(driver);
}

static void in_ascii_mode_letters_lose_only_their_accents(void **state)
{
    (void)state;
    struct driver_setup setup = {
        .you = "{\"name\":\"mira\",\"kind\":\"player\",\"settings\":{\"ascii\":true}}"};
    struct driver *driver = driver_new(&setup);
    driver_push(driver, "{\"t\":\"chat\",\"channel\":\"lobby\",\"kind\":\"say\",\"n\":1,"
                        "\"from\":\"ada\",\"text\":\"caf\\u00e9 \\u65e5 \\u2660\"}");
    driver_expect(driver, "<ada> cafe ?? S");
    driver_expect(driver, "+- #lobby -");
    driver_free(driver);
}

static void every_theme_shows_the_same_words(void **state)
{
    (void)state;
    static const char *const themes[] = {"mono", "contrast"};
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        struct driver_setup setup = {.columns = 100, .rows = 30};
        struct driver *colour = open_screen(way, &setup);
        char *words = strdup(driver_read_screen(colour));
        driver_free(colour);
        for (size_t i = 0; i < 2 && strcmp(ways[way].name, "settings") != 0; i++) {
            char you[160];
            snprintf(you, sizeof you,
                     "{\"name\":\"mira\",\"kind\":\"player\",\"rating\":1583,\"settings\":{"
                     "\"theme\":\"%s\"}}",
                     themes[i]);
            setup.you = you;
            struct driver *other = open_screen(way, &setup);
            assert_string_equal(driver_read_screen(other), words);
            driver_free(other);
        }
        free(words);
    }
}

static void a_window_resized_back_to_its_size_is_redrawn(void **state)
{
    (void)state;
    static const struct driver_setup setup = {.columns = 80, .rows = 24};
    struct driver *driver = open_screen(0, &setup);
    size_t before = driver_count_output_bytes(driver);
    driver_type(driver, "\x0c");
    size_t whole = driver_count_output_bytes(driver) - before;
    assert_true(whole > 1000);
    driver_resize(driver, 80, 24);
    assert_true(driver_count_output_bytes(driver) - before >= 2 * whole - 100);
    driver_free(driver);
}

static void an_unknown_terminal_is_treated_as_xterm_and_the_screen_says_so(void **state)
{
    (void)state;
    static const char *const terms[] = {"nonsense", "dumb", "", "as-long-a-name-as-one-may-have"};
    for (size_t i = 0; i < ARRAY_LEN(terms); i++) {
        struct driver_setup setup = {.term = terms[i]};
        struct driver *driver = driver_new(&setup);
        driver_expect(driver, "Unknown terminal");
        driver_expect(driver, "drawing for xterm-256color.");
        driver_free(driver);
    }
}

static void old_terminals_get_no_colour_and_no_special_characters(void **state)
{
    (void)state;
    static const char *const terms[] = {"vt100", "vt220", "linux", "screen", "ansi", "xterm"};
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        struct driver_setup setup = {.term = terms[i]};
        struct driver *driver = open_screen(0, &setup);
        driver_expect(driver, "your turn");
        assert_int_equal(driver_saw_non_ascii(driver), strncmp(terms[i], "vt", 2) != 0);
        driver_free(driver);
    }
}

/* The random keys are the same on every run. */
static void random_input_never_breaks_a_screen(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        struct driver_setup setup = {.columns = 80, .rows = 24};
        struct driver *driver = open_screen(way, &setup);
        for (int i = 0; i < 400 && !driver_is_session_over(driver); i++) {
            char keys[24];
            size_t len = 0;
            seed = seed * 1103515245u + 12345u;
            for (unsigned left = seed >> 16 & 15; left > 0; left--) {
                seed = seed * 1103515245u + 12345u;
                unsigned key = seed >> 16 & 0xFF;
                /* Ctrl-C, Ctrl-D, q and NUL would only end the test early. */
                keys[len++] = key == 0 || key == 3 || key == 4 || key == 'q' ? '[' : (char)key;
            }
            keys[len] = '\0';
            driver_type(driver, keys);
            if (i % 7 == 0) {
                driver_resize(driver, 20 + (int)(seed % 150), 10 + (int)(seed % 50));
            }
        }
        driver_free(driver);
    }
}

static void a_notice_is_shown_while_an_answer_is_slow(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_type(driver, "l");
    driver_expect_not(driver, "One moment");
    driver_wait(driver, 800);
    driver_expect(driver, "One moment");
    samples_answer_leaders(driver);
    driver_expect_not(driver, "One moment");
    driver_free(driver);
}

static void frames_are_drawn_at_most_ten_times_a_second_but_at_once_after_a_key(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_wait(driver, 200);
    driver_type(driver, "?");
    size_t before = driver_count_output_bytes(driver);
    driver_type(driver, "q");
    assert_true(driver_count_output_bytes(driver) > before);
    before = driver_count_output_bytes(driver);
    driver_wait(driver, 1000);
    assert_int_equal(driver_count_output_bytes(driver), before);
    driver_free(driver);
}

static void every_screen_has_a_name_a_title_and_complete_key_hints(void **state)
{
    (void)state;
    const struct screen *screen;
    for (size_t i = 0; (screen = all_screens[i]) != NULL; i++) {
        assert_ptr_equal(screen_find(screen->name), screen);
        assert_non_null(screen->title);
        assert_non_null(screen->draw);
        for (const struct screen_key *key = screen->keys; key != NULL && key->keys != NULL; key++) {
            assert_true(key->help != NULL || key->hint != NULL);
        }
    }
}

static void ones_own_leaderboard_row_is_shown_below_the_leaders(void **state)
{
    (void)state;
    struct driver_setup setup = {.columns = 120, .rows = 40};
    struct driver *driver = open_screen(3, &setup);
    driver_expect(driver, "player-1 ");
    driver_expect(driver, ">   57   -17  mira");
    driver_expect(driver, "    52   -12  player-52");
    driver_expect(driver, "    61   -21  player-61");
    driver_expect(driver, "player-2 (mod)");
    driver_expect(driver, "player-4 (bot)");
    driver_expect(driver, "1770? ±63");
    driver_expect(driver, "61 players");
    driver_type(driver, "\033[F");
    assert_int_equal(
        json_integer_value(json_object_get(driver_find_request(driver, "leaders"), "count")), 50);
    driver_free(driver);
}

static void the_leaderboard_is_filtered_by_keys_or_by_command_words(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = open_screen(3, &setup);
    driver_type(driver, "p");
    const json_t *asked = driver_find_request(driver, "leaders");
    assert_int_equal(json_integer_value(json_object_get(asked, "players")), game_at(0)->seats_min);
    samples_answer_leaders(driver);
    driver_type(driver, "t");
    assert_string_equal(
        json_string_value(json_object_get(driver_find_request(driver, "leaders"), "span")),
        "month");
    samples_answer_leaders(driver);
    driver_expect(driver, "last 30 days");
    driver_type(driver, "/leaders season 4p bots\n");
    asked = driver_find_request(driver, "leaders");
    assert_string_equal(json_string_value(json_object_get(asked, "span")), "season");
    assert_int_equal(json_integer_value(json_object_get(asked, "players")), 4);
    assert_true(json_is_true(json_object_get(asked, "bots")));
    driver_free(driver);
}

static void a_profile_shows_ratings_a_chart_and_recent_games(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_type(driver, "/finger ada\n");
    driver_answer(driver, "profile",
                  "{\"name\":\"ada\",\"role\":\"mod\",\"kind\":\"player\","
                  "\"created_at\":1794000000000,\"seen_at\":1794900000000,\"games\":["
                  "{\"game\":\"oh-hell\",\"rank\":3,\"rating\":1583,\"deviation\":120,"
                  "\"games\":41,\"chart\":[1500,1540,1480,1520,1600,1583]}]}");
    samples_answer_games(driver, 3);
    driver_expect(driver, "moderator");
    driver_expect(driver, "Here since 2026-11-06.");
    driver_expect(driver, "Oh Hell");
    driver_expect(driver, "1583 ±120");
    driver_expect(driver, "1600 ");
    driver_expect(driver, "█");
    driver_expect(driver, "  900  ");
    driver_expect(driver, "Game             Rating");
    driver_type(driver, "j\r");
    assert_int_equal(
        json_integer_value(json_object_get(driver_find_request(driver, "record"), "game_id")), 899);
    driver_free(driver);
}

static void the_enter_key_on_a_leaderboard_row_opens_the_profile(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = open_screen(3, &setup);
    driver_type(driver, "j\r");
    assert_string_equal(
        json_string_value(json_object_get(driver_find_request(driver, "profile"), "name")),
        "player-2");
    driver_free(driver);
}

static void who_may_watch_is_chosen_with_the_other_settings_of_a_new_table(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_type(driver, "/new\r");
    driver_type(driver, "jjjjjjjjk");
    driver_type(driver, "l");
    driver_expect(driver, "Watched by     \xe2\x97\x84 everybody, a round behind");
    driver_type(driver, "\r");
    const json_t *watch = json_object_get(driver_find_request(driver, "table_open"), "watch");
    assert_string_equal(json_string_value(json_object_get(watch, "policy")), "delay");
    driver_free(driver);
}

static void a_notice_too_long_for_one_row_uses_the_row_above(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_push(driver, "{\"t\":\"notice\",\"kind\":\"info\",\"text\":\"It begins here and has so "
                        "much to say that one row of the window is not enough, and ends there.\"}");
    driver_expect(driver, "It begins here and has so");
    driver_expect(driver, "and ends there.");
    driver_free(driver);
}

static void the_enter_key_on_a_past_game_requests_its_replay(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = open_screen(4, &setup);
    driver_expect(driver, "> 2026-");
    driver_expect(driver, "ada, bob and ella");
    driver_expect(driver, "+12");
    driver_expect(driver, "Enter replay");
    driver_expect_not(driver, "+0");
    driver_free(driver);
}

static void settings_take_effect_at_once_and_are_stored(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = open_screen(2, &setup);
    driver_type(driver, "j\r");
    driver_expect(driver, "letters, for terminals");
    driver_expect(driver, "AS  KH");
    const json_t *kept = json_object_get(driver_find_request(driver, "settings_set"), "settings");
    assert_true(json_is_true(json_object_get(kept, "ascii")));
    driver_answer(driver, "settings_set", NULL);
    driver_type(driver, "k\033[C");
    driver_expect(driver, "no colours");
    driver_free(driver);
}

static void one_setting_is_stored_without_the_others(void **state)
{
    (void)state;
    static const char *const commands[][2] = {
        {"/theme mono\r", "theme"}, {"/ascii on\r", "ascii"}, {"/bell off\r", "bell"}};
    struct driver *driver = driver_new(&(struct driver_setup){0});
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        driver_type(driver, commands[i][0]);
        const json_t *kept =
            json_object_get(driver_find_request(driver, "settings_set"), "settings");
        assert_non_null(json_object_get(kept, commands[i][1]));
        assert_int_equal(json_object_size(kept), 1);
        driver_answer(driver, "settings_set", NULL);
    }
    driver_free(driver);
}

static void a_guest_keeps_the_settings_that_a_restarted_core_has_forgotten(void **state)
{
    (void)state;
    static const char guest[] =
        "{\"name\":\"guest-3\",\"kind\":\"guest\",\"role\":\"player\",\"settings\":{}}";
    char welcome[200];
    snprintf(welcome, sizeof welcome, "{\"t\":\"welcome\",\"you\":%s}", guest);
    struct driver *driver = driver_new(&(struct driver_setup){.you = guest});
    driver_type(driver, "/theme mono\r/ascii on\r/bell off\r/pace me slow\r");
    driver_push(driver, welcome);
    driver_type(driver, "/settings\r");
    driver_expect(driver, "no colours");
    driver_expect(driver, "letters, for terminals");
    driver_expect(driver, "silent");
    driver_expect(driver, "slow");
    driver_free(driver);
}

static void a_new_password_is_asked_for_twice_after_the_old_one(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = open_screen(2, &setup);
    driver_type(driver, "jjjjj\r");
    driver_expect(driver, "Current password:");
    driver_type(driver, "old old old\rshort\r");
    driver_expect(driver, "A password has 10 to 128 characters");
    driver_type(driver, "new new new\rnew new new\r");
    const json_t *sent = driver_find_request(driver, "password_set");
    assert_string_equal(json_string_value(json_object_get(sent, "old")), "old old old");
    assert_string_equal(json_string_value(json_object_get(sent, "password")), "new new new");
    driver_answer(driver, "password_set", NULL);
    driver_expect(driver, "The new password is set.");
    driver_free(driver);
}

static void telnet_is_shown_as_allowed_once_the_core_agrees(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = open_screen(2, &setup);
    driver_expect(driver, "not allowed: your account uses ssh only");
    driver_type(driver, "jjjjjj\r");
    const json_t *kept = json_object_get(driver_find_request(driver, "settings_set"), "settings");
    assert_true(json_is_true(json_object_get(kept, "telnet")));
    driver_expect(driver, "not allowed: your account uses ssh only");
    driver_answer(driver, "settings_set", NULL);
    driver_expect(driver, "allowed for your account too");
    driver_expect(driver, "others on the network can then");
    driver_free(driver);
}

static void no_password_is_asked_for_on_an_unencrypted_connection(void **state)
{
    (void)state;
    struct driver_setup setup = {.is_telnet = true};
    struct driver *driver = open_screen(2, &setup);
    driver_type(driver, "jjjjj\r");
    driver_expect(driver, "change it over ssh");
    driver_free(driver);
}

TEST_GROUP(screens)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_carriage_return_is_sent_over_ssh_but_not_over_telnet),
        cmocka_unit_test(every_screen_names_its_keys_in_the_last_line_at_every_size),
        cmocka_unit_test(every_screen_is_redrawn_whole_after_any_resize),
        cmocka_unit_test(ascii_mode_sends_nothing_but_ascii),
        cmocka_unit_test(a_screen_below_the_table_is_raised_and_the_table_stays_open),
        cmocka_unit_test(ctrl_d_quits_only_if_the_input_line_is_empty),
        cmocka_unit_test(a_terminal_without_utf8_gets_only_ascii_whatever_the_settings),
        cmocka_unit_test(the_goodbye_is_on_a_line_of_its_own_on_every_terminal),
        cmocka_unit_test(a_guests_settings_offer_nothing_that_needs_an_account),
        cmocka_unit_test(in_ascii_mode_letters_lose_only_their_accents),
        cmocka_unit_test(every_theme_shows_the_same_words),
        cmocka_unit_test(a_window_resized_back_to_its_size_is_redrawn),
        cmocka_unit_test(an_unknown_terminal_is_treated_as_xterm_and_the_screen_says_so),
        cmocka_unit_test(old_terminals_get_no_colour_and_no_special_characters),
        cmocka_unit_test(random_input_never_breaks_a_screen),
        cmocka_unit_test(a_notice_is_shown_while_an_answer_is_slow),
        cmocka_unit_test(frames_are_drawn_at_most_ten_times_a_second_but_at_once_after_a_key),
        cmocka_unit_test(every_screen_has_a_name_a_title_and_complete_key_hints),
        cmocka_unit_test(ones_own_leaderboard_row_is_shown_below_the_leaders),
        cmocka_unit_test(the_leaderboard_is_filtered_by_keys_or_by_command_words),
        cmocka_unit_test(a_profile_shows_ratings_a_chart_and_recent_games),
        cmocka_unit_test(the_enter_key_on_a_leaderboard_row_opens_the_profile),
        cmocka_unit_test(who_may_watch_is_chosen_with_the_other_settings_of_a_new_table),
        cmocka_unit_test(a_notice_too_long_for_one_row_uses_the_row_above),
        cmocka_unit_test(the_enter_key_on_a_past_game_requests_its_replay),
        cmocka_unit_test(settings_take_effect_at_once_and_are_stored),
        cmocka_unit_test(one_setting_is_stored_without_the_others),
        cmocka_unit_test(a_guest_keeps_the_settings_that_a_restarted_core_has_forgotten),
        cmocka_unit_test(a_new_password_is_asked_for_twice_after_the_old_one),
        cmocka_unit_test(telnet_is_shown_as_allowed_once_the_core_agrees),
        cmocka_unit_test(no_password_is_asked_for_on_an_unencrypted_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
