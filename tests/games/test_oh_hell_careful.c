#include "games/oh_hell/oh_hell.h"
#include "games/registry.h"
#include "tests/unit.h"

#include <stdio.h>

#define PLAYERS 4
#define GAMES 2000

struct strength {
    double mean_rank; /* mean rank of the careful seats */
    double wins;      /* share of games in which a careful seat ranks first */
};

/* Plays many games. The players in `careful_seats` (bit s: seat s) follow the careful policy, the
 * others move at random. Every player moves to the next seat after each game. */
static struct strength measure_strength_of_careful_policy(unsigned careful_seats, uint64_t seed)
{
    struct game_config config = game_config_default(&oh_hell_game, PLAYERS);
    struct quick_random random;
    quick_random_init(&random, seed);
    struct strength strength = {0};
    unsigned seats = 0;
    for (unsigned i = 0; i < GAMES; i++) {
        unsigned turned =
            (careful_seats << i % PLAYERS | careful_seats >> (PLAYERS - i % PLAYERS)) & 15U;
        uint8_t deal[SEED_BYTES];
        for (unsigned j = 0; j < SEED_BYTES; j++) {
            deal[j] = (uint8_t)quick_random_draw_below(&random, 256);
        }
        struct game_state state;
        assert_int_equal(game_start(&oh_hell_game, &config, deal, &state, NULL), GAME_OK);
        while (game_seats_to_act(&oh_hell_game, &state) != 0) {
            uint8_t seat = (uint8_t)__builtin_ctz(game_seats_to_act(&oh_hell_game, &state));
            struct game_view view;
            game_fill_view(&oh_hell_game, &state, (int8_t)seat, &view);
            uint8_t move = (turned >> seat & 1) != 0 ? oh_hell_careful_move(&view, &config, &random)
                                                     : policy_random_move(&view, &config, &random);
            assert_int_equal(game_apply(&oh_hell_game, &state, seat, move, NULL), GAME_OK);
        }
        static struct game_outcome outcome;
        game_fill_outcome(&oh_hell_game, &state, &outcome);
        strength.wins += (outcome.winners & turned) != 0;
        for (uint8_t seat = 0; seat < PLAYERS; seat++) {
            if ((turned >> seat & 1) != 0) {
                strength.mean_rank += outcome.ranks[seat];
                seats++;
            }
        }
    }
    strength.mean_rank /= seats;
    strength.wins /= GAMES;
    print_message("careful: mean rank %.3f, wins %.1f %%\n", strength.mean_rank,
                  100 * strength.wins);
    return strength;
}

static void one_careful_player_beats_three_random_players(void **unused)
{
    (void)unused;
    struct strength strength = measure_strength_of_careful_policy(1, 1);
    assert_true(strength.mean_rank < 1.1); /* players who move at random have a mean rank of 2.5 */
    assert_true(strength.wins > 0.95);     /* a player who moves at random wins 0.25 of the games */
}

static void two_careful_players_beat_two_random_players(void **unused)
{
    (void)unused;
    struct strength strength = measure_strength_of_careful_policy(5, 2);
    assert_true(strength.mean_rank < 1.6); /* the mean of the ranks 1 and 2 is 1.5 */
    assert_true(strength.wins > 0.99);
}

/* A hand has one card. A player who holds the highest trump bids one trick; a player who holds
 * the lowest card of another suit bids none. */
static void a_careful_bid_counts_sure_winners_and_sure_losers(void **unused)
{
    (void)unused;
    struct game_config config = game_config_default(&oh_hell_game, 3);
    assert_true(game_config_set(&oh_hell_game, &config, "length", "short-up"));
    struct quick_random random;
    quick_random_init(&random, 1);
    unsigned winners = 0;
    unsigned losers = 0;
    for (uint8_t i = 0; i < 255; i++) {
        uint8_t seed[SEED_BYTES] = {i};
        struct game_state state;
        struct game_view view;
        assert_int_equal(game_start(&oh_hell_game, &config, seed, &state, NULL), GAME_OK);
        int8_t seat = (int8_t)__builtin_ctz(game_seats_to_act(&oh_hell_game, &state));
        game_fill_view(&oh_hell_game, &state, seat, &view);
        uint8_t card = view.hands[seat][0].card;
        bool is_trump = card_suit(&standard_deck, card) ==
                        card_suit(&standard_deck, oh_hell_turned_up_card(&view));
        uint8_t move = oh_hell_careful_move(&view, &config, &random);
        if (is_trump && card_value(&standard_deck, card) == 14) {
            winners++;
            assert_int_equal(move, OH_HELL_BID_FIRST + 1);
        } else if (!is_trump && card_value(&standard_deck, card) == 2) {
            losers++;
            assert_int_equal(move, OH_HELL_BID_FIRST);
        }
    }
    assert_true(winners > 0 && losers > 0);
}

TEST_GROUP(oh_hell_careful)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_careful_player_beats_three_random_players),
        cmocka_unit_test(two_careful_players_beat_two_random_players),
        cmocka_unit_test(a_careful_bid_counts_sure_winners_and_sure_losers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
