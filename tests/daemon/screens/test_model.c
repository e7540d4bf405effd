#include "daemon/screens/model/model.h"

#include "tests/daemon/screens/samples.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void push_message(struct model *model, const char *json)
{
    json_t *message = json_loads(json, 0, NULL);
    assert_non_null(message);
    model_apply_pushed_message(model, json_string_value(json_object_get(message, "t")), message,
                               1000000);
    json_decref(message);
}

static void a_window_of_the_lobby_replaces_the_one_before(void **state)
{
    struct model *model = *state;
    push_message(model,
                 "{\"t\":\"lobby\",\"here\":40,\"people_count\":44,\"people_first\":7,\"people\":["
                 "{\"name\":\"ada\",\"rating\":1600},{\"name\":\"bob\"}]}");
    push_message(model, "{\"t\":\"lobby\",\"tables_all\":9,\"tables_count\":1,\"tables_first\":0,"
                        "\"tables\":[{\"id\":4,\"game\":\"oh-hell\"}]}");
    assert_int_equal(model->lists.here, 40);
    assert_int_equal(model->lists.people.total, 44);
    assert_int_equal(model->lists.people.count, 2);
    assert_int_equal(model->lists.people.first, 7);
    assert_int_equal(model->lists.people.people[0].rating.value, 1600);
    assert_string_equal(model->lists.people.people[1].name, "bob");
    assert_int_equal(model->lists.people.people[1].rating.value, ROW_NONE);
    assert_int_equal(model->lists.tables_all, 9);
    assert_non_null(model_find_table(model, 4));
    push_message(model, "{\"t\":\"lobby\",\"here\":41,\"people_count\":45,\"people_first\":8}");
    assert_int_equal(model->lists.people.first, 8);
    assert_string_equal(model->lists.people.people[1].name, "bob");
    assert_int_equal(model->lists.here, 41);
    push_message(model, "{\"t\":\"lobby\",\"people_first\":0,\"people\":[]}");
    assert_int_equal(model->lists.people.count + model->lists.people.total, 0);
    assert_non_null(model_find_table(model, 4));
}

static void values_of_the_wrong_type_count_as_absent(void **state)
{
    struct model *model = *state;
    push_message(
        model, "{\"t\":\"lobby\",\"reset\":3,\"people\":[7,null,[],{\"name\":5},{\"name\":\"eve\","
               "\"rating\":\"high\",\"table\":[],\"idle_s\":-1e300,\"kind\":{}}],"
               "\"tables\":[{\"id\":\"x\",\"game\":\"oh-hell\"},{\"id\":1,\"game\":\"chess\"},"
               "{\"id\":3,\"game\":\"oh-hell\",\"players\":99999,\"round\":-4}],"
               "\"gone_people\":{},\"gone_tables\":[{}]}");
    assert_int_equal(model->lists.people.count, 1);
    assert_int_equal(model->lists.people.people[0].rating.value, ROW_NONE);
    assert_int_equal(model->lists.tables.count, 1);
    assert_true(model->lists.tables.tables[0].players <= SEATS_MAX);
    push_message(model, "{\"t\":\"lobby\",\"people_first\":-5,\"people_count\":-1,\"here\":1e9}");
    assert_int_equal(model->lists.people.first, 0);
    assert_int_equal(model->lists.people.total, 1);
    push_message(model, "{\"t\":\"mine\",\"tables\":\"all\"}");
    push_message(model, "{\"t\":\"chat\"}");
    push_message(model, "{\"t\":\"view\",\"table\":1,\"view\":{}}");
    push_message(model, "{\"t\":\"sheet\",\"table\":null,\"rows\":[[]]}");
    push_message(model, "{\"t\":\"result\",\"scores\":{}}");
    push_message(model, "{\"t\":\"welcome\",\"you\":[]}");
    push_message(model, "{\"t\":\"no such thing\"}");
    assert_null(model->entered);
}

static void no_message_about_the_entered_table_breaks_the_model(void **state)
{
    struct model *model = *state;
    push_message(model,
                 "{\"t\":\"table\",\"id\":3,\"game\":\"oh-hell\",\"players\":4,\"seats\":[null,"
                 "{\"name\":\"ada\",\"rating\":1}],\"you\":1,\"options\":{\"length\":\"short-up\"},"
                 "\"watcher_names\":[1,\"eve\"],\"rematch\":[0,9,-1,\"x\"],\"game_id\":null}");
    assert_non_null(model->entered);
    assert_int_equal(model->entered->you, 1);
    assert_int_equal(model->entered->details.rematch, 1);
    assert_true(model->entered->details.seats.at[1].is_taken);
    assert_int_equal(json_array_size(model->entered->details.watcher_names), 2);
    push_message(model, "{\"t\":\"view\",\"table\":3,\"view\":{\"game\":\"oh-hell\",\"seat\":77},"
                        "\"clock\":{\"left_ms\":-5}}");
    assert_false(model->entered->has_view);
    push_message(model,
                 "{\"t\":\"sheet\",\"table\":3,\"reset\":true,\"rows\":[5,{\"n\":1,\"round\":[1,2],"
                 "\"total\":[1e99,2],\"bids\":[\"x\"],\"tricks\":null}]}");
    assert_int_equal(model->entered->sheet_count, 1);
    for (int i = 0; i < 2 * GAME_ROUNDS_MAX; i++) {
        push_message(model, "{\"t\":\"sheet\",\"table\":3,\"rows\":[{\"n\":2,\"round\":[1]}]}");
    }
    assert_int_equal(model->entered->sheet_count, GAME_ROUNDS_MAX);
    assert_int_equal(model->entered->sheet[0].round, 1);
    push_message(model,
                 "{\"t\":\"result\",\"table\":3,\"scores\":[9],\"winners\":[0],\"ratings\":[{"
                 "\"before\":1500,\"after\":1512,\"by\":[{\"seat\":1,\"change\":3.14},"
                 "{\"seat\":99,\"change\":1e300}]}]}");
    assert_true(model->entered->has_result);
    assert_int_equal(model->entered->result.seats[0].by[1], 31);
    push_message(model,
                 "{\"t\":\"table\",\"id\":4,\"game\":\"oh-hell\",\"players\":4,\"you\":null}");
    assert_int_equal(model->entered->row.id, 4);
    assert_false(model->entered->has_result);
    assert_int_equal(model->entered->you, SPECTATOR);
}

static void texts_lose_every_terminal_control_character(void **state)
{
    (void)state;
    json_t *hostile = json_string("a\033[2J\nb\tc\x01"
                                  "0\x02 \u202egnirts\u200b\u2066\ufeff \xc2\x85\xc2\x9b!");
    char text[64];
    drawable_copy_text(hostile, text, sizeof text);
    assert_string_equal(text, "a[2Jbc0 gnirts !");
    drawable_copy_text(NULL, text, sizeof text);
    assert_string_equal(text, "");
    json_decref(hostile);
}

static void a_text_is_truncated_between_characters(void **state)
{
    (void)state;
    json_t *wide = json_string("日本語");
    char text[6];
    drawable_copy_text(wide, text, sizeof text);
    assert_string_equal(text, "日");
    json_decref(wide);
}

static void the_chat_backlog_is_limited_and_no_line_appears_twice(void **state)
{
    struct model *model = *state;
    for (int i = 1; i <= 3 * MODEL_CHAT_MAX; i++) {
        char line[160];
        snprintf(line, sizeof line,
                 "{\"t\":\"chat\",\"channel\":\"lobby\",\"kind\":\"say\",\"from\":\"ada\","
                 "\"text\":\"%d\",\"n\":%d}",
                 i, i);
        push_message(model, line);
        push_message(model, line);
    }
    const struct chat_log *log = &model->chat[CHAT_LOBBY];
    assert_int_equal(log->count, MODEL_CHAT_MAX);
    assert_string_equal(log->lines[MODEL_CHAT_MAX - 1].text, "600");
    assert_string_equal(log->lines[0].text, "401");
}

static void a_direct_message_sent_again_does_not_appear_at_a_table_entered_since(void **state)
{
    struct model *model = *state;
    static const char table[] =
        "{\"t\":\"table\",\"id\":4,\"game\":\"oh-hell\",\"players\":4,\"you\":0}";
    static const char before[] = "{\"t\":\"chat\",\"channel\":\"tell\",\"kind\":\"say\","
                                 "\"from\":\"ada\",\"to\":\"bob\",\"text\":\"before\",\"n\":1}";
    static const char since[] = "{\"t\":\"chat\",\"channel\":\"tell\",\"kind\":\"say\","
                                "\"from\":\"ada\",\"to\":\"bob\",\"text\":\"since\",\"n\":2}";
    push_message(model, before);
    push_message(model, table);
    push_message(model, since);
    push_message(model, before);
    push_message(model, since);
    assert_int_equal(model->chat[CHAT_LOBBY].count, 2);
    assert_int_equal(model->chat[CHAT_TABLE].count, 1);
    assert_string_equal(model->chat[CHAT_TABLE].lines[0].text, "since");
}

static void rows_beyond_the_limit_are_left_out(void **state)
{
    struct model *model = *state;
    json_t *message = json_pack("{s:s, s:[], s:[]}", "t", "lobby", "people", "tables");
    for (int i = 1; i <= MODEL_WINDOW_MAX + 50; i++) {
        json_array_append_new(json_object_get(message, "people"),
                              json_pack("{s:o}", "name", json_sprintf("p%d", i)));
        json_array_append_new(json_object_get(message, "tables"),
                              json_pack("{s:i, s:s}", "id", i, "game", "oh-hell"));
    }
    model_apply_pushed_message(model, "lobby", message, 1000000);
    json_decref(message);
    assert_int_equal(model->lists.people.count, MODEL_WINDOW_MAX);
    assert_int_equal(model->lists.tables.count, MODEL_WINDOW_MAX);
}

static void only_a_whole_name_counts_as_a_mention(void **state)
{
    struct model *model = *state;
    json_t *you = json_pack("{s:s}", "name", "mira");
    model_set_own_account(model, you);
    json_decref(you);
    static const struct {
        const char *text;
        bool is_mention;
    } lines[] = {{"Mira, come", true},
                 {"hi mira", true},
                 {"miracle", false},
                 {"admira", false},
                 {"admira mira!", true}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char json[200];
        snprintf(json, sizeof json,
                 "{\"t\":\"chat\",\"channel\":\"lobby\",\"kind\":\"say\",\"from\":\"ada\","
                 "\"text\":\"%s\",\"n\":%zu}",
                 lines[i].text, i + 1);
        push_message(model, json);
        assert_int_equal(model->chat[CHAT_LOBBY].lines[(int)i].is_mention, lines[i].is_mention);
    }
}

static void hostile_names_stay_inside_their_columns(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_push(driver,
                "{\"t\":\"lobby\",\"reset\":true,\"people\":[{\"name\":\"\\u0001S\\u001b[2Jx\"},"
                "{\"name\":\"wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww\"},"
                "{\"name\":\"\\u65e5\\u672c\\u8a9e\\u65e5\\u672c\\u8a9e\\u65e5\\u672c\\u8a9e\"},"
                "{\"name\":\"e\\u0301\\u0301\\u0301\\u0301\"}],\"tables\":[{\"id\":"
                "9223372036854775807,\"game\":\"oh-hell\",\"host\":"
                "\"\\u65e5\\u672c\\u8a9e\\u65e5\\u672c\\u8a9e\\u65e5\\u672c\"}]}");
    for (int row = 2; row < 10; row++) {
        /* Every row still ends with the right border of the frame. */
        const char *line = driver_read_row(driver, row);
        size_t len = strlen(line);
        assert_true(len > 3 && strcmp(line + len - 3, "│") == 0);
    }
    driver_expect(driver, "State   │ S[2Jx");
    driver_expect(driver, "wwwwwwwww… –");
    driver_free(driver);
}

static void a_hidden_line_of_any_chat_loses_its_words_until_it_is_shown_again(void **state)
{
    static const char line[] =
        "{\"t\":\"chat\",\"channel\":\"#tea\",\"kind\":\"say\",\"from\":\"ada\","
        "\"text\":\"rude\",\"n\":7,\"at\":5}";
    struct model *model = *state;
    const struct chat_log *log = &model->chat[CHAT_ROOM];
    push_message(model, "{\"t\":\"channels\",\"names\":[\"#tea\"]}");
    push_message(model, line);
    push_message(model, "{\"t\":\"hidden\",\"lines\":[7]}");
    assert_int_equal(log->count, 1);
    assert_string_equal(log->lines[0].text, "(removed by a moderator)");
    push_message(model, line);
    assert_int_equal(log->count, 1);
    assert_string_equal(log->lines[0].text, "rude");
}

static int set_up_model(void **state)
{
    *state = model_new();
    return *state == NULL;
}

static int tear_down_model(void **state)
{
    model_free(*state);
    return 0;
}

TEST_GROUP(model)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_hidden_line_of_any_chat_loses_its_words_until_it_is_shown_again, set_up_model,
            tear_down_model),
        cmocka_unit_test_setup_teardown(a_window_of_the_lobby_replaces_the_one_before, set_up_model,
                                        tear_down_model),
        cmocka_unit_test_setup_teardown(values_of_the_wrong_type_count_as_absent, set_up_model,
                                        tear_down_model),
        cmocka_unit_test_setup_teardown(no_message_about_the_entered_table_breaks_the_model,
                                        set_up_model, tear_down_model),
        cmocka_unit_test_setup_teardown(texts_lose_every_terminal_control_character, set_up_model,
                                        tear_down_model),
        cmocka_unit_test_setup_teardown(a_text_is_truncated_between_characters, set_up_model,
                                        tear_down_model),
        cmocka_unit_test_setup_teardown(the_chat_backlog_is_limited_and_no_line_appears_twice,
                                        set_up_model, tear_down_model),
        cmocka_unit_test_setup_teardown(
            a_direct_message_sent_again_does_not_appear_at_a_table_entered_since, set_up_model,
            tear_down_model),
        cmocka_unit_test_setup_teardown(rows_beyond_the_limit_are_left_out, set_up_model,
                                        tear_down_model),
        cmocka_unit_test_setup_teardown(only_a_whole_name_counts_as_a_mention, set_up_model,
                                        tear_down_model),
        cmocka_unit_test_setup_teardown(hostile_names_stay_inside_their_columns, set_up_model,
                                        tear_down_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
