#include "games/oh_hell/oh_hell.h"
#include "tests/bench/opponents/greedy.h"
#include "tests/unit.h"

#define PLAYERS 4
#define OWN 0

static uint8_t read_card(const char *name)
{
    uint8_t card = card_parse(&standard_deck, name);
    assert_int_not_equal(card, CARD_NONE);
    return card;
}

/* Makes a view of seat OWN with these cards, separated by blanks. */
static void make_view(struct game_view *view, const char *cards, const char *turnup)
{
    view_clear(view);
    view->game = game_find(GREEDY_GAME);
    view->seat = OWN;
    view->seats = PLAYERS;
    ((struct oh_hell_known *)(void *)view->info)->turnup = read_card(turnup);
    for (const char *at = cards; *at != '\0'; at += at[2] == ' ' ? 3 : 2) {
        const char one[] = {at[0], at[1], '\0'};
        view->hands[OWN][view->slot_count[OWN]++].card = read_card(one);
    }
}

static int bid_for(const char *cards, const char *turnup, int forbidden)
{
    struct game_view view;
    make_view(&view, cards, turnup);
    view.phase = OH_HELL_BID;
    for (int bid = 0; bid <= view.slot_count[OWN]; bid++) {
        if (bid != forbidden) {
            move_set_add(&view.legal, (uint8_t)(OH_HELL_BID_FIRST + bid));
        }
    }
    return greedy_choose_move(&view) - OH_HELL_BID_FIRST;
}

static void greedy_bids_the_tricks_that_nobody_can_take_from_it(void **state)
{
    (void)state;
    assert_int_equal(bid_for("2S 3H 4D", "5C", BID_NONE), 0);
    assert_int_equal(bid_for("AS KH 4D", "5C", BID_NONE), 1);
    assert_int_equal(bid_for("AS AH KC", "5C", BID_NONE), 2);
    assert_int_equal(bid_for("AC KC JC AD", "5C", BID_NONE), 3);
    assert_int_equal(bid_for("AC KC JC AD", "QC", BID_NONE), 4);
    assert_int_equal(bid_for("KC QC", "AC", BID_NONE), 2);
    assert_int_equal(bid_for("AS AH KC", "5C", 2), 1);
    assert_int_equal(bid_for("2S 3H 4D", "5C", 0), 1);
}

/* Plays one of the legal cards on a trick of these cards, with clubs as trumps. */
static void expect_card(const char *legal, const char *trick, int missing, const char *expected)
{
    struct game_view view;
    make_view(&view, legal, "2C");
    view.phase = OH_HELL_PLAY;
    view.bids[OWN] = (int8_t)missing;
    for (uint8_t slot = 0; slot < view.slot_count[OWN]; slot++) {
        move_set_add(&view.legal, view.hands[OWN][slot].card);
    }
    for (const char *at = trick; *at != '\0'; at += at[2] == ' ' ? 3 : 2) {
        const char one[] = {at[0], at[1], '\0'};
        view.trick.plays[view.trick.count] =
            (struct view_play){.seat = (uint8_t)(view.trick.count + 1), .card = read_card(one)};
        view.trick.count++;
    }
    assert_int_equal(greedy_choose_move(&view), read_card(expected));
}

static void greedy_takes_tricks_until_it_has_its_bid_and_then_none(void **state)
{
    (void)state;
    expect_card("3S KS 4D", "", 1, "KS");
    expect_card("3S KS 4D 3C", "", 0, "3S");
    expect_card("3S JS KS", "TS", 1, "KS");
    expect_card("3S JS KS", "4S 5S TS", 1, "JS");
    expect_card("3S JS", "4S KS", 1, "3S");
    expect_card("3S JS KS", "QS", 0, "JS");
    expect_card("QS KS", "JS", 0, "QS");
    expect_card("3H 5C 9C", "JS 8C", 1, "9C");
    expect_card("AH 5C 9C", "JS 8C", 0, "5C");
}

TEST_GROUP(greedy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_bids_the_tricks_that_nobody_can_take_from_it),
        cmocka_unit_test(greedy_takes_tricks_until_it_has_its_bid_and_then_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
