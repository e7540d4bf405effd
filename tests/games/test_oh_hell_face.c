#include "games/game.h"
#include "games/oh_hell/oh_hell.h"
#include "tests/unit.h"

#include <string.h>

static uint8_t find_card(const char *name)
{
    return card_parse(&standard_deck, name);
}

static void write_argument(void *context, const struct phrase_arg *arg, struct text *out)
{
    (void)context;
    if (arg->type == ARG_CARD) {
        card_write_name(&standard_deck, (uint8_t)arg->number, out);
    } else if (arg->type == ARG_SUIT) {
        text_put(out, standard_deck.suits[arg->number].title);
    } else if (arg->type == ARG_SEAT) {
        text_put(out, "seat ");
        text_put_number(out, arg->number);
    }
}

static void assert_phrase(struct phrase phrase, const char *expected)
{
    char buffer[128] = "";
    struct text text = text_init(buffer, sizeof(buffer));
    if (phrase.format != NULL) {
        phrase_write(&phrase, phrase.format, write_argument, NULL, &text);
    }
    assert_string_equal(buffer, expected);
}

/* Returns the view of seat 1 of three: the dealer, who bids last after bids of 1 and 0 and holds
 * three cards; diamonds are trump. */
static struct game_view make_view_before_dealers_bid(void)
{
    struct game_view view;
    view_clear(&view);
    view.game = &oh_hell_game;
    view.seats = 3;
    view.seat = 1;
    view.to_act = 2;
    view.phase = OH_HELL_BID;
    view.has_bids = true;
    view.bids[2] = 1;
    view.bids[0] = 0;
    static const char *const hand[] = {"AS", "2H", "3H"};
    for (uint8_t seat = 0; seat < 3; seat++) {
        view.slot_count[seat] = 3;
        for (uint8_t i = 0; seat == 1 && i < 3; i++) {
            view.hands[seat][i].card = find_card(hand[i]);
        }
    }
    struct oh_hell_known *known = (void *)view.info;
    *known = (struct oh_hell_known){.dealer = 1, .size = 3, .turnup = find_card("TD")};
    for (uint8_t bid = 0; bid <= 3; bid++) {
        if (bid != 2) {
            move_set_add(&view.legal, (uint8_t)(OH_HELL_BID_FIRST + bid));
        }
    }
    return view;
}

/* Returns the view of the dealer in seat 1 when it has to follow a heart. */
static struct game_view make_view_before_dealers_play(void)
{
    struct game_view view = make_view_before_dealers_bid();
    view.phase = OH_HELL_PLAY;
    view.bids[1] = 0;
    view.trick.count = 1;
    view.trick.plays[0] = (struct view_play){.seat = 0, .card = find_card("QH")};
    view.legal = move_set_empty();
    move_set_add(&view.legal, find_card("2H"));
    move_set_add(&view.legal, find_card("3H"));
    return view;
}

static void a_player_with_one_free_bid_is_told_only_that_bid(void **unused)
{
    (void)unused;
    struct game_view view = make_view_before_dealers_bid();
    ((struct oh_hell_known *)(void *)view.info)->size = 1;
    view.slot_count[1] = 1;
    assert_phrase(face_prompt(&view), "Bid 1, not 0");
    view.bids[2] = 0;
    assert_phrase(face_prompt(&view), "Bid 0, not 1");
}

static void the_headline_shows_hand_size_and_trump(void **unused)
{
    (void)unused;
    struct game_view view = make_view_before_dealers_bid();
    struct phrase lines[FACE_HEADLINE_MAX];
    assert_int_equal(oh_hell_face.headline(&view, lines), 3);
    assert_phrase(lines[0], "3 cards");
    assert_phrase(lines[1], "trump diamonds");
    assert_phrase(lines[2], "turned up TD");
}

static void the_board_compares_the_bids_with_the_tricks(void **unused)
{
    (void)unused;
    struct game_view view = make_view_before_dealers_bid();
    struct face_fact facts[FACE_BOARD_MAX];
    assert_int_equal(oh_hell_face.board(&view, NULL, facts), 1);
    assert_phrase(facts[0].value, "1 so far for 3 tricks: seat 1 may not bid 2");
    struct game_view before = view;
    before.bids[2] = 4;
    (void)oh_hell_face.board(&before, NULL, facts);
    assert_phrase(facts[0].value, "4 so far, more than 3: seat 1 may bid any number");
    before.bids[2] = 3;
    (void)oh_hell_face.board(&before, NULL, facts);
    assert_phrase(facts[0].value, "3 so far for 3 tricks: seat 1 may not bid 0");
    before.bids[2] = BID_NONE;
    (void)oh_hell_face.board(&before, NULL, facts);
    assert_phrase(facts[0].value, "0 so far; seat 1 bids last, and the sum may not be 3 then");
    before.bids[0] = BID_NONE;
    (void)oh_hell_face.board(&before, NULL, facts);
    assert_phrase(facts[0].value, "must not add up to 3: seat 1 bids last");
    view.bids[1] = 0;
    (void)oh_hell_face.board(&view, NULL, facts);
    assert_phrase(facts[0].value, "1 for 3 tricks: under-bid by 2");
    view.bids[1] = 3;
    (void)oh_hell_face.board(&view, NULL, facts);
    assert_phrase(facts[0].value, "4 for 3 tricks: over-bid by 1");
}

static void the_terms_say_which_scoring_holds(void **unused)
{
    (void)unused;
    struct game_config config = game_config_default(&oh_hell_game, 4);
    struct game_view view = make_view_before_dealers_bid();
    struct face_fact facts[FACE_BOARD_MAX];
    assert_int_equal(oh_hell_face.board(&view, &config, facts), 2);
    assert_phrase(facts[1].value, "each trick 1, exact bid +10");
    assert_true(game_config_set(&oh_hell_game, &config, "scoring", "negative"));
    (void)oh_hell_face.board(&view, &config, facts);
    assert_phrase(facts[1].value, "exact bid 10, else -10 a trick off");
}

static void only_the_dealer_has_a_badge(void **unused)
{
    (void)unused;
    struct game_view view = make_view_before_dealers_bid();
    struct phrase badges[FACE_BADGES_MAX];
    assert_int_equal(oh_hell_face.badges(&view, 0, badges), 0);
    assert_int_equal(oh_hell_face.badges(&view, 1, badges), 1);
    assert_phrase(badges[0], "dealer");
}

static void the_prompt_says_what_to_do(void **unused)
{
    (void)unused;
    struct game_view view = make_view_before_dealers_bid();
    assert_phrase(face_prompt(&view), "Bid 0–3, not 2");
    view.bids[2] = 0;
    assert_phrase(face_prompt(&view), "Bid 0–2, not 3");
    view.bids[2] = 3;
    assert_phrase(face_prompt(&view), "Bid 1–3, not 0");
    view.bids[2] = 4;
    assert_phrase(face_prompt(&view), "Bid 0–3");
    view.bids[2] = BID_NONE;
    view.bids[0] = BID_NONE;
    ((struct oh_hell_known *)(void *)view.info)->dealer = 0;
    assert_phrase(face_prompt(&view), "Bid 0–3");
    view = make_view_before_dealers_play();
    assert_phrase(face_prompt(&view), "Follow hearts: QH wins so far");
    view.trick.plays[0].card = find_card("QC");
    assert_phrase(face_prompt(&view), "No clubs, play any card: QC wins so far");
    view.trick.count = 0;
    assert_phrase(face_prompt(&view), "Lead any card");
    view.to_act = 1;
    assert_phrase(face_prompt(&view), "");
}

static void a_refusal_says_why_the_move_is_illegal(void **unused)
{
    (void)unused;
    struct game_view view = make_view_before_dealers_bid();
    assert_phrase(face_refusal(&view, OH_HELL_BID_FIRST + 1), "");
    assert_phrase(face_refusal(&view, OH_HELL_BID_FIRST + 2),
                  "not 2: the bids may not add up to 3");
    assert_phrase(face_refusal(&view, OH_HELL_BID_FIRST + 9), "9 is too many: the most is 3");
    assert_phrase(face_refusal(&view, find_card("AS")), "bid first");
    view = make_view_before_dealers_play();
    assert_phrase(face_refusal(&view, find_card("2H")), "");
    assert_phrase(face_refusal(&view, find_card("AS")), "must follow hearts: you have 2 of them");
    assert_phrase(face_refusal(&view, find_card("KH")), "you do not hold KH");
    assert_phrase(face_refusal(&view, OH_HELL_BID_FIRST), "the bids are made");
    view.to_act = 1;
    view.legal = move_set_empty();
    assert_phrase(face_refusal(&view, find_card("2H")), "it is not your turn");
    view.phase = PHASE_OVER;
    assert_phrase(face_refusal(&view, find_card("2H")), "the game is over");
}

static void pointing_at_a_card_plays_it_after_all_bids_are_made(void **unused)
{
    (void)unused;
    struct game_view view = make_view_before_dealers_bid();
    assert_int_equal(oh_hell_face.point(&view, 0), MOVE_NONE);
    view = make_view_before_dealers_play();
    assert_int_equal(oh_hell_face.point(&view, 0), find_card("AS"));
    assert_int_equal(oh_hell_face.point(&view, 3), MOVE_NONE);
    view.seat = SPECTATOR;
    assert_int_equal(oh_hell_face.point(&view, 0), MOVE_NONE);
}

static void moves_are_labelled_by_number_or_card(void **unused)
{
    (void)unused;
    struct game_view view = make_view_before_dealers_bid();
    assert_phrase(face_label(&view, OH_HELL_BID_FIRST + 3), "3");
    assert_phrase(face_label(&view, find_card("TD")), "TD");
}

static void a_score_row_explains_its_points(void **unused)
{
    (void)unused;
    struct score_row row = {
        .bids = {2, 0, 2, 1, 4}, .tricks = {2, 0, 3, 3, 1}, .points = {12, 10, 3, -20, 0}};
    assert_phrase(oh_hell_face.explain(&row, 0), "bid 2, took 2: exact +10, 2 tricks +2");
    assert_phrase(oh_hell_face.explain(&row, 1), "bid 0, took 0: exact +10");
    assert_phrase(oh_hell_face.explain(&row, 2), "bid 2, took 3: 1 too many, 3 tricks +3");
    assert_phrase(oh_hell_face.explain(&row, 3), "bid 1, took 3: 2 too many, -10 × 2");
    assert_phrase(oh_hell_face.explain(&row, 4), "bid 4, took 1: 3 too few, no points");
}

static void a_finished_trick_says_why_its_winner_won(void **unused)
{
    (void)unused;
    struct game_view view = make_view_before_dealers_play();
    struct view_trick trick = {.count = 2, .winner = 1};
    trick.plays[0] = (struct view_play){.seat = 0, .card = find_card("QH")};
    trick.plays[1] = (struct view_play){.seat = 1, .card = find_card("2D")};
    assert_phrase(oh_hell_face.why_won(&view, &trick), "highest trump");
    trick.winner = 0;
    assert_phrase(oh_hell_face.why_won(&view, &trick), "highest hearts");
    trick.plays[0].card = find_card("3D");
    assert_phrase(oh_hell_face.why_won(&view, &trick), "highest trump");
    view.has_last_trick = true; /* of the round before, whose trump the view does not show */
    view.last_trick = trick;
    assert_phrase(oh_hell_face.why_won(&view, &view.last_trick), "highest diamonds");
}

static void the_leaderboard_counts_exact_bids(void **unused)
{
    (void)unused;
    struct score_row row = {.bids = {2, 1}, .tricks = {2, 0}};
    assert_true(oh_hell_game.stat.is_hit(&row, 0));
    assert_false(oh_hell_game.stat.is_hit(&row, 1));
}

TEST_GROUP(oh_hell_face)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_player_with_one_free_bid_is_told_only_that_bid),
        cmocka_unit_test(the_headline_shows_hand_size_and_trump),
        cmocka_unit_test(the_board_compares_the_bids_with_the_tricks),
        cmocka_unit_test(the_terms_say_which_scoring_holds),
        cmocka_unit_test(only_the_dealer_has_a_badge),
        cmocka_unit_test(the_prompt_says_what_to_do),
        cmocka_unit_test(a_refusal_says_why_the_move_is_illegal),
        cmocka_unit_test(pointing_at_a_card_plays_it_after_all_bids_are_made),
        cmocka_unit_test(moves_are_labelled_by_number_or_card),
        cmocka_unit_test(a_score_row_explains_its_points),
        cmocka_unit_test(a_finished_trick_says_why_its_winner_won),
        cmocka_unit_test(the_leaderboard_counts_exact_bids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
