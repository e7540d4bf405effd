#include "games/card.h"
#include "tests/bench/opponents/tree.h"
#include "tests/unit.h"

#define SIMULATIONS_FEW 20
#define MOVES_MOST 2000
#define SEED 7

struct record {
    unsigned count;
    uint8_t moves[MOVES_MOST];
    int16_t score; /* of seat 0 */
};

/* Plays a game in which the tree has every seat, or only seat 0 against random players. */
static void play_game(const struct game_def *game, uint8_t players, uint8_t deal,
                      bool has_all_seats, struct record *record)
{
    static struct game_view view;
    static struct game_outcome outcome;
    struct tree *tree = tree_new();
    struct game_config config = game_config_default(game, players);
    const uint8_t seed[SEED_BYTES] = {deal};
    struct game_state state;
    struct quick_random random;
    assert_non_null(tree);
    *record = (struct record){0};
    quick_random_init(&random, SEED);
    assert_int_equal(game_start(game, &config, seed, &state, NULL), GAME_OK);
    uint8_t seats;
    while ((seats = game_seats_to_act(&state)) != 0) {
        uint8_t seat = bits_index_of_lowest(seats);
        game_fill_view(game, &state, (int8_t)seat, &view);
        uint8_t move = has_all_seats || seat == 0
                           ? tree_choose_move(tree, &view, &config, &random, SIMULATIONS_FEW)
                           : policy_random_move(&view, &config, &random);
        assert_int_equal(game_apply(game, &state, seat, move, NULL), GAME_OK);
        assert_true(record->count < MOVES_MOST);
        record->moves[record->count++] = move;
    }
    game_fill_outcome(game, &state, &outcome);
    record->score = outcome.scores[0];
    tree_free(tree);
}

static void the_tree_plays_every_game_to_its_end_and_always_in_the_same_way(void **state)
{
    (void)state;
    static struct record first, second;
    for (uint8_t g = 0; g < game_count(); g++) {
        const struct game_def *game = game_at(g);
        play_game(game, game->seats_min, 1, true, &first);
        play_game(game, game->seats_min, 1, true, &second);
        assert_true(first.count > 20);
        assert_memory_equal(&first, &second, sizeof(first));
        play_game(game, game->seats_max, 2, false, &first);
    }
}

static void a_forced_move_needs_no_search(void **state)
{
    (void)state;
    static struct game_view view;
    const struct game_def *game = game_at(0);
    struct game_config config = game_config_default(game, game->seats_min);
    struct tree *tree = tree_new();
    struct quick_random random, before;
    assert_non_null(tree);
    quick_random_init(&random, SEED);
    before = random;
    view_clear(&view);
    view.game = game;
    move_set_add(&view.legal, 5);
    assert_int_equal(tree_choose_move(tree, &view, &config, &random, SIMULATIONS_FEW), 5);
    assert_memory_equal(&random, &before, sizeof(random));
    tree_free(tree);
}

TEST_GROUP(tree)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_plays_every_game_to_its_end_and_always_in_the_same_way),
        cmocka_unit_test(a_forced_move_needs_no_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
