#include "games/bits.h"
#include "games/bots/playout.h"
#include "games/game.h"
#include "tests/unit.h"

#include <string.h>

#define GAMES 12
#define SAMPLES 3

static uint8_t choose_light_move(const struct game_def *game, const struct game_state *state,
                                 uint8_t seat, uint64_t seed)
{
    struct quick_random random;
    struct move_set legal = move_set_empty();
    quick_random_init(&random, seed);
    game_find_legal_moves(game, state, seat, &legal);
    uint8_t move = game->light(state->bytes, seat, &legal, &random);
    assert_true(move_set_has(&legal, move));
    return move;
}

/* Checks that the move is the same in other deals that look the same to the seat. */
static void expect_same_move_in_other_deals(const struct game_def *game,
                                            const struct game_config *config,
                                            const struct game_state *state, uint8_t seat,
                                            struct quick_random *random)
{
    static struct game_view view;
    game_fill_view(game, state, (int8_t)seat, &view);
    for (int i = 0; i < SAMPLES; i++) {
        struct game_state other;
        uint64_t seed = quick_random_next(random);
        assert_int_equal(game_sample_state(&view, config, random, &other), GAME_OK);
        assert_int_equal(choose_light_move(game, state, seat, seed),
                         choose_light_move(game, &other, seat, seed));
    }
}

/* Plays a game at random, and checks every seat's light moves on the way. */
static void check_game(const struct game_def *game, uint8_t players, uint64_t number)
{
    struct game_config config = game_config_default(game, players);
    struct game_state state;
    struct quick_random random;
    uint8_t seed[SEED_BYTES] = {0};
    memcpy(seed, &number, sizeof number);
    quick_random_init(&random, number);
    assert_int_equal(game_start(game, &config, seed, &state, NULL), GAME_OK);
    uint8_t seats;
    while ((seats = game_seats_to_act(game, &state)) != 0) {
        for (uint8_t rest = seats; rest != 0; rest &= (uint8_t)(rest - 1)) {
            expect_same_move_in_other_deals(game, &config, &state, bits_index_of_lowest(rest),
                                            &random);
        }
        assert_int_equal(playout_make_moves(game, &state, &random, 1, NULL), 1);
    }
}

static void light_moves_are_legal_and_use_only_what_the_seat_knows(void **state)
{
    (void)state;
    unsigned checked = 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        for (uint8_t number = 0; game->light != NULL && number < GAMES; number++) {
            uint8_t range = (uint8_t)(game->seats_max - game->seats_min + 1);
            check_game(game, (uint8_t)(game->seats_min + number % range), number);
            checked++;
        }
    }
    assert_true(checked > 0);
}

static void a_reward_lies_near_0_to_1_for_every_seat(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        for (uint8_t number = 0; game->reward != NULL && number < GAMES; number++) {
            struct game_config config = game_config_default(game, game->seats_min);
            struct game_state dealt;
            struct quick_random random;
            uint8_t seed[SEED_BYTES] = {number};
            uint64_t moves = 0;
            const int16_t before[SEATS_MAX] = {0};
            float rewards[SEATS_MAX];
            quick_random_init(&random, number);
            assert_int_equal(game_start(game, &config, seed, &dealt, NULL), GAME_OK);
            game->close(dealt.bytes);
            playout_run_to_end(game, &dealt, &random, &moves);
            game->reward(before, dealt.bytes, rewards);
            for (uint8_t seat = 0; seat < config.players; seat++) {
                assert_true(rewards[seat] > -0.5F && rewards[seat] < 1.5F);
            }
            assert_true(moves <= 128); /* one round */
        }
    }
}

TEST_GROUP(light)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_moves_are_legal_and_use_only_what_the_seat_knows),
        cmocka_unit_test(a_reward_lies_near_0_to_1_for_every_seat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
