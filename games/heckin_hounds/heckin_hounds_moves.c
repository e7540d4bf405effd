#include "games/heckin_hounds/heckin_hounds.h"

#include "games/face.h"

#include <stddef.h>

/* The meaning of a move number. */
struct hounds_meaning {
    uint8_t phase; /* the phase of the move; PHASE_OVER when the number is no move */
    uint8_t number;
    uint8_t to; /* what a clue names */
};

static struct hounds_meaning hounds_meaning_of(uint8_t move)
{
    static const struct {
        uint8_t first, count, phase;
    } kinds[] = {
        {HOUNDS_MOVE_PLAY, HOUNDS_SLOTS, HOUNDS_PLAY},
        {HOUNDS_MOVE_BID, HOUNDS_BID_MOST + 1, HOUNDS_BID},
        {HOUNDS_MOVE_TRADE, HOUNDS_SLOTS + 1, HOUNDS_TRADE},
        {HOUNDS_MOVE_DISCARD, HOUNDS_SLOTS, HOUNDS_DISCARD},
        {HOUNDS_MOVE_CERBERUS, SEATS_MAX, HOUNDS_CERBERUS},
        {HOUNDS_MOVE_BAD, HOUNDS_SUITS, HOUNDS_BAD},
    };
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (move >= kinds[i].first && move < kinds[i].first + kinds[i].count) {
            return (struct hounds_meaning){kinds[i].phase, (uint8_t)(move - kinds[i].first), 0};
        }
    }
    if (move >= HOUNDS_MOVE_CLUE && move < HOUNDS_MOVE_END) {
        uint8_t clue = (uint8_t)(move - HOUNDS_MOVE_CLUE);
        return (struct hounds_meaning){HOUNDS_CLUE, clue % HOUNDS_WHATS, clue / HOUNDS_WHATS};
    }
    return (struct hounds_meaning){.phase = PHASE_OVER};
}

/* Names a slot of the viewer: by its card if the viewer knows it, otherwise by its number. */
static struct phrase hounds_slot_name(const struct game_view *view, uint8_t slot)
{
    uint8_t card = view->seat < 0 ? CARD_NONE : view->hands[view->seat][slot].card;
    if (card != CARD_NONE) {
        return (struct phrase){.format = "{0}", .args = {arg_card(card)}};
    }
    return (struct phrase){.format = N_("card {0}"), .args = {arg_number(slot + 1)}};
}

static struct phrase hounds_label_clue(const struct game_view *view, uint8_t to, uint8_t what)
{
    struct phrase phrase = {.args = {arg_seat(to)}};
    if (what < HOUNDS_WHAT_VALUE) {
        phrase.format = N_("{0}: every {1}");
        phrase.args[1] = arg_suit(what);
    } else if (what < HOUNDS_WHAT_SLOT) {
        phrase.format = N_("{0}: every {1}");
        phrase.args[1] = arg_number(what - HOUNDS_WHAT_VALUE + 1);
    } else {
        uint8_t slot = (uint8_t)(what - HOUNDS_WHAT_SLOT);
        uint8_t card = view->hands[to][slot].card;
        phrase.format = card == CARD_NONE ? N_("{0}: card {1}") : N_("{0}: just {1}");
        phrase.args[1] = card == CARD_NONE ? arg_number(slot + 1) : arg_card(card);
    }
    return phrase;
}

struct phrase hounds_label(const struct game_view *view, uint8_t move)
{
    struct hounds_meaning meant = hounds_meaning_of(move);
    switch ((enum hounds_phase)meant.phase) {
    case HOUNDS_BAD:
        return (struct phrase){.format = "{0}", .args = {arg_suit(meant.number)}};
    case HOUNDS_CLUE:
        return hounds_label_clue(view, meant.to, meant.number);
    case HOUNDS_CERBERUS:
        return (struct phrase){.format = "{0}", .args = {arg_seat(meant.number)}};
    case HOUNDS_TRADE:
        if (move == HOUNDS_MOVE_PASS) {
            return phrase_plain(N_("pass"));
        }
        return hounds_slot_name(view, meant.number);
    case HOUNDS_BID:
        return (struct phrase){.format = "{0}", .args = {arg_number(meant.number)}};
    case HOUNDS_DISCARD:
    case HOUNDS_PLAY:
        return hounds_slot_name(view, meant.number);
    }
    return phrase_none();
}

static struct phrase hounds_refuse_clue(const struct game_view *view, uint8_t to, uint8_t what)
{
    uint8_t cards = 0;
    struct hounds_known known;
    if (!hounds_known_read(view, &known) || to >= view->seats || to == known.leader) {
        return phrase_plain(N_("clues go to the other players"));
    }
    if (known.clues_left[to] == 0) {
        return (struct phrase){.format = N_("{0} has had three clues"), .args = {arg_seat(to)}};
    }
    for (uint8_t i = 0; i < view->slot_count[to]; i++) {
        uint8_t card = view->hands[to][i].card;
        cards =
            (uint8_t)(cards + (hounds_what_suit(card) == what || hounds_what_value(card) == what));
    }
    if (what < HOUNDS_WHAT_SLOT && cards < 2) {
        bool is_suit = what < HOUNDS_WHAT_VALUE;
        return (struct phrase){
            .format = N_("at least two cards must be {1}: {0} holds {2}"),
            .args = {arg_seat(to),
                     is_suit ? arg_suit(what) : arg_number(what - HOUNDS_WHAT_VALUE + 1),
                     arg_number(cards)},
        };
    }
    return (struct phrase){.format = N_("that tells {0} nothing new"), .args = {arg_seat(to)}};
}

/* The card that wins the trick so far; CARD_NONE when the trick is empty. */
static uint8_t hounds_best(const struct game_view *view)
{
    uint8_t best = CARD_NONE;
    for (uint8_t i = 0; i < view->trick.count; i++) {
        uint8_t card = view->trick.plays[i].card;
        if (best == CARD_NONE || hounds_strength(card) > hounds_strength(best)) {
            best = card;
        }
    }
    return best;
}

static struct phrase hounds_prompt_clue(const struct game_view *view)
{
    struct hounds_known known;
    int left = hounds_known_read(view, &known)
                   ? HOUNDS_CLUES_EACH * (view->seats - 1) - known.clue_count
                   : 0;
    return (struct phrase){
        .format = left == 1 ? N_("Give the last clue") : N_("Give a clue: {0} to go"),
        .args = {arg_number(left)},
    };
}

struct phrase hounds_prompt(const struct game_view *view)
{
    if (!view_is_to_act(view) || view->phase > HOUNDS_PLAY) {
        return phrase_none();
    }
    switch ((enum hounds_phase)view->phase) {
    case HOUNDS_BAD:
        return phrase_plain(N_("Name the bad dog: each in a trick is badness for its taker"));
    case HOUNDS_CLUE:
        return hounds_prompt_clue(view);
    case HOUNDS_CERBERUS:
        return phrase_plain(N_("Give Cerberus, which beats all, to a player"));
    case HOUNDS_DISCARD:
        return phrase_plain(N_("Cerberus comes to you: choose the card to drop for it"));
    case HOUNDS_TRADE:
        return phrase_plain(N_("Swap a card blindly with the dead hand, or pass"));
    case HOUNDS_BID:
        return phrase_plain(N_("Bid 0–5"));
    case HOUNDS_PLAY:
        break;
    }
    uint8_t best = hounds_best(view);
    if (best == CARD_NONE) {
        return phrase_plain(N_("Lead any card"));
    }
    return (struct phrase){
        .format = N_("Play any card: {0} wins so far"),
        .args = {arg_card(best)},
    };
}

struct phrase hounds_refusal(const struct game_view *view, uint8_t move)
{
    struct hounds_meaning meant = hounds_meaning_of(move);
    if (move_set_has(&view->legal, move)) {
        return phrase_none();
    }
    if (!view_is_to_act(view)) {
        return face_refuse_turn(view);
    }
    if (meant.phase != view->phase) {
        struct phrase prompt = hounds_prompt(view);
        return prompt.format != NULL ? prompt : phrase_plain(N_("not now"));
    }
    switch ((enum hounds_phase)meant.phase) {
    case HOUNDS_CLUE:
        return hounds_refuse_clue(view, meant.to, meant.number);
    case HOUNDS_TRADE:
        return phrase_plain(N_("Cerberus cannot be traded"));
    case HOUNDS_PLAY:
        return phrase_plain(N_("that card is played already"));
    case HOUNDS_CERBERUS:
        return phrase_plain(N_("there is no such player"));
    case HOUNDS_BAD:
    case HOUNDS_DISCARD:
    case HOUNDS_BID:
        break;
    }
    return phrase_plain(N_("not now"));
}

/* Giving a clue points at cards, giving Cerberus points at a player. */
bool hounds_aim(const struct game_view *view, uint8_t move, struct face_aim *out)
{
    struct hounds_meaning meant = hounds_meaning_of(move);
    *out = (struct face_aim){.seat = meant.phase == HOUNDS_CLUE ? meant.to : meant.number};
    for (uint8_t i = 0; meant.phase == HOUNDS_CLUE && i < HOUNDS_SLOTS; i++) {
        uint8_t card = view->hands[out->seat][i].card;
        bool is_meant = meant.number == HOUNDS_WHAT_SLOT + i ||
                        hounds_what_suit(card) == meant.number ||
                        hounds_what_value(card) == meant.number;
        out->slots = (uint16_t)(out->slots | is_meant << i);
    }
    return meant.phase == HOUNDS_CLUE || meant.phase == HOUNDS_CERBERUS;
}
