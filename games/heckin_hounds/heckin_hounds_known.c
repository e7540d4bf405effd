#include "games/heckin_hounds/heckin_hounds.h"

#include "games/hidden.h"

#include <string.h>

#define BIT(n) (UINT64_C(1) << (n))

/* The slots that a clue names: all slots with this suit or value, or the one slot. */
static uint8_t slots_of_clue(const struct hounds *state, uint8_t seat, uint8_t clue_subject)
{
    if (clue_subject >= HOUNDS_SUBJECT_SLOT) {
        return (uint8_t)(1U << (clue_subject - HOUNDS_SUBJECT_SLOT));
    }
    uint8_t slots = 0;
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint8_t card = state->table.slots[seat][i];
        bool is_named = hounds_clue_subject_for_suit(card) == clue_subject ||
                        hounds_clue_subject_for_value(card) == clue_subject;
        slots = (uint8_t)(slots | is_named << i);
    }
    return slots;
}

/* The things that legal clues can name, one bit each. A suit or value must be in the hand at least
 * twice and must not have been told for all of these cards. A slot must not have been told
 * completely. */
static void find_legal_clues_for_seat(struct hounds *state, uint8_t seat)
{
    uint64_t once = 0;
    uint64_t twice = 0;
    uint64_t untold = 0;
    uint64_t told_suit = state->told_suit[seat];
    uint64_t told_value = state->told_value[seat];
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint8_t card = state->table.slots[seat][i];
        uint64_t suit = BIT(card / HOUNDS_VALUES);
        uint64_t value = BIT(HOUNDS_SUBJECT_VALUE + card % HOUNDS_VALUES);
        twice |= once & (suit | value);
        once |= suit | value;
        untold |= suit * (~told_suit >> i & 1) | value * (~told_value >> i & 1);
    }
    uint64_t whole = told_suit & told_value;
    uint64_t legal = (twice & untold) | (~whole & (BIT(HOUNDS_SLOTS) - 1)) << HOUNDS_SUBJECT_SLOT;
    legal = state->clues_left[seat] > 0 ? legal : 0;

    unsigned at = seat * (unsigned)HOUNDS_SUBJECTS;
    uint64_t mask = BIT(HOUNDS_SUBJECTS) - 1;
    uint64_t *words = state->clue_moves;
    if (at < 64) {
        words[0] = (words[0] & ~(mask << at)) | legal << at;
    }
    if (at >= 64) {
        words[1] = (words[1] & ~(mask << (at - 64))) | legal << (at - 64);
    } else if (at + HOUNDS_SUBJECTS > 64) {
        words[1] = (words[1] & ~(mask >> (64 - at))) | legal >> (64 - at);
    }
}

void hounds_give_clue(struct hounds *state, uint8_t to, uint8_t clue_subject)
{
    uint8_t slots = slots_of_clue(state, to, clue_subject);
    bool is_suit = clue_subject < HOUNDS_SUBJECT_VALUE;
    bool is_slot = clue_subject >= HOUNDS_SUBJECT_SLOT;
    state->told_suit[to] = (uint8_t)(state->told_suit[to] | (is_suit || is_slot ? slots : 0));
    state->told_value[to] = (uint8_t)(state->told_value[to] | (is_suit ? 0 : slots));
    state->clues[state->clue_count++] = (struct hounds_clue){
        .to = to,
        .clue_subject = clue_subject,
        .slots = slots,
        .card = is_slot ? state->table.slots[to][clue_subject - HOUNDS_SUBJECT_SLOT] : CARD_NONE,
    };
    state->clues_left[to]--;
    find_legal_clues_for_seat(state, to);
}

void hounds_find_legal_clues(struct hounds *state)
{
    state->clue_moves[0] = 0;
    state->clue_moves[1] = 0;
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        find_legal_clues_for_seat(state, seat);
    }
}

/* Sets of cards: all cards of a suit, and all cards of a value. */
#define SUIT_CARDS(suit) (UINT64_C(0xFF) << (HOUNDS_VALUES * (suit)))
#define VALUE_CARDS(value) (UINT64_C(0x010101010101) << ((value)-1))

/* The cards of the strongest `suit_count` suits in a game with `seat_count` seats. */
static uint64_t cards_of_strongest_suits(uint8_t seat_count, uint8_t suit_count)
{
    uint64_t cards = 0;
    for (uint8_t suit = 0; suit < suit_count; suit++) {
        cards |= (BIT(seat_count + 1) - 1) << (HOUNDS_VALUES * suit);
    }
    return cards;
}

uint8_t hounds_count_clues(const struct hounds_known *known, uint8_t to)
{
    uint8_t count = 0;
    for (const struct hounds_clue *clue = known->clues; clue->to != HOUNDS_SEAT_NONE; clue++) {
        count = (uint8_t)(count + (clue->to == to));
    }
    return count;
}

uint8_t hounds_count_trades(const struct hounds_known *known, uint8_t seat_count)
{
    uint8_t count = 0;
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        count = (uint8_t)(count + (known->trades[seat] != HOUNDS_TRADE_OPEN));
    }
    return count;
}

/* Whether the clues can have been given so far: none before the clue phase, all of them after
 * it. */
static bool clues_are_possible(const struct game_view *view, const struct hounds_known *known)
{
    uint8_t count = 0;
    for (; known->clues[count].to != HOUNDS_SEAT_NONE; count++) {
        const struct hounds_clue *clue = &known->clues[count];
        bool is_slot = clue->clue_subject >= HOUNDS_SUBJECT_SLOT;
        if (clue->to == known->leader || clue->slots == 0 ||
            hounds_count_clues(known, clue->to) > HOUNDS_CLUES_EACH ||
            (is_slot ? clue->card >= HOUNDS_CERBERUS_CARD : clue->card != CARD_NONE) ||
            (is_slot && clue->slots != 1U << (clue->clue_subject - HOUNDS_SUBJECT_SLOT))) {
            return false;
        }
    }
    uint8_t all = (uint8_t)(HOUNDS_CLUES_EACH * (view->seats - 1));
    return view->phase == HOUNDS_BAD    ? count == 0
           : view->phase == HOUNDS_CLUE ? count < all
                                        : count == all;
}

/* Whether the trades can have been made so far. Each seat trades or passes once, one after the
 * other, starting with the leader. */
static bool trades_are_possible(const struct game_view *view, const struct hounds_known *known)
{
    uint8_t count = hounds_count_trades(known, view->seats);
    for (uint8_t i = 0; i < view->seats; i++) {
        uint8_t seat = (uint8_t)((known->leader + i) % view->seats);
        uint8_t slot = known->trades[seat];
        uint8_t card = known->given[seat];
        bool is_cerberus = seat == known->cerberus_seat && slot == known->cerberus_slot;
        if (is_cerberus || (slot == HOUNDS_TRADE_OPEN) != (i >= count)) {
            return false;
        }
        if (card != CARD_NONE &&
            (slot >= HOUNDS_SLOTS || card >= HOUNDS_CERBERUS_CARD ||
             (hounds_possible_dealt_cards(view, known, seat, slot) >> card & 1) == 0)) {
            return false;
        }
    }
    return view->phase < HOUNDS_TRADE    ? count == 0
           : view->phase == HOUNDS_TRADE ? count < view->seats
                                         : count == view->seats;
}

bool hounds_view_is_possible(const struct game_view *view)
{
    const struct hounds_known *known = hounds_known(view);
    return view->slot_count[0] == HOUNDS_SLOTS && known->leader < view->seats &&
           (view->phase <= HOUNDS_PLAY || view->phase == PHASE_OVER) &&
           (known->bad_dog == SUIT_NONE) == (view->phase == HOUNDS_BAD) &&
           (known->cerberus_seat == HOUNDS_SEAT_NONE) == (view->phase <= HOUNDS_DISCARD) &&
           clues_are_possible(view, known) && trades_are_possible(view, known);
}

uint64_t hounds_possible_dealt_cards(const struct game_view *view, const struct hounds_known *known,
                                     uint8_t seat, uint8_t slot)
{
    uint64_t cards = cards_of_strongest_suits(view->seats, HOUNDS_DEALT_SUITS);
    for (const struct hounds_clue *clue = known->clues; clue->to != HOUNDS_SEAT_NONE; clue++) {
        bool is_slot = clue->clue_subject >= HOUNDS_SUBJECT_SLOT;
        if (clue->to != seat || (is_slot && clue->card == CARD_NONE)) {
            continue; /* a clue about a single slot marks the slot with its card's suit and value,
                         so the marks tell the card */
        }
        uint64_t named = is_slot ? BIT(clue->card)
                         : clue->clue_subject < HOUNDS_SUBJECT_VALUE
                             ? SUIT_CARDS(clue->clue_subject)
                             : VALUE_CARDS(clue->clue_subject - HOUNDS_SUBJECT_VALUE + 1);
        cards &= (clue->slots >> slot & 1) != 0 ? named : ~named;
    }
    return cards;
}

/* Removes a card whose place is known from places->pool, the cards whose place is unknown. */
static bool remove_card_from_pool(struct hounds_places *places, uint8_t card)
{
    bool is_there = card < HOUNDS_CARDS && (places->pool >> card & 1) != 0;
    places->pool &= is_there ? ~BIT(card) : ~UINT64_C(0);
    return is_there;
}

/* Removes the visible cards of a hand from places->pool, the cards whose place is unknown. */
static bool remove_visible_cards_from_pool(struct hounds_places *places,
                                           const struct view_slot *hand)
{
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        if (hand[i].card != CARD_NONE && !remove_card_from_pool(places, hand[i].card)) {
            return false;
        }
    }
    return true;
}

/* Removes from places->pool, the cards whose place is unknown: the cards on the table, visible
 * cards, and the discarded card if the viewer knows it. */
static bool remove_known_cards_from_pool(const struct game_view *view,
                                         const struct hounds_known *known,
                                         struct hounds_places *places)
{
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        if (!remove_card_from_pool(places, play.card)) {
            return false;
        }
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (!remove_visible_cards_from_pool(places, view->hands[seat])) {
            return false;
        }
    }
    return known->discarded == CARD_NONE || remove_card_from_pool(places, known->discarded);
}

/* The cards that may lie in a slot, whether the viewer sees it or not. */
static uint64_t cards_allowed_in_slot(const struct game_view *view,
                                      const struct hounds_known *known, uint8_t seat, uint8_t slot)
{
    const struct view_slot *marks = &view->hands[seat][slot];
    if (seat == known->cerberus_seat && slot == known->cerberus_slot) {
        return BIT(HOUNDS_CERBERUS_CARD);
    }
    uint64_t cards = known->trades[seat] == slot
                         ? cards_of_strongest_suits(view->seats, HOUNDS_SUITS)
                         : hounds_possible_dealt_cards(view, known, seat, slot);
    if (marks->suit != SUIT_NONE) {
        cards &= marks->suit < HOUNDS_SUITS ? SUIT_CARDS(marks->suit) : 0;
    }
    if (marks->value != 0) {
        cards &= marks->value <= HOUNDS_VALUES ? VALUE_CARDS(marks->value) : 0;
    }
    return cards;
}

/* A seat's turn to trade, from 0. */
static int turn_of_trade(const struct game_view *view, const struct hounds_known *known,
                         uint8_t seat)
{
    return seat < known->leader ? seat + view->seats - known->leader : seat - known->leader;
}

/* The cards known to have been given in trades that a place cannot hold: all of them, except in a
 * slot whose own trade came later, which may have taken one of them. */
static uint64_t cards_given_elsewhere(const struct game_view *view,
                                      const struct hounds_known *known, uint8_t seat, uint8_t slot)
{
    bool is_traded = known->trades[seat] == slot;
    uint64_t cards = 0;
    for (uint8_t giver = 0; giver < view->seats; giver++) {
        bool is_earlier = turn_of_trade(view, known, giver) < turn_of_trade(view, known, seat);
        uint8_t card = known->given[giver];
        cards |= card == CARD_NONE || (is_traded && is_earlier) ? 0 : BIT(card);
    }
    return cards;
}

/* Finds all cards known to have been given in trades. False when a card was given twice, or was
 * played from a slot that cannot have taken it. */
static bool find_given_cards(const struct game_view *view, const struct hounds_known *known,
                             struct hounds_places *places)
{
    struct view_play play;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        uint64_t card = known->given[seat] == CARD_NONE ? 0 : BIT(known->given[seat]);
        if ((places->given & card) != 0 || (card != 0 && known->given[seat] == known->discarded)) {
            return false;
        }
        places->given |= card;
    }
    for (uint8_t i = 0; places->given != 0 && sample_read_play(view, i, &play); i++) {
        if ((cards_given_elsewhere(view, known, play.seat, play.slot) >> play.card & 1) != 0) {
            return false;
        }
    }
    return true;
}

static bool find_possible_cards_of_hand(const struct game_view *view,
                                        const struct hounds_known *known, uint8_t seat,
                                        struct hounds_places *places)
{
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        uint64_t seen = slot->card == CARD_NONE ? places->pool : BIT(slot->card);
        if (slot->is_empty) {
            continue;
        }
        places->slots[seat][i] = seen & cards_allowed_in_slot(view, known, seat, i) &
                                 ~cards_given_elsewhere(view, known, seat, i);
        if (places->slots[seat][i] == 0 || slot->is_traded != (known->trades[seat] == i)) {
            return false;
        }
    }
    return true;
}

bool hounds_find_possible_cards(const struct game_view *view, const struct hounds_known *known,
                                struct hounds_places *places)
{
    bool has_cerberus = known->cerberus_seat != HOUNDS_SEAT_NONE;
    memset(places, 0, sizeof(*places));
    places->pool = cards_of_strongest_suits(view->seats, HOUNDS_SUITS);
    places->pool |= has_cerberus ? BIT(HOUNDS_CERBERUS_CARD) : 0;
    if (!remove_known_cards_from_pool(view, known, places) ||
        !find_given_cards(view, known, places)) {
        return false;
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (!find_possible_cards_of_hand(view, known, seat, places)) {
            return false;
        }
    }
    if (known->discarded != CARD_NONE) {
        places->discarded = BIT(known->discarded);
    } else if (has_cerberus) {
        places->discarded =
            places->pool & ~places->given &
            hounds_possible_dealt_cards(view, known, known->cerberus_seat, known->cerberus_slot);
    }
    /* Everybody sees where Cerberus is or was. */
    return (places->pool & BIT(HOUNDS_CERBERUS_CARD)) == 0 &&
           (places->discarded != 0) == has_cerberus;
}
