#include "games/game.h"
#include "tests/unit.h"

#include <string.h>

static const uint8_t seed[SEED_BYTES] = {1};

/* Returns a table of three seats that has been dealt two cards each, from a deck of 75 cards. The
 * seventh card of `cards` remains undealt. */
static struct table_state make_dealt_table(uint8_t cards[7])
{
    struct table_state table;
    memset(&table, 0, sizeof(table));
    const struct game_config config = {.players = 3};
    table_init(&table, 3, &config, seed);
    for (uint8_t i = 0; i < 7; i++) {
        cards[i] = (uint8_t)(60 + i); /* card numbers below and above 64, because a card set stores
                                         64 cards in a word */
    }
    table_deal(&table, cards, 7, 2);
    return table;
}

static void each_seat_is_dealt_a_block_of_consecutive_cards(void **unused)
{
    (void)unused;
    uint8_t cards[7];
    struct table_state table = make_dealt_table(cards);
    assert_int_equal(table.round, 1);
    for (uint8_t seat = 0; seat < 3; seat++) {
        for (uint8_t i = 0; i < 2; i++) {
            assert_int_equal(table.slots[seat][i], cards[2 * seat + i]);
            for (uint8_t other = 0; other < 3; other++) {
                assert_int_equal(table_seat_holds(&table, other, cards[2 * seat + i]),
                                 other == seat);
            }
        }
    }
    assert_false(table_seat_holds(&table, 0, cards[6]));
    assert_false(table_seat_holds(&table, 0, CARD_NONE));
}

static void the_best_card_takes_the_trick_and_its_seat_leads_next(void **unused)
{
    (void)unused;
    uint8_t cards[7];
    struct table_state table = make_dealt_table(cards);
    table_set_lead(&table, 1);
    assert_int_equal(table_check_turn(&table, 1), GAME_OK);
    assert_int_equal(table_check_turn(&table, 2), GAME_NOT_YOUR_TURN);
    assert_int_equal(table_check_turn(&table, 200), GAME_NOT_YOUR_TURN);
    assert_false(table_play_card(&table, 1, cards[2], true));
    assert_int_equal(table.led_card, cards[2]);
    assert_int_equal(table.to_act, SIGHT_OF(2));
    assert_false(table_play_card(&table, 2, cards[4], true));
    assert_true(table_play_card(&table, 0, cards[0], false));
    assert_int_equal(table.best_seat, 2);
    assert_int_equal(table.tricks[2], 1);
    assert_int_equal(table.to_act, SIGHT_OF(2));
    assert_int_equal(table.led_card, CARD_NONE);
    assert_false(table_seat_holds(&table, 1, cards[2]));
    table_end_game(&table, table_fill_outcome, NULL);
    assert_int_equal(table_check_turn(&table, 2), GAME_OVER);
}

/* The table sets its own order of seats for a round, and tricks follow that order. */
static void tricks_follow_the_order_of_seats_that_the_table_sets(void **unused)
{
    (void)unused;
    uint8_t cards[7];
    struct table_state table = make_dealt_table(cards);
    table.next[2] = 1;
    table.next[1] = 0;
    table.next[0] = 2;
    table_set_lead(&table, 2);
    assert_false(table_play_card(&table, 2, cards[4], true));
    assert_false(table_play_card(&table, 1, cards[2], false));
    assert_true(table_play_card(&table, 0, cards[0], false));
    struct game_view view;
    view_clear(&view);
    view.game = game_find("suppose");
    table_fill_view(&table, &view);
    assert_int_equal(view.past_count, 1);
    assert_int_equal(view.past[0].plays[0].seat, 2);
    assert_int_equal(view.past[0].plays[1].seat, 1);
    assert_int_equal(view.past[0].plays[2].seat, 0);
    assert_int_equal(view.past[0].plays[1].card, cards[2]);
    assert_int_equal(view.past[0].winner, 2);
}

static uint8_t get_slot_of_lead_in_view(const struct table_state *table, const char *game)
{
    struct game_view view;
    view_clear(&view);
    view.game = game_find(game);
    table_fill_view(table, &view);
    return view.trick.plays[0].slot;
}

static void only_views_of_games_that_tell_slots_have_the_slot_of_a_played_card(void **unused)
{
    (void)unused;
    uint8_t cards[7];
    struct table_state table = make_dealt_table(cards);
    table_set_lead(&table, 1);
    assert_false(table_play_card(&table, 1, cards[3], true));
    assert_int_equal(get_slot_of_lead_in_view(&table, "suppose"), 1);
    assert_int_equal(get_slot_of_lead_in_view(&table, "heckin-hounds"), 1);
    assert_int_equal(get_slot_of_lead_in_view(&table, "hund"), SLOT_NONE);
}

static void a_card_is_visible_exactly_to_the_seats_in_its_bit_mask(void **unused)
{
    (void)unused;
    uint8_t cards[7];
    struct table_state table = make_dealt_table(cards);
    table.sight[0][1] = SIGHT_OF(2);
    table.sight[1][0] = SIGHT_OF(0) | SIGHT_OF(1) | SIGHT_OF(2) | SIGHT_SPECTATOR;
    static const bool expected[4][3][2] = {
        {{true, false}, {true, false}, {false, false}},
        {{false, false}, {true, true}, {false, false}},
        {{false, true}, {true, false}, {true, true}},
        {{false, false},
         {true, false},
         {false, false}}, /* the spectator has a bit of its own in a card's `sight` */
    };
    for (uint8_t viewer = 0; viewer < 4; viewer++) {
        struct game_view view;
        view_clear(&view);
        view.seat = viewer == 3 ? SPECTATOR : (int8_t)viewer;
        table_fill_view(&table, &view);
        for (uint8_t seat = 0; seat < 3; seat++) {
            for (uint8_t i = 0; i < 2; i++) {
                assert_int_equal(view.hands[seat][i].card,
                                 expected[viewer][seat][i] ? cards[2 * seat + i] : CARD_NONE);
                assert_false(view.hands[seat][i].is_empty);
            }
        }
    }
}

static void equal_sort_keys_share_a_rank_and_the_next_ranks_are_skipped(void **unused)
{
    (void)unused;
    static const int32_t keys[] = {10, -5, 30, 10, 10, -5};
    static const uint8_t expected[] = {2, 5, 1, 2, 2, 5};
    uint8_t ranks[6];
    table_compute_ranks(keys, 6, ranks);
    assert_memory_equal(ranks, expected, sizeof(expected));
}

TEST_GROUP(table)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_seat_is_dealt_a_block_of_consecutive_cards),
        cmocka_unit_test(the_best_card_takes_the_trick_and_its_seat_leads_next),
        cmocka_unit_test(tricks_follow_the_order_of_seats_that_the_table_sets),
        cmocka_unit_test(only_views_of_games_that_tell_slots_have_the_slot_of_a_played_card),
        cmocka_unit_test(a_card_is_visible_exactly_to_the_seats_in_its_bit_mask),
        cmocka_unit_test(equal_sort_keys_share_a_rank_and_the_next_ranks_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
