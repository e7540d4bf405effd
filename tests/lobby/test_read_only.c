#include "lobby/read_only.h"
#include "tests/lobby/house_driver.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

static const int64_t both[] = {ADA, BOB};

/* Files of this process can be written, or as on a full disk not any more. */
static void there_is_room(bool is_so)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = is_so ? limit.rlim_max : 1;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void say_hello_again(struct driver *driver, int64_t conn)
{
    assert_non_null(driver_newest(driver, conn, "resync"));
    driver_forget(driver, conn);
    assert_int_equal(driver_send(driver, conn, "{'t':'hello','protocol':1,'software':'test'}"),
                     HOUSE_OK);
}

static void fill_the_disk(struct driver *driver, int64_t conn)
{
    there_is_room(false);
    assert_null(driver_ask(driver, conn, "{'t':'say','to':'lobby','text':'is there room?'}"));
    assert_int_equal(driver->result, HOUSE_OK);
}

static void make_room(struct driver *driver)
{
    there_is_room(true);
    driver_pass(driver, READ_ONLY_RETRY_MS);
}

static int make_room_and_end(void **state)
{
    there_is_room(true);
    return driver_teardown(state);
}

/* Ada and Bob in the middle of a game with a clock, Eve in the lobby. */
static int64_t play_a_while(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'careful'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    assert_int_equal(driver_play(driver, both, 2, 8), 8);
    return table;
}

static void a_turn_without_room_is_told_to_nobody_and_all_begin_anew(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_forget(driver, BOB);
    fill_the_disk(driver, ADA);
    assert_int_equal(driver_count(driver, BOB, "chat"), 0);
    say_hello_again(driver, ADA);
    say_hello_again(driver, BOB);
    assert_int_equal(driver_count(driver, BOB, "chat"), 0);
    const json_t *welcome = driver_newest(driver, BOB, "welcome");
    assert_string_equal(driver_text(welcome, "phase"), "in");
    assert_string_equal(driver_text(driver_newest(driver, BOB, "notice"), "kind"), "warn");
}

static void in_a_full_house_nothing_can_be_changed(void **state)
{
    struct driver *driver = *state;
    int64_t table = play_a_while(driver);
    fill_the_disk(driver, ADA);
    say_hello_again(driver, ADA);
    say_hello_again(driver, BOB);
    driver_no(driver, ADA, "read_only", "{'t':'say','to':'lobby','text':'and now?'}");
    driver_no(driver, ADA, "read_only", "{'t':'table_open'}");
    driver_no(driver, ADA, "read_only", "{'t':'settings_set','settings':{'bell':true}}");
    driver_no(driver, ADA, "read_only",
              "{'t':'move','table':%" PRId64 ",'step':8,'move':'whatever'}", table);
    driver_connect(driver, EVE + 1, PEER_SESSION);
    (void)driver_send(driver, EVE + 1, "{'t':'hello','protocol':1}");
    driver_no(driver, EVE + 1, "read_only", "{'t':'sign_in','method':'guest'}");
    assert_int_equal(driver->result, HOUSE_OK);
    assert_int_equal(driver_count(driver, ADA, "resync"), 0);
}

static void in_a_full_house_people_look_at_everything(void **state)
{
    struct driver *driver = *state;
    int64_t table = play_a_while(driver);
    json_t *before = json_deep_copy(driver_newest(driver, ADA, "view"));
    fill_the_disk(driver, EVE);
    say_hello_again(driver, ADA);
    say_hello_again(driver, EVE);
    assert_true(json_equal(json_object_get(before, "view"),
                           json_object_get(driver_newest(driver, ADA, "view"), "view")));
    driver_ok(driver, EVE, "{'t':'leaders','game':'%s','offset':0,'count':5}",
              driver_text(json_object_get(before, "view"), "game"));
    driver_ok(driver, EVE, "{'t':'games','count':5}");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_non_null(driver_newest(driver, EVE, "view"));
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    driver_ok(driver, EVE, "{'t':'ping'}");
    assert_int_equal(driver_count(driver, EVE, "resync"), 0);
    json_decref(before);
}

static json_t *clock_of(const struct driver *driver, int64_t conn)
{
    return json_object_get(driver_newest(driver, conn, "view"), "clock");
}

static void clocks_stand_still_while_the_disk_is_full(void **state)
{
    struct driver *driver = *state;
    (void)play_a_while(driver);
    int64_t left_ms = driver_number(clock_of(driver, ADA), "left_ms");
    assert_true(left_ms > 0);
    fill_the_disk(driver, EVE);
    say_hello_again(driver, ADA);
    assert_true(json_is_true(json_object_get(clock_of(driver, ADA), "is_stopped")));
    driver_pass(driver, 600000);
    make_room(driver);
    say_hello_again(driver, BOB);
    say_hello_again(driver, ADA);
    json_t *clock = clock_of(driver, ADA);
    assert_false(json_is_true(json_object_get(clock, "is_stopped")));
    assert_in_range(driver_number(clock, "left_ms"), left_ms - 2000, left_ms + 1000);
}

static void with_room_again_all_goes_on_from_where_it_was(void **state)
{
    struct driver *driver = *state;
    int64_t table = play_a_while(driver);
    fill_the_disk(driver, EVE);
    for (int64_t conn = ADA; conn <= EVE; conn++) {
        say_hello_again(driver, conn);
    }
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    make_room(driver);
    for (int64_t conn = ADA; conn <= EVE; conn++) {
        say_hello_again(driver, conn);
        assert_string_equal(driver_text(driver_newest(driver, conn, "notice"), "kind"), "info");
        assert_string_equal(driver_text(driver_newest(driver, conn, "chat"), "kind"), "system");
    }
    assert_int_equal(driver_number(driver_newest(driver, EVE, "table"), "id"), table);
    driver_ok(driver, EVE, "{'t':'say','to':'lobby','text':'room!'}");
    assert_true(driver_play(driver, both, 2, 20) == 20);
    driver_restart(driver);
}

static void who_leaves_a_full_house_has_left_when_there_is_room(void **state)
{
    struct driver *driver = *state;
    (void)play_a_while(driver);
    fill_the_disk(driver, EVE);
    say_hello_again(driver, ADA);
    driver_disconnect(driver, EVE);
    assert_int_equal(driver->result, HOUSE_OK);
    make_room(driver);
    driver_restart(driver);
    driver_connect(driver, EVE, PEER_SESSION);
    (void)driver_send(driver, EVE, "{'t':'hello','protocol':1}");
    assert_string_equal(driver_text(driver_newest(driver, EVE, "welcome"), "phase"), "door");
}

static void a_house_can_begin_without_room(void **state)
{
    struct driver *driver = *state;
    (void)play_a_while(driver);
    there_is_room(false);
    driver_restart(driver);
    driver_connect(driver, ADA, PEER_SESSION);
    (void)driver_send(driver, ADA, "{'t':'hello','protocol':1}");
    assert_non_null(driver_newest(driver, ADA, "view"));
    driver_no(driver, ADA, "read_only", "{'t':'say','to':'lobby','text':'and now?'}");
    make_room(driver);
    driver_forget(driver, ADA);
    (void)driver_send(driver, ADA, "{'t':'hello','protocol':1}");
    driver_ok(driver, ADA, "{'t':'say','to':'lobby','text':'and now!'}");
}

#define FULL_TEST(test) cmocka_unit_test_setup_teardown(test, driver_setup, make_room_and_end)

int main(void)
{
    /* A write beyond the limit is to fail, not to end the process. */
    (void)signal(SIGXFSZ, SIG_IGN);
    const struct CMUnitTest tests[] = {
        FULL_TEST(a_turn_without_room_is_told_to_nobody_and_all_begin_anew),
        FULL_TEST(in_a_full_house_nothing_can_be_changed),
        FULL_TEST(in_a_full_house_people_look_at_everything),
        FULL_TEST(clocks_stand_still_while_the_disk_is_full),
        FULL_TEST(with_room_again_all_goes_on_from_where_it_was),
        FULL_TEST(who_leaves_a_full_house_has_left_when_there_is_room),
        FULL_TEST(a_house_can_begin_without_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
