#include "games/hund/hund.h"

#include "games/hidden.h"

#include <string.h>

/* views of real games need about 25 steps, one in 10^6 needs 40,000 */
#define TRACE_STEPS_MAX (UINT32_C(1) << 20)
#define CARD_COVERED 0xFE /* the top card of a column, face down until the trick is over */

uint8_t hund_virtual_choose_column(const uint8_t tops[HUND_COLUMNS], uint8_t led)
{
    uint8_t leftmost = HUND_COLUMNS;
    for (uint8_t column = HUND_COLUMNS; column-- > 0;) {
        leftmost = tops[column] != CARD_NONE ? column : leftmost;
    }
    for (uint8_t column = leftmost; column < HUND_COLUMNS && led != SUIT_NONE; column++) {
        if (tops[column] != CARD_NONE && hund_suit(tops[column]) == led) {
            return column;
        }
    }
    return leftmost;
}

/* The slot of a column's card number `height`, counted from 1 at the bottom. */
static uint8_t slot_in_column(uint8_t column, uint8_t height)
{
    return (uint8_t)(HUND_COLUMNS * (height - 1) + column);
}

void hund_virtual_uncover_cards(struct hund *state)
{
    uint8_t *sight = state->table.sight[hund_virtual_seat(state)];
    for (uint8_t column = 0; column < HUND_COLUMNS; column++) {
        if (state->left[column] > 0) {
            sight[slot_in_column(column, state->left[column])] = UINT8_MAX;
        }
    }
}

void hund_virtual_lay_out_hand(struct hund *state)
{
    uint8_t seat = hund_virtual_seat(state);
    if (seat == HUND_SEAT_NONE) {
        return;
    }
    memset(state->table.sight[seat], 0, sizeof(state->table.sight[seat]));
    memset(state->left, state->table.slot_count / HUND_COLUMNS, sizeof(state->left));
    hund_virtual_uncover_cards(state);
}

uint8_t hund_virtual_take_card(struct hund *state)
{
    const uint8_t *slots = state->table.slots[hund_virtual_seat(state)];
    uint8_t tops[HUND_COLUMNS];
    for (uint8_t column = 0; column < HUND_COLUMNS; column++) {
        uint8_t left = state->left[column];
        tops[column] = left > 0 ? slots[slot_in_column(column, left)] : CARD_NONE;
    }
    uint8_t led = state->table.trick_count > 0 ? hund_suit(state->table.led_card) : SUIT_NONE;
    uint8_t column = hund_virtual_choose_column(tops, led);
    state->left[column]--;
    return tops[column];
}

/*
 * The search for the column from which each card was played. A view does not tell these columns, so
 * the search goes backwards. It starts from the current display and puts the last card back on a
 * column from which the rules would have taken the card, then the card before, and so on. Where
 * several columns are possible, it tries them one after the other.
 */
struct virtual_trace {
    uint8_t count;            /* number of cards played */
    uint8_t cards[SLOTS_MAX]; /* the cards played, in the order of the plays */
    uint8_t
        led[SLOTS_MAX]; /* the suit each card had to follow; SUIT_NONE for a card that was led */
    uint8_t leftmost[SLOTS_MAX]; /* by card: the number of earlier cards that did not follow suit */
    uint8_t columns[SLOTS_MAX];  /* the column to which each card goes back */
    uint8_t covers[SLOTS_MAX];   /* by card: the card that it covers when it is put back */
    uint8_t tops[HUND_COLUMNS];  /* the tops of the columns at the point the search has reached */
    uint8_t left[HUND_COLUMNS];  /* the number of cards in each column at the point the search has
                                    reached */
    uint8_t rows;
    uint8_t done; /* number of cards played in finished tricks; the cards that these uncovered are
                     face up */
};

static void read_plays_of_seat(const struct game_view *view, uint8_t seat,
                               struct virtual_trace *trace)
{
    struct view_play play;
    uint8_t led = SUIT_NONE;
    uint8_t leftmost = 0;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        led = i % view->seats == 0 ? SUIT_NONE : led;
        if (play.seat == seat && trace->count < SLOTS_MAX) {
            trace->cards[trace->count] = play.card;
            trace->led[trace->count] = led;
            trace->leftmost[trace->count++] = leftmost;
            leftmost = (uint8_t)(leftmost + (hund_suit(play.card) != led));
            trace->done = (uint8_t)(trace->done + (i / view->seats < view->past_count));
        }
        led = i % view->seats == 0 ? hund_suit(play.card) : led;
    }
}

/* Reads a column of the display: only the slots above its cards may be empty. False when the view
 * cannot be a virtual player's display. */
static bool read_column(const struct view_slot *hand, uint8_t column, struct virtual_trace *trace)
{
    trace->tops[column] = CARD_NONE;
    for (uint8_t height = 1; height <= trace->rows; height++) {
        const struct view_slot *slot = &hand[slot_in_column(column, height)];
        if (slot->is_empty) {
            continue;
        }
        if (trace->left[column] + 1 != height) {
            return false;
        }
        trace->left[column] = height;
        trace->tops[column] = slot->card == CARD_NONE ? CARD_COVERED : slot->card;
    }
    return true;
}

static bool read_display(const struct game_view *view, uint8_t seat, struct virtual_trace *trace)
{
    uint8_t left = 0;
    trace->rows = view->slot_count[seat] / HUND_COLUMNS;
    for (uint8_t column = 0; column < HUND_COLUMNS; column++) {
        if (!read_column(view->hands[seat], column, trace)) {
            return false;
        }
        left = (uint8_t)(left + trace->left[column]);
    }
    return left + trace->count == view->slot_count[seat];
}

/* Puts the card with this index back on a column. False when the rules would not have taken the
 * card from that column. */
static bool put_card_back(struct virtual_trace *trace, uint8_t index, uint8_t column)
{
    uint8_t covers = trace->tops[column];
    bool is_turned_up = covers != CARD_NONE && covers != CARD_COVERED;
    if (trace->left[column] == trace->rows || (index >= trace->done && is_turned_up)) {
        return false;
    }
    trace->tops[column] = trace->cards[index];
    bool is_rule = hund_virtual_choose_column(trace->tops, trace->led[index]) == column;
    for (uint8_t other = 0; other < HUND_COLUMNS; other++) {
        is_rule = is_rule && trace->tops[other] != CARD_COVERED;
    }
    if (!is_rule) {
        trace->tops[column] = covers;
        return false;
    }
    trace->left[column]++;
    trace->columns[index] = column;
    trace->covers[index] = covers;
    return true;
}

static void take_card_off_again(struct virtual_trace *trace, uint8_t index)
{
    uint8_t column = trace->columns[index];
    trace->left[column]--;
    trace->tops[column] = trace->covers[index];
}

/* Whether the display has room for all earlier cards that did not follow suit. Each of these cards
 * was the leftmost card when it was played, so it lay left of the present leftmost card, or above
 * that card. */
static bool has_room_for_earlier_cards(const struct virtual_trace *trace, uint8_t index)
{
    uint8_t room = 0;
    for (uint8_t column = 0; column < HUND_COLUMNS; column++) {
        room = (uint8_t)(room + trace->rows - trace->left[column]);
        if (trace->left[column] > 0) {
            break;
        }
    }
    return trace->leftmost[index] <= room;
}

/* Puts the card with this index back on the rightmost possible column before `column_end`. False
 * when there is none. Tries the rightmost column first, because the rules empty the left columns
 * first: going backwards, the left columns are filled last. */
static bool put_card_back_before_column(struct virtual_trace *trace, uint8_t index,
                                        uint8_t column_end)
{
    for (uint8_t column = column_end; column-- > 0;) {
        bool is_put = put_card_back(trace, index, column);
        if (is_put && has_room_for_earlier_cards(trace, index)) {
            return true;
        }
        if (is_put) {
            take_card_off_again(trace, index);
        }
    }
    return false;
}

bool hund_virtual_trace_plays(const struct game_view *view, uint8_t slots[SLOTS_MAX])
{
    uint8_t seat = (uint8_t)(view->seats - 1);
    struct virtual_trace trace = {.count = 0};
    read_plays_of_seat(view, seat, &trace);
    if (!read_display(view, seat, &trace)) {
        return false;
    }
    uint8_t at = trace.count; /* number of cards not yet put back */
    uint8_t column_end = HUND_COLUMNS;
    for (uint32_t steps = 0; at > 0; steps++) {
        if (put_card_back_before_column(&trace, (uint8_t)(at - 1), column_end)) {
            at--;
            slots[at] = slot_in_column(trace.columns[at], trace.left[trace.columns[at]]);
            column_end = HUND_COLUMNS;
            continue;
        }
        if (at == trace.count || steps >= TRACE_STEPS_MAX) {
            return false;
        }
        column_end = trace.columns[at];
        take_card_off_again(&trace, at++);
    }
    return true;
}

/* Moves a number of the designation pile to a round (from 0). The numbers of rounds before `from`
 * stay where they are; false when the number is among them or is no number of the pile. */
static bool put_number_at_round(struct hund *state, uint8_t from, uint8_t round, uint8_t number)
{
    uint8_t at = from;
    while (at < HUND_SUITS && state->pile[at] != number) {
        at++;
    }
    if (at == HUND_SUITS) {
        return false;
    }
    state->pile[at] = state->pile[round];
    state->pile[round] = number;
    return true;
}

/* Fills in the designation pile, which has one number for each round. The current round's number
 * and those of earlier rounds are known; the other numbers are in random order. */
static bool fill_designation_pile_at_random(const struct game_view *view, struct hund *state,
                                            struct quick_random *random)
{
    const struct hund_known *known = hund_known(view);
    if (state->has_select) {
        return known->designator == INFO_NONE && known->past_designators[0] == INFO_NONE;
    }
    for (uint8_t i = 0; i < HUND_SUITS; i++) {
        uint8_t other = (uint8_t)quick_random_draw_below(random, i + 1U);
        state->pile[i] = state->pile[other];
        state->pile[other] = (uint8_t)(i + 1);
    }
    uint8_t round = 0;
    for (; round + 1 < view->round; round++) {
        if (!put_number_at_round(state, round, round, known->past_designators[round])) {
            return false;
        }
    }
    return put_number_at_round(state, round, round, known->designator);
}

/* Reads the basic facts of the round: round, number, dealer and first player. */
static bool read_round_from_view(const struct game_view *view, struct hund *state,
                                 struct quick_random *random)
{
    struct table_state *table = &state->table;
    uint8_t dealer = hund_known(view)->dealer;
    uint8_t slots = (uint8_t)(HUND_SUITS * state->values / table->seats);
    if (view->slot_count[0] != slots || dealer >= table->players ||
        !fill_designation_pile_at_random(view, state, random)) {
        return false;
    }
    table_begin_round(table, view->round, slots);
    hund_set_up_round(state, dealer);
    return true;
}

/* Puts all cards of the game into the pool, and notes which suits each seat cannot hold. */
static void fill_card_pool(const struct game_view *view, const struct hund *state,
                           struct sample_pool *pool)
{
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        for (uint8_t value = 1; value <= state->values; value++) {
            pool->cards[pool->count++] = card_of(&hund_deck, suit, value);
        }
    }
    sample_record_void_suits(view, pool);
    if (hund_virtual_seat(state) != HUND_SEAT_NONE) {
        /* the virtual player follows suit only with face-up cards */
        pool->bans[hund_virtual_seat(state)] = 0;
    }
}

/* Puts the virtual player's played cards back where they lay, and lays out its hand. */
static bool restore_virtual_player_display(const struct game_view *view, struct hund *state)
{
    uint8_t seat = hund_virtual_seat(state);
    uint8_t slots[SLOTS_MAX] = {0};
    uint8_t cards[SLOTS_MAX];
    struct view_play play;
    if (seat == HUND_SEAT_NONE) {
        return true;
    }
    if (!hund_virtual_trace_plays(view, slots)) {
        return false;
    }
    memcpy(cards, state->table.slots[seat], sizeof(cards));
    uint8_t played = 0;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        if (play.seat == seat) {
            cards[slots[played++]] = play.card;
        }
    }
    table_give_hand(&state->table, seat, cards, state->table.slot_count);
    hund_virtual_lay_out_hand(state);
    return true;
}

/* If a seat has to choose the first player now, that is the seat whose turn it is. After the
 * choice, it does not matter who chose. */
static bool restore_first_player_chooser(const struct game_view *view, struct hund *state)
{
    state->table.phase = HUND_START;
    for (uint8_t seat = 0; seat < state->table.players; seat++) {
        if (view->to_act == SIGHT_OF(seat)) {
            state->chooser = seat;
            state->table.to_act = view->to_act;
            return view->round > 1;
        }
    }
    return false;
}

/* Replays the round's public moves. The rules make the virtual player's moves by themselves. */
static bool replay_public_moves(const struct game_view *view, struct hund *state, uint8_t first)
{
    hund_start_round(state, first, NULL);
    for (const uint8_t *set = hund_known(view)->sets; *set != CARD_NONE; set++) {
        uint8_t seat = 0;
        while (seat < SEATS_MAX && (state->table.to_act >> seat & 1) == 0) {
            seat++;
        }
        if (game_try_move(view->game, &state->table, seat, (uint8_t)(HUND_SELECT_FIRST + *set),
                          NULL) != GAME_OK) {
            return false;
        }
    }
    return sample_replay_plays(view, &state->table);
}

static bool restore_round(const struct game_view *view, struct hund *state)
{
    uint8_t first = hund_known(view)->first;
    if (first == HUND_SEAT_NONE) {
        return restore_first_player_chooser(view, state);
    }
    /* The totals decide whether this round was the last. They are known only after the round. */
    uint8_t rounds = state->table.rounds;
    state->table.rounds = view->phase == PHASE_OVER ? view->round : rounds;
    if (!replay_public_moves(view, state, first)) {
        return false;
    }
    state->table.rounds = rounds;
    memcpy(state->table.scores, view->scores, sizeof(state->table.scores));
    return view->phase != PHASE_OVER || hund_game_is_over(state);
}

bool hund_sample_state(const struct game_view *view, struct quick_random *random, void *state_bytes)
{
    struct hund *state = state_bytes;
    struct sample_pool pool = {.deck = &hund_deck};
    if (!read_round_from_view(view, state, random)) {
        return false;
    }
    fill_card_pool(view, state, &pool);
    return sample_deal_hands(view, &pool, random, &state->table) &&
           restore_virtual_player_display(view, state) && restore_round(view, state);
}
