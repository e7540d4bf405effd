#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "lobby/protocol/protocol.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

static const int64_t both[] = {ADA, BOB};

/* Begins a rated game of two people and two bots. */
static int64_t begin_rated_game_with_bots(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, ADA, 4, 30);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    return table;
}

static void a_game_of_people_and_bots_is_recorded_in_ratings_history_and_leaderboard(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game_with_bots(driver);
    assert_true(driver_play_moves(driver, both, 2, SIZE_MAX) > 100);
    const json_t *result = driver_newest_message(driver, ADA, "result");
    assert_non_null(result);
    assert_int_equal(driver_read_number(result, "table"), table);
    assert_int_equal(strlen(driver_read_text(result, "seed")), 64);
    const json_t *ratings = json_object_get(result, "ratings");
    assert_int_equal(json_array_size(ratings), 4);
    for (size_t seat = 0; seat < 4; seat++) {
        const json_t *rating = json_array_get(ratings, seat);
        assert_true(json_is_object(rating));
        size_t opponents = json_array_size(json_object_get(rating, "by"));
        assert_int_equal(opponents, seat < 2 ? 1 : 3);
    }
    const json_t *games = driver_ok(driver, ADA, "{'t':'games','count':10}");
    const json_t *row = json_array_get(json_object_get(games, "rows"), 0);
    assert_int_equal(driver_read_number(row, "game_id"), driver_read_number(result, "game_id"));
    assert_int_equal(json_array_size(json_object_get(row, "players")), 4);
    assert_true(json_is_real(json_object_get(row, "change")));
    const json_t *leaders =
        driver_ok(driver, BOB, "{'t':'leaders','game':'%s','offset':0,'count':50}", game_at(0)->id);
    assert_int_equal(driver_read_number(leaders, "total"), 2);
    assert_true(json_is_true(json_object_get(leaders, "is_young")));
    assert_string_equal(driver_read_text(json_object_get(leaders, "me"), "name"), "bob");
}

/* Writes the line that the lobby is to be sent, such as "#1 Title is over: won by ada, bob and eve
 * with 7". Returns the number of winners. */
static size_t write_expected_end_of_game_line(const json_t *table, const json_t *result,
                                              const char *title, char *out, size_t size)
{
    const json_t *winners = json_object_get(result, "winners");
    const json_t *seats = json_object_get(table, "seats");
    size_t count = json_array_size(winners);
    json_int_t seat = 0;
    int length =
        snprintf(out, size, "%s is over: %s", title, count == 0 ? "nobody won" : "won by ");
    for (size_t i = 0; i < count; i++) {
        seat = json_integer_value(json_array_get(winners, i));
        const char *joint = i == 0 ? "" : i + 1 < count ? ", " : " and ";
        length += snprintf(out + length, size - (size_t)length, "%s%s", joint,
                           driver_read_text(json_array_get(seats, (size_t)seat), "name"));
    }
    if (count > 0) {
        (void)snprintf(out + length, size - (size_t)length, " with %d",
                       (int)json_integer_value(
                           json_array_get(json_object_get(result, "scores"), (size_t)seat)));
    }
    return count;
}

static void the_lobby_is_told_all_winners_and_their_score(void **state)
{
    struct driver *driver = *state;
    size_t seen[8] = {0};
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, ADA,
              "{'t':'table_open','game':'oh-hell','players':7,'options':{'length':'short-up'},'"
              "clock_s':30}");
    for (int i = 0; i < 6; i++) {
        driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    }
    driver_ok(driver, ADA, "{'t':'table_start'}");
    for (int games = 0; games < 256 && (seen[1] == 0 || seen[2] == 0); games++) {
        char expected[400];
        (void)driver_play_moves(driver, both, 1, SIZE_MAX);
        size_t winners = write_expected_end_of_game_line(
            driver_newest_message(driver, ADA, "table"),
            driver_newest_message(driver, ADA, "result"), "#1 Oh Hell", expected, sizeof(expected));
        seen[winners]++;
        assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "chat"), "text"),
                            expected);
        driver_clear_inbox(driver, ADA);
        /* another seed each time, so that each game is dealt other cards */
        driver->random = (uint8_t)games;
        driver_ok(driver, ADA, "{'t':'rematch'}");
    }
    assert_true(seen[1] > 0 && seen[2] > 0);
}

static void a_finished_games_record_replays_to_its_result(void **state)
{
    struct driver *driver = *state;
    (void)begin_rated_game_with_bots(driver);
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    const json_t *result = driver_newest_message(driver, BOB, "result");
    const json_t *answer = driver_ok(driver, BOB, "{'t':'record','game_id':%" PRId64 "}",
                                     driver_read_number(result, "game_id"));
    struct record record;
    assert_true(record_from_json(json_object_get(answer, "record"), &record));
    struct game_state game;
    assert_int_equal(
        game_start(record.source.game, &record.source.config, record.source.seed, &game, NULL),
        GAME_OK);
    for (uint32_t i = 0; i < record.source.move_count; i++) {
        assert_int_equal(game_apply(record.source.game, &game, record.source.moves[i].seat,
                                    record.source.moves[i].move, NULL),
                         GAME_OK);
    }
    struct game_outcome outcome;
    game_fill_outcome(record.source.game, &game, &outcome);
    const json_t *scores = json_object_get(result, "scores");
    for (uint8_t seat = 0; seat < 4; seat++) {
        assert_int_equal(json_integer_value(json_array_get(scores, seat)), outcome.scores[seat]);
    }
    assert_string_equal(record.source.seats[2].bot, "medium");
    assert_null(record.source.seats[0].bot);
    record_clear(&record);
}

static void moves_that_are_late_unknown_or_out_of_turn_are_refused(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game_with_bots(driver);
    const json_t *view = json_object_get(driver_newest_message(driver, ADA, "view"), "view");
    while (json_array_size(json_object_get(view, "legal")) == 0) {
        driver_pass_time(driver, 100);
        (void)driver_play_moves(driver, &both[1], 1, 1);
        view = json_object_get(driver_newest_message(driver, ADA, "view"), "view");
    }
    int64_t step = driver_read_number(view, "step");
    driver_no(driver, ADA, "illegal",
              "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'bid:99'}", table, step);
    driver_no(driver, ADA, "illegal",
              "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':''}", table, step);
    driver_no(driver, ADA, "stale",
              "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'bid:0'}", table,
              step + 1);
    driver_no(driver, ADA, "stale", "{'t':'move','table':%" PRId64 ",'move':'bid:0'}", table);
    driver_no(driver, ADA, "not_your_turn", "{'t':'move','table':77,'step':0,'move':'bid:0'}");
    driver_no(driver, BOB, "not_your_turn",
              "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'bid:0'}", table, step);
    assert_int_equal(
        driver_read_number(json_object_get(driver_newest_message(driver, ADA, "view"), "view"),
                           "step"),
        step);
}

static void a_rematch_begins_once_everybody_asked_for_it(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game_with_bots(driver);
    driver_no(driver, ADA, "started", "{'t':'rematch'}");
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    json_t *first = json_deep_copy(driver_newest_message(driver, ADA, "table"));
    driver_no(driver, ADA, "rematch", "{'t':'table_start'}");
    driver_ok(driver, ADA, "{'t':'rematch'}");
    const json_t *asked = json_object_get(driver_newest_message(driver, BOB, "table"), "rematch");
    assert_int_equal(json_integer_value(json_array_get(asked, 0)), 0);
    driver_clear_inbox(driver, ADA);
    driver_ok(driver, BOB, "{'t':'rematch'}");
    const json_t *second = driver_newest_message(driver, ADA, "table");
    assert_string_equal(driver_read_text(second, "state"), "playing");
    assert_int_equal(driver_read_number(second, "id"), table);
    assert_true(driver_read_number(second, "game_id") > driver_read_number(first, "game_id"));
    assert_string_not_equal(driver_read_text(second, "commitment"),
                            driver_read_text(first, "commitment"));
    assert_true(
        json_is_true(json_object_get(driver_newest_message(driver, ADA, "sheet"), "reset")));
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    assert_non_null(driver_newest_message(driver, ADA, "result"));
    json_decref(first);
}

static void when_somebody_has_left_a_rematch_waits_for_another_player(void **state)
{
    struct driver *driver = *state;
    (void)begin_rated_game_with_bots(driver);
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_ok(driver, ADA, "{'t':'rematch'}");
    const json_t *table = driver_newest_message(driver, ADA, "table");
    assert_string_equal(driver_read_text(table, "state"), "open");
    const json_t *sheet = driver_newest_message(driver, ADA, "sheet");
    assert_true(json_is_true(json_object_get(sheet, "reset")));
    assert_int_equal(json_array_size(json_object_get(sheet, "rows")), 0);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    table = driver_newest_message(driver, ADA, "table");
    assert_string_equal(driver_read_text(table, "state"), "playing");
    assert_true(json_is_false(json_object_get(table, "is_rated")));
}

static void the_score_sheet_has_a_row_for_every_round(void **state)
{
    struct driver *driver = *state;
    (void)begin_rated_game_with_bots(driver);
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    size_t rows = 0;
    for (size_t i = 0; i < json_array_size(driver->inbox[BOB]); i++) {
        const json_t *message = json_array_get(driver->inbox[BOB], i);
        if (strcmp(driver_read_text(message, "t"), "sheet") != 0) {
            continue;
        }
        rows = json_is_true(json_object_get(message, "reset")) ? 0 : rows;
        size_t index = 0;
        json_t *row = NULL;
        json_array_foreach(json_object_get(message, "rows"), index, row)
        {
            assert_int_equal(driver_read_number(row, "n"), (int64_t)++rows);
            assert_int_equal(json_array_size(json_object_get(row, "bids")), 4);
            assert_int_equal(json_array_size(json_object_get(row, "total")), 4);
        }
    }
    const json_t *view = json_object_get(driver_newest_message(driver, BOB, "view"), "view");
    assert_int_equal(rows, driver_read_number(view, "rounds"));
}

/* Returns the newest view sent to a connection if its player is on turn, otherwise NULL. */
static const json_t *find_view_if_on_turn(const struct driver *driver, int64_t conn)
{
    const json_t *view = json_object_get(driver_newest_message(driver, conn, "view"), "view");
    return json_array_size(json_object_get(view, "legal")) > 0 ? view : NULL;
}

static const char *read_first_legal_move(const json_t *view)
{
    return json_string_value(json_array_get(json_object_get(view, "legal"), 0));
}

static void a_move_chosen_before_another_player_moved_is_refused(void **state)
{
    struct driver *driver = *state;
    char mine[32];
    char theirs[32];
    int64_t table = begin_rated_game_with_bots(driver);
    const json_t *view = NULL;
    while ((view = find_view_if_on_turn(driver, ADA)) == NULL) {
        driver_pass_time(driver, 100);
        (void)driver_play_moves(driver, &both[1], 1, 1);
    }
    int64_t step = driver_read_number(view, "step");
    (void)snprintf(theirs, sizeof(theirs), "%s", read_first_legal_move(view));
    driver_ok(driver, ADA, "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'%s'}", table,
              step, theirs);
    view = find_view_if_on_turn(driver, BOB);
    assert_non_null(view);
    (void)snprintf(mine, sizeof(mine), "%s", read_first_legal_move(view));
    const char *const moves[] = {mine, theirs};
    for (size_t i = 0; i < 2; i++) {
        driver_no(driver, BOB, "stale",
                  "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'%s'}", table, step,
                  moves[i]);
    }
    driver_ok(driver, BOB, "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'%s'}", table,
              step + 1, mine);
}

static void standing_up_withdraws_the_request_for_a_rematch(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game_with_bots(driver);
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    driver_ok(driver, BOB, "{'t':'rematch'}");
    driver_ok(driver, BOB, "{'t':'seat_leave'}");
    const json_t *asked = json_object_get(driver_newest_message(driver, ADA, "table"), "rematch");
    assert_int_equal(json_array_size(asked), 0);
    driver_sign_up(driver, BOB + 1, "eve");
    driver_ok(driver, BOB + 1, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB + 1, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'rematch'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "table"), "state"),
                        "finished");
}

static bool table_says_that_it_is_rated(const struct driver *driver)
{
    return json_is_true(json_object_get(driver_newest_message(driver, ADA, "table"), "is_rated"));
}

static void
a_game_is_rated_with_a_clock_the_usual_options_and_two_people_with_accounts(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    const json_t *opened = driver_ok(driver, ADA,
                                     "{'t':'table_open','game':'oh-hell','players':4,'options':{},"
                                     "'clock_s':60}");
    int64_t table = driver_read_number(opened, "table");
    assert_false(table_says_that_it_is_rated(driver));
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    assert_true(table_says_that_it_is_rated(driver));
    driver_ok(driver, ADA, "{'t':'table_set','clock_s':0}");
    assert_false(table_says_that_it_is_rated(driver));
    driver_ok(driver, ADA, "{'t':'table_set','clock_s':60,'options':{'length':'short-up'}}");
    assert_false(table_says_that_it_is_rated(driver));
    driver_ok(driver, ADA, "{'t':'table_set','options':{'length':'long'}}");
    assert_true(table_says_that_it_is_rated(driver));
}

TEST_GROUP(game)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_game_of_people_and_bots_is_recorded_in_ratings_history_and_leaderboard),
        DRIVER_TEST(a_finished_games_record_replays_to_its_result),
        DRIVER_TEST(the_lobby_is_told_all_winners_and_their_score),
        DRIVER_TEST(moves_that_are_late_unknown_or_out_of_turn_are_refused),
        DRIVER_TEST(a_rematch_begins_once_everybody_asked_for_it),
        DRIVER_TEST(when_somebody_has_left_a_rematch_waits_for_another_player),
        DRIVER_TEST(the_score_sheet_has_a_row_for_every_round),
        DRIVER_TEST(a_move_chosen_before_another_player_moved_is_refused),
        DRIVER_TEST(standing_up_withdraws_the_request_for_a_rematch),
        DRIVER_TEST(a_game_is_rated_with_a_clock_the_usual_options_and_two_people_with_accounts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
