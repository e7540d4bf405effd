#include "lobby/house/say.h"

#include "tests/lobby/house_driver.h"

#include <inttypes.h>
#include <string.h>

/* Sentences of the core, in the form that a session can word in any language. */

#define ADA DRIVER_FIRST

__attribute__((format(printf, 2, 3))) static void check(const char *wanted, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *say = say_parts(format, args);
    va_end(args);
    char *text = say == NULL ? NULL : json_dumps(say, JSON_COMPACT | JSON_REAL_PRECISION(4));
    if (wanted == NULL) {
        assert_null(text);
    } else {
        assert_non_null(text);
        assert_string_equal(text, wanted);
    }
    free(text);
    json_decref(say);
}

static void a_sentence_travels_with_its_arguments(void **state)
{
    (void)state;
    check("[\"Nothing.\"]", "Nothing.");
    check("[\"%s has %d%%.\",\"ada\",80]", "%s has %d%%.", "ada", 80);
    check("[\"%u %lld %zu\",4294967295,-5,7]", "%u %lld %zu", 4294967295U, -5LL, (size_t)7);
    check("[\"%+.1f\",2.5]", "%+.1f", 2.5);
    check("[\"%.3s.\",\"abc\"]", "%.3s.", "abcdef");
}

static void an_unknown_conversion_leaves_the_text_untranslated(void **state)
{
    (void)state;
    check(NULL, "%p", (void *)NULL);
    check(NULL, "%s %x", "a", 1U);
}

static void a_refusal_carries_its_arguments(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_no(driver, ADA, "vacation", "{'t':'vacation','days':99}");
    const json_t *say = json_object_get(driver_newest(driver, ADA, "no"), "say");
    assert_string_equal(json_string_value(json_array_get(say, 0)),
                        "You have %d vacation days left this year: take no more than that, or 0 "
                        "to come back.");
    assert_true(json_is_integer(json_array_get(say, 1)));
    assert_int_equal(json_array_size(say), 2);
}

static void the_refusal_of_a_moderation_command_carries_its_arguments(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_no(driver, ADA, "unknown", "{'t':'mod','line':'ignore nobody-here'}");
    const json_t *say = json_object_get(driver_newest(driver, ADA, "no"), "say");
    assert_string_equal(json_string_value(json_array_get(say, 1)), "nobody-here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sentence_travels_with_its_arguments),
        cmocka_unit_test(an_unknown_conversion_leaves_the_text_untranslated),
        DRIVER_TEST(a_refusal_carries_its_arguments),
        DRIVER_TEST(the_refusal_of_a_moderation_command_carries_its_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
