#include "tests/lobby/house_driver.h"

#include "lobby/house/house_state.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define ASKER (DRIVER_FIRST + 2)

/* Signs in without entering the house. */
static void sign_in_for_queries(struct driver *driver, int64_t conn, const char *name)
{
    driver_connect_session(driver, conn);
    driver_ok(driver, conn,
              "{'t':'sign_in','method':'password','asks':true,'name':'%s','password':'password of "
              "%s'}",
              name, name);
}

/* Returns whether ada was told that bob has arrived. */
static bool bob_was_announced(const struct driver *driver)
{
    const char *text = driver_read_text(driver_newest_message(driver, ADA, "notice"), "text");
    return strstr(text, "is in the house now") != NULL;
}

static bool bob_is_listed(const struct driver *driver)
{
    const json_t *people = json_object_get(driver_newest_message(driver, ADA, "lobby"), "people");
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(people, i, row)
    {
        if (strcmp(driver_read_text(row, "name"), "bob") == 0) {
            return true;
        }
    }
    return false;
}

/* Signs up Ada, who stays in the house, and her friend Bob, who left an hour ago. */
static void sign_up_two_friends(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, ADA, "{'t':'friend_add','name':'bob'}");
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, 3600000);
    driver_clear_inbox(driver, ADA);
}

static void a_query_only_connection_is_neither_announced_nor_listed(void **state)
{
    struct driver *driver = *state;
    sign_up_two_friends(driver);
    sign_in_for_queries(driver, ASKER, "bob");
    driver_ok(driver, ASKER, "{'t':'friends'}");
    driver_pass_time(driver, PACE_LOBBY_MS);
    assert_false(bob_was_announced(driver));
    assert_false(bob_is_listed(driver));
    assert_false(json_is_true(
        json_object_get(driver_ok(driver, ADA, "{'t':'profile','name':'bob'}"), "is_here")));
    driver_disconnect(driver, ASKER);
    driver_pass_time(driver, PACE_LOBBY_MS);
    assert_int_equal(driver_count_messages(driver, ADA, "notice"), 0);
}

static void a_query_only_connection_that_enters_is_announced_and_listed(void **state)
{
    struct driver *driver = *state;
    sign_up_two_friends(driver);
    sign_in_for_queries(driver, ASKER, "bob");
    driver_clear_inbox(driver, ASKER);
    driver_ok(driver, ASKER, "{'t':'come_in'}");
    driver_pass_time(driver, PACE_LOBBY_MS);
    assert_true(bob_was_announced(driver));
    assert_true(bob_is_listed(driver));
    assert_non_null(driver_newest_message(driver, ASKER, "lobby"));
    driver_ok(driver, ASKER, "{'t':'come_in'}");
    assert_int_equal(driver_count_messages(driver, ADA, "notice"), 1);
}

static void a_query_does_not_mark_offline_messages_and_notices_as_read(void **state)
{
    struct driver *driver = *state;
    sign_up_two_friends(driver);
    driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'later'}");
    sign_in_for_queries(driver, ASKER, "bob");
    driver_send(driver, ASKER, "{'t':'hello','protocol':3,'lobby':true}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, ASKER, "chat"), "text"),
                        "later");
    assert_true(
        json_is_true(json_object_get(driver_newest_message(driver, ASKER, "chat"), "kept")));
    driver_disconnect(driver, ASKER);
    driver_sign_in(driver, BOB, "bob");
    assert_true(json_is_true(json_object_get(driver_newest_message(driver, BOB, "chat"), "kept")));
}

static void messages_read_by_a_query_are_not_shown_again_at_sign_in(void **state)
{
    struct driver *driver = *state;
    sign_up_two_friends(driver);
    driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'later'}");
    sign_in_for_queries(driver, ASKER, "bob");
    driver_send(driver, ASKER, "{'t':'hello','protocol':3,'lobby':true}");
    driver_ok(driver, ASKER, "{'t':'tells_read'}");
    driver_disconnect(driver, ASKER);
    driver_sign_in(driver, BOB, "bob");
    assert_false(json_is_true(json_object_get(driver_newest_message(driver, BOB, "chat"), "kept")));
}

static void a_message_to_a_query_only_connection_is_stored_for_later(void **state)
{
    struct driver *driver = *state;
    sign_up_two_friends(driver);
    sign_in_for_queries(driver, ASKER, "bob");
    assert_true(json_is_true(
        json_object_get(driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'later'}"), "kept")));
}

static void a_players_background_program_does_not_announce_the_player(void **state)
{
    struct driver *driver = *state;
    sign_up_two_friends(driver);
    driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'later'}");
    sign_in_for_queries(driver, ASKER, "bob");
    driver_ok(driver, ASKER, "{'t':'come_in','as':'program'}");
    driver_pass_time(driver, PACE_LOBBY_MS);
    assert_false(bob_was_announced(driver));
    assert_true(bob_is_listed(driver));
    driver_sign_in(driver, BOB, "bob");
    assert_true(bob_was_announced(driver));
    assert_true(json_is_true(json_object_get(driver_newest_message(driver, BOB, "chat"), "kept")));
}

static void a_query_does_not_take_a_seat_back_from_the_bot(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take','seat':1}");
    driver_disconnect(driver, BOB);
    sign_in_for_queries(driver, ASKER, "bob");
    driver_commit(driver);
    const json_t *seat =
        json_array_get(json_object_get(driver_newest_message(driver, ADA, "table"), "seats"), 1);
    assert_string_equal(driver_read_text(seat, "name"), "bob");
    assert_false(json_is_true(json_object_get(seat, "here")));
}

static void a_connection_stays_query_only_after_a_restart(void **state)
{
    struct driver *driver = *state;
    sign_up_two_friends(driver);
    sign_in_for_queries(driver, ASKER, "bob");
    driver_restart_core(driver);
    driver_connect(driver, ADA, PEER_SESSION);
    driver_connect(driver, ASKER, PEER_SESSION);
    driver_send(driver, ADA, "{'t':'hello','protocol':3,'lobby':true}");
    driver_send(driver, ASKER, "{'t':'hello','protocol':3,'lobby':true}");
    driver_pass_time(driver, PACE_LOBBY_MS);
    assert_false(bob_is_listed(driver));
    driver_ok(driver, ASKER, "{'t':'come_in'}");
    driver_pass_time(driver, PACE_LOBBY_MS);
    assert_true(bob_is_listed(driver));
}

TEST_GROUP(query_only)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_query_only_connection_is_neither_announced_nor_listed),
        DRIVER_TEST(a_query_only_connection_that_enters_is_announced_and_listed),
        DRIVER_TEST(a_query_does_not_mark_offline_messages_and_notices_as_read),
        DRIVER_TEST(messages_read_by_a_query_are_not_shown_again_at_sign_in),
        DRIVER_TEST(a_message_to_a_query_only_connection_is_stored_for_later),
        DRIVER_TEST(a_players_background_program_does_not_announce_the_player),
        DRIVER_TEST(a_query_does_not_take_a_seat_back_from_the_bot),
        DRIVER_TEST(a_connection_stays_query_only_after_a_restart),
    };
    return cmocka_run_group_tests_name("asking", tests, NULL, NULL);
}
