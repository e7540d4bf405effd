#include "games/bots/bots.h"

#include "games/card.h"
#include "games/suppose/suppose.h"
#include "tests/environment.h"
#include "tests/games/bots/positions.h"
#include "tests/games/random_play.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#define PLAYOUTS 40
#define STARTS_MAX 1000

static struct search *search;

static int set_up(void **state)
{
    (void)state;
    search = calloc(1, sizeof *search);
    assert_non_null(search);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(search);
    return 0;
}

static uint8_t search_with(const struct game_view *view, const struct game_config *config,
                           uint64_t seed, uint32_t playouts)
{
    struct quick_random random;
    quick_random_init(&random, seed);
    return search_choose_move(search, view, config, &random, playouts);
}

/* Visits views of every game. */
static void visit(unsigned moves,
                  void (*check)(const struct game_view *view, const struct game_config *config,
                                const struct game_state *state))
{
    for (uint8_t i = 0; i < game_count(); i++) {
        if (game_at(i)->encode == NULL) {
            continue; /* its bots choose random moves */
        }
        const struct game_def *game = game_at(i);
        positions_visit(game, game->seats_min, "easy", moves, check);
        positions_visit(game, game->seats_max, "easy", moves, check);
    }
}

static void expect_legal(const struct game_view *view, const struct game_config *config,
                         const struct game_state *state)
{
    (void)state;
    assert_true(move_set_has(&view->legal, search_with(view, config, 1, PLAYOUTS)));
}

static void a_search_makes_only_legal_moves_in_every_game(void **state)
{
    (void)state;
    visit((unsigned)environment_share(80), expect_legal);
}

static void expect_same_move_again(const struct game_view *view, const struct game_config *config,
                                   const struct game_state *state)
{
    (void)state;
    uint8_t first = search_with(view, config, 5, PLAYOUTS);
    memset(search, 0xA5, sizeof *search); /* whatever an earlier search left */
    assert_int_equal(search_with(view, config, 5, PLAYOUTS), first);
}

static void the_same_view_and_random_numbers_give_the_same_move(void **state)
{
    (void)state;
    visit(25, expect_same_move_again);
}

/* Another state that the seat cannot tell from this one gives the same view, and so the same move.
 */
static void expect_same_move_in_another_deal(const struct game_view *view,
                                             const struct game_config *config,
                                             const struct game_state *state)
{
    static struct game_view other;
    struct game_state imagined;
    struct quick_random random;
    (void)state;
    quick_random_init(&random, 9);
    assert_int_equal(game_sample_state(view, config, &random, &imagined), GAME_OK);
    game_fill_view(view->game, &imagined, view->seat, &other);
    assert_int_equal(search_with(&other, config, 3, PLAYOUTS),
                     search_with(view, config, 3, PLAYOUTS));
}

static void a_search_knows_no_more_than_its_seat(void **state)
{
    (void)state;
    visit(25, expect_same_move_in_another_deal);
}

static void expect_choices(const struct game_view *view, const struct game_config *config,
                           const struct game_state *state)
{
    static struct search_choice choices[MOVES_MAX];
    (void)state;
    uint8_t best = search_with(view, config, 7, PLAYOUTS);
    uint8_t count = search_list_choices(search, view, choices);
    uint8_t legal = move_set_count(&view->legal);
    assert_int_equal(count, legal == 1 ? 0 : legal < SEARCH_MOVES_MAX ? legal : SEARCH_MOVES_MAX);
    struct move_set listed = move_set_empty();
    uint32_t visits = 0;
    for (uint8_t i = 0; i < count; i++) {
        assert_true(move_set_has(&view->legal, choices[i].move));
        assert_false(move_set_has(&listed, choices[i].move));
        move_set_add(&listed, choices[i].move);
        assert_true(choices[i].visits > 0);
        assert_true(i == 0 || choices[i].visits <= choices[i - 1].visits);
        visits += choices[i].visits;
    }
    assert_true(count == 0 || choices[0].move == best);
    assert_true(visits <= PLAYOUTS);
}

static void the_choices_of_a_search_are_listed_from_the_best_on(void **state)
{
    (void)state;
    visit(25, expect_choices);
}

static void a_forced_move_is_made_without_a_search(void **state)
{
    (void)state;
    static struct game_view view;
    const struct game_def *game = game_find("oh-hell");
    struct game_config config = game_config_default(game, 3);
    struct search_choice choices[MOVES_MAX];
    struct quick_random random = {{1, 2, 3, 4}};
    const struct quick_random before = random;
    positions_first_view(game, &config, 1, &view);
    (void)search_with(&view, &config, 1, PLAYOUTS);
    uint8_t move = move_set_next(&view.legal, 0);
    view.legal = move_set_empty();
    move_set_add(&view.legal, move);
    assert_int_equal(search_choose_move(search, &view, &config, &random, PLAYOUTS), move);
    assert_memory_equal(&random, &before, sizeof random);
    assert_int_equal(search_list_choices(search, &view, choices), 0);
}

static void a_view_that_no_deal_fits_is_not_searched(void **state)
{
    (void)state;
    static struct game_view view;
    const struct game_def *game = game_find("oh-hell");
    struct game_config config = game_config_default(game, 4);
    struct search_choice choices[MOVES_MAX];
    positions_first_view(game, &config, 1, &view);
    uint8_t seat = (uint8_t)view.seat;
    view.hands[seat][0].card = view.hands[seat][1].card; /* the same card twice */
    assert_int_equal(search_with(&view, &config, 1, PLAYOUTS), MOVE_NONE);
    assert_int_equal(search_list_choices(search, &view, choices), 0);
}

static void a_game_without_a_net_is_not_searched(void **state)
{
    (void)state;
    static struct game_view view;
    struct game_def game = *game_find("oh-hell");
    struct game_config config = game_config_default(&game, 4);
    struct search_choice choices[MOVES_MAX];
    game.id = "another";
    positions_first_view(&game, &config, 1, &view);
    assert_int_equal(search_with(&view, &config, 1, PLAYOUTS), MOVE_NONE);
    assert_int_equal(search_list_choices(search, &view, choices), 0);
}

static void the_points_of_a_choice_are_points_of_one_round(void **state)
{
    (void)state;
    static struct game_view view;
    static struct search_choice choices[MOVES_MAX];
    const struct game_def *game = game_find("oh-hell");
    struct game_config config = game_config_default(game, 3);
    positions_first_view(game, &config, 3, &view);
    (void)search_with(&view, &config, 1, PLAYOUTS);
    uint8_t count = search_list_choices(search, &view, choices);
    float high = 0;
    assert_true(count > 1);
    for (uint8_t i = 0; i < count; i++) {
        /* no round of Oh Hell gives more than 10 points and one for each trick */
        assert_true(choices[i].points > -10 - SLOTS_MAX && choices[i].points < 10 + SLOTS_MAX);
        high = choices[i].points > high ? choices[i].points : high;
    }
    assert_true(high > 1);
}

/* How many points a search expects of bidding 1 with a single card, after the first of three
 * players has bid so many. */
static float expect_points_of_bidding(uint64_t seed, uint8_t first_bid)
{
    static struct game_view view;
    static struct search_choice choices[MOVES_MAX];
    const struct game_def *game = game_find("oh-hell");
    struct game_config config = game_config_default(game, 3);
    struct game_state dealt;
    assert_true(game_config_set(game, &config, "length", "short-up"));
    positions_start(game, &config, seed, &dealt);
    uint8_t bidder = bits_index_of_lowest(game_seats_to_act(&dealt));
    uint8_t bid = game_move_parse(game, first_bid == 0 ? "bid:0" : "bid:1");
    assert_int_equal(game_apply(game, &dealt, bidder, bid, NULL), GAME_OK);
    positions_view(game, &dealt, &view);
    (void)search_with(&view, &config, 1, SEARCH_PLAYOUTS);
    uint8_t count = search_list_choices(search, &view, choices);
    for (uint8_t i = 0; i < count; i++) {
        if (choices[i].move == game_move_parse(game, "bid:1")) {
            return choices[i].points;
        }
    }
    fail_msg("a bid of 1 is tried");
    return 0;
}

/* With one card each, only what bids tell of the cards makes a difference. */
static void who_bids_more_is_imagined_with_better_cards(void **state)
{
    (void)state;
    float after_none = 0, after_one = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        after_none += expect_points_of_bidding(seed, 0) / 12;
        after_one += expect_points_of_bidding(seed, 1) / 12;
    }
    print_message("points of bidding 1 after 0: %.1f, after 1: %.1f\n", (double)after_none,
                  (double)after_one);
    assert_true(after_none > after_one + 0.5F);
}

/* A game that notes in which states the moves that a search tries are made, and changes what they
 * are worth. */
static struct {
    struct game_def game;
    const struct game_def *original;
    uint16_t step; /* of the view that is searched */
    uint8_t seat;
    int16_t gains[MOVES_MAX]; /* points that the seat gets for each move at once */
    unsigned starts;          /* moves tried */
    uint8_t moves[STARTS_MAX];
    struct game_state states[STARTS_MAX];
} noted;

static void note_and_apply(void *state, uint8_t seat, uint8_t move, const struct game_log *log)
{
    struct table_state *table = state;
    bool is_start = table->step == noted.step + 1 && seat == noted.seat;
    if (is_start && noted.starts < STARTS_MAX) {
        noted.moves[noted.starts] = move;
        memcpy(noted.states[noted.starts++].bytes, state, noted.game.state_size);
    }
    if (is_start) {
        table->scores[seat] = (int16_t)(table->scores[seat] + noted.gains[move]);
    }
    noted.original->apply(state, seat, move, log);
}

/* Makes the view one of the noted game; then `starts` is 0. */
static void note_from(struct game_view *view)
{
    memset(&noted, 0, sizeof noted);
    noted.original = view->game;
    noted.game = *view->game;
    noted.game.apply = note_and_apply;
    noted.step = view->step;
    noted.seat = (uint8_t)view->seat;
    view->game = &noted.game;
}

/* The first view of the noted game. */
static void note_first_view(const char *id, uint8_t players, uint64_t seed,
                            struct game_config *config, struct game_view *view)
{
    const struct game_def *game = game_find(id);
    *config = game_config_default(game, players);
    positions_first_view(game, config, seed, view);
    note_from(view);
}

static bool states_are_equal(unsigned one, unsigned other)
{
    return memcmp(noted.states[one].bytes, noted.states[other].bytes, noted.game.state_size) == 0;
}

static void all_moves_are_tried_in_the_same_deals(void **state)
{
    (void)state;
    static struct game_view view;
    struct game_config config;
    note_first_view("oh-hell", 4, 1, &config, &view);
    (void)search_with(&view, &config, 1, SEARCH_PLAYOUTS);
    struct search_choice choices[MOVES_MAX];
    uint8_t count = search_list_choices(search, &view, choices);
    assert_int_equal(count, SEARCH_MOVES_MAX);
    uint32_t deals = choices[count - 1].visits; /* in which all of them were tried */
    assert_in_range(deals, 2, STARTS_MAX / count - 1);
    for (unsigned start = 0; start < deals * count; start++) {
        assert_int_equal(noted.moves[start], noted.moves[start % count]);
        assert_true(states_are_equal(start, start - start % count));
        assert_true(start < count || !states_are_equal(start, start - count));
    }
}

/* In this game everybody predicts what the net prefers. The search imagines the true deal, but
 * knows nothing of the others' predictions. */
static void expect_true_predictions(const struct game_view *view, const struct game_config *config,
                                    const struct game_state *state)
{
    static struct game_view noted_view;
    const struct suppose *true_state = (const void *)state->bytes;
    struct game_state forgotten = *state;
    struct suppose *forgetful = (void *)forgotten.bytes;
    if (view->phase != SUPPOSE_PLAY) {
        return;
    }
    noted_view = *view;
    note_from(&noted_view);
    noted.game.sample = positions_sample_truth;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        forgetful->predicted[seat] = seat == noted.seat ? forgetful->predicted[seat] : 0;
    }
    positions_truth = &forgotten;
    (void)search_with(&noted_view, config, 1, PLAYOUTS);
    assert_true(noted.starts > 0);
    const struct suppose *imagined = (const void *)noted.states[0].bytes;
    assert_memory_equal(imagined->predicted, true_state->predicted, view->seats);
}

static void others_are_imagined_to_bid_in_secret_what_the_net_prefers(void **state)
{
    (void)state;
    positions_visit(game_find("suppose"), 3, "medium", 6 + 15, expect_true_predictions);
    positions_visit(game_find("suppose"), 4, "medium", 8 + 15, expect_true_predictions);
}

/* Returns the place of a move in the list of what the last search tried. */
static uint8_t find_place(const struct game_view *view, uint8_t move,
                          struct search_choice choices[MOVES_MAX])
{
    uint8_t count = search_list_choices(search, view, choices);
    uint8_t place = 0;
    while (place < count && choices[place].move != move) {
        place++;
    }
    assert_true(place < count);
    return place;
}

static void a_move_that_play_outs_show_to_be_better_or_worse_is_found(void **state)
{
    (void)state;
    static struct game_view view;
    static struct search_choice choices[MOVES_MAX];
    struct game_config config;
    note_first_view("oh-hell", 4, 2, &config, &view);
    uint8_t best = search_with(&view, &config, 1, SEARCH_PLAYOUTS);
    uint8_t count = search_list_choices(search, &view, choices);
    uint8_t worst = choices[count - 1].move;
    float before = choices[count - 1].points;

    noted.gains[worst] = 600;
    assert_int_equal(search_with(&view, &config, 1, SEARCH_PLAYOUTS), worst);
    assert_int_equal(find_place(&view, worst, choices), 0);
    assert_true(choices[0].points > before + 400);
    assert_true(choices[0].visits > choices[count / 2].visits);

    noted.gains[worst] = 0;
    noted.gains[best] = -600;
    assert_int_not_equal(search_with(&view, &config, 1, SEARCH_PLAYOUTS), best);
    assert_int_equal(find_place(&view, best, choices), count - 1);
}

static void the_worse_half_is_dropped_and_the_better_half_tried_on(void **state)
{
    (void)state;
    static struct game_view view;
    static struct search_choice choices[MOVES_MAX];
    struct game_config config;
    note_first_view("oh-hell", 4, 3, &config, &view);
    struct move_set tried = move_set_empty();
    (void)search_with(&view, &config, 1, SEARCH_PLAYOUTS);
    uint8_t count = search_list_choices(search, &view, choices);
    for (uint8_t i = 0; i < count; i++) {
        move_set_add(&tried, choices[i].move);
    }
    for (uint8_t i = 0; i < count; i++) {
        noted.gains[move_set_nth(&tried, i)] = (int16_t)(2000 * i);
    }
    (void)search_with(&view, &config, 1, SEARCH_PLAYOUTS);
    assert_int_equal(search_list_choices(search, &view, choices), count);
    for (uint8_t i = 0; i < count; i++) {
        assert_int_equal(choices[i].move, move_set_nth(&tried, (uint8_t)(count - 1 - i)));
    }
    for (uint8_t left = count; left > 2; left = (uint8_t)((left + 1) / 2)) {
        uint8_t kept = (uint8_t)((left + 1) / 2);
        assert_int_equal(choices[kept].visits, choices[left - 1].visits);
        assert_true(choices[kept - 1].visits > choices[kept].visits);
    }
}

static uint32_t count_playouts(const struct game_view *view, const struct game_config *config,
                               uint32_t limit)
{
    struct search_choice choices[MOVES_MAX];
    struct quick_random random;
    uint32_t sum = 0;
    quick_random_init(&random, 1);
    (void)policy_choose_move(policy_find("strong"), search, view, config, &random, limit);
    uint8_t count = search_list_choices(search, view, choices);
    for (uint8_t i = 0; i < count; i++) {
        sum += choices[i].visits;
    }
    return sum;
}

/* The play-outs of the second-last trick are short, so that their number is not limited otherwise.
 */
static void a_limit_lets_a_policy_search_less_but_never_more(void **state)
{
    (void)state;
    static struct game_view view;
    const struct game_def *game = game_find("oh-hell");
    struct game_config config = game_config_default(game, 3);
    struct game_state game_state;
    struct quick_random random;
    uint64_t seed = 0;
    do { /* until the player who leads with two cards left has a choice */
        quick_random_init(&random, seed);
        positions_start(game, &config, seed++, &game_state);
        do {
            positions_view(game, &game_state, &view);
            uint8_t move =
                policy_choose_move(policy_find("medium"), NULL, &view, &config, &random, 0);
            assert_int_equal(game_apply(game, &game_state, (uint8_t)view.seat, move, NULL),
                             GAME_OK);
            positions_view(game, &game_state, &view);
        } while (view.past_count + 2 < view.slot_count[0] || view.trick.count > 0);
    } while (move_set_count(&view.legal) < 2);
    uint32_t own = policy_playouts(policy_find("strong"));
    uint32_t made = count_playouts(&view, &config, 0);
    assert_in_range(made, own * 9 / 10, own);
    assert_in_range(count_playouts(&view, &config, 50), 45, 50);
    assert_int_equal(count_playouts(&view, &config, own + 1), made);
    assert_int_equal(count_playouts(&view, &config, 1), 0);
    assert_in_range(count_playouts(&view, &config, 2), 1, 2);
}

static uint8_t winning_seats;

static void name_winners(const void *state, struct game_outcome *outcome)
{
    (void)state;
    *outcome = (struct game_outcome){.winners = winning_seats};
}

/* Returns the mean of what the play-outs of the last search's best move were worth. */
static float find_worth_of_best(void)
{
    return search->moves[0].total / (float)search->moves[0].visits;
}

static void a_win_counts_in_the_last_round_and_not_before(void **state)
{
    (void)state;
    for (uint8_t round = 1; round <= 2; round++) {
        static struct game_view view;
        struct game_def game = *game_find("heckin-hounds");
        struct game_config config = game_config_default(&game, 2); /* two rounds */
        struct game_state table;
        struct quick_random random;
        quick_random_init(&random, 1);
        game.score = name_winners;
        positions_start(&game, &config, 1, &table);
        do {
            positions_view(&game, &table, &view);
        } while (view.round < round && random_play(&game, &table, &random, 1, NULL) == 1);
        float worths[2];
        for (uint8_t is_won = 0; is_won < 2; is_won++) {
            winning_seats = (uint8_t)(is_won ? 1U << view.seat : 0U);
            (void)search_with(&view, &config, 1, 1 + move_set_count(&view.legal));
            worths[is_won] = find_worth_of_best();
        }
        float gain = round == 2 ? game.encode->goal.win_worth : 0;
        assert_float_equal(worths[1] - worths[0], gain, 1e-3);
    }
}

static const struct encode_traits *counted_traits;
static unsigned rated; /* positions that the net has looked at */

static void count_and_add(const void *state, struct encoding *out)
{
    rated++;
    counted_traits->add(state, out);
}

static void long_play_outs_are_fewer(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        if (game_at(i)->encode == NULL) {
            continue; /* its bots choose random moves */
        }
        static struct game_view view;
        struct game_def game = *game_at(i);
        struct encode_traits traits = *game.encode;
        struct game_config config = game_config_default(&game, game.seats_max);
        counted_traits = game.encode;
        traits.add = count_and_add;
        game.encode = &traits;
        positions_first_view(&game, &config, 1, &view);
        rated = 0;
        uint32_t playouts = count_playouts(&view, &config, 0);
        print_message("%s: %u play-outs, %u decisions\n", game.id, playouts, rated);
        assert_true(playouts > 0 && playouts < SEARCH_PLAYOUTS);
        /* a deal that was begun is played for all moves */
        assert_in_range(rated, 2, SEARCH_DECISIONS + rated / playouts * SEARCH_MOVES_MAX * 2);
    }
}

/* Returns how many of the games the strong player among medium ones wins. */
static double count_wins(const struct game_def *game, uint8_t players, unsigned games)
{
    static struct game_view view;
    static struct game_outcome outcome;
    struct game_config config = game_config_short(game);
    struct quick_random random;
    double wins = 0;
    config.players = players;
    quick_random_init(&random, 1);
    for (unsigned i = 0; i < games; i++) {
        struct game_state state;
        positions_start(game, &config, i / players, &state);
        while (game_seats_to_act(&state) != 0) {
            positions_view(game, &state, &view);
            const char *policy = (unsigned)view.seat == i % players ? "strong" : "medium";
            uint8_t move =
                policy_choose_move(policy_find(policy), search, &view, &config, &random, 0);
            assert_int_equal(game_apply(game, &state, (uint8_t)view.seat, move, NULL), GAME_OK);
        }
        game_fill_outcome(game, &state, &outcome);
        wins += (outcome.winners >> (i % players) & 1) != 0 ? 1.0 / bits_count(outcome.winners) : 0;
    }
    print_message("%s, %u players: strong wins %.1f of %u\n", game->id, players, wins, games);
    return wins;
}

static void strong_players_win_more_games_than_medium_ones(void **state)
{
    (void)state;
    /* It wins 60 % of the games: chance hardly makes it less than a quarter. */
    unsigned games = (unsigned)environment_share(20);
    assert_true(count_wins(game_find("hund"), 3, games) >= games * 0.25);
}

TEST_GROUP(search)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_makes_only_legal_moves_in_every_game),
        cmocka_unit_test(the_same_view_and_random_numbers_give_the_same_move),
        cmocka_unit_test(a_search_knows_no_more_than_its_seat),
        cmocka_unit_test(the_choices_of_a_search_are_listed_from_the_best_on),
        cmocka_unit_test(a_forced_move_is_made_without_a_search),
        cmocka_unit_test(a_view_that_no_deal_fits_is_not_searched),
        cmocka_unit_test(a_game_without_a_net_is_not_searched),
        cmocka_unit_test(the_points_of_a_choice_are_points_of_one_round),
        cmocka_unit_test(who_bids_more_is_imagined_with_better_cards),
        cmocka_unit_test(all_moves_are_tried_in_the_same_deals),
        cmocka_unit_test(others_are_imagined_to_bid_in_secret_what_the_net_prefers),
        cmocka_unit_test(a_move_that_play_outs_show_to_be_better_or_worse_is_found),
        cmocka_unit_test(the_worse_half_is_dropped_and_the_better_half_tried_on),
        cmocka_unit_test(a_limit_lets_a_policy_search_less_but_never_more),
        cmocka_unit_test(a_win_counts_in_the_last_round_and_not_before),
        cmocka_unit_test(long_play_outs_are_fewer),
        cmocka_unit_test(strong_players_win_more_games_than_medium_ones),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
