#include "games/bots/bots.h"
#include "games/card.h"
#include "games/head_and_tail/head_and_tail.h"

#define HEAD_AND_TAIL_SEATS 6
#define SUM_STEPS 24
#define HIGHS_A_STEP 4
#define LOWS_A_STEP 2

/* Where a seat is between head and tail by the number of its tricks. */
enum rank {
    RANK_MOST,
    RANK_TIED_MOST,
    RANK_MIDDLE,
    RANK_TIED_FEWEST,
    RANK_FEWEST,
    RANKS,
};

/* What a seat becomes for sure, or that this is open. */
enum fate {
    FATE_HEAD,
    FATE_TAIL,
    FATE_NEITHER,
    FATE_OPEN,
    FATES,
};

#define DIFFERENCE 5 /* of numbers of tricks; larger ones count like these */
#define LATER 3      /* numbers of players after the seat in the trick */
#define FEATURES (RANKS * LATER + RANKS + RANKS * 2 + FATES * LATER * 3)

static uint8_t find_rank(const struct table_state *table, uint8_t seat)
{
    unsigned more = 0, fewer = 0, same = 0; /* other seats with as many tricks */
    for (uint8_t other = 0; other < table->seats; other++) {
        more += other != seat && table->tricks[other] > table->tricks[seat];
        fewer += other != seat && table->tricks[other] < table->tricks[seat];
        same += other != seat && table->tricks[other] == table->tricks[seat];
    }
    return more == 0    ? same == 0 ? RANK_MOST : RANK_TIED_MOST
           : fewer == 0 ? same == 0 ? RANK_FEWEST : RANK_TIED_FEWEST
                        : RANK_MIDDLE;
}

/* The most and the fewest tricks that another seat has if `taker` takes this one. */
static void find_extremes(const struct table_state *table, uint8_t seat, uint8_t taker, int *most,
                          int *fewest)
{
    *most = 0;
    *fewest = TRICKS_MAX;
    for (uint8_t other = 0; other < table->seats; other++) {
        int tricks = table->tricks[other] + (other == taker);
        *most = other != seat && tricks > *most ? tricks : *most;
        *fewest = other != seat && tricks < *fewest ? tricks : *fewest;
    }
}

/* What a seat can still become if `taker` takes this trick. */
static uint8_t find_fate(const struct table_state *table, uint8_t seat, uint8_t taker)
{
    int left = table->slot_count - table->past_count - 1;
    int own = table->tricks[seat] + (seat == taker);
    int most, fewest;
    find_extremes(table, seat, taker, &most, &fewest);
    return own > most + left                          ? FATE_HEAD
           : own + left < fewest                      ? FATE_TAIL
           : own + left < most && own > fewest + left ? FATE_NEITHER
                                                      : FATE_OPEN;
}

/* The features of a card, of a betting card who would take it, and what its owner or that player
 * can still become. */
static void add_features(const struct encoding *encoding, uint8_t number,
                         struct encode_outputs *out)
{
    const struct table_state *table = encoding->table;
    bool is_bet = head_and_tail_is_betting_card(number);
    bool is_lead = table->trick_count == 0;
    unsigned taker = is_lead ? RANKS : find_rank(table, table->best_seat);
    unsigned later = bits_count(encoding->later);
    later = later < LATER ? later : LATER - 1;
    bool wins =
        !is_bet && !is_lead && number > table->best_card &&
        card_suit(&head_and_tail_deck, number) == card_suit(&head_and_tail_deck, table->best_card);
    encode_add_card_features(encoding, number, out);
    encode_add_output(out, is_bet && !is_lead ? taker * LATER + later : UINT16_MAX, RANKS * LATER);
    encode_add_output(out, is_bet && is_lead ? encoding->wish : UINT16_MAX, RANKS);
    encode_add_output(out, is_lead || is_bet ? UINT16_MAX : taker * 2 + wins, RANKS * 2);
    uint8_t takes = wins || is_lead ? encoding->me : table->best_seat;
    uint8_t fate = find_fate(table, is_bet ? takes : encoding->me, takes);
    unsigned form = is_bet ? 2 : takes == encoding->me;
    encode_add_output(out, (fate * LATER + later) * 3 + form, FATES * LATER * 3);
}

static const struct encode_moves moves[] = {
    {.kind = ENCODE_CARD,
     .feature_count = ENCODE_CARD_FEATURES + FEATURES,
     .add_features = add_features},
};

static void sort(const void *state_bytes, struct encoding *out)
{
    const struct head_and_tail *state = state_bytes;
    out->cards = (struct card_set){{head_and_tail_cards(state->table.seats), 0}};
    out->wish = find_rank(&state->table, out->me);
}

/* How many tricks the seat has more than the other one with most and the one with fewest. */
static void add_differences(const struct table_state *table, uint8_t seat, struct encoding *out)
{
    int most, fewest;
    find_extremes(table, seat, UINT8_MAX, &most, &fewest);
    encode_add_number(out, table->tricks[seat] - most, -DIFFERENCE, DIFFERENCE);
    encode_add_number(out, table->tricks[seat] - fewest, -DIFFERENCE, DIFFERENCE);
}

static void add(const void *state_bytes, struct encoding *out)
{
    const struct head_and_tail *state = state_bytes;
    uint8_t seats = state->table.seats;
    struct head_and_tail_tally tally;
    head_and_tail_tally_from_state(state, &tally);
    for (uint8_t distance = 0; distance < HEAD_AND_TAIL_SEATS; distance++) {
        uint8_t taken[SEATS_MAX] = {0}; /* 1: the seat has taken the bet of this one */
        for (uint8_t seat = 0; distance < seats && seat < seats; seat++) {
            taken[seat] = tally.bets[seat] >> out->seats[distance] & 1;
        }
        encode_add_by_seat(out, taken, 1);
    }
    for (uint8_t seat = 0; seat < seats; seat++) { /* the sums break ties */
        tally.highs[seat] = tally.highs[seat] / HIGHS_A_STEP;
        tally.lows[seat] = tally.lows[seat] / LOWS_A_STEP;
    }
    encode_add_by_seat(out, tally.highs, SUM_STEPS);
    encode_add_by_seat(out, tally.lows, SUM_STEPS);
    add_differences(&state->table, out->me, out);
    encode_add(out, state->limit / 6, 4);
    encode_add_seat(out, state->dealer);
}

const struct encode_traits head_and_tail_encode = {
    .goal = {.points_unit = 3, .win_worth = 3},
    .groups = ENCODE_FOLLOWS,
    .moves = moves,
    .sort = sort,
    .add = add,
};
