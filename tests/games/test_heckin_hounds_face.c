#include "tests/games/hounds_table.h"
#include "tests/unit.h"

#include <string.h>

static const struct game_face *get_hounds_face(void)
{
    return heckin_hounds_game.face;
}

static void assert_prompt(const struct game_state *state, int8_t seat, const char *expected)
{
    struct game_view view = hounds_make_view(state, seat);
    played_expect_phrase(&hounds_deck, face_prompt(&view), expected);
}

static void assert_label(const struct game_state *state, int8_t seat, const char *move,
                         const char *expected)
{
    struct game_view view = hounds_make_view(state, seat);
    uint8_t code = game_move_parse(&heckin_hounds_game, move);
    played_expect_phrase(&hounds_deck, face_label(&view, code), expected);
}

static void assert_refusal(const struct game_state *state, int8_t seat, const char *move,
                           const char *expected)
{
    struct game_view view = hounds_make_view(state, seat);
    uint8_t code = game_move_parse(&heckin_hounds_game, move);
    played_expect_phrase(&hounds_deck, face_refusal(&view, code), expected);
}

static void every_phase_has_its_own_prompt(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    assert_prompt(&state, 0, "");
    assert_prompt(&state, 1, "Name the bad dog: worth 1 badness to its taker");
    HOUNDS_MAKE(&state, "1 bad:mops", "1 clue:0:value:3");
    assert_prompt(&state, 1, "Give clue 2 of 6");
    HOUNDS_MAKE(&state, "1 clue:0:slot:0", "1 clue:0:slot:1", "1 clue:2:slot:2", "1 clue:2:slot:3");
    assert_prompt(&state, 1, "Give clue 6 of 6");
    HOUNDS_MAKE(&state, "1 clue:2:slot:4");
    assert_prompt(&state, 1, "Give Cerberus to a player: it beats every hound");
    HOUNDS_MAKE(&state, "1 cerberus:0");
    assert_prompt(&state, 0, "Cerberus is yours: choose a card to drop for it");
    HOUNDS_MAKE(&state, "0 discard:2");
    assert_prompt(&state, 1, "Trade a card for an unseen one of the dead hand?");
    HOUNDS_MAKE(&state, "1 trade:pass", "2 trade:pass", "0 trade:pass");
    assert_prompt(&state, 1, "Bid 0–5");
    HOUNDS_MAKE(&state, "1 bid:0", "2 bid:0", "0 bid:0");
    assert_prompt(&state, 1, "Lead any card");
    HOUNDS_MAKE(&state, "1 play:4");
    assert_prompt(&state, 2, "Play any card: deathpaw-1 wins so far");
    HOUNDS_MAKE(&state, "2 play:0");
    assert_prompt(&state, 0, "Play any card: deathpaw-1 wins so far");
}

static void the_prompt_says_that_nothing_beats_cerberus(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    HOUNDS_MAKE(&state, "1 cerberus:1", "1 discard:2", "1 trade:pass", "2 trade:pass",
                "0 trade:pass", "1 bid:0", "2 bid:0", "0 bid:0", "1 play:2");
    assert_prompt(&state, 2, "Play any card: Cerberus cannot be beaten");
}

static void move_labels_name_only_cards_that_the_viewer_sees(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    assert_label(&state, 1, "bad:tom-dire", "Tom Dire");
    assert_label(&state, 1, "clue:2:suit:tom-dire", "seat 2: every Tom Dire");
    assert_label(&state, 1, "clue:0:value:3", "seat 0: every 3");
    assert_label(&state, 1, "clue:0:slot:4", "seat 0: just deathpaw-4");
    assert_label(&state, 0, "clue:0:slot:4", "seat 0: card 5");
    assert_label(&state, 1, "cerberus:2", "seat 2");
    assert_label(&state, 0, "discard:1", "card 2");
    assert_label(&state, 1, "discard:1", "paulgrave-3");
    assert_label(&state, 0, "trade:0", "card 1");
    assert_label(&state, 0, "trade:pass", "pass");
    assert_label(&state, 0, "bid:4", "4");
    assert_label(&state, 1, "play:0", "sudachi-3");
}

static void a_clue_is_labelled_without_its_player_where_the_player_is_named_before(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    struct game_view view = hounds_make_view(&state, 1);
    const struct game_face *face = get_hounds_face();
    uint8_t every = game_move_parse(&heckin_hounds_game, "clue:0:value:3");
    uint8_t single = game_move_parse(&heckin_hounds_game, "clue:0:slot:4");
    struct face_aim aim;
    assert_true(face->aim(&view, every, &aim));
    assert_string_equal(aim.words, "every {1}");
    assert_true(face->aim(&view, single, &aim));
    assert_string_equal(aim.words, "just {1}");
}

static void the_refusal_of_a_clue_says_why(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    assert_refusal(&state, 0, "bad:mops", "it is not your turn");
    assert_refusal(&state, 1, "play:0", "Name the bad dog: worth 1 badness to its taker");
    HOUNDS_MAKE(&state, "1 bad:mops");
    assert_refusal(&state, 1, "clue:0:value:3", "");
    assert_refusal(&state, 1, "clue:1:slot:0", "clues go to the other players");
    assert_refusal(&state, 1, "clue:0:suit:deathpaw",
                   "at least two cards must be Deathpaw: seat 0 holds 1");
    assert_refusal(&state, 1, "clue:0:value:2", "at least two cards must be 2: seat 0 holds 0");
    HOUNDS_MAKE(&state, "1 clue:0:value:3");
    assert_refusal(&state, 1, "clue:0:value:3", "that clue tells seat 0 nothing new");
    HOUNDS_MAKE(&state, "1 clue:0:slot:0", "1 clue:0:slot:1");
    assert_refusal(&state, 1, "clue:0:slot:3", "seat 0 has had three clues");
}

static void the_refusal_of_any_other_move_says_why(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    assert_refusal(&state, 1, "cerberus:5", "there is no such player");
    HOUNDS_MAKE(&state, "1 cerberus:1", "1 discard:2");
    assert_refusal(&state, 1, "trade:2", "Cerberus cannot be traded");
    HOUNDS_MAKE(&state, "1 trade:pass", "2 trade:pass", "0 trade:pass", "1 bid:0", "2 bid:0",
                "0 bid:0", "1 play:2", "2 play:0", "0 play:0");
    assert_refusal(&state, 1, "play:2", "that card is played already");
}

static void pointing_at_a_card_discards_trades_or_plays_it(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    struct game_view view = hounds_make_view(&state, 1);
    assert_int_equal(get_hounds_face()->point(&view, 2), MOVE_NONE);
    view.phase = HOUNDS_DISCARD;
    assert_int_equal(get_hounds_face()->point(&view, 2), HOUNDS_MOVE_DISCARD + 2);
    view.phase = HOUNDS_TRADE;
    assert_int_equal(get_hounds_face()->point(&view, 2), HOUNDS_MOVE_TRADE + 2);
    view.phase = HOUNDS_PLAY;
    assert_int_equal(get_hounds_face()->point(&view, 2), HOUNDS_MOVE_PLAY + 2);
    view.hands[1][2].is_empty = true;
    assert_int_equal(get_hounds_face()->point(&view, 2), MOVE_NONE);
}

static void assert_move_points_at(const struct game_view *view, const char *move, uint8_t seat,
                                  unsigned slots)
{
    struct face_aim aim;
    assert_true(get_hounds_face()->aim(view, game_move_parse(&heckin_hounds_game, move), &aim));
    assert_int_equal(aim.seat, seat);
    assert_int_equal(aim.slots, slots);
}

static void a_clue_points_at_its_cards_and_the_gift_of_cerberus_at_a_player(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    struct game_view view = hounds_make_view(&state, 1);
    assert_move_points_at(&view, "clue:0:value:3", 0, 5);
    assert_move_points_at(&view, "clue:2:suit:tom-dire", 2, 24);
    assert_move_points_at(&view, "clue:2:slot:1", 2, 2);
    assert_move_points_at(&view, "cerberus:2", 2, 0);
    struct face_aim aim;
    assert_false(get_hounds_face()->aim(&view, HOUNDS_MOVE_PASS, &aim));
}

static void the_board_shows_the_strength_of_cerberus_and_the_hounds(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    struct face_fact facts[FACE_BOARD_MAX];
    struct game_view view = hounds_make_view(&state, 0);
    assert_int_equal(get_hounds_face()->board(&view, NULL, facts), 1);
    played_expect_phrase(&hounds_deck, facts[0].value,
                         "CER > Deathpaw > Paulgrave > Sudachi > Tom Dire > Evil Molly > Mops");
}

static void
the_board_shows_the_dead_hand_while_players_trade_and_a_discard_that_was_seen(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    struct face_fact facts[FACE_BOARD_MAX];
    hounds_give_all_clues(&state, "sudachi");
    HOUNDS_MAKE(&state, "1 cerberus:0", "0 discard:3");
    struct game_view view = hounds_make_view(&state, 0);
    assert_int_equal(get_hounds_face()->board(&view, NULL, facts),
                     2); /* the viewer does not know the card */
    played_expect_phrase(&hounds_deck, facts[1].value, "9 cards, 4 Mops at first");
    view = hounds_make_view(&state, 2);
    assert_int_equal(get_hounds_face()->board(&view, NULL, facts), 3);
    played_expect_phrase(&hounds_deck, facts[2].value, "paulgrave-4");
    HOUNDS_MAKE(&state, "1 trade:pass", "2 trade:pass", "0 trade:pass");
    view = hounds_make_view(&state, 2);
    assert_int_equal(get_hounds_face()->board(&view, NULL, facts), 2);
}

static void the_signs_at_cards_are_explained_while_the_viewer_sees_some(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    struct game_view view = hounds_make_view(&state, 1);
    played_expect_phrase(&hounds_deck, get_hounds_face()->card_signs(&view), "");
    HOUNDS_MAKE(&state, "1 bad:mops", "1 clue:0:value:3");
    view = hounds_make_view(&state, 0); /* the viewer's own cards have no signs */
    played_expect_phrase(&hounds_deck, get_hounds_face()->card_signs(&view), "");
    view = hounds_make_view(&state, 2);
    played_expect_phrase(&hounds_deck, get_hounds_face()->card_signs(&view),
                         "told: # number, @ hound, * both");
    HOUNDS_MAKE(&state, "1 clue:0:slot:0", "1 clue:0:slot:1", "1 clue:2:slot:2", "1 clue:2:slot:3",
                "1 clue:2:slot:4", "1 cerberus:0", "0 discard:3", "1 trade:0");
    view = hounds_make_view(&state, 2);
    played_expect_phrase(&hounds_deck, get_hounds_face()->card_signs(&view),
                         "told: # number, @ hound, * both, ↔ traded");
}

static void the_headline_and_players_badges_show_bids_leader_and_badness(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    struct phrase lines[FACE_HEADLINE_MAX];
    struct phrase badges[FACE_BADGES_MAX];
    hounds_give_all_clues(&state, "evil-molly");
    HOUNDS_MAKE(&state, "1 cerberus:2", "2 discard:2", "1 trade:pass", "2 trade:pass",
                "0 trade:pass", "1 bid:2");
    struct game_view view = hounds_make_view(&state, 0);
    assert_int_equal(get_hounds_face()->headline(&view, lines), 2);
    played_expect_phrase(&hounds_deck, lines[1], "tricks bid so far: 2");
    HOUNDS_MAKE(&state, "2 bid:1", "0 bid:2", "1 play:2", "2 play:2", "0 play:2");
    view = hounds_make_view(&state, 0);
    assert_int_equal(get_hounds_face()->headline(&view, lines), 2);
    played_expect_phrase(&hounds_deck, lines[0], "bad dog Evil Molly");
    played_expect_phrase(&hounds_deck, lines[1], "bids 5 for 5 tricks");
    assert_int_equal(get_hounds_face()->badges(&view, 0, badges), 0);
    assert_int_equal(get_hounds_face()->badges(&view, 1, badges), 1);
    played_expect_phrase(&hounds_deck, badges[0], "shift leader");
    assert_int_equal(get_hounds_face()->badges(&view, 2, badges), 0);
    const struct info_def *badness = &heckin_hounds_game.info[2];
    assert_string_equal(badness->running, "badness {0}");
    assert_int_equal(view.info[badness->at + 2], 2);
    assert_int_equal(view.info[badness->at + 1], 0);
    played_expect_phrase(&hounds_deck, get_hounds_face()->why_won(&view, &view.last_trick),
                         "Cerberus beats all");
}

static void a_finished_trick_says_which_hound_won_it(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    struct game_view view = hounds_make_view(&state, 0);
    struct view_trick trick = {.count = 2, .winner = 1};
    trick.plays[0] = (struct view_play){.seat = 0, .card = hounds_find_card("sudachi-1")};
    trick.plays[1] = (struct view_play){.seat = 1, .card = hounds_find_card("sudachi-4")};
    played_expect_phrase(&hounds_deck, get_hounds_face()->why_won(&view, &trick),
                         "highest Sudachi");
    trick.plays[0].card = hounds_find_card("mops-4");
    played_expect_phrase(&hounds_deck, get_hounds_face()->why_won(&view, &trick),
                         "strongest hound, Sudachi");
}

static void a_score_row_explains_its_points(void **unused)
{
    (void)unused;
    struct score_row row = {.part_count = 1};
    row.bids[0] = 2;
    row.tricks[0] = 1;
    row.points[0] = -1;
    row.parts[0][0] = 3;
    row.tricks[1] = 1;
    row.points[1] = 1;
    played_expect_phrase(&hounds_deck, get_hounds_face()->explain(&row, 0),
                         "bid 2, took 1: -1; badness so far 3");
    played_expect_phrase(&hounds_deck, get_hounds_face()->explain(&row, 1),
                         "bid 0, took 1: +1; badness so far 0");
    played_expect_phrase(&hounds_deck, get_hounds_face()->explain(&row, 2),
                         "bid 0, took 0: exact, 0; badness so far 0");
}

static void set_badness(struct game_view *view, const uint8_t badness[3])
{
    memcpy(((struct hounds_known *)(void *)view->info)->badness, badness, 3);
}

static void expect_result(const struct game_view *view, uint8_t winners, const char *expected)
{
    static struct story story;
    const struct game_config config = game_config_default(&heckin_hounds_game, 3);
    struct text out = TEXT_OF(512);
    story.count = 0;
    get_hounds_face()->explain_result(view, &config, winners, &story);
    assert_string_equal(played_write_story(&hounds_deck, &story, view->seat, &out), expected);
}

static void the_result_names_the_badness_that_decided_between_equal_totals(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    HOUNDS_MAKE(&state, "1 cerberus:1", "1 discard:2", "1 trade:pass", "2 trade:pass",
                "0 trade:pass");
    struct game_view view = hounds_make_view(&state, 0);
    view.phase = PHASE_OVER;
    view.scores[0] = view.scores[1] = view.scores[2] = 1;
    set_badness(&view, (const uint8_t[]){3, 1, 1});
    expect_result(&view, 6,
                  "seat 1 and 2 share the win: the same total, 1, and the same badness, 1\n"
                  "You have the same total, 1, but badness 3\n");
    set_badness(&view, (const uint8_t[]){0, 2, 3});
    expect_result(&view, 1,
                  "You win: lowest total that is not negative (1, badness 0; seat 1 1, badness "
                  "2)\nseat 2 has the same total, 1, but badness 3\n");
}

TEST_GROUP(heckin_hounds_face)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_phase_has_its_own_prompt),
        cmocka_unit_test(the_prompt_says_that_nothing_beats_cerberus),
        cmocka_unit_test(move_labels_name_only_cards_that_the_viewer_sees),
        cmocka_unit_test(a_clue_is_labelled_without_its_player_where_the_player_is_named_before),
        cmocka_unit_test(the_refusal_of_a_clue_says_why),
        cmocka_unit_test(the_refusal_of_any_other_move_says_why),
        cmocka_unit_test(pointing_at_a_card_discards_trades_or_plays_it),
        cmocka_unit_test(a_clue_points_at_its_cards_and_the_gift_of_cerberus_at_a_player),
        cmocka_unit_test(the_board_shows_the_strength_of_cerberus_and_the_hounds),
        cmocka_unit_test(
            the_board_shows_the_dead_hand_while_players_trade_and_a_discard_that_was_seen),
        cmocka_unit_test(the_signs_at_cards_are_explained_while_the_viewer_sees_some),
        cmocka_unit_test(the_headline_and_players_badges_show_bids_leader_and_badness),
        cmocka_unit_test(a_finished_trick_says_which_hound_won_it),
        cmocka_unit_test(a_score_row_explains_its_points),
        cmocka_unit_test(the_result_names_the_badness_that_decided_between_equal_totals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
