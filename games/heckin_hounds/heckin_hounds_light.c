#include "games/bits.h"
#include "games/bots/playout.h"
#include "games/heckin_hounds/heckin_hounds.h"

/*
 * What searching bots need: the light policy, by which they play imagined deals to their end, and
 * the worth of a finished round.
 *
 * The light policy is the careful one in short. It sees of the state what its seat sees: its own
 * cards only as far as clues and sight tell them. A card wins a trick if everybody else plays a
 * weaker one, where all are taken to play any of their cards. From the chances of its slots follow
 * the chances of its total after the round, which should be 0 or a little more.
 */

#define RANDOM_MOVES 10 /* one move in this many is made at random */
#define SHARE_OF_WINNING 0.85F
#define COST_MOST 10.0F
#define TOTALS 64      /* the totals after all rounds, from -TOTAL_LEAST on */
#define TOTAL_LEAST 24 /* below all totals that are reached */
#define STEPS 8        /* what a round adds to a total: -3 to +4 */
#define STEP_LEAST 3

/* What a seat knows about the cards of the round. Sets of cards have bit c for card c. */
struct knowledge {
    const struct hounds *state;
    uint8_t seat;
    uint64_t
        unseen; /* the dealt cards that the seat has not seen: its own hidden ones are among them */
    float strength_of_unseen[HOUNDS_CARDS]; /* by card: the share of the unseen cards that are
                                               weaker */
    struct {
        float held;       /* the number of cards in the hand */
        float hidden;     /* how many of them the seat does not see */
        uint64_t visible; /* the others: bit s for a card of strength s. Cerberus is left out, as no
                             card is stronger */
    } hands[SEATS_MAX];
};

#define BIT(n) (UINT64_C(1) << (n))

static bool sees_slot(const struct hounds *state, uint8_t seat, uint8_t owner, uint8_t slot)
{
    return (state->table.sight[owner][slot] & SIGHT_OF(seat)) != 0 ||
           state->table.slots[owner][slot] == HOUNDS_CERBERUS_CARD;
}

static bool holds_slot(const struct hounds *state, uint8_t owner, uint8_t slot)
{
    return (state->held[owner] >> slot & 1) != 0;
}

/* The dealt cards of all suits but mops. */
static uint64_t all_dealt_cards(const struct hounds *state)
{
    uint64_t cards = 0;
    for (uint8_t suit = 0; suit < HOUNDS_DEALT_SUITS; suit++) {
        cards |= (BIT(state->table.players + 1) - 1) << (suit * HOUNDS_VALUES);
    }
    return cards;
}

/* Returns the dealt cards that the seat has seen neither played nor in a hand. */
static uint64_t find_unseen_cards(const struct hounds *state, uint8_t seat)
{
    uint64_t cards = all_dealt_cards(state);
    for (uint8_t i = 0; i < state->table.play_count; i++) {
        cards &= ~BIT(state->table.plays[i]);
    }
    for (unsigned i = 0; i < state->table.seats * (unsigned)HOUNDS_SLOTS; i++) {
        uint8_t owner = (uint8_t)(i / HOUNDS_SLOTS), slot = (uint8_t)(i % HOUNDS_SLOTS);
        if (holds_slot(state, owner, slot) && sees_slot(state, seat, owner, slot)) {
            cards &= ~BIT(state->table.slots[owner][slot]);
        }
    }
    return cards;
}

static void read_hand(struct knowledge *known, uint8_t owner)
{
    const struct hounds *state = known->state;
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
        if (!holds_slot(state, owner, slot)) {
            continue;
        }
        uint8_t card = state->table.slots[owner][slot];
        known->hands[owner].held++;
        if (!sees_slot(state, known->seat, owner, slot)) {
            known->hands[owner].hidden++;
        } else if (card != HOUNDS_CERBERUS_CARD) {
            known->hands[owner].visible |= BIT(hounds_strength(card));
        }
    }
}

static struct knowledge read_knowledge(const struct hounds *state, uint8_t seat)
{
    struct knowledge known = {
        .state = state, .seat = seat, .unseen = find_unseen_cards(state, seat)};
    float count = (float)bits_count(known.unseen);
    float weaker = 0;
    for (uint8_t suit = HOUNDS_DEALT_SUITS; suit-- > 0;) {
        for (uint8_t value = 0; value < HOUNDS_VALUES; value++) {
            uint8_t card = (uint8_t)(suit * HOUNDS_VALUES + value);
            known.strength_of_unseen[card] = count > 0 ? weaker / count : 0.5F;
            weaker += (float)(known.unseen >> card & 1);
        }
    }
    for (uint8_t owner = 0; owner < state->table.seats; owner++) {
        read_hand(&known, owner);
    }
    return known;
}

/* Returns the chance that the owner plays a weaker card next, if it plays any of its cards. */
static float chance_of_weaker(const struct knowledge *known, uint8_t owner, uint8_t card)
{
    float held = known->hands[owner].held;
    uint64_t weaker = known->hands[owner].visible;
    weaker &= card == HOUNDS_CERBERUS_CARD ? UINT64_MAX : BIT(hounds_strength(card)) - 1;
    float sum = known->hands[owner].hidden * known->strength_of_unseen[card];
    return held > 0 ? (sum + (float)bits_count(weaker)) / held : 1;
}

/* Returns the chance that the card is stronger than what these seats (bit s: seat s) play. */
static float chance_of_card(const struct knowledge *known, uint8_t card, uint8_t seats)
{
    float chance = card / HOUNDS_VALUES < HOUNDS_DEALT_SUITS ? 1 : 0; /* mops beat nothing */
    for (uint8_t rest = seats; rest != 0 && chance > 0; rest &= (uint8_t)(rest - 1)) {
        chance *= chance_of_weaker(known, bits_index_of_lowest(rest), card);
    }
    return chance;
}

/* For some seats: the chance of each card that it is stronger than what they play. */
struct odds {
    float of[HOUNDS_CARDS];
};

/* Fills in the odds of the cards that the seat's own hand may hold: those that it has not seen and
 * its own ones. */
static void fill_odds(const struct knowledge *known, uint8_t seats, struct odds *odds)
{
    const struct table_state *table = &known->state->table;
    uint64_t cards = known->unseen;
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
        cards |=
            holds_slot(known->state, known->seat, slot) ? BIT(table->slots[known->seat][slot]) : 0;
    }
    for (uint64_t rest = cards; rest != 0; rest &= rest - 1) {
        uint8_t card = bits_index_of_lowest(rest);
        odds->of[card] = chance_of_card(known, card, seats);
    }
}

/* Returns the cards that the seat's own slot may hold as far as it knows. */
static uint64_t possible_cards(const struct knowledge *known, uint8_t slot)
{
    const struct hounds *state = known->state;
    uint8_t card = state->table.slots[known->seat][slot];
    uint64_t cards = known->unseen;
    if ((state->told_suit[known->seat] >> slot & 1) != 0) {
        cards &= UINT64_C(0xFF) << (card / HOUNDS_VALUES * HOUNDS_VALUES);
    }
    if ((state->told_value[known->seat] >> slot & 1) != 0) {
        cards &= UINT64_C(0x0101010101010101) << (card % HOUNDS_VALUES);
    }
    return cards;
}

/* Returns the chance that the seat's own slot wins against a card that lies in the trick
 * (CARD_NONE: none) and against what the seats of the odds play. */
static float chance_of_slot(const struct knowledge *known, uint8_t slot, uint8_t best_card,
                            const struct odds *odds)
{
    uint8_t card = known->state->table.slots[known->seat][slot];
    unsigned least = best_card == CARD_NONE ? 0 : hounds_strength(best_card);
    if (sees_slot(known->state, known->seat, known->seat, slot)) {
        bool is_cerberus = card == HOUNDS_CERBERUS_CARD;
        return is_cerberus ? 1 : hounds_strength(card) <= least ? 0 : odds->of[card];
    }
    uint64_t possible = possible_cards(known, slot);
    float sum = 0;
    for (uint64_t rest = possible; rest != 0; rest &= rest - 1) {
        uint8_t one = bits_index_of_lowest(rest);
        sum += hounds_strength(one) <= least ? 0 : odds->of[one];
    }
    return possible == 0 ? 0 : sum / (float)bits_count(possible);
}

static bool is_last_round(const struct hounds *state)
{
    return state->table.round == state->table.players;
}

static uint8_t other_seats(const struct knowledge *known)
{
    return (uint8_t)((BIT(known->state->table.seats) - 1) & ~BIT(known->seat));
}

/* Fills in the chance of each slot that the seat still holds to win a later trick. `odds` are those
 * against all others. */
static void fill_chances(const struct knowledge *known, const struct odds *odds,
                         double chances[HOUNDS_SLOTS])
{
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
        chances[slot] = holds_slot(known->state, known->seat, slot)
                            ? (double)chance_of_slot(known, slot, CARD_NONE, odds)
                            : 0;
    }
}

/* Returns the seats that have not played in the trick yet, without the one that plays now. */
static uint8_t seats_to_come(const struct knowledge *known)
{
    const struct table_state *table = &known->state->table;
    unsigned seats = 0;
    uint8_t seat = known->seat;
    for (uint8_t i = (uint8_t)(table->trick_count + 1); i < table->seats; i++) {
        seat = table->next[seat];
        seats |= 1U << seat;
    }
    return (uint8_t)seats;
}

static uint8_t choose_slot(const struct knowledge *known, double chances[HOUNDS_SLOTS],
                           uint64_t moves)
{
    const struct table_state *table = &known->state->table;
    uint8_t seat = known->seat;
    int total = table->scores[seat] - table->bids[seat] + table->tricks[seat];
    uint8_t best_card = table->trick_count == 0 ? CARD_NONE : table->best_card;
    struct odds odds FILLED_LATER; /* against the seats that have not played yet */
    fill_odds(known, seats_to_come(known), &odds);
    uint8_t chosen = MOVE_NONE;
    double least = 0;
    for (uint64_t rest = moves; rest != 0; rest &= rest - 1) {
        uint8_t slot = (uint8_t)(bits_index_of_lowest(rest) - HOUNDS_MOVE_PLAY);
        double later = chances[slot];
        chances[slot] = (double)chance_of_slot(known, slot, best_card, &odds);
        double cost = hounds_mean_cost_of_total(total, is_last_round(known->state), chances);
        chances[slot] = later;
        if (chosen == MOVE_NONE || cost < least) {
            chosen = (uint8_t)(HOUNDS_MOVE_PLAY + slot);
            least = cost;
        }
    }
    return chosen;
}

/* Trades away the most uncertain card if a card drawn instead is more certain. */
static uint8_t choose_trade(const struct knowledge *known, const struct odds *odds,
                            const double chances[HOUNDS_SLOTS], const struct move_set *legal)
{
    uint8_t slot = hounds_most_uncertain_slot(chances);
    uint8_t move = (uint8_t)(HOUNDS_MOVE_TRADE + slot);
    double drawn = 0;
    for (uint64_t rest = known->unseen; rest != 0; rest &= rest - 1) {
        drawn += (double)odds->of[bits_index_of_lowest(rest)] / bits_count(known->unseen);
    }
    return hounds_is_trade_better(chances[slot], drawn) && move_set_has(legal, move)
               ? move
               : HOUNDS_MOVE_PASS;
}

uint8_t hounds_light_move(const void *state_bytes, uint8_t seat, const struct move_set *legal,
                          struct quick_random *random)
{
    const struct hounds *state = state_bytes;
    if (quick_random_draw_below(random, RANDOM_MOVES) == 0) {
        return playout_pick_random_move(legal, random);
    }
    const struct knowledge known = read_knowledge(state, seat);
    struct odds odds FILLED_LATER;
    double chances[HOUNDS_SLOTS];
    fill_odds(&known, other_seats(&known), &odds);
    fill_chances(&known, &odds, chances);
    switch ((enum hounds_phase)state->table.phase) {
    case HOUNDS_CERBERUS:
        return (uint8_t)(HOUNDS_MOVE_CERBERUS + seat);
    case HOUNDS_DISCARD:
        return (uint8_t)(HOUNDS_MOVE_DISCARD + hounds_most_uncertain_slot(chances));
    case HOUNDS_TRADE:
        return choose_trade(&known, &odds, chances, legal);
    case HOUNDS_BID:
        return hounds_choose_bid(state->table.scores[seat], is_last_round(state), chances);
    case HOUNDS_PLAY:
        return choose_slot(&known, chances, legal->bits[0]);
    case HOUNDS_BAD:
    case HOUNDS_CLUE:
        break;
    }
    return playout_pick_random_move(legal, random);
}

/* The chances of a total, from -TOTAL_LEAST on. */
struct chances {
    float of[TOTALS];
};

/* Returns the chances after one more round. The steps are how often careful players get each number
 * of points in a round. */
static struct chances add_round(const struct chances *before)
{
    static const float steps[STEPS] = {0.009F, 0.050F, 0.165F, 0.418F,
                                       0.250F, 0.090F, 0.017F, 0.001F};
    struct chances after = {{0}};
    for (int total = STEP_LEAST; total < TOTALS - STEPS; total++) {
        for (int step = 0; step < STEPS && before->of[total] > 0; step++) {
            after.of[total + step - STEP_LEAST] += before->of[total] * steps[step];
        }
    }
    return after;
}

/* Returns how a total of 0 is distributed after that many more rounds. */
static struct chances spread_total(unsigned rounds)
{
    struct chances spread = {{[TOTAL_LEAST] = 1}};
    for (unsigned i = 0; i < rounds; i++) {
        spread = add_round(&spread);
    }
    return spread;
}

/* Returns the chance that the total, which is `now` before the rounds to come, ends at `end`. */
static float chance_of_total(const struct chances *spread, int now, int end)
{
    int at = end - now + TOTAL_LEAST;
    return at < 0 || at >= TOTALS ? 0 : spread->of[at];
}

/* Returns the chance that the seat beats the other one if both are in the game until the end: the
 * other one's total is below 0 or above `end`, or is the same with more badness. */
static float chance_to_beat(const struct hounds *state, const struct chances *spread, uint8_t seat,
                            uint8_t other, int end)
{
    int now = state->table.scores[other];
    float loses = 0;
    for (int total = 0; total < end; total++) {
        loses += chance_of_total(spread, now, total);
    }
    float tie = chance_of_total(spread, now, end);
    float share = state->badness[seat] < state->badness[other]    ? 1
                  : state->badness[seat] == state->badness[other] ? 0.5F
                                                                  : 0;
    return 1 - loses - tie * (1 - share);
}

static float chance_to_win_game(const struct hounds *state, const struct chances *spread,
                                uint8_t seat)
{
    float chance = 0;
    for (int end = 0; end < TOTALS - TOTAL_LEAST; end++) {
        float here = chance_of_total(spread, state->table.scores[seat], end);
        for (uint8_t other = 0; other < state->table.seats && here > 0; other++) {
            here *= other == seat ? 1 : chance_to_beat(state, spread, seat, other, end);
        }
        chance += here;
    }
    return chance;
}

void hounds_compute_reward(UNUSED const int16_t before[SEATS_MAX], const void *state_bytes,
                           float out[SEATS_MAX])
{
    const struct hounds *state = state_bytes;
    unsigned left = (unsigned)(state->table.players - state->table.round);
    const struct chances spread = spread_total(left);
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        float cost = (float)hounds_cost_of_total(state->table.scores[seat], is_last_round(state));
        cost = cost > COST_MOST ? COST_MOST : cost;
        out[seat] = SHARE_OF_WINNING * chance_to_win_game(state, &spread, seat) +
                    (1 - SHARE_OF_WINNING) * (1 - cost / COST_MOST);
    }
}
