#include "games/game.h"
#include "tests/games/property.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Checks that the states that `sample` draws for a view are as likely as the true state.
 *
 * Over many games, no answer to a question about the hidden cards may be more frequent in true
 * states than in sampled ones. The questions work for any game: they ask for the suit and value of
 * the cards that the viewer does not see, by seat and by slot, and for the cards next to these.
 *
 * All players move at random. A public move tells something about a hand, because a player with few
 * legal moves is more likely to make each of them. To correct for that, each comparison
 * counts with a weight: the product of the numbers of moves from which the players could choose in
 * the round so far. Moves in a phase in which several seats may move at once are secret, including
 * the last one, and do not count.
 */

#define SEAT_ASKED 20 /* number of questions about all hidden cards of a seat */
#define SLOT_ASKED 10 /* number of questions about one slot */
#define SEAT_QUESTIONS (SEAT_ASKED + SLOTS_MAX * SLOT_ASKED)
#define QUESTIONS (SEATS_MAX * SEAT_QUESTIONS)
#define GAMES 500 /* games for each number of players, unless PROPERTY_GAMES is set */
/* limit for a difference, in standard deviations; with 1,000 and more questions the largest is
 * usually 3 to 4 */
#define DEVIATIONS_MOST 4.5

struct tally {
    double now[QUESTIONS]; /* in one game: the answers about the true state minus those about the
                              sampled state */
    double sum[QUESTIONS]; /* the sum of `now` over all games */
    double squares[QUESTIONS];
};

static const struct table_state *get_table(const struct game_state *state)
{
    return (const struct table_state *)(const void *)state->bytes;
}

/* Answers the questions about a seat's hand in this state, and adds the answers, multiplied by
 * `weight`, to `answers`. */
static void add_answers_about_hand(const struct game_view *view, const struct game_state *state,
                                   uint8_t seat, double weight, double *answers)
{
    const struct table_state *table = get_table(state);
    const struct deck_def *deck = view->game->deck;
    unsigned suits = 0;
    for (uint8_t slot = 0; slot < view->slot_count[seat]; slot++) {
        const struct view_slot *seen = &view->hands[seat][slot];
        uint8_t card = card_number_without_copy(deck, table->slots[seat][slot]);
        uint8_t suit = card_suit(deck, card) < 7 ? card_suit(deck, card) : 7;
        double *of_slot = answers + SEAT_ASKED + slot * SLOT_ASKED;
        suits |= 1U << suit;
        if (seen->is_empty || seen->card != CARD_NONE) {
            continue;
        }
        uint8_t before =
            slot > 0 ? card_number_without_copy(deck, table->slots[seat][slot - 1]) : CARD_NONE;
        of_slot[suit] += weight;
        of_slot[8] += weight * card_value(deck, card);
        of_slot[9] += weight * (card_suit(deck, before) == card_suit(deck, card));
        answers[seen->is_traded ? 8 + suit : suit] += weight;
        answers[16] += weight * card_value(deck, card) * card_value(deck, card);
    }
    answers[17] += weight * __builtin_popcount(suits);
}

static void compare_answers_about_hands(struct trial *trial, int8_t viewer, double weight,
                                        struct tally *tally)
{
    static struct game_view view;
    struct game_state sampled;
    game_fill_view(trial->game, &trial->state, viewer, &view);
    assert_int_equal(game_sample_state(&view, &trial->config, &trial->random, &sampled), GAME_OK);
    for (uint8_t seat = 0; seat < view.seats; seat++) {
        uint8_t away = (uint8_t)((seat + view.seats - viewer) % view.seats);
        double *answers = tally->now + away * SEAT_QUESTIONS;
        add_answers_about_hand(&view, &trial->state, seat, weight, answers);
        add_answers_about_hand(&view, &sampled, seat, -weight, answers);
    }
}

/* Tells whether moves of the current phase are secret. `secret_phases` remembers the secret phases
 * of this round, a bit for each. */
static bool is_phase_secret(const struct trial *trial, uint64_t *secret_phases)
{
    const uint64_t phase = UINT64_C(1) << get_table(&trial->state)->phase % 64;
    uint8_t turn = game_seats_to_act(&trial->state);
    if ((turn & (turn - 1)) != 0) {
        *secret_phases |= phase;
    }
    return (*secret_phases & phase) != 0;
}

static void play_game_and_compare_samples(struct trial *trial, struct tally *tally)
{
    double weight = 1;
    uint64_t secret_phases = 0;
    uint8_t round = 0;
    memset(tally->now, 0, sizeof(tally->now));
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        if (get_table(&trial->state)->round != round) {
            round = get_table(&trial->state)->round;
            weight = 1;
            secret_phases = 0;
        }
        if (quick_random_draw_below(&trial->random, 8) == 0) {
            compare_answers_about_hands(
                trial, (int8_t)quick_random_draw_below(&trial->random, trial->config.players),
                weight, tally);
        }
        if (!is_phase_secret(trial, &secret_phases)) {
            struct move_set legal;
            game_find_legal_moves(trial->game, &trial->state, seat, &legal);
            weight *= move_set_count(&legal) / 4.0;
        }
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
    for (unsigned i = 0; i < QUESTIONS; i++) {
        tally->sum[i] += tally->now[i];
        tally->squares[i] += tally->now[i] * tally->now[i];
    }
}

static void compare_true_and_sampled_states(const struct game_def *game, uint8_t players)
{
    static struct tally tally;
    struct trial trial = {.game = game, .config = game_config_default(game, players)};
    trial.seats = game_seats(game, &trial.config);
    memset(&tally, 0, sizeof(tally));
    quick_random_init(&trial.random, players);
    const char *wanted = getenv("PROPERTY_GAMES");
    unsigned long games = wanted == NULL ? GAMES : strtoul(wanted, NULL, 10);
    for (unsigned long i = 0; i < games; i++) {
        for (unsigned byte = 0; byte < SEED_BYTES; byte++) {
            trial.seed[byte] = (uint8_t)quick_random_draw_below(&trial.random, 256);
        }
        trial_start(&trial, NULL);
        play_game_and_compare_samples(&trial, &tally);
    }
    for (unsigned i = 0; i < QUESTIONS; i++) {
        double spread = sqrt(tally.squares[i]);
        if (fabs(tally.sum[i]) > DEVIATIONS_MOST * spread) {
            fail_msg("%s, %u players: question %u of seat %u (from the viewer) is off by %.1f "
                     "deviations",
                     game->id, players, i % SEAT_QUESTIONS, i / SEAT_QUESTIONS,
                     tally.sum[i] / spread);
        }
    }
}

static void true_states_and_their_samples_are_equally_likely(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        for (uint8_t players = game->seats_min; players <= game->seats_max; players++) {
            compare_true_and_sampled_states(game, players);
        }
    }
}

TEST_GROUP(property_samples)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(true_states_and_their_samples_are_equally_likely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
