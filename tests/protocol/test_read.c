#include "games/game.h"
#include "lobby/protocol/protocol.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* Plays a random game of each kind for each number of players; calls `check_state` before each
 * move. */
static void check_every_step_of_random_games(void (*check_state)(const struct game_def *game,
                                                                 const struct game_state *state))
{
    struct quick_random random;
    quick_random_init(&random, 7);
    for (uint8_t index = 0; index < game_count(); index++) {
        const struct game_def *game = game_at(index);
        for (uint8_t players = game->seats_min; players <= game->seats_max; players++) {
            struct game_config config = game_config_default(game, players);
            uint8_t seed[SEED_BYTES] = {index, players};
            struct game_state state;
            assert_int_equal(game_start(game, &config, seed, &state, NULL), GAME_OK);
            for (uint8_t turn = game_seats_to_act(&state); turn != 0;
                 turn = game_seats_to_act(&state)) {
                uint8_t seat = (uint8_t)__builtin_ctz(turn);
                struct move_set legal = move_set_empty();
                game_find_legal_moves(game, &state, seat, &legal);
                uint8_t nth = (uint8_t)quick_random_draw_below(&random, move_set_count(&legal));
                check_state(game, &state);
                assert_int_equal(game_apply(game, &state, seat, move_set_nth(&legal, nth), NULL),
                                 GAME_OK);
            }
            check_state(game, &state);
        }
    }
}

static void check_views_survive_json(const struct game_def *game, const struct game_state *state)
{
    static char written[VIEW_TEXT_MAX];
    static char again[VIEW_TEXT_MAX];
    static struct game_view view, read;
    game_fill_view(game, state, SPECTATOR, &view);
    const int8_t seats = (int8_t)view.seats;
    for (int8_t seat = SPECTATOR; seat < seats; seat++) {
        game_fill_view(game, state, seat, &view);
        struct text text = text_init(written, sizeof(written));
        view_write(&view, &text);
        json_t *json = json_read_object(written, text.len);
        assert_true(view_read(json, &read));
        json_decref(json);
        struct text text_again = text_init(again, sizeof(again));
        view_write(&read, &text_again);
        assert_string_equal(written, again);
    }
}

static void every_view_reads_back_as_it_was_written(void **state)
{
    (void)state;
    check_every_step_of_random_games(check_views_survive_json);
}

/* Makes the first view of a game, which tests then make invalid. */
static json_t *make_first_view(void)
{
    const struct game_def *game = game_at(0);
    struct game_config config = game_config_default(game, game->seats_min);
    uint8_t seed[SEED_BYTES] = {1};
    struct game_state state;
    struct game_view view;
    char buffer[VIEW_TEXT_MAX];
    assert_int_equal(game_start(game, &config, seed, &state, NULL), GAME_OK);
    game_fill_view(game, &state, 0, &view);
    struct text text = text_init(buffer, sizeof(buffer));
    view_write(&view, &text);
    return json_read_object(buffer, text.len);
}

static void an_invalid_view_is_refused(void **state)
{
    (void)state;
    static const char *const spoilt[][2] = {
        {"game", "\"whist\""},  {"game", "7"},           {"phase", "\"fishing\""},
        {"step", "-1"},         {"step", "\"1\""},       {"round", "300"},
        {"rounds", "0"},        {"hands", "[]"},         {"hands", "[[7]]"},
        {"hands", "{}"},        {"seat", "7"},           {"seat", "\"0\""},
        {"to_act", "[9]"},      {"to_act", "null"},      {"trick", "[{\"seat\":0}]"},
        {"trick", "{}"},        {"past", "[{}]"},        {"past", "7"},
        {"last_trick", "7"},    {"tricks", "[]"},        {"scores", "[\"a\"]"},
        {"legal", "[\"fly\"]"}, {"legal", "[7]"},        {"legal", "{}"},
        {"info", "[]"},         {"info", "{\"a\":1.5}"},
    };
    struct game_view view;
    for (size_t i = 0; i < ARRAY_LEN(spoilt); i++) {
        json_t *json = make_first_view();
        assert_true(view_read(json, &view));
        json_t *value = json_loads(spoilt[i][1], JSON_DECODE_ANY, NULL);
        assert_non_null(value);
        assert_int_equal(json_object_set_new(json, spoilt[i][0], value), 0);
        assert_false(view_read(json, &view));
        json_decref(json);
    }
    assert_false(view_read(NULL, &view));
}

/* Makes the view of a game in which one card has been played. */
static json_t *make_view_with_lead(const char *id)
{
    const struct game_def *game = game_find(id);
    struct game_config config = game_config_default(game, game->seats_min);
    uint8_t seed[SEED_BYTES] = {1};
    struct game_state state;
    struct game_view view;
    char buffer[VIEW_TEXT_MAX];
    assert_int_equal(game_start(game, &config, seed, &state, NULL), GAME_OK);
    do {
        uint8_t seat = (uint8_t)__builtin_ctz(game_seats_to_act(&state));
        struct move_set legal = move_set_empty();
        game_find_legal_moves(game, &state, seat, &legal);
        assert_int_equal(game_apply(game, &state, seat, move_set_nth(&legal, 0), NULL), GAME_OK);
        game_fill_view(game, &state, SPECTATOR, &view);
    } while (view.trick.count == 0);
    struct text text = text_init(buffer, sizeof(buffer));
    view_write(&view, &text);
    return json_read_object(buffer, text.len);
}

/* Checks that a play needs the member `slot`, or cannot have it. */
static void check_slot_of_lead(const char *id, bool tells_slots)
{
    struct game_view view;
    json_t *json = make_view_with_lead(id);
    json_t *lead = json_array_get(json_object_get(json, "trick"), 0);
    assert_int_equal(json_object_get(lead, "slot") != NULL, tells_slots);
    assert_true(view_read(json, &view));
    if (tells_slots) {
        assert_int_equal(json_object_set_new(lead, "slot", json_integer(SLOTS_MAX)), 0);
        assert_false(view_read(json, &view));
        assert_int_equal(json_object_set_new(lead, "slot", json_string("1")), 0);
        assert_false(view_read(json, &view));
        assert_int_equal(json_object_del(lead, "slot"), 0);
    } else {
        assert_int_equal(json_object_set_new(lead, "slot", json_integer(0)), 0);
    }
    assert_false(view_read(json, &view));
    json_decref(json);
}

static void a_play_has_a_slot_exactly_in_games_that_tell_slots(void **state)
{
    (void)state;
    check_slot_of_lead("suppose", true);
    check_slot_of_lead("heckin-hounds", true);
    check_slot_of_lead("oh-hell", false);
}

static void a_view_is_refused_when_a_fact_of_its_game_is_missing_or_out_of_bounds(void **state)
{
    (void)state;
    struct game_view view;
    for (uint8_t index = 0; index < game_count(); index++) {
        const struct game_def *game = game_at(index);
        json_t *json = make_view_with_lead(game->id);
        json_t *info = json_object_get(json, "info");
        for (const struct info_def *def = game->info; def->key != NULL; def++) {
            json_t *value = json_incref(json_object_get(info, def->key));
            bool is_read = def->form != INFO_OWN || def->end > 0;
            assert_true(view_read(json, &view));
            assert_int_equal(json_object_set_new(info, def->key, json_integer(INFO_NONE + 1)), 0);
            assert_int_equal(view_read(json, &view), !is_read);
            assert_int_equal(json_object_del(info, def->key), 0);
            assert_int_equal(view_read(json, &view), !is_read || def->absence == INFO_PRIVATE);
            if (value != NULL) {
                assert_int_equal(json_object_set_new(info, def->key, value), 0);
            }
        }
        json_decref(json);
    }
}

static void a_view_of_another_format_is_not_read(void **state)
{
    (void)state;
    struct game_view view;
    json_t *json = make_view_with_lead("oh-hell");
    assert_true(view_read(json, &view));
    for (int format = GAME_FORMAT - 1; format <= GAME_FORMAT + 1; format += 2) {
        assert_int_equal(json_object_set_new(json, "format", json_integer(format)), 0);
        assert_false(view_read(json, &view));
    }
    assert_int_equal(json_object_del(json, "format"), 0);
    assert_false(view_read(json, &view));
    json_decref(json);
}

static void every_game_option_converts_to_json_and_back(void **state)
{
    (void)state;
    for (uint8_t index = 0; index < game_count(); index++) {
        const struct game_def *game = game_at(index);
        for (uint8_t i = 0; i < game->option_count; i++) {
            for (uint8_t value = 0; value < game->options[i].value_count; value++) {
                struct game_config config = game_config_default(game, game->seats_min);
                struct game_config read = config;
                config.options[i] = value;
                game_config_reset_unused_options(game, &config);
                json_t *json = config_to_json(game, &config);
                assert_true(config_from_json(game, json, &read));
                assert_memory_equal(config.options, read.options, sizeof(read.options));
                json_decref(json);
            }
        }
        struct game_config config = game_config_default(game, game->seats_min);
        json_t *unknown = json_pack("{s:i}", "no such option", 1);
        assert_false(config_from_json(game, unknown, &config));
        assert_false(config_from_json(game, NULL, &config));
        json_decref(unknown);
    }
}

static json_t *make_game_record(void)
{
    static const struct history_seat seats[SEATS_MAX] = {
        {"ada", NULL}, {"ella", "medium"}, {"bob", NULL}, {"c", NULL}, {"d", NULL}};
    static const struct history_change changes[] = {{1, 2, {"otto", "medium"}}};
    const struct game_def *game = game_at(0);
    struct history_move moves[2] = {{0, 1}, {1, 2}};
    struct history_source source = {
        .id = 42,
        .game = game,
        .config = game_config_default(game, 3),
        .seats = seats,
        .seed = {1, 2, 3},
        .commitment = {4, 5, 6},
        .moves = moves,
        .move_count = 2,
        .changes = changes,
        .change_count = 1,
    };
    return record_to_json(&source, 1750000000000);
}

static void a_game_record_reads_back_as_it_was_written(void **state)
{
    (void)state;
    json_t *json = make_game_record();
    struct record record;
    assert_true(record_from_json(json, &record));
    assert_int_equal(record.source.id, 42);
    assert_int_equal(record.at_ms, 1750000000000);
    assert_int_equal(record.source.config.players, 3);
    assert_string_equal(record.source.seats[1].bot, "medium");
    assert_string_equal(record.source.changes[0].who.name, "otto");
    assert_int_equal(record.source.changes[0].step, 1);
    json_t *again = record_to_json(&record.source, record.at_ms);
    assert_true(json_equal(json, again));
    json_decref(again);
    json_decref(json);
    record_clear(&record);
}

static void an_invalid_game_record_is_refused(void **state)
{
    (void)state;
    static const char *const spoilt[][2] = {
        {"game", "\"whist\""},    {"players", "99"},
        {"players", "1"},         {"options", "{\"x\":1}"},
        {"options", "null"},      {"seats", "[]"},
        {"seats", "[1,2,3]"},     {"seed", "\"abc\""},
        {"seed", "null"},         {"commitment", "7"},
        {"moves", "7"},           {"moves", "[[0]]"},
        {"moves", "[[9,\"x\"]]"}, {"moves", "[[0,\"fly\"]]"},
        {"changes", "7"},         {"changes", "[{}]"},
        {"at", "\"now\""},        {"game_id", "-1"},
    };
    for (size_t i = 0; i < ARRAY_LEN(spoilt); i++) {
        struct record record;
        json_t *json = make_game_record();
        json_t *value = json_loads(spoilt[i][1], JSON_DECODE_ANY, NULL);
        assert_int_equal(json_object_set_new(json, spoilt[i][0], value), 0);
        assert_false(record_from_json(json, &record));
        json_decref(json);
    }
}

static void values_out_of_range_or_of_a_wrong_type_count_as_absent(void **state)
{
    (void)state;
    static const char json[] = "{\"n\":7,\"s\":\"word\",\"b\":true,\"z\":null}";
    json_t *object = json_read_object(json, strlen(json));
    int64_t number = 0;
    assert_true(json_read_number(object, "n", 7, 7, &number));
    assert_false(json_read_number(object, "n", 8, 9, &number));
    assert_false(json_read_number(object, "s", 0, 9, &number));
    assert_null(json_read_text(object, "n", 9));
    assert_null(json_read_text(object, "s", 3));
    assert_string_equal(json_read_text(object, "s", 4), "word");
    assert_true(json_read_bool(object, "b", false));
    assert_true(json_read_bool(object, "n", true));
    assert_true(json_read_key_is_absent(object, "z"));
    assert_true(json_read_key_is_absent(object, "nothing"));
    assert_false(json_read_key_is_absent(object, "n"));
    json_decref(object);
    assert_null(json_read_object("[]", 2));
    assert_null(json_read_object("{\"a\":1,\"a\":2}", 13));
    assert_null(json_read_object("{\"a\":\"\\u0000\"}", 14));
}

TEST_GROUP(read)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_view_reads_back_as_it_was_written),
        cmocka_unit_test(an_invalid_view_is_refused),
        cmocka_unit_test(a_play_has_a_slot_exactly_in_games_that_tell_slots),
        cmocka_unit_test(a_view_is_refused_when_a_fact_of_its_game_is_missing_or_out_of_bounds),
        cmocka_unit_test(a_view_of_another_format_is_not_read),
        cmocka_unit_test(every_game_option_converts_to_json_and_back),
        cmocka_unit_test(a_game_record_reads_back_as_it_was_written),
        cmocka_unit_test(an_invalid_game_record_is_refused),
        cmocka_unit_test(values_out_of_range_or_of_a_wrong_type_count_as_absent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
