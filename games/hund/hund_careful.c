#include "games/hund/hund.h"

#include "games/bits.h"
#include "games/sample.h"

/*
 * The careful policy gives every suit a value: what one more card of it is worth, from the roles
 * already given, and from the average of the roles still open. When it plays, it chooses the card
 * with the highest sum of three things: what the trick brings if the card wins it (less what it
 * gives to others if it does not), what the card would be worth if kept, and, for a designating
 * card, what the new role does for the suit's cards that the player has taken and holds.
 */

/* These numbers were tuned by playing against random players and against the policy itself. */
/* value of a card of the lead suit: a better chance to choose the first player */
#define WORTH_LEAD 0.10
#define WORTH_TRUMP 0.05 /* value of a trump: the winner of a trick also leads the next */
/* value of the first cards of the hund suit: the player no longer has the fewest */
#define HUND_FIRST 0.8
/* value of further cards of the hund suit: the player may get the most */
#define HUND_ENOUGH (-0.5)
#define HOLD_HIGH 0.25  /* value of keeping the highest card of a suit */
#define HOLD_TRUMP 0.60 /* value of keeping the highest trump */
#define OTHERS 0.35     /* how much another player's gain counts as a loss */
/* value of a role for each taken card of its suit, compared with the other players */
#define ROLE_TAKEN 1.0
/* value of a role for each held card of its suit, compared with the other players */
#define ROLE_HELD 0.35
#define ROLE_TRUMP 0.30 /* value of making a long suit trump */

/* What the viewer knows about the cards. */
struct estimate {
    const struct game_view *view;
    uint8_t me;
    uint8_t values;
    struct hund_board board;
    struct card_set hand;
    struct card_set unseen; /* cards in other hands */
    uint8_t voids[SEATS_MAX];
    uint8_t taken[SEATS_MAX][HUND_SUITS];
    double worth[HUND_SUITS]; /* value of one more card of the suit */
};

static void remove_card(struct card_set *set, uint8_t card)
{
    set->bits[card / 64] &= ~(UINT64_C(1) << card % 64);
}

/* Takes a trick into account: its cards are seen, and a player who did not follow has no card of
 * the suit led. */
static void add_trick_to_estimate(struct estimate *estimate, const struct view_trick *trick,
                                  bool is_over)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        uint8_t seat = trick->plays[i].seat;
        uint8_t card = trick->plays[i].card;
        uint8_t led = hund_suit(trick->plays[0].card);
        remove_card(&estimate->unseen, card);
        estimate->taken[trick->winner][hund_suit(card)] += is_over;
        if (hund_suit(card) != led) {
            estimate->voids[seat] = (uint8_t)(estimate->voids[seat] | 1U << led);
        }
    }
}

/* The value of one more card of the hund suit: positive while the player has few, negative when the
 * player has many. */
static double value_of_hund_card(const struct estimate *estimate, uint8_t suit)
{
    uint8_t mine = estimate->taken[estimate->me][suit];
    uint8_t most = 0;
    for (uint8_t seat = 0; seat < estimate->view->seats; seat++) {
        uint8_t taken = estimate->taken[seat][suit];
        most = seat != estimate->me && taken > most ? taken : most;
    }
    return mine == 0 || mine + 1 < most ? HUND_FIRST : HUND_ENOUGH;
}

static double value_of_role(const struct estimate *estimate, uint8_t role, uint8_t suit)
{
    switch ((enum hund_role)role) {
    case HUND_PLUS:
        return 1;
    case HUND_MINUS:
        return -1;
    case HUND_HUND:
        return value_of_hund_card(estimate, suit);
    case HUND_LEAD:
        return WORTH_LEAD;
    case HUND_TRUMP:
        break;
    }
    return WORTH_TRUMP;
}

static void compute_suit_values(struct estimate *estimate)
{
    const struct hund_board *board = &estimate->board;
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        double sum = 0;
        for (uint8_t role = board->count; role < HUND_ROLES; role++) {
            sum += value_of_role(estimate, role, suit);
        }
        estimate->worth[suit] = board->count < HUND_ROLES ? sum / (HUND_ROLES - board->count) : 0;
    }
    for (uint8_t role = 0; role < board->count; role++) {
        uint8_t suit = board->roles[role];
        estimate->worth[suit] = value_of_role(estimate, role, suit);
    }
}

static struct estimate make_card_estimate(const struct game_view *view)
{
    struct estimate estimate = {.view = view, .me = (uint8_t)view->seat};
    estimate.values = (uint8_t)(view->slot_count[0] * view->seats / HUND_SUITS);
    hund_board_read_view(view, &estimate.board);
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        struct card_set all = hund_cards_of_suit(suit, (UINT32_C(1) << estimate.values) - 1);
        estimate.unseen.bits[0] |= all.bits[0];
        estimate.unseen.bits[1] |= all.bits[1];
    }
    for (uint8_t i = 0; i < view->slot_count[estimate.me]; i++) {
        uint8_t card = view->hands[estimate.me][i].card;
        if (card != CARD_NONE) {
            estimate.hand.bits[card / 64] |= UINT64_C(1) << card % 64;
            remove_card(&estimate.unseen, card);
        }
    }
    for (uint8_t i = 0; i < view->past_count; i++) {
        add_trick_to_estimate(&estimate, &view->past[i], true);
    }
    add_trick_to_estimate(&estimate, &view->trick, false);
    compute_suit_values(&estimate);
    return estimate;
}

/* The number of unseen cards of the suit that are higher than the card. */
static uint8_t count_unseen_higher_cards(const struct estimate *estimate, uint8_t card)
{
    uint32_t values = hund_values_of_suit(estimate->unseen, hund_suit(card));
    return bits_count(values >> (card % HUND_VALUES));
}

static uint8_t count_unseen_cards(const struct estimate *estimate, uint8_t suit)
{
    return bits_count(hund_values_of_suit(estimate->unseen, suit));
}

/* The chance that a hand of hidden cards contains none of `card_count` particular unseen cards. */
static double chance_of_none_in_hand(const struct estimate *estimate, uint8_t card_count)
{
    double share = 1.0 / (estimate->view->seats - 1U);
    double chance = 1;
    while (card_count-- > 0) {
        chance *= 1 - share;
    }
    return chance;
}

/* The chance that `seat`, which plays later in the trick, beats `card`. */
static double chance_to_be_beaten(const struct estimate *estimate, uint8_t card, uint8_t seat,
                                  uint8_t led, uint8_t trump)
{
    bool is_void = (estimate->voids[seat] >> led & 1) != 0;
    double void_chance =
        is_void ? 1 : chance_of_none_in_hand(estimate, count_unseen_cards(estimate, led));
    double higher = 1 - chance_of_none_in_hand(estimate, count_unseen_higher_cards(estimate, card));
    double over = 0;
    if (hund_suit(card) == led) {
        over = is_void ? 0 : higher;
    } else {
        over = void_chance * higher;
    }
    if (trump != SUIT_NONE && trump != led && hund_suit(card) != trump &&
        (estimate->voids[seat] >> trump & 1) == 0) {
        over += 0.7 * void_chance *
                (1 - chance_of_none_in_hand(estimate, count_unseen_cards(estimate, trump)));
    }
    return over < 1 ? over : 1;
}

/* The chance that the card wins the current trick. */
static double chance_to_win_trick(const struct estimate *estimate, uint8_t card, uint8_t trump)
{
    const struct view_trick *trick = &estimate->view->trick;
    uint8_t led = hund_suit(trick->count == 0 ? card : trick->plays[0].card);
    if (hund_suit(card) != led && hund_suit(card) != trump) {
        return 0;
    }
    unsigned played = 1U << estimate->me;
    for (uint8_t i = 0; i < trick->count; i++) {
        uint8_t other = trick->plays[i].card;
        played |= 1U << trick->plays[i].seat;
        if ((hund_suit(other) == led || hund_suit(other) == trump) &&
            !hund_card_beats(card, other, trump)) {
            return 0;
        }
    }
    double chance = 1;
    for (uint8_t seat = 0; seat < estimate->view->seats; seat++) {
        if ((played >> seat & 1) == 0) {
            chance *= 1 - chance_to_be_beaten(estimate, card, seat, led, trump);
        }
    }
    return chance;
}

/* The expected value of the trick: of the cards in it, of this card, and of the cards still to
 * come, which are mostly of the suit led. */
static double expected_trick_value(const struct estimate *estimate, uint8_t card)
{
    const struct view_trick *trick = &estimate->view->trick;
    uint8_t led = hund_suit(trick->count == 0 ? card : trick->plays[0].card);
    double worth = estimate->worth[hund_suit(card)];
    for (uint8_t i = 0; i < trick->count; i++) {
        worth += estimate->worth[hund_suit(trick->plays[i].card)];
    }
    double to_come = estimate->view->seats - trick->count - 1;
    double follows = count_unseen_cards(estimate, led) > 0 ? 0.7 : 0;
    return worth + to_come * follows * estimate->worth[led];
}

/* The value of giving a suit a role: from the cards taken and held, compared with the other
 * players. */
static double value_of_giving_role(const struct estimate *estimate, uint8_t role, uint8_t suit)
{
    uint8_t held = bits_count(hund_values_of_suit(estimate->hand, suit));
    double even = (double)count_unseen_cards(estimate, suit) / (estimate->view->seats - 1U);
    if (role == HUND_TRUMP) {
        return ROLE_TRUMP * (held - even);
    }
    double taken = 0;
    for (uint8_t seat = 0; seat < estimate->view->seats; seat++) {
        double sign = seat == estimate->me ? 1 : -1.0 / (estimate->view->seats - 1U);
        taken += sign * estimate->taken[seat][suit];
    }
    double worth = ROLE_TAKEN * taken + ROLE_HELD * (held - even);
    return role == HUND_PLUS ? worth : role == HUND_MINUS ? -worth : 0;
}

/* The value of the role that a designating card gives, compared with the average over the suits
 * that could get it. */
static double value_of_role_given_by_card(const struct estimate *estimate, uint8_t card)
{
    uint8_t suit = hund_suit(card);
    uint8_t role = estimate->board.count;
    if (estimate->board.keys[suit] != card || role >= HUND_LEAD) {
        return 0;
    }
    double average = 0;
    unsigned open = 0;
    for (uint8_t other = 0; other < HUND_SUITS; other++) {
        bool is_given = false;
        for (uint8_t i = 0; i < role; i++) {
            is_given = is_given || estimate->board.roles[i] == other;
        }
        if (!is_given) {
            average += value_of_giving_role(estimate, role, other);
            open++;
        }
    }
    return value_of_giving_role(estimate, role, suit) - average / open;
}

/* The value of keeping the card: a high card wins a trick later. */
static double value_of_keeping_card(const struct estimate *estimate, uint8_t card, uint8_t trump)
{
    double stands = chance_of_none_in_hand(estimate, count_unseen_higher_cards(estimate, card));
    return stands * (hund_suit(card) == trump ? HOLD_TRUMP : HOLD_HIGH);
}

static uint8_t choose_card_to_play(const struct estimate *estimate)
{
    const struct move_set *legal = &estimate->view->legal;
    uint8_t best = MOVE_NONE;
    double best_sum = 0;
    for (uint8_t card = move_set_next(legal, 0); card != MOVE_NONE;
         card = move_set_next(legal, card + 1U)) {
        uint8_t trump = estimate->board.roles[HUND_TRUMP];
        if (trump == SUIT_NONE && estimate->board.keys[hund_suit(card)] == card) {
            trump = hund_suit(card); /* the card makes its suit trump when it is played */
        }
        double wins = chance_to_win_trick(estimate, card, trump);
        double trick = expected_trick_value(estimate, card);
        double sum = wins * trick - (1 - wins) * OTHERS * trick;
        sum += value_of_role_given_by_card(estimate, card) -
               value_of_keeping_card(estimate, card, trump);
        if (best == MOVE_NONE || sum > best_sum) {
            best = card;
            best_sum = sum;
        }
    }
    return best;
}

/* Selects a designating card that the viewer holds, in the viewer's longest suit, so that the
 * viewer decides when its role is given. */
static uint8_t choose_role_designating_card(const struct estimate *estimate,
                                            struct quick_random *random)
{
    const struct move_set *legal = &estimate->view->legal;
    uint8_t best = MOVE_NONE;
    unsigned best_key = 0;
    for (uint8_t move = move_set_next(legal, 0); move != MOVE_NONE;
         move = move_set_next(legal, move + 1U)) {
        uint8_t set = (uint8_t)(move - HUND_SELECT_FIRST);
        bool is_held = (estimate->hand.bits[set / 64] >> set % 64 & 1) != 0;
        unsigned length = bits_count(hund_values_of_suit(estimate->hand, hund_suit(set)));
        unsigned key = (is_held ? 256U * (length + 1) : 0) + quick_random_draw_below(random, 256);
        if (best == MOVE_NONE || key > best_key) {
            best = move;
            best_key = key;
        }
    }
    return best;
}

uint8_t hund_careful_move(const struct game_view *view, UNUSED const struct game_config *config,
                          struct quick_random *random)
{
    struct estimate estimate = make_card_estimate(view);
    switch ((enum hund_phase)view->phase) {
    case HUND_START:
        return (uint8_t)(HUND_START_FIRST + estimate.me);
    case HUND_SELECT:
        return choose_role_designating_card(&estimate, random);
    case HUND_PLAY:
        break;
    }
    return choose_card_to_play(&estimate);
}
