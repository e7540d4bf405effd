#include "games/game.h"
#include "tests/daemon/cli/program.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define ARG_BYTES 80

static struct program_run run_verify_on_bytes(const char *bytes, size_t len)
{
    struct program_setup setup = {.input = bytes, .input_len = len};
    return program_run(ARGS("verify", "-"), &setup);
}

/* Runs `trickhouse verify` on a text, and checks its exit status and output. */
static void assert_verify_output(const char *bytes, size_t len, int status, const char *out,
                                 const char *err)
{
    struct program_run run = run_verify_on_bytes(bytes, len);
    if (run.status != status || strstr(run.out, out) == NULL || strstr(run.err, err) == NULL) {
        fail_msg("status %d, said: %s%s", run.status, run.out, run.err);
    }
    assert_true(err[0] != '\0' || run.err_len == 0);
    program_clear(&run);
}

static void write_option_argument(const struct option_def *option, uint8_t value, char *out)
{
    const struct option_value *v = &option->values[value];
    if (option->type == OPTION_WORD) {
        snprintf(out, ARG_BYTES, "--option=%s=%s", option->key, v->word);
    } else if (option->type == OPTION_SWITCH) {
        snprintf(out, ARG_BYTES, "--option=%s=%s", option->key, v->number != 0 ? "true" : "false");
    } else {
        snprintf(out, ARG_BYTES, "--option=%s=%d", option->key, v->number);
    }
}

static void assert_simulated_games_are_correct(const struct game_def *game,
                                               const struct game_config *config)
{
    char words[2 + GAME_OPTIONS_MAX][ARG_BYTES];
    const char *args[8 + GAME_OPTIONS_MAX] = {"simulate", game->id, "--games=3", "--legal"};
    snprintf(words[0], ARG_BYTES, "--players=%u", config->players);
    args[4] = words[0];
    for (uint8_t i = 0; i < game->option_count; i++) {
        write_option_argument(&game->options[i], config->options[i], words[i + 1]);
        args[5 + i] = words[i + 1];
    }
    struct program_run run = program_run(args, NULL);
    assert_int_equal(run.status, 0);
    assert_verify_output(run.out, run.out_len, 0, "3 histories: all correct\n", "");
    program_clear(&run);
}

/* Sets the next combination of the game's options. Returns false after the last. */
static bool set_next_options(const struct game_def *game, struct game_config *config)
{
    for (uint8_t i = 0; i < game->option_count; i++) {
        if (++config->options[i] < game->options[i].value_count) {
            return true;
        }
        config->options[i] = 0;
    }
    return false;
}

static void assert_games_of_all_options_are_correct(const struct game_def *game, uint8_t players)
{
    struct game_config config = game_config_default(game, players);
    uint64_t combination = 0;
    do {
        if (game_config_check(game, &config) == GAME_OK && environment_tries(combination++)) {
            assert_simulated_games_are_correct(game, &config);
        }
    } while (set_next_options(game, &config));
}

static void games_with_every_number_of_players_and_option_are_verified(void **state)
{
    (void)state;
    for (uint8_t g = 0; g < game_count(); g++) {
        const struct game_def *game = game_at(g);
        for (uint8_t players = game->seats_min; players <= game->seats_max; players++) {
            assert_games_of_all_options_are_correct(game, players);
        }
    }
}

/* Returns a new copy of a history that never changes. */
static json_t *make_sample_history(bool has_legal_moves)
{
    struct program_run run = program_run(ARGS("simulate", "oh-hell", "--players=3", "--seed", SEED,
                                              has_legal_moves ? "--legal" : "--games=1"),
                                         NULL);
    assert_int_equal(run.status, 0);
    json_t *history = json_loads(run.out, 0, NULL);
    assert_non_null(history);
    program_clear(&run);
    return history;
}

/* Verifies the history, checks the verdict, and frees the history. */
static void assert_history_verdict(json_t *history, int status, const char *out)
{
    char *text = json_dumps(history, JSON_COMPACT);
    assert_verify_output(text, strlen(text), status, out, "");
    free(text);
    json_decref(history);
}

static void a_void_game_is_verified_and_reported_as_void(void **state)
{
    (void)state;
    json_t *history = make_sample_history(false);
    char *text = json_dumps(history, JSON_COMPACT);
    struct program_run run = run_verify_on_bytes(text, strlen(text));
    assert_int_equal(run.status, 0);
    assert_null(strstr(run.out, "void"));
    program_clear(&run);
    free(text);
    (void)json_object_set_new(history, "void", json_true());
    assert_history_verdict(history, 0, "every event and the result; the game was declared void\n");
}

/* Returns the nth event of a kind, counted from 0, as a borrowed reference. *index becomes the
 * index of the event in the history. */
static json_t *find_event(json_t *history, const char *kind, int n, size_t *index)
{
    json_t *events = json_object_get(history, "events");
    for (*index = 0; *index < json_array_size(events); ++*index) {
        json_t *event = json_array_get(events, *index);
        if (strcmp(json_string_value(json_object_get(event, "e")), kind) == 0 && n-- == 0) {
            return event;
        }
    }
    fail_msg("no such event: %s", kind);
    return NULL;
}

/* Replaces one value in the nth event of a kind. Checks that `verify` then names the event and the
 * key. */
static void assert_changed_event_found(const char *kind, int n, const char *key, json_t *value)
{
    json_t *history = make_sample_history(true);
    size_t index;
    json_t *event = find_event(history, kind, n, &index);
    assert_int_equal(json_object_set_new(event, key, value), 0);
    char place[64];
    snprintf(place, sizeof(place), "differs at events[%zu] (%s).%s", index, kind, key);
    assert_history_verdict(history, 1, place);
}

static void a_changed_value_of_any_event_is_reported_with_event_and_key(void **state)
{
    (void)state;
    assert_changed_event_found("round", 0, "n", json_integer(2));
    assert_changed_event_found("round", 0, "dealer", json_integer(7));
    assert_changed_event_found("round", 1, "size", json_real(9));
    assert_changed_event_found("round", 2, "turnup", json_string("1S"));
    assert_changed_event_found("round", 3, "hands", json_array());
    assert_changed_event_found("move", 4, "move", json_string("play:XX"));
    assert_changed_event_found("move", 4, "move", json_string("bid:03"));
    assert_changed_event_found("move", 9, "legal", json_array());
    assert_changed_event_found("played", 5, "card", json_string("AS "));
    assert_changed_event_found("played", 5, "seat", json_integer(3));
    assert_changed_event_found("trick", 7, "winner", json_integer(-1));
    assert_changed_event_found("score", 3, "total", json_null());
    assert_changed_event_found("score", 18, "round", json_true());
    assert_changed_event_found("end", 0, "ranks", json_object());
}

static void a_changed_card_in_a_hand_is_reported_with_its_position(void **state)
{
    (void)state;
    json_t *history = make_sample_history(false);
    size_t index;
    json_t *hands = json_object_get(find_event(history, "round", 2, &index), "hands");
    json_t *card = json_array_get(json_array_get(hands, 1), 4);
    char was[8];
    snprintf(was, sizeof(was), "%s", json_string_value(card));
    json_array_set_new(json_array_get(hands, 1), 4, json_string("5X"));
    char expected[128];
    snprintf(expected, sizeof(expected),
             "events[%zu] (round).hands[1][4]: expected \"%s\", found \"5X\"\n", index, was);
    assert_history_verdict(history, 1, expected);
}

static void extra_and_missing_keys_of_an_event_are_reported(void **state)
{
    (void)state;
    const char *const kinds[] = {"round", "move", "played", "trick", "score", "end"};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        json_t *history = make_sample_history(false);
        size_t index;
        json_object_set_new(find_event(history, kinds[i], 0, &index), "note", json_null());
        char place[64];
        snprintf(place, sizeof(place), "differs at events[%zu]", index);
        assert_history_verdict(history, 1, place);

        history = make_sample_history(false);
        json_t *event = find_event(history, kinds[i], 0, &index);
        const char *key = json_object_iter_key(json_object_iter(event));
        json_object_del(event, strcmp(key, "e") == 0 ? "seat" : key);
        json_object_del(event, "e");
        assert_history_verdict(history, 1, place);
    }
}

static void a_missing_or_surplus_event_is_reported(void **state)
{
    (void)state;
    const char *const kinds[] = {"round", "move", "played", "trick", "score", "end"};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        json_t *history = make_sample_history(false);
        json_t *events = json_object_get(history, "events");
        size_t index;
        json_t *event = find_event(history, kinds[i], 0, &index);
        json_array_insert(events, index, event);
        assert_history_verdict(history, 1, "differs at events[");

        history = make_sample_history(false);
        (void)find_event(history, kinds[i], 0, &index);
        json_array_remove(json_object_get(history, "events"), index);
        assert_history_verdict(history, 1, "differs at events[");
    }
}

static void seat_changes_are_accepted_only_between_moves(void **state)
{
    (void)state;
    size_t index;
    json_t *history = make_sample_history(true);
    json_t *change =
        json_pack("{s:s,s:i,s:s,s:s}", "e", "seat", "seat", 1, "name", "ada", "bot", "search");
    (void)find_event(history, "move", 10, &index);
    json_array_insert(json_object_get(history, "events"), index, change);
    assert_history_verdict(history, 0, "correct");

    static const char *const before[] = {"round", "end"};
    for (size_t i = 0; i < ARRAY_LEN(before); i++) {
        history = make_sample_history(true);
        (void)find_event(history, before[i], i == 0 ? 1 : 0, &index);
        json_array_insert(json_object_get(history, "events"), index, change);
        json_array_insert(json_object_get(history, "events"), index, change);
        assert_history_verdict(history, 0, "correct");
    }

    static const char *const consequences[] = {"trick", "score"};
    for (size_t i = 0; i < ARRAY_LEN(consequences); i++) {
        history = make_sample_history(true);
        (void)find_event(history, consequences[i], 1, &index);
        json_array_insert(json_object_get(history, "events"), index, change);
        assert_history_verdict(history, 1, "differs at events[");
    }

    history = make_sample_history(true);
    (void)find_event(history, "played", 10, &index);
    json_array_insert(json_object_get(history, "events"), index, change);
    assert_history_verdict(history, 1, "(played).e: expected \"played\", found \"seat\"");

    history = make_sample_history(true);
    json_array_insert(json_object_get(history, "events"), 0, change);
    assert_history_verdict(history, 1, "events[0] (round).e");

    history = make_sample_history(true);
    json_array_append(json_object_get(history, "events"), change);
    assert_history_verdict(history, 1, "(after the end): expected nothing");

    history = make_sample_history(true);
    json_object_set_new(change, "seat", json_integer(3));
    (void)find_event(history, "move", 10, &index);
    json_array_insert_new(json_object_get(history, "events"), index, change);
    assert_history_verdict(history, 1, "expected the number of a player's seat");
}

static void the_order_of_legal_moves_in_a_history_does_not_matter(void **state)
{
    (void)state;
    size_t index;
    json_t *history = make_sample_history(true);
    json_t *legal = json_object_get(find_event(history, "move", 0, &index), "legal");
    json_t *first = json_array_get(legal, 0);
    json_array_append(legal, first);
    json_array_remove(legal, 0);
    assert_history_verdict(history, 0, "correct");

    history = make_sample_history(true);
    legal = json_object_get(find_event(history, "move", 0, &index), "legal");
    json_array_append(legal, json_array_get(legal, 0));
    assert_history_verdict(history, 1, "(move).legal: expected each legal move only once");

    history = make_sample_history(true);
    legal = json_object_get(find_event(history, "move", 0, &index), "legal");
    json_array_remove(legal, 1);
    assert_history_verdict(history, 1, "(move).legal: expected all legal moves: bid:0 bid:1");
}

static void assert_header_value_refused(const char *key, json_t *value, const char *out)
{
    json_t *history = make_sample_history(false);
    if (value == NULL) {
        json_object_del(history, key);
    } else {
        json_object_set_new(history, key, value);
    }
    assert_history_verdict(history, 1, out);
}

static void every_digit_of_the_seed_commitment_is_compared(void **state)
{
    (void)state;
    for (size_t at = 0; at < 64;
         at += 21) { /* try some of the digits, including the first and the last */
        json_t *history = make_sample_history(false);
        char commitment[65];
        snprintf(commitment, sizeof(commitment), "%s",
                 json_string_value(json_object_get(history, "commitment")));
        commitment[at] = commitment[at] == '0' ? '1' : '0';
        json_object_set_new(history, "commitment", json_string(commitment));
        assert_history_verdict(history, 1, "differs at commitment");
    }
}

static void the_verdict_on_a_history_of_another_format_says_which_format_is_read(void **state)
{
    (void)state;
    static const char *const others[] = {"trickhouse-history/1", "trickhouse-history/2",
                                         "trickhouse-history/4"};
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        char wanted[160];
        (void)snprintf(wanted, sizeof(wanted),
                       "format: expected \"trickhouse-history/3\", the only format that this "
                       "program reads, found \"%s\"",
                       others[i]);
        assert_header_value_refused("format", json_string(others[i]), wanted);
    }
}

static void the_header_and_the_result_of_a_history_are_verified(void **state)
{
    (void)state;
    static const char other[] = "0000000000000000000000000000000000000000000000000000000000000000";
    assert_header_value_refused("commitment", json_string(other),
                                "differs at commitment: expected \"5275585edc3d49ee");
    assert_header_value_refused("commitment", json_string("630DCD"),
                                "commitment: expected 64 lower-case");
    assert_header_value_refused("seed", json_string(other), "differs at commitment");
    assert_header_value_refused("seed", json_null(), "unfinished");
    assert_header_value_refused("seed", NULL, "seed: expected");
    assert_header_value_refused("id", json_string("1"), "id: expected an integer");
    assert_header_value_refused("void", json_integer(1), "void: expected true");
    assert_header_value_refused("void", json_string("true"), "void: expected true");
    assert_header_value_refused("void", json_false(), "void: expected true");
    assert_header_value_refused("void", json_null(), "void: expected true");
    assert_header_value_refused("game", json_string("chess"), "game: expected");
    assert_header_value_refused("events", json_object(), "events: expected a list");
    assert_header_value_refused("seats", json_array(), "seats: expected");
    assert_header_value_refused("result", json_null(),
                                "differs at result: expected an object, found null");
    assert_header_value_refused("result", NULL,
                                "differs at result: expected an object, found nothing");
    assert_header_value_refused("options", json_object(), "options.length: expected");
    assert_header_value_refused(
        "options", json_pack("{s:s,s:s,s:i}", "length", "long", "scoring", "positive", "more", 1),
        "options: expected only options that the game has");
    assert_header_value_refused(
        "options", json_pack("{s:s,s:s}", "length", "short-up", "scoring", "positive"), "(round)");

    json_t *history = make_sample_history(false);
    json_t *scores = json_object_get(json_object_get(history, "result"), "scores");
    json_array_set_new(scores, 2, json_integer(1000));
    assert_history_verdict(history, 1, "differs at result.scores[2]: expected");
    history = make_sample_history(false);
    json_object_set_new(history, "note", json_string("keys not named are ignored here"));
    json_object_set_new(json_object_get(history, "result"), "note", json_true());
    assert_history_verdict(history, 0, "correct");
}

static void histories_may_span_lines_and_a_file_may_hold_several(void **state)
{
    (void)state;
    json_t *history = make_sample_history(true);
    char *text = json_dumps(history, JSON_INDENT(2) | JSON_SORT_KEYS);
    assert_verify_output(text, strlen(text), 0, "correct: oh-hell, 3 players, 384 moves, ", "");
    json_object_set_new(history, "commitment", json_string("00"));
    char *bad = json_dumps(history, JSON_INDENT(0));
    char *both = NULL;
    int len = asprintf(&both, "\n%s\r\n\t%s %s{}", text, bad, text);
    assert_true(len > 0);
    assert_verify_output(both, (size_t)len, 1, "history 2 (line ", "");
    assert_verify_output(both, (size_t)len, 1, "history 4 (line ", "");
    assert_verify_output(both, (size_t)len, 1, "4 histories: 2 correct, 2 wrong\n", "");
    free(both);
    free(bad);
    free(text);
    json_decref(history);
}

/* Verifies a correct history that begins with these keys too. */
static void assert_first_keys_ignored(const char *keys, int status, const char *out)
{
    json_t *history = make_sample_history(false);
    char *text = json_dumps(history, JSON_COMPACT);
    size_t size = strlen(keys) + strlen(text) + 1;
    char *longer = malloc(size);
    assert_non_null(longer);
    (void)snprintf(longer, size, "{%s%s", keys, text + 1);
    assert_verify_output(longer, strlen(longer), status, out, "");
    free(longer);
    free(text);
    json_decref(history);
}

static void numbers_of_unknown_keys_may_have_any_size(void **state)
{
    (void)state;
    static const char *const numbers[] = {"18446744073709551616",
                                          "-9223372036854775809",
                                          "1e999",
                                          "-1E+400",
                                          "0.1e-999",
                                          "-0",
                                          "[1e999,{\"a\\\"\":123456789012345678901234567890}]"};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        char keys[128];
        (void)snprintf(keys, sizeof(keys), "\"x\":%s,\"y\":\"\\\" 99999999999999999999\",",
                       numbers[i]);
        assert_first_keys_ignored(keys, 0, "correct");
    }
    assert_first_keys_ignored("\"x\":1e999,\"void\":18446744073709551616,", 1, "void: expected");
    assert_first_keys_ignored("\"x\":99999999999999999999x,", 1, "not JSON");
}

static void an_invalid_history_is_refused_in_one_line(void **state)
{
    (void)state;
    assert_verify_output("", 0, 1, "", "the file contains no history");
    assert_verify_output(" \n\n", 3, 1, "", "the file contains no history");
    assert_verify_output("\x7f"
                         "ELF\0\1",
                         6, 1, "", "line 1: a history begins with");
    assert_verify_output("{}\n{}\nx", 7, 1, "history 2 (line 2)", "line 3: a history begins with");
    assert_verify_output("{\"a\":[\"}", 8, 1, "", "has no end");
    assert_verify_output("{\0}", 3, 1, "not JSON", "");
    assert_verify_output("{\"\xff\":1}", 7, 1, "not JSON", "");
    assert_verify_output("{\"a\":1,\"a\":1}", 13, 1, "not JSON", "");
    assert_verify_output("{]", 2, 1, "not JSON", "");

    struct program_run run = program_run(ARGS("verify", "/nowhere/at/all"), NULL);
    assert_int_equal(run.status, 1);
    assert_string_equal(run.err, "trickhouse verify: /nowhere/at/all: No such file or directory\n");
    program_clear(&run);
    run = program_run(ARGS("verify", "/tmp"), NULL);
    assert_int_equal(run.status, 1);
    assert_string_equal(run.err, "trickhouse verify: /tmp: Is a directory\n");
    program_clear(&run);
    run = program_run(ARGS("verify"), NULL);
    assert_int_equal(run.status, 2);
    program_clear(&run);
    run = program_run(ARGS("verify", "a", "b"), NULL);
    assert_int_equal(run.status, 2);
    program_clear(&run);
}

static void reading_an_object_that_never_ends_stops(void **state)
{
    (void)state;
    size_t len = (size_t)100 << 20;
    char *bytes = malloc(len);
    assert_non_null(bytes);
    memset(bytes, '[', len);
    bytes[0] = '{';
    assert_verify_output(bytes, len, 1, "", "longer than 16 MiB");
    free(bytes);
}

static void a_history_is_read_from_a_path(void **state)
{
    (void)state;
    json_t *history = make_sample_history(false);
    char *text = json_dumps(history, JSON_COMPACT);
    char *path = program_make_file(text, strlen(text));
    struct program_run run = program_run(ARGS("verify", "--", path), NULL);
    unlink(path);
    assert_int_equal(run.status, 0);
    assert_ptr_equal(strchr(run.out, '\n'), run.out + run.out_len - 1);
    program_clear(&run);
    free(path);
    free(text);
    json_decref(history);
}

TEST_GROUP(verify)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_with_every_number_of_players_and_option_are_verified),
        cmocka_unit_test(a_void_game_is_verified_and_reported_as_void),
        cmocka_unit_test(a_changed_value_of_any_event_is_reported_with_event_and_key),
        cmocka_unit_test(a_changed_card_in_a_hand_is_reported_with_its_position),
        cmocka_unit_test(extra_and_missing_keys_of_an_event_are_reported),
        cmocka_unit_test(a_missing_or_surplus_event_is_reported),
        cmocka_unit_test(seat_changes_are_accepted_only_between_moves),
        cmocka_unit_test(the_order_of_legal_moves_in_a_history_does_not_matter),
        cmocka_unit_test(every_digit_of_the_seed_commitment_is_compared),
        cmocka_unit_test(the_verdict_on_a_history_of_another_format_says_which_format_is_read),
        cmocka_unit_test(the_header_and_the_result_of_a_history_are_verified),
        cmocka_unit_test(histories_may_span_lines_and_a_file_may_hold_several),
        cmocka_unit_test(numbers_of_unknown_keys_may_have_any_size),
        cmocka_unit_test(an_invalid_history_is_refused_in_one_line),
        cmocka_unit_test(reading_an_object_that_never_ends_stops),
        cmocka_unit_test(a_history_is_read_from_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
