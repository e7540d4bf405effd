#include "games/claim.h"
#include "games/game.h"
#include "tests/environment.h"
#include "tests/games/property.h"
#include "tests/unit.h"

#include <stdio.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * The claimant's view decides whether a claim is proven. So a proven claim must hold in every state
 * that fits the view, whatever the others play: the claimant takes all remaining tricks, and
 * everybody's points are the same.
 */

#define GAMES 6        /* games with every config, unless PROPERTY_GAMES is set */
#define SAMPLES 24     /* states in which a proven claim is played out */
#define PLAYS_EACH 2   /* how often the claim is played out in each of these states */
#define TRICKS_TRIED 3 /* claims are compared with all layouts when so few tricks are left */
#define CARDS_MAX 128

/* The scores of the round in which a claim was played out. */
struct round_points {
    bool is_scored;
    int16_t points[SEATS_MAX];
    uint8_t tricks[SEATS_MAX];
};

static struct counts {
    unsigned long claims;
    unsigned long proven;
    unsigned long compared; /* claims compared with all layouts */
    unsigned long holding;  /* of these, claims that hold */
    unsigned long found;    /* of these, proven claims */
    double slowest_s;
} counts;

static void note_points(void *context, const struct game_event *event)
{
    if (!event->is_score) {
        return;
    }
    struct round_points *points = context;
    points->is_scored = true;
    memcpy(points->points, event->row.points, sizeof(points->points));
    memcpy(points->tricks, event->row.tricks, sizeof(points->tricks));
}

static const struct table_state *get_table(const struct game_state *state)
{
    return (const struct table_state *)(const void *)state->bytes;
}

static uint8_t seat_on_turn(const struct game_state *state)
{
    return (uint8_t)__builtin_ctz(game_seats_to_act(state));
}

static uint8_t choose_random_move(struct trial *trial, const struct game_state *state, uint8_t seat)
{
    struct move_set moves;
    game_find_legal_moves(trial->game, state, seat, &moves);
    uint8_t count = move_set_count(&moves);
    return move_set_nth(&moves, (uint8_t)quick_random_draw_below(&trial->random, count));
}

/* Plays the round to its end: the claimant as the proof says, the others at random. Returns whether
 * the claimant has taken all the tricks. */
static bool play_out(struct trial *trial, struct game_state state, uint8_t claimant,
                     const struct claim_proof *proof, struct round_points *points)
{
    struct game_log log = {.context = points, .event = note_points};
    uint8_t tricks = (uint8_t)(get_table(&state)->tricks[claimant] + proof->count);
    uint8_t played = 0;
    points->is_scored = false;
    while (!points->is_scored) {
        uint8_t seat = seat_on_turn(&state);
        if (get_table(&state)->trick_count == 0 && played > 0 && seat != claimant) {
            return false;
        }
        uint8_t move =
            seat == claimant ? proof->cards[played] : choose_random_move(trial, &state, seat);
        played = (uint8_t)(played + (seat == claimant));
        if (game_apply(trial->game, &state, seat, move, &log) != GAME_OK) {
            return false;
        }
    }
    return points->tricks[claimant] == tricks;
}

static void expect_claim_to_hold(struct trial *trial, const struct game_view *view,
                                 const struct claim_proof *proof)
{
    struct round_points first = {.is_scored = false};
    struct round_points now;
    for (unsigned i = 0; i < SAMPLES; i++) {
        struct game_state state;
        assert_int_equal(game_sample_state(view, &trial->config, &trial->random, &state), GAME_OK);
        for (unsigned j = 0; j < PLAYS_EACH; j++) {
            bool is_won = play_out(trial, state, (uint8_t)view->seat, proof, &now);
            trial_expect(trial, is_won, "the player of a proven claim takes all remaining tricks");
            first = first.is_scored ? first : now;
            trial_expect(trial, memcmp(first.points, now.points, sizeof(now.points)) == 0,
                         "a proven claim decides everybody's points");
        }
    }
}

static const char *prove_timed(const struct game_view *view, const struct game_config *config,
                               struct claim_proof *proof)
{
    struct timespec from, to;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    const char *objection = claim_prove(view, config, proof);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double took_s = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    counts.slowest_s = took_s > counts.slowest_s ? took_s : counts.slowest_s;
    return objection;
}

static void check_claims_of_game(struct trial *trial)
{
    static struct game_view view;
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        struct claim_proof proof;
        game_fill_view(trial->game, &trial->state, (int8_t)seat, &view);
        counts.claims++;
        if (prove_timed(&view, &trial->config, &proof) == NULL) {
            counts.proven++;
            expect_claim_to_hold(trial, &view, &proof);
        }
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
}

static void a_proven_claim_holds_in_every_state_that_fits_the_view(void **unused)
{
    (void)unused;
    property_run_check(check_claims_of_game, GAMES);
    print_message("%lu claims, %lu proven, the slowest took %.3f ms\n", counts.claims,
                  counts.proven, counts.slowest_s * 1000);
    assert_true(counts.proven > environment_share(1000));
}

/*
 * The comparison with all layouts: every way to distribute the unseen cards that fits the view, and
 * every way in which the others may then play.
 */

#define UNSEEN_MAX 6

/* The unseen cards, and the slots in which they may lie. */
struct layouts {
    struct game_view view;
    uint8_t cards[CARDS_MAX];
    uint8_t card_count;
    uint8_t hidden[SEATS_MAX]; /* the number of cards in the seat's hand that the claimant does not
                                  see */
    unsigned owners[UNSEEN_MAX]; /* by card: its seat; the number of seats when nobody holds it */
};

static void remove_card(struct card_set *set, uint8_t card)
{
    set->bits[card / 64] &= ~(UINT64_C(1) << card % 64);
}

static void remove_cards_of_trick(const struct view_trick *trick, struct card_set *set)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        remove_card(set, trick->plays[i].card);
    }
}

/* Lists the unseen cards. Returns false when there are too many to try all layouts. */
static bool begin_layouts(const struct game_view *view, struct card_set cards,
                          struct layouts *layouts)
{
    memset(layouts, 0, sizeof(*layouts));
    layouts->view = *view;
    for (uint8_t i = 0; i < view->past_count; i++) {
        remove_cards_of_trick(&view->past[i], &cards);
    }
    remove_cards_of_trick(&view->trick, &cards);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
            const struct view_slot *slot = &view->hands[seat][i];
            if (slot->card != CARD_NONE && !slot->is_empty) {
                remove_card(&cards, slot->card);
            } else if (!slot->is_empty) {
                layouts->hidden[seat]++;
            }
        }
    }
    for (uint8_t card = 0; card < CARDS_MAX; card++) {
        if ((cards.bits[card / 64] >> (card % 64) & 1) != 0) {
            layouts->cards[layouts->card_count++] = card;
        }
    }
    return layouts->card_count <= UNSEEN_MAX;
}

/* Moves on to the next owners of the unseen cards, as an odometer counts. False after the last. */
static bool next_owners(struct layouts *layouts)
{
    for (uint8_t i = 0; i < layouts->card_count; i++) {
        if (++layouts->owners[i] <= layouts->view.seats) {
            return true;
        }
        layouts->owners[i] = 0;
    }
    return false;
}

/* Whether the seat has shown, in a trick where it did not follow, that it has no such card. */
static bool seat_is_void(const struct game_view *view, uint8_t seat, uint8_t suit)
{
    bool is_void = false;
    for (uint8_t i = 0; i <= view->past_count; i++) {
        const struct view_trick *trick = i < view->past_count ? &view->past[i] : &view->trick;
        uint8_t led =
            trick->count == 0 ? SUIT_NONE : card_suit(view->game->deck, trick->plays[0].card);
        for (uint8_t j = 1; j < trick->count; j++) {
            uint8_t played = card_suit(view->game->deck, trick->plays[j].card);
            is_void = is_void || (trick->plays[j].seat == seat && led == suit && played != led &&
                                  played != SUIT_NONE);
        }
    }
    return is_void;
}

static bool owners_fit_view(const struct layouts *layouts)
{
    uint8_t held[SEATS_MAX + 1] = {0};
    for (uint8_t i = 0; i < layouts->card_count; i++) {
        uint8_t owner = (uint8_t)layouts->owners[i];
        uint8_t suit = card_suit(layouts->view.game->deck, layouts->cards[i]);
        held[owner]++;
        if (owner < layouts->view.seats && seat_is_void(&layouts->view, owner, suit)) {
            return false;
        }
    }
    return memcmp(held, layouts->hidden, layouts->view.seats) == 0;
}

/* Puts the unseen cards into the hands of their owners. */
static struct game_state make_layout(const struct trial *trial, const struct layouts *layouts)
{
    struct game_state state = trial->state;
    struct table_state *table = (struct table_state *)(void *)state.bytes;
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        uint8_t at = 0;
        for (uint8_t i = 0; i < layouts->view.slot_count[seat]; i++) {
            const struct view_slot *slot = &layouts->view.hands[seat][i];
            if (slot->is_empty || slot->card != CARD_NONE) {
                continue;
            }
            while (layouts->owners[at] != seat) {
                at++;
            }
            remove_card(&table->hands[seat], table->slots[seat][i]);
            table->slots[seat][i] = layouts->cards[at++];
        }
    }
    for (uint8_t i = 0; i < layouts->card_count; i++) {
        uint8_t card = layouts->cards[i];
        if (layouts->owners[i] < table->seats) {
            table->hands[layouts->owners[i]].bits[card / 64] |= UINT64_C(1) << card % 64;
        }
    }
    return state;
}

/* The others' choices in one way to play: the number of each move among the legal ones. */
struct choices {
    uint8_t count;
    uint8_t at[PLAYS_MAX];
    uint8_t of[PLAYS_MAX]; /* the number of legal moves */
};

/* Moves on to the next way to play. False after the last. */
static bool next_choices(struct choices *choices)
{
    while (choices->count > 0) {
        uint8_t last = (uint8_t)(choices->count - 1);
        if (++choices->at[last] < choices->of[last]) {
            return true;
        }
        choices->count = last;
    }
    return false;
}

/* Plays the round to its end: the claimant in this order, the others by these choices, which are
 * extended with first moves. */
static bool order_wins(struct trial *trial, struct game_state state, uint8_t claimant,
                       const struct claim_proof *order, struct choices *choices)
{
    struct round_points points = {.is_scored = false};
    struct game_log log = {.context = &points, .event = note_points};
    uint8_t tricks = (uint8_t)(get_table(&state)->tricks[claimant] + order->count);
    uint8_t played = 0;
    for (uint8_t at = 0; !points.is_scored;) {
        uint8_t seat = seat_on_turn(&state);
        struct move_set moves;
        if (get_table(&state)->trick_count == 0 && played > 0 && seat != claimant) {
            return false;
        }
        game_find_legal_moves(trial->game, &state, seat, &moves);
        if (seat != claimant && at == choices->count) {
            choices->at[choices->count] = 0;
            choices->of[choices->count++] = move_set_count(&moves);
        }
        uint8_t move =
            seat == claimant ? order->cards[played++] : move_set_nth(&moves, choices->at[at++]);
        if (game_apply(trial->game, &state, seat, move, &log) != GAME_OK) {
            return false;
        }
    }
    return points.tricks[claimant] == tricks;
}

/* Whether the claimant takes all tricks with this order, in every layout and however the others
 * play. */
static bool order_always_wins(struct trial *trial, struct layouts *layouts,
                              const struct claim_proof *order)
{
    memset(layouts->owners, 0, sizeof(layouts->owners));
    do {
        if (!owners_fit_view(layouts)) {
            continue;
        }
        struct game_state state = make_layout(trial, layouts);
        struct choices choices = {.count = 0};
        do {
            if (!order_wins(trial, state, (uint8_t)layouts->view.seat, order, &choices)) {
                return false;
            }
        } while (next_choices(&choices));
    } while (next_owners(layouts));
    return true;
}

/* Whether some order of the claimant's cards always wins. There are at most TRICKS_TRIED cards. */
static bool some_order_always_wins(struct trial *trial, struct layouts *layouts)
{
    static const uint8_t orders[6][TRICKS_TRIED] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    uint8_t cards[TRICKS_TRIED] = {0};
    const struct game_view *view = &layouts->view;
    struct claim_proof order = {.count = 0};
    for (uint8_t i = 0; i < view->slot_count[view->seat]; i++) {
        if (!view->hands[view->seat][i].is_empty) {
            cards[order.count++] = view->hands[view->seat][i].card;
        }
    }
    for (unsigned i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        bool is_order = true;
        for (uint8_t j = 0; j < order.count; j++) {
            is_order = is_order && orders[i][j] < order.count;
            order.cards[j] = cards[orders[i][j]];
        }
        if (is_order && order_always_wins(trial, layouts, &order)) {
            return true;
        }
    }
    return false;
}

static void compare_with_all_layouts(struct trial *trial, const struct game_view *view)
{
    static struct layouts layouts;
    struct claim_facts facts = {.trump = SUIT_NONE};
    struct claim_proof proof;
    if (trial->game->claim == NULL || trial->config.players < view->seats ||
        view->slot_count[view->seat] - view->past_count > TRICKS_TRIED ||
        trial->game->claim(view, &trial->config, &facts) != NULL ||
        !begin_layouts(view, facts.cards, &layouts)) {
        return;
    }
    bool is_proven = claim_prove(view, &trial->config, &proof) == NULL;
    bool holds = some_order_always_wins(trial, &layouts);
    trial_expect(trial, holds || !is_proven, "a proven claim holds in all layouts");
    counts.compared++;
    counts.holding += holds;
    counts.found += holds && is_proven;
}

static void compare_claims_of_game(struct trial *trial)
{
    static struct game_view view;
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        if (get_table(&trial->state)->past_count + TRICKS_TRIED >=
                get_table(&trial->state)->slot_count &&
            trial_draw_yes_or_no(trial, 4)) {
            game_fill_view(trial->game, &trial->state, (int8_t)seat, &view);
            compare_with_all_layouts(trial, &view);
        }
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
}

static void nearly_every_claim_that_holds_is_proven(void **unused)
{
    (void)unused;
    property_run_check(compare_claims_of_game, GAMES / 2);
    print_message(
        "%lu positions with up to %d tricks left: claims hold in %lu, are proven in %lu\n",
        counts.compared, TRICKS_TRIED, counts.holding, counts.found);
    assert_true(counts.holding > environment_share(200));
    assert_true(counts.found >= counts.holding * 98 / 100);
}

TEST_GROUP(claim)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_proven_claim_holds_in_every_state_that_fits_the_view),
        cmocka_unit_test(nearly_every_claim_that_holds_is_proven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
