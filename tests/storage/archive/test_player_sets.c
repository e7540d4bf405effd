#include "storage/archive/player_sets.h"

#include "storage/archive/games.h"
#include "tests/unit.h"

#include <string.h>

static void a_player_set_has_the_same_text_for_any_order_of_its_accounts(void **state)
{
    int64_t some[] = {30, 4, 200};
    int64_t others[] = {200, 30, 4};
    char text[PLAYER_SET_SIZE], again[PLAYER_SET_SIZE];

    (void)state;
    player_set_write(some, 3, text);
    player_set_write(others, 3, again);
    assert_string_equal(text, "4,30,200");
    assert_string_equal(again, text);
}

static void an_account_named_twice_appears_once(void **state)
{
    int64_t accounts[] = {7, 3, 7, 7, 3};
    char text[PLAYER_SET_SIZE];

    (void)state;
    player_set_write(accounts, 5, text);
    assert_string_equal(text, "3,7");
}

static void an_empty_set_is_the_empty_text_and_one_account_needs_no_comma(void **state)
{
    int64_t account = 12;
    char text[PLAYER_SET_SIZE] = "old";

    (void)state;
    player_set_write(&account, 0, text);
    assert_string_equal(text, "");
    player_set_write(&account, 1, text);
    assert_string_equal(text, "12");
}

static void the_largest_set_of_the_largest_numbers_fits(void **state)
{
    int64_t accounts[STORAGE_SCORES_MAX];
    char text[PLAYER_SET_SIZE];
    size_t commas = 0;

    (void)state;
    for (size_t i = 0; i < STORAGE_SCORES_MAX; i++) {
        accounts[i] = INT64_MAX - (int64_t)i;
    }
    player_set_write(accounts, STORAGE_SCORES_MAX, text);
    for (const char *at = text; *at != '\0'; at++) {
        commas += *at == ',';
    }
    assert_int_equal(commas, STORAGE_SCORES_MAX - 1);
    assert_string_equal(strrchr(text, ','), ",9223372036854775807");
}

TEST_GROUP(player_sets)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_player_set_has_the_same_text_for_any_order_of_its_accounts),
        cmocka_unit_test(an_account_named_twice_appears_once),
        cmocka_unit_test(an_empty_set_is_the_empty_text_and_one_account_needs_no_comma),
        cmocka_unit_test(the_largest_set_of_the_largest_numbers_fits),
    };
    return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
