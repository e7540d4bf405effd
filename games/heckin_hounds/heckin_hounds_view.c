#include "games/heckin_hounds/heckin_hounds.h"

#include "games/game.h"

/* The most fields that `info` can have: `leader` and `bad_dog`, `badness`, `trades` and `given`
 * with an entry for each seat, `clues` with three members and a list of slots for each clue, and
 * `discard`. A clue about a single slot has a fourth member, but only one slot. */
#define INFO_FIELDS_MAX                                                                            \
    (2 + 3 * (1 + SEATS_MAX) + 1 + HOUNDS_CLUES_MAX * (1 + 3 + HOUNDS_SLOTS) + (1 + 3))

_Static_assert(INFO_FIELDS_MAX <= FIELDS_MAX, "info fits into a view");

/* Everybody sees a card's clues. When clues told both suit and value, everybody knows the card. */
static void fill_clue_marks(const struct hounds *state, uint8_t seat, struct view_slot *hand)
{
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint8_t card = state->table.slots[seat][i];
        bool is_suit_told = (state->told_suit[seat] >> i & 1) != 0;
        bool is_value_told = (state->told_value[seat] >> i & 1) != 0;
        if (hand[i].is_empty) {
            continue;
        }
        hand[i].is_traded = (state->traded[seat] >> i & 1) != 0;
        hand[i].suit = is_suit_told ? card_suit(&hounds_deck, card) : SUIT_NONE;
        hand[i].value = is_value_told ? card_value(&hounds_deck, card) : 0;
        hand[i].card = is_suit_told && is_value_told ? card : hand[i].card;
    }
}

/* Whether the viewer saw the card that was dealt to a slot, before another card took the slot. */
static bool viewer_saw_dealt_card(const struct hounds *state, int8_t viewer, uint8_t seat)
{
    uint8_t sight = hounds_seats_that_see_hand(state->table.seats, state->leader, seat);
    return viewer != SPECTATOR && (sight >> viewer & 1) != 0;
}

static void write_clues(const struct hounds *state, struct fields *info)
{
    uint16_t clues = fields_open_list(info, "clues");
    for (uint8_t i = 0; i < state->clue_count; i++) {
        const struct hounds_clue *clue = &state->clues[i];
        char name[FIELD_TEXT_MAX];
        struct text text = text_init(name, sizeof(name));
        hounds_write_clue_subject(clue->clue_subject, &text);
        uint16_t object = fields_open_object(info, NULL);
        fields_add_number(info, "to", clue->to);
        fields_add_text(info, "clue", name);
        hounds_add_slot_list(info, clue->slots);
        if (clue->card != CARD_NONE) {
            event_add_card(info, "card", &hounds_deck, clue->card);
        }
        fields_close(info, object);
    }
    fields_close(info, clues);
}

static void write_trades(const struct hounds *state, struct fields *info)
{
    uint16_t trades = fields_open_list(info, "trades");
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        if (state->trades[seat] == HOUNDS_TRADE_OPEN) {
            fields_add_null(info, NULL);
        } else if (state->trades[seat] == HOUNDS_TRADE_PASS) {
            fields_add_text(info, NULL, "pass");
        } else {
            fields_add_number(info, NULL, state->trades[seat]);
        }
    }
    fields_close(info, trades);
}

/* The cards given in trades are told to viewers who knew them while they lay in the hand. */
static void write_given_cards(const struct hounds *state, int8_t viewer, struct fields *info)
{
    uint16_t given = fields_open_list(info, "given");
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        bool is_known = viewer_saw_dealt_card(state, viewer, seat) ||
                        hounds_clues_tell_dealt_card(state, seat, state->trades[seat]);
        if (is_known && state->given[seat] != CARD_NONE) {
            event_add_card(info, NULL, &hounds_deck, state->given[seat]);
        } else {
            fields_add_null(info, NULL);
        }
    }
    fields_close(info, given);
}

/* The discarded card is shown to the seats that could see it in the hand. It is also
 * shown to all viewers if clues had told both its hound and its value. */
static void write_discard(const struct hounds *state, int8_t viewer, struct fields *info)
{
    if (state->cerberus_seat == HOUNDS_SEAT_NONE) {
        fields_add_null(info, "discard");
        return;
    }
    uint16_t discard = fields_open_object(info, "discard");
    fields_add_number(info, "seat", state->cerberus_seat);
    fields_add_number(info, "slot", state->cerberus_slot);
    if (viewer_saw_dealt_card(state, viewer, state->cerberus_seat) ||
        hounds_clues_tell_dealt_card(state, state->cerberus_seat, state->cerberus_slot)) {
        event_add_card(info, "card", &hounds_deck, state->discarded);
    }
    fields_close(info, discard);
}

void hounds_fill_view(const void *state_bytes, int8_t seat, struct game_view *view)
{
    const struct hounds *state = state_bytes;
    struct fields *info = &view->info;
    table_fill_view(&state->table, view);
    view->has_bids = true;
    for (uint8_t i = 0; i < view->seats; i++) {
        fill_clue_marks(state, i, view->hands[i]);
    }
    fields_add_number(info, "leader", state->leader);
    if (state->bad_dog == SUIT_NONE) {
        fields_add_null(info, "bad_dog");
    } else {
        fields_add_text(info, "bad_dog", hounds_deck.suits[state->bad_dog].id);
    }
    hounds_add_badness_list(state, info);
    write_clues(state, info);
    write_trades(state, info);
    write_given_cards(state, seat, info);
    write_discard(state, seat, info);
}
