#include "games/head_and_tail/head_and_tail.h"

#include "games/claim.h"
#include "games/game.h"
#include "games/hidden.h"

#include <limits.h>
#include <string.h>

/* A card's rank: 2 to 13; 1 for a betting card. */
static uint8_t get_rank(uint8_t card)
{
    return head_and_tail_is_betting_card(card) ? 1 : (uint8_t)(card % HEAD_AND_TAIL_RANKS + 2);
}

static void head_and_tail_tally_add_trick(struct head_and_tail_tally *tally, uint8_t winner,
                                          const uint8_t *cards, uint8_t count)
{
    uint8_t high = 0;
    uint8_t low = UINT8_MAX;
    for (uint8_t i = 0; i < count; i++) {
        uint8_t rank = get_rank(cards[i]);
        high = rank > high ? rank : high;
        low = rank < low ? rank : low;
        if (head_and_tail_is_betting_card(cards[i])) {
            unsigned owner = 1U << (cards[i] - HEAD_AND_TAIL_BETS);
            tally->bets[winner] = (uint8_t)(tally->bets[winner] | owner);
        }
    }
    tally->tricks[winner]++;
    tally->highs[winner] = (uint8_t)(tally->highs[winner] + high);
    tally->lows[winner] = (uint8_t)(tally->lows[winner] + low);
}

void head_and_tail_tally_add_trick_of_view(struct head_and_tail_tally *tally,
                                           const struct view_trick *trick)
{
    uint8_t cards[SEATS_MAX];
    for (uint8_t i = 0; i < trick->count; i++) {
        cards[i] = trick->plays[i].card;
    }
    head_and_tail_tally_add_trick(tally, trick->winner, cards, trick->count);
}

void head_and_tail_tally_from_view(const struct game_view *view, struct head_and_tail_tally *tally)
{
    memset(tally, 0, sizeof(*tally));
    for (uint8_t i = 0; i < view->past_count; i++) {
        head_and_tail_tally_add_trick_of_view(tally, &view->past[i]);
    }
}

/* The seats with the highest sort key: bit s for seat s. There is at least one seat. */
static uint8_t seats_with_highest_key(const int keys[SEATS_MAX], uint8_t seat_count)
{
    unsigned top = 0;
    int best = INT_MIN;
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        if (keys[seat] > best) {
            best = keys[seat];
            top = 0;
        }
        top |= (unsigned)(keys[seat] == best) << seat;
    }
    return (uint8_t)top;
}

/* Tricks count more than ranks: the sums of ranks stay below 256. */
uint8_t head_and_tail_head_seats(const struct head_and_tail_tally *tally, uint8_t seat_count)
{
    int keys[SEATS_MAX] = {0};
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        keys[seat] = 256 * tally->tricks[seat] + tally->highs[seat];
    }
    return seats_with_highest_key(keys, seat_count);
}

uint8_t head_and_tail_tail_seats(const struct head_and_tail_tally *tally, uint8_t seat_count)
{
    int keys[SEATS_MAX] = {0};
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        keys[seat] = -256 * tally->tricks[seat] - tally->lows[seat];
    }
    return seats_with_highest_key(keys, seat_count);
}

/* The seats whose betting cards were taken by one of the seats in `takers`. */
static uint8_t owners_of_bets_taken_by(const struct head_and_tail_tally *tally, uint8_t takers)
{
    unsigned owners = 0;
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        owners |= (takers >> seat & 1) != 0 ? tally->bets[seat] : 0U;
    }
    return (uint8_t)owners;
}

static void fill_score_part_for_seats(int16_t part[SEATS_MAX], uint8_t seats, int points)
{
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        part[seat] = (int16_t)((seats >> seat & 1) != 0 ? points : 0);
    }
}

void head_and_tail_fill_score_parts(const struct head_and_tail_tally *tally, uint8_t seat_count,
                                    int16_t parts[SCORE_PARTS_MAX][SEATS_MAX])
{
    uint8_t heads = head_and_tail_head_seats(tally, seat_count);
    uint8_t tails = head_and_tail_tail_seats(tally, seat_count);
    fill_score_part_for_seats(parts[HEAD_AND_TAIL_PART_HEAD], heads, -HEAD_AND_TAIL_LOSS);
    fill_score_part_for_seats(parts[HEAD_AND_TAIL_PART_TAIL], tails, -HEAD_AND_TAIL_LOSS);
    fill_score_part_for_seats(parts[HEAD_AND_TAIL_PART_BET_ON_HEAD],
                              owners_of_bets_taken_by(tally, heads), HEAD_AND_TAIL_HEAD_BET);
    fill_score_part_for_seats(parts[HEAD_AND_TAIL_PART_BET_ON_TAIL],
                              owners_of_bets_taken_by(tally, tails), HEAD_AND_TAIL_TAIL_BET);
}

static void head_and_tail_fill_points(const struct head_and_tail_tally *tally, uint8_t seat_count,
                                      int16_t points[SEATS_MAX])
{
    int16_t parts[SCORE_PARTS_MAX][SEATS_MAX];
    head_and_tail_fill_score_parts(tally, seat_count, parts);
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        points[seat] =
            (int16_t)(parts[HEAD_AND_TAIL_PART_HEAD][seat] + parts[HEAD_AND_TAIL_PART_TAIL][seat] +
                      parts[HEAD_AND_TAIL_PART_BET_ON_HEAD][seat] +
                      parts[HEAD_AND_TAIL_PART_BET_ON_TAIL][seat]);
    }
}

/*
 * Whoever takes all remaining tricks takes a known number of tricks and all betting cards that are
 * left. Only the ranks within the tricks depend on what the others play, and ranks count only when
 * players are tied for head or tail.
 */

/* How often each rank occurs among the cards of the tricks that are not finished. */
struct ranks_left {
    uint8_t counts[HEAD_AND_TAIL_RANKS + 2]; /* by rank, from 1 */
    uint8_t tricks;                          /* number of these tricks */
    uint8_t seats;
};

/* The bounds for the sum of the highest (or lowest) ranks of the tricks that are not finished. */
struct rank_sums {
    uint8_t least;
    uint8_t most;
};

/* Goes through the ranks in this order, from `first`, and adds up every rank whose place in it is a
 * multiple of `step`, once for each trick. */
static uint8_t add_ranks(const struct ranks_left *left, int first, int direction, uint8_t step)
{
    unsigned place = 0;
    unsigned added = 0;
    unsigned sum = 0;
    for (int rank = first; rank >= 1 && rank <= HEAD_AND_TAIL_RANKS + 1; rank += direction) {
        for (uint8_t i = 0; i < left->counts[rank] && added < left->tricks; i++, place++) {
            sum += place % step == 0 ? (unsigned)rank : 0;
            added += place % step == 0;
        }
    }
    return (uint8_t)sum;
}

/* The sum of the highest ranks is largest when each of the highest cards is in a trick of its own,
 * and smallest when the highest cards share tricks. */
static struct rank_sums bound_highs(const struct ranks_left *left)
{
    int top = HEAD_AND_TAIL_RANKS + 1;
    return (struct rank_sums){add_ranks(left, top, -1, left->seats), add_ranks(left, top, -1, 1)};
}

static struct rank_sums bound_lows(const struct ranks_left *left)
{
    return (struct rank_sums){add_ranks(left, 1, 1, 1), add_ranks(left, 1, 1, left->seats)};
}

static void count_ranks_left(const struct game_view *view, struct card_set cards,
                             struct ranks_left *left)
{
    memset(left, 0, sizeof(*left));
    left->seats = view->seats;
    left->tricks = (uint8_t)(view->slot_count[0] - view->past_count);
    for (uint8_t i = 0; i < view->past_count; i++) {
        for (uint8_t j = 0; j < view->past[i].count; j++) {
            cards.bits[0] &= ~(UINT64_C(1) << view->past[i].plays[j].card);
        }
    }
    for (uint8_t card = 0; card < card_count(&head_and_tail_deck); card++) {
        if ((cards.bits[0] >> card & 1) != 0) {
            left->counts[get_rank(card)]++;
        }
    }
}

/* Whether heads and tails stay the same whatever the ranks in the remaining tricks are. Heads
 * depend only on highest ranks, tails only on lowest ranks; if they are the same with the least and
 * with the greatest sum, they are so with every sum between. */
static bool head_and_tail_are_fixed(const struct game_view *view, struct card_set cards)
{
    struct ranks_left left;
    struct head_and_tail_tally tally;
    count_ranks_left(view, cards, &left);
    head_and_tail_tally_from_view(view, &tally);
    uint8_t *high = &tally.highs[view->seat];
    uint8_t *low = &tally.lows[view->seat];
    struct rank_sums highs = bound_highs(&left);
    struct rank_sums lows = bound_lows(&left);
    tally.tricks[view->seat] = (uint8_t)(tally.tricks[view->seat] + left.tricks);
    *high = (uint8_t)(*high + highs.least);
    *low = (uint8_t)(*low + lows.least);
    uint8_t heads = head_and_tail_head_seats(&tally, view->seats);
    uint8_t tails = head_and_tail_tail_seats(&tally, view->seats);
    *high = (uint8_t)(*high + highs.most - highs.least);
    *low = (uint8_t)(*low + lows.most - lows.least);
    return heads == head_and_tail_head_seats(&tally, view->seats) &&
           tails == head_and_tail_tail_seats(&tally, view->seats);
}

static const char *head_and_tail_claim(const struct game_view *view,
                                       UNUSED const struct game_config *config,
                                       struct claim_facts *facts)
{
    facts->cards.bits[0] = head_and_tail_cards(view->seats);
    if (!head_and_tail_are_fixed(view, facts->cards)) {
        return N_("The points are not decided yet: who becomes head or tail depends on the ranks "
                  "that the others play. Play on, and claim later.");
    }
    return NULL;
}

#define RANKS HEAD_AND_TAIL_RANKS
#define SUIT_MASK ((UINT64_C(1) << RANKS) - 1)
#define BETS_MASK (~UINT64_C(0) << HEAD_AND_TAIL_BETS)
#define SIGHT_ALL 0xFF

/* The lowest rank in the deck, by number of players. The cards of this rank and above can be dealt
 * evenly. */
static const uint8_t lowest_ranks[] = {[3] = 5, [4] = 2, [5] = 4, [6] = 2};

static const struct suit_def suits[] = {
    {.id = "S", .title = N_("spades"), .symbol = "♠", .letters = "S", .tint = TINT_PLAIN},
    {.id = "H", .title = N_("hearts"), .symbol = "♥", .letters = "H", .tint = TINT_RED},
    {.id = "D", .title = N_("diamonds"), .symbol = "♦", .letters = "D", .tint = TINT_BLUE},
    {.id = "C", .title = N_("clubs"), .symbol = "♣", .letters = "C", .tint = TINT_GREEN},
};

/* The betting cards, by seat. Their titles do not matter in play, only their owners do. */
static const struct special_def bets[] = {
    {.id = "AS", .title = N_("BET"), .tint = TINT_PURPLE},
    {.id = "AH", .title = N_("BET"), .tint = TINT_PURPLE},
    {.id = "AD", .title = N_("BET"), .tint = TINT_PURPLE},
    {.id = "AC", .title = N_("BET"), .tint = TINT_PURPLE},
    {.id = "X1", .title = N_("BET"), .tint = TINT_PURPLE},
    {.id = "X2", .title = N_("BET"), .tint = TINT_PURPLE},
};

const struct deck_def head_and_tail_deck = {
    .suits = suits,
    .suit_count = ARRAY_LEN(suits),
    .value_first = 2,
    .value_count = RANKS,
    .is_standard = true,
    .specials = bets,
    .special_count = ARRAY_LEN(bets),
};

static const struct option_value limit_values[] = {
    {.number = 12, .title = N_("12 points above or below 0 (usual)")},
    {.number = 6, .title = N_("6 points above or below 0")},
    {.number = 18, .title = N_("18 points above or below 0")},
};

static const struct option_def head_and_tail_options[] = {
    {.key = "limit",
     .title = N_("Ends at"),
     .type = OPTION_NUMBER,
     .values = limit_values,
     .value_count = ARRAY_LEN(limit_values)},
};

static const struct phase_def head_and_tail_phases[] = {[HEAD_AND_TAIL_PLAY] = {N_("play")}};

int head_and_tail_limit(const struct game_config *config)
{
    return limit_values[config->options[0]].number;
}

static uint8_t betting_card_of(uint8_t seat)
{
    return (uint8_t)(HEAD_AND_TAIL_BETS + seat);
}

static const uint8_t *cards_of_trick(const struct table_state *table, uint8_t trick)
{
    return table->plays + (size_t)trick * table->seats;
}

void head_and_tail_tally_from_state(const struct head_and_tail *state,
                                    struct head_and_tail_tally *tally)
{
    const struct table_state *table = &state->table;
    memset(tally, 0, sizeof(*tally));
    for (uint8_t i = 0; i < table->past_count; i++) {
        head_and_tail_tally_add_trick(tally, table->leads[i + 1], cards_of_trick(table, i),
                                      table->seats);
    }
}

static void send_score_event(const struct table_state *table,
                             const struct head_and_tail_tally *tally,
                             const int16_t points[SEATS_MAX], const struct game_log *log)
{
    struct game_event event FILLED_LATER;
    event_init_score(&event, table, points);
    event.row.part_count = HEAD_AND_TAIL_PARTS;
    head_and_tail_fill_score_parts(tally, table->seats, event.row.parts);
    json_put_bits(&event.json, "head", head_and_tail_head_seats(tally, table->seats));
    json_put_bits(&event.json, "tail", head_and_tail_tail_seats(tally, table->seats));
    event_send(log, &event);
}

static void send_round_event(const struct head_and_tail *state, const struct game_log *log)
{
    struct game_event event FILLED_LATER;
    event_init_round(&event, &state->table, &head_and_tail_deck);
    json_put_number(&event.json, "dealer", state->dealer);
    event_send(log, &event);
}

/* Fills in all cards except the betting cards, in natural order, and returns how many they are. */
static uint8_t fill_deck(uint8_t players, uint8_t *cards)
{
    uint8_t count = 0;
    for (uint8_t suit = 0; suit < head_and_tail_deck.suit_count; suit++) {
        for (uint8_t rank = lowest_ranks[players]; rank <= 13; rank++) {
            cards[count++] = card_of(&head_and_tail_deck, suit, rank);
        }
    }
    return count;
}

uint64_t head_and_tail_cards(uint8_t players)
{
    uint8_t cards[HEAD_AND_TAIL_BETS];
    uint64_t set = ((UINT64_C(1) << players) - 1) << HEAD_AND_TAIL_BETS;
    for (uint8_t count = fill_deck(players, cards); count > 0; count--) {
        set |= UINT64_C(1) << cards[count - 1];
    }
    return set;
}

/* Everybody sees the last card of every hand, which is the betting card. */
static void show_betting_cards(struct table_state *table)
{
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        table->sight[seat][table->slot_count - 1] = SIGHT_ALL;
    }
}

static void deal_round(struct head_and_tail *state, const struct game_log *log)
{
    struct table_state *table = &state->table;
    uint8_t cards[HEAD_AND_TAIL_BETS];
    uint8_t count = fill_deck(table->seats, cards);
    uint8_t dealt = count / table->seats;
    table_deal(table, cards, count, dealt);
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        table->slots[seat][dealt] = betting_card_of(seat);
        table->hands[seat].bits[0] |= UINT64_C(1) << betting_card_of(seat);
    }
    table->slot_count = (uint8_t)(dealt + 1);
    show_betting_cards(table);
    table_set_lead(table, table->next[state->dealer]);
    if (log != NULL) {
        send_round_event(state, log);
    }
}

static void init_game(void *state_bytes, const struct game_config *config)
{
    struct head_and_tail *state = state_bytes;
    state->limit = (uint8_t)head_and_tail_limit(config);
    state->table.phase = HEAD_AND_TAIL_PLAY;
}

static void start_game(void *state_bytes, const struct game_log *log)
{
    struct head_and_tail *state = state_bytes;
    state->dealer = (uint8_t)deal_stream_draw_below(&state->table.stream, state->table.players);
    deal_round(state, log);
}

/* The cards that the seat may play: bit c stands for card c. A player who can follow the suit led
 * must do so or play the betting card, which has no suit. */
static uint64_t playable_cards(const struct table_state *table, uint8_t seat)
{
    uint64_t hand = table->hands[seat].bits[0];
    if (table->trick_count == 0 || head_and_tail_is_betting_card(table->led_card)) {
        return hand;
    }
    uint64_t follow = hand & SUIT_MASK << (RANKS * (table->led_card / RANKS));
    return follow != 0 ? follow | (hand & BETS_MASK) : hand;
}

static void add_legal_moves(const void *state_bytes, uint8_t seat, struct move_set *moves)
{
    const struct head_and_tail *state = state_bytes;
    moves->bits[0] = playable_cards(&state->table, seat);
}

static bool limit_is_reached(const struct head_and_tail *state)
{
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        int score = state->table.scores[seat];
        if (score >= state->limit || score <= -state->limit) {
            return true;
        }
    }
    return false;
}

/* Scores the finished round, then deals the next one or ends the game. */
__attribute__((noinline)) static void finish_round(struct head_and_tail *state,
                                                   const struct game_log *log)
{
    struct table_state *table = &state->table;
    struct head_and_tail_tally tally;
    int16_t points[SEATS_MAX];
    head_and_tail_tally_from_state(state, &tally);
    head_and_tail_fill_points(&tally, table->seats, points);
    table_add_points(table, points);
    if (log != NULL) {
        send_score_event(table, &tally, points, log);
    }
    if (!limit_is_reached(state)) {
        state->dealer = table->next[state->dealer];
        deal_round(state, log);
        return;
    }
    table_end_game(table, table_fill_outcome, log);
}

/* Whether the card beats `best`, which wins the trick so far. A card of the suit led beats a
 * lower card of this suit. A betting card beats nothing, and nothing beats a betting card that
 * was led. */
static bool card_beats(uint8_t card, uint8_t best)
{
    return card > best && !head_and_tail_is_betting_card(card) && card / RANKS == best / RANKS;
}

static void apply_move(void *state_bytes, uint8_t seat, uint8_t move, const struct game_log *log)
{
    struct head_and_tail *state = state_bytes;
    struct table_state *table = &state->table;
    bool is_best = table->trick_count == 0 || card_beats(move, table->best_card);
    bool is_finished = table_play_card(table, seat, move, is_best);
    if (log != NULL) {
        event_send_played(log, &head_and_tail_deck, seat, move, SLOT_NONE);
        if (is_finished) {
            event_send_trick(log, table->best_seat);
        }
    }
    if (is_finished && table->past_count == table->slot_count) {
        finish_round(state, log);
    }
}

static void fill_view(const void *state_bytes, UNUSED int8_t seat, struct game_view *view)
{
    const struct head_and_tail *state = state_bytes;
    view->info[0] = state->dealer;
}

static void write_trick_of_seat(const struct view_trick *trick, uint8_t seat, struct text *out)
{
    if (trick->winner != seat) {
        return;
    }
    struct head_and_tail_tally tally = {.tricks = {0}};
    head_and_tail_tally_add_trick_of_view(&tally, trick);
    json_open(out, NULL, '[');
    json_put_number(out, NULL, tally.highs[seat]);
    json_put_number(out, NULL, tally.lows[seat]);
    json_close(out, ']');
}

/* Writes the highest and lowest rank of each trick that each seat took, in order. */
static void write_taken_tricks(const struct game_view *view, const char *key, UNUSED uint8_t value,
                               struct text *out)
{
    json_open(out, key, '[');
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        json_open(out, NULL, '[');
        for (uint8_t i = 0; i < view->past_count; i++) {
            write_trick_of_seat(&view->past[i], seat, out);
        }
        json_close(out, ']');
    }
    json_close(out, ']');
}

static const struct info_def head_and_tail_info[] = {
    {"dealer", .form = INFO_SEAT},
    {"taken", .form = INFO_OWN, .write = write_taken_tricks},
    {0},
};

/* Reads the basic facts of the round from the view. The scores are read before the replay of the
 * round, because they decide whether the game ends. When the last round is over, its points are
 * subtracted, because the replay adds them again. */
static bool read_round_from_view(struct head_and_tail *state, const struct game_view *view)
{
    struct table_state *table = &state->table;
    uint8_t dealer = head_and_tail_dealer(view);
    uint8_t cards[HEAD_AND_TAIL_BETS];
    uint8_t slots = (uint8_t)(fill_deck(table->seats, cards) / table->seats + 1);
    if (view->slot_count[0] != slots || dealer >= view->seats) {
        return false;
    }
    int16_t points[SEATS_MAX] = {0};
    if (view->phase == PHASE_OVER) {
        struct head_and_tail_tally tally;
        head_and_tail_tally_from_view(view, &tally);
        head_and_tail_fill_points(&tally, view->seats, points);
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        table->scores[seat] = (int16_t)(view->scores[seat] - points[seat]);
    }
    table_begin_round(table, view->round, slots);
    state->dealer = dealer;
    table_set_lead(table, table->next[state->dealer]);
    return true;
}

/* Moves every betting card to the last slot of its hand; the random deal may have put it into
 * another free slot of this hand. False when a hand does not have its own betting card. */
static bool put_betting_cards_last(struct table_state *table)
{
    uint8_t last = (uint8_t)(table->slot_count - 1);
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        uint8_t *slots = table->slots[seat];
        uint8_t *found = memchr(slots, betting_card_of(seat), table->slot_count);
        if (found == NULL) {
            return false;
        }
        *found = slots[last];
        slots[last] = betting_card_of(seat);
    }
    show_betting_cards(table);
    return true;
}

static bool sample_state(const struct game_view *view, struct quick_random *random,
                         void *state_bytes)
{
    struct head_and_tail *state = state_bytes;
    if (!read_round_from_view(state, view)) {
        return false;
    }
    struct sample_pool pool = {.deck = &head_and_tail_deck};
    pool.count = fill_deck(view->seats, pool.cards);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        pool.cards[pool.count++] = betting_card_of(seat);
    }
    sample_record_void_suits(view, &pool);
    return sample_deal_hands(view, &pool, random, &state->table) &&
           put_betting_cards_last(&state->table) && sample_replay_plays(view, &state->table);
}

static const struct move_def head_and_tail_moves[] = {
    {"play", MOVE_CARD, HEAD_AND_TAIL_PLAY, .first = 0,
     .count = HEAD_AND_TAIL_BETS + ARRAY_LEN(bets)},
    {0},
};

static bool was_neither_head_nor_tail(const struct score_row *row, uint8_t seat)
{
    return row->parts[HEAD_AND_TAIL_PART_HEAD][seat] == 0 &&
           row->parts[HEAD_AND_TAIL_PART_TAIL][seat] == 0;
}

const struct game_def head_and_tail_game = {
    .id = "head-and-tail",
    .title = N_("Head & Tail"),
    .seats_min = 3,
    .seats_max = 6,
    .options = head_and_tail_options,
    .option_count = ARRAY_LEN(head_and_tail_options),
    .short_form = {.players = 4, .minutes = 8, .options = {1}},
    .deck = &head_and_tail_deck,
    .phases = head_and_tail_phases,
    .phase_count = ARRAY_LEN(head_and_tail_phases),
    .state_size = sizeof(struct head_and_tail),
    .init = init_game,
    .start = start_game,
    .legal = add_legal_moves,
    .apply = apply_move,
    .view = fill_view,
    .info = head_and_tail_info,
    .sample = sample_state,
    .score = table_fill_outcome,
    .moves = head_and_tail_moves,
    .encode = &head_and_tail_encode,
    .claim = head_and_tail_claim,
    .face = &head_and_tail_face,
    .stat = {.title = N_("neither head nor tail"), .is_hit = was_neither_head_nor_tail},
};
