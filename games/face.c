#include "games/face.h"

uint8_t face_led(const struct game_view *view)
{
    return view->trick.count == 0 ? SUIT_NONE
                                  : card_suit(view->game->deck, view->trick.plays[0].card);
}

uint8_t face_held(const struct game_view *view, uint8_t suit)
{
    uint8_t held = 0;
    for (uint8_t i = 0; view->seat >= 0 && i < view->slot_count[view->seat]; i++) {
        uint8_t card = view->hands[view->seat][i].card;
        held = (uint8_t)(held + (card != CARD_NONE && card_suit(view->game->deck, card) == suit));
    }
    return held;
}

bool face_holds(const struct game_view *view, uint8_t card)
{
    for (uint8_t i = 0; view->seat >= 0 && i < view->slot_count[view->seat]; i++) {
        if (view->hands[view->seat][i].card == card) {
            return true;
        }
    }
    return false;
}

uint8_t face_point_card(const struct game_view *view, uint8_t slot)
{
    if (view->seat < 0 || slot >= view->slot_count[view->seat] ||
        view->hands[view->seat][slot].card == CARD_NONE) {
        return MOVE_NONE;
    }
    return view->hands[view->seat][slot].card;
}

const char *face_turn_play(const struct game_view *view)
{
    return view->trick.count == 0 ? N_("to lead") : N_("to play");
}

const char *face_turn(const struct game_view *view, uint8_t seat)
{
    const struct game_face *face = view->game->face;
    return face->turn != NULL ? face->turn(view, seat) : face_turn_play(view);
}

const char *face_pointing(const struct game_view *view)
{
    const struct game_face *face = view->game->face;
    return face->pointing != NULL ? face->pointing(view) : N_("play");
}

uint8_t face_next(const struct game_view *view, uint8_t seat)
{
    const struct game_face *face = view->game->face;
    if (face->next != NULL) {
        return face->next(view, seat);
    }
    return (uint8_t)((seat + 1) % view->seats);
}

struct phrase face_refuse_turn(const struct game_view *view)
{
    if (view->phase == PHASE_OVER) {
        return phrase_plain(N_("the game is over"));
    }
    return view_is_to_act(view) ? phrase_none() : phrase_plain(N_("it is not your turn"));
}

struct phrase face_prompt_follow(const struct game_view *view)
{
    uint8_t led = face_led(view);
    if (led == SUIT_NONE) {
        return phrase_plain(view->trick.count == 0 ? N_("Lead any card") : N_("Play any card"));
    }
    return (struct phrase){
        .format = face_held(view, led) > 0 ? N_("Follow {0}") : N_("No {0}: play any card"),
        .args = {arg_suit(led)},
    };
}

struct phrase face_refuse_follow(const struct game_view *view, uint8_t card)
{
    uint8_t led = face_led(view);
    if (!face_holds(view, card)) {
        return (struct phrase){.format = N_("you do not hold {0}"), .args = {arg_card(card)}};
    }
    return (struct phrase){
        .format = N_("must follow {0}: you hold {1}"),
        .args = {arg_suit(led), arg_number(face_held(view, led))},
    };
}
