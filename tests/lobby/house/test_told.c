#include "lobby/house/house_state.h"
#include "lobby/tables/tables.h"
#include "storage/people/people.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>

/* After the core has died, the next core still knows each table's requests and invitations, just as
 * it knows moves and results. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

static const int64_t both[] = {ADA, BOB};

static void replace_core_after_crash(struct driver *driver)
{
    driver_restart_core(driver);
    driver_reconnect_conns(driver, both, 2);
}

/* Restarts the whole house: every connection is lost, and Ada and Bob sign in again. */
static void restart_whole_house(struct driver *driver, int64_t table)
{
    driver_restart_core(driver);
    driver_reconnect_conns(driver, NULL, 0);
    driver_clear_inbox(driver, ADA);
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, ADA, "ada");
    driver_sign_in(driver, BOB, "bob");
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
}

/* Begins a game of Ada, Bob and a bot; returns the table's number. */
static int64_t begin_game(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    assert_int_equal(driver_play_moves(driver, both, 2, 6), 6);
    return table;
}

/* Returns why the game is halted, as last sent to the connection; "none" while it goes on. */
static const char *read_newest_halt_reason(const struct driver *driver, int64_t conn)
{
    return driver_read_text(driver_newest_message(driver, conn, "table"), "halt");
}

/* Returns how many players have made the request `request` ("pause", "rematch" …), as last sent to
 * the connection. */
static size_t count_seats_requesting(const struct driver *driver, int64_t conn, const char *request)
{
    const json_t *table = driver_newest_message(driver, conn, "table");
    const json_t *seats = json_object_get(json_object_get(table, "asks"), request);
    return json_array_size(seats == NULL ? json_object_get(table, request) : seats);
}

static void a_request_for_a_pause_survives_a_killed_core(void **state)
{
    struct driver *driver = *state;
    (void)begin_game(driver);
    driver_ok(driver, ADA, "{'t':'pause'}");
    replace_core_after_crash(driver);
    assert_string_equal(read_newest_halt_reason(driver, BOB), "none");
    assert_int_equal(count_seats_requesting(driver, BOB, "pause"), 1);
    driver_ok(driver, BOB, "{'t':'pause'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "pause");
    replace_core_after_crash(driver);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "pause");
    assert_int_equal(count_seats_requesting(driver, BOB, "pause"), 0);
}

static void a_request_to_adjourn_survives_a_power_cut(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game(driver);
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    restart_whole_house(driver, table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    assert_int_equal(count_seats_requesting(driver, ADA, "adjourn"), 1);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "adjourn");
}

static void a_request_to_resume_survives_a_killed_core(void **state)
{
    struct driver *driver = *state;
    (void)begin_game(driver);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    driver_ok(driver, ADA, "{'t':'resume'}");
    replace_core_after_crash(driver);
    assert_int_equal(count_seats_requesting(driver, BOB, "resume"), 1);
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
}

static void a_request_to_resume_ends_with_a_downtime_that_disconnects_its_player(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game(driver);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    driver_ok(driver, ADA, "{'t':'resume'}");
    restart_whole_house(driver, table);
    assert_int_equal(count_seats_requesting(driver, BOB, "resume"), 0);
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, BOB), "adjourn");
}

static void a_request_to_resume_ends_if_its_player_left_while_no_core_ran(void **state)
{
    struct driver *driver = *state;
    (void)begin_game(driver);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_restart_core(driver);
    driver_reconnect_conns(driver, &both[1], 1);
    assert_int_equal(count_seats_requesting(driver, BOB, "resume"), 0);
    driver_restart_core(driver);
    driver_reconnect_conns(driver, &both[1], 1);
    assert_int_equal(count_seats_requesting(driver, BOB, "resume"), 0);
}

static void a_pause_request_that_another_player_refused_is_not_restored(void **state)
{
    struct driver *driver = *state;
    (void)begin_game(driver);
    driver_ok(driver, ADA, "{'t':'pause'}");
    driver_ok(driver, BOB, "{'t':'resume'}");
    replace_core_after_crash(driver);
    assert_int_equal(count_seats_requesting(driver, BOB, "pause"), 0);
}

static void a_request_for_a_pause_ends_with_the_game(void **state)
{
    struct driver *driver = *state;
    (void)begin_game(driver);
    driver_ok(driver, ADA, "{'t':'pause'}");
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    assert_non_null(driver_newest_message(driver, ADA, "result"));
    assert_int_equal(count_seats_requesting(driver, ADA, "pause"), 0);
}

static void a_request_for_a_rematch_survives_a_killed_core_and_a_restart_of_the_house(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game(driver);
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    driver_ok(driver, ADA, "{'t':'rematch'}");
    replace_core_after_crash(driver);
    assert_int_equal(count_seats_requesting(driver, BOB, "rematch"), 1);
    restart_whole_house(driver, table);
    assert_int_equal(count_seats_requesting(driver, BOB, "rematch"), 1);
    driver_ok(driver, BOB, "{'t':'rematch'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "table"), "state"),
                        "playing");
    replace_core_after_crash(driver);
    assert_int_equal(count_seats_requesting(driver, BOB, "rematch"), 0);
}

static void standing_up_withdraws_a_rematch_request_even_after_a_restart(void **state)
{
    struct driver *driver = *state;
    (void)begin_game(driver);
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    driver_ok(driver, ADA, "{'t':'rematch'}");
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    replace_core_after_crash(driver);
    assert_int_equal(count_seats_requesting(driver, BOB, "rematch"), 0);
}

/* Opens Ada's locked table, which people enter only by invitation. */
static int64_t open_locked_table(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    driver_ok(driver, ADA, "{'t':'table_lock','password':'sesame'}");
    return table;
}

static void an_invitation_keeps_its_expiry_over_a_restart(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_locked_table(driver);
    driver_ok(driver, ADA, "{'t':'mod','line':'invite bob'}");
    driver_pass_time(driver, 60000);
    replace_core_after_crash(driver);
    const json_t *invite = driver_newest_message(driver, BOB, "invite");
    assert_int_equal(driver_read_number(invite, "table"), table);
    assert_string_equal(driver_read_text(invite, "from"), "ada");
    assert_int_equal(driver_read_number(invite, "for_s"), INVITE_MS / 1000 - 60);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_pass_time(driver, INVITE_MS - 60000);
    driver_no(driver, BOB, "locked", "{'t':'table_enter','table':%" PRId64 "}", table);
    replace_core_after_crash(driver);
    assert_null(driver_newest_message(driver, BOB, "invite"));
}

static void an_invitation_is_shown_again_after_a_lost_connection(void **state)
{
    struct driver *driver = *state;
    int64_t table = open_locked_table(driver);
    driver_ok(driver, ADA, "{'t':'mod','line':'invite bob'}");
    driver_disconnect(driver, BOB);
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "invite"), "table"),
                     table);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    replace_core_after_crash(driver);
    /* the invitation ended when bob entered the table */
    assert_null(driver_newest_message(driver, BOB, "invite"));
}

static void a_guests_invitation_survives_a_restart(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_enter_as_guest(driver, BOB);
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    driver_ok(driver, ADA, "{'t':'mod','line':'invite guest-1'}");
    replace_core_after_crash(driver);
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "invite"), "table"),
                     table);
}

static void a_declined_invitation_is_not_restored(void **state)
{
    struct driver *driver = *state;
    (void)open_locked_table(driver);
    driver_ok(driver, ADA, "{'t':'mod','line':'invite bob'}");
    driver_ok(driver, BOB, "{'t':'decline'}");
    replace_core_after_crash(driver);
    assert_null(driver_newest_message(driver, BOB, "invite"));
    driver_no(driver, BOB, "unknown", "{'t':'decline'}");
}

static void an_invitation_ends_with_its_table(void **state)
{
    struct driver *driver = *state;
    struct storage_invitation row;
    (void)open_locked_table(driver);
    driver_ok(driver, ADA, "{'t':'mod','line':'invite bob'}");
    assert_int_equal(storage_invitation_read(driver->storage, "bob", &row), STORAGE_OK);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_pass_time(driver, 1000 * (int64_t)driver->config.play_table_kept_s +
                                 1000); /* the table closes, since nobody is left at it */
    assert_int_equal(storage_invitation_read(driver->storage, "bob", &row), STORAGE_NOT_FOUND);
    replace_core_after_crash(driver);
    assert_null(driver_newest_message(driver, BOB, "invite"));
}

static void an_expired_invitation_is_deleted(void **state)
{
    struct driver *driver = *state;
    struct storage_invitation row;
    (void)open_locked_table(driver);
    driver_ok(driver, ADA, "{'t':'mod','line':'invite bob'}");
    driver->now_ms += INVITE_MS;
    replace_core_after_crash(driver);
    assert_null(driver_newest_message(driver, BOB, "invite"));
    assert_int_equal(storage_invitation_read(driver->storage, "bob", &row), STORAGE_NOT_FOUND);
}

TEST_GROUP(told)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_request_for_a_pause_survives_a_killed_core),
        DRIVER_TEST(a_request_to_adjourn_survives_a_power_cut),
        DRIVER_TEST(a_request_to_resume_survives_a_killed_core),
        DRIVER_TEST(a_request_to_resume_ends_with_a_downtime_that_disconnects_its_player),
        DRIVER_TEST(a_request_to_resume_ends_if_its_player_left_while_no_core_ran),
        DRIVER_TEST(a_pause_request_that_another_player_refused_is_not_restored),
        DRIVER_TEST(a_request_for_a_pause_ends_with_the_game),
        DRIVER_TEST(a_request_for_a_rematch_survives_a_killed_core_and_a_restart_of_the_house),
        DRIVER_TEST(standing_up_withdraws_a_rematch_request_even_after_a_restart),
        DRIVER_TEST(an_invitation_keeps_its_expiry_over_a_restart),
        DRIVER_TEST(an_invitation_is_shown_again_after_a_lost_connection),
        DRIVER_TEST(a_guests_invitation_survives_a_restart),
        DRIVER_TEST(a_declined_invitation_is_not_restored),
        DRIVER_TEST(an_invitation_ends_with_its_table),
        DRIVER_TEST(an_expired_invitation_is_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
