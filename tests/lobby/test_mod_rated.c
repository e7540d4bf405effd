#include "games/game.h"
#include "lobby/rating.h"
#include "storage/games.h"
#include "storage/ratings.h"
#include "storage/refunds.h"
#include "tests/lobby/order_driver.h"

#include <math.h>
#include <string.h>

/* Games declared void, and rating given back. */

/* A rated game of bob and eve, played to its end; gives its number. */
static int64_t play_rated(struct driver *driver)
{
    const int64_t both[] = {BOB, EVE};
    int64_t table = driver_open_table(driver, BOB, 3, 60);
    if (!driver->has_bots) {
        driver_connect(driver, DRIVER_BOT, PEER_BOT);
        driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':1}");
        driver->has_bots = true;
    }
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'random'}");
    driver_ok(driver, BOB, "{'t':'table_start'}");
    driver_play(driver, both, ARRAY_LEN(both), 10000);
    return driver_number(driver_newest(driver, BOB, "result"), "game_id");
}

static double mu_of(struct driver *driver, const char *name)
{
    struct storage_account account;
    struct storage_rating rating = {0};
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    if (storage_rating_read(driver->storage, account.id, game_at(0)->id, &rating) != STORAGE_OK) {
        return 0;
    }
    return rating.mu;
}

static double season_mu_of(struct driver *driver, const char *name)
{
    struct storage_account account;
    struct storage_rating rating = {0};
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    assert_int_equal(storage_season_read(driver->storage, account.id, game_at(0)->id,
                                         rating_season(driver->now_ms), &rating),
                     STORAGE_OK);
    return rating.mu;
}

static void confirm_again(struct driver *driver)
{
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
}

static void what_was_lost_in_a_game_is_given_back_once(void **state)
{
    struct driver *driver = *state;
    char line[64];
    int64_t game = play_rated(driver);
    confirm_again(driver);
    snprintf(line, sizeof line, "yes refund @%d he cheated", (int)game);
    order_ok(driver, ADA, line);
    assert_non_null(strstr(order_ok(driver, ADA, "audit verb=refund"), "he cheated"));
    const char *const names[] = {"bob", "eve"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        assert_true(mu_of(driver, names[i]) > 25.0 - 1e-9);
        assert_true(season_mu_of(driver, names[i]) > 25.0 - 1e-9);
    }
    order_no(driver, ADA, "bad", line);
    order_no(driver, ADA, "unknown", "refund @999 why");
    order_no(driver, MAX, "role", line);
}

/* What bob's or eve's rating is by games alone, and what was given back besides; of who lost the
 * game. */
static void loser_stands(struct driver *driver, int64_t game, double *played, double *given)
{
    struct storage_rating_change changes[STORAGE_SCORES_MAX];
    size_t count = 0;
    assert_int_equal(
        storage_rating_changes_read(driver->storage, game, changes, STORAGE_SCORES_MAX, &count),
        STORAGE_OK);
    *given = 0;
    for (size_t i = 0; i < count; i++) {
        struct storage_refund refund = {.account = changes[i].account, .game = game_at(0)->id};
        assert_int_equal(storage_refunds_sum(driver->storage, &refund, INT64_MAX), STORAGE_OK);
        if (refund.mu > 0) {
            *given = refund.mu;
            *played = changes[i].mu_after;
        }
    }
}

static void what_was_given_back_stays_when_ratings_are_computed_anew(void **state)
{
    struct driver *driver = *state;
    char line[64];
    double played = 0, given = 0;
    int64_t first = play_rated(driver);
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_forget(driver, EVE);
    driver_forget(driver, BOB);
    int64_t second = play_rated(driver);
    assert_true(second > first);
    confirm_again(driver);
    snprintf(line, sizeof line, "yes refund @%d she cheated", (int)second);
    order_ok(driver, ADA, line);
    snprintf(line, sizeof line, "yes void @%d collusion", (int)first);
    order_ok(driver, ADA, line);
    driver_pass(driver, 10000);
    confirm_again(driver);
    loser_stands(driver, second, &played, &given);
    assert_true(given > 0);
    double bob = mu_of(driver, "bob"), eve = mu_of(driver, "eve");
    assert_true(fabs(bob - played - given) < 1e-9 || fabs(eve - played - given) < 1e-9);
    snprintf(line, sizeof line, "yes void @%d collusion", (int)second);
    order_ok(driver, ADA, line);
    driver_pass(driver, 10000);
    loser_stands(driver, second, &played, &given);
    assert_true(given == 0);
    assert_true(mu_of(driver, "bob") == 0 && mu_of(driver, "eve") == 0);
}

static void a_void_game_changes_no_rating(void **state)
{
    struct driver *driver = *state;
    char line[64];
    int64_t game = play_rated(driver);
    assert_true(mu_of(driver, "bob") > 0);
    confirm_again(driver);
    snprintf(line, sizeof line, "void @%d collusion", (int)game);
    order_no(driver, MAX, "role", line);
    order_no(driver, ADA, "confirm", line);
    const json_t *before = driver_ok(driver, EVE, "{'t':'record','game_id':%d}", (int)game);
    assert_null(json_object_get(json_object_get(before, "record"), "is_void"));
    snprintf(line, sizeof line, "yes void @%d collusion", (int)game);
    order_ok(driver, ADA, line);
    snprintf(line, sizeof line, "ada void @%d ok", (int)game);
    order_row(driver, line);
    order_told(driver, BOB, "notice", "collusion");
    const json_t *answer = driver_ok(driver, EVE, "{'t':'record','game_id':%d}", (int)game);
    assert_true(json_is_true(json_object_get(json_object_get(answer, "record"), "is_void")));
    driver_pass(driver, 10000);
    assert_true(mu_of(driver, "bob") == 0);
    snprintf(line, sizeof line, "yes void @%d collusion", (int)game);
    order_no(driver, ADA, "unknown", line);
}

/* Who won the last game of bob and eve, and who lost it. */
static const char *winner_of(struct driver *driver)
{
    return mu_of(driver, "bob") > mu_of(driver, "eve") ? "bob" : "eve";
}

static void what_was_lost_to_a_player_goes_back_to_those_who_lost_it(void **state)
{
    struct driver *driver = *state;
    char line[64];
    (void)play_rated(driver);
    confirm_again(driver);
    const char *winner = winner_of(driver);
    const char *loser = strcmp(winner, "bob") == 0 ? "eve" : "bob";
    const double won = mu_of(driver, winner), lost = mu_of(driver, loser);
    const double season = season_mu_of(driver, loser);
    assert_true(won > lost);
    snprintf(line, sizeof line, "refund %s a cheat", loser);
    assert_non_null(strstr(order_no(driver, ADA, "unknown", line), "Nobody lost rating to"));
    snprintf(line, sizeof line, "refund %s a cheat", winner);
    const char *why = order_no(driver, ADA, "confirm", line);
    char gain[32], keeps[80];
    snprintf(gain, sizeof gain, "%s +", loser);
    snprintf(keeps, sizeof keeps, "%s gains and loses nothing", winner);
    assert_non_null(strstr(why, gain));
    assert_non_null(strstr(why, keeps));
    assert_true(mu_of(driver, loser) == lost);
    assert_true(season_mu_of(driver, loser) == season);
    snprintf(line, sizeof line, "yes refund %s a cheat", winner);
    assert_non_null(strstr(order_ok(driver, ADA, line), gain));
    snprintf(line, sizeof line, "ada refund %s ok", winner);
    order_row(driver, line);
    assert_true(mu_of(driver, loser) > lost);
    assert_true(season_mu_of(driver, loser) > season);
    assert_true(mu_of(driver, winner) == won);
    snprintf(line, sizeof line, "yes refund %s a cheat", winner);
    order_no(driver, ADA, "bad", line);
}

static struct storage_rating rating_of(struct driver *driver, const char *name)
{
    struct storage_account account;
    struct storage_rating rating = {0};
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    assert_int_equal(storage_rating_read(driver->storage, account.id, game_at(0)->id, &rating),
                     STORAGE_OK);
    return rating;
}

static void the_best_rating_has_what_a_refund_gave(void **state)
{
    struct driver *driver = *state;
    char line[64];
    int64_t first = play_rated(driver);
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_forget(driver, EVE);
    driver_forget(driver, BOB);
    confirm_again(driver);
    const char *loser = strcmp(winner_of(driver), "bob") == 0 ? "eve" : "bob";
    const double worse = rating_of(driver, loser).best_mu;
    driver_pass(driver, 1000);
    snprintf(line, sizeof line, "yes refund @%d a bug", (int)first);
    order_ok(driver, ADA, line);
    const struct storage_rating given = rating_of(driver, loser);
    assert_true(given.best_mu > worse);
    assert_true(fabs(given.best_mu - given.mu) < 1e-9);
    assert_int_equal(given.best_ms, driver->now_ms);
    int64_t second = play_rated(driver);
    confirm_again(driver);
    const double best = rating_of(driver, loser).best_mu;
    assert_true(best >= given.mu - 1e-9);
    snprintf(line, sizeof line, "yes void @%d collusion", (int)second);
    order_ok(driver, ADA, line);
    driver_pass(driver, 10000);
    const struct storage_rating anew = rating_of(driver, loser);
    assert_true(anew.best_mu >= anew.mu - 1e-9);
    assert_true(fabs(anew.best_mu - given.best_mu) < 1e-9);
}

static void a_refund_of_a_game_asks_with_who_gains_what(void **state)
{
    struct driver *driver = *state;
    char line[64], gain[32];
    int64_t game = play_rated(driver);
    confirm_again(driver);
    const char *loser = strcmp(winner_of(driver), "bob") == 0 ? "eve" : "bob";
    const double lost = mu_of(driver, loser);
    snprintf(line, sizeof line, "refund @%d a bug", (int)game);
    snprintf(gain, sizeof gain, "%s +", loser);
    assert_non_null(strstr(order_no(driver, ADA, "confirm", line), gain));
    assert_true(mu_of(driver, loser) == lost);
    driver_forget(driver, BOB);
    snprintf(line, sizeof line, "yes refund @%d a bug", (int)game);
    assert_non_null(strstr(order_ok(driver, ADA, line), gain));
    order_told(driver, BOB, "notice", "a bug");
    assert_true(mu_of(driver, loser) > lost);
}

static void a_void_game_takes_back_what_was_given_back_for_it(void **state)
{
    struct driver *driver = *state;
    char line[64];
    (void)play_rated(driver);
    const double bob = mu_of(driver, "bob"), eve = mu_of(driver, "eve");
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_forget(driver, EVE);
    driver_forget(driver, BOB);
    int64_t second = play_rated(driver);
    confirm_again(driver);
    snprintf(line, sizeof line, "yes refund @%d a bug", (int)second);
    order_ok(driver, ADA, line);
    snprintf(line, sizeof line, "yes void @%d collusion", (int)second);
    order_ok(driver, ADA, line);
    driver_pass(driver, 10000);
    assert_true(fabs(mu_of(driver, "bob") - bob) < 1e-9);
    assert_true(fabs(mu_of(driver, "eve") - eve) < 1e-9);
}

static int64_t listed(struct driver *driver)
{
    const json_t *answer = driver_ok(driver, ADA, "{'t':'leaders','game':'%s'}", game_at(0)->id);
    return driver_number(answer, "total");
}

static void a_deleted_account_stands_on_no_list(void **state)
{
    struct driver *driver = *state;
    (void)play_rated(driver);
    assert_int_equal(listed(driver), 2);
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    confirm_again(driver);
    order_ok(driver, ADA, "yes delete eve she asked for it");
    assert_int_equal(listed(driver), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(what_was_lost_in_a_game_is_given_back_once),
        ORDER_TEST(what_was_given_back_stays_when_ratings_are_computed_anew),
        ORDER_TEST(a_void_game_changes_no_rating),
        ORDER_TEST(what_was_lost_to_a_player_goes_back_to_those_who_lost_it),
        ORDER_TEST(a_refund_of_a_game_asks_with_who_gains_what),
        ORDER_TEST(the_best_rating_has_what_a_refund_gave),
        ORDER_TEST(a_void_game_takes_back_what_was_given_back_for_it),
        ORDER_TEST(a_deleted_account_stands_on_no_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
