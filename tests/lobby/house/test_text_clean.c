#include "lobby/house/say.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static void check_cleaned_text(const char *raw, const char *expected)
{
    char out[TEXT_CLEAN_BYTES_MAX + 1];
    assert_int_equal(text_clean(raw, out), TEXT_CLEAN_OK);
    assert_string_equal(out, expected);
}

static void plain_text_of_any_language_is_unchanged(void **state)
{
    (void)state;
    check_cleaned_text("hello", "hello");
    check_cleaned_text("ヘッド&テール 한국 Tiếng Việt ♥", "ヘッド&テール 한국 Tiếng Việt ♥");
}

static void control_and_bidirectional_characters_are_removed(void **state)
{
    (void)state;
    check_cleaned_text("a\x1b[2Jb", "a[2Jb");
    check_cleaned_text("a\xc2\x9b"
                       "b",
                       "ab");
    check_cleaned_text("\xe2\x80\xae"
                       "abc",
                       "abc"); /* right-to-left override */
    check_cleaned_text("a\xe2\x80\x8b"
                       "b",
                       "ab"); /* zero width space */
    check_cleaned_text("\xef\xbb\xbf"
                       "a",
                       "a"); /* byte order mark */
    check_cleaned_text("a\xf3\xa0\x81\x81"
                       "b",
                       "ab"); /* a letter from the block of Unicode tags */
    check_cleaned_text("a\xee\x80\x80"
                       "b",
                       "ab"); /* a character for private use */
    check_cleaned_text("a\xe2\x80\xa8"
                       "b\xe2\x80\xa9"
                       "c",
                       "abc"); /* line and paragraph separators */
}

static void line_ends_and_tabs_between_words_become_blanks(void **state)
{
    (void)state;
    check_cleaned_text("one\ntwo\tthree\r", "one two three");
    check_cleaned_text("   around   ", "around");
}

static void a_letter_and_its_combining_mark_become_one_character(void **state)
{
    (void)state;
    check_cleaned_text("e\xcc\x81", "\xc3\xa9");
}

static void at_most_two_combining_marks_per_letter_are_kept(void **state)
{
    (void)state;
    check_cleaned_text("x\xcc\x84\xcc\x86\xcc\x87\xcc\x88y", "x\xcc\x84\xcc\x86y");
    check_cleaned_text("\xcc\x84x", "x");
}

static void removed_characters_do_not_separate_a_letter_from_its_mark(void **state)
{
    (void)state;
    check_cleaned_text("e\xe2\x80\x8d\xcc\x81",
                       "\xc3\xa9"); /* a zero-width joiner between letter and mark */
}

static void fillers_and_variation_selectors_are_removed(void **state)
{
    (void)state;
    char out[TEXT_CLEAN_BYTES_MAX + 1];
    assert_int_equal(text_clean("\xe3\x85\xa4\xe3\x85\xa4", out), TEXT_CLEAN_EMPTY);
    check_cleaned_text("\xe2\x9d\xa4\xef\xb8\x8f", "\xe2\x9d\xa4");
}

static void runs_of_blanks_of_any_kind_become_one_space(void **state)
{
    (void)state;
    static const char *const blanks[] = {" ",      "\t",     "\r\n",   "\u00A0",     "\u1680",
                                         "\u2000", "\u2003", "\u2007", "\u200A",     "\u202F",
                                         "\u205F", "\u2800", "\u3000", "\U0001D159", " \u0304"};
    for (size_t i = 0; i < ARRAY_LEN(blanks) * ARRAY_LEN(blanks); i++) {
        const char *one = blanks[i % ARRAY_LEN(blanks)];
        const char *other = blanks[i / ARRAY_LEN(blanks)];
        char raw[64];
        (void)snprintf(raw, sizeof(raw), "%s%s%sa%s%s%sb%s%s", one, other, one, one, other, one,
                       other, one);
        check_cleaned_text(raw, "a b");
    }
    check_cleaned_text(" \xcc\x84x", "x"); /* the mark stood on a blank that was removed */
}

static void zero_width_letters_count_as_combining_marks(void **state)
{
    (void)state;
    check_cleaned_text("a\xe1\x85\xb6\xe1\x85\xb6\xe1\x85\xb6\xe1\x85\xb6z",
                       "a\xe1\x85\xb6\xe1\x85\xb6z"); /* vowels of old Korean */
}

static void over_long_empty_and_malformed_texts_give_different_results(void **state)
{
    (void)state;
    char out[TEXT_CLEAN_BYTES_MAX + 1];
    char raw[402];
    memset(raw, 'a', 200);
    raw[200] = '\0';
    assert_int_equal(text_clean(raw, out), TEXT_CLEAN_OK);
    raw[200] = 'a';
    raw[201] = '\0';
    assert_int_equal(text_clean(raw, out), TEXT_CLEAN_TOO_LONG);
    assert_int_equal(text_clean(" \xe2\x80\x8b ", out), TEXT_CLEAN_EMPTY);
    assert_int_equal(text_clean("", out), TEXT_CLEAN_EMPTY);
    assert_int_equal(text_clean("a\xff", out), TEXT_CLEAN_BAD);
    assert_int_equal(text_clean("\xed\xa0\x80", out), TEXT_CLEAN_BAD);
}

static void wide_letters_count_as_two_columns(void **state)
{
    (void)state;
    char out[TEXT_CLEAN_BYTES_MAX + 1];
    char raw[3 * 101 + 1] = "";
    for (int i = 0; i < 101; i++) {
        memcpy(raw + 3 * i, "한", 4);
    }
    assert_int_equal(text_clean(raw, out), TEXT_CLEAN_TOO_LONG);
    raw[3 * 100] = '\0';
    assert_int_equal(text_clean(raw, out), TEXT_CLEAN_OK);
}

static void check_truncated_text(const char *text_to_cut, const char *expected)
{
    json_t *string = text_clean_to_json(text_to_cut);
    assert_string_equal(json_string_value(string), expected);
    json_decref(string);
}

static void a_truncated_text_ends_with_a_whole_character(void **state)
{
    (void)state;
    check_truncated_text("", "");
    check_truncated_text("한국", "한국");
    check_truncated_text("한\xea\xb5", "한");
    check_truncated_text("한\xea", "한");
    check_truncated_text("\xea\xb5 and \xff more", " and  more");
}

static void a_text_in_too_small_a_buffer_ends_with_a_whole_character(void **state)
{
    (void)state;
    char whole[6];
    text_clean_copy_whole_characters("abc\xc3\xa9\xc3\xa9", whole, sizeof(whole));
    assert_string_equal(whole, "abc\xc3\xa9");
    text_clean_copy_whole_characters("abcd\xc3\xa9", whole, sizeof(whole));
    assert_string_equal(whole, "abcd");
    text_clean_copy_whole_characters("ab\xc3", whole, sizeof(whole));
    assert_string_equal(whole, "ab");
    text_clean_copy_whole_characters("", whole, sizeof(whole));
    assert_string_equal(whole, "");
}

TEST_GROUP(text_clean)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_text_of_any_language_is_unchanged),
        cmocka_unit_test(control_and_bidirectional_characters_are_removed),
        cmocka_unit_test(line_ends_and_tabs_between_words_become_blanks),
        cmocka_unit_test(a_letter_and_its_combining_mark_become_one_character),
        cmocka_unit_test(at_most_two_combining_marks_per_letter_are_kept),
        cmocka_unit_test(removed_characters_do_not_separate_a_letter_from_its_mark),
        cmocka_unit_test(fillers_and_variation_selectors_are_removed),
        cmocka_unit_test(runs_of_blanks_of_any_kind_become_one_space),
        cmocka_unit_test(zero_width_letters_count_as_combining_marks),
        cmocka_unit_test(over_long_empty_and_malformed_texts_give_different_results),
        cmocka_unit_test(wide_letters_count_as_two_columns),
        cmocka_unit_test(a_text_in_too_small_a_buffer_ends_with_a_whole_character),
        cmocka_unit_test(a_truncated_text_ends_with_a_whole_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
