#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "lobby/ratings/ratings.h"
#include "lobby/tables/tables.h"
#include "storage/accounts/accounts.h"
#include "storage/ratings/ratings.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

/* Gives an account a record in the first game of the registry: points, games finished and games
 * left. */
static void give_record(struct driver *driver, const char *name, double points,
                        unsigned games_finished, unsigned games_left)
{
    struct storage_account account;
    double zero = rating_points(0);
    struct storage_rating rating = {
        .sigma = 1, .games = 20, .finished = games_finished, .left = games_left};
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    rating.account = account.id;
    rating.mu = (points - zero) / (rating_points(1) - zero);
    rating.rated_ms = driver->now_ms;
    (void)snprintf(rating.game, sizeof(rating.game), "%s", game_at(0)->id);
    assert_int_equal(storage_rating_save(driver->storage, &rating), STORAGE_OK);
    driver_commit(driver);
}

static int64_t open_table_with_requirements(struct driver *driver, int64_t conn,
                                            const char *requirements)
{
    const json_t *answer =
        driver_ok(driver, conn, "{'t':'table_open','game':'%s','players':%d,'fit':%s}",
                  game_at(0)->id, game_at(0)->seats_min, requirements);
    return driver_read_number(answer, "table");
}

/* Returns whether the connection was told that its person may not sit at the table. */
static bool is_told_they_may_not_sit(const struct driver *driver, int64_t conn, int64_t table)
{
    const json_t *tables = json_object_get(driver_newest_message(driver, conn, "unfit"), "tables");
    for (size_t i = 0; i < json_array_size(tables); i++) {
        if (json_integer_value(json_array_get(tables, i)) == table) {
            return true;
        }
    }
    return false;
}

static void a_table_with_conditions_is_hidden_from_ineligible_people_who_can_ask_why(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    driver_disconnect(driver, BOB);
    driver_disconnect(driver, EVE);
    give_record(driver, "bob", 1550, 20, 0);
    give_record(driver, "eve", 1550, 10, 10);
    driver_sign_in(driver, BOB, "bob");
    driver_sign_in(driver, EVE, "eve");
    driver_enter_as_guest(driver, EVE + 1);
    driver_pass_time(driver, 1000);
    driver_clear_inbox(driver, BOB);
    int64_t table = open_table_with_requirements(
        driver, ADA, "{'rating_min':1400,'rating_max':1700,'finished_min':80}");
    driver_pass_time(driver, 1000);
    assert_false(is_told_they_may_not_sit(driver, BOB, table));
    assert_true(is_told_they_may_not_sit(driver, EVE, table));
    assert_true(is_told_they_may_not_sit(driver, EVE + 1, table));
    assert_non_null(
        strstr(driver_read_text(driver_newest_message(driver, BOB, "notice"), "text"), "/sit"));
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 0);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_no(driver, EVE, "fit", "{'t':'seat_take'}");
    const json_t *why = driver_ok(driver, EVE, "{'t':'why','table':%" PRId64 "}", table);
    assert_true(json_is_false(json_object_get(why, "can_sit")));
    assert_non_null(strstr(driver_read_text(why, "why"), "finished 50%"));
    why = driver_ok(driver, BOB, "{'t':'why','table':%" PRId64 "}", table);
    assert_true(json_is_true(json_object_get(why, "can_sit")));
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_restart_core(driver);
    driver_sign_in(driver, EVE, "eve");
    assert_true(is_told_they_may_not_sit(driver, EVE, table));
}

static void the_host_can_change_a_tables_conditions(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = open_table_with_requirements(driver, ADA, "{'rating_min':1400}");
    driver_pass_time(driver, 1000);
    assert_true(is_told_they_may_not_sit(driver, BOB, table));
    const json_t *why = driver_ok(driver, BOB, "{'t':'why','table':%" PRId64 "}", table);
    assert_non_null(strstr(driver_read_text(why, "why"), "no rating there yet"));
    driver_no(driver, ADA, "fit", "{'t':'table_set','fit':{'rating_min':1700,'rating_max':1400}}");
    driver_no(driver, ADA, "fit", "{'t':'table_set','fit':{'finished_min':101}}");
    driver_ok(driver, ADA, "{'t':'table_set','fit':null}");
    driver_pass_time(driver, 1000);
    assert_false(is_told_they_may_not_sit(driver, BOB, table));
}

static void an_invitation_admits_to_a_locked_table_with_conditions_until_it_expires(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = open_table_with_requirements(driver, ADA, "{'rating_min':1400}");
    driver_ok(driver, ADA, "{'t':'table_lock','password':'sesame'}");
    driver_no(driver, BOB, "locked", "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'mod','line':'invite bob'}");
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "invite"), "table"),
                     table);
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "invite"), "from"),
                        "ada");
    driver_pass_time(driver, INVITE_MS - 1000);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_pass_time(driver, 2000);
    driver_no(driver, BOB, "locked", "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_no(driver, BOB, "unknown", "{'t':'decline'}");
}

static void an_invitation_can_be_declined_and_the_host_is_told(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    (void)driver_open_table(driver, ADA, 3, 0);
    driver_no(driver, BOB, "unknown", "{'t':'decline'}");
    driver_ok(driver, ADA, "{'t':'mod','line':'invite bob'}");
    driver_ok(driver, BOB, "{'t':'decline'}");
    assert_non_null(
        strstr(driver_read_text(driver_newest_message(driver, ADA, "notice"), "text"), "bob"));
    driver_ok(driver, BOB, "{'t':'presence','kind':'dnd'}");
    driver_no(driver, ADA, "dnd", "{'t':'mod','line':'invite bob'}");
}

static void a_blocked_person_cannot_invite_and_does_not_learn_of_the_block(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    (void)driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, BOB, "{'t':'mod','line':'ignore ada'}");
    driver_ok(driver, EVE, "{'t':'mod','line':'noplay ada'}");
    driver_ok(driver, ADA, "{'t':'mod','line':'invite bob'}");
    driver_ok(driver, ADA, "{'t':'mod','line':'invite eve'}");
    assert_null(driver_newest_message(driver, BOB, "invite"));
    assert_null(driver_newest_message(driver, EVE, "invite"));
    driver_disconnect(driver, BOB);
    driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'psst'}");
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(driver_count_messages(driver, BOB, "chat"),
                     1); /* only the announcement of the table: Ada's direct message was dropped */
}

TEST_GROUP(invites)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_table_with_conditions_is_hidden_from_ineligible_people_who_can_ask_why),
        DRIVER_TEST(the_host_can_change_a_tables_conditions),
        DRIVER_TEST(an_invitation_admits_to_a_locked_table_with_conditions_until_it_expires),
        DRIVER_TEST(an_invitation_can_be_declined_and_the_host_is_told),
        DRIVER_TEST(a_blocked_person_cannot_invite_and_does_not_learn_of_the_block),
    };
    return cmocka_run_group_tests_name("invites", tests, NULL, NULL);
}
