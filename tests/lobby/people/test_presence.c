#include "tests/lobby/house_driver.h"

#include "lobby/house/house_state.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

/* Returns the people whom a screen would list after all `lobby` messages to this connection so
 * far. */
static json_t *collect_known_people(const struct driver *driver, int64_t conn)
{
    json_t *known = json_object();
    for (size_t i = 0; i < json_array_size(driver->inbox[conn]); i++) {
        const json_t *message = json_array_get(driver->inbox[conn], i);
        if (strcmp(driver_read_text(message, "t"), "lobby") != 0) {
            continue;
        }
        if (json_is_true(json_object_get(message, "reset"))) {
            (void)json_object_clear(known);
        }
        size_t index = 0;
        json_t *row = NULL;
        json_array_foreach(json_object_get(message, "gone_people"), index, row)
        {
            (void)json_object_del(known, json_string_value(row));
        }
        json_array_foreach(json_object_get(message, "people"), index, row)
        {
            (void)json_object_set(known, driver_read_text(row, "name"), row);
        }
    }
    return known;
}

static void arrivals_and_departures_are_shown_to_everybody(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_pass_time(driver, PACE_LOBBY_MS);
    json_t *known = collect_known_people(driver, ADA);
    assert_int_equal(json_object_size(known), 2);
    assert_string_equal(driver_read_text(json_object_get(known, "bob"), "kind"), "player");
    json_decref(known);
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, PACE_LOBBY_MS);
    known = collect_known_people(driver, ADA);
    assert_int_equal(json_object_size(known), 1);
    json_decref(known);
}

static void somebody_who_reconnects_at_once_stays_listed(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_pass_time(driver, PACE_LOBBY_MS);
    driver_disconnect(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    driver_pass_time(driver, PACE_LOBBY_MS);
    json_t *known = collect_known_people(driver, ADA);
    assert_int_equal(json_object_size(known), 2);
    json_decref(known);
}

static void changes_of_the_lobby_are_sent_in_at_most_ten_messages_a_second(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_pass_time(driver, 1000);
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    driver_pass_time(driver, PACE_LOBBY_MS);
    driver_clear_inbox(driver, ADA);
    for (int i = 0; i < 40; i++) {
        driver_ok(driver, BOB, "{'t':'table_leave'}");
        driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_pass_time(driver, 50);
    }
    assert_in_range(driver_count_messages(driver, ADA, "lobby"), 1, 21);
}

static void a_persons_row_in_the_lobby_says_where_they_are_and_how_long_idle(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    driver_pass_time(driver, 4 * PACE_IDLE_MS + 5000);
    json_t *known = collect_known_people(driver, ADA);
    const json_t *bob = json_object_get(known, "bob");
    assert_int_equal(driver_read_number(bob, "table"), table);
    assert_true(json_is_true(json_object_get(bob, "seated")));
    assert_in_range(driver_read_number(bob, "idle_s"), 180, 240);
    json_decref(known);
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_pass_time(driver, PACE_LOBBY_MS);
    known = collect_known_people(driver, ADA);
    bob = json_object_get(known, "bob");
    assert_true(json_is_null(json_object_get(bob, "table")));
    assert_int_equal(driver_read_number(bob, "idle_s"), 0);
    json_decref(known);
}

static void a_spectator_who_sits_down_is_shown_as_seated(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_pass_time(driver, PACE_LOBBY_MS);
    static const char *const steps[] = {"{'t':'seat_take'}", "{'t':'seat_leave'}"};
    for (size_t i = 0; i < 2; i++) {
        driver_ok(driver, BOB, "%s", steps[i]);
        driver_pass_time(driver, PACE_LOBBY_MS);
        json_t *known = collect_known_people(driver, ADA);
        const json_t *bob = json_object_get(known, "bob");
        assert_int_equal(json_is_true(json_object_get(bob, "seated")), i == 0);
        json_decref(known);
    }
}

static void bots_are_listed_as_people_while_they_sit(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_pass_time(driver, PACE_LOBBY_MS);
    json_t *known = collect_known_people(driver, ADA);
    const json_t *bot = json_object_get(known, "ella");
    assert_string_equal(driver_read_text(bot, "kind"), "bot");
    assert_string_equal(driver_read_text(bot, "level"), "medium");
    assert_int_equal(driver_read_number(bot, "table"), table);
    json_decref(known);
    driver_sign_up(driver, BOB, "bob");
    known = collect_known_people(driver, BOB);
    assert_non_null(json_object_get(known, "ella"));
    json_decref(known);
    driver_ok(driver, ADA, "{'t':'bot_remove','seat':1}");
    driver_pass_time(driver, PACE_LOBBY_MS);
    known = collect_known_people(driver, ADA);
    assert_null(json_object_get(known, "ella"));
    json_decref(known);
}

#define CROWD_FIRST 1000 /* connection numbers for which the driver keeps no inbox */
#define CROWD 400

/* Signs in CROWD guests at once. */
static void let_crowd_enter(struct driver *driver)
{
    static const char *const lines[] = {"{\"t\":\"hello\",\"protocol\":3,\"lobby\":true}",
                                        "{\"t\":\"sign_in\",\"id\":1,\"method\":\"guest\"}"};
    for (int64_t conn = CROWD_FIRST; conn < CROWD_FIRST + CROWD; conn++) {
        assert_int_equal(
            house_connect(driver->house, driver->now_ms, conn, PEER_SESSION, "127.0.0.1", "ssh"),
            HOUSE_OK);
        for (size_t i = 0; i < 2; i++) {
            assert_int_equal(
                house_receive(driver->house, driver->now_ms, conn, lines[i], strlen(lines[i])),
                HOUSE_OK);
        }
    }
}

static void let_crowd_ask_for_lobby_again(struct driver *driver)
{
    static const char hello[] = "{\"t\":\"hello\",\"protocol\":3,\"lobby\":true}";
    for (int64_t conn = CROWD_FIRST; conn < CROWD_FIRST + CROWD; conn++) {
        house_note_output_dropped(driver->house, conn);
        assert_int_equal(house_receive(driver->house, driver->now_ms, conn, hello, strlen(hello)),
                         HOUSE_OK);
    }
}

static void the_list_of_a_large_house_is_sent_in_several_messages(void **state)
{
    struct driver *driver = *state;
    let_crowd_enter(driver);
    driver_pass_time(driver, PACE_LOBBY_MS);
    for (int64_t conn = CROWD_FIRST; conn < CROWD_FIRST + CROWD; conn++) {
        house_note_output_dropped(driver->house, conn); /* the crowd is sent nothing more */
    }
    driver_enter_as_guest(driver, ADA);
    driver_pass_time(driver, 1000);
    assert_in_range(driver_count_messages(driver, ADA, "lobby"), 4, 5);
    json_t *known = collect_known_people(driver, ADA);
    assert_int_equal(json_object_size(known), CROWD + 1);
    json_decref(known);
}

static void many_newcomers_are_sent_the_whole_lobby_one_after_another(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_pass_time(driver, PACE_LOBBY_MS);
    let_crowd_enter(driver);
    driver_sign_up(driver, BOB, "bob");
    driver_commit(driver);
    /* Connections that still wait for the list of the whole lobby are sent no changes. */
    driver_pass_time(driver, PACE_LOBBY_MS);
    assert_int_equal(driver_count_messages(driver, BOB, "lobby"), 0);
    json_t *known = collect_known_people(driver, ADA);
    assert_int_equal(json_object_size(known), CROWD + 2);
    json_decref(known);
    /* Connections that end while they wait do not delay the others. */
    for (int64_t conn = CROWD_FIRST; conn < CROWD_FIRST + CROWD / 2; conn++) {
        assert_int_equal(house_disconnect(driver->house, driver->now_ms, conn), HOUSE_OK);
    }
    driver_pass_time(driver, 1000 * CROWD * CROWD / PACE_LOBBY_ROWS);
    known = collect_known_people(driver, BOB);
    assert_int_equal(json_object_size(known), CROWD / 2 + 2);
    assert_int_equal(driver_read_number(json_object_get(known, "bob"), "idle_s"), 0);
    json_decref(known);
}

static void people_in_the_lobby_are_sent_its_list_before_people_at_tables(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    (void)driver_open_table(driver, ADA, 3, 0);
    let_crowd_enter(driver);
    driver_pass_time(driver, 1000 * CROWD * CROWD / PACE_LOBBY_ROWS);
    let_crowd_ask_for_lobby_again(driver);
    for (int64_t conn = ADA; conn <= BOB; conn++) {
        driver_clear_inbox(driver, conn);
        house_note_output_dropped(driver->house, conn);
        driver_send(driver, conn, "{'t':'hello','protocol':3,'lobby':true}");
    }
    int64_t waited_ms = 0;
    while (driver_count_messages(driver, BOB, "lobby") == 0) {
        assert_int_equal(driver_count_messages(driver, ADA, "lobby"), 0);
        driver_pass_time(driver, PACE_LOBBY_WAIT_MS);
        waited_ms += PACE_LOBBY_WAIT_MS;
    }
    assert_in_range(waited_ms, 1, 1000 * CROWD * CROWD / PACE_LOBBY_ROWS);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_pass_time(driver, PACE_LOBBY_MS);
    assert_true(driver_count_messages(driver, ADA, "lobby") > 0);
}

/* Returns how long ADA has been idle, as BOB's list of friends says. */
static int64_t read_idle_seconds_of_ada(struct driver *driver)
{
    const json_t *answer = driver_ok(driver, BOB, "{'t':'friends'}");
    return driver_read_number(json_array_get(json_object_get(answer, "friends"), 0), "idle_s");
}

static void a_player_waiting_for_others_does_not_count_as_idle(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, BOB + 1, "eve");
    driver_ok(driver, BOB, "{'t':'friend_add','name':'ada'}");
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    for (int64_t conn = BOB; conn <= BOB + 1; conn++) {
        driver_ok(driver, conn, "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_ok(driver, conn, "{'t':'seat_take'}");
    }
    driver_ok(driver, ADA, "{'t':'table_start'}");
    bool waited = false, acted = false;
    for (int moves = 0; moves < 12 && !(waited && acted); moves++) {
        const json_t *view = json_object_get(driver_newest_message(driver, ADA, "view"), "view");
        bool is_turn = json_array_size(json_object_get(view, "legal")) > 0;
        driver_pass_time(driver, 600000);
        assert_int_equal(read_idle_seconds_of_ada(driver) >= 600, is_turn);
        waited |= !is_turn;
        acted |= is_turn;
        (void)driver_play_moves(driver, (const int64_t[]){ADA, BOB, BOB + 1}, 3, 1);
    }
    assert_true(waited && acted);
}

TEST_GROUP(presence)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(arrivals_and_departures_are_shown_to_everybody),
        DRIVER_TEST(somebody_who_reconnects_at_once_stays_listed),
        DRIVER_TEST(changes_of_the_lobby_are_sent_in_at_most_ten_messages_a_second),
        DRIVER_TEST(a_persons_row_in_the_lobby_says_where_they_are_and_how_long_idle),
        DRIVER_TEST(a_spectator_who_sits_down_is_shown_as_seated),
        DRIVER_TEST(a_player_waiting_for_others_does_not_count_as_idle),
        DRIVER_TEST(bots_are_listed_as_people_while_they_sit),
        DRIVER_TEST(the_list_of_a_large_house_is_sent_in_several_messages),
        DRIVER_TEST(many_newcomers_are_sent_the_whole_lobby_one_after_another),
        DRIVER_TEST(people_in_the_lobby_are_sent_its_list_before_people_at_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
