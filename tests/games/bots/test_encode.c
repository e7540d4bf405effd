#include "games/bots/bots.h"
#include "games/card.h"
#include "tests/games/property.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#define GAMES 4
#define SAMPLES 3 /* imagined states for each view */
#define ONE_IN 4  /* decisions that are looked at */
#define OUTPUTS_MAX 1024

static int compare_inputs(const void *one, const void *other)
{
    return *(const uint16_t *)one - *(const uint16_t *)other;
}

/* Copies of a card are numbered, but look alike: the order of the inputs may differ. */
static void expect_equal(const struct trial *trial, const struct encoding *one,
                         struct encoding *other)
{
    struct encoding sorted = *one;
    qsort(sorted.active, sorted.count, sizeof sorted.active[0], compare_inputs);
    qsort(other->active, other->count, sizeof other->active[0], compare_inputs);
    trial_expect(trial,
                 sorted.count == other->count &&
                     memcmp(sorted.active, other->active, sorted.count * sizeof sorted.active[0]) ==
                         0,
                 "states that look alike to a seat have the same inputs");
}

/* What a move is worth must not tell what is hidden either. */
static void expect_equal_outputs(const struct trial *trial, const struct encoding *one,
                                 const struct encoding *other, const struct move_set *legal)
{
    for (uint8_t move = move_set_next(legal, 0); move != MOVE_NONE;
         move = move_set_next(legal, move + 1U)) {
        struct encode_outputs outputs = {.count = 0}, others = {.count = 0};
        encode_move(one, move, &outputs);
        encode_move(other, move, &others);
        trial_expect(trial,
                     outputs.count == others.count &&
                         memcmp(outputs.at, others.at, outputs.count * sizeof outputs.at[0]) == 0,
                     "states that look alike to a seat have the same outputs for each move");
    }
}

/* States that fit a seat's view differ only in what the seat may not know. */
static void check_that_hidden_cards_stay_hidden(struct trial *trial)
{
    static struct game_view view;
    struct encoding own, imagined;
    struct game_state state;
    uint8_t seat;
    if (trial->game->encode == NULL) {
        return; /* its bots choose random moves */
    }
    while (trial_choose_seat(trial, &seat)) {
        if (trial_draw_yes_or_no(trial, ONE_IN)) {
            game_fill_view(trial->game, &trial->state, (int8_t)seat, &view);
            encode_state(trial->game, trial->state.bytes, seat, &own);
            for (int i = 0; i < SAMPLES; i++) {
                trial_expect(trial,
                             game_sample_state(&view, &trial->config, &trial->random, &state) ==
                                 GAME_OK,
                             "a state fits the view");
                encode_state(trial->game, state.bytes, seat, &imagined);
                expect_equal(trial, &own, &imagined);
                expect_equal_outputs(trial, &own, &imagined, &view.legal);
            }
        }
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
}

static void inputs_tell_nothing_that_is_hidden(void **state)
{
    (void)state;
    property_run_check(check_that_hidden_cards_stay_hidden, GAMES);
}

/* Whatever happens in a game, the same inputs mean the same: one net fits all of its states. */
static void check_that_the_layout_stays_the_same(struct trial *trial)
{
    struct game_config config = game_config_default(trial->game, trial->game->seats_max);
    struct game_state first;
    struct encoding expected, encoding;
    uint8_t seat;
    if (trial->game->encode == NULL) {
        return; /* its bots choose random moves */
    }
    trial_expect(trial, game_start(trial->game, &config, trial->seed, &first, NULL) == GAME_OK,
                 "a game starts");
    encode_state(trial->game, first.bytes, 0, &expected);
    while (trial_choose_seat(trial, &seat)) {
        encode_state(trial->game, trial->state.bytes, seat, &encoding);
        trial_expect(trial,
                     encoding.layout == expected.layout && encoding.inputs == expected.inputs,
                     "all states have one layout");
        bool are_inputs = encoding.count <= ENCODE_ACTIVE_MAX;
        for (uint16_t i = 0; i < encoding.count; i++) {
            are_inputs = are_inputs && encoding.active[i] < encoding.inputs;
        }
        trial_expect(trial, are_inputs, "what is on is an input");
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
}

static void all_states_of_a_game_have_one_layout(void **state)
{
    (void)state;
    property_run_check(check_that_the_layout_stays_the_same, GAMES);
}

static void check_that_outputs_are_different(struct trial *trial)
{
    uint8_t seat;
    if (trial->game->encode == NULL) {
        return; /* its bots choose random moves */
    }
    while (trial_choose_seat(trial, &seat)) {
        struct move_set legal = move_set_empty();
        struct encoding encoding;
        bool is_taken[OUTPUTS_MAX] = {false};
        game_find_legal_moves(trial->game, &trial->state, seat, &legal);
        encode_state(trial->game, trial->state.bytes, seat, &encoding);
        for (uint8_t move = move_set_next(&legal, 0); move != MOVE_NONE;
             move = move_set_next(&legal, move + 1U)) {
            struct encode_outputs outputs;
            encode_move(&encoding, move, &outputs);
            for (uint8_t i = 0; i < outputs.count; i++) {
                trial_expect(trial, outputs.at[i] < encode_count_outputs(trial->game),
                             "a move has outputs of the net");
            }
            uint16_t own = outputs.at[0];
            trial_expect(trial, outputs.is_pair || !is_taken[own], "moves have different outputs");
            is_taken[own] = is_taken[own] || !outputs.is_pair;
        }
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
}

static void moves_have_outputs_of_their_own(void **state)
{
    (void)state;
    property_run_check(check_that_outputs_are_different, GAMES);
}

/* The first bid of a round, or the last one to be made of several secret ones. */
struct opening {
    struct encoding encoding;
    struct move_set legal;
    uint8_t seat, round, phase;
};

static bool is_first_bid(const struct trial *trial, const struct move_set *legal)
{
    const struct table_state *table = (const void *)trial->state.bytes;
    const struct move_def *kind = game_find_kind(trial->game, move_set_next(legal, 0));
    bool is_first = kind->form == MOVE_BID ||
                    trial->game->encode->moves[kind - trial->game->moves].kind == ENCODE_TRICKS;
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        is_first = is_first && table->bids[seat] == BID_NONE;
    }
    return is_first;
}

/* Secret bids are made at once: until all are made, there is nothing to reopen. */
static bool may_be_reopened(const struct trial *trial, const struct opening *opening)
{
    const struct table_state *table = (const void *)trial->state.bytes;
    return opening->round == table->round &&
           (trial->game->encode->set_bid == NULL || table->phase != opening->phase);
}

static void reopen_and_compare(const struct trial *trial, struct opening *opening)
{
    struct game_state state = trial->state;
    struct encoding again;
    struct move_set legal = move_set_empty();
    trial->game->encode->reopen_bidding(state.bytes);
    game_find_legal_moves(trial->game, &state, opening->seat, &legal);
    encode_state(trial->game, state.bytes, opening->seat, &again);
    trial_expect(trial, memcmp(&legal, &opening->legal, sizeof legal) == 0,
                 "a bidding that is reopened has the same legal moves");
    expect_equal(trial, &again, &opening->encoding);
}

static void check_that_biddings_are_reopened(struct trial *trial)
{
    struct opening opening = {.round = 0};
    uint8_t seat;
    if (trial->game->encode == NULL) {
        return; /* its bots choose random moves */
    }
    while (trial->game->encode->reopen_bidding != NULL && trial_choose_seat(trial, &seat)) {
        const struct table_state *table = (const void *)trial->state.bytes;
        struct move_set legal = move_set_empty();
        game_find_legal_moves(trial->game, &trial->state, seat, &legal);
        if (is_first_bid(trial, &legal)) {
            opening = (struct opening){
                .legal = legal, .seat = seat, .round = table->round, .phase = table->phase};
            encode_state(trial->game, trial->state.bytes, seat, &opening.encoding);
        } else if (may_be_reopened(trial, &opening) && trial_draw_yes_or_no(trial, ONE_IN)) {
            reopen_and_compare(trial, &opening);
        }
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
}

static void a_bidding_is_reopened_with_the_hands_as_they_were(void **state)
{
    (void)state;
    property_run_check(check_that_biddings_are_reopened, GAMES);
}

TEST_GROUP(encode)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_tell_nothing_that_is_hidden),
        cmocka_unit_test(all_states_of_a_game_have_one_layout),
        cmocka_unit_test(moves_have_outputs_of_their_own),
        cmocka_unit_test(a_bidding_is_reopened_with_the_hands_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
