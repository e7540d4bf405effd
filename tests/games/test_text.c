#include "games/game.h"
#include "games/text.h"
#include "tests/unit.h"

static void texts_numbers_and_bytes_are_appended_in_order(void **unused)
{
    (void)unused;
    static const uint8_t bytes[] = {0x00, 0xAB, 0xFF};
    char buffer[96];
    struct text text = text_init(buffer, sizeof(buffer));
    assert_string_equal(buffer, "");
    text_put(&text, "a");
    text_put_char(&text, ' ');
    text_put_number(&text, INT64_MIN);
    text_put_char(&text, ' ');
    text_put_number(&text, 0);
    text_put_char(&text, ' ');
    text_put_number(&text, INT64_MAX);
    text_put_char(&text, ' ');
    text_put_hex(&text, bytes, sizeof(bytes));
    assert_string_equal(buffer, "a -9223372036854775808 0 9223372036854775807 00abff");
    assert_false(text.is_cut);
}

static void a_text_that_is_too_long_is_cut_and_marked_as_cut(void **unused)
{
    (void)unused;
    char buffer[6] = {0, 0, 0, 0, 0, 'x'};
    struct text text = text_init(buffer, 5);
    text_put(&text, "1234");
    assert_false(text.is_cut);
    text_put(&text, "");
    assert_false(text.is_cut);
    text_put(&text, "56");
    assert_true(text.is_cut);
    text_put_number(&text, 7);
    assert_string_equal(buffer, "1234");
    assert_int_equal(text.len, 4);
    assert_int_equal(buffer[5], 'x');
}

static void json_strings_escape_every_character_that_json_requires(void **unused)
{
    (void)unused;
    char buffer[64];
    struct text text = text_init(buffer, sizeof(buffer));
    text_put_json(&text, "a\"b\\c\n\x1b\x7f♠");
    assert_string_equal(buffer, "\"a\\\"b\\\\c\\u000a\\u001b\x7f♠\"");
}

static void write_argument(void *context, const struct phrase_arg *arg, struct text *out)
{
    (*(unsigned *)context)++;
    if (arg->type == ARG_WORDS) {
        text_put(out, arg->words);
        return;
    }
    text_put_char(out, arg->type == ARG_CARD ? 'c' : arg->type == ARG_SUIT ? 's' : 'p');
    text_put_number(out, arg->number);
}

static void a_phrase_takes_its_arguments_in_any_order(void **unused)
{
    (void)unused;
    char buffer[96];
    struct text text = text_init(buffer, sizeof(buffer));
    struct phrase phrase = {
        .format = "unused here",
        .args = {arg_of_number(-3), arg_of_card(7), arg_of_suit(2), arg_of_seat(1)},
    };
    unsigned written = 0;
    phrase_write(&phrase, "{3}, {1} {0}{0} {2}! {a} {", write_argument, &written, &text);
    assert_string_equal(buffer, "p1, c7 -3-3 s2! {a} {");
    assert_int_equal(written, 3);
}

static void a_phrase_chooses_singular_or_plural_by_the_number(void **unused)
{
    (void)unused;
    static const struct {
        int number;
        const char *expected;
    } cases[] = {
        {0, "0 tricks"}, {1, "1 trick"}, {2, "2 tricks"}, {-1, "-1 trick"}, {11, "11 tricks"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char buffer[32];
        struct text text = text_init(buffer, sizeof(buffer));
        struct phrase phrase = {.args = {arg_of_number(cases[i].number)}};
        phrase_write(&phrase, "{0} {0:trick|tricks}", write_argument, NULL, &text);
        assert_string_equal(buffer, cases[i].expected);
    }
}

static void points_won_are_written_with_a_plus(void **unused)
{
    (void)unused;
    char buffer[32];
    struct text text = text_init(buffer, sizeof(buffer));
    struct phrase phrase = {.args = {arg_of_points(2), arg_of_points(0), arg_of_points(-6)}};
    phrase_write(&phrase, "{0}, {1}, {2}", write_argument, NULL, &text);
    assert_string_equal(buffer, "+2, 0, -6");
}

static void a_phrase_has_a_form_for_the_reader_whom_it_names_first_or_second(void **unused)
{
    (void)unused;
    struct phrase phrase = {
        .format = "{0} gives {2} to {1}",
        .own = "You give {2} to {1}",
        .own_other = "{0} gives you {2}",
        .args = {arg_of_seat(2), arg_of_seat(4), arg_of_card(7)},
    };
    assert_string_equal(phrase_choose_format(&phrase, 2), phrase.own);
    assert_string_equal(phrase_choose_format(&phrase, 4), phrase.own_other);
    assert_string_equal(phrase_choose_format(&phrase, 7), phrase.format);
    assert_string_equal(phrase_choose_format(&phrase, -1), phrase.format);
    phrase.own_other = NULL;
    assert_string_equal(phrase_choose_format(&phrase, 4), phrase.format);
    phrase.args[0] = arg_of_seats(1U << 0 | 1U << 3);
    assert_string_equal(phrase_choose_format(&phrase, 3), phrase.own);
    assert_string_equal(phrase_choose_format(&phrase, 2), phrase.format);
}

static void a_phrase_contains_another_one_with_its_arguments(void **unused)
{
    (void)unused;
    struct phrase inner = {
        .format = "highest {0} of {1}",
        .args = {arg_of_suit(2), arg_of_number(5)},
    };
    struct phrase outer = {.format = "{0}: {1}", .args = {arg_of_seat(1)}};
    phrase_put_inner(&outer, 1, &inner);
    struct phrase found = phrase_get_inner(&outer.args[1]);
    assert_string_equal(found.format, inner.format);
    assert_null(found.own);
    assert_int_equal(found.args[0].type, ARG_SUIT);
    assert_int_equal(found.args[1].number, 5);
    assert_int_equal(found.args[2].type, ARG_NONE);
    assert_null(phrase_get_inner(&outer.args[0]).format);
    inner.own = "yours, {1}";
    phrase_put_inner(&outer, 1, &inner);
    assert_string_equal(phrase_get_inner(&outer.args[1]).own, inner.own);
    phrase_put_inner(&outer, PHRASE_ARGS_MAX - 2, &inner); /* has room for one argument */
    assert_int_equal(phrase_get_inner(&outer.args[PHRASE_ARGS_MAX - 2]).args[1].type, ARG_NONE);
}

static void a_phrase_writes_nothing_for_an_argument_that_it_lacks(void **unused)
{
    (void)unused;
    char buffer[32];
    struct text text = text_init(buffer, sizeof(buffer));
    struct phrase phrase = phrase_without_args("<{0}{1}>");
    unsigned written = 0;
    phrase.args[1] = arg_of_words("trump");
    phrase_write(&phrase, phrase.format, write_argument, &written, &text);
    assert_string_equal(buffer, "<trump>");
    assert_null(phrase_absent().format);
}

static void only_a_whole_word_is_found_in_a_list(void **unused)
{
    (void)unused;
    static const char *const words[] = {"on", "off", "", NULL};
    static const char *const none[] = {NULL};
    assert_int_equal(text_find_word(words, "on"), 0);
    assert_int_equal(text_find_word(words, "off"), 1);
    assert_int_equal(text_find_word(words, ""), 2);
    assert_int_equal(text_find_word(words, "of"), -1);
    assert_int_equal(text_find_word(words, "offs"), -1);
    assert_int_equal(text_find_word(words, NULL), -1);
    assert_int_equal(text_find_word(none, "on"), -1);
}

TEST_GROUP(text)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_numbers_and_bytes_are_appended_in_order),
        cmocka_unit_test(a_text_that_is_too_long_is_cut_and_marked_as_cut),
        cmocka_unit_test(json_strings_escape_every_character_that_json_requires),
        cmocka_unit_test(a_phrase_takes_its_arguments_in_any_order),
        cmocka_unit_test(a_phrase_chooses_singular_or_plural_by_the_number),
        cmocka_unit_test(points_won_are_written_with_a_plus),
        cmocka_unit_test(a_phrase_has_a_form_for_the_reader_whom_it_names_first_or_second),
        cmocka_unit_test(a_phrase_contains_another_one_with_its_arguments),
        cmocka_unit_test(a_phrase_writes_nothing_for_an_argument_that_it_lacks),
        cmocka_unit_test(only_a_whole_word_is_found_in_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
