#include "tests/e2e/house.h"
#include "tests/e2e/people.h"
#include "tests/e2e/play.h"
#include "tests/e2e/sitting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* People lose their connections and come back, and the house closes and opens again. The game waits
 * for them. */

#define GAME_MS 60000

static int open_house(void **state)
{
    static struct house_fixture house;
    house_open(&house);
    house_make_key(&house, "ada");
    house_make_key(&house, "bob");
    *state = &house;
    return 0;
}

/* Connects again and is at the table without doing anything. */
static struct terminal *come_back(const struct house_fixture *house, const char *name)
{
    struct terminal *person = people_enter(house, name, 80, 24);
    terminal_expect(person, "round 1 of");
    return person;
}

/* Connects again after the game was adjourned; the person is in the lobby. */
static struct terminal *come_to_adjourned(const struct house_fixture *house, const char *name)
{
    struct terminal *person = people_enter(house, name, 80, 24);
    terminal_expect(person, "#1 Oh Hell");
    terminal_type(person, "/watch 1\r");
    terminal_expect(person, "round 1 of");
    return person;
}

static void assert_same_cards(const struct sitting_cards *before, const struct sitting_cards *after)
{
    assert_int_equal(before->count, after->count);
    for (size_t i = 0; i < before->count; i++) {
        assert_true(sitting_has_card(after, before->names[i]));
    }
}

/* It is Ada's first turn, so no key of hers is on its way. Returns the cards she holds. */
static struct sitting_cards begin(const struct house_fixture *house, struct terminal **ada,
                                  struct terminal **bob)
{
    *ada = people_enter(house, "ada", 80, 24);
    *bob = people_enter(house, "bob", 80, 24);
    sitting_begin(*ada, *bob);
    sitting_until_asked(*ada, *bob);
    return sitting_cards(*ada);
}

static void a_seat_waits_for_a_player_who_lost_the_connection(void **state)
{
    struct terminal *ada = NULL;
    struct terminal *bob = NULL;
    struct sitting_cards before = begin(*state, &ada, &bob);
    terminal_free(ada);
    terminal_expect(bob, "ada lost the connection; waiting ");
    terminal_print(bob, "waiting");
    ada = come_back(*state, "ada");
    terminal_expect(ada, "You are back at #1 Oh Hell, and have missed nothing. It is your turn.");
    terminal_expect_gone(bob, "ada lost the connection; waiting ");
    sitting_until_asked(ada, bob);
    struct sitting_cards after = sitting_cards(ada);
    assert_same_cards(&before, &after);
    terminal_free(ada);
    terminal_free(bob);
}

static void a_pause_needs_both_players_and_either_ends_it(void **state)
{
    struct terminal *ada = NULL;
    struct terminal *bob = NULL;
    (void)begin(*state, &ada, &bob);
    terminal_type(ada, "/pause\r");
    terminal_expect(bob, "ada asks for a pause");
    terminal_type(bob, "/pause\r");
    terminal_expect(ada, "Paused: no clock runs");
    terminal_expect(bob, "Paused: no clock runs");
    terminal_print(ada, "paused");
    terminal_type(bob, "/resume\r");
    terminal_expect_gone(ada, "Paused: no clock runs");
    struct terminal *const players[] = {ada, bob, NULL};
    play_until(players, "round 2 of", GAME_MS);
    terminal_free(ada);
    terminal_free(bob);
}

static void an_adjourned_game_can_continue_after_the_house_restarts(void **state)
{
    struct house_fixture *house = *state;
    struct terminal *ada = NULL;
    struct terminal *bob = NULL;
    struct sitting_cards before = begin(house, &ada, &bob);
    terminal_type(ada, "/adjourn\r");
    terminal_expect(bob, "ada asks to adjourn");
    terminal_type(bob, "/adjourn\r");
    terminal_expect(ada, "Adjourned until all say");
    terminal_free(ada);
    terminal_free(bob);
    house_stop(house);
    house_start(house, NULL);
    ada = come_to_adjourned(house, "ada");
    bob = come_to_adjourned(house, "bob");
    terminal_expect(ada, "Adjourned until all say");
    terminal_print(ada, "adjourned");
    terminal_type(ada, "/resume\r");
    terminal_expect(bob, "ada is ready to play on");
    terminal_type(bob, "/resume\r");
    terminal_expect_gone(ada, "Adjourned until all say");
    sitting_until_asked(ada, bob);
    struct sitting_cards after = sitting_cards(ada);
    assert_same_cards(&before, &after);
    terminal_free(ada);
    terminal_free(bob);
}

static void players_return_to_their_seats_after_the_house_closed_during_a_game(void **state)
{
    struct house_fixture *house = *state;
    struct terminal *ada = NULL;
    struct terminal *bob = NULL;
    struct sitting_cards before = begin(house, &ada, &bob);
    house_stop(house);
    terminal_free(ada);
    terminal_free(bob);
    house_start(house, NULL);
    ada = come_back(house, "ada");
    terminal_expect(ada, "The house was away: waiting for bob");
    terminal_print(ada, "the house was away");
    bob = come_back(house, "bob");
    terminal_expect_gone(ada, "The house was away: waiting for bob");
    sitting_until_asked(ada, bob);
    struct sitting_cards after = sitting_cards(ada);
    assert_same_cards(&before, &after);
    terminal_free(ada);
    terminal_free(bob);
}

#define ABSENCE_TEST(test) cmocka_unit_test_setup_teardown(test, open_house, house_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ABSENCE_TEST(a_seat_waits_for_a_player_who_lost_the_connection),
        ABSENCE_TEST(a_pause_needs_both_players_and_either_ends_it),
        ABSENCE_TEST(an_adjourned_game_can_continue_after_the_house_restarts),
        ABSENCE_TEST(players_return_to_their_seats_after_the_house_closed_during_a_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
