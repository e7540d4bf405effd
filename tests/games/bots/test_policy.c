#include "games/bits.h"
#include "games/bots/policy.h"
#include "tests/unit.h"

#include <string.h>

#define GAMES 20 /* games played of each kind */

/* What easy bots did in all games. */
struct easy_count {
    unsigned choices; /* views with more than one legal move */
    unsigned others;  /* moves among them that are not the careful ones */
    unsigned bids;
    unsigned other_bids;
};

static uint8_t choose(const char *policy, const struct game_view *view,
                      const struct game_config *config, uint64_t seed)
{
    struct quick_random random;
    quick_random_init(&random, seed);
    return policy_choose_move(policy_find(policy), NULL, view, config, &random, 0);
}

static unsigned distance(uint8_t one, uint8_t other)
{
    return one > other ? one - other : other - one;
}

/* Checks and counts the easy move in this view, and returns it. */
static uint8_t check_easy_move(const struct game_view *view, const struct game_config *config,
                               uint64_t seed, struct easy_count *count)
{
    uint8_t easy = choose("easy", view, config, seed);
    uint8_t medium = choose("medium", view, config, seed);
    uint8_t own[2] = {0};
    uint8_t near[2] = {0};
    assert_true(move_set_has(&view->legal, easy));
    assert_int_equal(choose("easy", view, config, seed), easy);
    bool is_bid = view->game->bid != NULL && view->game->bid(medium, near);
    if (is_bid) {
        assert_true(view->game->bid(easy, own));
        assert_true(distance(own[0], near[0]) <= 2 && distance(own[1], near[1]) <= 2);
        count->bids++;
        count->other_bids += easy != medium;
    }
    if (move_set_count(&view->legal) > 1) {
        count->choices++;
        count->others += easy != medium;
    }
    return easy;
}

static void play_games(const struct game_def *game, struct easy_count *count)
{
    struct game_config config = game_config_short(game);
    for (uint8_t i = 0; i < GAMES; i++) {
        const uint8_t seed[SEED_BYTES] = {i};
        struct game_state state;
        uint64_t step = 0;
        assert_int_equal(game_start(game, &config, seed, &state, NULL), GAME_OK);
        while (game_seats_to_act(game, &state) != 0) {
            static struct game_view view;
            uint8_t seat = bits_index_of_lowest(game_seats_to_act(game, &state));
            game_fill_view(game, &state, (int8_t)seat, &view);
            uint8_t move = check_easy_move(&view, &config, i * UINT64_C(10000) + step++, count);
            assert_int_equal(game_apply(game, &state, seat, move, NULL), GAME_OK);
        }
    }
}

static void
easy_bots_replace_some_careful_moves_but_bid_within_two_of_the_careful_bid(void **unused)
{
    (void)unused;
    unsigned bidding_games = 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        struct easy_count count = {0};
        play_games(game_at(i), &count);
        double share = (double)count.others / count.choices;
        print_message("%s: %u choices, %.1f %% others; %u bids, %u others\n", game_at(i)->id,
                      count.choices, 100 * share, count.bids, count.other_bids);
        /* one in four is drawn at random, and is the careful move again now and then */
        assert_true(share > 0.08 && share < 0.25);
        assert_int_equal(count.bids > 0, game_at(i)->bid != NULL);
        assert_int_equal(count.other_bids > 0, game_at(i)->bid != NULL);
        bidding_games += count.bids > 0;
    }
    assert_true(bidding_games >= 3);
}

/* A bid is written as "bid:" or "predict:" and its numbers, and every other move is no bid. */
static void games_tell_bids_from_other_moves(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        for (unsigned move = 0; game->bid != NULL && move <= UINT8_MAX; move++) {
            struct text words = TEXT_OF(MOVE_TEXT_MAX);
            struct text numbers = TEXT_OF(MOVE_TEXT_MAX);
            uint8_t bid[2] = {0};
            game_move_write(game, (uint8_t)move, &words);
            bool is_bid =
                strncmp(words.at, "bid:", 4) == 0 || strncmp(words.at, "predict:", 8) == 0;
            assert_int_equal(game->bid((uint8_t)move, bid), is_bid);
            if (is_bid) {
                text_put_number(&numbers, bid[0]);
                text_put(&numbers, bid[0] == bid[1] ? "" : ",");
                if (bid[0] != bid[1]) {
                    text_put_number(&numbers, bid[1]);
                }
                assert_string_equal(strchr(words.at, ':') + 1, numbers.at);
            }
        }
    }
}

TEST_GROUP(policy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            easy_bots_replace_some_careful_moves_but_bid_within_two_of_the_careful_bid),
        cmocka_unit_test(games_tell_bids_from_other_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
