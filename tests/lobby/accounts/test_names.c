#include "lobby/persons/persons.h"
#include "tests/unit.h"

#include <stdio.h>

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
    static const char *const reserved[] = {"root", "admin", "adm1n", "guest", "guest-7", "gue5t",
                                           "ella", "e11a",  "tilly", "m1nos", "systern"};
    for (size_t i = 0; i < ARRAY_LEN(reserved); i++) {
        assert_int_equal(name_check(reserved[i]), NAME_RESERVED);
    }
    assert_int_equal(name_check("guesthouse"), NAME_OK);
}

static void a_reserved_word_stays_reserved_with_what_stands_around_it(void **state)
{
    (void)state;
    static const char *const words[] = {"admin",   "house", "moderator", "rules",
                                        "warning", "ella",  "w4rn1ng",   "lobby"};
    static const char *const around[][2] = {{"", "_"},   {"", "-"},    {"", "1"},     {"", "42"},
                                            {"the", ""}, {"the-", ""}, {"the_", "-7"}};
    for (size_t i = 0; i < ARRAY_LEN(words) * ARRAY_LEN(around); i++) {
        char name[32];
        const char *const *form = around[i % ARRAY_LEN(around)];
        (void)snprintf(name, sizeof(name), "%s%s%s", form[0], words[i / ARRAY_LEN(around)],
                       form[1]);
        assert_int_equal(name_check(name), NAME_RESERVED);
    }
    static const char *const more[] = {
        "adm-in",    "a_d_m_i_n",  "house-bot",   "housebot",  "bot_house", "admins",
        "mod3rator", "real-admin", "ho_u5e",      "mod-team2", "guest7",    "guest_ada",
        "you_",      "the-player", "admin_clara", "bob-mod",   "ada-m0d-7", "mod1-ada"};
    for (size_t i = 0; i < ARRAY_LEN(more); i++) {
        assert_int_equal(name_check(more[i]), NAME_RESERVED);
    }
    static const char *const free_names[] = {
        "modest",   "botany",     "housemartin", "newhouse", "theodor",   "steam",
        "hosta",    "guestav",    "idanora",     "mehmet",   "yours",     "real",
        "the-best", "modern-ada", "player1",     "new-12",   "tea-house", "modesto-bob"};
    for (size_t i = 0; i < ARRAY_LEN(free_names); i++) {
        assert_int_equal(name_check(free_names[i]), NAME_OK);
    }
}

static void confusable_names_count_as_the_same_name(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"mira", "m1ra"}, {"bob0", "bobo"}, {"vvill", "will"},    {"rnax", "max"},
        {"ju5t", "just"}, {"ada", "ada_"},  {"ada", "a-d-a"},     {"ada", "ad4"},
        {"tom", "t-orn"}, {"leo", "l3-o_"}, {"vernon", "ver-non"}};
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
        cmocka_unit_test(a_reserved_word_stays_reserved_with_what_stands_around_it),
        cmocka_unit_test(confusable_names_count_as_the_same_name),
        cmocka_unit_test(a_requested_name_is_cleaned_into_a_valid_one),
        cmocka_unit_test(a_long_name_is_shortened_to_make_room_for_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
