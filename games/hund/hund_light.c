#include "games/bits.h"
#include "games/bots/playout.h"
#include "games/hund/hund.h"

/*
 * The light policy: takes a trick if its cards are worth something by the roles of their suits, and
 * leaves it to the others if not. Searching bots play imagined deals to their end by it.
 *
 * The numbers were found by trial: of many small changes, those were kept with which the policy
 * gained more points in a round of three players than without.
 */

#define RANDOM_MOVES 10  /* one move in this many is made at random */
#define OPEN_FACTOR 1.5F /* what a suit without a role is worth, in means of the open roles */
#define COST_OF_TRICK 0.25F
#define COST_OF_LENGTH 0.04F /* for each card of the suit in the hand: it is good to have none */
#define TRUMPED_FACTOR 0.75F /* how often nobody trumps a lead */

/* What a card of a suit with this role is worth in a trick, and what it costs to play the highest
 * card of the suit instead of the lowest. */
static const float worth_of_role[HUND_ROLES] = {
    [HUND_TRUMP] = 0.1F,   [HUND_PLUS] = 0.57F,  [HUND_HUND] = 0.28F,
    [HUND_MINUS] = -0.15F, [HUND_LEAD] = -0.04F,
};
static const float cost_of_height[HUND_ROLES] = {
    [HUND_TRUMP] = 0.25F,  [HUND_PLUS] = 0.47F,  [HUND_HUND] = 0.2F,
    [HUND_MINUS] = -0.04F, [HUND_LEAD] = -0.03F,
};
#define COST_OF_HEIGHT_OPEN 0.02F /* in a suit without a role */

/* What a seat that plays a card considers. */
struct outlook {
    const struct hund *state;
    uint8_t seat;
    uint8_t after;           /* how many players play after the seat in the trick */
    float worth[HUND_SUITS]; /* of a card of each suit in a trick */
    float cost_of_height[HUND_SUITS];
    float lying;            /* the worth of the cards in the trick */
    float coming;           /* the worth of the cards that the others will add to it */
    struct card_set unseen; /* the cards that the others hold */
};

/* Fills in what follows from the roles that suits have. A suit without a role is worth the mean of
 * the roles that are still open. */
static void consider_roles(struct outlook *outlook)
{
    const struct hund_board *board = &outlook->state->board;
    float open = 0;
    for (uint8_t role = board->count; role < HUND_ROLES; role++) {
        open += worth_of_role[role] / (float)(HUND_ROLES - board->count);
    }
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        outlook->worth[suit] = OPEN_FACTOR * open;
        outlook->cost_of_height[suit] = COST_OF_HEIGHT_OPEN;
    }
    for (uint8_t role = 0; role < board->count; role++) {
        outlook->worth[board->roles[role]] = worth_of_role[role];
        outlook->cost_of_height[board->roles[role]] = cost_of_height[role];
    }
    outlook->coming = (float)outlook->after * open;
}

static struct outlook look_out(const struct hund *state, uint8_t seat)
{
    const struct table_state *table = &state->table;
    struct outlook outlook = {
        .state = state, .seat = seat, .after = (uint8_t)(table->seats - 1 - table->trick_count)};
    consider_roles(&outlook);
    for (uint8_t i = 1; i <= table->trick_count; i++) {
        outlook.lying += outlook.worth[hund_suit(table->plays[table->play_count - i])];
    }
    for (uint8_t other = 0; other < table->seats; other++) {
        if (other != seat) {
            outlook.unseen.bits[0] |= table->hands[other].bits[0];
            outlook.unseen.bits[1] |= table->hands[other].bits[1];
        }
    }
    return outlook;
}

/* Returns about how likely it is that the card takes the trick: the likelier, the fewer unseen
 * cards of its suit are higher. */
static float chance_of_card(const struct outlook *outlook, uint8_t card)
{
    const struct table_state *table = &outlook->state->table;
    uint8_t suit = hund_suit(card);
    uint8_t trump = outlook->state->board.roles[HUND_TRUMP];
    if (table->trick_count > 0 && !hund_card_beats(card, table->best_card, trump)) {
        return 0;
    }
    uint32_t unseen = hund_values_of_suit(outlook->unseen, suit);
    uint32_t higher = unseen & ~((UINT32_C(2) << (card % HUND_VALUES)) - 1);
    float chance = playout_guess_chance(bits_count(higher), bits_count(unseen), outlook->after);
    bool may_be_trumped = table->trick_count == 0 && trump != SUIT_NONE && suit != trump;
    return may_be_trumped ? TRUMPED_FACTOR * chance : chance;
}

/* Returns how good it is to play the card now. */
static float rate_card(const struct outlook *outlook, uint8_t card)
{
    const struct table_state *table = &outlook->state->table;
    uint8_t suit = hund_suit(card);
    float chance = chance_of_card(outlook, card);
    float all = outlook->lying + outlook->worth[suit];
    float height = (float)(card % HUND_VALUES) / (float)outlook->state->values;
    uint8_t length = bits_count(hund_values_of_suit(table->hands[outlook->seat], suit));
    return chance * (all + outlook->coming - COST_OF_TRICK) -
           (1 - chance) * all / (float)(table->seats - 1) - height * outlook->cost_of_height[suit] -
           COST_OF_LENGTH * (float)length;
}

static uint8_t choose_card(const struct hund *state, uint8_t seat, const struct move_set *legal)
{
    const struct outlook outlook = look_out(state, seat);
    uint8_t best = MOVE_NONE;
    float most = 0;
    for (uint8_t card = move_set_next(legal, 0); card != MOVE_NONE;
         card = move_set_next(legal, card + 1U)) {
        float rating = rate_card(&outlook, card);
        if (best == MOVE_NONE || rating > most) {
            best = card;
            most = rating;
        }
    }
    return best;
}

uint8_t hund_light_move(const void *state_bytes, uint8_t seat, const struct move_set *legal,
                        struct quick_random *random)
{
    const struct hund *state = state_bytes;
    bool is_random =
        state->table.phase != HUND_PLAY || quick_random_draw_below(random, RANDOM_MOVES) == 0;
    return is_random ? playout_pick_random_move(legal, random) : choose_card(state, seat, legal);
}
