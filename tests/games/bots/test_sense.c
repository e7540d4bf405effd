#include "games/bots/bots.h"
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
#define WATCHED "_watched.txt" /* ends the names of these files */

/* How many percent of the choices may be senseless. What is wanted is none of `medium`, and 2 % of
 * `easy`. These limits are what their nets reach: a new net must not be worse, and lowers them if
 * it is better. Where people watched, they are higher: all of these positions are there because a
 * bot has made the senseless move. */
struct limits {
    double elsewhere, watched;
};

/* What a policy did in all positions, by the game's index. */
struct tally {
    const char *policy;
    uint64_t seed, seeds; /* the first seed, and how many of them are tried */
    unsigned positions[GAMES_MAX];
    unsigned failed[GAMES_MAX];        /* positions in which it made a senseless move */
    unsigned choices[2], senseless[2]; /* elsewhere, and where people watched */
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
        if (game_at(i)->encode == NULL) {
            continue; /* its bots choose random moves */
        }
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
    bool is_watched = strstr(position->file, WATCHED) != NULL;
    tally->choices[is_watched] += (unsigned)tally->seeds;
    tally->senseless[is_watched] += senseless;
}

/* Lets the policy choose in all positions, with each seed. */
static void expect_few(const char *policy, uint64_t seed, uint64_t seeds, struct limits limits)
{
    struct tally tally = {.policy = policy, .seed = seed, .seeds = seeds};
    sense_positions_visit(find_folder(), count_senseless_moves, &tally);
    for (uint8_t i = 0; i < game_count(); i++) {
        print_message("%s, %s: senseless in %u of %u positions\n", policy, game_at(i)->id,
                      tally.failed[i], tally.positions[i]);
    }
    print_message("%s: %u of %u choices were senseless, and %u of %u where people watched\n",
                  policy, tally.senseless[0], tally.choices[0], tally.senseless[1],
                  tally.choices[1]);
    assert_true(100.0 * tally.senseless[0] <= limits.elsewhere * tally.choices[0]);
    assert_true(100.0 * tally.senseless[1] <= limits.watched * tally.choices[1]);
}

static void medium_bots_make_hardly_a_senseless_move(void **unused)
{
    (void)unused;
    expect_few("medium", 1, 1, (struct limits){2.2, 22});
}

static void strong_bots_make_hardly_a_senseless_move(void **unused)
{
    (void)unused;
    expect_few("strong", 1, 1, (struct limits){0, 2});
}

static void strong_bots_make_hardly_one_with_other_random_numbers(void **unused)
{
    (void)unused;
    expect_few("strong", 2, 1, (struct limits){0, 4});
}

static void easy_bots_make_few_senseless_moves(void **unused)
{
    (void)unused;
    expect_few("easy", 1, EASY_SEEDS, (struct limits){4.0, 26});
}

TEST_GROUP(sense)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_many_positions_of_every_game_and_a_sensible_move_in_each),
        cmocka_unit_test(medium_bots_make_hardly_a_senseless_move),
        cmocka_unit_test(strong_bots_make_hardly_a_senseless_move),
        cmocka_unit_test(strong_bots_make_hardly_one_with_other_random_numbers),
        cmocka_unit_test(easy_bots_make_few_senseless_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
