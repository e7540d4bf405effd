#include "games/oh_hell/oh_hell.h"

#include "games/bits.h"

#include <assert.h>

/*
 * The careful policy estimates for every card the chance that it will win a trick, by counting the
 * cards not yet seen. The bid is the sum of these chances, rounded. When it plays, it chooses the
 * card after which the expected number of tricks is closest to the number still needed. That one
 * rule ducks, dumps high cards and wins tricks cheaply.
 */

#define SUITS 4
#define RANKS 13
#define SUIT_CARDS(suit) (((UINT64_C(1) << RANKS) - 1) << (RANKS * (suit)))

/* The chance that a player who can win a trick does so, whether wanted or not. */
#define TAKES_WANTED 0.95
#define TAKES_UNWANTED 0.50

/* Tuned by playing against itself with 3, 4 and 5 players. */
#define HIGHER_SPENT                                                                               \
    0.07               /* how quickly, with longer hands, higher cards are played to other tricks */
#define RUFF_VOID 0.30 /* what each suit not held adds to the value of a low trump… */
#define RUFF_SHORT 0.10 /* …and each suit with a single card */
#define RUFF_MOST 0.60

/* What the viewer knows about the cards. */
struct reading {
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

static double reading_power(double base, uint8_t exponent)
{
    double power = 1;
    while (exponent-- > 0) {
        power *= base;
    }
    return power;
}

static uint8_t reading_suit(uint8_t card)
{
    assert(card <
           SUITS * RANKS); /* a view from a game contains only legal moves and cards of its deck */
    return card / RANKS;
}

/* Counts a trick: its cards are seen, and a player who did not follow has no card of the suit
 * led. */
static void reading_trick(struct reading *reading, const struct view_trick *trick)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        const struct view_play *play = &trick->plays[i];
        uint8_t led = reading_suit(trick->plays[0].card);
        reading->unseen &= ~(UINT64_C(1) << play->card);
        if (reading_suit(play->card) != led) {
            reading->voids[play->seat] = (uint8_t)(reading->voids[play->seat] | 1U << led);
        }
    }
}

static void reading_hand(struct reading *reading, uint8_t seat)
{
    for (uint8_t i = 0; i < reading->view->slot_count[seat]; i++) {
        const struct view_slot *slot = &reading->view->hands[seat][i];
        reading->left[seat] = (uint8_t)(reading->left[seat] + !slot->is_empty);
        if (slot->card != CARD_NONE) {
            reading->hand |= UINT64_C(1) << slot->card;
        }
    }
    if (seat != reading->me) {
        reading->left_elsewhere = (uint8_t)(reading->left_elsewhere + reading->left[seat]);
    }
}

static struct reading reading_of(const struct game_view *view)
{
    struct reading reading = {.view = view, .me = (uint8_t)view->seat};
    uint8_t turnup = oh_hell_turnup(view);
    assert(view->seat >= 0);
    reading.trump = reading_suit(turnup);
    reading.leads_first =
        view->phase == OH_HELL_BID &&
        fields_number_or(&view->info, "dealer", 0) == (reading.me + view->seats - 1) % view->seats;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        reading_hand(&reading, seat);
    }
    reading.unseen = (UINT64_C(1) << (SUITS * RANKS)) - 1;
    reading.unseen &= ~(reading.hand | UINT64_C(1) << turnup);
    for (uint8_t i = 0; i < view->past_count; i++) {
        reading_trick(&reading, &view->past[i]);
    }
    reading_trick(&reading, &view->trick);
    reading.unseen_count = bits_count(reading.unseen);
    return reading;
}

/* Counts the unseen cards of a suit, and those that are higher than a card. */
static uint8_t reading_unseen(const struct reading *reading, uint8_t suit)
{
    return bits_count(reading->unseen & SUIT_CARDS(suit));
}

static uint8_t reading_higher(const struct reading *reading, uint8_t card)
{
    uint64_t above = ~UINT64_C(0) << card;
    return bits_count(reading->unseen & SUIT_CARDS(reading_suit(card)) & above);
}

/* The chance that a particular unseen card is among `cards` hidden cards. */
static double reading_share(const struct reading *reading, uint8_t cards)
{
    return reading->unseen_count == 0 ? 0 : (double)cards / reading->unseen_count;
}

/* What low trumps gain from suits that the hand cannot follow. */
static double reading_ruffs(const struct reading *reading)
{
    double gain = 0;
    for (uint8_t suit = 0; suit < SUITS; suit++) {
        uint8_t held = bits_count(reading->hand & SUIT_CARDS(suit));
        if (suit != reading->trump && held < 2) {
            gain += held == 0 ? RUFF_VOID : RUFF_SHORT;
        }
    }
    double length = reading->left[reading->me];
    return (gain < RUFF_MOST ? gain : RUFF_MOST) * (1 - 1 / length);
}

/* The chance that no other player trumps the suit before the viewer wins a trick with it. */
static double reading_unruffed(const struct reading *reading, uint8_t suit)
{
    double chance = 1;
    for (uint8_t seat = 0; seat < reading->view->seats; seat++) {
        if (seat == reading->me) {
            continue;
        }
        double absent = 1 - reading_share(reading, reading->left[seat]);
        bool is_void = (reading->voids[seat] >> suit & 1) != 0;
        bool is_trumpless = (reading->voids[seat] >> reading->trump & 1) != 0;
        double void_chance = is_void ? 1 : reading_power(absent, reading_unseen(reading, suit));
        double trump_chance =
            is_trumpless ? 0 : 1 - reading_power(absent, reading_unseen(reading, reading->trump));
        chance *= 1 - void_chance * trump_chance;
    }
    return chance;
}

/* The chance that the card wins a trick in this hand. */
static double reading_worth(const struct reading *reading, uint8_t card)
{
    uint8_t length = reading->left[reading->me];
    uint8_t suit = reading_suit(card);
    double out =
        reading_share(reading, reading->left_elsewhere) / (1 + HIGHER_SPENT * (length - 1));
    double stands = reading_power(1 - out, reading_higher(reading, card));
    if (suit == reading->trump) {
        return stands + (1 - stands) * reading_ruffs(reading);
    }
    double other_suit = 1 - reading_share(reading, reading_unseen(reading, suit));
    double led = reading->leads_first ? 1 : 1 - reading_power(other_suit, length);
    return stands * led * reading_unruffed(reading, suit);
}

static double careful_expected(const struct reading *reading)
{
    double expected = 0;
    for (uint64_t rest = reading->hand; rest != 0; rest &= rest - 1) {
        expected += reading_worth(reading, bits_lowest(rest));
    }
    return expected;
}

static uint8_t careful_bid(const struct reading *reading)
{
    double expected = careful_expected(reading);
    const struct move_set *legal = &reading->view->legal;
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

static bool careful_beats(const struct reading *reading, uint8_t card, uint8_t other)
{
    return reading_suit(card) == reading_suit(other) ? card > other
                                                     : reading_suit(card) == reading->trump;
}

/* The card that wins the current trick so far; CARD_NONE when the viewer leads. */
static uint8_t careful_best(const struct reading *reading)
{
    const struct view_trick *trick = &reading->view->trick;
    uint8_t best = CARD_NONE;
    for (uint8_t i = 0; i < trick->count; i++) {
        if (best == CARD_NONE || careful_beats(reading, trick->plays[i].card, best)) {
            best = trick->plays[i].card;
        }
    }
    return best;
}

/* The chance that a seat that plays later in the trick beats the card. */
static double careful_loses_to(const struct reading *reading, uint8_t card, uint8_t seat,
                               uint8_t led)
{
    const struct game_view *view = reading->view;
    double absent = 1 - reading_share(reading, reading->left[seat]);
    bool is_void = (reading->voids[seat] >> led & 1) != 0;
    bool is_trumpless = (reading->voids[seat] >> reading->trump & 1) != 0;
    double void_chance = is_void ? 1 : reading_power(absent, reading_unseen(reading, led));
    double higher = 1 - reading_power(absent, reading_higher(reading, card));
    double ruffs = 1 - reading_power(absent, reading_unseen(reading, reading->trump));
    double can = 0;
    if (reading_suit(card) == led) {
        can = is_void ? 0 : higher;
        can += led == reading->trump || is_trumpless ? 0 : void_chance * ruffs;
    } else {
        can = is_trumpless ? 0 : void_chance * higher;
    }
    bool is_wanted = view->tricks[seat] < view->bids[seat];
    return (can < 1 ? can : 1) * (is_wanted ? TAKES_WANTED : TAKES_UNWANTED);
}

/* The chance that the card wins the current trick. */
static double careful_wins(const struct reading *reading, uint8_t card)
{
    const struct game_view *view = reading->view;
    uint8_t best = careful_best(reading);
    if (best != CARD_NONE && !careful_beats(reading, card, best)) {
        return 0;
    }
    uint8_t led = reading_suit(best == CARD_NONE ? card : view->trick.plays[0].card);
    double chance = 1;
    uint8_t seat = reading->me;
    for (uint8_t after = view->trick.count; after + 1 < view->seats; after++) {
        seat = (uint8_t)((seat + 1) % view->seats);
        chance *= 1 - careful_loses_to(reading, card, seat, led);
    }
    return chance;
}

/* The number of tricks still wanted: those missing from the bid. If the bid can no longer be met
 * and every trick scores, all remaining tricks. */
static double careful_wanted(const struct reading *reading, uint8_t scoring)
{
    const struct game_view *view = reading->view;
    int wanted = view->bids[reading->me] - view->tricks[reading->me];
    int left = reading->left[reading->me];
    if (scoring == OH_HELL_POSITIVE && (wanted < 0 || wanted > left)) {
        return left;
    }
    return wanted;
}

/* The mean squared difference between the tricks won and the tricks wanted, if each card wins
 * independently. */
static double careful_miss(double expected, double variance, double wanted)
{
    return (expected - wanted) * (expected - wanted) + variance;
}

static uint8_t careful_play(const struct reading *reading, uint8_t scoring)
{
    double expected = careful_expected(reading);
    double wanted = careful_wanted(reading, scoring);
    const struct move_set *legal = &reading->view->legal;
    uint8_t best = MOVE_NONE;
    double best_miss = 0;
    for (uint8_t card = move_set_next(legal, 0); card != MOVE_NONE;
         card = move_set_next(legal, card + 1U)) {
        double now = careful_wins(reading, card);
        double later = reading_worth(reading, card);
        double miss =
            careful_miss(expected - later + now, now * (1 - now) - later * (1 - later), wanted);
        if (best == MOVE_NONE || miss < best_miss) {
            best = card;
            best_miss = miss;
        }
    }
    return best;
}

uint8_t oh_hell_careful(const struct game_view *view, const struct game_config *config,
                        struct quick_random *random)
{
    struct reading reading = reading_of(view);
    (void)random; /* the policy uses no randomness */
    return view->phase == OH_HELL_BID ? careful_bid(&reading)
                                      : careful_play(&reading, config->options[OH_HELL_SCORING]);
}
