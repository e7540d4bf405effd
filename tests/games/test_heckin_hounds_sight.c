#include "tests/games/hounds_table.h"
#include "tests/unit.h"

#include <string.h>

/* Fails unless the viewer sees every card of the hand or, when `sees` is false, no card of it. */
static void assert_sees_hand(const struct game_state *state, int8_t viewer, uint8_t seat, bool sees)
{
    struct game_view view = hounds_make_view(state, viewer);
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        assert_int_equal(view.hands[seat][i].card != CARD_NONE, sees);
    }
}

static const char *write_slot(const struct game_state *state, int8_t viewer, uint8_t seat,
                              uint8_t slot, char buffer[64])
{
    struct game_view view = hounds_make_view(state, viewer);
    const struct view_slot *shown = &view.hands[seat][slot];
    struct text text = text_init(buffer, 64);
    card_write_name(&hounds_deck, shown->card, &text);
    text_put(&text, shown->suit != SUIT_NONE ? " suit" : "");
    text_put(&text, shown->value != 0 ? " value" : "");
    text_put(&text, shown->is_traded ? " traded" : "");
    return buffer;
}

static void assert_viewer_sees_slot(const struct game_state *state, int8_t viewer, uint8_t seat,
                                    uint8_t slot, const char *expected)
{
    char buffer[64];
    assert_string_equal(write_slot(state, viewer, seat, slot, buffer), expected);
}

static void the_leader_sees_all_hands_and_others_all_but_their_own_and_the_leaders(void **unused)
{
    (void)unused;
    for (uint8_t players = 3; players <= 7; players++) {
        struct game_state state = played_start_game(&heckin_hounds_game, players, NULL, NULL);
        struct game_view view = hounds_make_view(&state, SPECTATOR);
        uint8_t leader = hounds_known(&view)->leader;
        for (int8_t viewer = SPECTATOR; viewer < players; viewer++) {
            for (uint8_t seat = 0; seat < players; seat++) {
                bool is_other = seat != leader && (int8_t)seat != viewer;
                bool sees = viewer == (int8_t)leader || (viewer != SPECTATOR && is_other);
                assert_sees_hand(&state, viewer, seat, sees);
            }
        }
    }
}

static void with_two_players_the_one_who_is_not_leader_sees_no_hand(void **unused)
{
    (void)unused;
    struct game_state state = played_start_game(&heckin_hounds_game, 2, NULL, NULL);
    for (uint8_t seat = 0; seat < 2; seat++) {
        assert_sees_hand(&state, 1, seat, true); /* seat 1 is the leader */
        assert_sees_hand(&state, 0, seat, false);
        assert_sees_hand(&state, SPECTATOR, seat, false);
    }
}

static void
clues_mark_cards_for_everybody_and_telling_hound_and_value_reveals_the_card(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    assert_viewer_sees_slot(&state, 0, 0, 0, "tom-dire-3 suit value");
    assert_viewer_sees_slot(&state, SPECTATOR, 0, 0, "tom-dire-3 suit value");
    assert_viewer_sees_slot(&state, 0, 0, 2, " value");
    assert_viewer_sees_slot(&state, SPECTATOR, 0, 2, " value");
    assert_viewer_sees_slot(&state, 2, 0, 2, "evil-molly-3 value");
    assert_viewer_sees_slot(&state, 0, 0, 3, "");
}

/* Checks that the view's `info` contains this text. */
static void assert_info_has(const struct game_state *state, int8_t viewer, const char *key,
                            const char *expected)
{
    struct text info = TEXT_OF(4096);
    struct text wanted = TEXT_OF(160);
    struct game_view view = hounds_make_view(state, viewer);
    text_put(&wanted, key);
    text_put(&wanted, expected);
    json_open(&info, NULL, '{');
    view_write_info(&view, false, &info);
    json_close(&info, '}');
    const char *found = strstr(info.at, wanted.at);
    assert_non_null(found);
    assert_non_null(strchr(",}", found[wanted.len]));
}

static void assert_viewer_sees_discard(const struct game_state *state, int8_t viewer,
                                       const char *expected)
{
    assert_info_has(state, viewer, "\"discard\":", expected);
}

static void
the_discarded_card_is_shown_to_players_who_knew_it_and_cerberus_to_everybody(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    assert_viewer_sees_discard(&state, 1, "null");
    HOUNDS_MAKE(&state, "1 cerberus:0",
                "0 discard:0"); /* clues told both the hound and the value of the discarded card */
    const char *known = "{\"seat\":0,\"slot\":0,\"card\":\"tom-dire-3\"}";
    for (int8_t viewer = SPECTATOR; viewer < 3; viewer++) {
        assert_viewer_sees_discard(&state, viewer, known);
    }
    for (int8_t viewer = SPECTATOR; viewer < 3; viewer++) {
        assert_viewer_sees_slot(&state, viewer, 0, 0,
                                "cerberus"); /* what clues told about the slot is no longer shown */
    }
}

static void a_card_that_the_leader_discards_is_shown_to_the_leader_alone(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    HOUNDS_MAKE(&state, "1 cerberus:1", "1 discard:4");
    assert_viewer_sees_discard(&state, 1, "{\"seat\":1,\"slot\":4,\"card\":\"deathpaw-1\"}");
    assert_viewer_sees_discard(&state, 0, "{\"seat\":1,\"slot\":4}");
    assert_viewer_sees_discard(&state, 2, "{\"seat\":1,\"slot\":4}");
}

static void nobody_sees_a_card_taken_in_a_trade_until_all_have_traded_or_passed(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    HOUNDS_MAKE(&state, "1 cerberus:2", "2 discard:1", "1 trade:0", "2 trade:2");
    for (int8_t viewer = SPECTATOR; viewer < 3; viewer++) {
        assert_viewer_sees_slot(&state, viewer, 1, 0, " traded");
        assert_viewer_sees_slot(&state, viewer, 2, 2,
                                " traded"); /* what clues told about the slot is no longer shown */
    }
    HOUNDS_MAKE(&state, "0 trade:pass");
    char seen[64];
    for (int8_t viewer = SPECTATOR; viewer < 3; viewer++) {
        const char *leaders = write_slot(&state, viewer, 1, 0, seen);
        assert_int_equal(leaders[0] != ' ', viewer == 1);
        const char *others = write_slot(&state, viewer, 2, 2, seen);
        assert_int_equal(others[0] != ' ', viewer == 0 || viewer == 1);
    }
}

static void assert_viewer_knows_given_cards(const struct game_state *state, int8_t viewer,
                                            const char *expected)
{
    assert_info_has(state, viewer, "\"given\":", expected);
}

static void a_card_given_in_a_trade_is_told_to_those_who_knew_it_in_the_hand(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    HOUNDS_MAKE(&state, "1 cerberus:2", "2 discard:1", "1 trade:0", "2 trade:2", "0 trade:3");
    /* clues told both the hound and the value of the card that seat 2 gave */
    assert_viewer_knows_given_cards(&state, SPECTATOR, "[null,null,\"evil-molly-4\"]");
    assert_viewer_knows_given_cards(&state, 0, "[null,null,\"evil-molly-4\"]");
    assert_viewer_knows_given_cards(&state, 1, "[\"paulgrave-4\",\"sudachi-3\",\"evil-molly-4\"]");
    assert_viewer_knows_given_cards(&state, 2, "[\"paulgrave-4\",null,\"evil-molly-4\"]");
}

static void a_card_once_seen_stays_visible_until_it_is_played(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    HOUNDS_MAKE(&state, "1 cerberus:2", "2 discard:1", "1 trade:pass", "2 trade:pass",
                "0 trade:pass", "1 bid:0", "2 bid:0", "0 bid:0", "1 play:0");
    assert_viewer_sees_slot(&state, 2, 0, 2, "evil-molly-3 value");
    struct game_view view = hounds_make_view(&state, 2);
    assert_true(view.hands[1][0].is_empty);
    assert_false(view.hands[1][1].is_empty);
    assert_int_equal(view.trick.plays[0].card, hounds_find_card("sudachi-3"));
}

/* The bad dog, the clues and the trades are the same in every player's view. */
static void clues_and_trades_are_public(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "sudachi");
    HOUNDS_MAKE(&state, "1 cerberus:1", "1 discard:4", "1 trade:0", "2 trade:pass");
    for (int8_t viewer = SPECTATOR; viewer < 3; viewer++) {
        static char buffer[VIEW_TEXT_MAX];
        struct text text = text_init(buffer, sizeof(buffer));
        struct game_view view = hounds_make_view(&state, viewer);
        json_open(&text, NULL, '{');
        view_write_info(&view, false, &text);
        json_close(&text, '}');
        const char *expected =
            "{\"leader\":1,\"bad_dog\":\"sudachi\",\"badness\":[0,0,0],\"clues\":["
            "{\"to\":0,\"clue\":\"value:3\",\"slots\":[0,2]},"
            "{\"to\":0,\"clue\":\"slot:0\",\"slots\":[0],\"card\":\"tom-dire-3\"},"
            "{\"to\":0,\"clue\":\"slot:1\",\"slots\":[1],\"card\":\"paulgrave-1\"},"
            "{\"to\":2,\"clue\":\"slot:2\",\"slots\":[2],\"card\":\"evil-molly-4\"},"
            "{\"to\":2,\"clue\":\"slot:3\",\"slots\":[3],\"card\":\"tom-dire-4\"},"
            "{\"to\":2,\"clue\":\"slot:4\",\"slots\":[4],\"card\":\"tom-dire-2\"}],\"trades\":["
            "null,0,"
            "\"pass\"],";
        buffer[text.len < strlen(expected) ? text.len : strlen(expected)] = '\0';
        assert_string_equal(buffer, expected);
    }
}

/* Checks that a sampled hand fits all clues: the cards that a clue names fit the clue, and no other
 * card of the hand fits. */
static void a_sampled_hand_fits_the_clues_about_it(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    struct game_config config = game_config_default(&heckin_hounds_game, 3);
    struct quick_random random;
    quick_random_init(&random, 1);
    HOUNDS_MAKE(&state, "1 bad:mops", "1 clue:0:value:3", "1 clue:0:suit:paulgrave");
    struct game_view view = hounds_make_view(&state, 0);
    for (unsigned i = 0; i < 200; i++) {
        struct game_state sampled;
        assert_int_equal(game_sample_state(&view, &config, &random, &sampled), GAME_OK);
        struct game_view open = hounds_make_view(&sampled, 1);
        for (uint8_t slot = 0; slot < HOUNDS_SLOTS; slot++) {
            uint8_t card = open.hands[0][slot].card;
            bool is_three = slot == 0 || slot == 2;
            bool is_paulgrave = slot == 1 || slot == 3;
            assert_int_equal(card_value(&hounds_deck, card) == 3, is_three);
            assert_int_equal(card_suit(&hounds_deck, card) == 1, is_paulgrave);
            assert_int_not_equal(card_suit(&hounds_deck, card), HOUNDS_MOPS);
        }
    }
}

TEST_GROUP(heckin_hounds_sight)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_leader_sees_all_hands_and_others_all_but_their_own_and_the_leaders),
        cmocka_unit_test(with_two_players_the_one_who_is_not_leader_sees_no_hand),
        cmocka_unit_test(
            clues_mark_cards_for_everybody_and_telling_hound_and_value_reveals_the_card),
        cmocka_unit_test(
            the_discarded_card_is_shown_to_players_who_knew_it_and_cerberus_to_everybody),
        cmocka_unit_test(a_card_that_the_leader_discards_is_shown_to_the_leader_alone),
        cmocka_unit_test(nobody_sees_a_card_taken_in_a_trade_until_all_have_traded_or_passed),
        cmocka_unit_test(a_card_given_in_a_trade_is_told_to_those_who_knew_it_in_the_hand),
        cmocka_unit_test(a_card_once_seen_stays_visible_until_it_is_played),
        cmocka_unit_test(clues_and_trades_are_public),
        cmocka_unit_test(a_sampled_hand_fits_the_clues_about_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
