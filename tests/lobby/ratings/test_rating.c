#include "lobby/ratings/ratings.h"
#include "tests/unit.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void assert_close(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance)) {
        print_error("%.17g is not within %g of %.17g\n", actual, tolerance, expected);
        fail();
    }
}

static double read_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    assert_true(json_is_number(value));
    return json_number_value(value);
}

/* Returns true if the vector's rating changes are summed over the opponents, as in published
 * vectors (`scale` is 1). Returns false if they are the mean over the opponents, as in this house
 * (`scale` is 1/(n − 1)). */
static bool changes_are_summed_over_opponents(const json_t *vector, size_t count)
{
    const double scale = read_number(vector, "scale");

    if (fabs(scale - 1.0 / (double)(count - 1)) < 1e-12) {
        return false;
    }
    assert_close(scale, 1.0, 0.0);
    return true;
}

static void check_test_vector(const json_t *vector)
{
    const json_t *prior = json_object_get(vector, "prior");
    const json_t *ranks = json_object_get(vector, "ranks");
    const json_t *expect = json_object_get(vector, "expect");
    const size_t count = json_array_size(prior);
    struct rating_player players[SEATS_MAX];
    struct rating_update updates[SEATS_MAX];

    assert_in_range(count, 2, SEATS_MAX);
    const struct rating_model model = {
        .beta = read_number(vector, "beta"),
        .tau = read_number(vector, "tau"),
        .kappa = read_number(vector, "kappa"),
        .is_sum = changes_are_summed_over_opponents(vector, count),
    };
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(prior, i);
        players[i] = (struct rating_player){
            .before = {json_number_value(json_array_get(pair, 0)),
                       json_number_value(json_array_get(pair, 1))},
            .rank = (uint8_t)json_integer_value(json_array_get(ranks, i)),
        };
    }
    rating_update(&model, players, count, NULL, updates);
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(expect, i);
        assert_close(updates[i].after.mu, json_number_value(json_array_get(pair, 0)), 1e-9);
        assert_close(updates[i].after.sigma, json_number_value(json_array_get(pair, 1)), 1e-9);
    }
}

static void ratings_match_the_published_test_vectors_and_our_own(void **state)
{
    char path[4096];
    json_error_t error;
    size_t i;
    json_t *vector;

    (void)state;
    const char *root = getenv("SOURCE_DIR");
    assert_non_null(root);
    const int len = snprintf(path, sizeof path, "%s/tests/lobby/data/ratings-vectors.json", root);
    assert_in_range(len, 1, sizeof path - 1);
    json_t *vectors = json_load_file(path, 0, &error);
    assert_non_null(vectors);
    assert_int_equal(json_array_size(vectors), 15);
    json_array_foreach(vectors, i, vector)
    {
        check_test_vector(vector);
    }
    json_decref(vectors);
}

static const struct rating_player four[] = {
    {.before = {29.0, 4.0}, .rank = 2},
    {.before = {25.0, 25.0 / 3.0}, .rank = 1},
    {.before = {21.5, 5.0}, .rank = 4},
    {.before = {27.0, 6.0}, .rank = 2},
};

static void rating_changes_per_opponent_add_up_to_the_whole_change(void **state)
{
    struct rating_update updates[4];
    const struct rating_model model = rating_model_default();

    (void)state;
    rating_update(&model, four, 4, NULL, updates);
    for (size_t i = 0; i < 4; i++) {
        double sum = 0.0;
        for (size_t q = 0; q < 4; q++) {
            sum += updates[i].by[q];
        }
        assert_close(updates[i].after.mu - four[i].before.mu, sum, 1e-12);
        assert_close(updates[i].by[i], 0.0, 0.0);
    }
    assert_true(updates[1].by[0] > 0.0);
    assert_true(updates[0].by[1] < 0.0);
}

static void the_order_of_the_players_does_not_affect_their_ratings(void **state)
{
    struct rating_player turned[4];
    struct rating_update updates[4];
    struct rating_update turned_updates[4];
    const struct rating_model model = rating_model_default();

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        turned[i] = four[3 - i];
    }
    rating_update(&model, four, 4, NULL, updates);
    rating_update(&model, turned, 4, NULL, turned_updates);
    for (size_t i = 0; i < 4; i++) {
        assert_close(updates[i].after.mu, turned_updates[3 - i].after.mu, 1e-12);
        assert_close(updates[i].after.sigma, turned_updates[3 - i].after.sigma, 1e-12);
    }
}

static void a_tie_among_equals_changes_no_rating(void **state)
{
    struct rating_player players[3];
    struct rating_update updates[3];
    const struct rating_model model = rating_model_default();

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        players[i] = (struct rating_player){.before = rating_new(), .rank = 1};
    }
    rating_update(&model, players, 3, NULL, updates);
    for (size_t i = 0; i < 3; i++) {
        assert_close(updates[i].after.mu, 25.0, 1e-12);
        assert_true(updates[i].after.sigma < rating_new().sigma);
    }
}

static void tied_winners_are_rated_above_the_third_place(void **state)
{
    struct rating_player players[4];
    struct rating_update updates[4];
    const struct rating_model model = rating_model_default();
    static const uint8_t ranks[] = {1, 1, 3, 4};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        players[i] = (struct rating_player){.before = rating_new(), .rank = ranks[i]};
    }
    rating_update(&model, players, 4, NULL, updates);
    assert_close(updates[0].after.mu, updates[1].after.mu, 1e-12);
    assert_true(updates[1].after.mu > updates[2].after.mu + 1.0);
    assert_true(updates[2].after.mu > updates[3].after.mu + 1.0);
}

static void a_bot_never_changes_a_persons_rating(void **state)
{
    const struct rating_player with_bots[] = {
        four[0], {.before = {35.0, 2.0}, .rank = 1, .is_bot = true}, four[2]};
    const struct rating_player people[] = {four[0], four[2]};
    struct rating_update mixed[3];
    struct rating_update alone[2];
    const struct rating_model model = rating_model_default();

    (void)state;
    rating_update(&model, with_bots, 3, NULL, mixed);
    rating_update(&model, people, 2, NULL, alone);
    assert_close(mixed[0].after.mu, alone[0].after.mu, 0.0);
    assert_close(mixed[0].after.sigma, alone[0].after.sigma, 0.0);
    assert_close(mixed[2].after.mu, alone[1].after.mu, 0.0);
    assert_close(mixed[0].by[1], 0.0, 0.0);
    assert_true(mixed[1].by[0] > 0.0);
    assert_true(mixed[1].by[2] > 0.0);
}

static void a_person_among_bots_keeps_their_rating(void **state)
{
    const struct rating_player players[] = {four[0],
                                            {.before = {35.0, 2.0}, .rank = 3, .is_bot = true}};
    struct rating_update updates[2];
    const struct rating_model model = rating_model_default();

    (void)state;
    rating_update(&model, players, 2, NULL, updates);
    assert_close(updates[0].after.mu, 29.0, 0.0);
    assert_close(updates[0].after.sigma, 4.0, 0.0);
}

static void
a_game_of_less_weight_changes_ratings_less_and_a_game_of_no_weight_not_at_all(void **state)
{
    struct rating_update whole[4];
    struct rating_update half[4];
    struct rating_update none[4];
    const struct rating_model model = rating_model_default();
    const struct rating_weights no_weights = {.of = {{0.0}}};
    struct rating_weights half_weights;

    (void)state;
    for (size_t i = 0; i < 16; i++) {
        half_weights.of[i / 4][i % 4] = 0.5;
    }
    rating_update(&model, four, 4, NULL, whole);
    rating_update(&model, four, 4, &half_weights, half);
    rating_update(&model, four, 4, &no_weights, none);
    for (size_t i = 0; i < 4; i++) {
        const double moved = whole[i].after.mu - four[i].before.mu;
        assert_close(half[i].after.mu - four[i].before.mu, moved / 2.0, 0.01);
        assert_true(half[i].after.sigma > whole[i].after.sigma);
        assert_close(none[i].after.mu, four[i].before.mu, 0.0);
        assert_close(none[i].after.sigma, four[i].before.sigma, 1e-15);
    }
}

static void an_opponent_of_no_weight_leaves_the_share_of_the_others_unchanged(void **state)
{
    struct rating_update all[4];
    struct rating_update some[4];
    const struct rating_model model = rating_model_default();
    const struct rating_weights weights = {
        .of = {{0, 1, 0, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}}};

    (void)state;
    rating_update(&model, four, 4, NULL, all);
    rating_update(&model, four, 4, &weights, some);
    assert_close(some[0].by[2], 0.0, 0.0);
    assert_close(some[0].by[1], all[0].by[1], 1e-12);
    assert_close(some[2].after.mu, all[2].after.mu, 1e-12);
}

static void who_left_counts_by_the_part_of_the_game_they_played(void **state)
{
    (void)state;
    assert_close(rating_weight_of_leaver(0.0), 0.0, 0.0);
    assert_close(rating_weight_of_leaver(0.33), 0.0, 0.0);
    assert_close(rating_weight_of_leaver(0.34), 0.34, 0.0);
    assert_close(rating_weight_of_leaver(1.0), 1.0, 0.0);
}

static void idle_time_makes_a_rating_less_certain_but_never_lower(void **state)
{
    const struct rating rating = {31.0, 3.0};
    const struct rating later = rating_after_idle(rating, 100 * DAY_MS);

    (void)state;
    assert_close(later.mu, 31.0, 0.0);
    assert_close(later.sigma, sqrt(9.0 + 100.0 * 0.207 * 0.207), 1e-12);
    assert_close(rating_after_idle(rating, 100000 * DAY_MS).sigma, 25.0 / 3.0, 0.0);
    assert_close(rating_after_idle(rating, -1).sigma, 3.0, 0.0);
    assert_close(rating_after_idle((struct rating){25.0, 9.0}, DAY_MS).sigma, 9.0, 0.0);
}

static void a_newcomer_is_shown_as_1500_give_or_take_333(void **state)
{
    (void)state;
    assert_close(rating_points(rating_new().mu), 1500.0, 0.0);
    assert_close(rating_deviation(rating_new().sigma), 1000.0 / 3.0, 1e-9);
    assert_close(rating_points(27.0), 1580.0, 1e-9);
    assert_close(rating_change_in_points(-0.5), -20.0, 1e-12);
}

static void a_rating_is_provisional_before_20_games_or_above_sigma_6_1(void **state)
{
    (void)state;
    assert_true(rating_is_provisional(19, 5.0));
    assert_false(rating_is_provisional(20, 6.1));
    assert_true(rating_is_provisional(200, 6.11));
}

static void a_leaderboard_lists_players_with_30_games_sigma_5_6_and_a_game_in_30_days(void **state)
{
    const int64_t month_ms = 30 * DAY_MS;

    (void)state;
    assert_int_equal(rating_on_leaderboard_until_ms(30, 5.4, 1000), 1000 + month_ms + 1);
    assert_int_equal(rating_on_leaderboard_until_ms(30, 5.6, 1000), 1000 + 1);
    assert_int_equal(rating_on_leaderboard_until_ms(29, 5.4, 1000), 0);
    assert_int_equal(rating_on_leaderboard_until_ms(30, 5.61, 1000), 0);
}

static void repeated_games_of_the_same_people_count_half_then_a_quarter_then_nothing(void **state)
{
    (void)state;
    assert_close(rating_weight_of_repeated_game(0), 1.0, 0.0);
    assert_close(rating_weight_of_repeated_game(1), 0.5, 0.0);
    assert_close(rating_weight_of_repeated_game(2), 0.25, 0.0);
    assert_close(rating_weight_of_repeated_game(3), 0.0, 0.0);
    assert_close(rating_weight_of_repeated_game(UINT32_MAX), 0.0, 0.0);
}

static void the_score_of_a_place_falls_from_1_for_the_first_to_0_for_the_last(void **state)
{
    struct storage_rating_change change = {.players = 5};

    (void)state;
    for (uint8_t rank = 1; rank <= 5; rank++) {
        change.rank = rank;
        assert_close(storage_rating_change_place(&change), (5 - rank) / 4.0, 0.0);
    }
    change.rank = 1;
    change.has_left = true;
    assert_close(storage_rating_change_place(&change), 0.0, 0.0);
}

static void leavers_rank_below_finishers_and_late_leavers_above_early_ones(void **state)
{
    static const struct rating_finish finishes[] = {
        {.rank = 1, .left_for_good = true, .left_step = 10}, {.rank = 4},
        {.rank = 2, .left_for_good = true, .left_step = 40}, {.rank = 3},
        {.rank = 3, .left_for_good = true, .left_step = 10}, {.rank = 3},
    };
    static const uint8_t expected[] = {5, 3, 4, 1, 5, 1};
    uint8_t ranks[6];

    (void)state;
    rating_rank_finishes(finishes, 6, ranks);
    assert_memory_equal(ranks, expected, sizeof expected);
}

/* Idle time before a season makes a player's rating as uncertain as idle time within the season. */
static void a_rating_starts_a_season_with_the_uncertainty_of_the_idle_time_before_it(void **state)
{
    const int32_t season = rating_season_at(INT64_C(1750000000000));
    const int64_t start_ms = rating_season_start_ms(season);
    const int64_t idle_ms = 100 * DAY_MS;
    const struct rating last = {30.0, 5.6};
    const struct storage_rating all_time = {
        .game = "oh-hell", .mu = 30.0, .sigma = 5.6, .rated_ms = start_ms - idle_ms};
    const struct rating expected = rating_at_season_start(rating_after_idle(last, idle_ms));
    const struct storage_rating begun = rated_game_new_season_rating(&all_time, season);

    (void)state;
    assert_close(begun.mu, 27.5, 1e-9);
    assert_close(begun.sigma, expected.sigma, 1e-9);
    assert_true(begun.sigma > rating_at_season_start(last).sigma + 0.3);
    assert_int_equal(begun.rated_ms, start_ms);
}

TEST_GROUP(rating)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratings_match_the_published_test_vectors_and_our_own),
        cmocka_unit_test(rating_changes_per_opponent_add_up_to_the_whole_change),
        cmocka_unit_test(the_order_of_the_players_does_not_affect_their_ratings),
        cmocka_unit_test(a_tie_among_equals_changes_no_rating),
        cmocka_unit_test(tied_winners_are_rated_above_the_third_place),
        cmocka_unit_test(a_bot_never_changes_a_persons_rating),
        cmocka_unit_test(a_person_among_bots_keeps_their_rating),
        cmocka_unit_test(
            a_game_of_less_weight_changes_ratings_less_and_a_game_of_no_weight_not_at_all),
        cmocka_unit_test(an_opponent_of_no_weight_leaves_the_share_of_the_others_unchanged),
        cmocka_unit_test(who_left_counts_by_the_part_of_the_game_they_played),
        cmocka_unit_test(idle_time_makes_a_rating_less_certain_but_never_lower),
        cmocka_unit_test(a_newcomer_is_shown_as_1500_give_or_take_333),
        cmocka_unit_test(a_rating_is_provisional_before_20_games_or_above_sigma_6_1),
        cmocka_unit_test(a_leaderboard_lists_players_with_30_games_sigma_5_6_and_a_game_in_30_days),
        cmocka_unit_test(repeated_games_of_the_same_people_count_half_then_a_quarter_then_nothing),
        cmocka_unit_test(the_score_of_a_place_falls_from_1_for_the_first_to_0_for_the_last),
        cmocka_unit_test(leavers_rank_below_finishers_and_late_leavers_above_early_ones),
        cmocka_unit_test(a_rating_starts_a_season_with_the_uncertainty_of_the_idle_time_before_it),
    };

    return cmocka_run_group_tests_name("rating", tests, NULL, NULL);
}
