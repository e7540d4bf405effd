#include "tests/daemon/screens/samples.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct driver *open_lobby_at_size(int columns, int rows)
{
    struct driver_setup setup = {.columns = columns, .rows = rows};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    return driver;
}

static json_int_t get_number_in_request(const struct driver *driver, const char *request_type,
                                        const char *key)
{
    return json_integer_value(json_object_get(driver_find_request(driver, request_type), key));
}

static void the_lobby_shows_tables_people_and_chat(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_expect(driver, "6 here · 5 tables");
    driver_expect(driver, "mira 1583");
    driver_expect(driver, ">#2");
    driver_expect(driver, "your turn ◄");
    driver_expect(driver, "open · bob");
    driver_expect(driver, "2/19 · 2 see");
    driver_expect(driver, "away 4m");
    driver_expect(driver, "1551?  lobby");
    driver_expect(driver, "watching #3");
    driver_expect(driver, "<ada> anyone for a quick one before lunch?");
    driver_expect(driver, "* dmitri is away: coffee");
    driver_expect(driver, "> ada to you: join us at #7");
    driver_free(driver);
}

/* The core sends a row again only when its idle time has changed. */
static void a_person_whose_row_stays_the_same_is_not_away(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_wait(driver, 20 * 60 * 1000);
    driver_expect(driver, "away 4m");
    driver_expect_not(driver, "away 20m");
    driver_expect(driver, "at #3");
    driver_free(driver);
}

static void a_long_level_of_a_bot_does_not_touch_the_next_column(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_push(driver, "{\"t\":\"lobby\",\"reset\":false,\"people\":[{\"name\":\"ella\","
                        "\"kind\":\"bot\",\"level\":\"medium\",\"table\":7,"
                        "\"seated\":true}],\"tables\":[]}");
    driver_expect(driver, "ella       medium at #7");
    driver_free(driver);
}

static void a_large_window_shows_more_details_and_keys(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(120, 40);
    driver_expect(driver, "Host");
    driver_expect(driver, "locked · 1 free");
    driver_expect(driver, "at #3 (admin)");
    driver_expect(driver, "s sort");
    driver_free(driver);
}

static void a_small_window_shows_one_list_at_a_time(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(60, 18);
    driver_expect(driver, "Tab: people");
    driver_expect(driver, "your turn ◄");
    driver_expect_not(driver, "away 4m");
    driver_type(driver, "\t");
    driver_expect(driver, "Tab: tables");
    driver_expect(driver, "1498");
    driver_free(driver);
}

static void somebody_alone_in_the_house_is_offered_a_game_with_bots(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_push(driver, "{\"t\":\"lobby\",\"reset\":true,\"people\":[{\"name\":\"mira\"}],"
                        "\"tables\":[]}");
    driver_expect(driver, "You have the house to yourself.");
    driver_expect(driver, "b  play against bots, or learn a game");
    driver_type(driver, "b");
    driver_expect(driver, "Play against bots");
    driver_free(driver);
}

static void the_enter_key_takes_a_free_seat_or_watches_a_full_table(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_type(driver, "j");
    driver_expect(driver, "Enter sit down");
    driver_type(driver, "\r");
    assert_int_equal(get_number_in_request(driver, "table_enter", "table"), 7);
    driver_answer(driver, "table_enter", NULL);
    assert_non_null(driver_find_request(driver, "seat_take"));
    driver_answer(driver, "seat_take", NULL);
    driver_free(driver);

    driver = open_lobby_at_size(80, 24);
    driver_type(driver, "jjj");
    driver_expect(driver, "Enter watch");
    driver_type(driver, "\r");
    assert_int_equal(get_number_in_request(driver, "table_enter", "table"), 3);
    driver_answer(driver, "table_enter", NULL);
    assert_null(driver_find_request(driver, "seat_take"));
    driver_free(driver);
}

static void a_locked_table_asks_for_its_password(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_type(driver, "jj\r");
    driver_expect(driver, "Table #5 is locked. Its password:");
    assert_null(driver_find_request(driver, "table_enter"));
    driver_type(driver, "sesame");
    driver_expect_not(driver, "sesame");
    driver_type(driver, "\r");
    const json_t *sent = driver_find_request(driver, "table_enter");
    assert_string_equal(json_string_value(json_object_get(sent, "password")), "sesame");
    driver_refuse(driver, "table_enter", "denied", "That is not the password of table #5.");
    driver_expect(driver, "That is not the password of table #5.");
    driver_free(driver);
}

/* Checks a field of the query for tables that the lobby has sent; NULL: the query lacks the field.
 */
static void expect_query_for_tables(const struct driver *driver, const char *key, const char *value)
{
    const json_t *field = json_object_get(driver_find_watched_list(driver, "tables"), key);
    if (value == NULL) {
        assert_null(field);
    } else {
        assert_non_null(field);
        assert_string_equal(json_string_value(field), value);
    }
}

/* Sends a window of the list of tables, as the core answers a query. */
static void push_tables(struct driver *driver, const char *rows)
{
    char text[2000];
    int len =
        snprintf(text, sizeof text, "{\"t\":\"lobby\",\"tables_all\":5,\"tables\":[%s]}", rows);
    assert_in_range(len, 1, sizeof text - 1);
    driver_push(driver, text);
}

#define OPEN_TABLE                                                                                 \
    "{\"id\":7,\"game\":\"oh-hell\",\"players\":4,\"seated\":3,\"clock\":{\"kind\":\"move\","      \
    "\"move_s\":30},\"state\":\"open\","                                                           \
    "\"host\":\"bob\"}"
#define RUNNING_TABLE                                                                              \
    "{\"id\":3,\"game\":\"oh-hell\",\"players\":5,\"seated\":5,\"clock\":{\"kind\":\"move\","      \
    "\"move_s\":60},\"state\":"                                                                    \
    "\"playing\","                                                                                 \
    "\"round\":2,\"rounds\":19,\"host\":\"ada\",\"watchers\":2}"

static void the_core_filters_the_tables_until_the_filter_is_cleared(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    expect_query_for_tables(driver, "filter", NULL);
    driver_type(driver, "FBOB\r");
    expect_query_for_tables(driver, "filter", "BOB");
    push_tables(driver, OPEN_TABLE);
    driver_expect(driver, "Tables with \"BOB\"");
    driver_expect(driver, "#7");
    driver_expect_not(driver, "your turn ◄");
    driver_type(driver, "F\025zzz\r");
    push_tables(driver, "");
    driver_expect(driver, "No table matches \"zzz\"");
    driver_type(driver, "F\025\r");
    expect_query_for_tables(driver, "filter", NULL);
    driver_free(driver);
}

static void the_query_names_the_games_whose_names_contain_the_filter(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_type(driver, "FHELL\r");
    const json_t *games = json_object_get(driver_find_watched_list(driver, "tables"), "games");
    assert_int_equal(json_array_size(games), 1);
    assert_string_equal(json_string_value(json_array_get(games, 0)), "oh-hell");
    driver_free(driver);
}

static void the_f_key_cycles_through_the_kinds_of_tables(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    expect_query_for_tables(driver, "show", NULL);
    driver_type(driver, "f");
    driver_expect(driver, "Tables: open");
    expect_query_for_tables(driver, "show", "open");
    push_tables(driver, OPEN_TABLE);
    driver_expect(driver, "#7");
    driver_expect_not(driver, "2/19");
    driver_type(driver, "f");
    driver_expect(driver, "Tables: in play");
    expect_query_for_tables(driver, "show", "playing");
    driver_type(driver, "f");
    driver_expect(driver, "Tables: yours");
    expect_query_for_tables(driver, "show", "mine");
    driver_type(driver, "f");
    driver_expect(driver, "Tables: waiting for you");
    expect_query_for_tables(driver, "show", "waiting");
    push_tables(driver, "");
    driver_expect(driver, "No table is waiting for you. f shows others.");
    driver_type(driver, "f");
    driver_expect(driver, "Tables shown: all");
    expect_query_for_tables(driver, "show", NULL);
    driver_free(driver);
}

static void the_s_key_asks_for_another_order(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(120, 40);
    expect_query_for_tables(driver, "sort", NULL);
    driver_type(driver, "s");
    expect_query_for_tables(driver, "sort", "newest");
    driver_type(driver, "s");
    expect_query_for_tables(driver, "sort", "game");
    driver_type(driver, "s");
    driver_expect(driver, "Tables, most watched first");
    expect_query_for_tables(driver, "sort", "watched");
    driver_free(driver);
}

static void nothing_of_the_lobby_is_watched_while_another_screen_covers_it(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    assert_non_null(driver_find_watched_list(driver, "tables"));
    assert_non_null(driver_find_watched_list(driver, "people"));
    driver_type(driver, "b");
    driver_expect(driver, "Play against bots");
    assert_null(driver_find_watched_list(driver, "tables"));
    assert_null(driver_find_watched_list(driver, "people"));
    driver_type(driver, "q");
    assert_non_null(driver_find_watched_list(driver, "tables"));
    driver_push(driver, "{\"t\":\"welcome\",\"house\":\"Trickhouse\"}");
    assert_non_null(driver_find_watched_list(driver, "people"));
    driver_free(driver);
}

/* Sends 40 rows of a list of 1,000 people, from the position `first` on. */
static void push_many_people(struct driver *driver, int first)
{
    json_t *message = json_pack("{s:s, s:i, s:i, s:i, s:[]}", "t", "lobby", "here", 1000,
                                "people_count", 1000, "people_first", first, "people");
    for (int i = first; i < first + 40; i++) {
        json_array_append_new(
            json_object_get(message, "people"),
            json_pack("{s:o, s:s}", "name", json_sprintf("p%03d", i), "kind", "player"));
    }
    char *text = json_dumps(message, JSON_COMPACT);
    driver_push(driver, text);
    free(text);
    json_decref(message);
}

static int watched_number(const struct driver *driver, const char *key)
{
    const json_t *people = driver_find_watched_list(driver, "people");
    return (int)json_integer_value(json_object_get(people, key));
}

static void a_list_of_a_thousand_people_is_read_window_by_window(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    push_many_people(driver, 0);
    driver_expect(driver, "1000 here");
    driver_expect(driver, "p000");
    driver_type(driver, "\t\x1b[6~"); /* Tab, Page Down: the rows are there already */
    driver_expect_not(driver, "p000");
    assert_int_equal(watched_number(driver, "first"), 0);
    driver_type(driver, "\x1b[F"); /* End */
    int first = watched_number(driver, "first");
    int count = watched_number(driver, "count");
    assert_in_range(first, 900, 999);
    assert_in_range(first + count, 1000, 1100);
    push_many_people(driver, 960);
    driver_expect(driver, ">p999");
    /* somebody leaves who stands before: the same person stays selected */
    push_many_people(driver, 959);
    driver_expect(driver, "p998");
    driver_free(driver);
}

static void a_tables_number_of_any_length_stands_apart_from_its_game(void **state)
{
    static const char table[] = "{\"t\":\"lobby\",\"tables\":[{\"id\":%s,\"game\":\"oh-hell\","
                                "\"players\":5,\"seated\":5,\"state\":\"playing\",\"round\":11,"
                                "\"rounds\":19,\"host\":\"ada\"}]}";
    static const char *const numbers[] = {"7", "99", "100", "1234", "1234567"};
    static const char *const shown[] = {"#7  Oh Hell", "#99 Oh Hell", "#100 Oh Hell",
                                        "#1234 Oh Hell", "#1234567 Oh Hell"};
    static const char *const rounds[] = {"round 11 of 19", "round 11 of 19", "11/19", "11/19",
                                         "11/19"};
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        char text[400];
        snprintf(text, sizeof text, table,
                 numbers[i]); /* NOLINT(clang-diagnostic-format-nonliteral) */
        driver_push(driver, text);
        driver_expect(driver, shown[i]);
        driver_expect(driver, rounds[i]);
    }
    driver_free(driver);
}

static void a_tables_row_shows_who_may_watch(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(120, 40);
    driver_push(driver, "{\"t\":\"lobby\",\"tables\":[{\"id\":3,"
                        "\"game\":\"oh-hell\",\"players\":5,\"seated\":5,\"clock\":{\"kind\":"
                        "\"move\",\"move_s\":60},"
                        "\"state\":\"playing\",\"round\":2,\"rounds\":19,\"host\":\"ada\","
                        "\"watchers\":2,\"watch\":{\"policy\":\"delay\",\"talk\":\"off\"}}]}");
    driver_expect(driver, "delayed");
    driver_expect(driver, "2/19 · 2 see · delayed");
    driver_print_screen(driver, "the lobby with a delayed table, 120x40");
    driver_free(driver);
}

static void the_selected_table_stays_selected_when_the_order_changes(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_type(driver, "jj");
    driver_expect(driver, ">#5");
    driver_type(driver, "s");
    driver_expect(driver, "newest first");
    driver_expect(driver, ">#5");
    push_tables(driver,
                RUNNING_TABLE "," OPEN_TABLE ",{\"id\":5,\"game\":\"oh-hell\",\"players\":4}");
    driver_expect(driver, ">#5");
    driver_free(driver);
}

static void the_enter_key_on_a_person_begins_a_direct_message(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_type(driver, "\tj");
    driver_expect(driver, ">bob");
    driver_type(driver, "\rhello there\r");
    const json_t *tell = driver_find_request(driver, "tell");
    assert_string_equal(json_string_value(json_object_get(tell, "to")), "bob");
    assert_string_equal(json_string_value(json_object_get(tell, "text")), "hello there");
    driver_free(driver);
}

static void one_click_selects_a_row_and_a_second_one_opens_it(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_type(driver, "\033[<0;5;5M");
    driver_expect(driver, ">#7");
    assert_null(driver_find_request(driver, "table_enter"));
    driver_type(driver, "\033[<0;5;5m");
    driver_type(driver, "\033[<0;5;5M");
    assert_int_equal(get_number_in_request(driver, "table_enter", "table"), 7);
    driver_free(driver);
}

static void the_chat_scrolls_back_and_returns_to_the_end(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    for (int i = 0; i < 60; i++) {
        json_t *line =
            json_pack("{s:s, s:s, s:s, s:s, s:o, s:i}", "t", "chat", "channel", "lobby", "kind",
                      "say", "from", "ada", "text", json_sprintf("line %d.", i), "n", 100 + i);
        char *text = json_dumps(line, JSON_COMPACT);
        driver_push(driver, text);
        free(text);
        json_decref(line);
    }
    driver_expect(driver, "line 59.");
    driver_type(driver, "\t\t\033[5~\033[5~");
    driver_expect_not(driver, "line 59.");
    driver_expect(driver, "#lobby: earlier lines");
    driver_type(driver, "\033[F");
    driver_expect(driver, "line 59.");
    driver_free(driver);
}

static void your_turn_rings_the_bell_and_sets_the_window_title(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    assert_string_equal(driver_window_title(driver), "Trickhouse");
    assert_int_equal(driver_count_bells(driver), 0);
    samples_push_lobby(driver);
    assert_string_equal(driver_window_title(driver), "* your turn: Trickhouse");
    assert_int_equal(driver_count_bells(driver),
                     2); /* one bell for the turn, one for ada's message to mira */
    driver_push(driver, "{\"t\":\"mine\",\"tables\":[]}");
    assert_string_equal(driver_window_title(driver), "Trickhouse");
    assert_int_equal(driver_count_bells(driver), 2);
    driver_free(driver);
}

static void quitting_during_a_game_asks_for_confirmation_once(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_push(driver, "{\"t\":\"mine\",\"tables\":[{\"table\":3,\"game\":\"oh-hell\","
                        "\"turn\":false,\"is_live\":true}]}");
    driver_type(driver, "q");
    assert_false(driver_is_session_over(driver));
    driver_expect(driver, "Your game at #3 goes on");
    driver_type(driver, "n");
    assert_false(driver_is_session_over(driver));
    driver_type(driver, "qy");
    assert_true(driver_is_session_over(driver));
    driver_free(driver);
}

static void the_q_key_asks_once_and_any_other_key_stays(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_type(driver, "q");
    driver_expect(driver, "Leave the house?");
    driver_type(driver, "q");
    driver_expect_not(driver, "Leave the house?");
    assert_false(driver_is_session_over(driver));
    driver_type(driver, "qy");
    assert_true(driver_is_session_over(driver));
    driver_free(driver);
}

static void ctrl_c_quits_when_it_is_pressed_twice(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_type(driver, "\x03");
    driver_expect(driver, "Leave the house?");
    assert_false(driver_is_session_over(driver));
    driver_type(driver, "\x03");
    assert_true(driver_is_session_over(driver));
    assert_non_null(strstr(driver_end_session(driver), "Goodbye, mira."));
    driver_free(driver);
}

static void the_houses_goodbye_is_the_last_line_on_the_terminal(void **state)
{
    (void)state;
    struct driver *driver = open_lobby_at_size(80, 24);
    driver_push(driver, "{\"t\":\"bye\",\"why\":\"The house closes for tonight.\"}");
    assert_true(driver_is_session_over(driver));
    assert_non_null(strstr(driver_end_session(driver), "The house closes for tonight."));
    driver_free(driver);
}

TEST_GROUP(lobby)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lobby_shows_tables_people_and_chat),
        cmocka_unit_test(a_person_whose_row_stays_the_same_is_not_away),
        cmocka_unit_test(a_long_level_of_a_bot_does_not_touch_the_next_column),
        cmocka_unit_test(a_large_window_shows_more_details_and_keys),
        cmocka_unit_test(a_small_window_shows_one_list_at_a_time),
        cmocka_unit_test(somebody_alone_in_the_house_is_offered_a_game_with_bots),
        cmocka_unit_test(the_enter_key_takes_a_free_seat_or_watches_a_full_table),
        cmocka_unit_test(a_locked_table_asks_for_its_password),
        cmocka_unit_test(the_f_key_cycles_through_the_kinds_of_tables),
        cmocka_unit_test(the_s_key_asks_for_another_order),
        cmocka_unit_test(a_tables_number_of_any_length_stands_apart_from_its_game),
        cmocka_unit_test(a_tables_row_shows_who_may_watch),
        cmocka_unit_test(the_core_filters_the_tables_until_the_filter_is_cleared),
        cmocka_unit_test(the_query_names_the_games_whose_names_contain_the_filter),
        cmocka_unit_test(nothing_of_the_lobby_is_watched_while_another_screen_covers_it),
        cmocka_unit_test(a_list_of_a_thousand_people_is_read_window_by_window),
        cmocka_unit_test(the_selected_table_stays_selected_when_the_order_changes),
        cmocka_unit_test(the_enter_key_on_a_person_begins_a_direct_message),
        cmocka_unit_test(one_click_selects_a_row_and_a_second_one_opens_it),
        cmocka_unit_test(the_chat_scrolls_back_and_returns_to_the_end),
        cmocka_unit_test(your_turn_rings_the_bell_and_sets_the_window_title),
        cmocka_unit_test(quitting_during_a_game_asks_for_confirmation_once),
        cmocka_unit_test(the_q_key_asks_once_and_any_other_key_stays),
        cmocka_unit_test(ctrl_c_quits_when_it_is_pressed_twice),
        cmocka_unit_test(the_houses_goodbye_is_the_last_line_on_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
