#include "tests/games/hounds_table.h"
#include "tests/unit.h"

#include <string.h>

static struct hounds get_hounds_state(const struct game_state *state)
{
    struct hounds hounds;
    memcpy(&hounds, state->bytes, sizeof(hounds));
    return hounds;
}

static void assert_cards(const uint8_t *cards, const char *names)
{
    uint8_t expected[SLOTS_MAX];
    uint8_t count = played_read_cards(&hounds_deck, names, expected);
    assert_memory_equal(cards, expected, count);
}

static void the_published_seed_gives_the_published_deal(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    struct hounds hounds = get_hounds_state(&state);
    assert_int_equal(hounds.leader, 1);
    assert_cards(hounds.table.slots[0], "tom-dire-3 paulgrave-1 evil-molly-3");
    assert_int_equal(hounds.dead_count, 9);
    assert_cards(hounds.dead, "tom-dire-1 evil-molly-2 sudachi-1 sudachi-4 paulgrave-2 mops-1 "
                              "mops-2 mops-3 mops-4");
}

static void values_go_up_to_players_plus_one_and_the_dead_hand_holds_all_mops(void **unused)
{
    (void)unused;
    for (uint8_t players = 2; players <= 7; players++) {
        struct game_state state = played_start_game(&heckin_hounds_game, players, NULL, NULL);
        struct hounds hounds = get_hounds_state(&state);
        uint8_t seen[HOUNDS_CARDS] = {0};
        for (uint8_t seat = 0; seat < players; seat++) {
            for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
                assert_true(card_suit(&hounds_deck, hounds.table.slots[seat][i]) < HOUNDS_MOPS);
                seen[hounds.table.slots[seat][i]]++;
            }
        }
        assert_int_equal(hounds.dead_count, players + 6);
        for (uint8_t i = 0; i < hounds.dead_count; i++) {
            assert_true((card_suit(&hounds_deck, hounds.dead[i]) == HOUNDS_MOPS) == (i >= 5));
            seen[hounds.dead[i]]++;
        }
        for (uint8_t card = 0; card < HOUNDS_CERBERUS_CARD; card++) {
            assert_int_equal(seen[card], card_value(&hounds_deck, card) <= players + 1);
        }
    }
}

static void the_leader_names_any_of_the_six_hounds_as_the_bad_dog(void **unused)
{
    (void)unused;
    static const char *const moves[] = {"bad:deathpaw", "bad:paulgrave",  "bad:sudachi",
                                        "bad:tom-dire", "bad:evil-molly", "bad:mops"};
    for (size_t i = 0; i < ARRAY_LEN(moves); i++) {
        struct game_state state = hounds_deal_table();
        assert_int_equal(hounds_try_move(&state, 0, moves[i]), GAME_NOT_YOUR_TURN);
        assert_int_equal(hounds_try_move(&state, 1, moves[i]), GAME_OK);
        assert_int_equal(get_hounds_state(&state).bad_dog, i);
    }
    assert_int_equal(game_move_parse(&heckin_hounds_game, "bad:cerberus"), MOVE_NONE);
}

static void a_clue_tells_one_card_or_a_hound_or_value_that_two_cards_share(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    HOUNDS_MAKE(&state, "1 bad:mops");
    static const char *const refused[] = {"clue:0:suit:deathpaw", "clue:0:value:1",
                                          "clue:0:value:2",       "clue:2:suit:sudachi",
                                          "clue:1:slot:0",        "clue:1:suit:deathpaw"};
    for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
        assert_int_equal(hounds_try_move(&state, 1, refused[i]), GAME_ILLEGAL);
    }
    struct game_view view = hounds_make_view(&state, 1);
    /* Each of the two players can be told two values, one hound and five slots. */
    assert_int_equal(move_set_count(&view.legal), 16);
    assert_int_equal(game_move_parse(&heckin_hounds_game, "clue:0:suit:mops"), MOVE_NONE);
}

static void a_clue_points_out_all_cards_to_which_it_applies(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    struct played_events story;
    struct game_log log = played_make_event_log(&story);
    static const char *const moves[] = {"1 bad:mops", "1 clue:2:suit:tom-dire"};
    played_make_moves(&heckin_hounds_game, &state, moves, 2, &log);
    assert_string_equal(story.lines, "{\"e\":\"clued\",\"to\":2,\"slots\":[3,4]}\n");
    log = played_make_event_log(&story);
    static const char *const slot[] = {"1 clue:0:slot:4"};
    played_make_moves(&heckin_hounds_game, &state, slot, 1, &log);
    assert_string_equal(story.lines,
                        "{\"e\":\"clued\",\"to\":0,\"slots\":[4],\"card\":\"deathpaw-4\"}\n");
}

static void a_clue_must_tell_a_hound_or_a_value_that_no_earlier_clue_told(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    HOUNDS_MAKE(&state, "1 bad:mops", "1 clue:0:slot:3");
    assert_int_equal(hounds_try_move(&state, 1, "clue:0:slot:3"), GAME_ILLEGAL);
    struct game_state both = state;
    HOUNDS_MAKE(&both, "1 clue:0:slot:4"); /* clues have told the value of both fours now */
    assert_int_equal(hounds_try_move(&both, 1, "clue:0:value:4"), GAME_ILLEGAL);
    HOUNDS_MAKE(&state,
                "1 clue:0:value:4"); /* legal: no clue has told the value of the other four yet */
    assert_int_equal(hounds_try_move(&state, 1, "clue:0:slot:4"), GAME_OK);
}

static void what_a_player_could_deduce_does_not_count_as_told_by_a_clue(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_put_card(&state, 0, 1, "tom-dire-1");
    hounds_put_card(&state, 0, 2, "tom-dire-2");
    hounds_put_card(&state, 0, 3, "tom-dire-4");
    HOUNDS_MAKE(&state, "1 bad:mops", "1 clue:0:suit:tom-dire");
    struct game_view view = hounds_make_view(&state, 0);
    /* The player can deduce that this card is no Tom Dire, but no clue has told its hound. */
    assert_int_equal(view.hands[0][4].suit, SUIT_NONE);
    assert_int_equal(hounds_try_move(&state, 1, "clue:0:suit:tom-dire"), GAME_ILLEGAL);
    assert_int_equal(hounds_try_move(&state, 1, "clue:0:slot:4"), GAME_OK);
}

static void the_leader_gives_each_other_player_three_clues_in_any_order(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    HOUNDS_MAKE(&state, "1 bad:mops", "1 clue:2:slot:0", "1 clue:0:slot:0", "1 clue:2:slot:1",
                "1 clue:2:slot:2");
    assert_int_equal(hounds_try_move(&state, 1, "clue:2:slot:3"), GAME_ILLEGAL);
    assert_int_equal(hounds_try_move(&state, 1, "cerberus:0"), GAME_ILLEGAL);
    HOUNDS_MAKE(&state, "1 clue:0:slot:1", "1 clue:0:slot:2");
    assert_int_equal(get_hounds_state(&state).table.phase, HOUNDS_CERBERUS);
    assert_int_equal(hounds_try_move(&state, 1, "clue:0:slot:3"), GAME_ILLEGAL);
}

static void any_player_may_get_cerberus_and_discards_a_card_in_its_place(void **unused)
{
    (void)unused;
    for (uint8_t seat = 0; seat < 3; seat++) {
        struct game_state state = hounds_deal_table();
        hounds_give_all_clues(&state, "mops");
        static const char *const gifts[] = {"cerberus:0", "cerberus:1", "cerberus:2"};
        assert_int_equal(hounds_try_move(&state, 1, gifts[seat]), GAME_OK);
        assert_int_equal(hounds_try_move(&state, (uint8_t)((seat + 1) % 3), "discard:2"),
                         GAME_NOT_YOUR_TURN);
        assert_int_equal(hounds_try_move(&state, seat, "discard:2"), GAME_OK);
        struct hounds hounds = get_hounds_state(&state);
        assert_int_equal(hounds.table.slots[seat][2], HOUNDS_CERBERUS_CARD);
        assert_int_equal(hounds.dead_count,
                         9); /* the discarded card was not added to the dead hand */
        assert_null(memchr(hounds.dead, hounds.discarded, hounds.dead_count));
        assert_int_equal(hounds.table.to_act, 1 << 1);
    }
}

static void each_seat_trades_or_passes_once_and_never_trades_cerberus(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    HOUNDS_MAKE(&state, "1 cerberus:2", "2 discard:2");
    assert_int_equal(hounds_try_move(&state, 2, "trade:pass"), GAME_NOT_YOUR_TURN);
    HOUNDS_MAKE(&state, "1 trade:pass");
    assert_int_equal(hounds_try_move(&state, 2, "trade:2"), GAME_ILLEGAL);
    HOUNDS_MAKE(&state, "2 trade:1", "0 trade:0");
    assert_int_equal(get_hounds_state(&state).table.phase, HOUNDS_BID);
    assert_int_equal(hounds_try_move(&state, 1, "trade:pass"), GAME_ILLEGAL);
}

static void
in_a_trade_the_card_given_takes_the_place_of_the_card_drawn_from_the_dead_hand(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    HOUNDS_MAKE(&state, "1 cerberus:2", "2 discard:2");
    struct hounds before = get_hounds_state(&state);
    struct deal_stream stream = before.table.stream;
    uint32_t drawn = deal_stream_draw_below(&stream, before.dead_count);
    HOUNDS_MAKE(&state, "1 trade:3");
    struct hounds after = get_hounds_state(&state);
    assert_int_equal(after.table.slots[1][3], before.dead[drawn]);
    assert_int_equal(after.dead[drawn], before.table.slots[1][3]);
    assert_int_equal(after.dead_count, before.dead_count);
}

/* Makes all moves before the first play: Cerberus lies in slot 2 of seat 2, and nobody trades. */
static void make_all_moves_before_play(struct game_state *state, const char *bad_dog)
{
    hounds_give_all_clues(state, bad_dog);
    HOUNDS_MAKE(state, "1 cerberus:2", "2 discard:2", "1 trade:pass", "2 trade:pass",
                "0 trade:pass", "1 bid:2", "2 bid:1", "0 bid:2");
}

static void every_seat_bids_once_and_any_bid_from_0_to_5_is_allowed(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    hounds_give_all_clues(&state, "mops");
    HOUNDS_MAKE(&state, "1 cerberus:2", "2 discard:2", "1 trade:pass", "2 trade:pass",
                "0 trade:pass");
    assert_int_equal(hounds_try_move(&state, 0, "bid:0"), GAME_NOT_YOUR_TURN);
    HOUNDS_MAKE(&state, "1 bid:5", "2 bid:0");
    struct game_view view = hounds_make_view(&state, 0);
    assert_int_equal(
        move_set_count(&view.legal),
        6); /* bid:0 makes the bids add up to the number of tricks, 5, and is still allowed */
    HOUNDS_MAKE(&state, "0 bid:0");
    assert_int_equal(get_hounds_state(&state).table.phase, HOUNDS_PLAY);
    assert_int_equal(get_hounds_state(&state).table.to_act, 1 << 1);
    assert_int_equal(game_move_parse(&heckin_hounds_game, "bid:6"), MOVE_NONE);
}

static void any_card_may_be_played_and_the_trick_winner_leads_next(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    make_all_moves_before_play(&state, "mops");
    HOUNDS_MAKE(&state, "1 play:0"); /* seat 1 plays sudachi-3 */
    struct game_view view = hounds_make_view(&state, 2);
    assert_int_equal(
        move_set_count(&view.legal),
        5); /* every card is legal, although sudachi was led and the hand has a sudachi */
    HOUNDS_MAKE(&state, "2 play:3", "0 play:4");
    view = hounds_make_view(&state, 0);
    assert_int_equal(view.last_trick.winner, 0);
    assert_int_equal(view.to_act, 1 << 0);
    assert_int_equal(hounds_try_move(&state, 0, "play:4"), GAME_ILLEGAL);
}

/* Returns the winner of a trick in which seats 1, 2 and 0 play these cards in turn. */
static uint8_t find_trick_winner(const char *card_of_1, const char *card_of_2,
                                 const char *card_of_0)
{
    struct game_state state = hounds_deal_table();
    make_all_moves_before_play(&state, "mops");
    hounds_put_card(&state, 1, 0, card_of_1);
    hounds_put_card(&state, 2, 0, card_of_2);
    hounds_put_card(&state, 0, 0, card_of_0);
    HOUNDS_MAKE(&state, "1 play:0", "2 play:0", "0 play:0");
    return hounds_make_view(&state, 0).last_trick.winner;
}

static void cerberus_wins_or_else_the_strongest_hound_or_else_the_higher_value(void **unused)
{
    (void)unused;
    assert_int_equal(find_trick_winner("deathpaw-4", "cerberus", "deathpaw-3"), 2);
    assert_int_equal(find_trick_winner("mops-4", "evil-molly-1", "mops-3"), 2);
    assert_int_equal(find_trick_winner("tom-dire-4", "evil-molly-4", "sudachi-1"), 0);
    assert_int_equal(find_trick_winner("paulgrave-1", "sudachi-4", "paulgrave-2"), 0);
    assert_int_equal(find_trick_winner("deathpaw-1", "paulgrave-4", "sudachi-4"), 1);
}

static void each_bad_dog_adds_badness_to_the_trick_winner_and_cerberus_adds_none(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    make_all_moves_before_play(&state, "evil-molly");
    struct played_events story;
    struct game_log log = played_make_event_log(&story);
    static const char *const moves[] = {"1 play:2", "2 play:2", "0 play:2"};
    played_make_moves(&heckin_hounds_game, &state, moves, 3, &log);
    assert_string_equal(story.lines,
                        "{\"e\":\"played\",\"seat\":0,\"card\":\"evil-molly-3\",\"slot\":2}\n"
                        "{\"e\":\"trick\",\"winner\":2,\"bad\":2}\n");
    assert_int_equal(get_hounds_state(&state).badness[2], 2);
    HOUNDS_MAKE(&state, "2 play:1", "0 play:0", "1 play:0"); /* no bad dog in the trick */
    assert_int_equal(get_hounds_state(&state).badness[2], 2);
}

static void each_trick_below_the_bid_costs_a_point_and_each_above_gains_one(void **unused)
{
    (void)unused;
    struct game_state state = hounds_deal_table();
    make_all_moves_before_play(&state, "mops");              /* seats 1, 2 and 0 bid 2, 1 and 2 */
    HOUNDS_MAKE(&state, "1 play:4", "2 play:2", "0 play:0"); /* seat 2 plays Cerberus */
    HOUNDS_MAKE(&state, "2 play:1", "0 play:1", "1 play:0"); /* seat 2 plays deathpaw-3 */
    HOUNDS_MAKE(&state, "2 play:0", "0 play:2", "1 play:1"); /* seat 1 plays paulgrave-3 */
    HOUNDS_MAKE(&state, "1 play:2", "2 play:3", "0 play:4"); /* seat 0 plays deathpaw-4 */
    struct played_events story;
    struct game_log log = played_make_event_log(&story);
    static const char *const last[] = {"0 play:3", "1 play:3",
                                       "2 play:4"}; /* seat 1 plays deathpaw-2 */
    played_make_moves(&heckin_hounds_game, &state, last, 3, &log);
    assert_non_null(strstr(story.lines, "{\"e\":\"score\",\"round\":[-1,0,1],\"total\":[-1,0,1],"
                                        "\"badness\":[0,0,0]}\n{\"e\":\"round\",\"n\":2,"));
    struct hounds hounds = get_hounds_state(&state);
    assert_int_equal(hounds.leader, 2); /* the next seat to the left becomes the leader */
    assert_int_equal(hounds.table.rounds, 3);
    assert_int_equal(hounds.bad_dog, SUIT_NONE);
}

/* Returns the outcome of a finished game with three players. */
static struct game_outcome make_outcome(const int16_t totals[3], const uint8_t badness[3])
{
    struct game_state state = hounds_deal_table();
    struct hounds hounds = get_hounds_state(&state);
    memcpy(hounds.table.scores, totals, 3 * sizeof(totals[0]));
    memcpy(hounds.badness, badness, 3);
    table_end_game(&hounds.table, table_fill_outcome, NULL);
    memcpy(state.bytes, &hounds, sizeof(hounds));
    struct game_outcome outcome;
    game_fill_outcome(&heckin_hounds_game, &state, &outcome);
    return outcome;
}

static void assert_outcome(const int16_t totals[3], const uint8_t badness[3], unsigned winners,
                           const uint8_t ranks[3])
{
    struct game_outcome outcome = make_outcome(totals, badness);
    assert_int_equal(outcome.winners, winners);
    assert_memory_equal(outcome.ranks, ranks, 3);
}

static void the_lowest_total_of_0_or_more_wins_and_low_badness_breaks_ties(void **unused)
{
    (void)unused;
    assert_outcome((int16_t[]){3, -1, 1}, (uint8_t[]){0, 0, 9}, 4, (uint8_t[]){2, 3, 1});
    assert_outcome((int16_t[]){0, 0, -1}, (uint8_t[]){2, 1, 0}, 2, (uint8_t[]){2, 1, 3});
    assert_outcome((int16_t[]){2, 2, 2}, (uint8_t[]){1, 1, 3}, 3, (uint8_t[]){1, 1, 3});
}

static void nobody_wins_when_all_totals_are_negative(void **unused)
{
    (void)unused;
    assert_outcome((int16_t[]){-3, -1, -2}, (uint8_t[]){0, 5, 0}, 0, (uint8_t[]){3, 1, 2});
    assert_outcome((int16_t[]){-1, -1, -1}, (uint8_t[]){1, 0, 0}, 0, (uint8_t[]){3, 1, 1});
}

TEST_GROUP(heckin_hounds)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_seed_gives_the_published_deal),
        cmocka_unit_test(values_go_up_to_players_plus_one_and_the_dead_hand_holds_all_mops),
        cmocka_unit_test(the_leader_names_any_of_the_six_hounds_as_the_bad_dog),
        cmocka_unit_test(a_clue_tells_one_card_or_a_hound_or_value_that_two_cards_share),
        cmocka_unit_test(a_clue_points_out_all_cards_to_which_it_applies),
        cmocka_unit_test(a_clue_must_tell_a_hound_or_a_value_that_no_earlier_clue_told),
        cmocka_unit_test(what_a_player_could_deduce_does_not_count_as_told_by_a_clue),
        cmocka_unit_test(the_leader_gives_each_other_player_three_clues_in_any_order),
        cmocka_unit_test(any_player_may_get_cerberus_and_discards_a_card_in_its_place),
        cmocka_unit_test(each_seat_trades_or_passes_once_and_never_trades_cerberus),
        cmocka_unit_test(
            in_a_trade_the_card_given_takes_the_place_of_the_card_drawn_from_the_dead_hand),
        cmocka_unit_test(every_seat_bids_once_and_any_bid_from_0_to_5_is_allowed),
        cmocka_unit_test(any_card_may_be_played_and_the_trick_winner_leads_next),
        cmocka_unit_test(cerberus_wins_or_else_the_strongest_hound_or_else_the_higher_value),
        cmocka_unit_test(each_bad_dog_adds_badness_to_the_trick_winner_and_cerberus_adds_none),
        cmocka_unit_test(each_trick_below_the_bid_costs_a_point_and_each_above_gains_one),
        cmocka_unit_test(the_lowest_total_of_0_or_more_wins_and_low_badness_breaks_ties),
        cmocka_unit_test(nobody_wins_when_all_totals_are_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
