#include "tests/e2e/house.h"
#include "tests/e2e/pair.h"
#include "tests/e2e/people.h"
#include "tests/e2e/play.h"
#include "tests/unit.h"

/* People lose their connections and come back, and the house closes and opens again. The game waits
 * for them. */

#define GAME_MS 60000

/* Connects again and expects to be at the table at once. */
static struct terminal *reconnect_to_table(const struct house_fixture *house, const char *name)
{
    struct terminal *person = people_connect(house, name, 80, 24);
    terminal_expect(person, "round 1 of");
    return person;
}

/* Connects again and expects the lobby, because the game was adjourned. */
static struct terminal *reconnect_to_lobby(const struct house_fixture *house, const char *name)
{
    struct terminal *person = people_connect(house, name, 80, 24);
    terminal_expect(person, "#1 Oh Hell");
    terminal_type(person, "/watch 1\r");
    terminal_expect(person, "round 1 of");
    return person;
}

static void assert_same_cards(const struct pair_cards *before, const struct pair_cards *after)
{
    assert_int_equal(before->count, after->count);
    for (size_t i = 0; i < before->count; i++) {
        assert_true(pair_has_card(after, before->names[i]));
    }
}

/* Begins a game and waits for Ada's first turn, so that the house has answered all keys she
 * pressed. Returns the cards she holds. */
static struct pair_cards begin_game(const struct house_fixture *house, struct terminal **ada,
                                    struct terminal **bob)
{
    *ada = people_connect(house, "ada", 80, 24);
    *bob = people_connect(house, "bob", 80, 24);
    pair_begin_game(*ada, *bob);
    pair_play_until_turn_of(*ada, *bob);
    return pair_read_cards(*ada);
}

static void a_seat_waits_for_a_player_who_lost_the_connection(void **state)
{
    struct terminal *ada = NULL;
    struct terminal *bob = NULL;
    struct pair_cards before = begin_game(*state, &ada, &bob);
    terminal_free(ada);
    terminal_expect(bob, "ada lost the connection; waiting ");
    terminal_print(bob, "waiting");
    ada = reconnect_to_table(*state, "ada");
    terminal_expect(ada, "You are back at #1 Oh Hell, and have missed nothing. It is your turn.");
    terminal_expect_gone(bob, "ada lost the connection; waiting ");
    pair_play_until_turn_of(ada, bob);
    struct pair_cards after = pair_read_cards(ada);
    assert_same_cards(&before, &after);
    terminal_free(ada);
    terminal_free(bob);
}

static void both_players_must_agree_to_pause_and_either_can_end_the_pause(void **state)
{
    struct terminal *ada = NULL;
    struct terminal *bob = NULL;
    (void)begin_game(*state, &ada, &bob);
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
    struct pair_cards before = begin_game(house, &ada, &bob);
    terminal_type(ada, "/adjourn\r");
    terminal_expect(bob, "ada asks to adjourn");
    terminal_type(bob, "/adjourn\r");
    terminal_expect(ada, "Adjourned until all say");
    terminal_free(ada);
    terminal_free(bob);
    house_stop(house);
    house_start(house, NULL);
    ada = reconnect_to_lobby(house, "ada");
    bob = reconnect_to_lobby(house, "bob");
    terminal_expect(ada, "Adjourned until all say");
    terminal_print(ada, "adjourned");
    terminal_type(ada, "/resume\r");
    terminal_expect(bob, "ada is ready to play on");
    terminal_type(bob, "/resume\r");
    terminal_expect_gone(ada, "Adjourned until all say");
    pair_play_until_turn_of(ada, bob);
    struct pair_cards after = pair_read_cards(ada);
    assert_same_cards(&before, &after);
    terminal_free(ada);
    terminal_free(bob);
}

static void
players_return_to_their_seats_after_a_house_that_closed_during_a_game_reopens(void **state)
{
    struct house_fixture *house = *state;
    struct terminal *ada = NULL;
    struct terminal *bob = NULL;
    struct pair_cards before = begin_game(house, &ada, &bob);
    house_stop(house);
    terminal_free(ada);
    terminal_free(bob);
    house_start(house, NULL);
    ada = reconnect_to_table(house, "ada");
    terminal_expect(ada, "Interrupted: waiting for bob");
    terminal_print(ada, "the house was away");
    terminal_type_line(ada, "/premove 0"); /* bids: at most one of them is forbidden */
    terminal_expect(ada, "waiting for bob; then ");
    terminal_type_line(ada, "/premove 1");
    bob = reconnect_to_table(house, "bob");
    terminal_expect(ada, "Played as you wanted");
    pair_play_until_turn_of(ada, bob);
    struct pair_cards after = pair_read_cards(ada);
    assert_same_cards(&before, &after);
    terminal_free(ada);
    terminal_free(bob);
}

#define ABSENCE_TEST(test) cmocka_unit_test_setup_teardown(test, house_set_up, house_tear_down)

TEST_GROUP(absence)
{
    const struct CMUnitTest tests[] = {
        ABSENCE_TEST(a_seat_waits_for_a_player_who_lost_the_connection),
        ABSENCE_TEST(both_players_must_agree_to_pause_and_either_can_end_the_pause),
        ABSENCE_TEST(an_adjourned_game_can_continue_after_the_house_restarts),
        ABSENCE_TEST(players_return_to_their_seats_after_a_house_that_closed_during_a_game_reopens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
