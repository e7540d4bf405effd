#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "lobby/tables/tables.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

/* Begins a game with the clock `clock` ("'clock':…"): Ada hosts it on seat 0, Bob is on seat 1, a
 * bot on seat 2. */
static int64_t begin_game_with_clock(struct driver *driver, const char *clock)
{
    const json_t *answer =
        driver_ok(driver, ADA, "{'t':'table_open','game':'%s','players':3,'options':{},%s}",
                  game_at(0)->id, clock);
    int64_t table = driver_read_number(answer, "table");
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    return table;
}

static void sign_in_ada_and_bob(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
}

static const json_t *read_newest_view(const struct driver *driver, int64_t conn)
{
    return json_object_get(driver_newest_message(driver, conn, "view"), "view");
}

static bool is_on_turn(const struct driver *driver, int64_t conn)
{
    return json_array_size(json_object_get(read_newest_view(driver, conn), "legal")) > 0;
}

/* Plays on until it is this person's turn. */
static void play_until_turn_of(struct driver *driver, int64_t conn)
{
    const int64_t other[] = {conn == ADA ? BOB : ADA};
    for (int i = 0; i < 1000 && !is_on_turn(driver, conn); i++) {
        if (is_on_turn(driver, other[0])) {
            assert_int_equal(driver_play_moves(driver, other, 1, 1), 1);
        } else {
            driver_pass_time(driver, 100);
        }
    }
    assert_true(is_on_turn(driver, conn));
}

static int64_t read_step_of_newest_view(const struct driver *driver, int64_t conn)
{
    return driver_read_number(read_newest_view(driver, conn), "step");
}

static int64_t read_clock_time_left_ms(const struct driver *driver, int64_t conn)
{
    return driver_read_number(json_object_get(driver_newest_message(driver, conn, "view"), "clock"),
                              "left_ms");
}

static int64_t read_time_of_seat(const struct driver *driver, int64_t conn, size_t seat,
                                 const char *key)
{
    const json_t *times = json_object_get(driver_newest_message(driver, conn, "view"), "times");
    return driver_read_number(json_array_get(times, seat), key);
}

static bool is_played_by_bot(const struct driver *driver, int64_t conn, size_t seat)
{
    const json_t *seats = json_object_get(driver_newest_message(driver, conn, "table"), "seats");
    return json_is_true(json_object_get(json_array_get(seats, seat), "played_by_bot"));
}

static void a_players_time_bank_runs_only_on_their_own_turn(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    (void)begin_game_with_clock(driver, "'clock':{'kind':'bank','bank_s':60,'increment_s':5}");
    play_until_turn_of(driver, ADA);
    assert_int_equal(read_time_of_seat(driver, BOB, 2, "bank_ms"),
                     -1); /* the bot's seat has no clock */
    int64_t bank_ms = read_time_of_seat(driver, ADA, 0, "bank_ms");
    driver_pass_time(driver, 20000);
    const int64_t ada[] = {ADA};
    assert_int_equal(driver_play_moves(driver, ada, 1, 1), 1);
    assert_int_equal(read_time_of_seat(driver, ADA, 0, "bank_ms"), bank_ms - 15000);
    driver_pass_time(driver, 20000);
    assert_true(read_time_of_seat(driver, ADA, 0, "bank_ms") >= bank_ms - 15000);
}

static void a_request_with_the_old_field_clock_s_still_sets_the_clock(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    (void)begin_game_with_clock(driver, "'clock_s':45");
    const json_t *table = driver_newest_message(driver, ADA, "table");
    assert_int_equal(driver_read_number(table, "clock_s"), 45);
    const json_t *clock = json_object_get(table, "clock");
    assert_string_equal(driver_read_text(clock, "kind"), "move");
    assert_int_equal(driver_read_number(clock, "move_s"), 45);
}

static void after_three_timeouts_a_bot_plays_until_the_player_acts(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    (void)begin_game_with_clock(driver, "'clock':{'kind':'move','move_s':10}");
    for (int miss = 0; miss < TIMES_MISSES_LIVE; miss++) {
        play_until_turn_of(driver, ADA);
        assert_false(is_played_by_bot(driver, BOB, 0));
        driver_pass_time(driver, 11000);
    }
    assert_true(is_played_by_bot(driver, BOB, 0));
    assert_true(driver_count_messages_with_words(driver, BOB, NULL, "ada is away"));
    /* The bot moves without waiting ten seconds. */
    const int64_t bob[] = {BOB};
    int64_t step = read_step_of_newest_view(driver, BOB);
    (void)driver_play_moves(driver, bob, 1, 2);
    driver_pass_time(driver, 4000);
    assert_true(read_step_of_newest_view(driver, BOB) > step + 3);
    driver_ok(driver, ADA, "{'t':'seat_back'}");
    assert_false(is_played_by_bot(driver, BOB, 0));
    play_until_turn_of(driver, ADA);
    step = read_step_of_newest_view(driver, ADA);
    driver_pass_time(driver, 8000);
    assert_int_equal(read_step_of_newest_view(driver, ADA), step);
    driver_pass_time(driver, 3000); /* the next timeout counts as the first again */
    assert_true(read_step_of_newest_view(driver, ADA) > step);
    assert_false(is_played_by_bot(driver, BOB, 0));
}

static void a_players_own_move_sets_the_count_of_timeouts_to_zero(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    (void)begin_game_with_clock(driver, "'clock':{'kind':'move','move_s':10}");
    const int64_t ada[] = {ADA};
    for (int i = 0; i < 2 * TIMES_MISSES_LIVE; i++) {
        play_until_turn_of(driver, ADA);
        driver_pass_time(driver, 11000);
        assert_false(is_played_by_bot(driver, BOB, 0));
        play_until_turn_of(driver, ADA);
        assert_int_equal(driver_play_moves(driver, ada, 1, 1), 1);
    }
}

static void a_bot_plays_after_waiting_once_for_a_disconnected_player(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    int64_t table = begin_game_with_clock(driver, "'clock':{'kind':'move','move_s':10}");
    play_until_turn_of(driver, ADA);
    driver_pass_time(driver, 5000);
    int64_t step = read_step_of_newest_view(driver, BOB);
    driver_disconnect(driver, ADA);
    const json_t *seats = json_object_get(driver_newest_message(driver, BOB, "table"), "seats");
    assert_true(json_is_true(json_object_get(json_array_get(seats, 0), "gone")));
    assert_int_equal(read_time_of_seat(driver, BOB, 0, "bot_ms"), 60000);
    driver_pass_time(driver, 55000);
    assert_int_equal(read_step_of_newest_view(driver, BOB), step);
    /* A player who returns in time gets some extra seconds for the move. */
    driver_sign_in(driver, ADA, "ada");
    assert_int_equal(driver_read_number(driver_newest_message(driver, ADA, "back"), "table"),
                     table);
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_int_equal(read_clock_time_left_ms(driver, ADA), TIMES_RETURN_MS);
    driver_pass_time(driver, 5000);
    /* After the second lost connection Ada gets no extra seconds. */
    driver_disconnect(driver, ADA);
    driver_pass_time(driver, 6000);
    assert_int_equal(read_step_of_newest_view(driver, BOB), step + 1);
    assert_true(is_played_by_bot(driver, BOB, 0));
    const int64_t bob[] = {BOB};
    (void)driver_play_moves(driver, bob, 1, 5);
    driver_clear_inbox(driver, ADA);
    driver_sign_in(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_true(driver_count_messages_with_words(driver, ADA, NULL, "While you were away: "));
    assert_true(driver_count_messages_with_words(driver, ADA, NULL, "by a bot for you"));
    assert_false(is_played_by_bot(driver, BOB, 0));
}

static void a_second_missed_deadline_gives_the_seat_to_a_bot_until_its_player_returns(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    (void)begin_game_with_clock(driver, "'clock':{'kind':'days','days':2}");
    play_until_turn_of(driver, ADA);
    driver_disconnect(driver, ADA);
    int64_t step = read_step_of_newest_view(driver, BOB);
    driver_pass_time(driver, 2 * DAY_MS - 60000);
    assert_int_equal(read_step_of_newest_view(driver, BOB), step);
    driver_pass_time(driver, 120000);
    assert_true(read_step_of_newest_view(driver, BOB) > step);
    assert_false(is_played_by_bot(driver, BOB, 0));
    /* Ada's next missed deadline starts a respite: for a week she has no deadlines. */
    const int64_t bob[] = {BOB};
    (void)driver_play_moves(driver, bob, 1, 3);
    step = read_step_of_newest_view(driver, BOB);
    driver_pass_time(driver, RESPITE_MS - 3600000);
    assert_int_equal(read_step_of_newest_view(driver, BOB), step);
    driver_pass_time(driver, 3700000);
    assert_true(is_played_by_bot(driver, BOB, 0));
    driver_sign_in(driver, ADA, "ada");
    assert_false(is_played_by_bot(driver, BOB, 0));
}

/* Ada's losses: the moves that a bot made for her, and the seats that it took over. */
struct losses {
    unsigned moves, seats;
};

static struct losses count_adas_losses(struct driver *driver, const int64_t *tables, size_t count)
{
    struct losses losses = {0};
    for (size_t i = 0; i < count; i++) {
        driver_clear_inbox(driver, BOB);
        driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", tables[i]);
        losses.seats += is_played_by_bot(driver, BOB, 0);
        for (size_t at = 0; at < json_array_size(driver->inbox[BOB]); at++) {
            const char *text = driver_read_text(json_array_get(driver->inbox[BOB], at), "text");
            losses.moves += strcmp(text, "ada ran out of time: a bot made this move.") == 0;
        }
    }
    return losses;
}

/* Makes a move for Bob at each of these tables where it is his turn. */
static void make_bobs_moves(struct driver *driver, const int64_t *tables, size_t count)
{
    static const int64_t bob[] = {BOB};
    for (size_t i = 0; i < count; i++) {
        driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", tables[i]);
        (void)driver_play_moves(driver, bob, 1, 3);
    }
}

static void in_a_week_of_absence_a_bot_makes_one_move_in_all_not_one_at_each_table(void **state)
{
    struct driver *driver = *state;
    int64_t tables[3];
    sign_in_ada_and_bob(driver);
    for (size_t i = 0; i < 3; i++) {
        tables[i] = begin_game_with_clock(driver, "'clock':{'kind':'days','days':1}");
        play_until_turn_of(driver, ADA);
    }
    driver_disconnect(driver, ADA);
    for (int day = 0; day < 7; day++) {
        driver_pass_time(driver, DAY_MS + 3600000 / 24);
        make_bobs_moves(driver, tables, 3);
        struct losses losses = count_adas_losses(driver, tables, 3);
        assert_int_equal(losses.moves, 1);
        assert_int_equal(losses.seats, 0);
        if (day == 3) {
            driver_restart_core(driver);
            driver_sign_in(driver, BOB, "bob");
        }
    }
    assert_true(
        driver_count_messages_with_words(driver, BOB, NULL, "ada missed a deadline while away"));
    /* Once back, Ada has a day for each move, and her next absence gets another week without
     * deadlines. */
    driver_clear_inbox(driver, ADA);
    driver_sign_in(driver, ADA, "ada");
    const json_t *mine = json_object_get(driver_newest_message(driver, ADA, "mine"), "tables");
    assert_int_equal(json_array_size(mine), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *row = json_array_get(mine, i);
        assert_true(json_is_true(json_object_get(row, "turn")));
        assert_int_equal(driver_read_number(row, "due_at"), driver->now_ms + DAY_MS);
    }
}

static void a_player_absent_for_over_a_week_does_not_block_the_game(void **state)
{
    struct driver *driver = *state;
    int64_t tables[2];
    sign_in_ada_and_bob(driver);
    for (size_t i = 0; i < 2; i++) {
        tables[i] = begin_game_with_clock(driver, "'clock':{'kind':'days','days':1}");
        play_until_turn_of(driver, ADA);
    }
    driver_disconnect(driver, ADA);
    for (int day = 0; day < 12; day++) {
        driver_pass_time(driver, DAY_MS);
        make_bobs_moves(driver, tables, 2);
    }
    assert_int_equal(count_adas_losses(driver, tables, 2).seats, 2);
}

static void a_present_player_who_misses_a_deadline_gets_no_respite_from_later_ones(void **state)
{
    struct driver *driver = *state;
    int64_t tables[2];
    sign_in_ada_and_bob(driver);
    for (size_t i = 0; i < 2; i++) {
        tables[i] = begin_game_with_clock(driver, "'clock':{'kind':'days','days':1}");
        play_until_turn_of(driver, ADA);
    }
    for (int minute = 0; minute < 25 * 60; minute++) {
        driver_pass_time(driver, 60000 - 1);
        driver_ok(driver, ADA, "{'t':'friends'}");
    }
    assert_int_equal(count_adas_losses(driver, tables, 2).moves, 2);
    assert_false(driver_count_messages_with_words(driver, BOB, NULL, "while away"));
}

static void taking_a_seat_back_from_a_bot_sets_the_count_of_timeouts_to_zero(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    (void)begin_game_with_clock(driver, "'clock':{'kind':'move','move_s':10}");
    for (int round = 0; round < 2; round++) {
        for (int miss = 0; miss < TIMES_MISSES_LIVE; miss++) {
            play_until_turn_of(driver, ADA);
            assert_false(is_played_by_bot(driver, BOB, 0));
            driver_pass_time(driver, 11000);
        }
        assert_true(is_played_by_bot(driver, BOB, 0));
        driver_ok(driver, ADA, "{'t':'seat_back'}");
        driver_restart_core(driver); /* the stored count of timeouts is zero too */
        static const int64_t both[] = {ADA, BOB};
        driver_reconnect_conns(driver, both, 2);
    }
}

static void a_turn_by_turn_table_fills_while_people_come_and_go(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    const json_t *answer = driver_ok(driver, ADA,
                                     "{'t':'table_open','game':'%s','players':3,'options':{},"
                                     "'clock':{'kind':'days','days':1}}",
                                     game_at(0)->id);
    int64_t table = driver_read_number(answer, "table");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_disconnect(driver, ADA);
    driver_pass_time(driver, 3 * DAY_MS);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "table"), "state"),
                        "playing");
    const json_t *seats = json_object_get(driver_newest_message(driver, BOB, "table"), "seats");
    assert_string_equal(driver_read_text(json_array_get(seats, 0), "name"), "ada");
}

static void guests_cannot_sit_in_turn_by_turn_games(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_enter_as_guest(driver, BOB);
    driver_no(driver, BOB, "guest",
              "{'t':'table_open','game':'%s','clock':{'kind':'days','days':1}}", game_at(0)->id);
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_no(driver, ADA, "guest", "{'t':'table_set','clock':{'kind':'days','days':2}}");
    driver_ok(driver, BOB, "{'t':'seat_leave'}");
    driver_ok(driver, ADA, "{'t':'table_set','clock':{'kind':'days','days':2}}");
    driver_no(driver, BOB, "guest", "{'t':'seat_take'}");
}

static void a_vacation_moves_all_deadlines_and_is_sent_to_the_tables(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    (void)begin_game_with_clock(driver, "'clock':{'kind':'days','days':2}");
    play_until_turn_of(driver, ADA);
    int64_t before_ms = read_clock_time_left_ms(driver, ADA);
    const json_t *answer = driver_ok(driver, ADA, "{'t':'vacation','days':3}");
    assert_int_equal(driver_read_number(answer, "days_left"), 27);
    assert_true(driver_count_messages_with_words(driver, BOB, NULL, "ada is on vacation"));
    assert_true(read_clock_time_left_ms(driver, ADA) == before_ms + 3 * DAY_MS);
    const json_t *seats = json_object_get(driver_newest_message(driver, BOB, "table"), "seats");
    assert_true(driver_read_number(json_array_get(seats, 0), "vacation_until") ==
                driver->now_ms + 3 * DAY_MS);
    driver_pass_time(driver, DAY_MS);
    /* Ada ends the vacation early: the unused days are given back, and time runs again. */
    answer = driver_ok(driver, ADA, "{'t':'vacation','days':0}");
    assert_int_equal(driver_read_number(answer, "days_left"), 29);
    assert_true(json_is_null(json_object_get(answer, "until")));
    assert_true(read_clock_time_left_ms(driver, ADA) == before_ms);
    driver_no(driver, ADA, "vacation", "{'t':'vacation','days':30}");
    answer = driver_ok(driver, ADA, "{'t':'vacation'}");
    assert_int_equal(driver_read_number(answer, "days_left"), 29);
}

static void a_new_year_brings_new_vacation_days(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    driver_ok(driver, ADA, "{'t':'vacation','days':30}");
    driver_no(driver, ADA, "vacation", "{'t':'vacation','days':1}");
    driver->now_ms += 365 * DAY_MS;
    driver_pass_time(driver, DAY_MS);
    assert_int_equal(driver_read_number(driver_ok(driver, ADA, "{'t':'vacation'}"), "days_left"),
                     30);
}

static void quiet_hours_apply_at_once_and_to_absent_players(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    (void)begin_game_with_clock(driver, "'clock':{'kind':'days','days':2}");
    play_until_turn_of(driver, ADA);
    int64_t due_ms = driver->now_ms + read_clock_time_left_ms(driver, ADA);
    int64_t minute = due_ms / 60000 % 1440;
    driver_no(driver, ADA, "bad", "{'t':'settings_set','settings':{'quiet':{'from_min':0}}}");
    driver_ok(driver, ADA,
              "{'t':'settings_set','settings':{'quiet':{'from_min':%" PRId64 ",'to_min':%" PRId64
              ",'offset_min':0}}}",
              (minute + 1380) % 1440, (minute + 480) % 1440);
    int64_t slept_ms = driver->now_ms + read_clock_time_left_ms(driver, ADA);
    assert_in_range(slept_ms - due_ms, 7 * HOUR_MS, 8 * HOUR_MS);
    driver_disconnect(driver, ADA);
    driver_restart_core(driver);
    driver_sign_in(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'table_enter','table':1}");
    assert_in_range(driver->now_ms + read_clock_time_left_ms(driver, BOB), slept_ms,
                    slept_ms + 20000);
}

static void nobody_loses_clock_time_by_a_downtime_of_days(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    static const char *const clocks[] = {"'clock':{'kind':'move','move_s':30}",
                                         "'clock':{'kind':'bank','bank_s':600,'increment_s':5}",
                                         "'clock':{'kind':'days','days':1}"};
    int64_t left[3];
    int64_t tables[3];
    for (size_t i = 0; i < 3; i++) {
        tables[i] = begin_game_with_clock(driver, clocks[i]);
        play_until_turn_of(driver, ADA);
        driver_pass_time(driver, 7000);
        driver_clear_inbox(driver, BOB);
        driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", tables[i]);
        left[i] = read_time_of_seat(driver, BOB, 0, "left_ms");
        if (i < 2) { /* so that Ada's clock stands still here while she plays at the next table */
            driver_ok(driver, ADA, "{'t':'pause'}");
            driver_ok(driver, BOB, "{'t':'pause'}");
        }
    }
    driver->now_ms += 3 * DAY_MS;
    driver_restart_core(driver);
    driver_sign_in(driver, BOB, "bob");
    for (size_t i = 0; i < 3; i++) {
        driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", tables[i]);
        assert_in_range(read_time_of_seat(driver, BOB, 0, "left_ms"), left[i],
                        left[i] + (i < 2 ? 0 : 20000));
    }
}

TEST_GROUP(times)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_players_time_bank_runs_only_on_their_own_turn),
        DRIVER_TEST(a_request_with_the_old_field_clock_s_still_sets_the_clock),
        DRIVER_TEST(after_three_timeouts_a_bot_plays_until_the_player_acts),
        DRIVER_TEST(a_players_own_move_sets_the_count_of_timeouts_to_zero),
        DRIVER_TEST(a_bot_plays_after_waiting_once_for_a_disconnected_player),
        DRIVER_TEST(a_second_missed_deadline_gives_the_seat_to_a_bot_until_its_player_returns),
        DRIVER_TEST(in_a_week_of_absence_a_bot_makes_one_move_in_all_not_one_at_each_table),
        DRIVER_TEST(a_player_absent_for_over_a_week_does_not_block_the_game),
        DRIVER_TEST(a_present_player_who_misses_a_deadline_gets_no_respite_from_later_ones),
        DRIVER_TEST(taking_a_seat_back_from_a_bot_sets_the_count_of_timeouts_to_zero),
        DRIVER_TEST(a_turn_by_turn_table_fills_while_people_come_and_go),
        DRIVER_TEST(guests_cannot_sit_in_turn_by_turn_games),
        DRIVER_TEST(a_vacation_moves_all_deadlines_and_is_sent_to_the_tables),
        DRIVER_TEST(a_new_year_brings_new_vacation_days),
        DRIVER_TEST(quiet_hours_apply_at_once_and_to_absent_players),
        DRIVER_TEST(nobody_loses_clock_time_by_a_downtime_of_days),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
