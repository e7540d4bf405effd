#include "tests/games/hund_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct game_config hund_table_make_config(uint8_t players, bool has_more_cards, bool has_select)
{
    struct game_config config = game_config_default(&hund_game, players);
    assert_true(
        game_config_set(&hund_game, &config, "more-cards", has_more_cards ? "true" : "false"));
    assert_true(game_config_set(&hund_game, &config, "select", has_select ? "true" : "false"));
    return config;
}

uint8_t hund_table_find_card(const char *name)
{
    uint8_t card = card_parse(&hund_deck, name);
    assert_int_not_equal(card, CARD_NONE);
    return card;
}

struct game_state hund_table_start_round(const struct hund_setup *setup)
{
    struct game_config config =
        hund_table_make_config(setup->players, setup->has_more_cards, setup->has_select);
    struct game_state bytes;
    assert_int_equal(game_start(&hund_game, &config, counting_seed, &bytes, NULL), GAME_OK);
    struct hund state = hund_table_get_state(&bytes);
    uint8_t slots = 0;
    for (uint8_t seat = 0; seat < state.table.seats; seat++) {
        uint8_t cards[SLOTS_MAX];
        slots = played_read_cards(&hund_deck, setup->hands[seat], cards);
        table_give_hand(&state.table, seat, cards, slots);
    }
    table_begin_round(&state.table, setup->round == 0 ? 1 : setup->round, slots);
    state.pile[state.table.round - 1] = setup->number;
    hund_set_up_round(&state, setup->dealer);
    hund_virtual_lay_out_hand(&state);
    hund_start_round(&state, setup->first, NULL);
    hund_table_set_state(&state, &bytes);
    return bytes;
}

enum game_result hund_table_try_move(struct game_state *state, uint8_t seat, const char *move)
{
    return played_try_move(&hund_game, state, seat, move);
}

struct hund hund_table_get_state(const struct game_state *state)
{
    struct hund open;
    memcpy(&open, state->bytes, sizeof(open));
    return open;
}

void hund_table_set_state(const struct hund *hund_state, struct game_state *state)
{
    memcpy(state->bytes, hund_state, sizeof(*hund_state));
}
