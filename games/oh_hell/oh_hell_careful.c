#include "games/oh_hell/oh_hell.h"

#include "games/bits.h"

#include <assert.h>

/*
 * The careful policy estimates for every card the chance that it will win a trick, by counting the
 * cards not yet seen. The bid is the sum of these chances, rounded. When it plays, it chooses the
 * card after which the expected number of tricks is closest to the number still needed. With that
 * one rule the policy ducks, dumps high cards and wins tricks cheaply.
 */

#define SUITS 4
#define RANKS 13
#define SUIT_CARDS(suit) (((UINT64_C(1) << RANKS) - 1) << (RANKS * (suit)))

/* The chance that a player who can win a trick wins it: when the player wants the trick, and when
 * the player does not. */
#define TAKES_WANTED 0.95
#define TAKES_UNWANTED 0.50

/* These numbers were tuned by letting the policy play against itself with 3, 4 and 5 players. */
/* weight of each further card in the hand: a higher card may then go to another trick */
#define HIGHER_SPENT 0.07
#define RUFF_VOID 0.30  /* what each suit not held adds to the value of a low trump */
#define RUFF_SHORT 0.10 /* what each suit with a single card adds to the value of a low trump */
#define RUFF_MOST 0.60

/* What the viewer knows about the cards. */
struct estimate {
    const struct game_view *view;
    uint8_t me;
    uint8_t trump;
    bool leads_first; /* the viewer has to bid and will lead to the first trick */
    uint64_t hand;
    uint64_t unseen; /* cards in other hands or undealt */
    uint8_t unseen_count;
    uint8_t voids[SEATS_MAX]; /* bit s: the seat could not follow suit s */
    uint8_t left[SEATS_MAX];  /* number of cards in each hand */
    uint8_t left_elsewhere;   /* number of cards in all other hands */
};

static double power_of(double base, uint8_t exponent)
{
    double power = 1;
    while (exponent-- > 0) {
        power *= base;
    }
    return power;
}

static uint8_t suit_of(uint8_t card)
{
    assert(card <
           SUITS * RANKS); /* a view from a game contains only legal moves and cards of its deck */
    return card / RANKS;
}

/* Counts a trick: its cards are seen, and a player who did not follow has no card of the suit
 * led. */
static void add_trick_to_estimate(struct estimate *estimate, const struct view_trick *trick)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        const struct view_play *play = &trick->plays[i];
        uint8_t led = suit_of(trick->plays[0].card);
        estimate->unseen &= ~(UINT64_C(1) << play->card);
        if (suit_of(play->card) != led) {
            estimate->voids[play->seat] = (uint8_t)(estimate->voids[play->seat] | 1U << led);
        }
    }
}

static void add_hand_to_estimate(struct estimate *estimate, uint8_t seat)
{
    for (uint8_t i = 0; i < estimate->view->slot_count[seat]; i++) {
        const struct view_slot *slot = &estimate->view->hands[seat][i];
        estimate->left[seat] = (uint8_t)(estimate->left[seat] + !slot->is_empty);
        if (slot->card != CARD_NONE) {
            estimate->hand |= UINT64_C(1) << slot->card;
        }
    }
    if (seat != estimate->me) {
        estimate->left_elsewhere = (uint8_t)(estimate->left_elsewhere + estimate->left[seat]);
    }
}

static struct estimate make_card_estimate(const struct game_view *view)
{
    struct estimate estimate = {.view = view, .me = (uint8_t)view->seat};
    uint8_t turnup = oh_hell_turned_up_card(view);
    assert(view->seat >= 0);
    estimate.trump = suit_of(turnup);
    estimate.leads_first =
        view->phase == OH_HELL_BID && fields_find_number(&view->info, "dealer", 0) ==
                                          (estimate.me + view->seats - 1) % view->seats;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        add_hand_to_estimate(&estimate, seat);
    }
    estimate.unseen = (UINT64_C(1) << (SUITS * RANKS)) - 1;
    estimate.unseen &= ~(estimate.hand | UINT64_C(1) << turnup);
    for (uint8_t i = 0; i < view->past_count; i++) {
        add_trick_to_estimate(&estimate, &view->past[i]);
    }
    add_trick_to_estimate(&estimate, &view->trick);
    estimate.unseen_count = bits_count(estimate.unseen);
    return estimate;
}

/* These two functions count the unseen cards of a suit, and the unseen cards of a card's suit that
 * are higher than the card. */
static uint8_t count_unseen_cards_of_suit(const struct estimate *estimate, uint8_t suit)
{
    return bits_count(estimate->unseen & SUIT_CARDS(suit));
}

static uint8_t count_unseen_higher_cards(const struct estimate *estimate, uint8_t card)
{
    uint64_t above = ~UINT64_C(0) << card;
    return bits_count(estimate->unseen & SUIT_CARDS(suit_of(card)) & above);
}

/* The chance that a particular unseen card is among `hidden_card_count` hidden cards. */
static double chance_card_is_among(const struct estimate *estimate, uint8_t hidden_card_count)
{
    return estimate->unseen_count == 0 ? 0 : (double)hidden_card_count / estimate->unseen_count;
}

/* How much likelier low trumps win a trick because the hand cannot follow some suits. */
static double gain_from_ruffing(const struct estimate *estimate)
{
    double gain = 0;
    for (uint8_t suit = 0; suit < SUITS; suit++) {
        uint8_t held = bits_count(estimate->hand & SUIT_CARDS(suit));
        if (suit != estimate->trump && held < 2) {
            gain += held == 0 ? RUFF_VOID : RUFF_SHORT;
        }
    }
    double length = estimate->left[estimate->me];
    return (gain < RUFF_MOST ? gain : RUFF_MOST) * (1 - 1 / length);
}

/* The chance that no other player trumps the suit before the viewer wins a trick with it. */
static double chance_not_ruffed(const struct estimate *estimate, uint8_t suit)
{
    double chance = 1;
    for (uint8_t seat = 0; seat < estimate->view->seats; seat++) {
        if (seat == estimate->me) {
            continue;
        }
        double absent = 1 - chance_card_is_among(estimate, estimate->left[seat]);
        bool is_void = (estimate->voids[seat] >> suit & 1) != 0;
        bool is_trumpless = (estimate->voids[seat] >> estimate->trump & 1) != 0;
        double void_chance =
            is_void ? 1 : power_of(absent, count_unseen_cards_of_suit(estimate, suit));
        double trump_chance =
            is_trumpless
                ? 0
                : 1 - power_of(absent, count_unseen_cards_of_suit(estimate, estimate->trump));
        chance *= 1 - void_chance * trump_chance;
    }
    return chance;
}

/* The chance that the card wins a trick in this hand. */
static double chance_to_win_some_trick(const struct estimate *estimate, uint8_t card)
{
    uint8_t length = estimate->left[estimate->me];
    uint8_t suit = suit_of(card);
    double out = chance_card_is_among(estimate, estimate->left_elsewhere) /
                 (1 + HIGHER_SPENT * (length - 1));
    double stands = power_of(1 - out, count_unseen_higher_cards(estimate, card));
    if (suit == estimate->trump) {
        return stands + (1 - stands) * gain_from_ruffing(estimate);
    }
    double other_suit =
        1 - chance_card_is_among(estimate, count_unseen_cards_of_suit(estimate, suit));
    double led = estimate->leads_first ? 1 : 1 - power_of(other_suit, length);
    return stands * led * chance_not_ruffed(estimate, suit);
}

static double expected_tricks(const struct estimate *estimate)
{
    double expected = 0;
    for (uint64_t rest = estimate->hand; rest != 0; rest &= rest - 1) {
        expected += chance_to_win_some_trick(estimate, bits_index_of_lowest(rest));
    }
    return expected;
}

static uint8_t choose_bid(const struct estimate *estimate)
{
    double expected = expected_tricks(estimate);
    const struct move_set *legal = &estimate->view->legal;
    uint8_t best = MOVE_NONE;
    double best_off = 0;
    for (uint8_t move = move_set_next(legal, 0); move != MOVE_NONE;
         move = move_set_next(legal, move + 1U)) {
        double off = move - OH_HELL_BID_FIRST - expected;
        off = off < 0 ? -off : off;
        if (best == MOVE_NONE || off < best_off) {
            best = move;
            best_off = off;
        }
    }
    return best;
}

static bool card_beats(const struct estimate *estimate, uint8_t card, uint8_t other)
{
    return suit_of(card) == suit_of(other) ? card > other : suit_of(card) == estimate->trump;
}

/* The card that wins the current trick so far; CARD_NONE when the viewer leads. */
static uint8_t winning_card(const struct estimate *estimate)
{
    const struct view_trick *trick = &estimate->view->trick;
    uint8_t best = CARD_NONE;
    for (uint8_t i = 0; i < trick->count; i++) {
        if (best == CARD_NONE || card_beats(estimate, trick->plays[i].card, best)) {
            best = trick->plays[i].card;
        }
    }
    return best;
}

/* The chance that `seat`, which plays later in the trick, beats `card`. */
static double chance_to_be_beaten(const struct estimate *estimate, uint8_t card, uint8_t seat,
                                  uint8_t led)
{
    const struct game_view *view = estimate->view;
    double absent = 1 - chance_card_is_among(estimate, estimate->left[seat]);
    bool is_void = (estimate->voids[seat] >> led & 1) != 0;
    bool is_trumpless = (estimate->voids[seat] >> estimate->trump & 1) != 0;
    double void_chance = is_void ? 1 : power_of(absent, count_unseen_cards_of_suit(estimate, led));
    double higher = 1 - power_of(absent, count_unseen_higher_cards(estimate, card));
    double ruffs = 1 - power_of(absent, count_unseen_cards_of_suit(estimate, estimate->trump));
    double can = 0;
    if (suit_of(card) == led) {
        can = is_void ? 0 : higher;
        can += led == estimate->trump || is_trumpless ? 0 : void_chance * ruffs;
    } else {
        can = is_trumpless ? 0 : void_chance * higher;
    }
    bool is_wanted = view->tricks[seat] < view->bids[seat];
    return (can < 1 ? can : 1) * (is_wanted ? TAKES_WANTED : TAKES_UNWANTED);
}

/* The chance that the card wins the current trick. */
static double chance_to_win_trick(const struct estimate *estimate, uint8_t card)
{
    const struct game_view *view = estimate->view;
    uint8_t best = winning_card(estimate);
    if (best != CARD_NONE && !card_beats(estimate, card, best)) {
        return 0;
    }
    uint8_t led = suit_of(best == CARD_NONE ? card : view->trick.plays[0].card);
    double chance = 1;
    uint8_t seat = estimate->me;
    for (uint8_t after = view->trick.count; after + 1 < view->seats; after++) {
        seat = (uint8_t)((seat + 1) % view->seats);
        chance *= 1 - chance_to_be_beaten(estimate, card, seat, led);
    }
    return chance;
}

/* The number of tricks still wanted to meet the bid; all remaining tricks, if the bid can no longer
 * be met and every trick scores. */
static double count_wanted_tricks(const struct estimate *estimate, uint8_t scoring)
{
    const struct game_view *view = estimate->view;
    int wanted = view->bids[estimate->me] - view->tricks[estimate->me];
    int left = estimate->left[estimate->me];
    if (scoring == OH_HELL_POSITIVE && (wanted < 0 || wanted > left)) {
        return left;
    }
    return wanted;
}

/* The mean squared difference between the tricks won and the tricks wanted, if each card wins
 * independently. */
static double mean_squared_miss(double expected, double variance, double wanted)
{
    return (expected - wanted) * (expected - wanted) + variance;
}

/* A leader who wants every remaining trick plays the cards first that nobody can beat: no other
 * order wins more, and the others have fewer cards left for the rest. */
static void keep_sure_leads(const struct estimate *estimate, uint8_t scoring,
                            struct move_set *cards)
{
    struct move_set sure = move_set_empty();
    if (estimate->view->trick.count > 0 ||
        count_wanted_tricks(estimate, scoring) < estimate->left[estimate->me]) {
        return;
    }
    for (uint8_t card = move_set_next(cards, 0); card != MOVE_NONE;
         card = move_set_next(cards, card + 1U)) {
        if (chance_to_win_trick(estimate, card) >= 1) {
            move_set_add(&sure, card);
        }
    }
    *cards = move_set_count(&sure) > 0 ? sure : *cards;
}

void oh_hell_narrow(const struct game_view *view, const struct game_config *config,
                    struct move_set *moves)
{
    if (view->phase == OH_HELL_PLAY) {
        struct estimate estimate = make_card_estimate(view);
        keep_sure_leads(&estimate, config->options[OH_HELL_SCORING], moves);
    }
}

static uint8_t choose_card_to_play(const struct estimate *estimate, uint8_t scoring)
{
    double expected = expected_tricks(estimate);
    double wanted = count_wanted_tricks(estimate, scoring);
    struct move_set cards = estimate->view->legal;
    uint8_t best = MOVE_NONE;
    double best_miss = 0;
    keep_sure_leads(estimate, scoring, &cards);
    for (uint8_t card = move_set_next(&cards, 0); card != MOVE_NONE;
         card = move_set_next(&cards, card + 1U)) {
        double now = chance_to_win_trick(estimate, card);
        double later = chance_to_win_some_trick(estimate, card);
        double miss = mean_squared_miss(expected - later + now,
                                        now * (1 - now) - later * (1 - later), wanted);
        if (best == MOVE_NONE || miss < best_miss) {
            best = card;
            best_miss = miss;
        }
    }
    return best;
}

uint8_t oh_hell_careful_move(const struct game_view *view, const struct game_config *config,
                             struct quick_random *random)
{
    struct estimate estimate = make_card_estimate(view);
    (void)random; /* the policy uses no randomness */
    return view->phase == OH_HELL_BID
               ? choose_bid(&estimate)
               : choose_card_to_play(&estimate, config->options[OH_HELL_SCORING]);
}
