#include "lobby/persons/names.h"
#include "tests/unit.h"

static void names_consist_of_a_few_lower_case_letters(void **state)
{
    (void)state;
    assert_int_equal(name_check("mira"), NAME_OK);
    assert_int_equal(name_check("a-1_z"), NAME_OK);
    assert_int_equal(name_check("abcdefghijklmnop"), NAME_OK);
    static const char *const bad[] = {
        "", "a", "abcdefghijklmnopq", "Mira", "1st", "-mira", "m a", "mira\n", "mi.ra", "mïra"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_int_equal(name_check(bad[i]), NAME_BAD);
    }
}

static void the_houses_own_names_and_confusable_ones_are_reserved(void **state)
{
    (void)state;
    static const char *const reserved[] = {"root",  "admin",   "adm1n", "guest", "guest-7",
                                           "gue5t", "ella",    "e11a",  "tilly", "dizzy",
                                           "whlm",  "systern", "root"};
    for (size_t i = 0; i < ARRAY_LEN(reserved); i++) {
        assert_int_equal(name_check(reserved[i]), NAME_RESERVED);
    }
    assert_int_equal(name_check("guesthouse"), NAME_OK);
}

static void confusable_names_count_as_the_same_name(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"mira", "m1ra"}, {"bob0", "bobo"}, {"vvill", "will"}, {"rnax", "max"}, {"ju5t", "just"}};
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        char left[NAME_SKELETON_MAX];
        char right[NAME_SKELETON_MAX];
        name_write_skeleton(pairs[i][0], left);
        name_write_skeleton(pairs[i][1], right);
        assert_string_equal(left, right);
    }
}

static void a_requested_name_is_cleaned_into_a_valid_one(void **state)
{
    (void)state;
    char name[NAME_MAX_BYTES + 1];
    name_make_valid("Mira.Meier", name);
    assert_string_equal(name, "mirameier");
    name_make_valid("42x", name);
    assert_string_equal(name, "");
    name_make_valid("9lives_of_a_long_cats_name", name);
    assert_string_equal(name, "lives_of_a_long_");
}

static void a_long_name_is_shortened_to_make_room_for_a_number(void **state)
{
    (void)state;
    char name[NAME_MAX_BYTES + 1];
    name_append_number("mira", 2, name);
    assert_string_equal(name, "mira2");
    name_append_number("abcdefghijklmnop", 10, name);
    assert_string_equal(name, "abcdefghijklmn10");
}

TEST_GROUP(names)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_consist_of_a_few_lower_case_letters),
        cmocka_unit_test(the_houses_own_names_and_confusable_ones_are_reserved),
        cmocka_unit_test(confusable_names_count_as_the_same_name),
        cmocka_unit_test(a_requested_name_is_cleaned_into_a_valid_one),
        cmocka_unit_test(a_long_name_is_shortened_to_make_room_for_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
