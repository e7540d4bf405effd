#include "games/heckin_hounds/heckin_hounds.h"

#include "games/sample.h"

#define ATTEMPTS_OF_GAPS 5000

/* Puts played cards back into the hands, for the layouts of heckin_hounds_layout.c. */

/* The slots from which the seat played its cards, except Cerberus' slot. */
static uint8_t find_emptied_slots(const struct hounds_replay *replay, uint8_t seat,
                                  uint8_t emptied_slots[HOUNDS_SLOTS])
{
    const struct hounds_known *known = replay->known;
    uint8_t count = 0;
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
        if (replay->view->hands[seat][slot].is_empty &&
            (seat != known->cerberus_seat || slot != known->cerberus_slot)) {
            emptied_slots[count++] = slot;
        }
    }
    return count;
}

/* The cards that the seat played, except Cerberus. */
static uint8_t find_played_cards(const struct hounds_replay *replay, uint8_t seat,
                                 uint8_t cards[HOUNDS_SLOTS])
{
    uint8_t count = 0;
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(replay->view, i, &play); i++) {
        if (play.seat == seat && play.card != HOUNDS_CERBERUS_CARD && count < HOUNDS_SLOTS) {
            cards[count++] = play.card;
        }
    }
    return count;
}

/* Puts the cards into the emptied slots in a random order; false when clues forbid that order. */
static bool lay_cards_in_random_order(const struct hounds_replay *replay, uint8_t seat,
                                      uint8_t count, const uint8_t emptied_slots[HOUNDS_SLOTS],
                                      uint8_t cards[HOUNDS_SLOTS])
{
    for (uint8_t i = 0; i < count; i++) {
        uint32_t other = i + quick_random_draw_below(replay->random, (uint32_t)count - i);
        uint8_t card = cards[other];
        bool is_traded = replay->known->trades[seat] == emptied_slots[i];
        if (!is_traded &&
            (hounds_possible_dealt_cards(replay->view, replay->known, seat, emptied_slots[i]) >>
                 card &
             1) == 0) {
            return false;
        }
        cards[other] = cards[i];
        cards[i] = card;
        replay->layout->rows[seat][emptied_slots[i]] = card;
    }
    return true;
}

/* Puts the seat's played cards back into the slots that the view tells; false when clues forbid one
 * of these cards in its slot. */
static bool lay_played_cards_with_slots(const struct hounds_replay *replay, uint8_t seat)
{
    const struct hounds_known *known = replay->known;
    struct view_play play;
    bool is_possible = true;
    for (uint8_t i = 0; sample_read_play(replay->view, i, &play); i++) {
        if (play.seat != seat || play.card == HOUNDS_CERBERUS_CARD) {
            continue;
        }
        bool is_cerberus = seat == known->cerberus_seat && play.slot == known->cerberus_slot;
        bool is_free =
            known->trades[seat] == play.slot ||
            (hounds_possible_dealt_cards(replay->view, known, seat, play.slot) >> play.card & 1) !=
                0;
        is_possible = is_possible && is_free && !is_cerberus;
        replay->layout->rows[seat][play.slot] = play.card;
    }
    return is_possible;
}

bool hounds_lay_played_cards(const struct hounds_replay *replay, uint8_t seat)
{
    uint8_t emptied_slots[HOUNDS_SLOTS];
    uint8_t cards[HOUNDS_SLOTS];
    uint8_t count = find_played_cards(replay, seat, cards);
    bool is_laid = false;
    if (view_tells_slots(replay->view)) {
        return lay_played_cards_with_slots(replay, seat);
    }
    if (find_emptied_slots(replay, seat, emptied_slots) != count) {
        return false;
    }
    for (unsigned attempt = 0; attempt < ATTEMPTS_OF_GAPS && !is_laid; attempt++) {
        is_laid = lay_cards_in_random_order(replay, seat, count, emptied_slots, cards);
    }
    return is_laid;
}

bool hounds_lay_played_cerberus(const struct hounds_replay *replay)
{
    const struct hounds_known *known = replay->known;
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(replay->view, i, &play); i++) {
        if (play.card != HOUNDS_CERBERUS_CARD) {
            continue;
        }
        if (play.seat != known->cerberus_seat ||
            (view_tells_slots(replay->view) && play.slot != known->cerberus_slot) ||
            !replay->view->hands[play.seat][known->cerberus_slot].is_empty) {
            return false;
        }
        replay->layout->rows[play.seat][known->cerberus_slot] = play.card;
    }
    return true;
}
