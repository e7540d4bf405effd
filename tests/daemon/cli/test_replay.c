#include "daemon/cli/cli.h"
#include "tests/daemon/cli/program.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Simulates games of medium bots and writes their histories to a new file. The caller unlinks the
 * file and frees its path. */
static char *simulate_games_to_file(const char *players, const char *games)
{
    struct program_run run = program_run(ARGS("simulate", "oh-hell", "--players", players,
                                              "--games", games, "--seed", SEED, "--bots=medium"),
                                         NULL);
    assert_int_equal(run.status, 0);
    char *path = program_make_file(run.out, run.out_len);
    program_clear(&run);
    return path;
}

static void delete_file_and_free_path(char *path)
{
    unlink(path);
    free(path);
}

/* Takes the next line from *lines, and checks that it is the view of this seat. */
static void assert_next_line_is_view(const char **lines, const struct history_record *record,
                                     const struct game_state *state, int8_t seat)
{
    char buffer[VIEW_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    struct game_view view;
    game_fill_view(record->game, state, seat, &view);
    view_write(&view, &text);
    assert_memory_equal(*lines, text.at, text.len);
    assert_int_equal((*lines)[text.len], '\n');
    *lines += text.len + 1;
}

static void assert_views_equal_views_of_engine(const char *lines, const char *history, int8_t seat)
{
    char buffer[512];
    struct text why = text_init(buffer, sizeof(buffer));
    struct history_record record;
    assert_true(history_read(history, strlen(history), &record, &why));
    struct game_state state;
    assert_int_equal(game_start(record.game, &record.config, record.seed, &state, NULL), GAME_OK);
    assert_next_line_is_view(&lines, &record, &state, seat);
    for (size_t i = 0; i < json_array_size(record.events); i++) {
        const json_t *text_of_move = json_object_get(json_array_get(record.events, i), "move");
        if (text_of_move != NULL) {
            const json_t *mover = json_object_get(json_array_get(record.events, i), "seat");
            uint8_t move = game_move_parse(record.game, json_string_value(text_of_move));
            assert_int_equal(
                game_apply(record.game, &state, (uint8_t)json_integer_value(mover), move, NULL),
                GAME_OK);
            assert_next_line_is_view(&lines, &record, &state, seat);
        }
    }
    assert_string_equal(lines, "");
    assert_int_equal(game_seats_to_act(&state), 0);
    json_decref(record.root);
}

static void every_step_that_replay_prints_equals_the_view_of_the_engine(void **state)
{
    (void)state;
    struct program_run game =
        program_run(ARGS("simulate", "oh-hell", "--players", "4", "--seed", SEED, "--legal"), NULL);
    struct program_setup setup = {.input = game.out, .input_len = game.out_len};
    for (int8_t seat = 0; seat < 4; seat++) {
        char number[8];
        snprintf(number, sizeof(number), "%d", seat);
        struct program_run run = program_run(ARGS("replay", "-", "--seat", number), &setup);
        assert_int_equal(run.status, 0);
        assert_views_equal_views_of_engine(run.out, game.out, seat);
        program_clear(&run);
    }
    struct program_run run = program_run(ARGS("replay", "-", "--spectator"), &setup);
    assert_int_equal(run.status, 0);
    assert_views_equal_views_of_engine(run.out, game.out, SPECTATOR);
    program_clear(&run);
    run = program_run(ARGS("replay", "-"), &setup);
    assert_views_equal_views_of_engine(run.out, game.out, SPECTATOR);
    program_clear(&run);
    program_clear(&game);
}

static void a_single_step_is_printed_as_one_line(void **state)
{
    (void)state;
    char *path = simulate_games_to_file("3", "1");
    struct program_run run = program_run(ARGS("replay", path, "--seat=2", "--step=17"), NULL);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "\"seat\":2,\"step\":17,"));
    assert_ptr_equal(strchr(run.out, '\n'), run.out + run.out_len - 1);
    program_clear(&run);

    run = program_run(ARGS("replay", path, "--step", "384"), NULL);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "\"phase\":\"over\""));
    program_clear(&run);

    run = program_run(ARGS("replay", path, "--step", "385"), NULL);
    assert_int_equal(run.status, 1);
    assert_int_equal(run.out_len, 0);
    assert_non_null(strstr(run.err, "there is no such step; the last one is 384\n"));
    program_clear(&run);
    delete_file_and_free_path(path);
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n' ? 1U : 0U;
    }
    return lines;
}

static void all_histories_are_printed_or_one_chosen_by_number(void **state)
{
    (void)state;
    char *path = simulate_games_to_file("3", "3");
    struct program_run all = program_run(ARGS("replay", path, "--step", "0"), NULL);
    assert_int_equal(all.status, 0);
    assert_int_equal(count_lines(all.out), 3);
    struct program_run third =
        program_run(ARGS("replay", path, "--step", "0", "--game", "3"), NULL);
    assert_int_equal(third.status, 0);
    assert_string_equal(third.out, all.out + all.out_len - third.out_len);
    program_clear(&third);
    program_clear(&all);

    struct program_run run = program_run(ARGS("replay", path, "--game", "4"), NULL);
    assert_int_equal(run.status, 1);
    assert_int_equal(run.out_len, 0);
    assert_non_null(strstr(run.err, "there is no history 4; the last one is 3"));
    program_clear(&run);
    delete_file_and_free_path(path);
}

static void assert_replay_refused(json_t *history, const char *words)
{
    char *text = json_dumps(history, JSON_COMPACT);
    struct program_setup setup = {.input = text, .input_len = strlen(text)};
    struct program_run run = program_run(ARGS("replay", "-"), &setup);
    assert_int_equal(run.status, 1);
    if (strstr(run.err, words) == NULL) {
        fail_msg("said: %s", run.err);
    }
    program_clear(&run);
    free(text);
    json_decref(history);
}

static json_t *make_sample_history(void)
{
    struct program_run run =
        program_run(ARGS("simulate", "oh-hell", "--players=3", "--seed", SEED), NULL);
    json_t *history = json_loads(run.out, 0, NULL);
    assert_non_null(history);
    program_clear(&run);
    return history;
}

static void a_history_that_cannot_be_replayed_is_reported_with_the_reason(void **state)
{
    (void)state;
    json_t *history = make_sample_history();
    json_object_set_new(history, "seed", json_null());
    assert_replay_refused(history, "history 1 (line 1): the game is unfinished");

    history = make_sample_history();
    json_t *move = json_array_get(json_object_get(history, "events"), 1);
    json_object_set_new(move, "move", json_string("play:AS"));
    assert_replay_refused(history, "events[1]: this move is not allowed: \"play:AS\"");

    history = make_sample_history();
    move = json_array_get(json_object_get(history, "events"), 1);
    json_object_set_new(move, "seat", json_integer(99));
    assert_replay_refused(history, "events[1] (move): expected the number of a player's seat");

    history = make_sample_history();
    json_object_set_new(history, "format", json_string("trickhouse-history/2"));
    assert_replay_refused(history,
                          "format: expected \"trickhouse-history/3\", the only format that "
                          "this program reads, found \"trickhouse-history/2\"");
}

static void wrong_arguments_are_refused_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *args[6];
        const char *words;
    } cases[] = {
        {{"replay"}, "FILE is missing"},
        {{"replay", "a", "b"}, "more than one FILE"},
        {{"replay", "a", "--seat", "7"}, "--seat must be a number from 0 to 6"},
        {{"replay", "a", "--seat"}, "--seat needs a value"},
        {{"replay", "a", "--seat=1", "--spectator"}, "exclude each other"},
        {{"replay", "a", "--step", "two"}, "--step"},
        {{"replay", "a", "--game", "0"}, "--game"},
        {{"replay", "a", "--all"}, "no option \"--all\""},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        program_expect_usage_error(cases[i].args, cases[i].words);
    }
    char *path = simulate_games_to_file("3", "1");
    struct program_run run = program_run(ARGS("replay", path, "--seat", "3"), NULL);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, "there is no such seat; the last one is 2"));
    program_clear(&run);
    delete_file_and_free_path(path);
}

TEST_GROUP(replay)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_that_replay_prints_equals_the_view_of_the_engine),
        cmocka_unit_test(a_single_step_is_printed_as_one_line),
        cmocka_unit_test(all_histories_are_printed_or_one_chosen_by_number),
        cmocka_unit_test(a_history_that_cannot_be_replayed_is_reported_with_the_reason),
        cmocka_unit_test(wrong_arguments_are_refused_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
