#include "storage/archive/archive.h"

#include "storage/ratings/ratings.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

struct people {
    int64_t mira, bob, ada;
};

static struct people add_people(struct storage *storage)
{
    return (struct people){fixture_add_account(storage, "mira", STORAGE_PLAYER),
                           fixture_add_account(storage, "bob", STORAGE_PLAYER),
                           fixture_add_account(storage, "ada", STORAGE_PLAYER)};
}

static int64_t add_game(struct storage *storage, int64_t account, int64_t opponent,
                        int64_t finished_ms)
{
    const int64_t accounts[] = {account, opponent};

    return fixture_add_finished_game(storage, accounts, 2, finished_ms);
}

/* Adds a game of `account` that was finished unrated or was ended early. */
static int64_t add_game_that_does_not_count(struct storage *storage, int64_t account,
                                            enum storage_game_state ending, int64_t finished_ms)
{
    const int64_t game = fixture_add_game(storage, fixture_add_table(storage));
    const struct storage_score score = {.who = fixture_make_seat(account, "mira"), .rank = 1};
    const struct storage_finish finish = {.game = game,
                                          .state = ending,
                                          .finished_ms = finished_ms,
                                          .scores = &score,
                                          .score_count = 1};

    assert_ok(storage_game_finish(storage, &finish));
    return game;
}

static bool collect_played_game(void *context, const struct storage_past_game *played)
{
    return fixture_add_word(context, "%d", (int)played->game_id);
}

static bool copy_played_game(void *context, const struct storage_past_game *played)
{
    *(struct storage_past_game *)context = *played;
    return true;
}

static void an_accounts_finished_games_are_listed_newest_first(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const struct people who = add_people(storage);
    struct fixture_words words = {.count = 0};

    assert_ok(storage_past_games_by_account(storage, who.mira, INT64_MAX, 9, collect_played_game,
                                            &words));
    assert_words(&words, "");
    (void)add_game(storage, who.mira, who.bob, 300); /* gets game number 1 */
    (void)add_game(storage, who.ada, who.bob, 100);
    (void)add_game(storage, who.ada, who.mira, 200);
    (void)add_game_that_does_not_count(storage, who.mira, STORAGE_GAME_CUT, 400);
    (void)add_game_that_does_not_count(storage, who.mira, STORAGE_GAME_FINISHED,
                                       500); /* gets game number 5 */
    assert_ok(storage_game_void(storage, add_game(storage, who.mira, who.bob, 600)));
    (void)fixture_add_game(storage, fixture_add_table(storage));
    assert_ok(storage_past_games_by_account(storage, who.mira, INT64_MAX, 9, collect_played_game,
                                            &words));
    assert_words(&words, "5 3 1 ");
    assert_ok(storage_past_games_by_account(storage, who.mira, 5, 1, collect_played_game, &words));
    assert_words(&words, "3 ");
    words.stop_after = 2;
    assert_ok(storage_past_games_by_account(storage, who.mira, INT64_MAX, 9, collect_played_game,
                                            &words));
    assert_words(&words, "5 3 ");
}

static void a_listed_game_includes_its_change_to_the_accounts_rating(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const struct people who = add_people(storage);
    struct storage_past_game found;
    struct storage_rating_change change = {
        .account = who.mira, .game = "whist", .mu_before = 25.0, .mu_after = 26.0};

    change.game_id = add_game(storage, who.mira, who.bob, 100);
    assert_ok(storage_rating_change_add(storage, &change));
    change.account = who.bob;
    change.seat = 1;
    change.mu_after = 24.5;
    assert_ok(storage_rating_change_add(storage, &change));
    assert_ok(
        storage_past_games_by_account(storage, who.bob, INT64_MAX, 9, copy_played_game, &found));
    assert_true(found.is_rated && found.has_change);
    assert_true(found.change_mu == -0.5);
    assert_int_equal(found.own, 1);
    assert_int_equal(found.score_count, 2);
    assert_string_equal(found.scores[0].who.name, "mira");
    assert_string_equal(found.game, "whist");
    assert_int_equal(found.finished_ms, 100);
    (void)add_game_that_does_not_count(storage, who.bob, STORAGE_GAME_FINISHED, 200);
    assert_ok(
        storage_past_games_by_account(storage, who.bob, INT64_MAX, 1, copy_played_game, &found));
    assert_false(found.is_rated || found.has_change);
}

/* A player who left and later took another seat has two rows of scores. */
static void a_game_in_which_an_account_has_two_scores_is_listed_once(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const struct people who = add_people(storage);
    const int64_t accounts[] = {who.bob, who.mira, who.mira};
    struct fixture_words words = {.count = 0};
    struct storage_past_game found;

    (void)fixture_add_finished_game(storage, accounts, 3, 100);
    assert_ok(storage_past_games_by_account(storage, who.mira, INT64_MAX, 9, collect_played_game,
                                            &words));
    assert_words(&words, "1 ");
    assert_ok(
        storage_past_games_by_account(storage, who.mira, INT64_MAX, 9, copy_played_game, &found));
    assert_int_equal(found.own, 1);
    assert_int_equal(found.score_count, 3);
}

static void a_guests_games_are_found_by_name_without_those_of_a_bot_of_that_name(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    static const enum storage_holder holders[] = {STORAGE_SEAT_GUEST, STORAGE_SEAT_BOT,
                                                  STORAGE_SEAT_GUEST, STORAGE_SEAT_GUEST};

    for (size_t i = 0; i < ARRAY_LEN(holders); i++) {
        struct storage_score score = {.who = {.holder = holders[i]}, .rank = 1};
        const struct storage_finish finish = {
            .game = fixture_add_game(storage, fixture_add_table(storage)),
            .state = i == 3 ? STORAGE_GAME_CUT : STORAGE_GAME_FINISHED,
            .scores = &score,
            .score_count = 1};
        (void)snprintf(score.who.name, sizeof score.who.name, "guest-3");
        assert_ok(storage_game_finish(storage, &finish));
    }
    assert_ok(
        storage_past_games_by_guest(storage, "guest-3", INT64_MAX, 9, collect_played_game, &words));
    assert_words(&words, "3 1 ");
    assert_ok(storage_past_games_by_guest(storage, "guest-3", 3, 9, collect_played_game, &words));
    assert_words(&words, "1 ");
    assert_ok(
        storage_past_games_by_guest(storage, "guest-3", INT64_MAX, 1, collect_played_game, &words));
    assert_words(&words, "3 ");
    assert_ok(
        storage_past_games_by_guest(storage, "guest-4", INT64_MAX, 9, collect_played_game, &words));
    assert_words(&words, "");
}

static bool collect_game(void *context, int64_t game)
{
    return fixture_add_word(context, "%d", (int)game);
}

static void finished_games_after_a_given_one_are_listed_by_ascending_id(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const struct people who = add_people(storage);
    struct fixture_words words = {.count = 0};

    (void)add_game(storage, who.mira, who.bob, 300);
    (void)add_game_that_does_not_count(storage, who.mira, STORAGE_GAME_CUT, 100);
    (void)add_game(storage, who.ada, who.bob, 200);
    (void)add_game_that_does_not_count(storage, who.mira, STORAGE_GAME_FINISHED, 100);
    assert_ok(storage_finished_games_each(storage, 0, collect_game, &words));
    assert_words(&words, "1 3 4 ");
    assert_ok(storage_finished_games_each(storage, 1, collect_game, &words));
    assert_words(&words, "3 4 ");
    words.stop_after = 1;
    assert_ok(storage_finished_games_each(storage, 0, collect_game, &words));
    assert_words(&words, "1 ");
}

static void rated_games_are_listed_by_the_time_they_ended_including_void_ones(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const struct people who = add_people(storage);
    struct storage_ended_game at = {0, 0};
    const int64_t late = add_game(storage, who.mira, who.bob, 300);
    const int64_t early = add_game(storage, who.mira, who.bob, 100);
    const int64_t twin = add_game(storage, who.ada, who.bob, 100);

    (void)add_game_that_does_not_count(storage, who.mira, STORAGE_GAME_FINISHED, 200);
    assert_ok(storage_game_void(storage, early));
    assert_ok(storage_past_games_find_next_rated(storage, "whist", &at, &at));
    assert_int_equal(at.game_id, early);
    assert_int_equal(at.at_ms, 100);
    assert_ok(storage_past_games_find_next_rated(storage, "whist", &at, &at));
    assert_int_equal(at.game_id, twin);
    assert_ok(storage_past_games_find_next_rated(storage, "whist", &at, &at));
    assert_int_equal(at.game_id, late);
    assert_int_equal(at.at_ms, 300);
    assert_result(storage_past_games_find_next_rated(storage, "whist", &at, &at),
                  STORAGE_NOT_FOUND);
    assert_int_equal(at.game_id, late);
    at = (struct storage_ended_game){0, 0};
    assert_result(storage_past_games_find_next_rated(storage, "other", &at, &at),
                  STORAGE_NOT_FOUND);
}

/* Adds a rated game whose players had these ratings before it. */
static int64_t add_rated_game(struct storage *storage, const struct people *who,
                              int64_t finished_ms, double one_mu, double other_mu)
{
    struct storage_rating_change change = {.account = who->mira, .mu_before = one_mu};

    change.game_id = add_game(storage, who->mira, who->bob, finished_ms);
    assert_ok(storage_rating_change_add(storage, &change));
    change.account = who->bob;
    change.seat = 1;
    change.mu_before = other_mu;
    assert_ok(storage_rating_change_add(storage, &change));
    return change.game_id;
}

static void the_best_game_of_a_period_has_the_highest_average_rating(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const struct people who = add_people(storage);
    int64_t best = 77;

    assert_result(storage_past_games_find_highest_rated(storage, 0, 1000, &best),
                  STORAGE_NOT_FOUND);
    assert_int_equal(best, 77);
    (void)add_rated_game(storage, &who, 100, 40.0, 40.0);
    const int64_t one = add_rated_game(storage, &who, 200, 20.0, 40.0);
    const int64_t other = add_rated_game(storage, &who, 300, 30.0, 30.0);
    const int64_t last = add_rated_game(storage, &who, 400, 31.0, 31.0);
    (void)add_game(storage, who.mira, who.ada, 250); /* an unrated game, which changed no rating */
    assert_ok(storage_past_games_find_highest_rated(storage, 200, 299, &best));
    assert_int_equal(best, one);
    assert_ok(storage_past_games_find_highest_rated(storage, 101, 399, &best));
    assert_int_equal(best, other); /* both averages are equal: the newer game is found */
    assert_ok(storage_past_games_find_highest_rated(storage, 101, 400, &best));
    assert_int_equal(best, last);
    assert_ok(storage_game_void(storage, last));
    assert_ok(storage_past_games_find_highest_rated(storage, 101, 400, &best));
    assert_int_equal(best, other);
}

TEST_GROUP(past_games)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(an_accounts_finished_games_are_listed_newest_first),
        FIXTURE_TEST(a_listed_game_includes_its_change_to_the_accounts_rating),
        FIXTURE_TEST(a_game_in_which_an_account_has_two_scores_is_listed_once),
        FIXTURE_TEST(a_guests_games_are_found_by_name_without_those_of_a_bot_of_that_name),
        FIXTURE_TEST(finished_games_after_a_given_one_are_listed_by_ascending_id),
        FIXTURE_TEST(rated_games_are_listed_by_the_time_they_ended_including_void_ones),
        FIXTURE_TEST(the_best_game_of_a_period_has_the_highest_average_rating),
    };
    return cmocka_run_group_tests_name("played", tests, NULL, NULL);
}
