#include "daemon/base/base.h"
#include "daemon/processes/workers/workers.h"
#include "games/game.h"
#include "tests/daemon/fixtures/core_fixture.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/unit.h"

#include <stdbool.h>

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Tests that a table survives when its core is killed. The house is real, has its data on disk, and
 * has a guest and bots at a table. */

#define CONN 1000
#define BACK_MS 2000 /* time limit within which the table must continue after the kill */

static char folder[FOLDER_PATH_MAX];
static char database[FOLDER_PATH_MAX];
static struct core_fixture house;
static pid_t bot;
static struct core_session guest;
static int last_request;
static json_t *last_view; /* latest view of the game that the guest has received; NULL once the test
                             has used it */

static void free_latest_view(void)
{
    json_decref(last_view);
    last_view = NULL;
}

static int set_up_house(void **state)
{
    (void)state;
    assert_int_equal(folder_make(folder), 0);
    folder_write_path(database, folder, "house.db");
    core_fixture_init(&house, database);
    core_fixture_start(&house);
    bot = fork();
    if (bot == 0) {
        close(house.bot[0]);
        _exit(bot_run(house.bot[1], &(const struct metrics){0}));
    }
    core_fixture_greet_core(house.gate[1]);
    peer_send(house.gate[1], json_pack("{s:s}", "t", "connections_end"));
    guest = core_fixture_connect_session(&house, CONN);
    last_request = 0;
    return 0;
}

static int tear_down_house(void **state)
{
    (void)state;
    free_latest_view();
    kill(bot, SIGKILL);
    waitpid(bot, NULL, 0);
    core_fixture_close_session(&guest);
    core_fixture_clear(&house);
    return folder_remove(folder);
}

static bool has_type(const json_t *message, const char *type)
{
    return strcmp(json_string_value(json_object_get(message, "t")), type) == 0;
}

/* Returns the next message to the guest. Also stores the view if the message contains a view of the
 * game. */
static json_t *receive_next_message(void)
{
    json_t *message = peer_expect_any_message(guest.ends[1]);
    if (has_type(message, "view")) {
        free_latest_view();
        last_view = json_incref(json_object_get(message, "view"));
    }
    return message;
}

/* The id of other messages, such as `table`, is not that of a request. */
static bool is_answer(const json_t *message, int id)
{
    return (has_type(message, "ok") || has_type(message, "no")) &&
           json_integer_value(json_object_get(message, "id")) == id;
}

/* Waits for the answer `ok` to the request with this id, and returns the answer. */
static json_t *expect_ok(int id)
{
    json_t *message = receive_next_message();
    while (!is_answer(message, id)) {
        json_decref(message);
        message = receive_next_message();
    }
    if (!has_type(message, "ok")) {
        fail_msg("refused: %s", json_string_value(json_object_get(message, "why")));
    }
    return message;
}

/* Sends a request and returns its answer; takes over the reference to the request. */
static json_t *send_request_for_answer(json_t *request)
{
    last_request++;
    json_object_set_new(request, "id", json_integer(last_request));
    peer_send(guest.ends[1], request);
    return expect_ok(last_request);
}

static void send_request(json_t *request)
{
    json_decref(send_request_for_answer(request));
}

/* Enters the house as a guest and starts a table with bots. Returns the table's number. */
static json_int_t start_table(void)
{
    const struct game_def *game = game_at(0);
    peer_send(guest.ends[1], core_fixture_make_hello_message());
    send_request(json_pack("{s:s, s:s}", "t", "sign_in", "method", "guest"));
    json_t *opened = send_request_for_answer(json_pack("{s:s, s:s, s:i, s:{}, s:i}", "t",
                                                       "table_open", "game", game->id, "players",
                                                       game->seats_min, "options", "clock_s", 0));
    json_int_t table = json_integer_value(json_object_get(opened, "table"));
    json_decref(opened);
    for (int seat = 1; seat < game->seats_min; seat++) {
        send_request(json_pack("{s:s, s:s}", "t", "bot_add", "policy", "medium"));
    }
    send_request(json_pack("{s:s}", "t", "table_start"));
    return table;
}

static bool is_guests_turn_after_moves(json_int_t moves_min)
{
    return json_array_size(json_object_get(last_view, "legal")) > 0 &&
           json_integer_value(json_object_get(last_view, "step")) >= moves_min;
}

/* Waits for a view in which the guest is to move and at least `moves_min` moves were made. The
 * caller frees the view. */
static json_t *expect_view_of_guests_turn(json_int_t moves_min)
{
    while (!is_guests_turn_after_moves(moves_min)) {
        json_decref(receive_next_message());
    }
    return json_incref(last_view);
}

/* Plays the first legal move. Returns the view in which the guest is to move next. */
static json_t *play_first_legal_move(json_int_t table, const json_t *view)
{
    json_int_t step = json_integer_value(json_object_get(view, "step"));
    const char *move = json_string_value(json_array_get(json_object_get(view, "legal"), 0));
    send_request(
        json_pack("{s:s, s:I, s:I, s:s}", "t", "move", "table", table, "step", step, "move", move));
    return expect_view_of_guests_turn(step + 1);
}

/* Kills the core and starts the next one, as the supervisor and the gate would. Returns the guest's
 * `welcome`. */
static json_t *replace_core(void)
{
    core_fixture_kill(&house);
    core_fixture_start(&house);
    core_fixture_greet_core(house.gate[1]);
    core_fixture_hand_over_session(&house, CONN, guest.ends[0]);
    peer_send(house.gate[1], json_pack("{s:s}", "t", "connections_end"));
    json_decref(peer_expect_message(guest.ends[1], "resync"));
    free_latest_view();
    peer_send(guest.ends[1], core_fixture_make_hello_message());
    return peer_expect_message(guest.ends[1], "welcome");
}

static void
a_restarted_core_tells_the_gate_that_the_house_is_away_before_it_loads_the_data(void **state)
{
    (void)state;
    core_fixture_kill(&house);
    core_fixture_start(&house);
    json_decref(peer_expect_message(house.gate[1], "house_away"));
    core_fixture_greet_core(house.gate[1]); /* its `resync` comes later */
}

static void a_table_keeps_its_cards_when_the_core_is_killed(void **state)
{
    (void)state;
    json_int_t table = start_table();
    json_t *view = expect_view_of_guests_turn(0);
    for (int i = 0; i < 3; i++) {
        json_t *next = play_first_legal_move(table, view);
        json_decref(view);
        view = next;
    }
    int64_t killed_ms = clock_steady_ms();
    json_t *welcome = replace_core();
    int64_t welcomed_ms = clock_steady_ms();
    assert_string_equal(json_string_value(json_object_get(welcome, "phase")), "in");
    assert_string_equal(json_string_value(json_object_get(json_object_get(welcome, "you"), "kind")),
                        "guest");
    json_decref(welcome);
    json_t *after = expect_view_of_guests_turn(0);
    assert_true(json_equal(view, after));
    json_t *next = play_first_legal_move(table, after);
    int64_t played_ms = clock_steady_ms();
    print_message("welcome %" PRId64 " ms after the kill, next move made %" PRId64
                  " ms after the kill\n",
                  welcomed_ms - killed_ms, played_ms - killed_ms);
    assert_true(played_ms - killed_ms < BACK_MS);
    json_decref(next);
    json_decref(after);
    json_decref(view);
}

static void a_table_survives_a_core_that_dies_after_every_move(void **state)
{
    (void)state;
    json_int_t table = start_table();
    json_t *view = expect_view_of_guests_turn(0);
    for (int i = 0; i < 20; i++) {
        json_decref(replace_core());
        json_t *again = expect_view_of_guests_turn(0);
        assert_true(json_equal(view, again));
        json_decref(view);
        view = play_first_legal_move(table, again);
        json_decref(again);
    }
    json_decref(view);
}

static void a_move_repeated_after_a_crash_is_made_once(void **state)
{
    (void)state;
    json_int_t table = start_table();
    json_t *view = expect_view_of_guests_turn(0);
    json_int_t step = json_integer_value(json_object_get(view, "step"));
    json_t *move =
        json_pack("{s:s, s:i, s:I, s:I, s:O}", "t", "move", "id", last_request + 1, "table", table,
                  "step", step, "move", json_array_get(json_object_get(view, "legal"), 0));
    last_request++;
    peer_send(guest.ends[1], json_incref(move));
    /* the core has carried out the request; the test ignores its answer */
    json_decref(expect_view_of_guests_turn(step + 1));
    json_decref(replace_core());
    peer_send(guest.ends[1], move);
    json_decref(expect_ok(last_request));
    json_decref(view);
}

TEST_GROUP(core_restart)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_restarted_core_tells_the_gate_that_the_house_is_away_before_it_loads_the_data,
            set_up_house, tear_down_house),
        cmocka_unit_test_setup_teardown(a_table_keeps_its_cards_when_the_core_is_killed,
                                        set_up_house, tear_down_house),
        cmocka_unit_test_setup_teardown(a_table_survives_a_core_that_dies_after_every_move,
                                        set_up_house, tear_down_house),
        cmocka_unit_test_setup_teardown(a_move_repeated_after_a_crash_is_made_once, set_up_house,
                                        tear_down_house),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
