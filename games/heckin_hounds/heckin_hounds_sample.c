#include "games/heckin_hounds/heckin_hounds.h"

#include "games/card.h"
#include "games/hidden.h"

#include <string.h>

/* Restores what clues told about a hand. */
static void restore_clue_marks(struct hounds *state, const struct view_slot *hand, uint8_t seat)
{
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        bool is_suit_told = hand[i].suit != SUIT_NONE;
        bool is_value_told = hand[i].value != 0;
        state->told_suit[seat] = (uint8_t)(state->told_suit[seat] | is_suit_told << i);
        state->told_value[seat] = (uint8_t)(state->told_value[seat] | is_value_told << i);
    }
}

/* Restores the cards, and what clues told about them. */
static void restore_cards(struct hounds *state, const struct game_view *view,
                          const struct hounds_known *known, const struct hounds_layout *layout)
{
    struct table_state *table = &state->table;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        table_give_hand(table, seat, layout->rows[seat], HOUNDS_SLOTS);
    }
    table_begin_round(table, view->round, HOUNDS_SLOTS);
    hounds_begin_round(state, known->leader);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        restore_clue_marks(state, view->hands[seat], seat);
        state->trades[seat] = known->trades[seat];
        state->given[seat] = layout->given[seat];
        if (known->trades[seat] < HOUNDS_SLOTS) {
            state->traded[seat] = (uint8_t)(1U << known->trades[seat]);
            table->sight[seat][known->trades[seat]] = 0;
        }
    }
    state->dead_count = layout->dead_count;
    memcpy(state->dead, layout->dead, sizeof(state->dead));
}

/* Copies the public choices of the view into the state. */
static void restore_public_choices(struct hounds *state, const struct game_view *view,
                                   const struct hounds_known *known,
                                   const struct hounds_layout *layout)
{
    state->bad_dog = known->bad_dog;
    state->clue_count = known->clue_count;
    memcpy(state->clues, known->clues, sizeof(state->clues));
    memcpy(state->clues_left, known->clues_left, sizeof(state->clues_left));
    memcpy(state->badness, known->badness, sizeof(state->badness));
    state->cerberus_seat = known->cerberus_seat;
    if (known->cerberus_seat != HOUNDS_SEAT_NONE) {
        state->cerberus_slot = known->cerberus_slot;
        state->discarded = layout->discarded;
        state->table.sight[known->cerberus_seat][known->cerberus_slot] = UINT8_MAX;
    }
    if (known->trade_count == view->seats) {
        hounds_show_traded_cards(state);
    }
}

/* The sampled deal must allow a clue for every seat that still gets clues. */
static bool every_seat_can_get_its_clues(struct hounds *state)
{
    struct move_set legal = move_set_empty();
    hounds_find_legal_clues(state);
    memcpy(&legal.bits[HOUNDS_MOVE_CLUE / 64], state->clue_moves, sizeof(state->clue_moves));
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        unsigned first = HOUNDS_MOVE_CLUE + seat * (unsigned)HOUNDS_SUBJECTS;
        bool is_possible = move_set_next(&legal, first) < first + HOUNDS_SUBJECTS;
        if (is_possible != (state->clues_left[seat] > 0)) {
            return false;
        }
    }
    return true;
}

/* Copies the bids. Seats bid in turn, starting with the leader. Returns the number of bids, or more
 * than the number of seats when a seat bid out of turn. */
static uint8_t restore_bids(struct hounds *state, const struct game_view *view)
{
    uint8_t count = 0;
    for (uint8_t i = 0; i < view->seats; i++) {
        uint8_t seat = (uint8_t)((state->leader + i) % view->seats);
        int8_t bid = view->bids[seat];
        bool is_made = bid != BID_NONE;
        if (is_made && (count != i || bid < 0 || bid > HOUNDS_BID_MOST)) {
            return SEATS_MAX + 1;
        }
        count = (uint8_t)(count + is_made);
        state->table.bids[seat] = bid;
    }
    return count;
}

/* Plays the round's played cards again, each from the slot where it lies. False when a seat played
 * out of turn. */
static bool replay_played_cards(struct hounds *state, const struct game_view *view)
{
    struct view_play play;
    table_set_lead(&state->table, state->leader);
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        uint8_t slot = 0;
        while (state->table.slots[play.seat][slot] != play.card) {
            slot++;
        }
        if (state->table.to_act != 1U << play.seat) {
            return false;
        }
        (void)hounds_play_card_from_slot(state, play.seat, slot);
    }
    return true;
}

/* Makes the view's choices in the sampled game. False when these choices do not lead to the view's
 * position. */
static bool restore_position(struct hounds *state, const struct game_view *view,
                             const struct hounds_known *known)
{
    struct table_state *table = &state->table;
    uint8_t bids = restore_bids(state, view);
    uint8_t chosen = view->phase == HOUNDS_TRADE ? known->trade_count
                     : view->phase == HOUNDS_BID ? bids
                                                 : 0;
    bool is_played = view->phase == HOUNDS_PLAY || view->phase == PHASE_OVER;
    bool has_plays = view->past_count > 0 || view->trick.count > 0;
    table->phase = view->phase;
    table->to_act = (uint8_t)(1U << (state->leader + chosen) % view->seats);
    if (is_played) {
        bool is_over = view->phase == PHASE_OVER;
        bool is_whole = view->past_count == HOUNDS_SLOTS;
        if (bids != view->seats || is_whole != is_over || view->past_count > HOUNDS_SLOTS ||
            (is_whole && view->trick.count > 0) || !replay_played_cards(state, view)) {
            return false;
        }
        table->to_act = is_over ? 0 : table->to_act;
        return true;
    }
    if (view->phase == HOUNDS_DISCARD) {
        table->to_act = view->to_act;
        return !has_plays && bids == 0 && bits_count(view->to_act) == 1 &&
               view->to_act >> view->seats == 0;
    }
    if (view->phase == HOUNDS_CLUE && !every_seat_can_get_its_clues(state)) {
        return false;
    }
    return !has_plays && (view->phase == HOUNDS_BID ? bids < view->seats : bids == 0);
}

enum game_result hounds_sample_state(const struct game_view *view, const struct game_config *config,
                                     struct quick_random *random, void *state_bytes)
{
    struct hounds *state = state_bytes;
    struct hounds_known known;
    struct hounds_layout layout;
    uint8_t seed[SEED_BYTES];
    sample_draw_seed(random, seed);
    hounds_init(state, config, seed);
    if (!sample_view_is_well_formed(view) || view->seats != config->players || view->round < 1 ||
        view->round > state->table.rounds || !hounds_read_view(view, &known) ||
        !hounds_fill_random_layout(&layout, view, &known, random)) {
        return GAME_BAD_VIEW;
    }
    restore_cards(state, view, &known, &layout);
    restore_public_choices(state, view, &known, &layout);
    return restore_position(state, view, &known)
               ? sample_copy_scores_and_last_trick(view, &state->table)
               : GAME_BAD_VIEW;
}
