#include "tests/e2e/house.h"
#include "tests/e2e/line_client.h"
#include "tests/e2e/people.h"
#include "tests/unit.h"

/*
 * Claims of all remaining tricks, over the real ssh. The house deals the cards that
 * dealt/house_dealt.c describes, so Ada can claim in the second round, whatever the others bid and
 * play.
 */

#define OFFER "m claim the rest"
#define DOWN "\x1b[B"
#define PAGE_UP "\x1b[5~"
#define RIGHT "\x1b[C"

/* Types the keys once the screen shows the words and takes keys. */
static void type_at(struct terminal *person, const char *words, const char *keys)
{
    terminal_expect(person, words);
    terminal_wait_until_still(person);
    terminal_type(person, keys);
}

/* Ada opens the set-up of a table for 4 at Oh Hell whose first rounds have 1 and 2 cards. */
static struct terminal *set_up_table_as_ada(const struct house_fixture *house)
{
    struct terminal *ada = people_connect(house, "ada", 80, 24);
    terminal_type(ada, "n");
    type_at(ada, "A new table", DOWN DOWN RIGHT RIGHT RIGHT);
    terminal_expect(ada, "short: up from 1 card");
    terminal_expect(ada, "4 (from 3 to 7)");
    return ada;
}

/* Claims with the key that is offered, and answers the question. */
static void claim_as_ada(struct terminal *ada)
{
    type_at(ada, OFFER, "m");
    type_at(ada, "Claim them?", "y");
}

static void bid_in_first_round_as_ada(struct terminal *ada)
{
    type_at(ada, "Bid 0", "m");
    terminal_expect(ada, "No tricks can be claimed before everybody has bid.");
    terminal_type(ada, "0");
}

/* Ada plays the only card of the first round, which does not win for certain. */
static void play_in_first_round_as_ada(struct terminal *ada)
{
    type_at(ada, "No ♦, play any card", "m");
    assert_false(terminal_shows(ada, OFFER));
    terminal_expect(ada, "That is not certain from what you can see");
    terminal_print(ada, "a claim is refused");
    terminal_type(ada, "1");
    type_at(ada, "Last trick: ", "\r");
}

static void leave_for_good(struct terminal *ada)
{
    terminal_wait_until_still(ada);
    terminal_type(ada, "X");
    terminal_expect(ada, "Leave for good?");
    terminal_type(ada, "y");
    terminal_expect_gone(ada, "Leave for good?");
    terminal_free(ada);
}

/* Checks that the log, which the key L opens, shows the words after the keys have scrolled it. */
static void expect_in_log(struct terminal *ada, const char *keys, const char *words)
{
    terminal_wait_until_still(ada);
    terminal_type(ada, "L");
    type_at(ada, "what happened", keys);
    terminal_expect(ada, words);
    terminal_print(ada, "the log");
    terminal_type(ada, "q");
    terminal_expect(ada, "c to talk");
}

static void bots_accept_a_proven_claim_at_once(void **state)
{
    struct terminal *ada = set_up_table_as_ada(*state);
    terminal_type(ada, "b");
    bid_in_first_round_as_ada(ada);
    play_in_first_round_as_ada(ada);
    type_at(ada, "Bid 0", "2");
    terminal_expect(ada, OFFER);
    terminal_print(ada, "a claim is offered");
    claim_as_ada(ada);
    terminal_expect(ada, "you took it: highest trump");
    terminal_expect(ada, "bid 2, took 2");
    type_at(ada, "Round 2 is over. Enter goes on", "\r");
    terminal_expect(ada, "round 3 of 10");
    expect_in_log(ada, PAGE_UP, "The claim stands: ada takes all remaining tricks (2).");
    leave_for_good(ada);
}

/* Bob signs up in plain mode and sits down at Ada's table. */
static struct line_client *seat_bob(const struct house_fixture *house)
{
    struct line_client *bob = line_client_open_ssh(house, "bob", "bob", "-T", "xterm-256color");
    line_client_expect(bob, "Choose a name:");
    line_client_type(bob, "\n");
    line_client_expect(bob, "Enter alone: none");
    line_client_type(bob, "\n");
    line_client_expect(bob, "Write this down: ");
    line_client_type(bob, "lobby\n");
    line_client_expect(bob, "The lobby of ");
    line_client_type(bob, "/sit 1\n");
    line_client_expect(bob, "about to begin");
    return bob;
}

static void play_as_bob(struct line_client *bob, const char *question, const char *answer)
{
    line_client_expect(bob, question);
    line_client_type(bob, answer);
}

/* Bob is asked about Ada's claim, and answers with the line. */
static void answer_claim_as_bob(struct line_client *bob, const char *cards, const char *answer)
{
    line_client_expect(bob, "ada claims all remaining tricks");
    line_client_expect(bob, cards);
    line_client_expect(bob, "(y: accept, n: play on");
    line_client_type(bob, answer);
}

static void a_person_who_is_asked_can_play_on_and_accept_a_later_claim(void **state)
{
    struct terminal *ada = set_up_table_as_ada(*state);
    terminal_type(ada, "\r");
    type_at(ada, "about to begin", "b");
    type_at(ada, "Waiting for 2 more players", "b");
    struct line_client *bob = seat_bob(*state);
    type_at(ada, "Enter begins the game", "s");
    play_as_bob(bob, "Your turn", "0\n");
    bid_in_first_round_as_ada(ada);
    play_as_bob(bob, "Your turn", "1\n");
    play_in_first_round_as_ada(ada);
    play_as_bob(bob, "Press Enter to go on.", "\n");
    type_at(ada, "Bid 0", "2");
    play_as_bob(bob, "Your turn", "0\n");
    claim_as_ada(ada);
    answer_claim_as_bob(bob, "AD KD", "n\n");
    expect_in_log(ada, "", "bob plays on: the claim does not stand.");
    claim_as_ada(ada);
    terminal_expect(ada, "Somebody wants to play on: play a card, and claim in the next trick.");
    type_at(ada, OFFER, "1");
    play_as_bob(bob, "Your turn", "1\n");
    type_at(ada, "Lead any card", "m");
    type_at(ada, "Only the last trick is left: play your card.", "/claim\r");
    answer_claim_as_bob(bob, "KD", "y\n");
    line_client_expect(bob, "The claim stands: ada takes all remaining tricks (1).");
    line_client_expect(bob, "ada takes the trick");
    line_client_expect(bob, "Round 2 is over");
    terminal_expect(ada, "bid 2, took 2");
    line_client_print(bob, "bob");
    line_client_free(bob);
    leave_for_good(ada);
}

static void a_claim_in_a_game_with_unknown_own_cards_is_refused_with_the_reason(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 80, 24);
    terminal_type(ada, "/quick suppose\r");
    type_at(ada, "Order the colours: ", "/claim\r");
    terminal_expect(ada, "In this game nobody can claim tricks");
    leave_for_good(ada);
}

#define in_a_house(test) cmocka_unit_test_setup_teardown(test, house_set_up, house_tear_down)

TEST_GROUP(claim)
{
    const struct CMUnitTest tests[] = {
        in_a_house(bots_accept_a_proven_claim_at_once),
        in_a_house(a_person_who_is_asked_can_play_on_and_accept_a_later_claim),
        in_a_house(a_claim_in_a_game_with_unknown_own_cards_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests_name("claim", tests, NULL, NULL);
}
