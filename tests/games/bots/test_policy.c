#include "games/bots/bots.h"
#include "tests/games/bots/positions.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#define MOVES 400             /* looked at in each game */
#define EASY_LOSS_MOST 0.251F /* in the unit of the goal */

static const char *const names[] = {"random", "easy", "medium", "strong"};

static uint8_t choose(const char *policy, const struct game_view *view,
                      const struct game_config *config, uint64_t seed)
{
    struct quick_random random;
    quick_random_init(&random, seed);
    return policy_choose_move(policy_find(policy), NULL, view, config, &random, 0);
}

/* Returns how much less than the best one a move is worth, in the unit of the goal. */
static float find_loss(const struct game_view *view, const struct game_config *config, uint8_t made)
{
    struct net net;
    int32_t worths[MOVES_MAX];
    struct quick_random random;
    quick_random_init(&random, 1);
    assert_true(net_rate_view(view, config, &random, &net, worths));
    int32_t most = worths[net_find_best(&view->legal, worths)];
    return (float)(most - worths[made]) / NET_WORTH_ONE;
}

static void expect_best_move(const struct game_view *view, const struct game_config *config,
                             const struct game_state *state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        uint8_t move = choose("medium", view, config, seed);
        assert_true(move_set_has(&view->legal, move));
        assert_true(find_loss(view, config, move) == 0);
    }
}

static void medium_bots_make_the_move_that_the_net_likes_best(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        if (game_at(i)->encode == NULL) {
            continue; /* its bots choose random moves */
        }
        positions_visit(game_at(i), game_at(i)->seats_max, "random", 60, expect_best_move);
    }
}

/* What easy bots did in a game. */
static struct {
    unsigned choices; /* views with more than one legal move */
    unsigned others;  /* moves among them that are not the best ones */
    float loss;
} easy;

static void count_easy_move(const struct game_view *view, const struct game_config *config,
                            const struct game_state *state)
{
    (void)state;
    uint8_t move = choose("easy", view, config, view->step);
    float loss = find_loss(view, config, move);
    assert_true(move_set_has(&view->legal, move));
    assert_int_equal(choose("easy", view, config, view->step), move);
    assert_true(loss <= EASY_LOSS_MOST);
    if (move_set_count(&view->legal) > 1) {
        easy.choices++;
        easy.others += move != choose("medium", view, config, 1);
        easy.loss += loss;
    }
}

static void easy_bots_make_many_small_errors_and_no_large_ones(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        if (game_at(i)->encode == NULL) {
            continue; /* its bots choose random moves */
        }
        memset(&easy, 0, sizeof easy);
        positions_visit(game_at(i), 4, "easy", MOVES, count_easy_move);
        float share = (float)easy.others / (float)easy.choices;
        float loss = easy.loss / (float)easy.choices;
        print_message("%s: %u choices, %.1f %% others, %.3f lost\n", game_at(i)->id, easy.choices,
                      100 * (double)share, (double)loss);
        assert_true(share > 0.1F && share < 0.75F);
        assert_true(loss > 0.005F && loss < 0.2F);
    }
}

static void expect_same_move_of_a_spy(const struct game_view *view,
                                      const struct game_config *config,
                                      const struct game_state *state)
{
    static struct game_view spied;
    struct game_def game = *view->game;
    spied = *view;
    spied.game = &game;
    game.sample = positions_sample_truth;
    positions_truth = state;
    assert_int_equal(choose("medium", &spied, config, 1), choose("medium", view, config, 1));
}

static void bots_that_do_not_search_gain_nothing_from_the_true_deal(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        positions_visit(game_at(i), game_at(i)->seats_min, "easy", 60, expect_same_move_of_a_spy);
    }
}

/* Expects every policy to make any of the legal moves. */
static void expect_random_moves(const struct game_view *view, const struct game_config *config)
{
    struct search *search = malloc(sizeof *search);
    assert_non_null(search);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct move_set made = move_set_empty();
        for (uint64_t seed = 0; seed < 300; seed++) {
            struct quick_random random;
            quick_random_init(&random, seed);
            move_set_add(
                &made, policy_choose_move(policy_find(names[i]), search, view, config, &random, 0));
        }
        assert_memory_equal(&made, &view->legal, sizeof made);
    }
    free(search);
}

static void without_a_net_that_fits_every_policy_makes_any_legal_move(void **unused)
{
    (void)unused;
    static struct game_view view;
    struct game_def game = *game_find("oh-hell");
    struct encode_traits traits = *game.encode;
    struct game_config config = game_config_default(&game, 4);
    struct net net;
    int32_t worths[MOVES_MAX];
    struct quick_random random;
    quick_random_init(&random, 1);
    positions_first_view(&game, &config, 1, &view);
    assert_true(net_rate_view(&view, &config, &random, &net, worths));
    game.id = "another";
    assert_false(net_rate_view(&view, &config, &random, &net, worths));
    expect_random_moves(&view, &config);
    game.id = "oh-hell";
    game.encode = &traits;
    traits.groups &= (uint8_t)~ENCODE_BIDS; /* another layout */
    assert_false(net_rate_view(&view, &config, &random, &net, worths));
    expect_random_moves(&view, &config);
}

static void only_strong_bots_search(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        bool is_strong = strcmp(names[i], "strong") == 0;
        assert_int_equal(policy_playouts(policy_find(names[i])), is_strong ? SEARCH_PLAYOUTS : 0);
        assert_string_equal(policy_name(policy_find(names[i])), names[i]);
    }
    assert_null(policy_find("careful"));
    assert_true(sizeof(struct search) < 1 << 20);
}

static void expect_move_of_medium(const struct game_view *view, const struct game_config *config,
                                  const struct game_state *state)
{
    (void)state;
    assert_int_equal(choose("strong", view, config, 1), choose("medium", view, config, 2));
}

static void without_memory_strong_bots_play_like_medium_ones(void **unused)
{
    (void)unused;
    positions_visit(game_find("hund"), 4, "medium", 40, expect_move_of_medium);
}

/* A bid is written as "bid:" and its number, and every other move is no bid. */
static void games_tell_bids_from_other_moves(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        const struct move_def *bids = game_find_bids(game);
        for (unsigned move = 0; move <= UINT8_MAX; move++) {
            struct text words = TEXT_OF(MOVE_TEXT_MAX);
            struct text number = TEXT_OF(MOVE_TEXT_MAX);
            game_move_write(game, (uint8_t)move, &words);
            bool is_bid = bids != NULL && game_find_kind(game, (uint8_t)move) == bids;
            assert_int_equal(strncmp(words.at, "bid:", 4) == 0, is_bid);
            if (is_bid) {
                text_put_number(&number, move - bids->first);
                assert_string_equal(strchr(words.at, ':') + 1, number.at);
            }
        }
    }
}

/* A prediction is written as "predict:" and its numbers. */
static void the_net_reads_the_numbers_of_a_prediction(void **unused)
{
    (void)unused;
    const struct game_def *game = game_find("suppose");
    for (unsigned move = 0; move <= UINT8_MAX; move++) {
        struct text words = TEXT_OF(MOVE_TEXT_MAX);
        struct text numbers = TEXT_OF(MOVE_TEXT_MAX);
        uint8_t tricks[2];
        game_move_write(game, (uint8_t)move, &words);
        if (strncmp(words.at, "predict:", 8) != 0) {
            continue;
        }
        uint8_t number = (uint8_t)(move - game_find_kind(game, (uint8_t)move)->first);
        uint8_t count = game->encode->list_tricks(number, tricks);
        for (uint8_t i = 0; i < count; i++) {
            text_put(&numbers, i == 0 ? "" : ",");
            text_put_number(&numbers, tricks[i]);
        }
        assert_string_equal(strchr(words.at, ':') + 1, numbers.at);
    }
}

TEST_GROUP(policy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medium_bots_make_the_move_that_the_net_likes_best),
        cmocka_unit_test(easy_bots_make_many_small_errors_and_no_large_ones),
        cmocka_unit_test(bots_that_do_not_search_gain_nothing_from_the_true_deal),
        cmocka_unit_test(without_a_net_that_fits_every_policy_makes_any_legal_move),
        cmocka_unit_test(only_strong_bots_search),
        cmocka_unit_test(without_memory_strong_bots_play_like_medium_ones),
        cmocka_unit_test(games_tell_bids_from_other_moves),
        cmocka_unit_test(the_net_reads_the_numbers_of_a_prediction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
