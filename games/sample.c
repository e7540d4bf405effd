#include "games/hidden.h"

#include "games/card.h"

#include <string.h>

#define UNDEALT (HIDDEN_GROUPS_MAX - 1)

/* Returns the round's trick number `index`. The current trick comes after the finished ones. */
static const struct view_trick *get_trick(const struct game_view *view, uint8_t index)
{
    return index < view->past_count ? &view->past[index] : &view->trick;
}

static bool trick_is_well_formed(const struct game_view *view, const struct view_trick *trick)
{
    unsigned seats = 0;
    for (uint8_t i = 0; i < trick->count; i++) {
        const struct view_play *play = &trick->plays[i];
        if (play->seat >= view->seats || (seats >> play->seat & 1) != 0 ||
            play->card >= card_count(view->game->deck)) {
            return false;
        }
        seats |= 1U << play->seat;
    }
    return true;
}

/* Whether the trick's cards were played from slots of the hands. The slots of a trick of this round
 * must be empty now. Always true for a view without slots. */
static bool slots_are_well_formed(const struct game_view *view, const struct view_trick *trick,
                                  bool is_of_round)
{
    for (uint8_t i = 0; i < trick->count && view_tells_slots(view); i++) {
        const struct view_play *play = &trick->plays[i];
        if (play->slot >= view->slot_count[play->seat] ||
            (is_of_round && !view->hands[play->seat][play->slot].is_empty)) {
            return false;
        }
    }
    return true;
}

static bool hand_is_well_formed(const struct game_view *view, uint8_t seat)
{
    if (view->slot_count[seat] > SLOTS_MAX) {
        return false;
    }
    uint8_t gaps = 0;
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        gaps = (uint8_t)(gaps + slot->is_empty);
        if (slot->card != CARD_NONE && slot->card >= card_count(view->game->deck)) {
            return false;
        }
    }
    struct view_play play;
    uint8_t played = 0;
    unsigned played_slots = 0;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        played = (uint8_t)(played + (play.seat == seat));
        played_slots |= play.seat == seat && view_tells_slots(view) ? 1U << play.slot : 0;
    }
    return played == gaps && (!view_tells_slots(view) || bits_count(played_slots) == gaps);
}

bool sample_view_is_well_formed(const struct game_view *view)
{
    if (view->seats == 0 || view->seats > SEATS_MAX || view->seat >= view->seats ||
        view->past_count > TRICKS_MAX || view->trick.count >= view->seats) {
        return false;
    }
    for (uint8_t i = 0; i < view->past_count; i++) {
        if (view->past[i].count != view->seats) {
            return false;
        }
    }
    for (uint8_t i = 0; i <= view->past_count; i++) {
        const struct view_trick *trick = get_trick(view, i);
        if (!trick_is_well_formed(view, trick) || !slots_are_well_formed(view, trick, true)) {
            return false;
        }
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (!hand_is_well_formed(view, seat)) {
            return false;
        }
    }
    return !view->has_last_trick ||
           (view->last_trick.count == view->seats && view->last_trick.winner < view->seats &&
            trick_is_well_formed(view, &view->last_trick) &&
            slots_are_well_formed(view, &view->last_trick, false));
}

void sample_draw_seed(struct quick_random *random, uint8_t seed[SEED_BYTES])
{
    for (unsigned i = 0; i < SEED_BYTES; i++) {
        seed[i] = (uint8_t)quick_random_draw_below(random, 256);
    }
}

static void record_void_suits_of_trick(const struct view_trick *trick, struct sample_pool *pool)
{
    uint8_t led = trick->count == 0 ? SUIT_NONE : card_suit(pool->deck, trick->plays[0].card);
    for (uint8_t i = 1; i < trick->count && led != SUIT_NONE; i++) {
        uint8_t suit = card_suit(pool->deck, trick->plays[i].card);
        if (suit != led && suit != SUIT_NONE) {
            uint8_t *bans = &pool->bans[trick->plays[i].seat];
            *bans = (uint8_t)(*bans | 1U << led);
        }
    }
}

void sample_record_void_suits(const struct game_view *view, struct sample_pool *pool)
{
    for (uint8_t i = 0; i <= view->past_count; i++) {
        record_void_suits_of_trick(get_trick(view, i), pool);
    }
}

uint8_t sample_take_card(struct sample_pool *pool, uint8_t card)
{
    for (uint8_t i = 0; i < pool->count; i++) {
        uint8_t taken = pool->cards[i];
        if (card_number_without_copy(pool->deck, taken) == card) {
            pool->cards[i] = pool->cards[--pool->count];
            return taken;
        }
    }
    return CARD_NONE;
}

typedef uint8_t sample_hands[SEATS_MAX][SLOTS_MAX];

/* Puts each played card into a slot from which its player has played; of several such slots, into
 * the first that is still free. */
static bool place_played_cards(const struct game_view *view, struct sample_pool *pool,
                               sample_hands hands)
{
    uint8_t gap[SEATS_MAX] = {0};
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        uint8_t *slot = &gap[play.seat];
        while (!view->hands[play.seat][*slot].is_empty) {
            (*slot)++;
        }
        uint8_t taken = sample_take_card(pool, play.card);
        hands[play.seat][(*slot)++] = taken;
        if (taken == CARD_NONE) {
            return false;
        }
    }
    return true;
}

/* Finds the cards of a hand that the viewer sees, and puts them into their slots. */
static bool place_seen_cards(const struct game_view *view, uint8_t seat, struct sample_pool *pool,
                             sample_hands hands)
{
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        if (slot->is_empty || slot->card == CARD_NONE) {
            continue;
        }
        hands[seat][i] = sample_take_card(pool, slot->card);
        if (hands[seat][i] == CARD_NONE) {
            return false;
        }
    }
    return true;
}

/* The slots whose card the viewer does not know. */
struct unknown_slots {
    uint8_t *at[HIDDEN_CARDS_MAX];
    uint8_t groups[HIDDEN_CARDS_MAX]; /* the seat that holds each slot; UNDEALT in entries from
                                         `count` on, which stand for undealt cards */
    uint8_t count;
};

static void list_unknown_slots(uint8_t seat, uint8_t slot_count, sample_hands hands,
                               struct unknown_slots *unknown)
{
    for (uint8_t i = 0; i < slot_count && unknown->count < HIDDEN_CARDS_MAX; i++) {
        if (hands[seat][i] == CARD_NONE) {
            unknown->groups[unknown->count] = seat;
            unknown->at[unknown->count++] = &hands[seat][i];
        }
    }
}

enum game_result sample_deal_hands(const struct game_view *view, struct sample_pool *pool,
                                   struct quick_random *random, struct table_state *table)
{
    sample_hands hands;
    struct unknown_slots unknown = {.count = 0};
    memset(hands, CARD_NONE, sizeof(hands));
    memset(unknown.groups, UNDEALT, sizeof(unknown.groups));
    bool is_possible = place_played_cards(view, pool, hands);
    for (uint8_t seat = 0; seat < view->seats && is_possible; seat++) {
        is_possible = place_seen_cards(view, seat, pool, hands);
        list_unknown_slots(seat, view->slot_count[seat], hands, &unknown);
    }
    if (!is_possible || unknown.count > pool->count ||
        !hidden_shuffle_with_suit_bans(pool->deck, pool->cards, unknown.groups, pool->count,
                                       pool->bans, random)) {
        return GAME_BAD_VIEW;
    }
    for (uint8_t i = 0; i < unknown.count; i++) {
        *unknown.at[i] = pool->cards[i];
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        table_give_hand(table, seat, hands[seat], view->slot_count[seat]);
    }
    return GAME_OK;
}

bool sample_read_play(const struct game_view *view, uint8_t index, struct view_play *play)
{
    uint8_t in_trick = index % view->seats;
    uint8_t trick = index / view->seats;
    if (trick > view->past_count || in_trick >= get_trick(view, trick)->count) {
        return false;
    }
    *play = get_trick(view, trick)->plays[in_trick];
    return true;
}

enum game_result sample_copy_scores_and_last_trick(const struct game_view *view,
                                                   struct table_state *table)
{
    if (table->round != view->round || table->phase != view->phase ||
        table->to_act != view->to_act || table->past_count != view->past_count ||
        memcmp(table->tricks, view->tricks, view->seats) != 0 ||
        memcmp(table->bids, view->bids, view->seats) != 0) {
        return GAME_BAD_VIEW;
    }
    table->step = view->step;
    memcpy(table->scores, view->scores, sizeof(table->scores));
    if (view->has_last_trick && view->past_count == 0) {
        table->last_trick = view->last_trick;
    }
    return GAME_OK;
}
