#include "tests/e2e/house.h"
#include "tests/e2e/pair.h"
#include "tests/e2e/people.h"
#include "tests/e2e/play.h"
#include "tests/unit.h"

#include <string.h>

/* Two people watch a game over the real ssh, one round late. Then one of the players shows them a
 * shared replay, and everybody looks up the leaderboards. */

#define GAME_MS 150000
#define RIGHT "\x1b[C"

static void watch_table(struct terminal *person)
{
    terminal_type(person, "/watch 1\r");
    terminal_expect(person, "watching, a round behind");
    terminal_expect(person, "round 1 of");
}

/* Checks that spectators see a player's moves one round later. */
static void check_delayed_view(void *context, struct terminal *player)
{
    struct terminal *eve = context;
    if (terminal_shows(player, "round 2 of")) {
        terminal_read(eve, 0);
        assert_false(terminal_shows(eve, "round 2 of"));
        assert_true(terminal_shows(eve, "round 1 of"));
    }
}

static void share_replay(struct terminal *ada, struct terminal *eve, struct terminal *fay)
{
    terminal_type(ada, "/review 1\r");
    terminal_expect(ada, "you lead");
    terminal_type(eve, "/follow ada\r");
    terminal_expect(eve, "ada leads");
    terminal_type(fay, "/follow eve\r");
    terminal_expect(ada, "you lead, 2 follow");
    terminal_type(ada, RIGHT RIGHT RIGHT);
    terminal_expect(eve, "step 3 of");
    terminal_expect(fay, "step 3 of");
    terminal_expect(fay, "ada leads");
    terminal_print(eve, "following");
    terminal_type(ada, "/handover eve\r");
    terminal_expect(eve, "you lead");
    terminal_type(eve, RIGHT);
    terminal_expect(ada, "step 4 of");
    terminal_expect(fay, "step 4 of");
    terminal_type(eve, "q");
    terminal_expect(
        fay,
        "ada leads"); /* fay has followed the replay for longest since ada handed over the lead */
    terminal_type(ada, RIGHT);
    terminal_expect(fay, "step 5 of");
}

/* Types a command, waits until all of these rows are shown (NULL-ended), and prints the screen. */
static void run_command_and_expect_rows(struct terminal *person, const char *command,
                                        const char *const *rows, const char *caption)
{
    terminal_type(person, command);
    for (size_t i = 0; rows[i] != NULL; i++) {
        terminal_expect(person, rows[i]);
    }
    terminal_print(person, caption);
}

/* Replays the finished game with all hands, trick by trick. */
static void replay_all_hands(struct terminal *person, const char *caption)
{
    static const char *const begun[] = {"replay: all hands", "ada", "bob", "step 0 of ",
                                        "the first deal",    NULL};
    static const char *const played[] = {"replay: all hands", "round 1 of", "took it", NULL};
    run_command_and_expect_rows(person, "/replay 1\r", begun,
                                "a finished game with all hands, at its first deal");
    run_command_and_expect_rows(person, "\x1b[B\x1b[B", played, caption);
    run_command_and_expect_rows(person, "\x1b[6~\x1b[6~",
                                (const char *const[]){"round 2 of", "replay: all hands", NULL},
                                "the next round of the finished game");
    terminal_type(person, "q");
    terminal_expect_gone(person, "replay: all hands");
}

/* Looks up the leaderboard and a person's record, at 80x24 and with more columns at 120x40. */
static void look_up_leaderboards(struct terminal *ada, struct terminal *fay)
{
    static const char *const leaders[] = {
        "    #   7 d  Player           Rating      Games   Won  Place  exact bids  Seen",
        "2 players", "Enter profile", NULL};
    static const char *const leaders_wide[] = {
        "Won  Place  exact bids  Finished  Streak  Best              Seen", "2 players", NULL};
    static const char *const profile[] = {
        "    #   7 d  Game             Rating      Games   Won  Place        Stat  Seen",
        "Here since 20",
        "In the house now.",
        "the rating, game by game",
        "  Finished    Game              Place    Score  Rating    Number  With",
        "         1  ", /* the game of number 1, then the others by place */
        NULL};
    run_command_and_expect_rows(ada, "/leaders\r", leaders, "the leaderboard, 80x24");
    run_command_and_expect_rows(fay, "/leaders\r", leaders_wide, "the leaderboard, 120x40");
    run_command_and_expect_rows(ada, "\r", profile, "a profile, 80x24");
    run_command_and_expect_rows(fay, "/finger bob\r", profile + 1, "a profile, 120x40");
}

static void two_spectators_watch_one_round_behind_and_join_a_shared_replay(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 80, 24);
    struct terminal *bob = people_connect(*state, "bob", 80, 24);
    struct terminal *eve = people_connect(*state, "eve", 80, 24);
    struct terminal *fay = people_connect(*state, "fay", 120, 40);
    struct terminal *const players[] = {ada, bob, NULL};
    pair_open_table(ada, bob);
    terminal_type(ada, "w");
    terminal_expect(ada, "Who may watch");
    terminal_type(ada, "d");
    terminal_expect(ada, "everybody, a round behind");
    terminal_expect(bob, "everybody, a round behind");
    terminal_type(ada, "s");
    terminal_expect(ada, "round 1 of");
    watch_table(eve);
    watch_table(fay);
    play_until_observed(players, "round 3 of", GAME_MS, check_delayed_view, eve);
    terminal_expect(eve, "round 2 of");
    terminal_expect(fay, "round 2 of");
    terminal_print(eve, "watching with delay, 80x24");
    terminal_print(fay, "watching with delay, 120x40");
    play_until(players, "deal ✓", GAME_MS);
    terminal_expect(eve, "deal ✓");
    terminal_expect(fay, "deal ✓");
    share_replay(ada, eve, fay);
    replay_all_hands(eve, "all hands after two tricks, 80x24");
    terminal_type(fay, "q");
    terminal_expect_gone(fay, "ada leads");
    replay_all_hands(fay, "all hands after two tricks, 120x40");
    look_up_leaderboards(ada, fay);
    terminal_free(fay);
    terminal_free(eve);
    terminal_free(bob);
    terminal_free(ada);
}

TEST_GROUP(watch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            two_spectators_watch_one_round_behind_and_join_a_shared_replay, house_set_up,
            house_tear_down),
    };
    return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
