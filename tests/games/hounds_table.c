#include "tests/games/hounds_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct game_state hounds_deal_table(void)
{
    return played_start_game(&heckin_hounds_game, 3, NULL, NULL);
}

void hounds_give_all_clues(struct game_state *state, const char *bad_dog)
{
    char name[MOVE_TEXT_MAX];
    struct text text = text_init(name, sizeof(name));
    text_put(&text, "bad:");
    text_put(&text, bad_dog);
    assert_int_equal(hounds_try_move(state, 1, name), GAME_OK);
    HOUNDS_MAKE(state, "1 clue:0:value:3", "1 clue:0:slot:0", "1 clue:0:slot:1", "1 clue:2:slot:2",
                "1 clue:2:slot:3", "1 clue:2:slot:4");
}

enum game_result hounds_try_move(struct game_state *state, uint8_t seat, const char *move)
{
    return played_try_move(&heckin_hounds_game, state, seat, move);
}

struct game_view hounds_make_view(const struct game_state *state, int8_t seat)
{
    struct game_view view;
    game_fill_view(&heckin_hounds_game, state, seat, &view);
    return view;
}

uint8_t hounds_find_card(const char *name)
{
    uint8_t card = card_parse(&hounds_deck, name);
    assert_int_not_equal(card, CARD_NONE);
    return card;
}

void hounds_put_card(struct game_state *state, uint8_t seat, uint8_t slot, const char *name)
{
    struct hounds hounds;
    memcpy(&hounds, state->bytes, sizeof(hounds));
    uint8_t cards[HOUNDS_SLOTS];
    memcpy(cards, hounds.table.slots[seat], sizeof(cards));
    cards[slot] = hounds_find_card(name);
    uint8_t sight[HOUNDS_SLOTS];
    memcpy(sight, hounds.table.sight[seat], sizeof(sight));
    table_give_hand(&hounds.table, seat, cards, HOUNDS_SLOTS);
    memcpy(hounds.table.sight[seat], sight, sizeof(sight));
    memcpy(state->bytes, &hounds, sizeof(hounds));
}
