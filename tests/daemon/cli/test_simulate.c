#include "tests/daemon/cli/program.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED "000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F"
#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void each_game_is_dealt_from_the_hash_of_the_seed_and_the_games_number(void **state)
{
    (void)state;
    struct program_run run = program_run(
        ARGS("simulate", "oh-hell", "--players", "4", "--games", "3", "--seed", SEED), NULL);
    assert_int_equal(run.status, 0);
    const char *line = run.out;
    for (uint8_t i = 0; i < 3; i++) {
        uint8_t bytes[36] = {0};
        for (uint8_t b = 0; b < 32; b++) {
            bytes[b] = b;
        }
        bytes[32] = i;
        uint8_t hash[32];
        char seed[65];
        crypto_hash_sha256(hash, bytes, sizeof(bytes));
        sodium_bin2hex(seed, sizeof(seed), hash, sizeof(hash));

        json_t *history = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
        assert_int_equal(json_integer_value(json_object_get(history, "id")), i + 1);
        assert_string_equal(json_string_value(json_object_get(history, "seed")), seed);
        json_decref(history);
        line = strchr(line, '\n') + 1;
    }
    assert_ptr_equal(line, run.out + run.out_len);
    program_clear(&run);
}

static void the_same_command_prints_the_same_bytes(void **state)
{
    (void)state;
    const char *const *args =
        ARGS("simulate", "oh-hell", "--players=5", "--games=4", "--option", "length=short-up",
             "--seed", SEED, "--bots", "strong,medium,easy,random", "--legal");
    struct program_run one = program_run(args, NULL);
    struct program_run two = program_run(args, NULL);
    assert_int_equal(one.status, 0);
    assert_int_equal(one.out_len, two.out_len);
    assert_memory_equal(one.out, two.out, one.out_len);
    program_clear(&one);
    program_clear(&two);
}

/* Returns all `round` events, which contain the hands dealt, of the only history in `run`, as JSON
 * that the caller frees, and checks who played on seat 2. */
static char *print_deals(const struct program_run *run, const char *bot_on_seat_2)
{
    json_t *history = json_loads(run->out, 0, NULL);
    const json_t *seat = json_array_get(json_object_get(history, "seats"), 2);
    assert_string_equal(json_string_value(json_object_get(seat, "bot")), bot_on_seat_2);
    size_t i;
    json_t *event;
    json_t *deals = json_array();
    json_array_foreach(json_object_get(history, "events"), i, event)
    {
        if (strcmp(json_string_value(json_object_get(event, "e")), "round") == 0) {
            json_array_append(deals, event);
        }
    }
    assert_true(json_array_size(deals) > 1); /* one for each round */
    char *text = json_dumps(deals, JSON_SORT_KEYS);
    json_decref(deals);
    json_decref(history);
    return text;
}

static void the_same_seed_deals_the_same_cards_to_bots_of_any_policy(void **state)
{
    (void)state;
    static const struct {
        const char *bots, *on_seat_2;
    } cases[] = {{"random", "random"},
                 {"easy", "easy"},
                 {"medium", "medium"},
                 {"strong,random,medium", "medium"}};
    char *first = NULL;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct program_run run = program_run(
            ARGS("simulate", "oh-hell", "--players", "4", "--seed", SEED, "--bots", cases[i].bots),
            NULL);
        assert_int_equal(run.status, 0);
        char *deals = print_deals(&run, cases[i].on_seat_2);
        if (first == NULL) {
            first = deals;
        } else {
            assert_string_equal(deals, first);
            free(deals);
        }
        program_clear(&run);
    }
    free(first);
}

static void the_help_lists_the_policies(void **state)
{
    (void)state;
    struct program_run run = program_run(ARGS("help", "simulate"), NULL);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "Policies: random, easy, medium, strong."));
    program_clear(&run);
}

static void games_simulated_without_a_seed_differ(void **state)
{
    (void)state;
    const char *const *args = ARGS("simulate", "oh-hell", "--players", "3", "--games", "2");
    struct program_run run = program_run(args, NULL);
    const char *one = strstr(run.out, "\"seed\":\"");
    const char *two = strstr(one + 1, "\"seed\":\"");
    assert_memory_not_equal(one, two, 72);
    program_clear(&run);
}

static void the_history_records_the_given_options(void **state)
{
    (void)state;
    struct program_run run = program_run(ARGS("simulate", "oh-hell", "--players", "3", "--option",
                                              "length=short-up", "--option=scoring=neutral"),
                                         NULL);
    assert_int_equal(run.status, 0);
    json_t *history = json_loads(run.out, 0, NULL);
    json_t *options = json_object_get(history, "options");
    assert_string_equal(json_string_value(json_object_get(options, "length")), "short-up");
    assert_string_equal(json_string_value(json_object_get(options, "scoring")), "neutral");
    const json_t *seat = json_array_get(json_object_get(history, "seats"), 2);
    assert_string_equal(json_string_value(json_object_get(seat, "name")), "random-3");
    assert_string_equal(json_string_value(json_object_get(seat, "bot")), "random");
    json_decref(history);
    program_clear(&run);
}

static void wrong_arguments_are_refused_in_one_line_that_says_what_is_right(void **state)
{
    (void)state;
    program_expect_usage_error(ARGS("simulate"), "GAME is missing");
    program_expect_usage_error(ARGS("simulate", "chess", "--players", "3"), "oh-hell");
    program_expect_usage_error(ARGS("simulate", "oh-hell"), "3 to 7");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players", "8"), "from 3 to 7");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players", "3x"), "\"3x\"");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players", ""), "\"\"");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players", "-3"), "\"-3\"");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players", "99999999999999999999"),
                               "3 to 7");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players"), "--players needs a value");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--play", "3"), "no option \"--play\"");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "-p", "3"), "no option \"-p\"");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "hund", "--players", "3"),
                               "more than one GAME");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players", "3", "--games", "0"),
                               "--games");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players", "3", "--legal=yes"),
                               "no value");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players", "3", "--bots", "search"),
                               "random, easy, medium, strong");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players", "3", "--seed", "00"),
                               "64 hex");
    program_expect_usage_error(
        ARGS("simulate", "oh-hell", "--players", "3", "--seed",
             "g00102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
        "64 hex");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players", "3", "--option", "length"),
                               "length=long|long-inverted|short-up-down|short-up|short-down");
    program_expect_usage_error(
        ARGS("simulate", "oh-hell", "--players", "3", "--option", "scoring=best"),
        "scoring=positive|neutral|negative");
    program_expect_usage_error(ARGS("simulate", "oh-hell", "--players", "3", "--option", "=long"),
                               "length=");
}

static void output_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    struct program_setup setup = {.out_fd = open("/dev/full", O_WRONLY | O_CLOEXEC)};
    assert_true(setup.out_fd > 0);
    const char *const *args = ARGS("simulate", "oh-hell", "--players", "3", "--games", "50");
    struct program_run run = program_run(args, &setup);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, "No space left on device"));
    program_clear(&run);
    close(setup.out_fd);

    int pipe_ends[2];
    assert_int_equal(pipe2(pipe_ends, O_CLOEXEC), 0);
    close(pipe_ends[0]);
    setup.out_fd = pipe_ends[1];
    run = program_run(args, &setup);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, "Broken pipe"));
    program_clear(&run);
    close(pipe_ends[1]);
}

TEST_GROUP(simulate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_game_is_dealt_from_the_hash_of_the_seed_and_the_games_number),
        cmocka_unit_test(the_same_command_prints_the_same_bytes),
        cmocka_unit_test(the_same_seed_deals_the_same_cards_to_bots_of_any_policy),
        cmocka_unit_test(the_help_lists_the_policies),
        cmocka_unit_test(games_simulated_without_a_seed_differ),
        cmocka_unit_test(the_history_records_the_given_options),
        cmocka_unit_test(wrong_arguments_are_refused_in_one_line_that_says_what_is_right),
        cmocka_unit_test(output_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
