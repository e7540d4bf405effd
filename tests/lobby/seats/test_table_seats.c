#include "lobby/tables/tables.h"
#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "lobby/house/house_state.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

static int64_t read_seat_reservation_ms(const struct driver *driver)
{
    return 1000 * (int64_t)driver->config.play_seat_kept_s;
}

static int64_t read_time_until_empty_table_closes_ms(const struct driver *driver)
{
    return 1000 * (int64_t)driver->config.play_table_kept_s;
}

static void sign_in_three_players(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
}

static const json_t *read_seat_row(const struct driver *driver, int64_t conn, size_t seat)
{
    return json_array_get(json_object_get(driver_newest_message(driver, conn, "table"), "seats"),
                          seat);
}

static void enter_table(struct driver *driver, int64_t conn, int64_t table)
{
    driver_ok(driver, conn, "{'t':'table_enter','table':%" PRId64 "}", table);
}

static void whoever_opens_a_table_is_host_and_has_a_seat(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    int64_t id = driver_open_table(driver, ADA, 4, 30);
    const json_t *table = driver_newest_message(driver, ADA, "table");
    assert_int_equal(driver_read_number(table, "id"), id);
    assert_int_equal(driver_read_number(table, "you"), 0);
    assert_true(json_is_true(json_object_get(table, "is_host")));
    assert_string_equal(driver_read_text(table, "state"), "open");
    assert_true(json_is_null(json_object_get(table, "commitment")));
    assert_string_equal(driver_read_text(read_seat_row(driver, ADA, 0), "name"), "ada");
    assert_true(json_is_null(read_seat_row(driver, ADA, 1)));
    driver_pass_time(driver, 200);
    const json_t *lobby = driver_newest_message(driver, BOB, "lobby");
    const json_t *row = json_array_get(json_object_get(lobby, "tables"), 0);
    assert_int_equal(driver_read_number(row, "id"), id);
    assert_int_equal(driver_read_number(row, "seated"), 1);
    assert_string_equal(driver_read_text(row, "host"), "ada");
    const json_t *chat = driver_newest_message(driver, BOB, "chat");
    assert_string_equal(driver_read_text(chat, "kind"), "system");
    assert_null(json_object_get(chat, "from"));
    const json_t *mine = json_object_get(driver_newest_message(driver, ADA, "mine"), "tables");
    assert_int_equal(driver_read_number(json_array_get(mine, 0), "table"), id);
}

static void a_table_is_listed_before_it_is_announced(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    driver_pass_time(driver, 200);
    driver_open_table(driver, ADA, 4, 30);
    int64_t id = driver_open_table(driver, EVE, 4,
                                   30); /* Ada and Eve open their tables at the same moment */
    const json_t *chat = driver_newest_message(driver, BOB, "chat");
    const json_t *tables = json_object_get(driver_newest_message(driver, BOB, "lobby"), "tables");
    assert_memory_equal(driver_read_text(chat, "text"), "eve opened", 10);
    assert_int_equal(json_array_size(tables), 1);
    assert_int_equal(driver_read_number(json_array_get(tables, 0), "id"), id);
    assert_int_equal(driver_read_number(json_array_get(tables, 0), "seated"), 1);
}

static void a_table_with_an_invalid_setting_is_refused_with_the_reason(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    const char *game = game_at(0)->id;
    driver_no(driver, ADA, "game", "{'t':'table_open','game':'whist','players':4}");
    driver_no(driver, ADA, "game", "{'t':'table_open'}");
    driver_no(driver, ADA, "players", "{'t':'table_open','game':'%s','players':1}", game);
    driver_no(driver, ADA, "players", "{'t':'table_open','game':'%s','players':99}", game);
    driver_no(driver, ADA, "players", "{'t':'table_open','game':'%s','players':'4'}", game);
    driver_no(driver, ADA, "options",
              "{'t':'table_open','game':'%s','players':4,'options':{'speed':'fast'}}", game);
    driver_no(driver, ADA, "options", "{'t':'table_open','game':'%s','options':[]}", game);
    driver_no(driver, ADA, "clock", "{'t':'table_open','game':'%s','clock_s':4}", game);
    driver_no(driver, ADA, "clock", "{'t':'table_open','game':'%s','clock_s':86401}", game);
    driver_no(driver, ADA, "password_bad", "{'t':'table_open','game':'%s','password':''}", game);
    assert_null(driver_newest_message(driver, ADA, "table"));
}

static void tables_that_a_host_has_left_do_not_count_towards_the_hosts_limit(void **state)
{
    struct driver *driver = *state;
    driver->config.limits_tables_each = 3;
    driver_restart_core(driver);
    sign_in_three_players(driver);
    for (int i = 0; i < 12; i++) {
        (void)driver_open_table(driver, ADA, 3, 0);
        driver_ok(driver, ADA, "{'t':'table_leave'}");
        driver_pass_time(driver, 300);
        assert_true(index_count(&tables_of(driver->house)->by_id) <= 3);
        driver_clear_inbox(driver, ADA);
        driver_pass_time(driver, 2000);
    }
    int64_t kept = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", kept);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_pass_time(driver, 2000);
    int64_t last = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", kept);
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", last);
}

static void the_number_of_tables_one_player_opens_is_limited(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    for (int i = 0; i < 5; i++) {
        int64_t table = driver_open_table(driver, ADA, 3, 0);
        enter_table(driver, BOB, table);
        driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
        driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
        driver_ok(driver, ADA, "{'t':'table_start'}");
    }
    driver_no(driver, ADA, "too_many", "{'t':'table_open','game':'%s','players':3}",
              game_at(0)->id);
}

static void the_number_of_tables_opened_from_one_address_is_limited(void **state)
{
    struct driver *driver = *state;
    driver->config.limits_tables_each_source = 3;
    driver_restart_core(driver);
    for (int64_t conn = ADA; conn < ADA + 3; conn++) {
        driver_enter_as_guest_from(driver, conn, "192.0.2.1");
        (void)driver_open_table(driver, conn, 3, 0);
        /* others go on at the table, so that its host does not count */
        driver_enter_as_guest_from(driver, conn + 10, "198.51.100.1");
        enter_table(driver, conn + 10, conn - ADA + 1);
        driver_ok(driver, conn + 10, "{'t':'seat_take'}");
        driver_disconnect(driver, conn);
    }
    driver_enter_as_guest_from(driver, ADA, "192.0.2.1");
    driver_no(driver, ADA, "too_many", "{'t':'table_open','game':'%s','players':3}",
              game_at(0)->id);
    driver_enter_as_guest_from(driver, BOB, "192.0.2.2");
    (void)driver_open_table(driver, BOB, 3, 0);
}

static void the_last_places_are_for_people_who_have_no_table(void **state)
{
    struct driver *driver = *state;
    driver->config.limits_tables = 10;
    driver->config.limits_tables_each = 100;
    driver_restart_core(driver);
    sign_in_three_players(driver);
    for (int i = 0; i < 9; i++) {
        (void)driver_open_table(driver, ADA, 3, 0);
        driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    }
    driver_no(driver, ADA, "too_many", "{'t':'table_open','game':'%s','players':3}",
              game_at(0)->id);
    (void)driver_open_table(driver, BOB, 3, 0);
    driver_no(driver, EVE, "too_many", "{'t':'table_open','game':'%s','players':3}",
              game_at(0)->id);
}

static void a_table_opened_by_a_repeated_request_is_opened_once(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(driver_send(driver, ADA,
                                     "{'t':'table_open','id':900,'game':'%s','players':3}",
                                     game_at(0)->id),
                         HOUSE_OK);
        const json_t *answer = driver_find_answer(driver, ADA, 900);
        assert_int_equal(driver_read_number(answer, "table"), 1);
        driver_restart_core(driver);
        driver_clear_inbox(driver, ADA);
        driver_connect_session(driver, ADA);
    }
    assert_int_equal(driver_read_number(driver_newest_message(driver, ADA, "table"), "id"), 1);
}

static void seats_can_be_taken_given_up_and_freed_by_the_host(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_no(driver, BOB, "no_table", "{'t':'seat_take'}");
    enter_table(driver, BOB, table);
    driver_no(driver, BOB, "full", "{'t':'seat_take','seat':0}");
    driver_no(driver, BOB, "bad_seat", "{'t':'seat_take','seat':3}");
    driver_no(driver, BOB, "bad_seat", "{'t':'seat_take','seat':-1}");
    driver_ok(driver, BOB, "{'t':'seat_take','seat':2}");
    driver_no(driver, BOB, "seated", "{'t':'seat_take','seat':1}");
    driver_ok(driver, BOB, "{'t':'seat_leave'}");
    driver_no(driver, BOB, "not_seated", "{'t':'seat_leave'}");
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    assert_string_equal(driver_read_text(read_seat_row(driver, ADA, 1), "name"), "bob");
    driver_no(driver, BOB, "not_host", "{'t':'mod','line':'kick ada'}");
    driver_ok(driver, ADA, "{'t':'mod','line':'kick bob'}");
    assert_true(json_is_null(read_seat_row(driver, BOB, 1)));
    assert_non_null(driver_newest_message(driver, BOB, "notice"));
}

/* Ratings belong to accounts: an account in two seats would be rated twice for one game. */
static void no_account_can_have_two_seats(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_open_table(driver, ADA, SEATS_MAX, 0);
    for (int seat = 1; seat < SEATS_MAX; seat++) {
        driver_ok(driver, ADA, "{'t':'bot_add','policy':'%s'}", seat < 4 ? "medium" : "easy");
    }
    driver_ok(driver, ADA, "{'t':'bot_remove','seat':2}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy','seat':2}");
    driver_ok(driver, ADA, "{'t':'bot_remove','seat':5}");
    driver_no(driver, ADA, "seated", "{'t':'seat_take','seat':5}");
    const json_t *seats = json_object_get(driver_newest_message(driver, ADA, "table"), "seats");
    for (size_t i = 0; i < json_array_size(seats); i++) {
        for (size_t j = 0; j < i; j++) {
            const json_t *one = json_array_get(seats, i), *other = json_array_get(seats, j);
            assert_true(json_is_null(one) || json_is_null(other) ||
                        strcmp(driver_read_text(one, "name"), driver_read_text(other, "name")) !=
                            0);
        }
    }
}

static void the_host_adds_and_removes_bots(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    int64_t table = driver_open_table(driver, ADA, 4, 0);
    enter_table(driver, BOB, table);
    driver_no(driver, BOB, "not_host", "{'t':'bot_add','policy':'medium'}");
    driver_no(driver, ADA, "policy", "{'t':'bot_add','policy':'clever'}");
    driver_no(driver, ADA, "policy", "{'t':'bot_add','policy':'none'}");
    driver_no(driver, ADA, "policy", "{'t':'bot_add','policy':'random'}");
    driver_no(driver, ADA, "policy", "{'t':'bot_add','policy':3}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium','seat':3}");
    const json_t *first = read_seat_row(driver, BOB, 1);
    assert_string_equal(driver_read_text(first, "kind"), "bot");
    assert_string_equal(driver_read_text(first, "policy"), "medium");
    assert_string_not_equal(driver_read_text(first, "name"),
                            driver_read_text(read_seat_row(driver, BOB, 3), "name"));
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "table"), "seated"), 3);
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "table"), "bots"), 2);
    driver_no(driver, BOB, "not_host", "{'t':'bot_remove','seat':1}");
    driver_no(driver, ADA, "bad_seat", "{'t':'bot_remove','seat':0}");
    driver_ok(driver, ADA, "{'t':'bot_remove','seat':1}");
    assert_true(json_is_null(read_seat_row(driver, BOB, 1)));
    driver_no(driver, ADA, "seats", "{'t':'table_start'}");
    driver_no(driver, BOB, "not_host", "{'t':'table_start'}");
}

static void options_can_be_changed_only_before_the_start(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    int64_t table = driver_open_table(driver, ADA, 4, 0);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy','seat':3}");
    driver_no(driver, ADA, "seated", "{'t':'table_set','players':3}");
    driver_ok(driver, ADA, "{'t':'bot_remove','seat':3}");
    driver_ok(driver, ADA, "{'t':'table_set','players':3,'clock_s':60}");
    driver_no(driver, ADA, "clock", "{'t':'table_set','clock_s':1}");
    const json_t *row = driver_newest_message(driver, ADA, "table");
    assert_int_equal(driver_read_number(row, "players"), 3);
    assert_int_equal(driver_read_number(row, "clock_s"), 60);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    driver_no(driver, ADA, "started", "{'t':'table_set','players':4}");
    driver_no(driver, ADA, "started", "{'t':'table_start'}");
    driver_no(driver, ADA, "started", "{'t':'bot_add','policy':'easy'}");
    driver_no(driver, ADA, "started", "{'t':'table_lock','password':'x'}");
    enter_table(driver, BOB, table);
    driver_no(driver, BOB, "started", "{'t':'seat_take'}");
}

static void
a_locked_table_admits_only_its_host_its_players_and_those_with_the_password(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    enter_table(driver, BOB, table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_no(driver, BOB, "not_host", "{'t':'table_lock','password':'sesame'}");
    driver_no(driver, ADA, "password_bad", "{'t':'table_lock','password':''}");
    driver_ok(driver, ADA, "{'t':'table_lock','password':'sesame'}");
    assert_true(
        json_is_true(json_object_get(driver_newest_message(driver, ADA, "table"), "is_locked")));
    driver_no(driver, EVE, "locked", "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_no(driver, EVE, "locked", "{'t':'table_enter','table':%" PRId64 ",'password':'Sesame'}",
              table);
    driver_pass_time(driver, 1000);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 ",'password':'sesame'}", table);
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    driver_ok(driver, ADA, "{'t':'table_lock','password':null}");
    enter_table(driver, EVE, table);
}

static void when_the_host_leaves_another_player_becomes_host(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    enter_table(driver, BOB, table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    assert_true(
        json_is_true(json_object_get(driver_newest_message(driver, BOB, "table"), "is_host")));
    assert_true(json_is_null(read_seat_row(driver, BOB, 0)));
    driver_ok(driver, BOB, "{'t':'seat_leave'}");
    enter_table(driver, EVE, table);
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    assert_true(
        json_is_true(json_object_get(driver_newest_message(driver, EVE, "table"), "is_host")));
}

static void a_disconnected_player_keeps_the_seat_for_a_limited_time(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    enter_table(driver, BOB, table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_disconnect(driver, BOB);
    assert_true(json_is_false(json_object_get(read_seat_row(driver, ADA, 1), "here")));
    driver_pass_time(driver, read_seat_reservation_ms(driver) - 1000);
    driver_sign_in(driver, BOB, "bob");
    const json_t *mine = json_object_get(driver_newest_message(driver, BOB, "mine"), "tables");
    assert_int_equal(driver_read_number(json_array_get(mine, 0), "table"), table);
    driver_pass_time(driver, read_seat_reservation_ms(driver));
    assert_string_equal(driver_read_text(read_seat_row(driver, ADA, 1), "name"), "bob");
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, read_seat_reservation_ms(driver));
    assert_true(json_is_null(read_seat_row(driver, ADA, 1)));
}

static void no_game_starts_while_a_seated_player_is_absent(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    enter_table(driver, BOB, table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    driver_disconnect(driver, BOB);
    driver_no(driver, ADA, "absent", "{'t':'table_start'}");
    driver_sign_in(driver, BOB, "bob");
    driver_ok(driver, ADA, "{'t':'table_start'}");
}

static void two_connections_of_one_spectator_count_as_one(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    driver_sign_in(driver, EVE + 1, "eve");
    enter_table(driver, EVE, table);
    enter_table(driver, EVE + 1, table);
    const json_t *row = driver_newest_message(driver, ADA, "table");
    assert_int_equal(driver_read_number(row, "watchers"), 1);
    assert_int_equal(json_array_size(json_object_get(row, "watcher_names")), 1);
}

static void the_rate_of_seat_changes_is_limited(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    (void)driver_open_table(driver, ADA, 3, 30);
    for (uint32_t i = 1; i < driver->config.limits_changes_burst; i++) {
        driver_ok(driver, ADA, "{'t':'seat_leave'}");
        driver_ok(driver, ADA, "{'t':'seat_take'}");
    }
    driver_ok(driver, ADA, "{'t':'seat_leave'}");
    driver_no(driver, ADA, "wait", "{'t':'seat_take'}");
    driver_pass_time(driver, 1000);
    driver_ok(driver, ADA, "{'t':'seat_take'}");
}

static void an_empty_table_closes_after_a_while(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_pass_time(driver, 1000);
    enter_table(driver, BOB, table);
    driver_pass_time(driver, 2 * read_time_until_empty_table_closes_ms(driver));
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_pass_time(driver, read_time_until_empty_table_closes_ms(driver) + 200);
    driver_no(driver, BOB, "unknown", "{'t':'table_enter','table':%" PRId64 "}", table);
    bool is_gone = false;
    for (size_t i = 0; i < json_array_size(driver->inbox[EVE]); i++) {
        const json_t *message = json_array_get(driver->inbox[EVE], i);
        is_gone |=
            json_integer_value(json_array_get(json_object_get(message, "gone_tables"), 0)) == table;
    }
    assert_true(is_gone);
}

static void a_table_of_bots_alone_closes_when_the_last_person_leaves(void **state)
{
    struct driver *driver = *state;
    driver->has_bots = true;
    sign_in_three_players(driver);
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_pass_time(driver, 1000);
    driver_no(driver, BOB, "unknown", "{'t':'table_enter','table':%" PRId64 "}", table);
}

static void a_table_of_bots_stays_open_while_a_seat_is_reserved(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_disconnect(driver, ADA);
    driver_pass_time(driver, read_seat_reservation_ms(driver) - 1000);
    driver_sign_in(driver, ADA, "ada");
    enter_table(driver, ADA, table);
    assert_int_equal(driver_read_number(driver_newest_message(driver, ADA, "table"), "you"), 0);
}

static void guests_find_only_their_own_games_in_the_history(void **state)
{
    struct driver *driver = *state;
    const int64_t guests[] = {ADA, BOB, EVE};
    for (size_t i = 0; i < 3; i++) {
        driver_enter_as_guest(driver, guests[i]);
    }
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    for (size_t i = 1; i < 3; i++) {
        enter_table(driver, guests[i], table);
        driver_ok(driver, guests[i], "{'t':'seat_take'}");
    }
    driver_ok(driver, ADA, "{'t':'table_start'}");
    (void)driver_play_moves(driver, guests, 3, SIZE_MAX);
    driver_enter_as_guest(driver, EVE + 1);
    for (size_t i = 0; i < 3; i++) {
        const json_t *answer = driver_ok(driver, guests[i], "{'t':'games'}");
        const json_t *rows = json_object_get(answer, "rows");
        assert_int_equal(json_array_size(rows), 1);
        int64_t id = driver_read_number(json_array_get(rows, 0), "game_id");
        driver_ok(driver, guests[i], "{'t':'record','game_id':%" PRId64 "}", id);
    }
    const json_t *answer = driver_ok(driver, EVE + 1, "{'t':'games'}");
    assert_int_equal(json_array_size(json_object_get(answer, "rows")), 0);
}

static void a_finished_table_closes_when_the_last_person_leaves(void **state)
{
    struct driver *driver = *state;
    sign_in_three_players(driver);
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    enter_table(driver, BOB, table);
    enter_table(driver, EVE, table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    (void)driver_play_moves(driver, (const int64_t[]){ADA, BOB, EVE}, 3, SIZE_MAX);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_pass_time(driver, read_time_until_empty_table_closes_ms(driver));
    enter_table(driver, BOB, table); /* Eve is still at the table */
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    driver_pass_time(driver, 1000);
    driver_no(driver, BOB, "unknown", "{'t':'table_enter','table':%" PRId64 "}", table);
}

static void a_host_can_close_a_table_before_the_start_and_everybody_there_is_told(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_enter_as_guest(driver, BOB + 1);
    driver_sign_up(driver, BOB + 2, "eve");
    int64_t table = driver_open_table(driver, ADA, 4, 86400);
    for (int64_t conn = BOB; conn <= BOB + 2; conn++) {
        driver_ok(driver, conn, "{'t':'table_enter','table':%" PRId64 "}", table);
    }
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, BOB + 2, "{'t':'seat_take'}");
    driver_ok(driver, BOB + 2,
              "{'t':'table_leave'}"); /* eve keeps her seat, since the game is turn by turn */
    driver_no(driver, BOB, "not_host", "{'t':'table_close'}");
    driver_clear_inbox(driver, ADA);
    driver_ok(driver, ADA, "{'t':'table_close'}");
    for (int64_t conn = ADA; conn <= BOB + 1; conn++) {
        const json_t *out = driver_newest_message(driver, conn, "sent_out");
        assert_int_equal(driver_read_number(out, "table"), table);
        assert_non_null(strstr(driver_read_text(out, "why"), "ada has closed #"));
    }
    assert_null(driver_newest_message(driver, BOB + 2, "sent_out"));
    assert_non_null(
        strstr(driver_read_text(driver_newest_message(driver, BOB + 2, "notice"), "text"),
               "ada has closed #"));
    driver_pass_time(driver, 1000);
    const json_t *gone =
        json_object_get(driver_newest_message(driver, ADA, "lobby"), "gone_tables");
    assert_int_equal(json_integer_value(json_array_get(gone, 0)), table);
    driver_no(driver, BOB, "unknown", "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_restart_core(driver);
    driver_sign_in(driver, ADA, "ada");
    assert_int_equal(
        json_array_size(json_object_get(driver_newest_message(driver, ADA, "mine"), "tables")), 0);
}

static void a_table_where_a_game_has_begun_cannot_be_closed(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    (void)driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    driver_no(driver, ADA, "started", "{'t':'table_close'}");
    static const int64_t ada[] = {ADA};
    (void)driver_play_moves(driver, ada, 1, SIZE_MAX);
    driver_no(driver, ADA, "started", "{'t':'table_close'}");
}

TEST_GROUP(table_seats)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(whoever_opens_a_table_is_host_and_has_a_seat),
        DRIVER_TEST(a_table_is_listed_before_it_is_announced),
        DRIVER_TEST(a_table_with_an_invalid_setting_is_refused_with_the_reason),
        DRIVER_TEST(tables_that_a_host_has_left_do_not_count_towards_the_hosts_limit),
        DRIVER_TEST(the_number_of_tables_one_player_opens_is_limited),
        DRIVER_TEST(the_number_of_tables_opened_from_one_address_is_limited),
        DRIVER_TEST(the_last_places_are_for_people_who_have_no_table),
        DRIVER_TEST(a_table_opened_by_a_repeated_request_is_opened_once),
        DRIVER_TEST(seats_can_be_taken_given_up_and_freed_by_the_host),
        DRIVER_TEST(no_account_can_have_two_seats),
        DRIVER_TEST(the_host_adds_and_removes_bots),
        DRIVER_TEST(options_can_be_changed_only_before_the_start),
        DRIVER_TEST(a_locked_table_admits_only_its_host_its_players_and_those_with_the_password),
        DRIVER_TEST(when_the_host_leaves_another_player_becomes_host),
        DRIVER_TEST(a_disconnected_player_keeps_the_seat_for_a_limited_time),
        DRIVER_TEST(no_game_starts_while_a_seated_player_is_absent),
        DRIVER_TEST(two_connections_of_one_spectator_count_as_one),
        DRIVER_TEST(the_rate_of_seat_changes_is_limited),
        DRIVER_TEST(a_table_of_bots_alone_closes_when_the_last_person_leaves),
        DRIVER_TEST(a_table_of_bots_stays_open_while_a_seat_is_reserved),
        DRIVER_TEST(guests_find_only_their_own_games_in_the_history),
        DRIVER_TEST(a_finished_table_closes_when_the_last_person_leaves),
        DRIVER_TEST(an_empty_table_closes_after_a_while),
        DRIVER_TEST(a_host_can_close_a_table_before_the_start_and_everybody_there_is_told),
        DRIVER_TEST(a_table_where_a_game_has_begun_cannot_be_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
