#include "games/game.h"
#include "tests/unit.h"

#include <string.h>

static const struct suit_def suits[] = {{.id = "sudachi"}, {.id = "mops"}};
static const struct special_def specials[] = {{.id = "cerberus"}};
static const struct deck_def deck = {
    .suits = suits,
    .suit_count = 2,
    .value_first = 1,
    .value_count = 3,
    .specials = specials,
    .special_count = 1,
};

/* A game with slots, clues and trades, which exists only to test views. */
static const struct phase_def phases[] = {{.name = "clue"}, {.name = "play"}};
static const struct move_def moves[] = {{"play", MOVE_SLOT, 1, .first = 0, .count = 3}, {0}};
static const struct game_def slot_game = {
    .id = "slots",
    .deck = &deck,
    .phases = phases,
    .phase_count = 2,
    .moves = moves,
};

static void assert_view_contains(const struct game_view *view, const char *part)
{
    static char buffer[VIEW_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    view_write(view, &text);
    if (strstr(buffer, part) == NULL) {
        fail_msg("%s has no %s", buffer, part);
    }
}

static struct game_view make_view_with_two_seats(void)
{
    struct game_view view;
    view_clear(&view);
    view.game = &slot_game;
    view.seats = 2;
    view.seat = 1;
    view.phase = 1;
    return view;
}

static void clues_and_trades_are_written_beside_cards(void **unused)
{
    (void)unused;
    struct game_view view = make_view_with_two_seats();
    view.slot_count[0] = 4;
    view.hands[0][0].is_empty = true;
    view.hands[0][1].is_traded = true;
    view.hands[0][3].card = card_parse(&deck, "cerberus");
    view.slot_count[1] = 3;
    view.hands[1][0].suit = 0;
    view.hands[1][1].card = card_parse(&deck, "mops-2");
    view.hands[1][1].suit = 1;
    view.hands[1][1].value = 2;
    view.hands[1][2].value = 3;
    view.hands[1][2].is_traded = true;
    assert_view_contains(&view, "\"hands\":[[null,{\"traded\":true},{},{\"card\":\"cerberus\"}],"
                                "[{\"suit\":\"sudachi\"},"
                                "{\"card\":\"mops-2\",\"suit\":\"mops\",\"value\":2},"
                                "{\"value\":3,\"traded\":true}]]");
}

static void unknown_and_absent_values_are_null_or_empty_in_the_json(void **unused)
{
    (void)unused;
    struct game_view view = make_view_with_two_seats();
    assert_view_contains(&view, "\"seat\":1,");
    assert_view_contains(&view, "\"rounds\":null,");
    assert_view_contains(&view, "\"to_act\":[],");
    assert_view_contains(&view,
                         "\"hands\":[[],[]],\"trick\":[],\"past\":[],\"last_trick\":null,"
                         "\"bids\":[],\"tricks\":[0,0],\"scores\":[0,0],\"legal\":[],\"info\":{}}");
    view.seat = SPECTATOR;
    view.phase = PHASE_OVER;
    view.has_bids = true;
    view.bids[1] = 0;
    assert_view_contains(&view, "\"seat\":null,");
    assert_view_contains(&view, "\"phase\":\"over\",");
    assert_view_contains(&view, "\"bids\":[null,0],");
}

static void several_seats_may_move_at_the_same_time(void **unused)
{
    (void)unused;
    struct game_view view = make_view_with_two_seats();
    view.to_act = 3;
    move_set_add(&view.legal, 0);
    move_set_add(&view.legal, 2);
    assert_true(view_viewer_may_move(&view));
    assert_view_contains(&view, "\"to_act\":[0,1],");
    assert_view_contains(&view, "\"legal\":[\"play:0\",\"play:2\"]");
    view.seat = SPECTATOR;
    assert_false(view_viewer_may_move(&view));
}

TEST_GROUP(view)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clues_and_trades_are_written_beside_cards),
        cmocka_unit_test(unknown_and_absent_values_are_null_or_empty_in_the_json),
        cmocka_unit_test(several_seats_may_move_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
