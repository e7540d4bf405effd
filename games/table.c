#include "games/game.h"

#include <assert.h>
#include <string.h>

void table_init(struct table_state *table, uint8_t seat_count, const struct game_config *config,
                const uint8_t seed[SEED_BYTES])
{
    deal_stream_init(&table->stream, seed);
    table->seats = seat_count;
    table->players = config->players;
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        table->next[seat] = (uint8_t)((seat + 1) % seat_count);
    }
}

/* Returns the slot in which the seat held a card that it has played in this round. */
static uint8_t find_slot_of_played_card(const struct table_state *table, uint8_t seat, uint8_t card)
{
    uint8_t slot = 0;
    while (slot < table->slot_count && table->slots[seat][slot] != card) {
        slot++;
    }
    return slot;
}

/* Returns trick number `index` of the round, finished or current. */
static struct view_trick get_trick(const struct table_state *table, uint8_t index)
{
    struct view_trick trick = {0};
    uint8_t first = (uint8_t)(index * table->seats);
    bool is_finished = index < table->past_count;
    trick.count = is_finished ? table->seats : table->trick_count;
    trick.winner = is_finished ? table->leads[index + 1] : 0;
    uint8_t seat = table->leads[index];
    for (uint8_t i = 0; i < trick.count; i++) {
        uint8_t card = table->plays[first + i];
        uint8_t slot = find_slot_of_played_card(table, seat, card);
        trick.plays[i] = (struct view_play){.seat = seat, .card = card, .slot = slot};
        seat = table->next[seat];
    }
    return trick;
}

void table_deal(struct table_state *table, uint8_t *cards, uint8_t card_count, uint8_t hand_size)
{
    assert(hand_size <= SLOTS_MAX && table->seats * hand_size <= card_count);
    if (table->past_count > 0) {
        table->last_trick = get_trick(table, (uint8_t)(table->past_count - 1));
    }
    deal_stream_shuffle(&table->stream, cards, card_count);
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        table_give_hand(table, seat, cards + (size_t)seat * hand_size, hand_size);
    }
    table_begin_round(table, (uint8_t)(table->round + 1), hand_size);
}

void table_begin_round(struct table_state *table, uint8_t round, uint8_t hand_size)
{
    table->round = round;
    table->slot_count = hand_size;
    table->play_count = 0;
    table->past_count = 0;
    table->trick_count = 0;
    table->led_card = CARD_NONE;
    memset(table->bids, BID_NONE, sizeof(table->bids));
    memset(table->tricks, 0, sizeof(table->tricks));
}

void table_reopen_round(struct table_state *table)
{
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        for (uint8_t slot = 0; slot < table->slot_count; slot++) {
            card_set_add(&table->hands[seat], table->slots[seat][slot]);
        }
    }
    table_begin_round(table, table->round, table->slot_count);
}

void table_give_hand(struct table_state *table, uint8_t seat, const uint8_t *cards,
                     uint8_t hand_size)
{
    /* Works on a copy of the set of cards in two local variables, so that it stays in registers:
     * dealing takes most of the time of a fast simulated game. */
    uint64_t low = 0;
    uint64_t high = 0;
    for (uint8_t i = 0; i < hand_size; i++) {
        uint64_t bit = UINT64_C(1) << (cards[i] % 64);
        low |= cards[i] < 64 ? bit : 0;
        high |= cards[i] < 64 ? 0 : bit;
        table->slots[seat][i] = cards[i];
    }
    table->hands[seat] = (struct card_set){{low, high}};
    memset(table->sight[seat], SIGHT_OF(seat), sizeof(table->sight[seat]));
}

void table_set_lead(struct table_state *table, uint8_t seat)
{
    table->leads[0] = seat;
    table->to_act = (uint8_t)(1U << seat);
}

void table_add_points(struct table_state *table, const int16_t points[SEATS_MAX])
{
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        table->scores[seat] = (int16_t)(table->scores[seat] + points[seat]);
    }
}

void table_score_round(struct table_state *table, const int16_t points[SEATS_MAX],
                       const struct game_log *log)
{
    table_add_points(table, points);
    if (log != NULL) {
        event_send_score(log, table, points);
    }
}

void table_end_game(struct table_state *table,
                    void (*compute_outcome)(const void *state, struct game_outcome *outcome),
                    const struct game_log *log)
{
    struct game_outcome outcome = {.winners = 0};
    table->phase = PHASE_OVER;
    table->to_act = 0;
    if (log != NULL) {
        compute_outcome(table, &outcome);
        event_send_end(log, &outcome, table->seats);
    }
}

void table_compute_ranks(const int32_t *keys, uint8_t count, uint8_t *ranks)
{
    for (uint8_t i = 0; i < count; i++) {
        ranks[i] = 1;
        for (uint8_t j = 0; j < count; j++) {
            ranks[i] = (uint8_t)(ranks[i] + (keys[j] > keys[i]));
        }
    }
}

void table_fill_outcome(const void *state, struct game_outcome *outcome)
{
    const struct table_state *table = state;
    int32_t keys[SEATS_MAX];
    assert(table->players <= table->seats);
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        outcome->scores[seat] = table->scores[seat];
        keys[seat] = table->scores[seat];
    }
    table_compute_ranks(keys, table->players, outcome->ranks);
    for (uint8_t seat = 0; seat < table->players; seat++) {
        outcome->winners |= (uint8_t)((outcome->ranks[seat] == 1) << seat);
    }
}

static void fill_view_of_hand(const struct table_state *table, uint8_t owner,
                              struct game_view *view)
{
    uint8_t viewer = SIGHT_SPECTATOR;
    if (view->seat != SPECTATOR) {
        viewer = SIGHT_OF(view->seat);
    }
    view->slot_count[owner] = table->slot_count;
    for (uint8_t i = 0; i < table->slot_count; i++) {
        struct view_slot *slot = &view->hands[owner][i];
        slot->is_empty = !table_seat_holds(table, owner, table->slots[owner][i]);
        if (!slot->is_empty && (table->sight[owner][i] & viewer) != 0) {
            slot->card = table->slots[owner][i];
        }
    }
}

/* Removes the slots from the trick's plays unless the view tells them. */
static void hide_slots_unless_told(const struct game_view *view, struct view_trick *trick)
{
    for (uint8_t i = 0; i < trick->count && !view_tells_slots(view); i++) {
        trick->plays[i].slot = SLOT_NONE;
    }
}

void table_fill_view(const struct table_state *table, struct game_view *view)
{
    view->seats = table->seats;
    view->step = table->step;
    view->phase = table->phase;
    view->to_act = table->to_act;
    view->round = table->round;
    view->rounds = table->rounds;
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        fill_view_of_hand(table, seat, view);
    }
    view->past_count = table->past_count;
    for (uint8_t i = 0; i < table->past_count; i++) {
        view->past[i] = get_trick(table, i);
        hide_slots_unless_told(view, &view->past[i]);
    }
    view->trick = get_trick(table, table->past_count);
    hide_slots_unless_told(view, &view->trick);
    view->last_trick =
        table->past_count > 0 ? view->past[table->past_count - 1] : table->last_trick;
    hide_slots_unless_told(view, &view->last_trick);
    view->has_last_trick = view->last_trick.count > 0;
    memcpy(view->bids, table->bids, sizeof(view->bids));
    memcpy(view->tricks, table->tricks, sizeof(view->tricks));
    memcpy(view->scores, table->scores, sizeof(view->scores));
}
