#include "tests/e2e/house.h"
#include "tests/e2e/people.h"
#include "tests/e2e/play.h"
#include "tests/e2e/sitting.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Whole games over the real ssh: two people and two bots, with all the interruptions that may
 * happen. */

#define GAME_MS 150000

static int open_house(void **state)
{
    static struct house_fixture house;
    house_open(&house);
    house_make_key(&house, "ada");
    house_make_key(&house, "bob");
    *state = &house;
    return 0;
}

static int close_house(void **state)
{
    house_close(*state);
    return 0;
}

static void say(struct terminal *from, struct terminal *to, const char *words)
{
    terminal_type(from, "c");
    terminal_type(from, words);
    terminal_type(from, "\r");
    terminal_expect(to, words);
    terminal_type(from, "\x1b");
    terminal_expect_gone(from, "Enter say it");
}

/* Resigns a running game, so that the next test starts with an empty lobby. */
static void leave_for_good(struct terminal *person)
{
    terminal_type(person, "X");
    terminal_expect(person, "Leave for good?");
    terminal_type(person, "y");
    terminal_expect_gone(person, "Leave for good?");
    terminal_free(person);
}

static void two_people_and_two_bots_play_a_whole_game(void **state)
{
    struct terminal *ada = people_enter(*state, "ada", 80, 24);
    struct terminal *bob = people_enter(*state, "bob", 120, 40);
    struct terminal *const players[] = {ada, bob, NULL};
    sitting_begin(ada, bob);
    say(ada, bob, "good luck");
    play_until(players, "round 3 of", GAME_MS);
    terminal_print(ada, "table");
    terminal_print(bob, "table");

    terminal_resize(ada, 120, 40);
    terminal_expect_full(ada);
    play_until(players, "round 4 of", GAME_MS);
    terminal_resize(ada, 80, 24);
    terminal_expect_full(ada);

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
    struct terminal *ada = people_enter(*state, "ada", 80, 24);
    struct terminal *bob = people_enter(*state, "bob", 80, 24);
    struct terminal *const players[] = {ada, bob, NULL};
    sitting_begin(ada, bob);
    play_until(players, "took the trick before", GAME_MS);
    sitting_until_asked(ada, bob);
    struct sitting_cards before = sitting_cards(ada);
    long begin = terminal_now_ms();
    kill(house_process(*state, "core"), SIGKILL);
    assert_true(play_move(ada));
    struct sitting_cards after = sitting_cards(ada);
    while (after.count == before.count) {
        assert_in_range(terminal_now_ms() - begin, 0, TERMINAL_DEADLINE_MS);
        terminal_read(ada, 50);
        after = sitting_cards(ada);
    }
    long took = terminal_now_ms() - begin;
    printf("the next move stood %ld ms after the kill\n", took);
    assert_in_range(took, 0, 2000);
    assert_int_equal(after.count, before.count - 1);
    for (size_t i = 0; i < after.count; i++) {
        assert_true(sitting_has_card(&before, after.names[i]));
    }
    play_until(players, "round 2 of", GAME_MS);
    leave_for_good(ada);
    leave_for_good(bob);
}

static void a_player_who_closed_the_window_gets_the_seat_back(void **state)
{
    struct terminal *ada = people_enter(*state, "ada", 80, 24);
    struct terminal *bob = people_enter(*state, "bob", 80, 24);
    struct terminal *const players[] = {ada, bob, NULL};
    sitting_begin(ada, bob);
    play_until(players, "took the trick before", GAME_MS);
    terminal_free(ada);
    terminal_expect(bob, "no connection");
    ada = people_enter(*state, "ada", 120, 40);
    terminal_expect(ada, "round 1 of");
    struct terminal *const again[] = {ada, bob, NULL};
    play_until(again, "round 2 of", GAME_MS);
    leave_for_good(ada);
    leave_for_good(bob);
}

static void two_tables_play_at_once(void **state)
{
    struct terminal *ada = people_enter(*state, "ada", 80, 24);
    struct terminal *bob = people_enter(*state, "bob", 120, 40);
    struct terminal *const players[] = {ada, bob, NULL};
    struct terminal *const backwards[] = {bob, ada, NULL};
    terminal_type(ada, "b");
    terminal_expect(ada, "round 1 of");
    terminal_type(bob, "b");
    terminal_expect(bob, "round 1 of");
    play_until(players, "round 2 of", GAME_MS);
    play_until(backwards, "round 2 of", GAME_MS);
    leave_for_good(ada);
    leave_for_good(bob);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(two_people_and_two_bots_play_a_whole_game, open_house,
                                        close_house),
        cmocka_unit_test_setup_teardown(players_hold_the_same_cards_after_the_core_is_killed,
                                        open_house, close_house),
        cmocka_unit_test_setup_teardown(a_player_who_closed_the_window_gets_the_seat_back,
                                        open_house, close_house),
        cmocka_unit_test_setup_teardown(two_tables_play_at_once, open_house, close_house),
    };
    return cmocka_run_group_tests_name("game", tests, NULL, NULL);
}
