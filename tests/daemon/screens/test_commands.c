#include "tests/daemon/screens/samples.h"
#include "tests/daemon/screens/stage.h"

#include "daemon/screens/kernel/ui.h"
#include "lobby/protocol/protocol.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct driver *enter_lobby(void)
{
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    return driver;
}

static const char *get_field_of_request(const struct driver *driver, const char *request_type,
                                        const char *key)
{
    return json_string_value(json_object_get(driver_find_request(driver, request_type), key));
}

static void typed_text_is_sent_as_lobby_chat(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "cnobody home?\r");
    assert_string_equal(get_field_of_request(driver, "say", "to"), "lobby");
    assert_string_equal(get_field_of_request(driver, "say", "kind"), "say");
    assert_string_equal(get_field_of_request(driver, "say", "text"), "nobody home?");
    driver_refuse(driver, "say", "muted", "You may talk again in a minute.");
    driver_expect(driver, "You may talk again in a minute.");
    driver_free(driver);
}

static void a_letter_without_a_key_binding_names_the_keys_and_begins_no_line(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "ve");
    driver_expect(driver, "e does nothing here. Keys: Enter back to your seat, ? help, q quit");
    driver_type(driver, "zzz\r");
    driver_expect(driver, "c to talk, / for a command");
    assert_null(driver_find_request(driver, "say"));
    driver_free(driver);
}

static void a_line_with_a_slash_never_becomes_chat(void **state)
{
    (void)state;
    static const char *const lines[] = {"/",         "//",       "/ hello", "/nonsense x",
                                        "/tell",     "/me",      "  /who",  "/sit x",
                                        "/\xc3\xa9", "/theme 9", "/bot",    "/help me"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct driver *driver = enter_lobby();
        driver_type(driver, "c");
        driver_type(driver, lines[i]);
        driver_type(driver, "\r");
        assert_null(driver_find_request(driver, "say"));
        assert_null(driver_find_request(driver, "tell"));
        driver_free(driver);
    }
}

static void a_command_without_parameters_refuses_arguments(void **state)
{
    (void)state;
    for (const struct command *command = command_list; command->name != NULL; command++) {
        bool is_moderation = mod_command_info_find(command->name) != NULL;
        if (is_moderation || command->args != NULL || command->where == COMMAND_AT_TABLE) {
            continue;
        }
        char line[64], words[64];
        struct driver *driver = enter_lobby();
        snprintf(line, sizeof line, "/%s and more\r", command->name);
        driver_type(driver, line);
        snprintf(words, sizeof words, "/%s takes nothing after it: type it alone.", command->name);
        driver_expect(driver, words);
        assert_false(driver_is_session_over(driver));
        driver_free(driver);
    }
}

/* Seats the person at a table, because some commands work only there. */
static struct driver *sit_at_table(struct stage *stage)
{
    const struct driver_setup setup = {0};
    stage_init(stage, &setup, game_at(0), 3, 0);
    stage_push_table(stage, "open");
    return stage->driver;
}

static void every_command_that_stands_for_one_request_sends_it(void **state)
{
    (void)state;
    int count = 0;
    for (const struct command *command = command_list; command->name != NULL; command++) {
        if (command->request == NULL) {
            continue;
        }
        char line[64];
        struct stage stage = {0};
        struct driver *driver = sit_at_table(&stage);
        snprintf(line, sizeof line, "/%s%s\r", command->name, command->field ? " bob" : "");
        driver_type(driver, line);
        assert_non_null(driver_find_request(driver, command->request));
        if (command->field != NULL) {
            assert_string_equal(get_field_of_request(driver, command->request, command->field),
                                "bob");
        }
        if (command->done != NULL) {
            driver_answer(driver, command->request, "{}");
            driver_expect(driver, command->done);
        }
        stage_clear(&stage);
        count++;
    }
    assert_true(count >= 13);
}

static void every_choice_that_stands_for_one_request_sends_it(void **state)
{
    (void)state;
    int count = 0;
    for (const struct command *choice = command_choices; choice->name != NULL; choice++) {
        if (choice->request == NULL) {
            continue;
        }
        char line[64];
        struct stage stage = {0};
        struct driver *driver = sit_at_table(&stage);
        const char *key;
        json_t *value, *fields = json_loads(choice->fields ? choice->fields : "{}", 0, NULL);
        assert_non_null(fields);
        snprintf(line, sizeof line, "/%s%s\r", choice->name, choice->field ? " bob" : "");
        driver_type(driver, line);
        const json_t *request = driver_find_request(driver, choice->request);
        assert_non_null(request);
        if (choice->field != NULL) {
            json_object_set_new(fields, choice->field, json_string("bob"));
        }
        json_object_foreach(fields, key, value)
        {
            assert_true(json_equal(json_object_get(request, key), value));
        }
        json_decref(fields);
        stage_clear(&stage);
        count++;
    }
    assert_true(count >= 8);
}

static void a_command_with_a_missing_argument_says_so_and_sends_no_request(void **state)
{
    (void)state;
    for (const struct command *command = command_list; command->name != NULL; command++) {
        if (command->missing == NULL) {
            continue;
        }
        char line[64];
        struct stage stage = {0};
        struct driver *driver = sit_at_table(&stage);
        snprintf(line, sizeof line, "/%s\r", command->name);
        driver_type(driver, line);
        driver_expect(driver, command->missing);
        assert_null(driver_find_request(driver, command->request));
        stage_clear(&stage);
    }
}

static void common_aliases_from_other_programs_are_commands(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/profile ada\r");
    assert_string_equal(get_field_of_request(driver, "profile", "name"), "ada");
    driver_free(driver);
    driver = enter_lobby();
    driver_type(driver, "/exit\r");
    assert_true(driver_is_session_over(driver));
    driver_free(driver);
}

static void a_player_is_never_offered_a_command_of_staff(void **state)
{
    (void)state;
    for (const struct command *command = command_list; command->name != NULL; command++) {
        char line[64], words[64];
        if (command->role <= ROLE_PLAYER) {
            continue;
        }
        struct driver *driver = enter_lobby();
        snprintf(line, sizeof line, "/%sx\r", command->name);
        snprintf(words, sizeof words, "Did you mean /%s?", command->name);
        driver_type(driver, line);
        driver_expect_not(driver, words);
        driver_free(driver);
    }
}

static void tab_does_not_complete_staff_commands_for_players(void **state)
{
    (void)state;
    for (const struct command *command = command_list; command->name != NULL; command++) {
        char line[64], words[64];
        if (command->role <= ROLE_PLAYER) {
            continue;
        }
        struct driver *driver = enter_lobby();
        snprintf(line, sizeof line, "/%.*s\t", (int)strlen(command->name) - 1, command->name);
        snprintf(words, sizeof words, "> /%s", command->name);
        driver_type(driver, line);
        driver_expect_not(driver, words);
        driver_free(driver);
    }
}

static void ssh_keys_are_listed_added_and_removed(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/key\r");
    driver_answer(
        driver, "keys",
        "{\"keys\":[{\"fingerprint\":\"SHA256:abc\",\"type\":\"ssh-ed25519\",\"at\":1}]}");
    driver_expect(driver, "Key 1: ssh-ed25519 SHA256:abc");
    driver_type(driver, "/key add\r");
    driver_answer(driver, "key_add", "{\"code\":\"BCDF-GHJK\",\"for_s\":600}");
    driver_expect(driver, "Your code is BCDF-GHJK");
    driver_type(driver, "/key remove\r");
    driver_expect(driver, "/key remove 2");
    driver_type(driver, "/key remove 1\r\r");
    assert_null(driver_find_request(driver, "key_remove"));
    driver_type(driver, "/key remove 1\ry");
    assert_string_equal(get_field_of_request(driver, "key_remove", "key"), "1");
    driver_refuse(driver, "key_remove", "last", "That key is the only way in.");
    driver_expect(driver, "That key is the only way in.");
    driver_free(driver);
}

static void an_unknown_command_suggests_the_most_similar_one(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/leeders\r");
    driver_expect(driver, "There is no /leeders. Did you mean /leaders?");
    driver_type(driver, "/xyzzyplugh\r");
    driver_expect(driver, "There is no /xyzzyplugh. ? lists the commands.");
    driver_free(driver);
}

static void a_command_may_be_abbreviated_while_it_is_unambiguous(void **state)
{
    (void)state;
    assert_string_equal(command_find("lead")->name, "leaders");
    assert_null(command_find("le")); /* "le" could mean "leave" or "leaders" */
    assert_null(command_find(""));
    assert_string_equal(command_find("me")->name, "me");
}

static void staff_commands_cannot_be_abbreviated(void **state)
{
    (void)state;
    for (const struct command *command = command_list; command->name != NULL; command++) {
        size_t len = command->role > ROLE_PLAYER ? strlen(command->name) : 0;
        for (size_t cut = 1; cut < len; cut++) {
            char name[64];
            snprintf(name, sizeof name, "%.*s", (int)cut, command->name);
            const struct command *found = command_find(name);
            if (found != NULL && found->role > ROLE_PLAYER) {
                assert_string_equal(found->name,
                                    name); /* the whole name was typed, so it is no abbreviation */
            }
        }
    }
}

static void the_commands_tell_and_me_and_who_work(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/tell  bob   see you there \r");
    assert_string_equal(get_field_of_request(driver, "tell", "to"), "bob");
    assert_string_equal(get_field_of_request(driver, "tell", "text"), "see you there");
    driver_type(driver, "/me yawns\r");
    assert_string_equal(get_field_of_request(driver, "say", "kind"), "me");
    assert_string_equal(get_field_of_request(driver, "say", "text"), "yawns");
    driver_type(driver, "/who\r");
    driver_expect(driver, "6 people are in: ada #3, bob #7, chen, dmitri, guest-12 #3, mira");
    driver_free(driver);
}

static void tab_completes_commands_names_and_words(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/sett\t");
    driver_expect(driver, "> /settings");
    driver_type(driver, "\033/tell dm\t");
    driver_expect(driver, "> /tell dmitri");
    driver_type(driver, "\033/theme c\t");
    driver_expect(driver, "> /theme co");
    driver_expect(driver, "colour  contrast");
    driver_type(driver, "n\t\r");
    assert_string_equal(
        json_string_value(json_object_get(
            json_object_get(driver_find_request(driver, "settings_set"), "settings"), "theme")),
        "contrast");
    driver_type(driver, "cche\t");
    driver_expect(driver, "> chen:");
    driver_free(driver);
}

static void the_up_key_recalls_earlier_lines(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "chello\r");
    driver_type(driver, "c\033[A");
    driver_expect(driver, "> hello");
    driver_free(driver);
}

static void table_commands_outside_a_table_say_that_they_need_one(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/start\r");
    driver_expect(driver, "/start works at a table");
    assert_null(driver_find_request(driver, "table_start"));
    driver_free(driver);
}

static void the_sit_and_watch_commands_find_a_table_by_its_number(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/watch #3\r");
    assert_int_equal(
        json_integer_value(json_object_get(driver_find_request(driver, "table_enter"), "table")),
        3);
    driver_free(driver);
    driver = enter_lobby();
    driver_type(driver, "/sit 77\r");
    driver_refuse(driver, "table_enter", "unknown",
                  "That table is closed: choose one from the list.");
    driver_expect(driver, "That table is closed");
    driver_free(driver);
}

static void a_long_input_line_scrolls_to_show_its_end(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "c");
    for (int i = 0; i < 20; i++) {
        driver_type(driver, "0123456789");
    }
    driver_type(driver, "日END");
    driver_expect(driver, "9日END");
    int row, column;
    driver_find_cursor(driver, &row, &column);
    assert_int_equal(row, 22);
    assert_true(column < 80);
    driver_type(driver, "\001");
    driver_expect(driver, "> 0123");
    driver_free(driver);
}

static void a_utf8_character_may_arrive_byte_by_byte(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "ca\xe6");
    driver_type(driver, "\x97");
    driver_type(driver, "\xa5"
                        "b\xf0\x9f");
    driver_type(driver, "\x83\x8f.");
    driver_type(driver, "\r");
    assert_string_equal(get_field_of_request(driver, "say", "text"), "a日b🃏.");
    driver_free(driver);
}

static void an_invalid_utf8_sequence_does_not_swallow_the_next_character(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "c\xe6");
    driver_type(driver, "hi\xff\xf0!\r");
    const char *said = get_field_of_request(driver, "say", "text");
    assert_non_null(said);
    assert_non_null(strstr(said, "hi"));
    assert_non_null(strstr(said, "!"));
    driver_type(driver, "c\xf0");
    for (int i = 0; i < 20; i++) {
        driver_type(driver, i % 2 == 0 ? "\xf0" : "\xe6\x97");
    }
    driver_type(driver, "ok");
    driver_expect(driver, "> ok");
    driver_free(driver);
}

static void unknown_escape_sequences_are_not_typed_as_letters(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "\033[200~\033[1;5P\033[99~\033[I\033Oz");
    assert_false(driver_is_session_over(driver));
    driver_expect(driver, "c to talk");
    driver_free(driver);
}

static void tab_completes_each_argument_with_its_possible_values(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_type(driver, "/seek hun\t4 ra\t");
    driver_expect(driver, "> /seek hund 4 rating");
    driver_type(driver, "1400-1700 fin\t");
    driver_expect(driver, "1400-1700 finished");
    driver_type(driver, "\033/leaders hund sea\t");
    driver_expect(driver, "> /leaders hund season");
    driver_free(driver);
}

static void help_on_one_command_shows_its_full_text(void **state)
{
    (void)state;
    struct driver_setup setup = {0};
    struct driver *driver = driver_new(&setup);
    driver_type(driver, "/help seek\r");
    driver_expect(driver, "/seek game [players]");
    driver_expect(driver, "finished 80% clock 30s");
    driver_free(driver);
}

static void every_command_has_one_action_and_a_help_text(void **state)
{
    (void)state;
    for (const struct command *command = command_list; command->name != NULL; command++) {
        assert_ptr_equal(command_find(command->name), command);
        bool is_moderation = mod_command_info_find(command->name) != NULL;
        assert_int_equal((command->run != NULL) + (command->act != NULL) + (command->turn != NULL) +
                             (command->setting != NULL) + (command->opens != NULL) +
                             (command->request != NULL) + is_moderation,
                         1);
        assert_true(command->opens == NULL || screen_find(command->opens) != NULL);
        assert_true(command->act == NULL || command->args == NULL);
        assert_true(command->request != NULL || command->field == NULL);
        /* what is typed after a request is sent, or it is one of the choices */
        assert_int_equal(command->request != NULL && command->args != NULL,
                         command->field != NULL || command->otherwise != NULL);
        assert_true(command->done == NULL || command->result == NULL);
        size_t len = strlen(command->help);
        bool ends_well = command->help[len - 1] == '.' || strchr(command->help, '/') != NULL;
        char summary[400];
        struct text text = text_init(summary, sizeof(summary));
        command_write_summary(command, &text);
        assert_true(len > 10 && ends_well);
        assert_true(summary[0] >= 'A' && summary[0] <= 'Z' && summary[text.len - 1] == '.');
        assert_in_range(text.len, 10, 61);
        assert_in_range(strlen(command->name), 1, 13);
        assert_true(command->completes == COMPLETE_NOTHING || command->words == NULL);
    }
}

TEST_GROUP(commands)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_text_is_sent_as_lobby_chat),
        cmocka_unit_test(a_letter_without_a_key_binding_names_the_keys_and_begins_no_line),
        cmocka_unit_test(a_line_with_a_slash_never_becomes_chat),
        cmocka_unit_test(a_command_without_parameters_refuses_arguments),
        cmocka_unit_test(every_command_that_stands_for_one_request_sends_it),
        cmocka_unit_test(every_choice_that_stands_for_one_request_sends_it),
        cmocka_unit_test(a_command_with_a_missing_argument_says_so_and_sends_no_request),
        cmocka_unit_test(common_aliases_from_other_programs_are_commands),
        cmocka_unit_test(a_player_is_never_offered_a_command_of_staff),
        cmocka_unit_test(tab_does_not_complete_staff_commands_for_players),
        cmocka_unit_test(ssh_keys_are_listed_added_and_removed),
        cmocka_unit_test(an_unknown_command_suggests_the_most_similar_one),
        cmocka_unit_test(a_command_may_be_abbreviated_while_it_is_unambiguous),
        cmocka_unit_test(staff_commands_cannot_be_abbreviated),
        cmocka_unit_test(the_commands_tell_and_me_and_who_work),
        cmocka_unit_test(tab_completes_commands_names_and_words),
        cmocka_unit_test(the_up_key_recalls_earlier_lines),
        cmocka_unit_test(table_commands_outside_a_table_say_that_they_need_one),
        cmocka_unit_test(the_sit_and_watch_commands_find_a_table_by_its_number),
        cmocka_unit_test(a_long_input_line_scrolls_to_show_its_end),
        cmocka_unit_test(a_utf8_character_may_arrive_byte_by_byte),
        cmocka_unit_test(an_invalid_utf8_sequence_does_not_swallow_the_next_character),
        cmocka_unit_test(unknown_escape_sequences_are_not_typed_as_letters),
        cmocka_unit_test(tab_completes_each_argument_with_its_possible_values),
        cmocka_unit_test(help_on_one_command_shows_its_full_text),
        cmocka_unit_test(every_command_has_one_action_and_a_help_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
