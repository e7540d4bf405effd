#include "tests/e2e/house.h"
#include "tests/e2e/pair.h"
#include "tests/e2e/people.h"
#include "tests/e2e/play.h"
#include "tests/unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole games over the real ssh: two people play with two bots, lose connections, and the core is
 * killed. */

#define GAME_MS 150000

static void send_chat_line(struct terminal *from, struct terminal *to, const char *words)
{
    terminal_type(from, "c");
    terminal_type_line(from, words);
    terminal_expect(to, words);
    terminal_type(from, "\x1b");
    terminal_expect_gone(from, "Enter say it");
}

/* Plays until both screens show the words: at a round's end one player may be on the next round
 * while the other's next key only goes on. */
static void play_until_both_show(struct terminal *one, struct terminal *other, const char *words)
{
    struct terminal *const players[] = {one, other, NULL};
    struct terminal *const backwards[] = {other, one, NULL};
    play_until(players, words, GAME_MS);
    play_until(backwards, words, GAME_MS);
}

/* Resigns a running game, so that the next test starts with an empty lobby. */
static void resign_and_leave(struct terminal *person)
{
    terminal_type(person, "X");
    terminal_expect(person, "Leave for good?");
    terminal_type(person, "y");
    terminal_expect_gone(person, "Leave for good?");
    terminal_free(person);
}

static void the_end_of_a_round_is_shown_at_80_by_24_until_a_key_goes_on(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 80, 24);
    struct terminal *bob = people_connect(*state, "bob", 80, 24);
    struct terminal *const players[] = {ada, bob, NULL};
    pair_begin_game(ada, bob);
    play_until(players, "Round 1 is over. Enter goes on", GAME_MS);
    terminal_expect(ada, "total");
    terminal_expect(ada, ", took ");
    terminal_expect(ada, "Last trick: ");
    terminal_expect(ada, " took it: ");
    terminal_print(ada, "the end of a round");
    terminal_type(ada, "x");
    terminal_expect_gone(ada, "Last trick: ");
    play_until(players, "Round 2 is over. Enter goes on", GAME_MS);
    play_until_both_show(ada, bob, "round 3 of");
    resign_and_leave(ada);
    resign_and_leave(bob);
}

static void two_people_and_two_bots_play_a_whole_game(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 80, 24);
    struct terminal *bob = people_connect(*state, "bob", 120, 40);
    struct terminal *const players[] = {ada, bob, NULL};
    pair_begin_game(ada, bob);
    send_chat_line(ada, bob, "good luck");
    play_until(players, "round 3 of", GAME_MS);
    terminal_print(ada, "table");
    terminal_print(bob, "table");

    terminal_resize(ada, 120, 40);
    terminal_expect_full_screen(ada);
    play_until(players, "round 4 of", GAME_MS);
    terminal_resize(ada, 80, 24);
    terminal_expect_full_screen(ada);

    play_until(players, "deal ✓", GAME_MS);
    terminal_print(ada, "end");
    terminal_type(ada, "q");
    terminal_expect(ada, "#lobby");
    terminal_type(ada, "h");
    terminal_expect(ada, "Your games");
    terminal_expect(ada, "bob");
    terminal_print(ada, "history");
    terminal_type(ada, "ql");
    terminal_expect(ada, "The best at");
    terminal_expect(ada, "bob");
    terminal_print(ada, "leaders");
    terminal_free(ada);
    terminal_free(bob);
}

static void players_hold_the_same_cards_after_the_core_is_killed(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 80, 24);
    struct terminal *bob = people_connect(*state, "bob", 80, 24);
    struct terminal *const players[] = {ada, bob, NULL};
    pair_begin_game(ada, bob);
    play_until(players, "the trick: ", GAME_MS); /* won by anybody */
    pair_play_until_turn_of(ada, bob);
    terminal_wait_until_still(ada);
    struct pair_cards before = pair_read_cards(ada);
    long begin = terminal_now_ms();
    kill(house_find_process(*state, "core"), SIGKILL);
    assert_true(play_move(ada));
    struct pair_cards after = pair_read_cards(ada);
    while (after.count == before.count) {
        assert_in_range(terminal_now_ms() - begin, 0, TERMINAL_DEADLINE_MS);
        terminal_read(ada, 50);
        after = pair_read_cards(ada);
    }
    long took = terminal_now_ms() - begin;
    printf("the next move appeared %ld ms after the kill\n", took);
    assert_int_equal(after.count, before.count - 1);
    for (size_t i = 0; i < after.count; i++) {
        assert_true(pair_has_card(&before, after.names[i]));
    }
    play_until_both_show(ada, bob, "round 2 of");
    resign_and_leave(ada);
    resign_and_leave(bob);
}

static void a_player_who_closed_the_window_gets_the_seat_back(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 80, 24);
    struct terminal *bob = people_connect(*state, "bob", 80, 24);
    struct terminal *const players[] = {ada, bob, NULL};
    pair_begin_game(ada, bob);
    play_until(players, "the trick: ", GAME_MS); /* won by anybody */
    terminal_free(ada);
    terminal_expect(bob, "no connection");
    ada = people_connect(*state, "ada", 120, 40);
    terminal_expect(ada, "round 1 of");
    play_until_both_show(ada, bob, "round 2 of");
    resign_and_leave(ada);
    resign_and_leave(bob);
}

static void two_tables_play_at_the_same_time(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 80, 24);
    struct terminal *bob = people_connect(*state, "bob", 120, 40);
    terminal_type(ada, "/quick oh-hell\r");
    terminal_expect(ada, "round 1 of");
    terminal_type(bob, "/quick oh-hell\r");
    terminal_expect(bob, "round 1 of");
    play_until_both_show(ada, bob, "round 2 of");
    resign_and_leave(ada);
    resign_and_leave(bob);
}

/* The session makes hints itself, so its confinement must leave it the memory. */
static void a_confined_session_asks_the_strong_bot_for_a_hint(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 80, 24);
    terminal_type(ada, "/quick oh-hell\r");
    terminal_expect(ada, "your turn");
    terminal_type(ada, "/hint\r");
    terminal_expect(ada, "The strong bot would choose ");
    resign_and_leave(ada);
}

TEST_GROUP(game)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_end_of_a_round_is_shown_at_80_by_24_until_a_key_goes_on,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(two_people_and_two_bots_play_a_whole_game, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(players_hold_the_same_cards_after_the_core_is_killed,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(a_player_who_closed_the_window_gets_the_seat_back,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(two_tables_play_at_the_same_time, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(a_confined_session_asks_the_strong_bot_for_a_hint,
                                        house_set_up, house_tear_down),
    };
    return cmocka_run_group_tests_name("game", tests, NULL, NULL);
}
