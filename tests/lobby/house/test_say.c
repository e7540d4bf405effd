#include "lobby/house/say.h"

#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

/* The core sends sentences in a form that each session can translate into its language. */

#define ADA DRIVER_FIRST

/* Checks the sentence's JSON and its English text, then releases the sentence. */
static void check_sentence(json_t *sentence, const char *json, const char *english)
{
    char text[SAY_TEXT_SIZE];
    char *dump = json_dumps(sentence, JSON_COMPACT | JSON_REAL_PRECISION(4));
    say_write_english(sentence, text, sizeof(text));
    assert_string_equal(dump, json);
    assert_string_equal(text, english);
    free(dump);
    json_decref(sentence);
}

static void a_sentence_is_sent_with_its_arguments(void **state)
{
    (void)state;
    check_sentence(say("Nothing."), "[\"Nothing.\"]", "Nothing.");
    check_sentence(say("%s has %d%%.", "ada", 80), "[\"%s has %d%%.\",\"ada\",80]", "ada has 80%.");
    check_sentence(say("%u %lld %zu", 4294967295U, -5LL, (size_t)7),
                   "[\"%u %lld %zu\",4294967295,-5,7]", "4294967295 -5 7");
    check_sentence(say("%+.1f", 2.5), "[\"%+.1f\",2.5]", "+2.5");
    check_sentence(say("%.3s.", "abcdef"), "[\"%.3s.\",\"abc\"]", "abc.");
}

static void a_sentence_can_have_times_and_other_sentences_as_arguments(void **state)
{
    (void)state;
    check_sentence(say("Muted %p.", say_until_argument(1750000000000)),
                   "[\"Muted %p.\",{\"until\":1750000000000}]",
                   "Muted until 2025-06-15 15:06 UTC.");
    check_sentence(say("Muted %p.", say_until_argument(INT64_MAX)),
                   "[\"Muted %p.\",{\"until\":null}]", "Muted for good.");
    check_sentence(
        say("%p, %p", say_time_argument(1750000000000), say_date_argument(1750000000000)),
        "[\"%p, %p\",{\"at\":1750000000000},{\"day\":1750000000000}]",
        "2025-06-15 15:06 UTC, 2025-06-15");
    check_sentence(say("%p", say_duration_argument(3 * INT64_C(86400000))),
                   "[\"%p\",{\"span\":259200000}]", "3 days");
    check_sentence(say("%p", say_duration_argument(36 * INT64_C(3600000))),
                   "[\"%p\",{\"span\":129600000}]", "36 hours");
    check_sentence(say("%p", say_duration_argument(1000)), "[\"%p\",{\"span\":1000}]", "1 second");
    check_sentence(say("%p", say_duration_argument(-1)), "[\"%p\",{\"span\":null}]", "for good");
    check_sentence(
        say("At %p!", say_sentence_argument(say("#%d %p", 7, say_word_argument("50% off")))),
        "[\"At %p!\",[\"#%d %p\",7,{\"word\":\"50% off\"}]]", "At #7 50% off!");
    check_sentence(say("%s%p", "x", NULL), "[\"%s%p\",\"x\",null]", "x");
}

static void the_first_number_selects_singular_or_plural(void **state)
{
    (void)state;
    check_sentence(say_plural("%s: %d game", "%s: %d games", "ada", 1),
                   "[[\"%s: %d game\",\"%s: %d games\"],\"ada\",1]", "ada: 1 game");
    check_sentence(say_plural("%s: %d game", "%s: %d games", "ada", 0),
                   "[[\"%s: %d game\",\"%s: %d games\"],\"ada\",0]", "ada: 0 games");
}

/* The three buffers would cut a letter of three bytes before its first, second and third byte. */
static void a_text_that_is_too_long_is_cut_between_letters(void **state)
{
    (void)state;
    json_t *sentence = say("x%s", "\xe2\x82\xac\xe2\x82\xac");
    for (size_t size = 5; size <= 7; size++) {
        char text[8];
        say_write_english(sentence, text, size);
        assert_string_equal(text, "x\xe2\x82\xac");
    }
    json_decref(sentence);
}

static void a_sentence_that_is_nested_too_deep_is_cut(void **state)
{
    (void)state;
    char text[SAY_TEXT_SIZE];
    json_t *sentence = say("the end");
    for (int depth = 0; depth < 1000; depth++) {
        sentence = say("%d, %p", depth, say_sentence_argument(sentence));
    }
    say_write_english(sentence, text, sizeof(text));
    assert_string_equal(text, "999, 998, 997, 996, 995, 994, 993, 992, 991, 990, 989, 988, …");
    json_decref(sentence);
}

static void a_stored_sentence_is_read_back(void **state)
{
    (void)state;
    char kept[64];
    json_t *sentence = say("%s has %d%%.", "ada", 80);
    say_write_stored_sentence(sentence, kept, sizeof(kept));
    json_t *again = say_parse_stored_sentence(kept);
    assert_true(json_equal(sentence, again));
    json_decref(again);
    say_write_stored_sentence(
        sentence, kept,
        16); /* the buffer is too small for the sentence, so its English text is stored */
    assert_string_equal(kept, "ada has 80%.");
    json_decref(sentence);
}

/* Such a text was stored by an older version of the core, or is damaged. */
static void a_stored_text_that_is_no_sentence_is_shown_as_it_is(void **state)
{
    (void)state;
    static const char *const stored[] = {
        "Somebody changed your password.",
        "[",
        "[]",
        "[7]",
        "[\"%s\"]",
        "[\"%d\",\"x\"]",
        "[\"%n\",1]",
        ("[\"%p\",[\"%p\",[\"%p\",[\"%p\",[\"%p\",[\"%p\",[\"%p\",[\"%p\",[\"%p\",[\"%p\",[\"%p\","
         "[\"%p\",[\"x\"]]]]]]]]]]]]]"),
        "100% sure",
    };
    for (size_t i = 0; i < ARRAY_LEN(stored); i++) {
        char text[SAY_TEXT_SIZE];
        json_t *sentence = say_parse_stored_sentence(stored[i]);
        say_write_english(sentence, text, sizeof(text));
        assert_string_equal(text, stored[i]);
        json_decref(sentence);
    }
}

static void a_refusal_is_sent_as_a_sentence_with_its_arguments(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_no(driver, ADA, "vacation", "{'t':'vacation','days':99}");
    const json_t *say = json_object_get(driver_newest_message(driver, ADA, "no"), "say");
    assert_string_equal(json_string_value(json_array_get(say, 0)),
                        "You have %d vacation days left this year: take no more than that, or 0 "
                        "to come back.");
    assert_true(json_is_integer(json_array_get(say, 1)));
    assert_int_equal(json_array_size(say), 2);
}

static void a_refused_moderation_command_is_answered_with_a_sentence_and_its_arguments(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_no(driver, ADA, "unknown", "{'t':'mod','line':'ignore nobody-here'}");
    const json_t *say = json_object_get(driver_newest_message(driver, ADA, "no"), "say");
    assert_string_equal(json_string_value(json_array_get(say, 1)), "nobody-here");
}

TEST_GROUP(say)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sentence_is_sent_with_its_arguments),
        cmocka_unit_test(a_sentence_can_have_times_and_other_sentences_as_arguments),
        cmocka_unit_test(the_first_number_selects_singular_or_plural),
        cmocka_unit_test(a_text_that_is_too_long_is_cut_between_letters),
        cmocka_unit_test(a_sentence_that_is_nested_too_deep_is_cut),
        cmocka_unit_test(a_stored_sentence_is_read_back),
        cmocka_unit_test(a_stored_text_that_is_no_sentence_is_shown_as_it_is),
        DRIVER_TEST(a_refusal_is_sent_as_a_sentence_with_its_arguments),
        DRIVER_TEST(a_refused_moderation_command_is_answered_with_a_sentence_and_its_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
