#include "games/hund/hund.h"

#include "games/card.h"
#include "games/hidden.h"

#include <string.h>

static const struct suit_def hund_suits[] = {
    {.id = "grey", .title = N_("grey"), .letters = N_("Gr"), .tint = TINT_GREY},
    {.id = "purple", .title = N_("purple"), .letters = N_("Pu"), .tint = TINT_PURPLE},
    {.id = "pink", .title = N_("pink"), .letters = N_("Pi"), .tint = TINT_PINK},
    {.id = "green", .title = N_("green"), .letters = N_("Gn"), .tint = TINT_GREEN},
    {.id = "yellow", .title = N_("yellow"), .letters = N_("Ye"), .tint = TINT_YELLOW},
};

const struct deck_def hund_deck = {
    .suits = hund_suits,
    .suit_count = ARRAY_LEN(hund_suits),
    .value_first = 1,
    .value_count = HUND_VALUES,
};

void hund_board_clear(struct hund_board *board)
{
    memset(board->keys, CARD_NONE, sizeof(board->keys));
    memset(board->roles, SUIT_NONE, sizeof(board->roles));
    board->count = 0;
}

void hund_board_designate_value(struct hund_board *board, uint8_t value)
{
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        board->keys[suit] = card_of(&hund_deck, suit, value);
    }
}

uint8_t hund_board_give_roles(struct hund_board *board, uint8_t card)
{
    uint8_t suit = hund_suit(card);
    if (card != board->keys[suit] || board->count > HUND_MINUS) {
        return 0;
    }
    board->roles[board->count++] = suit;
    if (board->count < HUND_LEAD) {
        return 1;
    }
    unsigned rest = (1U << HUND_SUITS) - 1;
    for (uint8_t role = 0; role < board->count; role++) {
        rest &= ~(1U << board->roles[role]);
    }
    board->roles[board->count++] = bits_index_of_lowest(rest);
    return 2;
}

uint8_t hund_selected_card(const struct game_view *view, uint8_t index)
{
    const struct field *sets = fields_find(&view->info, "sets");
    const struct field *set = sets == NULL ? NULL : field_first_member(sets);
    while (set != NULL && index > 0) {
        set = field_next_member(sets, set);
        index--;
    }
    return set == NULL ? CARD_NONE : card_parse(&hund_deck, set->text);
}

void hund_board_read_view(const struct game_view *view, struct hund_board *board)
{
    hund_board_clear(board);
    int32_t number = fields_find_number(&view->info, "designator", 0);
    if (number >= 1 && number <= HUND_VALUES) {
        hund_board_designate_value(board, (uint8_t)number);
    }
    for (uint8_t i = 0; i < HUND_SUITS && hund_selected_card(view, i) != CARD_NONE; i++) {
        uint8_t set = hund_selected_card(view, i);
        board->keys[hund_suit(set)] = set;
    }
    struct view_play play;
    for (uint8_t i = 0; sample_read_play(view, i, &play); i++) {
        if (play.card < card_count(&hund_deck)) {
            hund_board_give_roles(board, play.card);
        }
    }
}
