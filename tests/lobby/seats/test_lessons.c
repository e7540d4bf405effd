#include "games/history.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Lessons at tables: who sees them, that they follow their script, that they count nowhere. */

#define ADA DRIVER_FIRST
#define EVE (DRIVER_FIRST + 1)
/* a bot's slow move after a trick, and the time to read a note before it */
#define MOVE_AND_READING_MS 12000

static const int64_t only_ada[] = {ADA};

static int64_t begin_lesson(struct driver *driver, const struct game_def *game)
{
    driver_clear_inbox(driver, ADA);
    return driver_read_number(driver_ok(driver, ADA, "{'t':'learn','game':'%s'}", game->id),
                              "table");
}

static const json_t *newest_view(const struct driver *driver)
{
    return json_object_get(driver_newest_message(driver, ADA, "view"), "view");
}

/* Makes the player's scripted moves until `step` moves are made; the bots make theirs. */
static void follow_script(struct driver *driver, int64_t table, const struct game_def *game,
                          int64_t step)
{
    const struct game_lesson *lesson = game->face->lesson;
    for (int64_t at; (at = driver_read_number(newest_view(driver), "step")) < step;) {
        if (lesson->moves[at].seat == lesson->seat) {
            driver_ok(driver, ADA, "{'t':'move','table':%" PRId64 ",'step':%d,'move':'%s'}", table,
                      (int)at, lesson->moves[at].move);
        }
        driver_pass_time(driver, MOVE_AND_READING_MS);
        assert_true(driver_read_number(newest_view(driver), "step") > at);
    }
}

static void bots_follow_the_script_as_long_as_the_player_does(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        int64_t table = begin_lesson(driver, game);
        const json_t *about = driver_newest_message(driver, ADA, "table");
        assert_true(json_is_true(json_object_get(about, "lesson")));
        assert_true(json_is_false(json_object_get(about, "is_rated")));
        assert_int_equal(driver_read_number(about, "you"), game->face->lesson->seat);
        follow_script(driver, table, game, game->face->lesson->move_count);
        assert_int_equal(driver_read_number(newest_view(driver), "round"), 2);
        driver_ok(driver, ADA, "{'t':'table_leave'}");
    }
}

static void a_lesson_goes_on_after_another_move_than_the_suggested_one(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    for (uint8_t i = 0; i < game_count(); i++) {
        (void)begin_lesson(driver, game_at(i));
        driver_pass_time(driver, 60000);
        /* the first legal moves are not those of the script */
        assert_int_equal(driver_play_moves(driver, only_ada, 1, 5), 5);
        driver_ok(driver, ADA, "{'t':'table_leave'}");
    }
}

static void bots_wait_until_the_player_has_read_a_note(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    const struct game_def *game = game_find("oh-hell");
    assert_true(lesson_tells_note_after(game, 0)); /* before a bot bids first */
    assert_false(lesson_tells_note_after(game, 3));
    int64_t table = begin_lesson(driver, game);
    assert_string_equal(
        json_string_value(json_object_get(driver_newest_message(driver, ADA, "table"), "pace")),
        "slow");
    driver_pass_time(driver, 5000);
    assert_int_equal(driver_read_number(newest_view(driver), "step"), 0);
    driver_pass_time(driver, MOVE_AND_READING_MS - 5000);
    assert_int_equal(driver_read_number(newest_view(driver), "step"), 1);
    driver_ok(driver, ADA, "{'t':'move','table':%" PRId64 ",'step':1,'move':'bid:2'}", table);
    driver_pass_time(driver, 5000);
    assert_true(driver_read_number(newest_view(driver), "step") > 2);
}

static void nobody_else_sees_a_lesson_or_hears_of_it(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, EVE, "eve");
    driver_pass_time(driver, 5000);
    driver_clear_inbox(driver, EVE);
    int64_t table = begin_lesson(driver, game_at(0));
    follow_script(driver, table, game_at(0), 4);
    driver_pass_time(driver, 5000);
    assert_int_equal(driver_count_messages(driver, EVE, "chat"), 0);
    assert_int_equal(driver_count_messages_with_words(driver, EVE, "lobby", "\"host\""), 0);
    assert_int_equal(driver_count_messages_with_words(driver, EVE, "lobby", "\"bot\""), 0);
    driver_no(driver, EVE, "watch", "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_disconnect(driver, EVE);
    driver_sign_in(driver, EVE, "eve"); /* nor does somebody who enters later */
    assert_int_equal(driver_count_messages_with_words(driver, EVE, "lobby", "\"host\""), 0);
}

static void leaving_a_lesson_closes_it_at_once_without_a_trace(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    int64_t table = begin_lesson(driver, game_at(0));
    follow_script(driver, table, game_at(0), 4);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_no(driver, ADA, "unknown", "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_int_equal(
        json_array_size(json_object_get(driver_ok(driver, ADA, "{'t':'games','count':9}"), "rows")),
        0);
    assert_true(begin_lesson(driver, game_at(1)) > table);
    int64_t other = driver_read_number(driver_ok(driver, ADA, "{'t':'quick','game':'hund'}"),
                                       "table"); /* another table ends the lesson too */
    driver_no(driver, ADA, "unknown", "{'t':'table_enter','table':%" PRId64 "}", other - 1);
}

static void a_finished_lesson_is_in_nobodys_history_or_statistics(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    (void)begin_lesson(driver, game_at(0));
    (void)driver_play_moves(driver, only_ada, 1, SIZE_MAX);
    const json_t *result = driver_newest_message(driver, ADA, "result");
    assert_non_null(result);
    const json_t *games = driver_ok(driver, ADA, "{'t':'games','count':9}");
    assert_int_equal(json_array_size(json_object_get(games, "rows")), 0);
    const json_t *profile = driver_ok(driver, ADA, "{'t':'profile'}");
    assert_int_equal(json_array_size(json_object_get(profile, "games")), 0);
    driver_ok(driver, ADA, "{'t':'record','game_id':%" PRId64 "}",
              driver_read_number(result, "game_id"));
    driver_ok(driver, ADA, "{'t':'rematch'}"); /* the next game is dealt anew and is no lesson */
    assert_null(json_object_get(driver_newest_message(driver, ADA, "table"), "lesson"));
}

static void a_lesson_goes_on_after_a_restart_of_the_core(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    const struct game_def *game = game_at(0);
    int64_t table = begin_lesson(driver, game);
    follow_script(driver, table, game, 9);
    driver_restart_core(driver);
    driver_reconnect_conns(driver, only_ada, 1);
    driver_pass_time(driver, 5000);
    assert_true(
        json_is_true(json_object_get(driver_newest_message(driver, ADA, "table"), "lesson")));
    follow_script(driver, table, game, game->face->lesson->move_count);
}

TEST_GROUP(lessons)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(bots_follow_the_script_as_long_as_the_player_does),
        DRIVER_TEST(a_lesson_goes_on_after_another_move_than_the_suggested_one),
        DRIVER_TEST(bots_wait_until_the_player_has_read_a_note),
        DRIVER_TEST(nobody_else_sees_a_lesson_or_hears_of_it),
        DRIVER_TEST(leaving_a_lesson_closes_it_at_once_without_a_trace),
        DRIVER_TEST(a_finished_lesson_is_in_nobodys_history_or_statistics),
        DRIVER_TEST(a_lesson_goes_on_after_a_restart_of_the_core),
    };
    return cmocka_run_group_tests_name("lessons", tests, NULL, NULL);
}
