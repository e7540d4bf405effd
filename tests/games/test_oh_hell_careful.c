#include "games/bits.h"
#include "games/bots/policy.h"
#include "games/oh_hell/oh_hell.h"
#include "games/registry.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>

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

#define SUIT(card) ((card) / 13)

/* True if a card among `others` beats the card that is led: a higher one of its suit, or, if any
 * player may be out of that suit, a trump. */
static bool can_be_beaten(uint8_t card, uint64_t others, uint8_t trump)
{
    for (uint64_t rest = others; rest != 0; rest &= rest - 1) {
        uint8_t other = bits_index_of_lowest(rest);
        if (SUIT(other) == SUIT(card) ? other > card : SUIT(other) == trump) {
            return true;
        }
    }
    return false;
}

/* The cards that the viewer has not seen. */
static uint64_t find_unseen_cards(const struct game_view *view)
{
    uint64_t unseen = (UINT64_C(1) << 52) - 1;
    unseen &= ~(UINT64_C(1) << oh_hell_turned_up_card(view)) & ~view->legal.bits[0];
    for (uint8_t i = 0; i < view->past_count; i++) {
        for (uint8_t j = 0; j < view->past[i].count; j++) {
            unseen &= ~(UINT64_C(1) << view->past[i].plays[j].card);
        }
    }
    return unseen;
}

/* True if the others' hands in this state have a card that beats the one led. */
static bool is_beaten_in_state(const struct game_state *game, const struct game_view *view,
                               uint8_t led, uint8_t trump)
{
    const struct oh_hell *state = (const void *)game->bytes;
    for (uint8_t seat = 0; seat < PLAYERS; seat++) {
        uint64_t hand = state->table.hands[seat].bits[0];
        uint64_t suit = 0;
        for (uint64_t rest = hand; rest != 0; rest &= rest - 1) {
            uint8_t card = bits_index_of_lowest(rest);
            suit |= SUIT(card) == SUIT(led) ? UINT64_C(1) << card : 0;
        }
        if ((int8_t)seat != view->seat &&
            can_be_beaten(led, suit != 0 ? suit : hand, suit != 0 ? 4 : trump)) {
            return true;
        }
    }
    return false;
}

/* Checks a lead of a player who needs all the remaining tricks. Returns true if the player had a
 * card that nobody can beat, and another. */
static bool check_lead(const struct game_state *state, const struct game_view *view, uint8_t move)
{
    uint8_t seat = (uint8_t)view->seat;
    uint8_t trump = SUIT(oh_hell_turned_up_card(view));
    uint64_t unseen = find_unseen_cards(view);
    unsigned sure = 0;
    for (uint64_t rest = view->legal.bits[0]; rest != 0; rest &= rest - 1) {
        sure += !can_be_beaten(bits_index_of_lowest(rest), unseen, trump);
    }
    if (view->phase != OH_HELL_PLAY || view->trick.count > 0 || sure == 0 ||
        view->bids[seat] - view->tricks[seat] != move_set_count(&view->legal)) {
        return false;
    }
    assert_false(is_beaten_in_state(state, view, move, trump));
    return sure < move_set_count(&view->legal);
}

/* Plays games in which all follow the policy. Returns the number of leads that check_lead counts.
 */
static unsigned count_checked_leads(const char *policy, struct search *search, unsigned games)
{
    struct game_config config = game_config_default(&oh_hell_game, PLAYERS);
    struct quick_random random;
    quick_random_init(&random, 7);
    unsigned leads = 0;
    for (unsigned i = 0; i < games; i++) {
        const uint8_t seed[SEED_BYTES] = {(uint8_t)i, (uint8_t)(i >> 8), 1};
        struct game_state state;
        assert_int_equal(game_start(&oh_hell_game, &config, seed, &state, NULL), GAME_OK);
        while (game_seats_to_act(&oh_hell_game, &state) != 0) {
            static struct game_view view;
            uint8_t seat = bits_index_of_lowest(game_seats_to_act(&oh_hell_game, &state));
            game_fill_view(&oh_hell_game, &state, (int8_t)seat, &view);
            uint8_t move =
                policy_choose_move(policy_find(policy), search, &view, &config, &random, 100);
            leads += check_lead(&state, &view, move);
            assert_int_equal(game_apply(&oh_hell_game, &state, seat, move, NULL), GAME_OK);
        }
    }
    return leads;
}

static void whoever_needs_every_trick_first_leads_cards_that_nobody_can_beat(void **unused)
{
    (void)unused;
    struct search *search = malloc(sizeof(*search));
    assert_non_null(search);
    search_init(search);
    assert_true(count_checked_leads("medium", search, 300) > 30);
    assert_true(count_checked_leads("strong", search, 30) > 3);
    free(search);
}

TEST_GROUP(oh_hell_careful)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_careful_player_beats_three_random_players),
        cmocka_unit_test(two_careful_players_beat_two_random_players),
        cmocka_unit_test(a_careful_bid_counts_sure_winners_and_sure_losers),
        cmocka_unit_test(whoever_needs_every_trick_first_leads_cards_that_nobody_can_beat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
