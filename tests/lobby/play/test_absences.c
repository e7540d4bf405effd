#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Random evenings at one table: people come, leave, pause, adjourn, play or let time pass, and
 * sometimes the house is restarted, in the middle of a round or at the stop after it. Whatever
 * happens, a halted game does not move, nobody's clock runs during a downtime, and the game can be
 * played to its end. $EVENINGS sets how many evenings
 * are tried.
 */
#define PEOPLE 3
#define FIRST DRIVER_FIRST
#define WATCHER (DRIVER_FIRST + PEOPLE)
#define DAY_MS INT64_C(86400000)
#define EVENTS 120
#define STOP_MS 10000

struct evening {
    struct driver *driver;
    struct quick_random random;
    int64_t table;
    bool is_in[PEOPLE];
};

static const char *const names[PEOPLE] = {"ada", "bob", "eve"};
static const char *const clocks[] = {
    "{'kind':'none'}",
    "{'kind':'move','move_s':20}",
    "{'kind':'bank','bank_s':60,'increment_s':3}",
};

static void enter_table(struct evening *evening, int64_t conn)
{
    driver_ok(evening->driver, conn, "{'t':'table_enter','table':%" PRId64 "}", evening->table);
}

static void sign_person_in(struct evening *evening, int person)
{
    driver_clear_inbox(evening->driver, FIRST + person);
    driver_sign_in(evening->driver, FIRST + person, names[person]);
    enter_table(evening, FIRST + person);
    evening->is_in[person] = true;
}

static void disconnect_person(struct evening *evening, int person)
{
    driver_disconnect(evening->driver, FIRST + person);
    evening->is_in[person] = false;
}

static void open_table_and_begin_game(struct evening *evening, const char *clock)
{
    struct driver *driver = evening->driver;
    for (int i = 0; i < PEOPLE; i++) {
        driver_sign_up(driver, FIRST + i, names[i]);
        evening->is_in[i] = true;
    }
    const json_t *answer = driver_ok(
        driver, FIRST, "{'t':'table_open','game':'%s','players':4,'options':{},'clock':%s}",
        game_at(0)->id, clock);
    evening->table = driver_read_number(answer, "table");
    for (int i = 1; i < PEOPLE; i++) {
        enter_table(evening, FIRST + i);
        driver_ok(driver, FIRST + i, "{'t':'seat_take'}");
    }
    driver_ok(driver, FIRST, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, FIRST, "{'t':'table_start'}");
    driver_enter_as_guest(driver, WATCHER);
    enter_table(evening, WATCHER);
}

/* The state of the game as shown to a spectator. */
struct seen {
    bool is_halted;
    bool is_round_over;
    int64_t step;
    int64_t left_ms[PEOPLE], bank_ms[PEOPLE]; /* time left, by seat; -1: not shown */
};

static struct seen read_table_state(struct evening *evening)
{
    struct driver *driver = evening->driver;
    struct seen seen = {0};
    driver_clear_inbox(driver, WATCHER);
    enter_table(evening, WATCHER);
    const json_t *message = driver_newest_message(driver, WATCHER, "view");
    const json_t *table = driver_newest_message(driver, WATCHER, "table");
    assert_non_null(message);
    seen.step = driver_read_number(json_object_get(message, "view"), "step");
    seen.is_halted = strcmp(driver_read_text(table, "halt"), "none") != 0;
    seen.is_round_over = strcmp(driver_read_text(table, "halt"), "round") == 0;
    for (size_t seat = 0; seat < PEOPLE; seat++) {
        const json_t *time = json_array_get(json_object_get(message, "times"), seat);
        seen.left_ms[seat] = driver_read_number(time, "left_ms");
        seen.bank_ms[seat] = driver_read_number(time, "bank_ms");
    }
    return seen;
}

/* Restarts the house after a downtime of seconds or days, and checks that the game and the clocks
 * have stood still. */
static void restart_house_after_downtime(struct evening *evening)
{
    struct driver *driver = evening->driver;
    struct seen before = read_table_state(evening);
    driver->now_ms += quick_random_draw_below(&evening->random, 3) == 0
                          ? 3 * DAY_MS
                          : (int64_t)quick_random_draw_below(&evening->random, 3000);
    driver_restart_core(driver);
    for (int i = 0; i < PEOPLE; i++) {
        evening->is_in[i] = false;
    }
    driver_enter_as_guest(driver, WATCHER);
    struct seen after = read_table_state(evening);
    assert_int_equal(after.step, before.step);
    for (size_t seat = 0; seat < PEOPLE; seat++) {
        bool is_known = before.left_ms[seat] >= 0 && after.left_ms[seat] >= 0;
        int64_t given_ms = is_known ? after.left_ms[seat] - before.left_ms[seat] : 0;
        assert_in_range(given_ms, 0, 1000);
        int64_t bank_given_ms = after.bank_ms[seat] - before.bank_ms[seat];
        assert_in_range(bank_given_ms, 0, 1000);
    }
}

/* Has one person send a random request or a move. The house may refuse either; it must refuse a
 * move while the game is halted. */
static void send_random_request_or_move(struct evening *evening, int person)
{
    static const char *const requests[] = {"pause", "adjourn", "resume", "seat_back", "ping"};
    struct driver *driver = evening->driver;
    const int64_t conn[] = {FIRST + person};
    uint32_t what = quick_random_draw_below(&evening->random, 12);
    if (what < 5) {
        const json_t *answer = driver_request(driver, conn[0], "{'t':'%s'}", requests[what]);
        assert_non_null(answer);
        return;
    }
    const json_t *view = json_object_get(driver_newest_message(driver, conn[0], "view"), "view");
    const char *move = json_string_value(json_array_get(json_object_get(view, "legal"), 0));
    if (move != NULL) {
        struct seen before = read_table_state(evening);
        const json_t *answer = driver_request(
            driver, conn[0], "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'%s'}",
            evening->table, driver_read_number(view, "step"), move);
        assert_true(!before.is_halted || strcmp(driver_read_text(answer, "t"), "no") == 0);
    }
}

/* Has the people who are in play on until the game halts, at the end of a round or for another
 * reason. */
static void play_until_halt(struct evening *evening)
{
    struct seen seen = read_table_state(evening);
    for (int i = 0; i < 100 && !seen.is_halted; i++) {
        for (int person = 0; person < PEOPLE; person++) {
            const int64_t conn = FIRST + person;
            if (evening->is_in[person] && !read_table_state(evening).is_halted) {
                (void)driver_play_moves(evening->driver, &conn, 1, 1);
            }
        }
        seen = read_table_state(evening);
    }
}

/* Lets time pass. A halted game stays as it is, unless the stop between two rounds ends in time. */
static void let_time_pass(struct evening *evening)
{
    struct seen before = read_table_state(evening);
    int64_t ms = 500 * (int64_t)quick_random_draw_below(&evening->random, 80);
    driver_pass_time(evening->driver, ms);
    struct seen after = read_table_state(evening);
    bool may_end = before.is_round_over;
    assert_true(!before.is_halted || may_end || (after.is_halted && after.step == before.step));
    assert_true(!before.is_round_over || !after.is_round_over || ms < STOP_MS ||
                after.step != before.step);
}

static void let_random_event_happen(struct evening *evening)
{
    int person = (int)quick_random_draw_below(&evening->random, PEOPLE);
    uint32_t what = quick_random_draw_below(&evening->random, 20);
    if (what == 0) {
        restart_house_after_downtime(evening);
    } else if (what <= 3) {
        let_time_pass(evening);
    } else if (!evening->is_in[person]) {
        sign_person_in(evening, person);
    } else if (what == 4) {
        disconnect_person(evening, person);
    } else if (what == 5) {
        play_until_halt(evening);
    } else {
        send_random_request_or_move(evening, person);
    }
    assert_int_equal(evening->driver->result, HOUSE_OK);
}

/* Has everybody return and resume, then plays the game to its end. */
static void play_game_to_its_end(struct evening *evening)
{
    static const int64_t all[] = {FIRST, FIRST + 1, FIRST + 2};
    for (int i = 0; i < PEOPLE; i++) {
        if (!evening->is_in[i]) {
            sign_person_in(evening, i);
        }
    }
    for (int i = 0; i < PEOPLE; i++) {
        driver_ok(evening->driver, FIRST + i, "{'t':'resume'}");
        driver_ok(evening->driver, FIRST + i, "{'t':'seat_back'}");
    }
    assert_false(read_table_state(evening).is_halted);
    (void)driver_play_moves(evening->driver, all, PEOPLE, SIZE_MAX);
    assert_non_null(driver_newest_message(evening->driver, FIRST, "result"));
}

static void play_random_evening(uint64_t seed)
{
    void *driver = NULL;
    assert_int_equal(driver_setup(&driver), 0);
    struct evening evening = {.driver = driver};
    quick_random_init(&evening.random, seed);
    open_table_and_begin_game(&evening, clocks[seed % (sizeof(clocks) / sizeof(clocks[0]))]);
    for (int i = 0; i < EVENTS; i++) {
        if (driver_newest_message(driver, WATCHER, "result") != NULL) {
            break;
        }
        let_random_event_happen(&evening);
    }
    if (driver_newest_message(driver, WATCHER, "result") == NULL) {
        play_game_to_its_end(&evening);
    }
    assert_int_equal(driver_teardown(&driver), 0);
}

static void a_halted_game_stays_halted_and_no_time_is_lost_whatever_happens(void **state)
{
    (void)state;
    uint64_t count = environment_number("EVENINGS", environment_share(12));
    for (uint64_t i = 0; i < count; i++) {
        print_message("evening %" PRIu64 "\n", i);
        play_random_evening(i);
    }
}

TEST_GROUP(absences)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_halted_game_stays_halted_and_no_time_is_lost_whatever_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
