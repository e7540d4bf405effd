#include "games/hund/hund.h"

#include "games/hidden.h"

#include <string.h>

/* Reads the first player's seat; HUND_SEAT_NONE for null. False when the field is neither null nor
 * a seat. */
static bool read_first_player(const struct game_view *view, uint8_t *first)
{
    const struct field *field = fields_find(&view->info, "first");
    if (field == NULL || (field->type != FIELD_NULL && field->type != FIELD_NUMBER) ||
        field->number < 0 || field->number >= view->seats) {
        return false;
    }
    *first = field->type == FIELD_NULL ? HUND_SEAT_NONE : (uint8_t)field->number;
    return true;
}

/* Moves a number of the designation pile to a round (from 0). The numbers of rounds before `from`
 * stay where they are; false when the number is among them or is no number of the pile. */
static bool put_number_at_round(struct hund *state, uint8_t from, uint8_t round, int32_t number)
{
    uint8_t at = from;
    while (at < HUND_SUITS && state->pile[at] != number) {
        at++;
    }
    if (at == HUND_SUITS) {
        return false;
    }
    state->pile[at] = state->pile[round];
    state->pile[round] = (uint8_t)number;
    return true;
}

/* Reads the numbers of earlier rounds into the designation pile. Sets *count to how many there
 * are. */
static bool read_numbers_of_earlier_rounds(const struct game_view *view, struct hund *state,
                                           uint8_t *count)
{
    const struct field *list = fields_find(&view->info, "past_designators");
    uint8_t rounds = state->has_select ? 0 : (uint8_t)(view->round - 1);
    *count = 0;
    if (list == NULL || list->type != FIELD_LIST) {
        return false;
    }
    for (const struct field *at = field_first_member(list); at != NULL;
         at = field_next_member(list, at)) {
        if (at->type != FIELD_NUMBER || *count == rounds ||
            !put_number_at_round(state, *count, *count, at->number)) {
            return false;
        }
        (*count)++;
    }
    return *count == rounds;
}

/* Fills in the designation pile, which has one number for each round. The current round's number
 * and those of earlier rounds are known; the other numbers are in random order. */
static bool fill_designation_pile_at_random(const struct game_view *view, struct hund *state,
                                            struct quick_random *random)
{
    int32_t number = fields_find_number(&view->info, "designator", 0);
    uint8_t known = 0;
    if (state->has_select) {
        return number == 0 && read_numbers_of_earlier_rounds(view, state, &known);
    }
    for (uint8_t i = 0; i < HUND_SUITS; i++) {
        uint8_t other = (uint8_t)quick_random_draw_below(random, i + 1U);
        state->pile[i] = state->pile[other];
        state->pile[other] = (uint8_t)(i + 1);
    }
    return read_numbers_of_earlier_rounds(view, state, &known) &&
           put_number_at_round(state, known, (uint8_t)(view->round - 1), number);
}

/* Reads the basic facts of the round: round, number, dealer and first player. */
static bool read_round_from_view(const struct game_view *view, struct hund *state,
                                 struct quick_random *random)
{
    struct table_state *table = &state->table;
    int32_t dealer = fields_find_number(&view->info, "dealer", -1);
    uint8_t slots = (uint8_t)(HUND_SUITS * state->values / table->seats);
    if (!sample_view_is_well_formed(view) || view->seats != table->seats ||
        view->rounds != table->rounds || view->round < 1 || view->round > table->rounds ||
        dealer < 0 || dealer >= table->players ||
        !fill_designation_pile_at_random(view, state, random)) {
        return false;
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (view->slot_count[seat] != slots) {
            return false;
        }
    }
    table_begin_round(table, view->round, slots);
    hund_set_up_round(state, (uint8_t)dealer);
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
    uint8_t slots[SLOTS_MAX];
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
static enum game_result replay_public_moves(const struct game_view *view, struct hund *state,
                                            uint8_t first)
{
    enum game_result result = GAME_OK;
    hund_start_round(state, first, NULL);
    for (uint8_t i = 0; result == GAME_OK && hund_selected_card(view, i) != CARD_NONE; i++) {
        uint8_t seat = 0;
        while (seat < SEATS_MAX && (state->table.to_act >> seat & 1) == 0) {
            seat++;
        }
        uint8_t set = (uint8_t)(HUND_SELECT_FIRST + hund_selected_card(view, i));
        result = hund_apply_move(state, seat, set, NULL);
    }
    struct view_play play;
    for (uint8_t i = 0; result == GAME_OK && sample_read_play(view, i, &play); i++) {
        if (i >= state->table.play_count) {
            result = hund_apply_move(state, play.seat, play.card, NULL);
        } else if (state->table.plays[i] != play.card) {
            return GAME_BAD_VIEW;
        }
    }
    return result;
}

static enum game_result restore_round(const struct game_view *view, struct hund *state)
{
    uint8_t first;
    if (!read_first_player(view, &first)) {
        return GAME_BAD_VIEW;
    }
    if (first == HUND_SEAT_NONE) {
        bool fits = restore_first_player_chooser(view, state);
        return fits ? sample_copy_scores_and_last_trick(view, &state->table) : GAME_BAD_VIEW;
    }
    /* The totals decide whether this round was the last. They are known only after the round. */
    uint8_t rounds = state->table.rounds;
    state->table.rounds = view->phase == PHASE_OVER ? view->round : rounds;
    if (replay_public_moves(view, state, first) != GAME_OK) {
        return GAME_BAD_VIEW;
    }
    state->table.rounds = rounds;
    enum game_result result = sample_copy_scores_and_last_trick(view, &state->table);
    bool is_wrong_end = view->phase == PHASE_OVER && !hund_game_is_over(state);
    return is_wrong_end ? GAME_BAD_VIEW : result;
}

enum game_result hund_sample_state(const struct game_view *view, const struct game_config *config,
                                   struct quick_random *random, void *state_bytes)
{
    struct hund *state = state_bytes;
    struct sample_pool pool = {.deck = &hund_deck};
    uint8_t seed[SEED_BYTES];
    sample_draw_seed(random, seed);
    hund_init(state, config, seed);
    if (!read_round_from_view(view, state, random)) {
        return GAME_BAD_VIEW;
    }
    fill_card_pool(view, state, &pool);
    enum game_result result = sample_deal_hands(view, &pool, random, &state->table);
    if (result != GAME_OK) {
        return result;
    }
    return restore_virtual_player_display(view, state) ? restore_round(view, state) : GAME_BAD_VIEW;
}
