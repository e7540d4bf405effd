#include "tests/e2e/guests.h"
#include "tests/unit.h"

#include <stdbool.h>

#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

/* Processes of the house are killed while people use them; nobody loses the connection. */

#define LOOK_AGAIN_MS 5

static bool can_connect(const struct house_fixture *house)
{
    int client = house_connect_socket(house->port, 1);
    if (client >= 0) {
        close(client);
    }
    return client >= 0;
}

static void people_can_chat_on_after_the_core_is_killed(void **state)
{
    struct terminal *ada = guests_connect(*state);
    struct terminal *bob = guests_connect(*state);
    guests_chat(ada, bob, "said to the first core");
    for (int i = 0; i < 3; i++) {
        const char *const words[] = {"to the second", "to the third", "to the fourth"};
        long killed_ms = terminal_now_ms();
        house_kill_process(*state, "core");
        guests_chat(bob, ada, words[i]);
        long back_ms = terminal_now_ms() - killed_ms;
        print_message("a new chat line appeared %ld ms after the kill\n", back_ms);
    }
    assert_true(terminal_shows(ada, "said to the first core"));
    terminal_free(ada);
    terminal_free(bob);
}

static int open_house_with_short_patience(void **state)
{
    static struct house_fixture house;
    house_open_with_settings(&house, "[limits]\ncore_silence_s = 1\n");
    *state = &house;
    return 0;
}

/* A process that was stopped hangs as far as anybody can tell. */
static void a_core_that_hangs_is_replaced(void **state)
{
    const struct house_fixture *house = *state;
    struct terminal *ada = guests_connect(house);
    struct terminal *bob = guests_connect(house);
    guests_chat(ada, bob, "said to the first core");
    kill(house_find_process(house, "core"), SIGSTOP);
    guests_chat(bob, ada, "said to the second");
    house_wait_for_log_lines(house, "event=hangs process=core", 1); /* again until it has died */
    house_expect_log_lines(house, "event=died process=core", 1);
    assert_true(terminal_shows(ada, "said to the first core"));
    terminal_free(ada);
    terminal_free(bob);
}

static void a_core_that_hangs_does_not_stop_a_reload(void **state)
{
    const struct house_fixture *house = *state;
    struct terminal *ada = guests_connect(house);
    struct terminal *bob = guests_connect(house);
    kill(house_find_process(house, "core"), SIGSTOP);
    kill(house->pid, SIGUSR1); /* the supervisor executes its program, and wants a new core */
    guests_chat(ada, bob, "said to the reloaded core");
    house_expect_log_lines(house, "event=reloaded", 1);
    house_wait_for_log_lines(house, "event=hangs process=core", 1); /* again until it has died */
    terminal_free(ada);
    terminal_free(bob);
}

static void people_stay_and_others_can_connect_when_the_gate_is_killed(void **state)
{
    const struct house_fixture *house = *state;
    struct terminal *ada = guests_connect(house);
    house_kill_process(house, "gate");
    long deadline_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (!can_connect(house)) {
        assert_true(terminal_now_ms() < deadline_ms);
        poll(NULL, 0, LOOK_AGAIN_MS);
    }
    struct terminal *bob = guests_connect(house);
    guests_chat(ada, bob, "I came by the old gate");
    guests_chat(bob, ada, "I came by the new one");
    terminal_free(ada);
    terminal_free(bob);
}

static void passwords_are_checked_even_after_the_workers_are_killed(void **state)
{
    const struct connect_setup as_bob = {.user = "bob"};
    struct terminal *bob = house_connect_by_ssh(*state, &as_bob);
    terminal_expect(bob, "Password:");
    house_kill_process(*state, "auth");
    terminal_type(bob, "not the password\r");
    terminal_expect_gone(bob, "not the password");
    terminal_expect(bob, "Password:");
    terminal_free(bob);
}

/* Makes a write of the house fail as no full disk does, so that it kills the core. */
static void make_write_fatal(struct house_fixture *house, const char *table, const char *when)
{
    char path[128];
    char trigger[512];
    sqlite3 *db;
    house_stop(house);
    snprintf(path, sizeof path, "%s/data/house.db", house->folder);
    snprintf(trigger, sizeof trigger,
             "CREATE TRIGGER fatal BEFORE INSERT ON %s WHEN %s"
             " BEGIN SELECT abs(-9223372036854775807 - 1); END",
             table, when);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, trigger, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    house_start(house, NULL);
}

static void a_request_that_kills_two_cores_is_refused_by_the_third(void **state)
{
    struct house_fixture *house = *state;
    make_write_fatal(house, "chat", "NEW.text = 'fatal'");
    struct terminal *ada = guests_connect(house);
    struct terminal *bob = guests_connect(house);
    terminal_type(ada, "c");
    terminal_type_line(ada, "fatal");
    terminal_expect(ada, "The house failed twice at that");
    terminal_type(ada, "\x1b");
    house_expect_log_lines(house, "event=fatal type=say", 1);
    guests_chat(bob, ada, "said afterwards");
    guests_chat(ada, bob, "heard");
    house_expect_log_lines(house, "event=died process=core", 2);
    terminal_free(ada);
    terminal_free(bob);
}

static void a_sign_in_that_kills_two_cores_ends_its_connection(void **state)
{
    static const struct connect_setup as_guest = {.user = "guest"};
    struct house_fixture *house = *state;
    make_write_fatal(house, "guests", "true");
    struct terminal *ada = house_connect_by_ssh(house, &as_guest);
    (void)terminal_wait_for_end(ada);
    house_expect_log_lines(house, "event=fatal type=sign_in", 1);
    house_expect_log_lines(house, "event=died process=core", 2);
    assert_int_equal(house_run_command(house, "status"), 0);
    terminal_free(ada);
}

/* More often than after how many deaths by signals the house gives up. */
#define GATE_STARTS 9

static void a_house_whose_gate_cannot_start_stays_and_says_so(void **state)
{
    struct house_fixture *house = *state;
    char key[128];
    char kept[136];
    struct terminal *ada = guests_connect(house);
    snprintf(key, sizeof key, "%s/data/ssh_host_ed25519_key", house->folder);
    snprintf(kept, sizeof kept, "%s.kept", key);
    assert_int_equal(rename(key, kept), 0);
    house_kill_process(house, "gate");
    house_wait_for_log_lines(house, "event=died process=gate", GATE_STARTS);
    assert_int_equal(house_run_command(house, "status"), 3);
    assert_int_equal(rename(kept, key), 0);
    long deadline_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (!can_connect(house)) {
        assert_true(terminal_now_ms() < deadline_ms);
        poll(NULL, 0, LOOK_AGAIN_MS);
    }
    struct terminal *bob = guests_connect(house);
    guests_chat(bob, ada, "I came by the new gate");
    assert_int_equal(house_run_command(house, "status"), 0);
    terminal_free(ada);
    terminal_free(bob);
}

TEST_GROUP(killed)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(people_can_chat_on_after_the_core_is_killed, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(a_core_that_hangs_is_replaced,
                                        open_house_with_short_patience, house_tear_down),
        cmocka_unit_test_setup_teardown(a_core_that_hangs_does_not_stop_a_reload,
                                        open_house_with_short_patience, house_tear_down),
        cmocka_unit_test_setup_teardown(people_stay_and_others_can_connect_when_the_gate_is_killed,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(a_request_that_kills_two_cores_is_refused_by_the_third,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(a_sign_in_that_kills_two_cores_ends_its_connection,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(a_house_whose_gate_cannot_start_stays_and_says_so,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(passwords_are_checked_even_after_the_workers_are_killed,
                                        house_set_up, house_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
