#include "games/bots/bots.h"

#include "games/card.h"

#define NO_OUTPUT UINT16_MAX /* the move has no output of a group */

/* How many numbers of each kind are told apart. */
#define HIGHER 6 /* unseen higher cards of the suit */
#define LOWER 4  /* unseen lower cards of the suit */
#define OTHERS 5 /* other own cards of the suit */
#define BELOW 4  /* own lower cards of the suit */
#define STEPS 10 /* of the chance that no later player has a higher card of the suit */
#define COARSE 4
#define VOIDS 4 /* later players who have not followed the suit */
#define LIKE 4  /* own lower cards that do the same (bit 0), own higher ones (bit 1) */

/* How a card is played. */
enum position {
    LEADS,
    WINS_LAST,
    WINS_BEFORE_ONE,
    WINS_BEFORE_MORE,
    LOSES_FOLLOWING,
    LOSES_DISCARDED,
    POSITIONS,
};

/* What a card does to the trick: players choose among cards that do the same. */
enum deed {
    DEED_LEADS,
    DEED_WINS,
    DEED_FOLLOWS,
    DEED_DISCARDS,
    DEEDS,
};

/* A card among those of its suit. */
struct standing {
    uint8_t suit;
    uint8_t position;
    uint8_t higher, lower; /* unseen cards */
    uint8_t others, below; /* other own cards, and lower ones among them */
    uint8_t like;          /* other own cards that do the same; of a lead, whether it takes the
                              trick for sure */
    unsigned chance;       /* that no later player has a higher one */
};

static unsigned at_most(unsigned number, unsigned most)
{
    return number < most ? number : most;
}

static uint64_t cards_of_suit(const struct encoding *encoding, struct card_set set, uint8_t suit)
{
    unsigned count = encoding->game->deck->value_count;
    return encode_slice(set, suit * count, count);
}

/* The unseen cards of the suit. */
static uint64_t find_hidden(const struct encoding *encoding, uint8_t suit)
{
    return cards_of_suit(encoding, encoding->cards, suit) &
           ~cards_of_suit(encoding, encoding->seen, suit);
}

static unsigned count_hand(const struct encoding *encoding, uint8_t seat)
{
    const struct card_set *hand = &encoding->table->hands[seat];
    return bits_count(hand->bits[0]) + bits_count(hand->bits[1]);
}

static unsigned count_hands(const struct encoding *encoding, unsigned seats)
{
    unsigned count = 0;
    for (; seats != 0; seats &= seats - 1) {
        count += count_hand(encoding, bits_index_of_lowest(seats));
    }
    return count;
}

/* The chance that none of `higher` unseen cards of a suit lies in a later player's hand, if all
 * unseen cards lie anywhere but with those who have not followed it: each of them in turn is one
 * of the cards that do not. */
static unsigned find_chance(const struct encoding *encoding, uint8_t suit, unsigned higher)
{
    uint64_t one = encoding->cards.bits[0] & ~encoding->seen.bits[0];
    uint64_t other = encoding->cards.bits[1] & ~encoding->seen.bits[1];
    unsigned voids = encoding->voids[suit];
    unsigned later = count_hands(encoding, encoding->later & ~voids);
    unsigned away = count_hands(encoding, voids);
    unsigned unseen = bits_count(one) + bits_count(other);
    unsigned chance = ENCODE_CHANCE_ONE;
    unseen = unseen > away ? unseen - away : 0;
    for (unsigned i = 0; i < higher; i++) {
        if (unseen <= later + i) {
            return 0;
        }
        chance = chance * (unseen - later - i) / (unseen - i);
    }
    return chance;
}

static bool wins(const struct encoding *encoding, uint8_t card, uint8_t suit)
{
    uint8_t best = encoding->table->best_card;
    uint8_t best_suit = card_suit(encoding->game->deck, best);
    return best_suit != SUIT_NONE && (suit == best_suit ? card > best : suit == encoding->trump);
}

static uint8_t find_position(const struct encoding *encoding, uint8_t card, uint8_t suit)
{
    if (encoding->table->trick_count == 0) {
        return LEADS;
    }
    if (wins(encoding, card, suit)) {
        return (uint8_t)(WINS_LAST + at_most(bits_count(encoding->later), 2));
    }
    return suit == card_suit(encoding->game->deck, encoding->table->led_card) ? LOSES_FOLLOWING
                                                                              : LOSES_DISCARDED;
}

/* Whether unseen trumps may take a trick of the suit. */
static bool may_be_trumped(const struct encoding *encoding, uint8_t suit)
{
    uint8_t trump = encoding->trump;
    return trump != SUIT_NONE && trump != suit && find_hidden(encoding, trump) != 0;
}

/* The other own cards of the suit that do the same to the trick. */
static uint8_t find_like(const struct encoding *encoding, const struct standing *standing,
                         uint64_t own, uint64_t below)
{
    uint8_t best = encoding->table->best_card;
    bool is_winner = standing->position < LOSES_FOLLOWING;
    uint64_t lower = own & below;
    uint64_t higher = own & ~below & ~(below + 1);
    if (card_suit(encoding->game->deck, best) == standing->suit) {
        uint64_t beaten = (UINT64_C(2) << best % encoding->game->deck->value_count) - 1;
        lower &= is_winner ? ~beaten : ~UINT64_C(0);
        higher &= is_winner ? ~UINT64_C(0) : beaten;
    }
    return (uint8_t)((lower != 0) | (higher != 0) << 1);
}

static struct standing find_standing(const struct encoding *encoding, uint8_t card, uint8_t suit)
{
    unsigned value = card % encoding->game->deck->value_count;
    uint64_t hidden = find_hidden(encoding, suit);
    uint64_t own = cards_of_suit(encoding, encoding->own, suit);
    uint64_t below = (UINT64_C(1) << value) - 1;
    struct standing standing = {.suit = suit,
                                .position = find_position(encoding, card, suit),
                                .higher = bits_count(hidden & ~below),
                                .lower = bits_count(hidden & below),
                                .others = bits_count(own & ~(UINT64_C(1) << value)),
                                .below = bits_count(own & below)};
    standing.chance = find_chance(encoding, suit, standing.higher);
    bool is_sure = standing.higher == 0 && !may_be_trumped(encoding, suit);
    standing.like =
        standing.position == LEADS ? is_sure : find_like(encoding, &standing, own, below);
    return standing;
}

/* Whether a lead may be trumped: later players who have not followed the suit, while trumps are
 * unseen or there is none. */
static unsigned find_danger(const struct encoding *encoding, const struct standing *standing)
{
    unsigned voids = at_most(bits_count(encoding->later & encoding->voids[standing->suit]), 3);
    return standing->position != LEADS                ? NO_OUTPUT
           : may_be_trumped(encoding, standing->suit) ? VOIDS + voids
                                                      : voids;
}

static void add_suit_card(const struct encoding *encoding, const struct standing *standing,
                          struct encode_outputs *out)
{
    unsigned position = standing->position;
    bool may_win = position < LOSES_FOLLOWING;
    unsigned chance = position == WINS_LAST ? ENCODE_CHANCE_ONE : standing->chance;
    unsigned suits = encoding->game->deck->suit_count;
    bool is_trump = standing->suit == encoding->trump;
    unsigned height = at_most(standing->higher, COARSE - 1);
    unsigned coarse = may_win ? encode_step(chance, COARSE) : height;
    encode_add_output(out, position * HIGHER + at_most(standing->higher, HIGHER - 1),
                      POSITIONS * HIGHER);
    encode_add_output(out, position * LOWER + at_most(standing->lower, LOWER - 1),
                      POSITIONS * LOWER);
    encode_add_output(out, position * OTHERS + at_most(standing->others, OTHERS - 1),
                      POSITIONS * OTHERS);
    encode_add_output(out, position * BELOW + at_most(standing->below, BELOW - 1),
                      POSITIONS * BELOW);
    encode_add_output(out, may_win ? encode_step(chance, STEPS) : NO_OUTPUT, STEPS);
    encode_add_output(out, is_trump ? position : NO_OUTPUT, POSITIONS);
    encode_add_output(out, find_danger(encoding, standing), 2 * VOIDS);
    encode_add_output(out,
                      encoding->place[standing->suit] * 3U + (position == LEADS ? 0
                                                              : may_win         ? 1
                                                                                : 2),
                      3 * suits);
    encode_add_output(out, (encoding->wish * POSITIONS + position) * COARSE + coarse,
                      ENCODE_WISHES * POSITIONS * COARSE);
    unsigned deed = position == LEADS             ? DEED_LEADS
                    : may_win                     ? DEED_WINS
                    : position == LOSES_FOLLOWING ? DEED_FOLLOWS
                                                  : DEED_DISCARDS;
    encode_add_output(out, (encoding->wish * DEEDS + deed) * LIKE + standing->like,
                      ENCODE_WISHES * DEEDS * LIKE);
}

void encode_add_card_features(const struct encoding *encoding, uint8_t card,
                              struct encode_outputs *out)
{
    uint8_t suit = card_suit(encoding->game->deck, card);
    bool is_lead = encoding->table->trick_count == 0;
    if (suit == SUIT_NONE) {
        encode_add_output(out, is_lead ? 0 : encoding->later == 0 ? 1 : 2, 3);
        encode_add_output(out, NO_OUTPUT, ENCODE_CARD_FEATURES - 3);
        return;
    }
    struct standing standing = find_standing(encoding, card, suit);
    encode_add_output(out, NO_OUTPUT, 3);
    add_suit_card(encoding, &standing, out);
    encode_add_output(out, NO_OUTPUT, 3U * (FACE_SUITS_MAX - encoding->game->deck->suit_count));
}
