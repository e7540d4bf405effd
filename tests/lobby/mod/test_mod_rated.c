#include "games/game.h"
#include "lobby/ratings/ratings.h"
#include "storage/archive/archive.h"
#include "storage/ratings/ratings.h"
#include "tests/lobby/order_driver.h"

#include <math.h>
#include <string.h>

/* Tests games declared void, and refunds of rating. */

/* Plays a rated game of these people; the first one opens the table. Returns the game's number. */
static int64_t play_rated_game_of(struct driver *driver, const int64_t *conns, size_t count)
{
    int64_t table = driver_open_table(driver, conns[0], 3, 60);
    if (!driver->has_bots) {
        driver_connect(driver, DRIVER_BOT, PEER_BOT);
        driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3}");
        driver->has_bots = true;
    }
    for (size_t i = 1; i < count; i++) {
        driver_ok(driver, conns[i], "{'t':'table_enter','table':%d}", (int)table);
        driver_ok(driver, conns[i], "{'t':'seat_take'}");
    }
    for (size_t i = count; i < 3; i++) {
        driver_ok(driver, conns[0], "{'t':'bot_add','policy':'easy'}");
    }
    driver_ok(driver, conns[0], "{'t':'table_start'}");
    driver_play_moves(driver, conns, count, 10000);
    return driver_read_number(driver_newest_message(driver, conns[0], "result"), "game_id");
}

/* Plays a rated game of bob and eve to its end and returns its number. */
static int64_t play_game_of_bob_and_eve(struct driver *driver)
{
    const int64_t both[] = {BOB, EVE};
    return play_rated_game_of(driver, both, ARRAY_LEN(both));
}

static void leave_table(struct driver *driver, const int64_t *conns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        driver_ok(driver, conns[i], "{'t':'table_leave'}");
        driver_clear_inbox(driver, conns[i]);
    }
}

static double read_rating_mu(struct driver *driver, const char *name)
{
    struct storage_account account;
    struct storage_rating rating = {0};
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    if (storage_rating_read(driver->storage, account.id, game_at(0)->id, 0, &rating) !=
        STORAGE_OK) {
        return 0;
    }
    return rating.mu;
}

static double read_season_rating_mu(struct driver *driver, const char *name)
{
    struct storage_account account;
    struct storage_rating rating = {0};
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    assert_int_equal(storage_rating_read(driver->storage, account.id, game_at(0)->id,
                                         rating_season_at(driver->now_ms), &rating),
                     STORAGE_OK);
    return rating.mu;
}

static void confirm_staff_again(struct driver *driver)
{
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
}

static void the_rating_lost_in_a_game_is_refunded_once(void **state)
{
    struct driver *driver = *state;
    char line[64];
    int64_t game = play_game_of_bob_and_eve(driver);
    confirm_staff_again(driver);
    snprintf(line, sizeof line, "yes refund @%d he cheated", (int)game);
    order_ok(driver, ADA, line);
    assert_non_null(strstr(order_ok(driver, ADA, "audit verb=refund"), "he cheated"));
    const char *const names[] = {"bob", "eve"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        assert_true(read_rating_mu(driver, names[i]) > 25.0 - 1e-9);
        assert_true(read_season_rating_mu(driver, names[i]) > 25.0 - 1e-9);
    }
    order_no(driver, ADA, "bad", line);
    assert_non_null(strstr(order_no(driver, ADA, "unknown", "refund @999 why"), "not a finished"));
    order_no(driver, MAX, "role", line);
}

static void read_game_refund(struct driver *driver, int64_t game, double *mu_after, double *refunds)
{
    struct storage_rating_change changes[STORAGE_SCORES_MAX];
    size_t count = 0;
    assert_int_equal(
        storage_rating_changes_read(driver->storage, game, changes, STORAGE_SCORES_MAX, &count),
        STORAGE_OK);
    *refunds = 0;
    for (size_t i = 0; i < count; i++) {
        struct storage_rating rating = rated_game_new_rating(changes[i].account, game_at(0)->id);
        struct storage_refund_sum refund;
        assert_int_equal(storage_refunds_sum(driver->storage, &rating, INT64_MAX, &refund),
                         STORAGE_OK);
        if (refund.mu > 0) {
            *refunds = refund.mu;
            *mu_after = changes[i].mu_after;
        }
    }
}

static void refunds_are_kept_when_ratings_are_recomputed(void **state)
{
    struct driver *driver = *state;
    const int64_t both[] = {BOB, EVE};
    char line[64];
    double played = 0, given = 0;
    int64_t first = play_game_of_bob_and_eve(driver);
    leave_table(driver, both, ARRAY_LEN(both));
    int64_t second = play_game_of_bob_and_eve(driver);
    assert_true(second > first);
    confirm_staff_again(driver);
    snprintf(line, sizeof line, "yes refund @%d she cheated", (int)second);
    order_ok(driver, ADA, line);
    snprintf(line, sizeof line, "yes void @%d collusion", (int)first);
    order_ok(driver, ADA, line);
    driver_pass_time(driver, 10000);
    confirm_staff_again(driver);
    read_game_refund(driver, second, &played, &given);
    assert_true(given > 0);
    double bob = read_rating_mu(driver, "bob"), eve = read_rating_mu(driver, "eve");
    assert_true(fabs(bob - played - given) < 1e-9 || fabs(eve - played - given) < 1e-9);
    snprintf(line, sizeof line, "yes void @%d collusion", (int)second);
    order_ok(driver, ADA, line);
    driver_pass_time(driver, 10000);
    read_game_refund(driver, second, &played, &given);
    assert_true(given == 0);
    assert_true(read_rating_mu(driver, "bob") == 0 && read_rating_mu(driver, "eve") == 0);
}

static void a_void_game_changes_no_rating(void **state)
{
    struct driver *driver = *state;
    char line[64];
    int64_t game = play_game_of_bob_and_eve(driver);
    assert_true(read_rating_mu(driver, "bob") > 0);
    confirm_staff_again(driver);
    snprintf(line, sizeof line, "void @%d collusion", (int)game);
    order_no(driver, MAX, "role", line);
    order_no(driver, ADA, "confirm", line);
    const json_t *before = driver_ok(driver, EVE, "{'t':'record','game_id':%d}", (int)game);
    assert_null(json_object_get(json_object_get(before, "record"), "is_void"));
    snprintf(line, sizeof line, "yes void @%d collusion", (int)game);
    order_ok(driver, ADA, line);
    snprintf(line, sizeof line, "ada void @%d ok", (int)game);
    order_expect_audit_row(driver, line);
    order_expect_message(driver, BOB, "notice", "collusion");
    const json_t *answer = driver_ok(driver, EVE, "{'t':'record','game_id':%d}", (int)game);
    assert_true(json_is_true(json_object_get(json_object_get(answer, "record"), "is_void")));
    driver_pass_time(driver, 10000);
    assert_true(read_rating_mu(driver, "bob") == 0);
    snprintf(line, sizeof line, "yes void @%d collusion", (int)game);
    order_no(driver, ADA, "unknown", line);
}

/* Returns who of bob and eve won their last game; the other one lost it. */
static const char *find_winner_of_last_game(struct driver *driver)
{
    return read_rating_mu(driver, "bob") > read_rating_mu(driver, "eve") ? "bob" : "eve";
}

static void refunding_a_players_gains_pays_those_who_lost_to_them(void **state)
{
    struct driver *driver = *state;
    char line[64];
    (void)play_game_of_bob_and_eve(driver);
    confirm_staff_again(driver);
    const char *winner = find_winner_of_last_game(driver);
    const char *loser = strcmp(winner, "bob") == 0 ? "eve" : "bob";
    const double won = read_rating_mu(driver, winner), lost = read_rating_mu(driver, loser);
    const double season = read_season_rating_mu(driver, loser);
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
    assert_true(read_rating_mu(driver, loser) == lost);
    assert_true(read_season_rating_mu(driver, loser) == season);
    snprintf(line, sizeof line, "yes refund %s a cheat", winner);
    assert_non_null(strstr(order_ok(driver, ADA, line), gain));
    snprintf(line, sizeof line, "ada refund %s ok", winner);
    order_expect_audit_row(driver, line);
    assert_true(read_rating_mu(driver, loser) > lost);
    assert_true(read_season_rating_mu(driver, loser) > season);
    assert_true(read_rating_mu(driver, winner) == won);
    snprintf(line, sizeof line, "yes refund %s a cheat", winner);
    order_no(driver, ADA, "bad", line);
}

static struct storage_rating read_shown_rating(struct driver *driver, const char *name)
{
    struct storage_account account;
    struct storage_rating rating = {0};
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    assert_int_equal(storage_rating_read(driver->storage, account.id, game_at(0)->id, 0, &rating),
                     STORAGE_OK);
    return rating;
}

static void the_best_rating_includes_refunds(void **state)
{
    struct driver *driver = *state;
    const int64_t both[] = {BOB, EVE};
    char line[64];
    int64_t first = play_game_of_bob_and_eve(driver);
    leave_table(driver, both, ARRAY_LEN(both));
    confirm_staff_again(driver);
    const char *loser = strcmp(find_winner_of_last_game(driver), "bob") == 0 ? "eve" : "bob";
    const double worse = read_shown_rating(driver, loser).best_mu;
    driver_pass_time(driver, 1000);
    snprintf(line, sizeof line, "yes refund @%d a bug", (int)first);
    order_ok(driver, ADA, line);
    const struct storage_rating given = read_shown_rating(driver, loser);
    assert_true(given.best_mu > worse);
    assert_true(fabs(given.best_mu - given.mu) < 1e-9);
    assert_int_equal(given.best_ms, driver->now_ms);
    int64_t second = play_game_of_bob_and_eve(driver);
    confirm_staff_again(driver);
    const double best = read_shown_rating(driver, loser).best_mu;
    assert_true(best >= given.mu - 1e-9);
    snprintf(line, sizeof line, "yes void @%d collusion", (int)second);
    order_ok(driver, ADA, line);
    driver_pass_time(driver, 10000);
    const struct storage_rating anew = read_shown_rating(driver, loser);
    assert_true(anew.best_mu >= anew.mu - 1e-9);
    assert_true(fabs(anew.best_mu - given.best_mu) < 1e-9);
}

static void staff_see_who_gains_what_before_they_confirm_a_refund(void **state)
{
    struct driver *driver = *state;
    char line[64], gain[32];
    int64_t game = play_game_of_bob_and_eve(driver);
    confirm_staff_again(driver);
    const char *loser = strcmp(find_winner_of_last_game(driver), "bob") == 0 ? "eve" : "bob";
    const double lost = read_rating_mu(driver, loser);
    snprintf(line, sizeof line, "refund @%d a bug", (int)game);
    snprintf(gain, sizeof gain, "%s +", loser);
    assert_non_null(strstr(order_no(driver, ADA, "confirm", line), gain));
    assert_true(read_rating_mu(driver, loser) == lost);
    driver_clear_inbox(driver, BOB);
    snprintf(line, sizeof line, "yes refund @%d a bug", (int)game);
    assert_non_null(strstr(order_ok(driver, ADA, line), gain));
    order_expect_message(driver, BOB, "notice", "a bug");
    assert_true(read_rating_mu(driver, loser) > lost);
}

static void voiding_a_game_removes_its_refunds(void **state)
{
    struct driver *driver = *state;
    const int64_t both[] = {BOB, EVE};
    char line[64];
    (void)play_game_of_bob_and_eve(driver);
    const double bob = read_rating_mu(driver, "bob"), eve = read_rating_mu(driver, "eve");
    leave_table(driver, both, ARRAY_LEN(both));
    int64_t second = play_game_of_bob_and_eve(driver);
    confirm_staff_again(driver);
    snprintf(line, sizeof line, "yes refund @%d a bug", (int)second);
    order_ok(driver, ADA, line);
    snprintf(line, sizeof line, "yes void @%d collusion", (int)second);
    order_ok(driver, ADA, line);
    driver_pass_time(driver, 10000);
    assert_true(fabs(read_rating_mu(driver, "bob") - bob) < 1e-9);
    assert_true(fabs(read_rating_mu(driver, "eve") - eve) < 1e-9);
}

static int64_t count_leaderboard_rows(struct driver *driver)
{
    const json_t *answer = driver_ok(driver, ADA, "{'t':'leaders','game':'%s'}", game_at(0)->id);
    return driver_read_number(answer, "total");
}

static void a_deleted_account_stays_off_the_leaderboard_after_its_game_is_voided(void **state)
{
    struct driver *driver = *state;
    const int64_t both[] = {BOB, EVE};
    char line[64];
    int64_t first = play_game_of_bob_and_eve(driver);
    leave_table(driver, both, ARRAY_LEN(both));
    (void)play_game_of_bob_and_eve(driver);
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    confirm_staff_again(driver);
    assert_int_equal(count_leaderboard_rows(driver), 2);
    order_ok(driver, ADA, "yes delete eve she asked for it");
    assert_int_equal(count_leaderboard_rows(driver), 1);
    snprintf(line, sizeof line, "yes void @%d collusion", (int)first);
    order_ok(driver, ADA, line);
    assert_int_equal(count_leaderboard_rows(driver), 1);
}

static void a_loss_refunded_with_its_game_is_not_refunded_again_with_the_winners_gains(void **state)
{
    struct driver *driver = *state;
    char line[64];
    int64_t game = play_game_of_bob_and_eve(driver);
    confirm_staff_again(driver);
    const char *winner = find_winner_of_last_game(driver);
    const char *loser = strcmp(winner, "bob") == 0 ? "eve" : "bob";
    snprintf(line, sizeof line, "yes refund @%d a bug", (int)game);
    order_ok(driver, ADA, line);
    const double mu = read_rating_mu(driver, loser), season = read_season_rating_mu(driver, loser);
    snprintf(line, sizeof line, "yes refund %s a cheat", winner);
    assert_non_null(strstr(order_no(driver, ADA, "bad", line), "given back already"));
    assert_true(read_rating_mu(driver, loser) == mu);
    assert_true(read_season_rating_mu(driver, loser) == season);
}

static void nobody_may_void_or_refund_a_game_they_played_in(void **state)
{
    struct driver *driver = *state;
    char voids[64], refunds[64], winner[64], line[64];
    int64_t game = play_game_of_bob_and_eve(driver);
    confirm_staff_again(driver);
    const bool bob_won = strcmp(find_winner_of_last_game(driver), "bob") == 0;
    const int64_t loser = bob_won ? EVE : BOB;
    const char *name = bob_won ? "eve" : "bob";
    snprintf(line, sizeof line, "yes role %s admin trusted", name);
    order_ok(driver, ADA, line);
    driver_ok(driver, loser, "{'t':'step_up','password':'password of %s'}", name);
    snprintf(voids, sizeof voids, "yes void @%d collusion", (int)game);
    snprintf(refunds, sizeof refunds, "yes refund @%d a bug", (int)game);
    snprintf(winner, sizeof winner, "yes refund %s a cheat", bob_won ? "bob" : "eve");
    const char *const lines[] = {voids, refunds, winner};
    const double before = read_rating_mu(driver, name);
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        order_no(driver, loser, "self", lines[i]);
    }
    assert_true(read_rating_mu(driver, name) == before);
    order_ok(driver, ADA, refunds);
    order_ok(driver, ADA, voids);
}

/* Plays games a day apart until bob has lost one to eve. */
static void play_until_bob_loses(struct driver *driver)
{
    const int64_t both[] = {BOB, EVE};
    bool has_lost = false;
    for (int i = 0; i < 20 && !has_lost; i++) {
        const double before = read_rating_mu(driver, "bob");
        (void)play_game_of_bob_and_eve(driver);
        leave_table(driver, both, ARRAY_LEN(both));
        driver_pass_time(driver, 25 * INT64_C(3600000));
        has_lost = read_rating_mu(driver, "bob") < (before == 0 ? 25.0 : before);
    }
    assert_true(has_lost);
    confirm_staff_again(driver);
}

static void a_second_refund_pays_only_losses_since_the_first(void **state)
{
    struct driver *driver = *state;
    play_until_bob_loses(driver);
    order_ok(driver, ADA, "yes refund eve a cheat");
    order_no(driver, ADA, "bad", "yes refund eve a cheat");
    play_until_bob_loses(driver);
    const double bob = read_rating_mu(driver, "bob");
    order_ok(driver, ADA, "yes refund eve again");
    assert_true(read_rating_mu(driver, "bob") > bob);
}

/* A random sequence of games, refunds and void games, with the players and their refunds. */
#define GAMES 12
#define PLAYERS 3

struct refund_record {
    struct driver *driver;
    uint32_t random;
    int64_t games[GAMES];
    bool is_whole[GAMES][PLAYERS]; /* the player's loss to all others was refunded */
    size_t count;
    int64_t accounts[PLAYERS];
    double mu[PLAYERS];
    double given[GAMES][PLAYERS];
    size_t refunds, refused, voids; /* number of refunds made, refused refunds, and void games */
};

static const char *const players[PLAYERS] = {"bob", "eve", "cyd"};

static uint32_t draw_random_number(struct refund_record *record, uint32_t below)
{
    record->random = record->random * 1664525U + 1013904223U;
    return (record->random >> 16) % below;
}

static void reread_ratings(struct refund_record *record)
{
    for (size_t i = 0; i < PLAYERS; i++) {
        record->mu[i] = read_rating_mu(record->driver, players[i]);
        for (size_t game = 0; game < record->count; game++) {
            struct storage_refund refund = {.account = record->accounts[i],
                                            .game_id = record->games[game]};
            struct storage_refund_sum sum;
            assert_int_equal(storage_refund_sum_of_loss(record->driver->storage, &refund, &sum),
                             STORAGE_OK);
            record->given[game][i] = sum.mu;
        }
    }
}

/* Returns how the game changed the player's rating; zero when it did not. */
static struct storage_rating_change find_rating_change(const struct refund_record *record,
                                                       size_t game, size_t player)
{
    struct storage_rating_change changes[STORAGE_SCORES_MAX];
    size_t count = 0;
    assert_int_equal(storage_rating_changes_read(record->driver->storage, record->games[game],
                                                 changes, STORAGE_SCORES_MAX, &count),
                     STORAGE_OK);
    for (size_t i = 0; i < count; i++) {
        if (changes[i].account == record->accounts[player]) {
            return changes[i];
        }
    }
    return (struct storage_rating_change){0};
}

/* Checks that each rating equals the rating after the player's last game plus all later refunds. */
static void check_all_ratings(const struct refund_record *record)
{
    for (size_t i = 0; i < PLAYERS; i++) {
        struct storage_rating_change last = {0};
        for (size_t game = 0; game < record->count; game++) {
            struct storage_rating_change change = find_rating_change(record, game, i);
            last = change.at_ms > last.at_ms ? change : last;
        }
        struct storage_rating rating = rated_game_new_rating(record->accounts[i], game_at(0)->id);
        struct storage_refund_sum since;
        rating.rated_ms = last.at_ms;
        assert_int_equal(storage_refunds_sum(record->driver->storage, &rating, INT64_MAX, &since),
                         STORAGE_OK);
        assert_true(fabs(record->mu[i] - last.mu_after - since.mu) < 1e-9);
    }
}

static void play_and_record_game(struct refund_record *record)
{
    static const int64_t all[PLAYERS] = {BOB, EVE, LATER};
    size_t from = draw_random_number(record, 2),
           count = draw_random_number(record, 2) == 0 ? PLAYERS - from : 2;
    if (record->count == GAMES) {
        return;
    }
    record->games[record->count++] = play_rated_game_of(record->driver, &all[from], count);
    leave_table(record->driver, &all[from], count);
    driver_pass_time(record->driver, draw_random_number(record, 30) * INT64_C(3600000));
    reread_ratings(record);
}

/* Checks a refund: nobody loses, the gains are as stored, and repeating the refund adds nothing. */
static void make_and_check_refund(struct refund_record *record, const char *target,
                                  size_t refunded_game)
{
    struct refund_record before = *record;
    char line[64];
    snprintf(line, sizeof line, "yes refund %s why", target);
    const json_t *answer = driver_request(record->driver, ADA, "{'t':'mod','line':'%s'}", line);
    bool is_done = strcmp(driver_read_text(answer, "t"), "ok") == 0;
    record->refunds += is_done;
    record->refused += !is_done;
    reread_ratings(record);
    for (size_t i = 0; i < PLAYERS; i++) {
        double gain = 0;
        for (size_t game = 0; game < record->count; game++) {
            gain += record->given[game][i] - before.given[game][i];
            struct storage_rating_change change = find_rating_change(record, game, i);
            double lost = change.mu_before - change.mu_after;
            double most =
                game == refunded_game && !record->is_whole[game][i] && lost > before.given[game][i]
                    ? lost
                    : before.given[game][i];
            assert_true(refunded_game == GAMES || fabs(record->given[game][i] - most) < 1e-9);
        }
        assert_true(gain >= 0);
        if (refunded_game < GAMES) {
            record->is_whole[refunded_game][i] |= gain > 0;
        }
        assert_true(fabs(record->mu[i] - before.mu[i] - gain) < 1e-9);
    }
    before = *record;
    const json_t *again = driver_request(record->driver, ADA, "{'t':'mod','line':'%s'}", line);
    assert_string_equal(driver_read_text(again, "t"), "no");
    reread_ratings(record);
    assert_memory_equal(before.mu, record->mu, sizeof before.mu);
}

static void void_recorded_game(struct refund_record *record, size_t game)
{
    char line[64];
    snprintf(line, sizeof line, "yes void @%d why", (int)record->games[game]);
    const json_t *answer = driver_request(record->driver, ADA, "{'t':'mod','line':'%s'}", line);
    record->voids += strcmp(driver_read_text(answer, "t"), "ok") == 0;
    driver_pass_time(record->driver, 10000);
    reread_ratings(record);
    for (size_t i = 0; i < PLAYERS; i++) {
        assert_true(record->given[game][i] == 0);
    }
}

static void play_void_or_refund_at_random(struct refund_record *record)
{
    char target[24];
    size_t game = draw_random_number(record, (uint32_t)record->count);
    confirm_staff_again(record->driver);
    switch (draw_random_number(record, 6)) {
    case 0:
        play_and_record_game(record);
        break;
    case 1:
        void_recorded_game(record, game);
        break;
    case 2:
    case 3:
        snprintf(target, sizeof target, "@%d", (int)record->games[game]);
        make_and_check_refund(record, target, game);
        break;
    default:
        make_and_check_refund(record, players[draw_random_number(record, PLAYERS)], GAMES);
        break;
    }
    check_all_ratings(record);
}

static void no_loss_is_refunded_twice_whatever_the_order_of_refunds(void **state)
{
    struct refund_record record = {.driver = *state, .random = 7};
    driver_sign_up_from(record.driver, LATER, "cyd", "192.0.2.9");
    for (size_t i = 0; i < PLAYERS; i++) {
        struct storage_account account;
        assert_int_equal(storage_account_by_name(record.driver->storage, players[i], &account),
                         STORAGE_OK);
        record.accounts[i] = account.id;
    }
    for (int i = 0; i < 5; i++) {
        play_and_record_game(&record);
    }
    for (int i = 0; i < 100; i++) {
        play_void_or_refund_at_random(&record);
    }
    for (size_t game = 0; game < record.count; game++) {
        confirm_staff_again(record.driver);
        void_recorded_game(&record, game);
    }
    for (size_t i = 0; i < PLAYERS; i++) {
        assert_true(record.mu[i] == 0);
    }
    assert_true(record.refunds >= 10 && record.refused >= 10);
    assert_int_equal(record.voids, record.count);
}

static bool eve_can_sit(struct driver *driver, int64_t table)
{
    const json_t *answer = driver_ok(driver, EVE, "{'t':'why','table':%d}", (int)table);
    return json_is_true(json_object_get(answer, "can_sit"));
}

static void a_tables_rating_condition_uses_the_newest_rating(void **state)
{
    struct driver *driver = *state;
    const json_t *answer =
        driver_ok(driver, ADA,
                  "{'t':'table_open','game':'%s','players':3,'options':{},'fit':{'rating_min':1}}",
                  game_at(0)->id);
    int64_t table = driver_read_number(answer, "table");
    assert_false(eve_can_sit(driver, table)); /* eve has no rating yet */
    (void)play_game_of_bob_and_eve(driver);
    assert_true(eve_can_sit(driver, table));
}

static void an_account_that_another_is_merged_into_gets_its_ratings(void **state)
{
    struct driver *driver = *state;
    const int64_t both[] = {BOB, MAX};
    (void)play_rated_game_of(driver, both, ARRAY_LEN(both));
    confirm_staff_again(driver);
    double bob = read_rating_mu(driver, "bob");
    assert_true(bob > 0);
    assert_true(fabs(read_rating_mu(driver, "eve")) < 1e-9);
    order_ok(driver, ADA, "yes merge bob eve the same person");
    assert_true(fabs(read_rating_mu(driver, "eve") - bob) < 1e-9);
}

TEST_GROUP(mod_rated)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(the_rating_lost_in_a_game_is_refunded_once),
        ORDER_TEST(refunds_are_kept_when_ratings_are_recomputed),
        ORDER_TEST(a_void_game_changes_no_rating),
        ORDER_TEST(refunding_a_players_gains_pays_those_who_lost_to_them),
        ORDER_TEST(staff_see_who_gains_what_before_they_confirm_a_refund),
        ORDER_TEST(the_best_rating_includes_refunds),
        ORDER_TEST(voiding_a_game_removes_its_refunds),
        ORDER_TEST(a_deleted_account_stays_off_the_leaderboard_after_its_game_is_voided),
        ORDER_TEST(a_loss_refunded_with_its_game_is_not_refunded_again_with_the_winners_gains),
        ORDER_TEST(nobody_may_void_or_refund_a_game_they_played_in),
        ORDER_TEST(a_second_refund_pays_only_losses_since_the_first),
        ORDER_TEST(no_loss_is_refunded_twice_whatever_the_order_of_refunds),
        ORDER_TEST(a_tables_rating_condition_uses_the_newest_rating),
        ORDER_TEST(an_account_that_another_is_merged_into_gets_its_ratings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
