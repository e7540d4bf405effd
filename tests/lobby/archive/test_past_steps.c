#include "lobby/tables/tables.h"
#include "tests/lobby/table_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>

/* Spectators can step back through a running game. They are shown what spectators were shown at
 * each step, and nothing else. */

#define ADA DRIVER_FIRST
#define EARLY (DRIVER_FIRST + 20)
#define LATE (DRIVER_FIRST + 21)
#define MOVES 24

/* Begins a game with as few players as the game allows, at a table whose option for spectators is
 * `watch_rule`. The connection EARLY watches from the start; the connection LATE waits in the
 * lobby. */
static int64_t begin_watched_game(struct driver *driver, const struct game_def *game,
                                  const char *watch_rule)
{
    static const int64_t watchers[] = {EARLY, LATE};
    int64_t table = table_open_for_spectators(driver, game, watch_rule, watchers);
    driver_ok(driver, EARLY, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'table_start'}");
    return table;
}

static const json_t *read_newest_view(const struct driver *driver, int64_t conn)
{
    return json_object_get(driver_newest_message(driver, conn, "view"), "view");
}

/* Makes the first legal move of a player whose turn it is; returns false when it is nobody's
 * turn. */
static bool make_first_legal_move(struct driver *driver, int64_t table, const struct game_def *game)
{
    for (int seat = 0; seat < game->seats_min; seat++) {
        (void)driver_end_stop(driver, ADA + seat);
    }
    for (int seat = 0; seat < game->seats_min; seat++) {
        const json_t *view = read_newest_view(driver, ADA + seat);
        const char *move = json_string_value(json_array_get(json_object_get(view, "legal"), 0));
        if (move != NULL) {
            driver_ok(driver, ADA + seat,
                      "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'%s'}", table,
                      driver_read_number(view, "step"), move);
            return true;
        }
    }
    return false;
}

/* Makes MOVES moves in the game. The inbox of the spectator EARLY keeps the view after each
 * move. */
static void play_watched_moves(struct driver *driver, int64_t table, const struct game_def *game)
{
    for (int i = 0; i < MOVES; i++) {
        assert_true(make_first_legal_move(driver, table, game));
    }
}

/* Returns the view that the spectator EARLY was sent at step `step`, or NULL if EARLY was sent
 * none. */
static const json_t *find_view_sent_to_early(const struct driver *driver, int64_t step)
{
    size_t i;
    json_t *message;
    json_array_foreach(driver->inbox[EARLY], i, message)
    {
        const json_t *view = json_object_get(message, "view");
        if (json_is_object(view) && driver_read_number(view, "step") == step) {
            return view;
        }
    }
    return NULL;
}

static const json_t *request_past_step(struct driver *driver, int64_t conn, int64_t step)
{
    return driver_ok(driver, conn, "{'t':'past','step':%" PRId64 "}", step);
}

/* Checks that the spectator LATE, who asks for past steps, is shown each step as EARLY saw it at
 * the time, and never a newer step than EARLY has seen. */
static void check_past_steps_shown_to_late_spectator(const struct game_def *game,
                                                     const char *watch_rule)
{
    void *own = NULL;
    assert_int_equal(driver_setup(&own), 0);
    struct driver *driver = own;
    int64_t table = begin_watched_game(driver, game, watch_rule);
    play_watched_moves(driver, table, game);
    driver_pass_time(driver, 2 * WATCH_BEAT_MS);
    int64_t last = driver_read_number(read_newest_view(driver, EARLY), "step");
    driver_ok(driver, LATE, "{'t':'table_enter','table':%" PRId64 "}", table);
    for (int64_t step = 0; step <= last + 3; step++) {
        driver_pass_time(driver, 1000);
        const json_t *answer = request_past_step(driver, LATE, step);
        int64_t shown = step < last ? step : last;
        assert_int_equal(driver_read_number(answer, "step"), shown);
        assert_int_equal(driver_read_number(answer, "last"), last);
        const json_t *seen = find_view_sent_to_early(driver, shown);
        assert_non_null(seen);
        assert_true(json_equal(json_object_get(answer, "view"), seen));
    }
    const json_t *answer = driver_ok(driver, LATE, "{'t':'past'}");
    assert_int_equal(driver_read_number(answer, "step"), last);
    assert_int_equal(driver_teardown(&own), 0);
}

static void a_late_spectator_sees_each_past_step_as_earlier_spectators_did(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        check_past_steps_shown_to_late_spectator(game_at(i), "{'policy':'public'}");
    }
}

static void a_spectators_delay_applies_to_past_steps_too(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        check_past_steps_shown_to_late_spectator(game_at(i), "{'policy':'delay','moves':10}");
        check_past_steps_shown_to_late_spectator(game_at(i), "{'policy':'delay'}");
    }
}

static void a_past_step_names_the_steps_of_the_previous_and_next_trick_and_round(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_watched_game(driver, game_at(0), "{'policy':'public'}");
    play_watched_moves(driver, table, game_at(0));
    driver_ok(driver, LATE, "{'t':'table_enter','table':%" PRId64 "}", table);
    const json_t *answer = request_past_step(driver, LATE, 20);
    int64_t before = json_integer_value(json_array_get(json_object_get(answer, "tricks"), 0));
    int64_t after = json_integer_value(json_array_get(json_object_get(answer, "tricks"), 1));
    assert_true(before < 20 && after > 20 && after <= MOVES);
    answer = request_past_step(driver, LATE, after);
    const json_t *trick = json_object_get(json_object_get(answer, "view"), "last_trick");
    assert_true(json_is_object(trick));
    answer = request_past_step(driver, LATE, 0);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(answer, "rounds"), 0)), 0);
}

static void past_steps_are_refused_to_players_and_before_the_game_begins(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, LATE + 1, "olga");
    int64_t open = driver_open_table(driver, LATE + 1, 3, 0);
    driver_enter_as_guest(driver, LATE + 2);
    driver_no(driver, LATE + 2, "no_table", "{'t':'past'}");
    driver_ok(driver, LATE + 2, "{'t':'table_enter','table':%" PRId64 "}", open);
    driver_no(driver, LATE + 2, "no_game", "{'t':'past'}");
    (void)begin_watched_game(driver, game_at(0), "{'policy':'public'}");
    driver_no(driver, ADA, "seated", "{'t':'past','step':0}");
    driver_no(driver, EARLY, "bad", "{'t':'past','step':'none'}");
    driver_no(driver, EARLY, "bad", "{'t':'past','step':-1}");
}

TEST_GROUP(past_steps)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_spectator_sees_each_past_step_as_earlier_spectators_did),
        cmocka_unit_test(a_spectators_delay_applies_to_past_steps_too),
        DRIVER_TEST(a_past_step_names_the_steps_of_the_previous_and_next_trick_and_round),
        DRIVER_TEST(past_steps_are_refused_to_players_and_before_the_game_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
