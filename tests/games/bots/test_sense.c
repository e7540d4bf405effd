#include "games/bots/policy.h"
#include "tests/games/bots/sense_positions.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Bots never make the senseless moves of the positions in tests/games/bots/sense. Easy bots make
 * few of them.
 */

#define POSITIONS_EACH 30 /* at least so many of every game */
#define GAMES_MAX 16
#define EASY_SEEDS 10
/* What is wanted is none of `medium`, and 2 % of `easy`. These limits are what their nets reach: a
 * new net must not be worse, and lowers them if it is better. */
#define MEDIUM_SENSELESS_PERCENT 2.2
#define EASY_SENSELESS_PERCENT 4.6

/* What a policy did in all positions, by the game's index. */
struct tally {
    const char *policy;
    uint64_t seed, seeds; /* the first seed, and how many of them are tried */
    unsigned positions[GAMES_MAX];
    unsigned failed[GAMES_MAX]; /* positions in which it made a senseless move */
    unsigned choices, senseless;
};

/* The folder with the positions. Other ones can be tried too. */
static const char *find_folder(void)
{
    static char folder[POSITION_PATH_MAX];
    const char *own = getenv("SENSE_FOLDER");
    const char *source = getenv("SOURCE_DIR");
    (void)snprintf(folder, sizeof(folder), "%s/tests/games/bots/sense",
                   source == NULL ? "." : source);
    return own != NULL ? own : folder;
}

static uint8_t find_index(const struct game_def *game)
{
    uint8_t index = 0;
    while (game_at(index) != game) {
        index++;
    }
    assert_true(index < GAMES_MAX);
    return index;
}

static void fill_view(const struct position *position, struct game_view *view)
{
    game_fill_view(position->game, &position->state, (int8_t)position->seat, view);
}

static void check_moves(void *context, const struct position *position)
{
    static struct game_view view;
    struct tally *tally = context;
    assert_true(position->seat < SEATS_MAX);
    fill_view(position, &view);
    tally->positions[find_index(position->game)]++;
    unsigned legal = move_set_count(&view.legal);
    unsigned senseless = move_set_count(&position->never);
    bool are_legal = true;
    for (unsigned i = 0; i < MOVES_MAX / 64; i++) {
        are_legal = are_legal && (position->never.bits[i] & ~view.legal.bits[i]) == 0;
    }
    if (!are_legal || senseless == 0 || senseless >= legal) {
        fail_msg("%s:%u: the senseless moves must be some of the legal ones, not all",
                 position->file, position->line);
    }
}

static void there_are_many_positions_of_every_game_and_a_sensible_move_in_each(void **unused)
{
    (void)unused;
    struct tally tally = {0};
    sense_positions_visit(find_folder(), check_moves, &tally);
    for (uint8_t i = 0; i < game_count(); i++) {
        print_message("%s: %u positions\n", game_at(i)->id, tally.positions[i]);
        assert_true(tally.positions[i] >= POSITIONS_EACH);
    }
}

static uint8_t choose(const struct tally *tally, uint64_t seed, const struct position *position)
{
    static struct search search;
    static struct game_view view;
    struct quick_random random;
    quick_random_init(&random, seed);
    fill_view(position, &view);
    return policy_choose_move(policy_find(tally->policy), &search, &view, &position->config,
                              &random, 0);
}

static void count_senseless_moves(void *context, const struct position *position)
{
    struct tally *tally = context;
    unsigned senseless = 0;
    for (uint64_t i = 0; i < tally->seeds; i++) {
        uint8_t move = choose(tally, tally->seed + i, position);
        if (move_set_has(&position->never, move)) {
            struct text words = TEXT_OF(MOVE_TEXT_MAX);
            game_move_write(position->game, move, &words);
            print_message("%s:%u: %s chose %s: %s\n", position->file, position->line, tally->policy,
                          words.at, position->reason);
            senseless++;
        }
    }
    tally->positions[find_index(position->game)]++;
    tally->failed[find_index(position->game)] += senseless > 0;
    tally->choices += (unsigned)tally->seeds;
    tally->senseless += senseless;
}

/* Lets the policy choose in all positions, with each seed. Returns how many percent of its choices
 * were senseless. */
static double measure(const char *policy, uint64_t seed, uint64_t seeds)
{
    struct tally tally = {.policy = policy, .seed = seed, .seeds = seeds};
    sense_positions_visit(find_folder(), count_senseless_moves, &tally);
    for (uint8_t i = 0; i < game_count(); i++) {
        print_message("%s, %s: senseless in %u of %u positions\n", policy, game_at(i)->id,
                      tally.failed[i], tally.positions[i]);
    }
    print_message("%s: %u of %u choices were senseless\n", policy, tally.senseless, tally.choices);
    return 100.0 * tally.senseless / tally.choices;
}

static void medium_bots_make_hardly_a_senseless_move(void **unused)
{
    (void)unused;
    assert_true(measure("medium", 1, 1) <= MEDIUM_SENSELESS_PERCENT);
}

static void strong_bots_make_no_senseless_move(void **unused)
{
    (void)unused;
    assert_true(measure("strong", 1, 1) == 0);
}

static void strong_bots_make_none_with_other_random_numbers(void **unused)
{
    (void)unused;
    assert_true(measure("strong", 2, 1) == 0);
}

static void easy_bots_make_few_senseless_moves(void **unused)
{
    (void)unused;
    assert_true(measure("easy", 1, EASY_SEEDS) <= EASY_SENSELESS_PERCENT);
}

TEST_GROUP(sense)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_many_positions_of_every_game_and_a_sensible_move_in_each),
        cmocka_unit_test(medium_bots_make_hardly_a_senseless_move),
        cmocka_unit_test(strong_bots_make_no_senseless_move),
        cmocka_unit_test(strong_bots_make_none_with_other_random_numbers),
        cmocka_unit_test(easy_bots_make_few_senseless_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
