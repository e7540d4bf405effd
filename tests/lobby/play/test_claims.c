#include "lobby/play/play.h"
#include "tests/lobby/table_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

#define ADA TABLE_ADA
#define BOB TABLE_BOB
#define EVE (DRIVER_FIRST + 10)
#define FAY (DRIVER_FIRST + 11)

static const int64_t both[] = {ADA, BOB};

/* Returns the open claim that was last shown to the connection; NULL when there is none. */
static const json_t *newest_claim(const struct driver *driver, int64_t conn)
{
    return json_object_get(driver_newest_message(driver, conn, "table"), "claim");
}

static const json_t *newest_view(const struct driver *driver, int64_t conn)
{
    return json_object_get(driver_newest_message(driver, conn, "view"), "view");
}

static int64_t newest_round(const struct driver *driver, int64_t conn)
{
    return driver_read_number(newest_view(driver, conn), "round");
}

/* Begins a game of Ada, Bob and two bots, and plays until Ada can prove a claim. Returns the
 * step. */
static int64_t play_until_ada_can_claim(struct driver *driver, int clock_s)
{
    (void)table_begin_game_for_two(driver, clock_s);
    return table_play_until_claim(driver, both, 2);
}

static void claim_as_ada(struct driver *driver, int64_t step)
{
    driver_ok(driver, ADA, "{'t':'claim','step':%" PRId64 "}", step);
}

/* Checks that the claim is settled and the round is over. */
static void check_round_is_played_out(const struct driver *driver, int64_t round)
{
    assert_null(newest_claim(driver, ADA));
    assert_null(newest_claim(driver, BOB));
    assert_true(newest_round(driver, ADA) > round ||
                driver_newest_message(driver, ADA, "result") != NULL);
}

static void a_claim_that_is_not_proven_is_refused_with_the_reason(void **state)
{
    struct driver *driver = *state;
    (void)table_begin_game_for_two(driver, 0);
    for (int i = 0; i < 20; i++) {
        const json_t *view = newest_view(driver, ADA);
        bool is_turn = json_array_size(json_object_get(view, "legal")) > 0;
        const json_t *answer = driver_request(driver, ADA, "{'t':'claim','step':%" PRId64 "}",
                                              driver_read_number(view, "step"));
        if (is_turn && strcmp(driver_read_text(answer, "code"), "unproven") == 0) {
            assert_non_null(strstr(driver_read_text(answer, "why"), "not certain"));
            assert_null(newest_claim(driver, BOB));
            return;
        }
        (void)driver_play_moves(driver, &both[is_turn ? 0 : 1], 1, 1);
    }
    fail_msg("no claim was refused as unproven");
}

static void only_the_player_whose_turn_it_is_can_claim(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 0);
    driver_no(driver, BOB, "not_your_turn", "{'t':'claim','step':%" PRId64 "}", step);
    driver_no(driver, ADA, "stale", "{'t':'claim','step':%" PRId64 "}", step - 1);
    driver_no(driver, ADA, "stale", "{'t':'claim'}");
    driver_sign_up(driver, EVE, "eve");
    driver_no(driver, EVE, "no_table", "{'t':'claim','step':0}");
}

static void the_other_players_see_the_claim_and_its_cards(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 0);
    assert_null(newest_claim(driver, BOB));
    claim_as_ada(driver, step);
    const json_t *claim = newest_claim(driver, BOB);
    assert_non_null(claim);
    assert_int_equal(driver_read_number(claim, "seat"), 0);
    assert_int_equal(json_array_size(json_object_get(claim, "asked")), 1);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(claim, "asked"), 0)), 1);
    int64_t tricks = driver_read_number(claim, "tricks");
    assert_int_equal(strlen(driver_read_text(claim, "cards")), 3 * tricks - 1);
    assert_int_equal(driver_read_number(newest_view(driver, ADA), "step"), step);
}

/* Asserts that the first message about the table since the inbox was cleared says that the claim is
 * accepted, and that it came before the views of the moves that the house made. */
static void check_claim_is_told_to_be_played_out(const struct driver *driver)
{
    const json_t *inbox = driver->inbox[BOB];
    size_t first = 0;
    while (strcmp(driver_read_text(json_array_get(inbox, first), "t"), "table") != 0) {
        assert_string_not_equal(driver_read_text(json_array_get(inbox, first), "t"), "view");
        first++;
    }
    const json_t *claim = json_object_get(json_array_get(inbox, first), "claim");
    assert_true(driver_read_number(claim, "tricks") > 0);
    assert_int_equal(json_array_size(json_object_get(claim, "asked")), 0);
}

static void play_again(struct driver *driver)
{
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_clear_inbox(driver, ADA);
    driver_clear_inbox(driver, BOB);
    (void)table_begin_another_game_for_two(driver, 0);
}

/* Plays, claiming whatever Ada can prove, until she claims more than one trick; Bob has not
 * answered that claim yet. Returns how many tricks she claims. */
static int64_t play_until_ada_claims_several_tricks(struct driver *driver)
{
    int64_t step = 0;
    (void)table_begin_game_for_two(driver, 0);
    for (int claims = 0; claims < 200; claims++) {
        while (!table_play_until_claim_or_end(driver, both, 2, &step)) {
            play_again(driver);
        }
        claim_as_ada(driver, step);
        int64_t tricks = driver_read_number(newest_claim(driver, BOB), "tricks");
        if (tricks > 1) {
            return tricks;
        }
        driver_ok(driver, BOB, "{'t':'claim_answer','accept':true}");
    }
    fail_msg("no claim of several tricks");
    return 0;
}

static void an_accepted_claim_plays_the_round_to_its_end_and_shows_every_trick(void **state)
{
    struct driver *driver = *state;
    int64_t tricks = play_until_ada_claims_several_tricks(driver);
    int64_t round = newest_round(driver, ADA);
    driver_clear_inbox(driver, BOB);
    driver_ok(driver, BOB, "{'t':'claim_answer','accept':true}");
    check_round_is_played_out(driver, round);
    assert_true(driver_count_messages(driver, BOB, "view") >= (size_t)tricks);
    check_claim_is_told_to_be_played_out(driver);
    assert_int_equal(driver_count_messages_with_words(driver, BOB, "chat", "The claim stands"), 1);
    const json_t *trick = json_object_get(newest_view(driver, BOB), "last_trick");
    assert_int_equal(driver_read_number(trick, "winner"), 0);
}

static void whoever_wants_to_play_on_refuses_the_claim_until_the_next_trick(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 0);
    claim_as_ada(driver, step);
    driver_no(driver, BOB, "bad", "{'t':'claim_answer'}");
    driver_no(driver, ADA, "stale", "{'t':'claim_answer','accept':true}");
    driver_ok(driver, BOB, "{'t':'claim_answer','accept':false}");
    assert_null(newest_claim(driver, ADA));
    assert_int_equal(driver_read_number(newest_view(driver, ADA), "step"), step);
    assert_int_equal(driver_count_messages_with_words(driver, ADA, "chat", "bob plays on"), 1);
    driver_no(driver, ADA, "refused", "{'t':'claim','step':%" PRId64 "}", step);
    driver_no(driver, BOB, "stale", "{'t':'claim_answer','accept':true}");
    assert_int_equal(driver_play_moves(driver, both, 1, 1), 1);
    claim_as_ada(driver, table_play_until_claim(driver, both, 2));
}

static void no_answer_counts_as_acceptance_after_a_while(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 0);
    int64_t round = newest_round(driver, ADA);
    claim_as_ada(driver, step);
    driver_pass_time(driver, CLAIMS_ANSWER_MS - 1000);
    assert_int_equal(driver_read_number(newest_view(driver, ADA), "step"), step);
    driver_pass_time(driver, 1000);
    check_round_is_played_out(driver, round);
}

static void players_who_are_away_are_not_waited_for(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 0);
    int64_t round = newest_round(driver, ADA);
    driver_disconnect(driver, BOB);
    claim_as_ada(driver, step);
    assert_true(newest_round(driver, ADA) > round ||
                driver_newest_message(driver, ADA, "result") != NULL);
}

static void whoever_is_asked_and_leaves_is_not_waited_for(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 0);
    int64_t round = newest_round(driver, ADA);
    claim_as_ada(driver, step);
    assert_non_null(newest_claim(driver, BOB));
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, 1);
    assert_null(newest_claim(driver, ADA));
    assert_true(newest_round(driver, ADA) > round ||
                driver_newest_message(driver, ADA, "result") != NULL);
}

static void a_claim_stands_although_the_claimant_loses_the_connection(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 0);
    int64_t round = newest_round(driver, BOB);
    claim_as_ada(driver, step);
    driver_disconnect(driver, ADA);
    assert_non_null(newest_claim(driver, BOB));
    driver_ok(driver, BOB, "{'t':'claim_answer','accept':true}");
    assert_null(newest_claim(driver, BOB));
    assert_true(newest_round(driver, BOB) > round ||
                driver_newest_message(driver, BOB, "result") != NULL);
}

static void a_claimant_who_leaves_for_good_withdraws_the_claim(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 0);
    claim_as_ada(driver, step);
    driver_ok(driver, ADA, "{'t':'seat_leave','for_good':true}");
    assert_null(newest_claim(driver, BOB));
    assert_int_equal(driver_read_number(newest_view(driver, BOB), "step"), step);
    driver_no(driver, BOB, "stale", "{'t':'claim_answer','accept':true}");
    assert_int_equal(driver_count_messages_with_words(driver, BOB, "chat", "claim"), 0);
}

static void a_claim_stands_when_the_time_of_the_claimant_is_over(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 10);
    int64_t round = newest_round(driver, ADA);
    claim_as_ada(driver, step);
    driver_pass_time(driver, 10000);
    check_round_is_played_out(driver, round);
    assert_int_equal(driver_count_messages_with_words(driver, ADA, "chat", "The claim stands"), 1);
    assert_int_equal(driver_count_messages_with_words(driver, ADA, "chat", "ran out of time"), 0);
}

static void nobody_can_claim_at_the_stop_between_two_rounds(void **state)
{
    struct driver *driver = *state;
    (void)table_begin_game_for_two(driver, 0);
    while (!driver_is_stopped(driver, ADA)) {
        assert_int_equal(driver_play_moves(driver, both, 2, 1), 1);
    }
    for (size_t i = 0; i < 2; i++) {
        driver_no(driver, both[i], "halted", "{'t':'claim','step':%" PRId64 "}",
                  driver_read_number(newest_view(driver, both[i]), "step"));
    }
}

/* Ada claims whenever she can. Returns the number of claims. */
static int play_game_with_claims(struct driver *driver)
{
    int claims = 0;
    int64_t step = 0;
    for (; table_play_until_claim_or_end(driver, both, 2, &step); claims++) {
        claim_as_ada(driver, step);
        driver_ok(driver, BOB, "{'t':'claim_answer','accept':true}");
        assert_null(newest_claim(driver, BOB));
    }
    return claims;
}

static void a_whole_game_is_played_with_claims_and_has_a_result(void **state)
{
    struct driver *driver = *state;
    (void)table_begin_game_for_two(driver, 0);
    int claims = play_game_with_claims(driver);
    assert_true(claims > 0);
    const json_t *view = newest_view(driver, BOB);
    assert_string_equal(driver_read_text(view, "phase"), "over");
    assert_int_equal(driver_read_number(view, "round"), driver_read_number(view, "rounds"));
    assert_int_equal(driver_count_messages_with_words(driver, BOB, "chat", "The claim stands"),
                     claims);
}

static void a_move_of_the_claimant_withdraws_the_claim(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 0);
    claim_as_ada(driver, step);
    assert_non_null(newest_claim(driver, BOB));
    assert_int_equal(driver_play_moves(driver, both, 1, 1), 1);
    assert_null(newest_claim(driver, BOB));
    driver_no(driver, BOB, "stale", "{'t':'claim_answer','accept':true}");
}

static void a_halt_withdraws_the_claim_and_nobody_can_claim_in_a_halted_game(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 30);
    claim_as_ada(driver, step);
    driver_ok(driver, ADA, "{'t':'pause'}");
    assert_non_null(newest_claim(driver, BOB));
    driver_ok(driver, BOB, "{'t':'pause'}");
    assert_null(newest_claim(driver, BOB));
    driver_no(driver, ADA, "halted", "{'t':'claim','step':%" PRId64 "}", step);
}

static void the_clock_of_the_claimant_runs_on_while_others_are_asked(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 30);
    claim_as_ada(driver, step);
    driver_pass_time(driver, 10000);
    driver_ok(driver, ADA, "{'t':'seat_back'}");
    driver_ok(driver, BOB, "{'t':'pause'}");
    driver_ok(driver, ADA, "{'t':'pause'}");
    const json_t *clock = json_object_get(driver_newest_message(driver, ADA, "view"), "clock");
    assert_int_equal(driver_read_number(clock, "seat"), 0);
    assert_in_range(driver_read_number(clock, "left_ms"), 15000, 20000);
}

static void a_restart_withdraws_an_open_claim_and_keeps_an_accepted_one(void **state)
{
    struct driver *driver = *state;
    int64_t step = play_until_ada_can_claim(driver, 0);
    int64_t round = newest_round(driver, ADA);
    claim_as_ada(driver, step);
    driver_restart_core(driver);
    driver_reconnect_conns(driver, both, 2);
    assert_null(newest_claim(driver, BOB));
    assert_int_equal(driver_read_number(newest_view(driver, ADA), "step"), step);
    claim_as_ada(driver, step);
    driver_ok(driver, BOB, "{'t':'claim_answer','accept':true}");
    driver_restart_core(driver);
    driver_reconnect_conns(driver, both, 2);
    check_round_is_played_out(driver, round);
}

static void spectators_learn_of_a_claim_only_through_the_tricks(void **state)
{
    struct driver *driver = *state;
    static const int64_t watchers[] = {EVE, FAY};
    static const int64_t players[] = {ADA, BOB, DRIVER_FIRST + 2};
    int64_t table =
        table_open_for_spectators(driver, game_at(0), "{'policy':'delay','moves':3}", watchers);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'table_start'}");
    int64_t step = table_play_until_claim(driver, players, 3);
    driver_clear_inbox(driver, EVE);
    claim_as_ada(driver, step);
    driver_pass_time(driver, 5000);
    assert_non_null(newest_claim(driver, BOB));
    assert_int_equal(json_array_size(driver->inbox[EVE]), 0);
    driver_ok(driver, FAY, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_non_null(driver_newest_message(driver, FAY, "table"));
    assert_null(newest_claim(driver, FAY));
    driver_clear_inbox(driver, EVE);
    driver_ok(driver, BOB, "{'t':'claim_answer','accept':false}");
    assert_int_equal(driver_count_messages(driver, EVE, "table"), 0);
    assert_int_equal(driver_count_messages(driver, EVE, "chat"), 0);
}

TEST_GROUP(claims)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_claim_that_is_not_proven_is_refused_with_the_reason),
        DRIVER_TEST(only_the_player_whose_turn_it_is_can_claim),
        DRIVER_TEST(the_other_players_see_the_claim_and_its_cards),
        DRIVER_TEST(an_accepted_claim_plays_the_round_to_its_end_and_shows_every_trick),
        DRIVER_TEST(whoever_wants_to_play_on_refuses_the_claim_until_the_next_trick),
        DRIVER_TEST(no_answer_counts_as_acceptance_after_a_while),
        DRIVER_TEST(players_who_are_away_are_not_waited_for),
        DRIVER_TEST(whoever_is_asked_and_leaves_is_not_waited_for),
        DRIVER_TEST(a_claim_stands_although_the_claimant_loses_the_connection),
        DRIVER_TEST(a_claimant_who_leaves_for_good_withdraws_the_claim),
        DRIVER_TEST(a_claim_stands_when_the_time_of_the_claimant_is_over),
        DRIVER_TEST(nobody_can_claim_at_the_stop_between_two_rounds),
        DRIVER_TEST(a_whole_game_is_played_with_claims_and_has_a_result),
        DRIVER_TEST(a_move_of_the_claimant_withdraws_the_claim),
        DRIVER_TEST(a_halt_withdraws_the_claim_and_nobody_can_claim_in_a_halted_game),
        DRIVER_TEST(the_clock_of_the_claimant_runs_on_while_others_are_asked),
        DRIVER_TEST(a_restart_withdraws_an_open_claim_and_keeps_an_accepted_one),
        DRIVER_TEST(spectators_learn_of_a_claim_only_through_the_tricks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
