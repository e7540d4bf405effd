#include "games/heckin_hounds/heckin_hounds.h"

#include "games/face.h"

static uint8_t fill_headline(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX])
{
    struct hounds_known known;
    uint8_t count = 0;
    if (hounds_read_view(view, &known) && known.bad_dog != SUIT_NONE) {
        out[count++] = (struct phrase){
            .format = N_("bad dog {0}"),
            .args = {arg_of_suit(known.bad_dog)},
        };
    }
    int bids = 0;
    int bidders = 0;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        bids += view->bids[seat] == BID_NONE ? 0 : view->bids[seat];
        bidders += view->bids[seat] != BID_NONE;
    }
    if (bidders > 0) {
        out[count++] = (struct phrase){
            .format = bidders < view->seats ? N_("tricks bid so far: {0}")
                                            : N_("bids {0} for {1} tricks"),
            .args = {arg_of_number(bids), arg_of_number(HOUNDS_SLOTS)},
        };
    }
    return count;
}

/* The order of strength, which fills a row, the number of cards in the dead hand while players
 * trade with it, and the dropped card if the viewer saw it. */
static uint8_t fill_board_facts(const struct game_view *view, struct face_fact out[FACE_BOARD_MAX])
{
    struct hounds_known known;
    uint8_t count = 0;
    if (!hounds_read_view(view, &known)) {
        return 0;
    }
    out[count++] = (struct face_fact){
        .label = N_("strength"),
        .value = phrase_without_args(
            N_("CER > Deathpaw > Paulgrave > Sudachi > Tom Dire > Evil Molly > Mops")),
    };
    if (view->phase == HOUNDS_TRADE) {
        out[count++] = (struct face_fact){
            .label = N_("dead hand:"),
            .value = {.format = N_("{0} cards, {1} Mops at first"),
                      .args = {arg_of_number(view->seats + HOUNDS_DEAD_MAX - SEATS_MAX),
                               arg_of_number(view->seats + 1)}},
        };
    }
    if (known.discarded != CARD_NONE) {
        out[count++] = (struct face_fact){
            .label = N_("dropped for Cerberus:"),
            .value = {.format = "{0}", .args = {arg_of_card(known.discarded)}},
        };
    }
    return count;
}

static const char *words_for_turn(const struct game_view *view, UNUSED uint8_t seat)
{
    static const char *const words[] = {
        [HOUNDS_BAD] = N_("to name the bad dog"),   [HOUNDS_CLUE] = N_("to give a clue"),
        [HOUNDS_CERBERUS] = N_("to give Cerberus"), [HOUNDS_DISCARD] = N_("to drop a card"),
        [HOUNDS_TRADE] = N_("to trade or pass"),    [HOUNDS_BID] = N_("to bid"),
    };
    return view->phase < HOUNDS_PLAY ? words[view->phase] : face_lead_or_play_words(view);
}

static uint8_t fill_badges(const struct game_view *view, uint8_t seat,
                           struct phrase out[FACE_BADGES_MAX])
{
    struct hounds_known known;
    uint8_t count = 0;
    if (!hounds_read_view(view, &known) || seat >= view->seats) {
        return 0;
    }
    if (seat == known.leader) {
        out[count++] = phrase_without_args(N_("shift leader"));
    }
    if (view->phase == HOUNDS_CLUE && seat != known.leader) {
        out[count++] = (struct phrase){
            .format = N_("clues {0} of {1}"),
            .args = {arg_of_number(HOUNDS_CLUES_EACH - known.clues_left[seat]),
                     arg_of_number(HOUNDS_CLUES_EACH)},
        };
    }
    if (known.trades[seat] == HOUNDS_TRADE_PASS && view->phase == HOUNDS_TRADE) {
        out[count++] = phrase_without_args(N_("kept all"));
    }
    return count;
}

static struct phrase write_badness(const struct game_view *view, uint8_t seat)
{
    struct hounds_known known;
    if (!hounds_read_view(view, &known) || seat >= view->seats) {
        return phrase_absent();
    }
    return (struct phrase){
        .format = N_("badness {0}"),
        .args = {arg_of_number(known.badness[seat])},
    };
}

static struct phrase explain_signs(const struct game_view *view)
{
    bool is_told = false;
    bool is_traded = false;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
            const struct view_slot *slot = &view->hands[seat][i];
            is_told |= slot->card != CARD_NONE && view->seat != (int)seat && !slot->is_empty &&
                       (slot->suit != SUIT_NONE || slot->value != 0);
            is_traded |= slot->is_traded;
        }
    }
    return !is_told && !is_traded ? phrase_absent()
           : !is_traded           ? phrase_without_args(N_("told: # number, @ hound, * both"))
           : !is_told             ? phrase_without_args(N_("↔ traded"))
                      : phrase_without_args(N_("told: # number, @ hound, * both, ↔ traded"));
}

static uint8_t move_for_slot(const struct game_view *view, uint8_t slot)
{
    if (view->seat < 0 || slot >= view->slot_count[view->seat] ||
        view->hands[view->seat][slot].is_empty) {
        return MOVE_NONE;
    }
    switch (view->phase) {
    case HOUNDS_DISCARD:
        return HOUNDS_MOVE_DISCARD + slot;
    case HOUNDS_TRADE:
        return HOUNDS_MOVE_TRADE + slot;
    case HOUNDS_PLAY:
        return HOUNDS_MOVE_PLAY + slot;
    default:
        return MOVE_NONE;
    }
}

static struct phrase explain_points(const struct score_row *row, uint8_t seat)
{
    int off = row->points[seat];
    struct phrase phrase = {
        .format = off == 0 ? N_("bid {0}, took {1}: exact, 0; badness so far {3}")
                           : N_("bid {0}, took {1}: {2}; badness so far {3}"),
        .args = {arg_of_number(row->bids[seat]), arg_of_number(row->tricks[seat]),
                 arg_of_points(off), arg_of_number(row->part_count > 0 ? row->parts[0][seat] : 0)},
    };
    return phrase;
}

static struct phrase explain_trick_winner(UNUSED const struct game_view *view,
                                          const struct view_trick *trick)
{
    uint8_t won = CARD_NONE;
    uint8_t alike = 0;
    for (uint8_t i = 0; i < trick->count; i++) {
        if (trick->plays[i].seat == trick->winner) {
            won = trick->plays[i].card;
        }
    }
    if (won == HOUNDS_CERBERUS_CARD) {
        return phrase_without_args(N_("Cerberus beats all"));
    }
    uint8_t suit = card_suit(&hounds_deck, won);
    for (uint8_t i = 0; i < trick->count; i++) {
        alike = (uint8_t)(alike + (card_suit(&hounds_deck, trick->plays[i].card) == suit));
    }
    return (struct phrase){
        .format = alike > 1 ? N_("highest {0}") : N_("strongest hound, {0}"),
        .args = {arg_of_suit(suit)},
    };
}

static const char *words_for_pointing_at_card(const struct game_view *view)
{
    return view->phase == HOUNDS_DISCARD ? N_("drop")
           : view->phase == HOUNDS_TRADE ? N_("trade")
                                         : N_("play");
}

const struct game_face hounds_face = {
    .lesson = &hounds_lesson,
    .pitch = N_("Everybody sees your cards but you: promise tricks anyway."),
    .brief = hounds_brief,
    .signs = hounds_signs,
    .rules = hounds_rules,
    .headline = fill_headline,
    .badges = fill_badges,
    .prompt = hounds_prompt,
    .label = hounds_move_label,
    .refusal = hounds_explain_refusal,
    .point = move_for_slot,
    .explain = explain_points,
    .why_won = explain_trick_winner,
    .explain_result = hounds_explain_result,
    .story = &hounds_story,
    .board = fill_board_facts,
    .aim = hounds_find_cards_pointed_at,
    .turn = words_for_turn,
    .pointing = words_for_pointing_at_card,
    .beside_score = write_badness,
    .running_count = "badness",
    .expected_points = N_("Few points are good, as long as the total does not fall below 0."),
    .is_won_by_few_points = true,
    .card_signs = explain_signs,
    .aim_label = hounds_clue_label_without_player,
    .phases_before_bids = 1U << HOUNDS_BAD | 1U << HOUNDS_CLUE | 1U << HOUNDS_CERBERUS |
                          1U << HOUNDS_DISCARD | 1U << HOUNDS_TRADE,
    .spells_suits = true,
    .keeps_slots = true,
};
