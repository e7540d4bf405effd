#include "games/history.h"
#include "tests/unit.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOVES_KEPT 4096
#define TEXT_BYTES (1 << 20)

/* A game played by random bots, and a buffer for its history. */
struct fixture {
    struct history_source source;
    struct history_seat seats[SEATS_MAX];
    struct history_move moves[MOVES_KEPT];
    size_t pieces;
    char bytes[TEXT_BYTES];
    struct text text;
};

static void append_piece_of_history(void *context, const char *bytes, size_t len)
{
    struct fixture *fixture = context;
    assert_true(len > 0);
    fixture->pieces++;
    text_put_bytes(&fixture->text, bytes, len);
}

static enum history_result write_history(struct fixture *fixture)
{
    fixture->pieces = 0;
    fixture->text = text_init(fixture->bytes, sizeof(fixture->bytes));
    enum history_result result = history_write(&fixture->source, append_piece_of_history, fixture);
    assert_false(fixture->text.is_cut);
    return result;
}

/* Plays the game to the end with the seed 00 01 … 1f. The caller frees the fixture. */
static struct fixture *play_game(const struct game_def *game, const struct game_config *config)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    assert_non_null(fixture);
    struct history_source *source = &fixture->source;
    source->id = 812;
    source->game = game;
    source->config = *config;
    for (uint8_t i = 0; i < SEED_BYTES; i++) {
        source->seed[i] = i;
    }
    crypto_hash_sha256(source->commitment, source->seed, SEED_BYTES);
    for (uint8_t s = 0; s < config->players; s++) {
        fixture->seats[s] = (struct history_seat){.name = "mira \"the\" fox"};
    }
    fixture->seats[1] = (struct history_seat){.name = "ada", .bot = "random"};
    source->seats = fixture->seats;
    source->moves = fixture->moves;

    struct quick_random random;
    struct game_state state;
    quick_random_init(&random, 1);
    assert_int_equal(game_start(game, config, source->seed, &state, NULL), GAME_OK);
    for (uint8_t turn; (turn = game_seats_to_act(&state)) != 0; source->move_count++) {
        assert_true(source->move_count < MOVES_KEPT);
        struct history_move *move = &fixture->moves[source->move_count];
        struct game_view view;
        while ((turn >> move->seat & 1) == 0) {
            move->seat++;
        }
        game_fill_view(game, &state, (int8_t)move->seat, &view);
        move->move = policy_random_move(&view, config, &random);
        assert_int_equal(game_apply(game, &state, move->seat, move->move, NULL), GAME_OK);
    }
    return fixture;
}

static struct fixture *play_oh_hell(void)
{
    const struct game_def *game = game_find("oh-hell");
    assert_non_null(game);
    struct game_config config = game_config_default(game, 3);
    return play_game(game, &config);
}

static void assert_history_contains(const struct fixture *fixture, const char *words)
{
    if (strstr(fixture->bytes, words) == NULL) {
        fail_msg("missing: %s", words);
    }
}

static size_t count_occurrences(const struct fixture *fixture, const char *words)
{
    size_t count = 0;
    for (const char *at = fixture->bytes; (at = strstr(at, words)) != NULL; at++) {
        count++;
    }
    return count;
}

static bool text_starts_with(const char *text, const char *words)
{
    return strncmp(text, words, strlen(words)) == 0;
}

static bool history_ends_with(const struct fixture *fixture, const char *words)
{
    size_t len = strlen(words);
    return fixture->text.len >= len && strcmp(fixture->bytes + fixture->text.len - len, words) == 0;
}

static void the_history_of_a_finished_game_has_a_header_then_events_then_the_result(void **state)
{
    (void)state;
    struct fixture *fixture = play_oh_hell();
    assert_int_equal(write_history(fixture), HISTORY_OK);
    assert_true(text_starts_with(
        fixture->bytes,
        "{\"format\":\"trickhouse-history/3\",\"id\":812,\"game\":\"oh-hell\","
        "\"options\":{\"length\":\"long\",\"scoring\":\"positive\"},"
        "\"seats\":[{\"name\":\"mira \\\"the\\\" fox\"},{\"name\":\"ada\",\"bot\":\"random\"},"
        "{\"name\":\"mira \\\"the\\\" fox\"}],"
        "\"seed\":\"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\","
        "\"commitment\":\"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd\","
        "\"events\":[{\"e\":\"round\",\"n\":1,\"hands\":[["));
    assert_history_contains(fixture, "]},{\"e\":\"end\",\"ranks\":[");
    assert_history_contains(fixture, "]}],\"result\":{\"scores\":[");
    assert_true(history_ends_with(fixture, "]}}"));
    assert_int_equal(count_occurrences(fixture, "{\"e\":\"move\","), fixture->source.move_count);
    assert_int_equal(count_occurrences(fixture, "{\"e\":\"round\","), 19);
    assert_int_equal(count_occurrences(fixture, "\"legal\""), 0);
    assert_int_equal(count_occurrences(fixture, "}{") + count_occurrences(fixture, ",,"), 0);
    assert_true(fixture->pieces > 1);
    free(fixture);
}

static void the_deal_of_a_seed_is_always_the_same(void **state)
{
    (void)state;
    struct fixture *fixture = play_oh_hell();
    assert_int_equal(write_history(fixture), HISTORY_OK);
    assert_history_contains(
        fixture, "[{\"e\":\"round\",\"n\":1,\"hands\":[[\"QH\",\"5D\",\"AC\",\"KC\",\"6C\","
                 "\"4D\",\"3D\",\"KD\",\"TD\",\"7D\"],"
                 "[\"5H\",\"QS\",\"9H\",\"TC\",\"AD\",\"9S\",\"8S\",\"2C\",\"5S\",\"4H\"],"
                 "[\"KH\",\"TH\",\"2D\",\"8C\",\"JD\",\"2S\",\"9C\",\"JS\",\"7H\",\"6S\"]],"
                 "\"dealer\":1,\"size\":10,\"turnup\":\"7S\"},");
    free(fixture);
}

static void on_request_a_history_lists_the_legal_moves_with_every_move(void **state)
{
    (void)state;
    struct fixture *fixture = play_oh_hell();
    fixture->source.with_legal = true;
    assert_int_equal(write_history(fixture), HISTORY_OK);
    assert_int_equal(count_occurrences(fixture, ",\"legal\":[\""), fixture->source.move_count);
    assert_history_contains(
        fixture, "\"legal\":[\"bid:0\",\"bid:1\",\"bid:2\",\"bid:3\",\"bid:4\",\"bid:5\","
                 "\"bid:6\",\"bid:7\",\"bid:8\",\"bid:9\",\"bid:10\"]}");
    free(fixture);
}

static void the_history_of_an_unfinished_game_has_no_seed(void **state)
{
    (void)state;
    struct fixture *fixture = play_oh_hell();
    fixture->source.move_count--;
    assert_int_equal(write_history(fixture), HISTORY_OK);
    assert_history_contains(fixture, "\"seed\":null,\"commitment\":\"630dcd29");
    assert_true(history_ends_with(fixture, "],\"result\":null}"));
    assert_int_equal(count_occurrences(fixture, "\"e\":\"end\""), 0);
    assert_int_equal(count_occurrences(fixture, "000102030405"), 0);
    free(fixture);
}

static void a_change_of_the_player_in_a_seat_is_written_right_before_the_next_move(void **state)
{
    (void)state;
    struct fixture *fixture = play_oh_hell();
    uint32_t moves = fixture->source.move_count;
    const struct history_change changes[] = {
        {.step = 0, .seat = 2, .who = {.name = "eve"}},
        {.step = 5, .seat = 0, .who = {.name = "bob"}},
        {.step = 5, .seat = 0, .who = {.name = "ada", .bot = "medium"}},
        {.step = moves, .seat = 1, .who = {.name = "late"}},
    };
    fixture->source.changes = changes;
    fixture->source.change_count = 4;
    assert_int_equal(write_history(fixture), HISTORY_OK);
    const char *first = strstr(fixture->bytes, "{\"e\":\"seat\",\"seat\":2,\"name\":\"eve\"}");
    assert_ptr_equal(strstr(fixture->bytes, "\"e\":\"move\"") - strlen(",{"),
                     first + strlen("{\"e\":\"seat\",\"seat\":2,\"name\":\"eve\"}"));
    assert_history_contains(
        fixture, "},{\"e\":\"seat\",\"seat\":0,\"name\":\"bob\"},{\"e\":\"seat\",\"seat\":0,"
                 "\"name\":\"ada\",\"bot\":\"medium\"},{\"e\":\"move\",");
    assert_int_equal(count_occurrences(fixture, "late"), 0);

    fixture->source.changes = &changes[3];
    fixture->source.change_count = 1;
    fixture->source.move_count--;
    assert_int_equal(write_history(fixture), HISTORY_OK);
    assert_int_equal(count_occurrences(fixture, "late"), 0);
    fixture->source.changes =
        &(struct history_change){.step = moves - 1, .seat = 1, .who = {.name = "late"}};
    assert_int_equal(write_history(fixture), HISTORY_OK);
    assert_true(history_ends_with(
        fixture, ",{\"e\":\"seat\",\"seat\":1,\"name\":\"late\"}],\"result\":null}"));
    free(fixture);
}

static void no_history_is_written_from_a_corrupt_record(void **state)
{
    (void)state;
    struct fixture *fixture = play_oh_hell();
    fixture->moves[fixture->source.move_count - 1].seat ^= 1;
    assert_int_equal(write_history(fixture), HISTORY_BAD_MOVE);
    assert_int_equal(fixture->pieces, 0);
    fixture->source.config.players = 99;
    assert_int_equal(write_history(fixture), HISTORY_BAD_CONFIG);
    assert_int_equal(fixture->pieces, 0);
    free(fixture);
}

static void a_record_with_a_move_after_the_end_is_corrupt(void **state)
{
    (void)state;
    struct fixture *fixture = play_oh_hell();
    fixture->moves[fixture->source.move_count] = fixture->moves[0];
    fixture->source.move_count++;
    assert_int_equal(write_history(fixture), HISTORY_BAD_MOVE);
    free(fixture);
}

/* Checks that brackets are balanced and strings are closed, because this test has no JSON
 * parser. */
static void assert_brackets_are_balanced(const char *text)
{
    char open[32];
    size_t depth = 0;
    bool is_in_string = false;
    for (; *text != '\0'; text++) {
        if (is_in_string) {
            text += *text == '\\' ? 1 : 0;
            is_in_string = *text != '"';
        } else if (*text == '"') {
            is_in_string = true;
        } else if (*text == '{' || *text == '[') {
            assert_true(depth < sizeof(open));
            open[depth++] = *text;
        } else if (*text == '}' || *text == ']') {
            assert_true(depth > 0);
            assert_int_equal(open[--depth], *text == '}' ? '{' : '[');
        }
    }
    assert_int_equal(depth, 0);
    assert_false(is_in_string);
}

static void a_history_can_be_written_for_every_game_and_number_of_players(void **state)
{
    (void)state;
    for (uint8_t g = 0; g < game_count(); g++) {
        const struct game_def *game = game_at(g);
        for (uint8_t players = game->seats_min; players <= game->seats_max; players++) {
            struct game_config config = game_config_default(game, players);
            struct fixture *fixture = play_game(game, &config);
            fixture->source.with_legal = true;
            assert_int_equal(write_history(fixture), HISTORY_OK);
            assert_brackets_are_balanced(fixture->bytes);
            assert_int_equal(count_occurrences(fixture, "\"virtual\":true"),
                             game_seats(game, &config) - players);
            assert_int_equal(count_occurrences(fixture, "{\"e\":\"end\","), 1);
            free(fixture);
        }
    }
}

TEST_GROUP(history)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_history_of_a_finished_game_has_a_header_then_events_then_the_result),
        cmocka_unit_test(the_deal_of_a_seed_is_always_the_same),
        cmocka_unit_test(on_request_a_history_lists_the_legal_moves_with_every_move),
        cmocka_unit_test(the_history_of_an_unfinished_game_has_no_seed),
        cmocka_unit_test(a_change_of_the_player_in_a_seat_is_written_right_before_the_next_move),
        cmocka_unit_test(no_history_is_written_from_a_corrupt_record),
        cmocka_unit_test(a_record_with_a_move_after_the_end_is_corrupt),
        cmocka_unit_test(a_history_can_be_written_for_every_game_and_number_of_players),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
