#include "lobby/house/parts.h"
#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "lobby/house/house_state.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Windows of the lobby: a session is sent the rows that its screen shows, and no others. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)
#define GUEST (DRIVER_FIRST + 3)
/* first number of a crowd's connections */
#define CROWD (DRIVER_FIRST + 10)
#define CROWD_MAX 40
/* first number and count of connections whose messages the driver does not keep */
#define OTHERS 1000
#define OTHERS_COUNT 300
#define ACCOUNTS 20 /* the driver has random bytes for no more recovery codes */

static int set_up_windows(void **state)
{
    int result = driver_setup(state);
    ((struct driver *)*state)->shows_windows = true;
    return result;
}

/* Writes the names, or the numbers, of a window's rows with blanks between. */
static const char *list_rows(const json_t *window, const char *key, const char *field, char *out,
                             size_t size)
{
    size_t len = 0;
    out[0] = '\0';
    for (size_t i = 0; i < json_array_size(json_object_get(window, key)) && len < size; i++) {
        const json_t *value =
            json_object_get(json_array_get(json_object_get(window, key), i), field);
        const char *blank = i == 0 ? "" : " ";
        int got = json_is_string(value)
                      ? snprintf(out + len, size - len, "%s%s", blank, json_string_value(value))
                      : snprintf(out + len, size - len, "%s%" JSON_INTEGER_FORMAT, blank,
                                 json_integer_value(value));
        len += (size_t)got;
    }
    return out;
}

static void expect_people(const json_t *window, const char *names)
{
    char listed[1000];
    assert_non_null(window);
    assert_string_equal(list_rows(window, "people", "name", listed, sizeof(listed)), names);
}

static void expect_tables(const json_t *window, const char *numbers)
{
    char listed[1000];
    assert_non_null(window);
    assert_string_equal(list_rows(window, "tables", "id", listed, sizeof(listed)), numbers);
}

static void nobody_is_told_of_the_lobby_without_asking(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_clear_inbox(driver, ADA);
    driver_sign_up(driver, BOB, "bob");
    (void)driver_open_table(driver, BOB, 3, 0);
    driver_pass_time(driver, 5000);
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, 5000);
    assert_int_equal(driver_count_messages(driver, ADA, "lobby"), 0);
    assert_int_equal(driver_count_messages(driver, ADA, "unfit"), 0);
}

static void a_window_has_the_wanted_rows_and_the_length_of_the_list(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, EVE, "eve");
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_enter_as_guest(driver, GUEST);
    driver_ok(driver, ADA, "{'t':'lobby_watch','people':{'first':1,'count':2}}");
    const json_t *window = driver_newest_message(driver, ADA, "lobby");
    expect_people(window, "bob eve");
    assert_int_equal(driver_read_number(window, "people_first"), 1);
    assert_int_equal(driver_read_number(window, "people_count"), 4);
    assert_int_equal(driver_read_number(window, "here"), 4);
    assert_null(json_object_get(window, "tables"));
}

static void friends_stand_first_and_a_window_finds_the_row_at_which_it_stays(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, EVE, "eve");
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_enter_as_guest(driver, GUEST);
    driver_ok(driver, ADA, "{'t':'friend_add','name':'eve'}");
    expect_people(driver_ok(driver, ADA, "{'t':'people'}"), "eve ada bob guest-1");
    expect_people(driver_ok(driver, ADA, "{'t':'people','count':1,'at':'eve'}"), "eve");
    expect_people(driver_ok(driver, ADA, "{'t':'people','count':1,'at':'bob'}"), "bob");
    expect_people(driver_ok(driver, ADA, "{'t':'people','count':2,'at':'guest-1'}"), "bob guest-1");
    expect_people(driver_ok(driver, ADA, "{'t':'people','count':2,'first':1,'at':'zoe'}"),
                  "ada bob");
    expect_people(driver_ok(driver, ADA, "{'t':'people','start':'E'}"), "eve");
    expect_people(driver_ok(driver, ADA, "{'t':'people','start':'x'}"), "");
    expect_people(driver_ok(driver, ADA, "{'t':'people','first':900,'count':2}"), "bob guest-1");
}

static void a_change_outside_the_window_sends_only_the_length_of_the_list(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, ADA, "{'t':'lobby_watch','people':{'count':2}}");
    driver_clear_inbox(driver, ADA);
    driver_sign_up(driver, EVE, "eve");
    driver_pass_time(driver, 2 * PACE_WINDOWS_MS);
    const json_t *window = driver_newest_message(driver, ADA, "lobby");
    assert_int_equal(driver_read_number(window, "here"), 3);
    assert_null(json_object_get(window, "people"));
    driver_ok(driver, BOB, "{'t':'presence','kind':'away','text':'tea'}");
    driver_pass_time(driver, 2 * PACE_WINDOWS_MS);
    expect_people(driver_newest_message(driver, ADA, "lobby"), "ada bob");
    driver_clear_inbox(driver, ADA);
    driver_ok(driver, ADA, "{'t':'lobby_watch'}");
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, 5000);
    assert_int_equal(driver_count_messages(driver, ADA, "lobby"), 0);
}

/* Lets a guest sign in and look at the lobby, on a connection whose messages the driver does not
 * keep. */
static void add_watcher(struct driver *driver, int64_t conn)
{
    static const char *const messages[] = {
        "{\"t\":\"hello\",\"protocol\":3}",
        "{\"t\":\"sign_in\",\"id\":1,\"method\":\"guest\"}",
        "{\"t\":\"lobby_watch\",\"id\":2,\"people\":{\"count\":20}}",
    };
    assert_int_equal(
        house_connect(driver->house, driver->now_ms, conn, PEER_SESSION, "203.0.113.7", "ssh"),
        HOUSE_OK);
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        assert_int_equal(
            house_receive(driver->house, driver->now_ms, conn, messages[i], strlen(messages[i])),
            HOUSE_OK);
    }
}

/* Returns how many changes ada is sent in two seconds in which somebody's row changes all the
 * time. */
static size_t count_changes_in_two_seconds(struct driver *driver)
{
    driver_pass_time(driver, 1000);
    driver_clear_inbox(driver, ADA);
    for (int i = 0; i < 40; i++) {
        driver_ok(driver, BOB, "{'t':'presence','kind':'dnd','text':'%d'}", i);
        driver_pass_time(driver, 50);
    }
    return driver_count_messages(driver, ADA, "lobby");
}

static void the_pace_of_changes_slows_down_when_many_look_at_the_lobby(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, ADA, "{'t':'lobby_watch','people':{'count':2}}");
    assert_in_range(count_changes_in_two_seconds(driver), 7, 9); /* one in 250 ms */
    for (int64_t conn = OTHERS; conn < OTHERS + OTHERS_COUNT; conn++) {
        add_watcher(driver, conn);
    }
    driver_commit(driver);
    assert_in_range(count_changes_in_two_seconds(driver), 2, 4); /* 300 sessions take 600 ms */
}

static void in_a_crowd_the_length_of_a_list_alone_is_told_less_often(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, ADA, "{'t':'lobby_watch','people':{'count':2}}");
    for (int64_t conn = OTHERS; conn < OTHERS + OTHERS_COUNT; conn++) {
        add_watcher(driver, conn);
    }
    driver_commit(driver);
    driver_pass_time(driver, 2 * OTHERS_COUNT * PACE_TOTALS_EACH_MS);
    driver_clear_inbox(driver, ADA);
    int64_t here = 2 + OTHERS_COUNT;
    for (int i = 0; i < 20; i++, here++) { /* ten seconds in which people come in all the time */
        add_watcher(driver, OTHERS + here);
        driver_commit(driver);
        driver_pass_time(driver, 500);
    }
    assert_in_range(driver_count_messages(driver, ADA, "lobby"), 3, 4); /* one in 3 s */
    driver_pass_time(driver, OTHERS_COUNT * PACE_TOTALS_EACH_MS + 1000);
    const json_t *window = driver_newest_message(driver, ADA, "lobby");
    assert_int_equal(driver_read_number(window, "here"), here);
    assert_null(json_object_get(window, "people"));
    add_watcher(driver, OTHERS + here);
    driver_pass_time(driver, 2 * PACE_WINDOWS_MS);
    driver_ok(driver, BOB, "{'t':'presence','kind':'away','text':'tea'}");
    driver_pass_time(driver, 3 * PACE_WINDOWS_MS); /* a row of the window does not wait */
    expect_people(driver_newest_message(driver, ADA, "lobby"), "ada bob");
}

static void a_rebuilt_house_counts_only_those_who_look_at_the_lobby_again(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'lobby_watch','people':{'count':1}}");
    for (int64_t conn = OTHERS; conn < OTHERS + OTHERS_COUNT; conn++) {
        add_watcher(driver, conn);
    }
    driver_commit(driver);
    assert_true(rebuild_house(driver->house));
    driver_commit(driver);
    assert_int_equal(driver_send(driver, ADA, "{'t':'hello','protocol':3}"), HOUSE_OK);
    driver_ok(driver, ADA, "{'t':'lobby_watch','people':{'count':1}}");
    driver_clear_inbox(driver, ADA);
    driver_sign_up(driver, BOB, "bob");
    driver_pass_time(driver, 2 * PACE_WINDOWS_MS); /* not the pace of a crowd */
    driver_sign_up(driver, EVE, "eve");
    driver_pass_time(driver, 2 * PACE_WINDOWS_MS);
    assert_int_equal(driver_count_messages(driver, ADA, "lobby"), 2);
}

static void tables_are_sorted_with_the_persons_own_ones_first(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    int64_t first = driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    int64_t own = driver_open_table(driver, ADA, 3, 0);
    int64_t last = driver_open_table(driver, EVE, 3, 0);
    char numbers[100];
    (void)snprintf(numbers, sizeof(numbers), "%" PRId64 " %" PRId64, own, last);
    driver_ok(driver, ADA, "{'t':'lobby_watch','tables':{'count':2}}");
    const json_t *window = driver_newest_message(driver, ADA, "lobby");
    expect_tables(window, numbers);
    (void)snprintf(numbers, sizeof(numbers), "%" PRId64, own);
    expect_tables(driver_ok(driver, ADA, "{'t':'tables','show':'mine'}"), numbers);
    expect_tables(driver_ok(driver, ADA, "{'t':'tables','show':'playing'}"), "");
    expect_tables(driver_ok(driver, ADA, "{'t':'tables','filter':'ADA'}"), numbers);
    expect_tables(driver_ok(driver, ADA, "{'t':'tables','filter':'no such'}"), "");
    (void)snprintf(numbers, sizeof(numbers), "%" PRId64, last);
    expect_tables(driver_ok(driver, ADA, "{'t':'tables','count':1,'sort':'newest'}"), numbers);
    (void)first;
}

static void an_open_table_that_does_not_admit_a_person_is_not_listed_for_them(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_enter_as_guest(driver, GUEST);
    int64_t table =
        driver_read_number(driver_ok(driver, ADA,
                                     "{'t':'table_open','game':'%s','players':3,'options':{},"
                                     "'clock_s':0,'fit':{'rating_min':1500}}",
                                     game_at(0)->id),
                           "table");
    char number[32];
    (void)snprintf(number, sizeof(number), "%" PRId64, table);
    expect_tables(driver_ok(driver, ADA, "{'t':'tables'}"), number);
    expect_tables(driver_ok(driver, GUEST, "{'t':'tables'}"), "");
    /* sessions that watch with the same words see different tables */
    driver_ok(driver, ADA, "{'t':'lobby_watch','tables':{}}");
    driver_ok(driver, GUEST, "{'t':'lobby_watch','tables':{}}");
    expect_tables(driver_newest_message(driver, GUEST, "lobby"), "");
    driver_clear_inbox(driver, GUEST);
    driver_clear_inbox(driver, ADA);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_pass_time(driver, 2 * PACE_WINDOWS_MS);
    expect_tables(driver_newest_message(driver, ADA, "lobby"), number);
    const json_t *window = driver_newest_message(driver, GUEST, "lobby");
    assert_true(window == NULL || driver_read_number(window, "tables_count") == 0);
}

static void a_wrong_query_is_refused(void **state)
{
    static const char *const wrong[] = {
        "{'t':'people','first':-1}",       "{'t':'people','count':101}",
        "{'t':'people','at':7}",           "{'t':'tables','show':'some'}",
        "{'t':'tables','sort':3}",         "{'t':'lobby_watch','people':7}",
        "{'t':'lobby_watch','tables':[]}", "{'t':'lobby_watch','tables':{'sort':'big'}}",
        "{'t':'tables','at':'x'}",         "{'t':'lobby_watch','people':{'count':'9'}}",
    };
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        driver_no(driver, ADA, "bad", "%s", wrong[i]);
    }
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Compares the answer to `people` with the names in the house, sorted anew. */
static void expect_sorted_list(struct driver *driver, const bool *is_in)
{
    static char names[CROWD_MAX + 1][32];
    const char *sorted[CROWD_MAX + 1];
    size_t count = 0;
    sorted[count++] = "ada";
    for (int i = 0; i < CROWD_MAX; i++) {
        if (is_in[i]) {
            (void)snprintf(names[count], sizeof(names[count]), "%c%d", 'a' + i * 7 % 26, i);
            sorted[count] = names[count];
            count++;
        }
    }
    qsort(sorted, count, sizeof(sorted[0]), compare_names);
    for (size_t first = 0; first < count; first += 7) {
        const json_t *window =
            driver_ok(driver, ADA, "{'t':'people','first':%d,'count':7}", (int)first);
        size_t from = (size_t)driver_read_number(window, "people_first");
        assert_int_equal(driver_read_number(window, "people_count"), count);
        for (size_t i = 0; i < json_array_size(json_object_get(window, "people")); i++) {
            const json_t *row = json_array_get(json_object_get(window, "people"), i);
            assert_string_equal(driver_read_text(row, "name"), sorted[from + i]);
        }
    }
}

static void the_list_stays_sorted_while_people_come_and_go(void **state)
{
    struct driver *driver = *state;
    bool is_in[CROWD_MAX] = {false};
    bool has_account[CROWD_MAX] = {false};
    uint32_t random = 20261126;
    driver_sign_up(driver, ADA, "ada");
    for (int step = 0; step < 300; step++) {
        random = random * 1664525 + 1013904223;
        int who = (int)(random >> 16) % ACCOUNTS;
        char name[32];
        (void)snprintf(name, sizeof(name), "%c%d", 'a' + who * 7 % 26, who);
        if (is_in[who]) {
            driver_disconnect(driver, CROWD + who);
        } else if (has_account[who]) {
            driver_sign_in(driver, CROWD + who, name);
        } else {
            driver_sign_up(driver, CROWD + who, name);
            has_account[who] = true;
        }
        is_in[who] = !is_in[who];
        if (step % 10 == 0) {
            expect_sorted_list(driver, is_in);
        }
    }
}

TEST_GROUP(windows)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nobody_is_told_of_the_lobby_without_asking, set_up_windows,
                                        driver_teardown),
        cmocka_unit_test_setup_teardown(a_window_has_the_wanted_rows_and_the_length_of_the_list,
                                        set_up_windows, driver_teardown),
        cmocka_unit_test_setup_teardown(
            friends_stand_first_and_a_window_finds_the_row_at_which_it_stays, set_up_windows,
            driver_teardown),
        cmocka_unit_test_setup_teardown(
            a_change_outside_the_window_sends_only_the_length_of_the_list, set_up_windows,
            driver_teardown),
        cmocka_unit_test_setup_teardown(in_a_crowd_the_length_of_a_list_alone_is_told_less_often,
                                        set_up_windows, driver_teardown),
        cmocka_unit_test_setup_teardown(the_pace_of_changes_slows_down_when_many_look_at_the_lobby,
                                        set_up_windows, driver_teardown),
        cmocka_unit_test_setup_teardown(
            a_rebuilt_house_counts_only_those_who_look_at_the_lobby_again, set_up_windows,
            driver_teardown),
        cmocka_unit_test_setup_teardown(tables_are_sorted_with_the_persons_own_ones_first,
                                        set_up_windows, driver_teardown),
        cmocka_unit_test_setup_teardown(
            an_open_table_that_does_not_admit_a_person_is_not_listed_for_them, set_up_windows,
            driver_teardown),
        cmocka_unit_test_setup_teardown(a_wrong_query_is_refused, set_up_windows, driver_teardown),
        cmocka_unit_test_setup_teardown(the_list_stays_sorted_while_people_come_and_go,
                                        set_up_windows, driver_teardown),
    };
    return cmocka_run_group_tests_name("windows", tests, NULL, NULL);
}
