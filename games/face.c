#include "games/face.h"

#include <string.h>

uint8_t face_suit_led(const struct game_view *view)
{
    return view->trick.count == 0 ? SUIT_NONE
                                  : card_suit(view->game->deck, view->trick.plays[0].card);
}

uint8_t face_count_suit_cards(const struct game_view *view, uint8_t suit)
{
    uint8_t held = 0;
    for (uint8_t i = 0; view->seat >= 0 && i < view->slot_count[view->seat]; i++) {
        uint8_t card = view->hands[view->seat][i].card;
        held = (uint8_t)(held + (card != CARD_NONE && card_suit(view->game->deck, card) == suit));
    }
    return held;
}

bool face_viewer_holds(const struct game_view *view, uint8_t card)
{
    for (uint8_t i = 0; view->seat >= 0 && i < view->slot_count[view->seat]; i++) {
        if (view->hands[view->seat][i].card == card) {
            return true;
        }
    }
    return false;
}

uint8_t face_card_in_slot(const struct game_view *view, uint8_t slot)
{
    if (view->seat < 0 || slot >= view->slot_count[view->seat] ||
        view->hands[view->seat][slot].card == CARD_NONE) {
        return MOVE_NONE;
    }
    return view->hands[view->seat][slot].card;
}

const char *face_lead_or_play_words(const struct game_view *view)
{
    return view->trick.count == 0 ? N_("to lead") : N_("to play");
}

const char *face_describe_turn(const struct game_view *view, uint8_t seat)
{
    const struct game_face *face = view->game->face;
    return face->turn != NULL ? face->turn(view, seat) : face_lead_or_play_words(view);
}

const char *face_describe_pointing_at_card(const struct game_view *view)
{
    const struct game_face *face = view->game->face;
    return face->pointing != NULL ? face->pointing(view) : N_("play");
}

uint8_t face_next_seat(const struct game_view *view, uint8_t seat)
{
    const struct game_face *face = view->game->face;
    if (face->next != NULL) {
        return face->next(view, seat);
    }
    return (uint8_t)((seat + 1) % view->seats);
}

struct phrase face_explain_wrong_turn(const struct game_view *view)
{
    if (view->phase == PHASE_OVER) {
        return phrase_without_args(N_("the game is over"));
    }
    return view_viewer_may_move(view) ? phrase_absent()
                                      : phrase_without_args(N_("it is not your turn"));
}

uint8_t face_find_winning_card(const struct game_view *view, uint8_t trump)
{
    const struct deck_def *deck = view->game->deck;
    if (face_suit_led(view) == SUIT_NONE) {
        return CARD_NONE;
    }
    uint8_t best = view->trick.plays[0].card;
    for (uint8_t i = 1; i < view->trick.count; i++) {
        uint8_t card = view->trick.plays[i].card;
        uint8_t suit = card_suit(deck, card);
        bool is_trump = suit != SUIT_NONE && suit == trump;
        bool beats = suit == card_suit(deck, best) ? card > best : is_trump;
        best = beats ? card : best;
    }
    return best;
}

struct phrase face_count_tricks(const struct game_view *view, uint8_t tricks)
{
    uint8_t current = (uint8_t)(view->past_count + 1);
    return (struct phrase){
        .format = N_("trick {0} of {1}"),
        .args = {arg_of_number(current < tricks ? current : tricks), arg_of_number(tricks)},
    };
}

struct phrase face_prompt_to_follow_suit(const struct game_view *view, uint8_t trump)
{
    uint8_t led = face_suit_led(view);
    if (led == SUIT_NONE) {
        return phrase_without_args(view->trick.count == 0 ? N_("Lead any card")
                                                          : N_("Play any card"));
    }
    return (struct phrase){
        .format = face_count_suit_cards(view, led) > 0
                      ? N_("Follow {0}: {1} wins so far")
                      : N_("No {0}, play any card: {1} wins so far"),
        .args = {arg_of_suit(led), arg_of_card(face_find_winning_card(view, trump))},
    };
}

struct phrase face_explain_illegal_card(const struct game_view *view, uint8_t card)
{
    uint8_t led = face_suit_led(view);
    if (!face_viewer_holds(view, card)) {
        return (struct phrase){.format = N_("you do not hold {0}"), .args = {arg_of_card(card)}};
    }
    return (struct phrase){
        .format = N_("must follow {0}: you have {1} of them"),
        .args = {arg_of_suit(led), arg_of_number(face_count_suit_cards(view, led))},
    };
}

bool face_trick_is_of_round(const struct game_view *view, const struct view_trick *trick)
{
    return view->past_count > 0 || view->phase == PHASE_OVER || !view->has_last_trick ||
           memcmp(trick->plays, view->last_trick.plays, trick->count * sizeof(trick->plays[0])) !=
               0;
}

struct phrase face_explain_trick_winner(const struct game_view *view,
                                        const struct view_trick *trick, uint8_t trump)
{
    const struct deck_def *deck = view->game->deck;
    uint8_t led = card_suit(deck, trick->plays[0].card);
    for (uint8_t i = 0; i < trick->count; i++) {
        uint8_t suit = card_suit(deck, trick->plays[i].card);
        if (trick->plays[i].seat == trick->winner && (suit != led || suit == trump)) {
            return phrase_without_args(N_("highest trump"));
        }
    }
    return (struct phrase){.format = N_("highest {0}"), .args = {arg_of_suit(led)}};
}

bool face_is_before_bids(const struct game_view *view)
{
    return view->phase < 8 && (view->game->face->phases_before_bids >> view->phase & 1) != 0;
}
