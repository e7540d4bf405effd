#include "games/macros.h"
#include "tests/daemon/cli/program.h"
#include "tests/unit.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define LIST_BYTES 400
#define DEADLINE_MS 10000

/* a program that makes the first legal move of each view; none of its commas separates players */
#define FIRST_LEGAL "sed -u 's/.*\"legal\":.\"\\([^\"]*\\)\".*/\\1/'"

/* Plays one deal of two short hands with a list of players. */
static struct program_run play(const char *players)
{
    return program_run(ARGS("bench", "bots", "oh-hell", "--players", "3", "--deals", "1",
                            "--rounds", "2", "--move-seconds", "5", "--option", "length=short-up",
                            "--bots", players),
                       NULL);
}

static void the_measured_player_takes_every_seat_of_every_deal(void **state)
{
    (void)state;
    struct program_run run =
        program_run(ARGS("bench", "bots", "oh-hell", "--players", "3", "--deals", "2", "--option",
                         "length=short-up", "--bots", "strong,random"),
                    NULL);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "2 deals with strong in each seat (even: 0.333)"));
    assert_true(program_read_row(run.out, "wins") > 0.5);
    assert_true(program_read_row(run.out, "points a round more") > 1);
    assert_true(program_read_row(run.out, "rank (1 first, 0 last)") > 0.5);
    assert_true(program_read_row(run.out, "ms a choice, median") > 0);
    assert_true(program_read_row(run.out, "play-outs a second") > 100);
    program_clear(&run);
}

static void a_policy_that_does_not_search_shows_no_playouts(void **state)
{
    (void)state;
    struct program_run run = play("random,strong");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "ms a choice"));
    assert_null(strstr(run.out, "play-outs"));
    program_clear(&run);
}

/* Hands of one card give from 0 to 11 points, and in each of them one player takes a trick. */
static void a_game_ends_after_the_given_number_of_rounds(void **state)
{
    (void)state;
    struct program_run run =
        program_run(ARGS("bench", "bots", "oh-hell", "--players", "3", "--deals", "10", "--rounds",
                         "1", "--option", "length=short-up", "--bots", "random"),
                    NULL);
    assert_int_equal(run.status, 0);
    assert_true(program_read_row(run.out, "points a round  ") > 0);
    assert_true(program_read_row(run.out, "points a round  ") < 11);
    program_clear(&run);
}

static void a_program_is_asked_with_the_game_its_options_and_the_view(void **state)
{
    (void)state;
    struct program_run run = play("exec:tee -a /dev/stderr | " FIRST_LEGAL ",random");
    assert_int_equal(run.status, 0);
    assert_ptr_equal(strstr(run.err, "{\"t\":\"think\",\"table\":1,\"seat\":0,"), run.err);
    assert_non_null(strstr(run.err, ",\"game\":\"oh-hell\",\"players\":3,"
                                    "\"options\":{\"length\":\"short-up\",\"scoring\":"));
    assert_non_null(strstr(run.err, ",\"view\":{\"game\":\"oh-hell\","));
    assert_non_null(strstr(run.err, "{\"t\":\"think\",\"table\":2,\"seat\":1,"));
    assert_non_null(strstr(run.err, "{\"t\":\"think\",\"table\":3,\"seat\":2,"));
    assert_null(strstr(run.err, "{\"t\":\"think\",\"table\":1,\"seat\":1,"));
    assert_non_null(strstr(run.out, "1 deals with exec:tee"));
    program_clear(&run);
}

static void programs_can_be_opponents_with_a_process_each(void **state)
{
    (void)state;
    struct program_run run = play("medium,exec:echo $$ started >&2; exec " FIRST_LEGAL);
    assert_int_equal(run.status, 0);
    unsigned first, second;
    assert_int_equal(sscanf(run.err, "%u started\n%u started\n", &first, &second), 2);
    assert_int_not_equal(first, second);
    program_clear(&run);
}

static void a_bad_answer_ends_the_benchmark_with_the_step_and_the_answer(void **state)
{
    (void)state;
    static const struct {
        const char *program;
        const char *words;
    } cases[] = {
        {"exec:read -r line; echo bid:9; cat", "answered \"bid:9\", which is no legal move"},
        {"exec:read -r line; printf 'a\\,b \\033\\n'; cat", "answered \"a,b ?\", which"},
        {"exec:read -r line; echo bid:0; echo bid:0; cat", "answered \"bid:0\", which is no"},
        {"exec:cat", "which is no legal move"}, /* too long */
        {"exec:read -r line; printf bid:", "closed its output without a line, after \"bid:\""},
        {"exec:exit 3", "closed its output without a line, after \"\""},
        {"exec:/nonexistent/bot", "closed its output without a line"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char players[LIST_BYTES];
        snprintf(players, sizeof players, "%s,random", cases[i].program);
        struct program_run run = play(players);
        assert_int_equal(run.status, 1);
        assert_int_equal(run.out_len, 0);
        if (strstr(run.err, "trickhouse bench: game 1, seat 0, step ") == NULL ||
            strstr(run.err, cases[i].words) == NULL) {
            fail_msg("%s: said %s", cases[i].program, run.err);
        }
        program_clear(&run);
    }
}

static void a_program_that_does_not_answer_is_ended_with_its_children(void **state)
{
    (void)state;
    /* The program, its shell and its child inherit the pipe, which closes when all have ended. */
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct program_run run =
        program_run(ARGS("bench", "bots", "oh-hell", "--players", "3", "--move-seconds", "1",
                         "--bots", "exec:tail -f /dev/null; true,random"),
                    NULL);
    close(ends[1]);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, "answered no line within 1 s, only \"\""));
    program_clear(&run);
    struct pollfd closed = {.fd = ends[0]};
    assert_int_equal(poll(&closed, 1, DEADLINE_MS), 1);
    close(ends[0]);
}

static void the_example_plays_every_game_against_the_bots_of_the_house(void **state)
{
    (void)state;
    const char *source = getenv("SOURCE_DIR");
    assert_non_null(source);
    char players[LIST_BYTES];
    snprintf(players, sizeof players, "exec:%s/deploy/examples/bench-bot.py,random", source);
    struct program_run run = play(players);
    assert_int_equal(run.status, 0);
    program_clear(&run);
    run = program_run(
        ARGS("bench", "bots", "heckin-hounds", "--players", "2", "--deals", "1", "--bots", players),
        NULL);
    assert_int_equal(run.status, 0);
    program_clear(&run);
}

static void wrong_arguments_are_answered_with_an_error_of_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *args[7];
        const char *words;
    } cases[] = {
        {{"bench"}, "what to measure is missing"},
        {{"bench", "engine"}, "\"engine\" cannot be measured"},
        {{"bench", "bots"}, "GAME is missing"},
        {{"bench", "bots", "chess"}, "no game \"chess\""},
        {{"bench", "bots", "hund"}, "--players is missing"},
        {{"bench", "bots", "hund", "--players=3", "--bots=clever"}, "no player \"clever\""},
        {{"bench", "bots", "hund", "--players=3", "--bots=random,"}, "no player \"\""},
        {{"bench", "bots", "hund", "--players=2", "--bots=random,random,strong"},
         "more than 2 players"},
        {{"bench", "bots", "hund", "--players=3", "--rounds=0"}, "--rounds must be a number"},
        {{"bench", "bots", "hund", "--players=3", "--move-seconds=0"}, "--move-seconds must be"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        program_expect_usage_error(cases[i].args, cases[i].words);
    }
}

TEST_GROUP(bench_bots)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_measured_player_takes_every_seat_of_every_deal),
        cmocka_unit_test(a_policy_that_does_not_search_shows_no_playouts),
        cmocka_unit_test(a_game_ends_after_the_given_number_of_rounds),
        cmocka_unit_test(a_program_is_asked_with_the_game_its_options_and_the_view),
        cmocka_unit_test(programs_can_be_opponents_with_a_process_each),
        cmocka_unit_test(a_bad_answer_ends_the_benchmark_with_the_step_and_the_answer),
        cmocka_unit_test(a_program_that_does_not_answer_is_ended_with_its_children),
        cmocka_unit_test(the_example_plays_every_game_against_the_bots_of_the_house),
        cmocka_unit_test(wrong_arguments_are_answered_with_an_error_of_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
