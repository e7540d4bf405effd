#include "tests/lobby/house_driver.h"

#include "lobby/archive/archive.h"
#include "lobby/house/house_state.h"
#include "storage/archive/archive.h"
#include "storage/upkeep/upkeep.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEEPER 3
#define OPERATOR 4
#define OTHER 5
#define ADA 10
#define BOB 11
#define PACE 12 /* moves between two copied pages; the game ends before the backup does */

static void connect_keeper(struct driver *driver)
{
    driver_connect(driver, KEEPER, PEER_KEEPER);
    (void)driver_send(driver, KEEPER, "{'t':'hello','protocol':3,'software':'keeper'}");
}

static void connect_operator(struct driver *driver, int64_t conn)
{
    driver_connect(driver, conn, PEER_OPERATOR);
    (void)driver_send(driver, conn, "{'t':'hello','protocol':3,'software':'test'}");
}

static int64_t read_newest_requested_backup_job(const struct driver *driver)
{
    const json_t *backup = driver_newest_message(driver, KEEPER, "backup");
    return backup == NULL ? 0 : driver_read_number(backup, "job");
}

static void report_backup_done(struct driver *driver, int64_t job)
{
    (void)driver_send(driver, KEEPER, "{'t':'backed_up','job':%d,'path':'/backups/x.db'}",
                      (int)job);
}

static void the_answer_to_a_backup_request_names_the_file(void **state)
{
    struct driver *driver = *state;
    connect_keeper(driver);
    connect_operator(driver, OPERATOR);
    connect_operator(driver, OTHER);
    assert_null(driver_request(driver, OPERATOR, "{'t':'mod','line':'backup'}"));
    assert_null(driver_request(driver, OTHER, "{'t':'mod','line':'backup'}"));
    assert_int_equal(driver_count_messages(driver, KEEPER, "backup"), 1);
    report_backup_done(driver, read_newest_requested_backup_job(driver));
    assert_string_equal(driver_read_text(driver_newest_message(driver, OPERATOR, "ok"), "path"),
                        "/backups/x.db");
    assert_string_equal(driver_read_text(driver_newest_message(driver, OTHER, "ok"), "path"),
                        "/backups/x.db");
}

static void a_failed_backup_is_reported_as_failed(void **state)
{
    struct driver *driver = *state;
    connect_keeper(driver);
    connect_operator(driver, OPERATOR);
    assert_null(driver_request(driver, OPERATOR, "{'t':'mod','line':'backup'}"));
    (void)driver_send(driver, KEEPER, "{'t':'backed_up','job':%d,'why':'no room'}",
                      (int)read_newest_requested_backup_job(driver));
    assert_string_equal(driver_read_text(driver_newest_message(driver, OPERATOR, "no"), "why"),
                        "no room");
    assert_string_equal(driver_read_text(driver_newest_message(driver, OPERATOR, "no"), "code"),
                        "failed");
}

static void
only_staff_and_operators_request_backups_and_only_the_keeper_process_reports_them_done(void **state)
{
    struct driver *driver = *state;
    connect_keeper(driver);
    driver_sign_up(driver, ADA, "ada");
    driver_no(driver, ADA, "role", "{'t':'mod','line':'backup'}");
    connect_operator(driver, OPERATOR);
    assert_int_equal(driver_send(driver, OPERATOR, "{'t':'backed_up','job':1,'path':'x'}"),
                     HOUSE_END_CONNECTION);
    assert_int_equal(driver_send(driver, OPERATOR, "{'t':'say','id':1}"), HOUSE_END_CONNECTION);
}

static void scheduled_backups_keep_their_interval_over_a_restart(void **state)
{
    struct driver *driver = *state;
    driver->config.backup_every_h = 24;
    driver_restart_core(driver);
    connect_keeper(driver);
    driver_pass_time(driver, 1);
    assert_int_equal(driver_count_messages(driver, KEEPER, "backup"),
                     1); /* no backup was ever made */
    driver_pass_time(driver, 30 * HOUR_MS);
    assert_int_equal(driver_count_messages(driver, KEEPER, "backup"),
                     1); /* the first backup is still being made */
    report_backup_done(driver, read_newest_requested_backup_job(driver));
    driver_pass_time(driver, 1);
    assert_int_equal(driver_count_messages(driver, KEEPER, "backup"),
                     2); /* the backup took over a day */
    report_backup_done(driver, read_newest_requested_backup_job(driver));
    driver_restart_core(driver);
    driver_clear_inbox(driver, KEEPER);
    connect_keeper(driver);
    driver_pass_time(driver, 23 * HOUR_MS);
    assert_int_equal(driver_count_messages(driver, KEEPER, "backup"), 0);
    driver_pass_time(driver, HOUR_MS);
    assert_int_equal(driver_count_messages(driver, KEEPER, "backup"), 1);
}

static void a_clock_that_was_ahead_does_not_stop_scheduled_backups(void **state)
{
    struct driver *driver = *state;
    driver->config.backup_every_h = 24;
    driver->now_ms += INT64_C(50) * 365 * 24 * HOUR_MS;
    driver_restart_core(driver);
    connect_keeper(driver);
    driver_pass_time(driver, 1);
    report_backup_done(driver, read_newest_requested_backup_job(driver));
    for (int restarts = 0; restarts < 2; restarts++) {
        driver->now_ms -= INT64_C(20) * 365 * 24 * HOUR_MS; /* the clock is set right */
        driver_clear_inbox(driver, KEEPER);
        if (restarts == 1) {
            driver_restart_core(driver);
            connect_keeper(driver);
        }
        driver_pass_time(driver, 1);
        assert_int_equal(driver_count_messages(driver, KEEPER, "backup"), 1);
        report_backup_done(driver, read_newest_requested_backup_job(driver));
        driver_pass_time(driver, 23 * HOUR_MS);
        assert_int_equal(driver_count_messages(driver, KEEPER, "backup"), 1);
        driver_pass_time(driver, HOUR_MS);
        assert_int_equal(driver_count_messages(driver, KEEPER, "backup"), 2);
        report_backup_done(driver, read_newest_requested_backup_job(driver));
    }
}

static void a_failed_backup_is_retried_soon(void **state)
{
    struct driver *driver = *state;
    driver->config.backup_every_h = 24;
    driver_restart_core(driver);
    connect_keeper(driver);
    driver_pass_time(driver, 1);
    (void)driver_send(driver, KEEPER, "{'t':'backed_up','job':%d,'why':'no room'}",
                      (int)read_newest_requested_backup_job(driver));
    driver_pass_time(driver, HOUR_MS / 2);
    assert_int_equal(driver_count_messages(driver, KEEPER, "backup"), 2);
}

/* A drill for restoring a backup: counts the finished games that replay to their stored scores. */

struct drill {
    struct storage *storage;
    size_t games;
};

static bool check_and_count_game(void *context, int64_t id)
{
    struct drill *drill = context;
    struct game_record record;
    enum game_record_verdict verdict;
    assert_int_equal(game_record_read(drill->storage, id, &record), STORAGE_OK);
    assert_int_equal(game_record_check(drill->storage, &record, &verdict), STORAGE_OK);
    assert_int_equal(verdict, GAME_RECORD_HOLDS);
    game_record_clear(&record);
    drill->games++;
    return true;
}

static size_t count_games_that_replay_correctly(struct storage *storage)
{
    struct drill drill = {.storage = storage};
    assert_int_equal(storage_finished_games_each(storage, 0, check_and_count_game, &drill),
                     STORAGE_OK);
    return drill.games;
}

/* Plays a whole game, and copies a page of the backup every few moves. */
static bool play_game_during_backup(struct driver *driver, struct storage_backup *backup)
{
    static const int64_t people[] = {ADA, BOB};
    char why[STORAGE_WHY_SIZE];
    bool is_done = false;
    driver_clear_inbox(driver, ADA); /* drops the views of the previous game */
    driver_clear_inbox(driver, BOB);
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    while (driver_play_moves(driver, people, ARRAY_LEN(people), PACE) == PACE) {
        if (backup != NULL && !is_done) {
            assert_int_equal(storage_backup_step(backup, 1, &is_done, why), STORAGE_OK);
        }
    }
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    return is_done;
}

static void every_game_in_a_backup_made_during_play_replays_to_the_stored_scores(void **state)
{
    struct driver *driver = *state;
    struct storage_backup *backup;
    char path[sizeof driver->path];
    char why[STORAGE_WHY_SIZE];
    bool is_done = false;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    driver->has_bots = true;
    (void)driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3,'software':'test'}");
    (void)play_game_during_backup(driver, NULL);
    (void)snprintf(path, sizeof path, "%s/copy.db", driver->folder);
    assert_int_equal(storage_backup_begin(driver->storage, path, &backup, why), STORAGE_OK);
    is_done = play_game_during_backup(driver, backup);
    assert_false(is_done);
    while (!is_done) {
        assert_int_equal(storage_backup_step(backup, 64, &is_done, why), STORAGE_OK);
    }
    assert_int_equal(storage_backup_end(backup, why), STORAGE_OK);
    assert_int_equal(count_games_that_replay_correctly(driver->storage), 2);

    /* The data are lost: the backup takes their place, and the house opens again. */
    char lost[sizeof driver->path];
    memcpy(lost, driver->path, sizeof lost);
    memcpy(driver->path, path, sizeof path);
    driver_restart_core(driver);
    assert_int_equal(count_games_that_replay_correctly(driver->storage), 2);
    driver_sign_in(driver, 12, "ada");
    assert_int_equal(
        json_array_size(json_object_get(driver_ok(driver, 12, "{'t':'games'}"), "rows")), 2);
    (void)unlink(lost);
}

/* Ada learns the game, to its end. */
static void finish_lesson(struct driver *driver, const struct game_def *game)
{
    static const int64_t people[] = {ADA};
    driver_clear_inbox(driver, ADA);
    driver_ok(driver, ADA, "{'t':'learn','game':'%s'}", game->id);
    (void)driver_play_moves(driver, people, ARRAY_LEN(people), SIZE_MAX);
    assert_non_null(driver_newest_message(driver, ADA, "result"));
    driver_ok(driver, ADA, "{'t':'table_leave'}");
}

/* Ada and Bob play with bots. Bob leaves for good, so a bot plays his seat to the end. */
static void finish_game_that_bob_leaves(struct driver *driver, const struct game_def *game,
                                        uint8_t players)
{
    static const int64_t people[] = {ADA, BOB};
    driver_clear_inbox(driver, ADA);
    driver_clear_inbox(driver, BOB);
    int64_t table = driver_read_number(driver_ok(driver, ADA,
                                                 "{'t':'table_open','game':'%s','players':%d,"
                                                 "'options':{},'pace':'quick'}",
                                                 game->id, players),
                                       "table");
    driver_ok(driver, BOB, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    for (uint8_t bots = 2; bots < players; bots++) {
        driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    }
    driver_ok(driver, ADA, "{'t':'table_start'}");
    (void)driver_play_moves(driver, people, ARRAY_LEN(people), 3);
    driver_ok(driver, BOB, "{'t':'seat_leave','for_good':true}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    (void)driver_play_moves(driver, people, 1, SIZE_MAX);
    assert_non_null(driver_newest_message(driver, ADA, "result"));
    driver_ok(driver, ADA, "{'t':'table_leave'}");
}

static void every_kind_of_finished_game_replays_to_what_is_stored_of_it(void **state)
{
    struct driver *driver = *state;
    size_t games = 0;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    driver->has_bots = true;
    (void)driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3,'software':'test'}");
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        finish_lesson(driver, game);
        finish_game_that_bob_leaves(driver, game, game->seats_min);
        finish_game_that_bob_leaves(driver, game, game->seats_max);
        games += 3;
        assert_int_equal(count_games_that_replay_correctly(driver->storage), games);
    }
}

static void a_changed_score_move_or_seed_of_a_stored_game_is_detected(void **state)
{
    struct driver *driver = *state;
    struct game_record record;
    enum game_record_verdict verdict;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    driver->has_bots = true;
    (void)driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3,'software':'test'}");
    (void)play_game_during_backup(driver, NULL);
    assert_int_equal(game_record_read(driver->storage, 1, &record), STORAGE_OK);
    struct history_move kept = record.moves[3];
    record.moves[3].seat = (uint8_t)((kept.seat + 1) % 3);
    assert_int_equal(game_record_check(driver->storage, &record, &verdict), STORAGE_OK);
    assert_int_equal(verdict, GAME_RECORD_BAD_MOVE);
    record.moves[3] = kept;
    record.source.seed[0] ^= 1;
    assert_int_equal(game_record_check(driver->storage, &record, &verdict), STORAGE_OK);
    assert_int_equal(verdict, GAME_RECORD_MISDEALT);
    record.source.seed[0] ^= 1;
    record.source.move_count--;
    assert_int_equal(game_record_check(driver->storage, &record, &verdict), STORAGE_OK);
    assert_int_equal(verdict, GAME_RECORD_NOT_OVER);
    record.source.move_count++;
    record.row.id = 2; /* no scores are stored for game 2 */
    assert_int_equal(game_record_check(driver->storage, &record, &verdict), STORAGE_OK);
    assert_int_equal(verdict, GAME_RECORD_BAD_SCORE);
    game_record_clear(&record);
}

TEST_GROUP(backups)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(the_answer_to_a_backup_request_names_the_file),
        DRIVER_TEST(a_failed_backup_is_reported_as_failed),
        DRIVER_TEST(
            only_staff_and_operators_request_backups_and_only_the_keeper_process_reports_them_done),
        DRIVER_TEST(scheduled_backups_keep_their_interval_over_a_restart),
        DRIVER_TEST(a_clock_that_was_ahead_does_not_stop_scheduled_backups),
        DRIVER_TEST(a_failed_backup_is_retried_soon),
        DRIVER_TEST(every_game_in_a_backup_made_during_play_replays_to_the_stored_scores),
        DRIVER_TEST(every_kind_of_finished_game_replays_to_what_is_stored_of_it),
        DRIVER_TEST(a_changed_score_move_or_seed_of_a_stored_game_is_detected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
