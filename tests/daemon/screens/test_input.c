#include "daemon/screens/kernel/ui.h"
#include "tests/unit.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static void press_key(struct input *input, enum press_kind kind)
{
    struct press press = {.kind = kind};
    assert_true(input_handle_key(input, &press, true));
}

static void press_ctrl_and_letter(struct input *input, char letter)
{
    struct press press = {.kind = PRESS_CHAR, .code = (uint32_t)(letter - 'A' + 1)};
    assert_true(input_handle_key(input, &press, true));
}

static void type_text(struct input *input, const char *text)
{
    while (*text != '\0') {
        utf8proc_int32_t code;
        text += utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &code);
        struct press press = {.kind = PRESS_CHAR, .code = (uint32_t)code};
        assert_true(input_handle_key(input, &press, true));
    }
}

static void characters_are_inserted_at_the_cursor(void **state)
{
    struct input *input = *state;
    type_text(input, "helo");
    press_key(input, PRESS_LEFT);
    type_text(input, "l");
    assert_string_equal(input->text, "hello");
    press_key(input, PRESS_HOME);
    type_text(input, "¡");
    press_key(input, PRESS_END);
    type_text(input, "!");
    assert_string_equal(input->text, "¡hello!");
}

static void backspace_and_delete_remove_whole_characters(void **state)
{
    struct input *input = *state;
    type_text(input, "aé日e\xcc\x81z");
    press_key(input, PRESS_LEFT);
    press_key(input, PRESS_BACKSPACE);
    assert_string_equal(input->text, "aé日z");
    press_key(input, PRESS_BACKSPACE);
    press_key(input, PRESS_BACKSPACE);
    press_key(input, PRESS_DELETE);
    assert_string_equal(input->text, "a");
    press_key(input, PRESS_BACKSPACE);
    press_key(input, PRESS_BACKSPACE);
    assert_string_equal(input->text, "");
}

static void the_cursor_position_is_counted_in_columns_not_bytes(void **state)
{
    struct input *input = *state;
    type_text(input, "é日本");
    assert_int_equal(input_get_cursor_column(input), 5);
    press_key(input, PRESS_LEFT);
    assert_int_equal(input_get_cursor_column(input), 3);
}

static void control_keys_edit_the_line_as_in_a_shell(void **state)
{
    struct input *input = *state;
    type_text(input, "one two  three");
    press_ctrl_and_letter(input, 'W');
    assert_string_equal(input->text, "one two  ");
    press_ctrl_and_letter(input, 'W');
    assert_string_equal(input->text, "one ");
    type_text(input, "four");
    press_ctrl_and_letter(input, 'A');
    press_ctrl_and_letter(input, 'D');
    assert_string_equal(input->text, "ne four");
    press_key(input, PRESS_RIGHT);
    press_ctrl_and_letter(input, 'K');
    assert_string_equal(input->text, "n");
    press_ctrl_and_letter(input, 'E');
    press_ctrl_and_letter(input, 'U');
    assert_string_equal(input->text, "");
}

static void up_and_down_recall_earlier_lines_and_return_to_the_draft(void **state)
{
    struct input *input = *state;
    type_text(input, "first");
    input_add_to_history(input);
    input_set_text(input, "second");
    input_add_to_history(input);
    input_set_text(input, "dra");
    press_key(input, PRESS_UP);
    assert_string_equal(input->text, "second");
    press_key(input, PRESS_UP);
    press_key(input, PRESS_UP);
    assert_string_equal(input->text, "first");
    press_key(input, PRESS_DOWN);
    press_key(input, PRESS_DOWN);
    assert_string_equal(input->text, "dra");
    press_key(input, PRESS_DOWN);
    assert_string_equal(input->text, "dra");
}

static void the_input_history_drops_repeats_and_its_oldest_lines(void **state)
{
    struct input *input = *state;
    for (int i = 0; i < 2 * INPUT_HISTORY_MAX; i++) {
        char line[2] = {(char)('a' + i % 26), '\0'};
        input_set_text(input, line);
        input_add_to_history(input);
        input_add_to_history(input);
    }
    assert_int_equal(input->history_count, INPUT_HISTORY_MAX);
    assert_string_equal(input->history[INPUT_HISTORY_MAX - 1], "v");
    assert_string_equal(input->history[INPUT_HISTORY_MAX - 2], "u");
}

static void the_input_line_is_limited_to_the_length_of_a_chat_line(void **state)
{
    struct input *input = *state;
    for (int i = 0; i < 300; i++) {
        type_text(input, "日");
    }
    assert_int_equal(strlen(input->text), 399);
    type_text(input, "a");
    assert_int_equal(strlen(input->text), 400);
    type_text(input, "b");
    assert_int_equal(strlen(input->text), 400);
}

static void control_characters_and_surrogates_cannot_be_typed(void **state)
{
    struct input *input = *state;
    const uint32_t codes[] = {0, 7, 0x1F, 0x7F, 0x80, 0x9B, 0xD800, 0x110000};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        struct press odd = {.kind = PRESS_CHAR, .code = codes[i]};
        assert_false(input_handle_key(input, &odd, true));
    }
    assert_string_equal(input->text, "");
}

static int set_up(void **state)
{
    *state = calloc(1, sizeof(struct input));
    return 0;
}

static int tear_down(void **state)
{
    input_clear(*state);
    free(*state);
    return 0;
}

#define INPUT_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

TEST_GROUP(input)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        INPUT_TEST(characters_are_inserted_at_the_cursor),
        INPUT_TEST(backspace_and_delete_remove_whole_characters),
        INPUT_TEST(the_cursor_position_is_counted_in_columns_not_bytes),
        INPUT_TEST(control_keys_edit_the_line_as_in_a_shell),
        INPUT_TEST(up_and_down_recall_earlier_lines_and_return_to_the_draft),
        INPUT_TEST(the_input_history_drops_repeats_and_its_oldest_lines),
        INPUT_TEST(the_input_line_is_limited_to_the_length_of_a_chat_line),
        INPUT_TEST(control_characters_and_surrogates_cannot_be_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
