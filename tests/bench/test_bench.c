#include "games/game.h"
#include "tests/daemon/cli/program.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void bench_engine_measures_every_game_with_every_number_of_players(void **state)
{
    (void)state;
    struct program_run run = program_run(ARGS("engine", "--seconds", "0.001"), NULL);
    assert_int_equal(run.status, 0);
    const char *line = strchr(run.out, '\n');
    for (uint8_t g = 0; g < game_count(); g++) {
        const struct game_def *game = game_at(g);
        for (unsigned players = game->seats_min; players <= game->seats_max; players++) {
            char id[32];
            unsigned count;
            double speeds[3];
            assert_int_equal(
                sscanf(line, "%31s %u %lf %lf %lf", id, &count, &speeds[0], &speeds[1], &speeds[2]),
                5);
            assert_string_equal(id, game->id);
            assert_int_equal(count, players);
            assert_true(speeds[0] > speeds[2] && speeds[1] > speeds[2] && speeds[2] > 0);
            line = strchr(line + 1, '\n');
        }
    }
    assert_string_equal(line, "\n");
    program_clear(&run);
}

static void measuring_one_game_with_one_number_of_players_prints_one_row(void **state)
{
    (void)state;
    struct program_run run = program_run(
        ARGS("engine", "oh-hell", "--players=4", "--option=length=short-up", "--seconds=.001"),
        NULL);
    assert_int_equal(run.status, 0);
    const char *row = strchr(run.out, '\n') + 1;
    assert_int_equal(strncmp(row, "oh-hell ", 8), 0);
    assert_ptr_equal(strchr(row, '\n'), run.out + run.out_len - 1);
    program_clear(&run);
}

static void policies_are_compared_on_the_same_deals_in_every_seat(void **state)
{
    (void)state;
    struct program_run run =
        program_run(ARGS("bots", "oh-hell", "--players", "3", "--option", "length=short-up",
                         "--deals", "5", "--bots", "medium,random"),
                    NULL);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "5 deals with medium in each seat"));
    assert_true(program_read_row(run.out, "wins") > 0.7);
    assert_true(program_read_row(run.out, "points a round more") > 2);
    program_clear(&run);
    /* among equals nobody wins much more often */
    run = program_run(ARGS("bots", "hund", "--players", "2", "--deals", "20", "--bots", "medium"),
                      NULL);
    assert_int_equal(run.status, 0);
    assert_true(program_read_row(run.out, "wins") > 0.3 && program_read_row(run.out, "wins") < 0.7);
    program_clear(&run);
}

static void fixed_opponents_play_single_hands_of_ten_cards(void **state)
{
    (void)state;
    struct program_run run = program_run(ARGS("bots", "oh-hell", "--players", "4", "--rounds", "1",
                                              "--deals", "4", "--bots", "tree,greedy"),
                                         NULL);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "4 deals with tree in each seat"));
    assert_true(program_read_row(run.out, "wins") > 0.4);
    assert_true(program_read_row(run.out, "points a round  ") > 6);
    program_clear(&run);
    run = program_run(ARGS("bots", "oh-hell", "--players", "4", "--rounds", "1", "--deals", "20",
                           "--bots", "greedy,random"),
                      NULL);
    assert_int_equal(run.status, 0);
    assert_true(program_read_row(run.out, "points a round more") > 0.5);
    program_clear(&run);
}

static void wrong_arguments_are_answered_with_an_error_of_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *args[6];
        const char *words;
    } cases[] = {
        {{NULL}, "what to measure is missing"},
        {{"patience"}, "nothing called \"patience\""},
        {{"engine", "chess"}, "there are: oh-hell"},
        {{"engine", "oh-hell", "oh-hell"}, "more than one GAME"},
        {{"engine", "--seconds", "0"}, "above 0, not \"0\""},
        {{"bots", "hund", "--players", "3", "--bots=clever"}, "no player \"clever\""},
        {{"bots", "hund", "--players", "3", "--bots=greedy"}, "greedy plays only oh-hell"},
        {{"engine", "--seconds", "1e9"}, "above 0, not \"1e9\""},
        {{"engine", "--seconds", ""}, "above 0, not \"\""},
        {{"engine", "oh-hell", "--players", "2"}, "from 3 to 7"},
        {{"engine", "--players", "8"}, "from 1 to 7"},
        {{"engine", "oh-hell", "--option", "x=y"}, "it has: length="},
        {{"engine", "--option", "x=y"}, "--option needs a GAME"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        program_expect_usage_error(cases[i].args, cases[i].words);
    }
}

static void help_names_every_benchmark(void **state)
{
    (void)state;
    static const char *const names[] = {"engine", "storage"};
    struct program_run run = program_run(ARGS("--help"), NULL);
    assert_int_equal(run.status, 0);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        assert_non_null(strstr(run.out, names[i]));
    }
    program_clear(&run);
}

TEST_GROUP(bench)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bench_engine_measures_every_game_with_every_number_of_players),
        cmocka_unit_test(measuring_one_game_with_one_number_of_players_prints_one_row),
        cmocka_unit_test(policies_are_compared_on_the_same_deals_in_every_seat),
        cmocka_unit_test(fixed_opponents_play_single_hands_of_ten_cards),
        cmocka_unit_test(wrong_arguments_are_answered_with_an_error_of_one_line),
        cmocka_unit_test(help_names_every_benchmark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
