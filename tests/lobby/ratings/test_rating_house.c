#include "lobby/ratings/ratings.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Checks that ratings find the true order of 60 players with known strengths, each of whom plays at
 * least 40 games. Strength and luck decide each game; luck is drawn as the rating model assumes it
 * (logistic, with width beta). RATING_HOUSE_SEED=7 tries another set of players. */

#define PEOPLE 60
#define GAMES_EACH 40
#define RANK_CORRELATION_MIN 0.9

struct person {
    double strength;
    struct rating rating;
    int games;
};

static double draw_random_fraction(uint64_t *random)
{
    *random ^= *random >> 12;
    *random ^= *random << 25;
    *random ^= *random >> 27;
    return (double)((*random * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

/* Returns the player with the fewest games so far who is not seated; chance decides between
 * equals. */
static size_t choose_player_with_fewest_games(struct person *people, const size_t *seated,
                                              size_t count, uint64_t *random)
{
    size_t best = PEOPLE;
    double least = HUGE_VAL;

    for (size_t i = 0; i < PEOPLE; i++) {
        const double order = people[i].games + draw_random_fraction(random);
        bool is_free = true;
        for (size_t s = 0; s < count; s++) {
            is_free &= seated[s] != i;
        }
        if (is_free && order < least) {
            least = order;
            best = i;
        }
    }
    return best;
}

static void play_game(struct person *people, size_t count, uint64_t *random)
{
    const struct rating_model model = rating_model_default();
    size_t seated[SEATS_MAX];
    double shown[SEATS_MAX];
    struct rating_player players[SEATS_MAX];
    struct rating_update updates[SEATS_MAX];

    for (size_t i = 0; i < count; i++) {
        const double luck = draw_random_fraction(random) * 0.9998 + 0.0001;
        seated[i] = choose_player_with_fewest_games(people, seated, i, random);
        shown[i] = people[seated[i]].strength + model.beta * log(luck / (1.0 - luck));
    }
    for (size_t i = 0; i < count; i++) {
        players[i] = (struct rating_player){.before = people[seated[i]].rating, .rank = 1};
        for (size_t q = 0; q < count; q++) {
            players[i].rank = (uint8_t)(players[i].rank + (shown[q] > shown[i]));
        }
    }
    rating_update(&model, players, count, NULL, updates);
    for (size_t i = 0; i < count; i++) {
        people[seated[i]].rating = updates[i].after;
        people[seated[i]].games++;
    }
}

/* Returns Spearman's rank correlation between strengths and ratings. No two values are equal. */
static double compute_rank_correlation(const struct person *people)
{
    double sum = 0.0;

    for (size_t i = 0; i < PEOPLE; i++) {
        double difference = 0.0;
        for (size_t q = 0; q < PEOPLE; q++) {
            difference += people[q].strength > people[i].strength;
            difference -= people[q].rating.mu > people[i].rating.mu;
        }
        sum += difference * difference;
    }
    return 1.0 - 6.0 * sum / (PEOPLE * (PEOPLE * PEOPLE - 1.0));
}

static double measure_rank_correlation(uint64_t seed)
{
    struct person people[PEOPLE];
    uint64_t random = UINT64_C(88172645463325252) + seed * UINT64_C(11400714819323198485);
    int least = 0;

    for (size_t i = 0; i < PEOPLE; i++) {
        /* Strengths are spread evenly from 833 to 2167 points: two standard deviations of a
         * newcomer's rating each way. */
        const double share = ((double)i + draw_random_fraction(&random)) / PEOPLE;
        people[i] =
            (struct person){.strength = 25.0 + 100.0 / 3.0 * (share - 0.5), .rating = rating_new()};
    }
    while (least < GAMES_EACH) {
        play_game(people, 3 + (size_t)(draw_random_fraction(&random) * 3.0), &random);
        least = people[0].games;
        for (size_t i = 1; i < PEOPLE; i++) {
            least = people[i].games < least ? people[i].games : least;
        }
    }
    return compute_rank_correlation(people);
}

static void ratings_put_sixty_players_in_their_true_order_after_40_games(void **state)
{
    const char *other = getenv("RATING_HOUSE_SEED");
    const uint64_t first = other == NULL ? 1 : strtoull(other, NULL, 10);

    (void)state;
    for (uint64_t seed = first; seed < first + 5; seed++) {
        const double correlation = measure_rank_correlation(seed);
        print_message("house %llu: rank correlation %.3f\n", (unsigned long long)seed, correlation);
        assert_true(correlation >= RANK_CORRELATION_MIN);
    }
}

TEST_GROUP(rating_house)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratings_put_sixty_players_in_their_true_order_after_40_games),
    };

    return cmocka_run_group_tests_name("rating_house", tests, NULL, NULL);
}
