#include "tests/lobby/table_driver.h"

#include "lobby/play/play.h"
#include "tests/unit.h"

#include <inttypes.h>

/* Tests how a game is adjourned to another day: who has to agree, who is told, and how a rated game
 * ends when one side never returns. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

static const int64_t both[] = {ADA, BOB};

static void adjourn_game(struct driver *driver)
{
    driver_ok(driver, ADA, "{'t':'adjourn','text':'dinner'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "table"), "halt"),
                        "adjourn");
}

static void sign_in_and_enter_table(struct driver *driver, int64_t conn, const char *name,
                                    int64_t table)
{
    driver_clear_inbox(driver, conn);
    driver_sign_in(driver, conn, name);
    driver_ok(driver, conn, "{'t':'table_enter','table':%" PRId64 "}", table);
}

/* Returns why the game is halted, as last sent to the connection; "none" while it goes on. */
static const char *read_newest_halt_reason(const struct driver *driver, int64_t conn)
{
    return driver_read_text(driver_newest_message(driver, conn, "table"), "halt");
}

static const json_t *read_seat_row(const struct driver *driver, int64_t conn, size_t seat)
{
    return json_array_get(json_object_get(driver_newest_message(driver, conn, "table"), "seats"),
                          seat);
}

static void a_rated_game_cannot_be_adjourned_while_a_player_is_away(void **state)
{
    struct driver *driver = *state;
    int64_t table = table_begin_game_for_two(driver, 30);
    driver_disconnect(driver, BOB);
    driver_ok(driver, ADA, "{'t':'adjourn','text':'dinner'}");
    assert_true(driver_count_messages_with_words(driver, ADA, NULL,
                                                 "ada asks to adjourn the game (dinner; 1 of 2)"));
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    /* Bob's clock runs, and the game continues. */
    for (int i = 0; i < 4; i++) {
        (void)driver_play_moves(driver, both, 1, 1);
        driver_pass_time(driver, 60000);
    }
    assert_true(json_is_true(json_object_get(read_seat_row(driver, ADA, 1), "played_by_bot")));
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_true(driver_count_messages_with_words(driver, BOB, NULL,
                                                 "ada asks to adjourn the game (dinner)"));
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "adjourn");
}

static void people_who_enter_later_are_told_who_adjourned_and_why(void **state)
{
    struct driver *driver = *state;
    int64_t table = table_begin_game_for_two(driver, 0);
    driver_disconnect(driver, BOB);
    driver_ok(driver, ADA, "{'t':'adjourn','text':'dinner'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "adjourn");
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_true(
        driver_count_messages_with_words(driver, BOB, NULL, "ada had the game adjourned (dinner)"));
}

static void after_a_request_to_adjourn_is_withdrawn_the_next_one_is_announced(void **state)
{
    struct driver *driver = *state;
    int64_t table = table_begin_game_for_two(driver, 30);
    driver_ok(driver, ADA, "{'t':'adjourn','text':'dinner'}");
    driver_disconnect(driver, ADA);
    driver_ok(driver, BOB, "{'t':'adjourn','text':'a call'}");
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_true(driver_count_messages_with_words(driver, ADA, NULL,
                                                 "bob asks to adjourn the game (a call)"));
    driver_no(driver, ADA, "too_long", "{'t':'adjourn','text':'%s'}",
              "a reason that is very much longer than anybody at a table would ever want to read "
              "in a line");
}

static void an_adjourned_rated_game_is_lost_by_those_who_never_resume(void **state)
{
    struct driver *driver = *state;
    int64_t table = table_begin_game_for_two(driver, 30);
    adjourn_game(driver);
    driver_disconnect(driver, BOB);
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_true(driver_count_messages_with_words(driver, ADA, NULL,
                                                 "The game goes on in 7 days at the latest"));
    assert_int_equal(driver_read_number(driver_newest_message(driver, ADA, "table"), "resume_by"),
                     driver->now_ms + RESUME_DEADLINE_MS);
    driver_disconnect(driver, ADA);
    driver_pass_time(driver, DAY_MS);
    /* Bob is reminded before the deadline, and does nothing. */
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_true(driver_count_messages_with_words(
        driver, BOB, NULL, "say /resume there within 6 days, or you have left"));
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, 6 * DAY_MS - HOUR_MS);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "adjourn");
    driver_disconnect(driver, ADA);
    driver_pass_time(driver, 2 * HOUR_MS);
    /* A bot has Bob's seat, and another plays for Ada, who is away, until the end. */
    for (int i = 0; i < 2000; i++) {
        driver_pass_time(driver, 10000);
    }
    driver_clear_inbox(driver, ADA);
    driver_sign_in(driver, ADA, "ada");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'games'}");
    const json_t *row = json_array_get(json_object_get(answer, "rows"), 0);
    assert_non_null(row);
    assert_true(json_is_number(json_object_get(row, "change")));
    /* the game had hardly begun, so Ada wins nothing from Bob */
    assert_true(json_number_value(json_object_get(row, "change")) == 0);
    answer = driver_ok(driver, ADA, "{'t':'games','name':'bob'}");
    row = json_array_get(json_object_get(answer, "rows"), 0);
    assert_true(json_is_null(json_object_get(row, "score"))); /* no score: Bob has left for good */
    assert_true(json_number_value(json_object_get(row, "change")) < 0);
}

static void all_who_asked_to_resume_keep_their_seats_though_never_online_together(void **state)
{
    struct driver *driver = *state;
    int64_t table = table_begin_game_for_two(driver, 30);
    adjourn_game(driver);
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_disconnect(driver, ADA);
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, DAY_MS);
    sign_in_and_enter_table(driver, BOB, "bob", table);
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, BOB), "adjourn");
    driver_pass_time(driver, 6 * DAY_MS);
    assert_string_equal(read_newest_halt_reason(driver, BOB), "none");
    assert_string_equal(driver_read_text(read_seat_row(driver, BOB, 0), "name"), "ada");
    assert_string_equal(driver_read_text(read_seat_row(driver, BOB, 1), "name"), "bob");
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "table"), "resume_by"),
                     -1);
}

static void the_deadline_to_resume_survives_a_downtime_and_does_not_run_during_it(void **state)
{
    struct driver *driver = *state;
    int64_t table = table_begin_game_for_two(driver, 30);
    adjourn_game(driver);
    driver_ok(driver, ADA, "{'t':'resume'}");
    int64_t due_ms = driver->now_ms + RESUME_DEADLINE_MS;
    driver_disconnect(driver, ADA);
    driver_disconnect(driver, BOB);
    driver->now_ms += 20 * DAY_MS;
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_string_equal(read_newest_halt_reason(driver, BOB), "adjourn");
    int64_t by_ms = driver_read_number(driver_newest_message(driver, BOB, "table"), "resume_by");
    assert_in_range(by_ms, due_ms + 20 * DAY_MS, due_ms + 20 * DAY_MS + 1000);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, BOB), "none");
    assert_true(
        json_is_true(json_object_get(driver_newest_message(driver, BOB, "table"), "is_rated")));
}

static void without_a_request_to_resume_there_is_no_deadline(void **state)
{
    struct driver *driver = *state;
    int64_t table = table_begin_game_for_two(driver, 30);
    adjourn_game(driver);
    driver_pass_time(driver, 20 * DAY_MS);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "adjourn");
    assert_true(
        json_is_null(json_object_get(driver_newest_message(driver, ADA, "table"), "resume_by")));
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_ok(driver, ADA, "{'t':'seat_leave','for_good':true}");
    driver_pass_time(driver, 8 * DAY_MS); /* nobody who asked to resume is still in the game */
    driver_clear_inbox(driver, BOB);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_string_equal(read_newest_halt_reason(driver, BOB), "adjourn");
    assert_string_equal(driver_read_text(read_seat_row(driver, BOB, 1), "name"), "bob");
}

static void a_deadline_to_resume_remains_when_one_of_two_who_asked_to_resume_leaves(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, EVE, "eve");
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, ADA, 4, 30);
    for (int64_t conn = BOB; conn <= EVE; conn++) {
        driver_ok(driver, conn, "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_ok(driver, conn, "{'t':'seat_take'}");
    }
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    for (int64_t conn = ADA; conn <= EVE; conn++) {
        driver_ok(driver, conn, "{'t':'adjourn'}");
    }
    assert_string_equal(read_newest_halt_reason(driver, ADA), "adjourn");
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_ok(driver, BOB, "{'t':'resume'}");
    int64_t due_ms = driver_read_number(driver_newest_message(driver, EVE, "table"), "resume_by");
    driver_ok(driver, BOB, "{'t':'seat_leave','for_good':true}");
    assert_string_equal(read_newest_halt_reason(driver, EVE), "adjourn");
    assert_int_equal(driver_read_number(driver_newest_message(driver, EVE, "table"), "resume_by"),
                     due_ms);
}

TEST_GROUP(adjourning)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_rated_game_cannot_be_adjourned_while_a_player_is_away),
        DRIVER_TEST(people_who_enter_later_are_told_who_adjourned_and_why),
        DRIVER_TEST(after_a_request_to_adjourn_is_withdrawn_the_next_one_is_announced),
        DRIVER_TEST(an_adjourned_rated_game_is_lost_by_those_who_never_resume),
        DRIVER_TEST(all_who_asked_to_resume_keep_their_seats_though_never_online_together),
        DRIVER_TEST(the_deadline_to_resume_survives_a_downtime_and_does_not_run_during_it),
        DRIVER_TEST(without_a_request_to_resume_there_is_no_deadline),
        DRIVER_TEST(a_deadline_to_resume_remains_when_one_of_two_who_asked_to_resume_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
