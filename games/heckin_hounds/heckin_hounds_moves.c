#include "games/heckin_hounds/heckin_hounds.h"

#include "games/face.h"

#include <stddef.h>

/* The meaning of a move number. */
struct meaning {
    uint8_t phase;  /* the phase of the move; PHASE_OVER when the number is no move */
    uint8_t number; /* the slot, bid, seat or suit that the move names; for a clue, what it names */
    uint8_t to;     /* the seat that gets a clue */
};

static struct meaning find_move_meaning(uint8_t move)
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
            return (struct meaning){kinds[i].phase, (uint8_t)(move - kinds[i].first), 0};
        }
    }
    if (move >= HOUNDS_MOVE_CLUE && move < HOUNDS_MOVE_END) {
        uint8_t clue = (uint8_t)(move - HOUNDS_MOVE_CLUE);
        return (struct meaning){HOUNDS_CLUE, clue % HOUNDS_SUBJECTS, clue / HOUNDS_SUBJECTS};
    }
    return (struct meaning){.phase = PHASE_OVER};
}

/* Names a slot of the viewer: by its card if the viewer knows it, otherwise by its number. */
static struct phrase slot_label(const struct game_view *view, uint8_t slot)
{
    uint8_t card = view->seat < 0 ? CARD_NONE : view->hands[view->seat][slot].card;
    if (card != CARD_NONE) {
        return (struct phrase){.format = "{0}", .args = {arg_of_card(card)}};
    }
    return (struct phrase){.format = N_("card {0}"), .args = {arg_of_number(slot + 1)}};
}

static struct phrase clue_label(const struct game_view *view, uint8_t to, uint8_t clue_subject)
{
    struct phrase phrase = {.args = {arg_of_seat(to)}};
    if (clue_subject < HOUNDS_SUBJECT_VALUE) {
        phrase.format = N_("{0}: every {1}");
        phrase.args[1] = arg_of_suit(clue_subject);
    } else if (clue_subject < HOUNDS_SUBJECT_SLOT) {
        phrase.format = N_("{0}: every {1}");
        phrase.args[1] = arg_of_number(clue_subject - HOUNDS_SUBJECT_VALUE + 1);
    } else {
        uint8_t slot = (uint8_t)(clue_subject - HOUNDS_SUBJECT_SLOT);
        uint8_t card = view->hands[to][slot].card;
        phrase.format = card == CARD_NONE ? N_("{0}: card {1}") : N_("{0}: just {1}");
        phrase.args[1] = card == CARD_NONE ? arg_of_number(slot + 1) : arg_of_card(card);
    }
    return phrase;
}

/* What a clue tells: "every 3", "just Sudachi 5". */
struct phrase hounds_clue_label_without_player(const struct game_view *view, uint8_t move)
{
    struct meaning meant = find_move_meaning(move);
    if (meant.phase != HOUNDS_CLUE) {
        return phrase_absent();
    }
    struct phrase phrase = clue_label(view, meant.to, meant.number);
    phrase.format = meant.number < HOUNDS_SUBJECT_SLOT ? N_("every {1}")
                    : phrase.args[1].type == ARG_CARD  ? N_("just {1}")
                                                       : N_("card {1}");
    return phrase;
}

struct phrase hounds_move_label(const struct game_view *view, uint8_t move)
{
    struct meaning meant = find_move_meaning(move);
    switch ((enum hounds_phase)meant.phase) {
    case HOUNDS_BAD:
        return (struct phrase){.format = "{0}", .args = {arg_of_suit(meant.number)}};
    case HOUNDS_CLUE:
        return clue_label(view, meant.to, meant.number);
    case HOUNDS_CERBERUS:
        return (struct phrase){.format = "{0}", .args = {arg_of_seat(meant.number)}};
    case HOUNDS_TRADE:
        if (move == HOUNDS_MOVE_PASS) {
            return phrase_without_args(N_("pass"));
        }
        return slot_label(view, meant.number);
    case HOUNDS_BID:
        return (struct phrase){.format = "{0}", .args = {arg_of_number(meant.number)}};
    case HOUNDS_DISCARD:
    case HOUNDS_PLAY:
        return slot_label(view, meant.number);
    }
    return phrase_absent();
}

static struct phrase explain_clue_refusal(const struct game_view *view, uint8_t to,
                                          uint8_t clue_subject)
{
    uint8_t cards = 0;
    struct hounds_known known;
    if (!hounds_read_view(view, &known) || to >= view->seats || to == known.leader) {
        return phrase_without_args(N_("clues go to the other players"));
    }
    if (known.clues_left[to] == 0) {
        return (struct phrase){.format = N_("{0} has had three clues"), .args = {arg_of_seat(to)}};
    }
    for (uint8_t i = 0; i < view->slot_count[to]; i++) {
        uint8_t card = view->hands[to][i].card;
        cards = (uint8_t)(cards + (hounds_clue_subject_for_suit(card) == clue_subject ||
                                   hounds_clue_subject_for_value(card) == clue_subject));
    }
    if (clue_subject < HOUNDS_SUBJECT_SLOT && cards < 2) {
        bool is_suit = clue_subject < HOUNDS_SUBJECT_VALUE;
        return (struct phrase){
            .format = N_("at least two cards must be {1}: {0} holds {2}"),
            .args = {arg_of_seat(to),
                     is_suit ? arg_of_suit(clue_subject)
                             : arg_of_number(clue_subject - HOUNDS_SUBJECT_VALUE + 1),
                     arg_of_number(cards)},
        };
    }
    return (struct phrase){.format = N_("that clue tells {0} nothing new"),
                           .args = {arg_of_seat(to)}};
}

/* The card that wins the trick so far; CARD_NONE when the trick is empty. */
static uint8_t winning_card(const struct game_view *view)
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

static struct phrase clue_prompt(const struct game_view *view)
{
    struct hounds_known known;
    int left = hounds_read_view(view, &known)
                   ? HOUNDS_CLUES_EACH * (view->seats - 1) - known.clue_count
                   : 0;
    int all = HOUNDS_CLUES_EACH * (view->seats - 1);
    return (struct phrase){
        .format = N_("Give clue {0} of {1}"),
        .args = {arg_of_number(all - left + 1), arg_of_number(all)},
    };
}

struct phrase hounds_prompt(const struct game_view *view)
{
    if (!view_viewer_may_move(view) || view->phase > HOUNDS_PLAY) {
        return phrase_absent();
    }
    switch ((enum hounds_phase)view->phase) {
    case HOUNDS_BAD:
        return phrase_without_args(N_("Name the bad dog: worth 1 badness to its taker"));
    case HOUNDS_CLUE:
        return clue_prompt(view);
    case HOUNDS_CERBERUS:
        return phrase_without_args(N_("Give Cerberus to a player: it beats every hound"));
    case HOUNDS_DISCARD:
        return phrase_without_args(N_("Cerberus is yours: choose a card to drop for it"));
    case HOUNDS_TRADE:
        return phrase_without_args(N_("Trade a card for an unseen one of the dead hand?"));
    case HOUNDS_BID:
        return phrase_without_args(N_("Bid 0–5"));
    case HOUNDS_PLAY:
        break;
    }
    uint8_t best = winning_card(view);
    if (best == CARD_NONE) {
        return phrase_without_args(N_("Lead any card"));
    }
    if (best == HOUNDS_CERBERUS_CARD) {
        return phrase_without_args(N_("Play any card: Cerberus cannot be beaten"));
    }
    return (struct phrase){
        .format = N_("Play any card: {0} wins so far"),
        .args = {arg_of_card(best)},
    };
}

struct phrase hounds_explain_refusal(const struct game_view *view, uint8_t move)
{
    struct meaning meant = find_move_meaning(move);
    if (move_set_has(&view->legal, move)) {
        return phrase_absent();
    }
    if (!view_viewer_may_move(view)) {
        return face_explain_wrong_turn(view);
    }
    if (meant.phase != view->phase) {
        struct phrase prompt = hounds_prompt(view);
        return prompt.format != NULL ? prompt : phrase_without_args(N_("not now"));
    }
    switch ((enum hounds_phase)meant.phase) {
    case HOUNDS_CLUE:
        return explain_clue_refusal(view, meant.to, meant.number);
    case HOUNDS_TRADE:
        return phrase_without_args(N_("Cerberus cannot be traded"));
    case HOUNDS_PLAY:
        return phrase_without_args(N_("that card is played already"));
    case HOUNDS_CERBERUS:
        return phrase_without_args(N_("there is no such player"));
    case HOUNDS_BAD:
    case HOUNDS_DISCARD:
    case HOUNDS_BID:
        break;
    }
    return phrase_without_args(N_("not now"));
}

/* A move that gives a clue points at cards; a move that gives Cerberus points at a player. */
bool hounds_find_cards_pointed_at(const struct game_view *view, uint8_t move, struct face_aim *out)
{
    struct meaning meant = find_move_meaning(move);
    *out = (struct face_aim){.seat = meant.phase == HOUNDS_CLUE ? meant.to : meant.number};
    for (uint8_t i = 0; meant.phase == HOUNDS_CLUE && i < HOUNDS_SLOTS; i++) {
        uint8_t card = view->hands[out->seat][i].card;
        bool is_meant = meant.number == HOUNDS_SUBJECT_SLOT + i ||
                        hounds_clue_subject_for_suit(card) == meant.number ||
                        hounds_clue_subject_for_value(card) == meant.number;
        out->slots = (uint16_t)(out->slots | is_meant << i);
    }
    return meant.phase == HOUNDS_CLUE || meant.phase == HOUNDS_CERBERUS;
}
