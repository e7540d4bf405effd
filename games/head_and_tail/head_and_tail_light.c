#include "games/bits.h"
#include "games/bots/playout.h"
#include "games/head_and_tail/head_and_tail.h"

/*
 * The light policy: a seat wishes for a trick while others have more tricks, and for none while it
 * has most of all. Searching bots play imagined deals to their end by it.
 *
 * The numbers were found by trial: of many small changes, those were kept with which the policy
 * gained more points in a round of four players than without.
 */

#define RANDOM_MOVES 10 /* one move in this many is made at random */
#define WISH_ALWAYS 0.15F
#define DIFFERENCES 4 /* from -1 to 2 tricks; larger differences count like these */
#define COST_OF_LEADING_HIGH 0.4F
#define WORTH_OF_LENGTH 0.02F /* for each card of the suit in the hand */
#define LEADING_BET 0.1F
#define PLAYING_BET (-0.35F)
#define BET_ON_MOST (-0.6F) /* the player with most tricks takes the betting card */
#define BET_ON_FEWEST 0.45F
#define BET_TOO_EARLY (-0.12F) /* for each player who plays after it and may take the trick */

/* What it is worth to play the highest card of a suit instead of the lowest: whether the seat wants
 * the trick, and whether the card is likely to take it. */
static const float worth_of_height[2][2] = {{1.6F, -0.65F}, {0, 1}};

/* What a seat that plays a card considers. */
struct outlook {
    const struct table_state *table;
    uint8_t seat;
    uint8_t after;        /* how many players play after the seat in the trick */
    uint8_t most, fewest; /* the most and the fewest tricks that one of the others has */
    float wish;      /* how much the seat wants the trick; below 0: how much it wants to avoid it */
    uint64_t unseen; /* the cards that the others hold */
};

static uint64_t cards_of_suit(uint8_t suit)
{
    return ((UINT64_C(1) << HEAD_AND_TAIL_RANKS) - 1) << (HEAD_AND_TAIL_RANKS * suit);
}

static int limit_difference(int difference)
{
    return difference < -1 ? -1 : difference >= DIFFERENCES - 2 ? DIFFERENCES - 2 : difference;
}

/* Returns how much a seat wants a trick. Late in the round it wants to be in the middle. */
static float find_wish(const struct outlook *outlook)
{
    static const float above_fewest[DIFFERENCES] = {-0.45F, -0.05F, -0.05F, 0.2F};
    static const float below_most[DIFFERENCES] = {-0.4F, -0.05F, 0.3F, 0.75F};
    const struct table_state *table = outlook->table;
    int own = table->tricks[outlook->seat];
    int above = limit_difference(own - outlook->fewest);
    int below = limit_difference(outlook->most - own);
    float late = (float)table->past_count / (float)table->slot_count;
    return WISH_ALWAYS + above_fewest[above + 1] + below_most[below + 1] -
           late * (0.4F * (float)above + 0.2F * (float)below);
}

static struct outlook look_out(const struct table_state *table, uint8_t seat)
{
    struct outlook outlook = {.table = table,
                              .seat = seat,
                              .after = (uint8_t)(table->seats - 1 - table->trick_count),
                              .fewest = TRICKS_MAX};
    for (uint8_t other = 0; other < table->seats; other++) {
        if (other == seat) {
            continue;
        }
        uint8_t tricks = table->tricks[other];
        outlook.most = tricks > outlook.most ? tricks : outlook.most;
        outlook.fewest = tricks < outlook.fewest ? tricks : outlook.fewest;
        outlook.unseen |= table->hands[other].bits[0];
    }
    outlook.wish = find_wish(&outlook);
    return outlook;
}

/* Returns about how likely it is that the card takes the trick. A card that is led may meet any
 * higher card of its suit; one that beats the trick as it lies counts as taking it. */
static float chance_of_card(const struct outlook *outlook, uint8_t card)
{
    const struct table_state *table = outlook->table;
    uint64_t suit = cards_of_suit(card / HEAD_AND_TAIL_RANKS);
    if (table->trick_count > 0) {
        bool beats = !head_and_tail_is_betting_card(card) && card > table->best_card &&
                     (suit >> table->best_card & 1) != 0;
        return beats ? 1 : 0;
    }
    uint64_t unseen = outlook->unseen & suit;
    uint64_t higher = unseen & ~((UINT64_C(2) << card) - 1);
    return playout_guess_chance(bits_count(higher), bits_count(unseen), outlook->after);
}

/* Returns how good it is to play the betting card now. It pays if the head or the tail takes it. */
static float rate_betting_card(const struct outlook *outlook)
{
    const struct table_state *table = outlook->table;
    if (table->trick_count == 0) {
        return outlook->wish + LEADING_BET;
    }
    uint8_t own = table->tricks[outlook->seat];
    uint8_t taker = table->tricks[table->best_seat];
    bool has_most = taker >= outlook->most && taker >= own;
    bool has_fewest = taker <= outlook->fewest && taker <= own;
    return PLAYING_BET + (has_most ? BET_ON_MOST : 0) + (has_fewest ? BET_ON_FEWEST : 0) +
           BET_TOO_EARLY * (float)outlook->after;
}

/* Returns how good it is to play the card now. A seat that wants the trick plays its highest card,
 * one that does not wins with its lowest card or throws away its highest one. */
static float rate_card(const struct outlook *outlook, uint8_t card)
{
    const struct table_state *table = outlook->table;
    if (head_and_tail_is_betting_card(card)) {
        return rate_betting_card(outlook);
    }
    float chance = chance_of_card(outlook, card);
    float height = (float)(card % HEAD_AND_TAIL_RANKS) / HEAD_AND_TAIL_RANKS;
    uint64_t suit = cards_of_suit(card / HEAD_AND_TAIL_RANKS);
    bool is_wanted = outlook->wish > 0;
    bool is_taken = chance > 0.5F;
    return outlook->wish * chance + worth_of_height[is_wanted][is_taken] * height +
           WORTH_OF_LENGTH * (float)bits_count(table->hands[outlook->seat].bits[0] & suit) -
           (table->trick_count == 0 ? COST_OF_LEADING_HIGH * height : 0);
}

uint8_t head_and_tail_light_move(const void *state_bytes, uint8_t seat,
                                 const struct move_set *legal, struct quick_random *random)
{
    if (quick_random_draw_below(random, RANDOM_MOVES) == 0) {
        return playout_pick_random_move(legal, random);
    }
    const struct outlook outlook = look_out(state_bytes, seat);
    uint8_t best = MOVE_NONE;
    float most = 0;
    for (uint64_t cards = legal->bits[0]; cards != 0; cards &= cards - 1) {
        uint8_t card = bits_index_of_lowest(cards);
        float rating = rate_card(&outlook, card);
        if (best == MOVE_NONE || rating > most) {
            best = card;
            most = rating;
        }
    }
    return best;
}
