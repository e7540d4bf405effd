#include "games/heckin_hounds/heckin_hounds.h"

#include "games/hidden.h"

/* Puts played cards back into the hands, for the layouts of heckin_hounds_layout.c. */

bool hounds_lay_played_cards(const struct hounds_replay *replay, uint8_t seat)
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

bool hounds_lay_played_cerberus(const struct hounds_replay *replay)
{
    const struct hounds_known *known = replay->known;
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(replay->view, i, &play); i++) {
        if (play.card != HOUNDS_CERBERUS_CARD) {
            continue;
        }
        if (play.seat != known->cerberus_seat || play.slot != known->cerberus_slot ||
            !replay->view->hands[play.seat][known->cerberus_slot].is_empty) {
            return false;
        }
        replay->layout->rows[play.seat][known->cerberus_slot] = play.card;
    }
    return true;
}
