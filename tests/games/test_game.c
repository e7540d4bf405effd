#include "games/game.h"

#include "games/bots/bots.h"
#include "tests/unit.h"

#include <string.h>

/* A game with one option of each type, defined only as far as configs need. */
static const struct option_value word_values[] = {{.word = "long"}, {.word = "short"}};
static const struct option_value switch_values[] = {{.number = 0}, {.number = 1}};
static const struct option_value number_values[] = {{.number = 12}, {.number = 6}};
static const struct option_def options[] = {
    {.key = "length", .type = OPTION_WORD, .values = word_values, .value_count = 2},
    {.key = "select", .type = OPTION_SWITCH, .values = switch_values, .value_count = 2},
    {.key = "limit", .type = OPTION_NUMBER, .values = number_values, .value_count = 2},
};
static const struct game_def toy_game = {
    .id = "toy",
    .seats_min = 2,
    .seats_max = 5,
    .seats_filled = 3,
    .options = options,
    .option_count = ARRAY_LEN(options),
};

static void assert_options(const struct game_config *config, const char *expected)
{
    char buffer[128];
    struct text text = text_init(buffer, sizeof(buffer));
    game_config_write(&toy_game, config, &text);
    assert_string_equal(buffer, expected);
}

static void options_are_set_and_written_as_in_histories(void **unused)
{
    (void)unused;
    struct game_config config = game_config_default(&toy_game, 4);
    assert_options(&config, "{\"length\":\"long\",\"select\":false,\"limit\":12}");
    assert_true(game_config_set(&toy_game, &config, "length", "short"));
    assert_true(game_config_set(&toy_game, &config, "select", "true"));
    assert_true(game_config_set(&toy_game, &config, "limit", "6"));
    assert_options(&config, "{\"length\":\"short\",\"select\":true,\"limit\":6}");
    assert_int_equal(game_config_check(&toy_game, &config), GAME_OK);
}

static void unknown_options_and_values_change_nothing(void **unused)
{
    (void)unused;
    static const char *const wrong[][2] = {
        {"", ""},        {"length", ""}, {"length", "Long"}, {"Length", "long"}, {"select", "1"},
        {"limit", "06"}, {"limit", "7"}, {"limit", "true"},  {"colour", "red"}};
    struct game_config config = game_config_default(&toy_game, 4);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_false(game_config_set(&toy_game, &config, wrong[i][0], wrong[i][1]));
    }
    assert_options(&config, "{\"length\":\"long\",\"select\":false,\"limit\":12}");
}

static void a_config_out_of_range_is_refused(void **unused)
{
    (void)unused;
    struct game_config config = game_config_default(&toy_game, 1);
    assert_int_equal(game_config_check(&toy_game, &config), GAME_BAD_CONFIG);
    config.players = 6;
    assert_int_equal(game_config_check(&toy_game, &config), GAME_BAD_CONFIG);
    config.players = 5;
    config.options[2] = 2;
    assert_int_equal(game_config_check(&toy_game, &config), GAME_BAD_CONFIG);
    config.options[2] = 1;
    config.options[3] = 1; /* the game has no fourth option */
    assert_int_equal(game_config_check(&toy_game, &config), GAME_BAD_CONFIG);
}

static void a_table_with_few_players_gets_seats_for_virtual_players(void **unused)
{
    (void)unused;
    struct game_config config = game_config_default(&toy_game, 2);
    assert_int_equal(game_seats(&toy_game, &config), 3);
    config.players = 4;
    assert_int_equal(game_seats(&toy_game, &config), 4);
}

static void games_are_found_by_their_ids_which_all_differ(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        assert_ptr_equal(game_find(game_at(i)->id), game_at(i));
    }
    assert_null(game_at(game_count()));
    assert_null(game_find(""));
    assert_null(game_find("toy"));
}

/* The columns of the text up to its end or the end of its line, if every character has one column:
 * the number of bytes that begin a character of UTF-8. */
static size_t count_columns_of_line(const char *text)
{
    size_t columns = 0;
    for (; *text != '\0' && *text != '\n'; text++) {
        columns += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return columns;
}

/* The numeric limits of game definitions, as game.h sets them. */
static void game_definitions_keep_their_numeric_limits(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        assert_true(game->state_size <= GAME_STATE_MAX);
        assert_true(game->option_count <= GAME_OPTIONS_MAX);
        assert_true(game->seats_min >= 2 && game->seats_max <= SEATS_MAX);
        assert_true(card_count(game->deck) < 128);
        assert_non_null(game->stat.is_hit);
        for (const char *const *line = game->face->pages[RULES_IN_BRIEF]; *line != NULL; line++) {
            for (const char *at = *line; at != NULL; at = strchr(at, '\n')) {
                at += *at == '\n';
                assert_true(count_columns_of_line(at) < 76);
            }
        }
    }
}

static void bot_policies_are_found_by_name(void **unused)
{
    (void)unused;
    static const char *const names[] = {"random", "easy", "medium", "strong"};
    struct text list = TEXT_OF(64);
    policy_write_names(&list);
    assert_string_equal(list.at, "random, easy, medium, strong");
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        assert_string_equal(policy_name(policy_find(names[i])), names[i]);
    }
    assert_null(policy_find("mediums"));
    assert_null(policy_find(""));
}

TEST_GROUP(game)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_set_and_written_as_in_histories),
        cmocka_unit_test(unknown_options_and_values_change_nothing),
        cmocka_unit_test(a_config_out_of_range_is_refused),
        cmocka_unit_test(a_table_with_few_players_gets_seats_for_virtual_players),
        cmocka_unit_test(games_are_found_by_their_ids_which_all_differ),
        cmocka_unit_test(game_definitions_keep_their_numeric_limits),
        cmocka_unit_test(bot_policies_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
