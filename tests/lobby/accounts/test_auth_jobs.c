#include "lobby/house/house_state.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Tests which connections may give the password workers a job, how many jobs are done at once, and
 * in which order. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)
#define GUESS "{'t':'sign_in','method':'password','name':'%s','password':'guess %d of many'}"
#define SIGN_UP "{'t':'sign_up','name':'%s','password':'long enough'}"
#define CHANGE "{'t':'password_set','old':'%s','password':'another long one'}"

static void connect_from(struct driver *driver, int64_t conn, const char *address)
{
    driver_connect_session_from(driver, conn, address, "ssh");
}

/* Connects from an address that no other connection has. */
static void connect_from_unused_address(struct driver *driver, int64_t conn)
{
    char address[32];
    (void)snprintf(address, sizeof(address), "203.0.113.%" PRId64, conn);
    connect_from(driver, conn, address);
}

static void connect_without_account(struct driver *driver, int64_t conn)
{
    connect_from_unused_address(driver, conn);
    driver_ok(driver, conn, "{'t':'sign_in','method':'password','name':'x','password':''}");
}

/* Counts the jobs that the workers were given so far. */
static size_t count_password_jobs(const struct driver *driver)
{
    return driver_count_messages(driver, DRIVER_AUTH, "check") +
           driver_count_messages(driver, DRIVER_AUTH, "hash") +
           driver_count_messages(driver, DRIVER_AUTH, "totp");
}

/* Connects so many password workers that all jobs are done at the same time. */
static void connect_password_workers(struct driver *driver, int64_t first_conn,
                                     int64_t worker_count)
{
    for (int64_t conn = first_conn; conn < first_conn + worker_count; conn++) {
        driver_connect(driver, conn, PEER_AUTH);
        assert_int_equal(driver_send(driver, conn, "{'t':'hello','protocol':3}"), HOUSE_OK);
    }
}

static void only_one_of_simultaneous_password_guesses_for_one_name_is_checked(void **state)
{
    struct driver *driver = *state;
    static const char *const names[] = {"ada", "nobody"};
    driver_sign_up(driver, ADA, "ada");
    driver->has_workers = false;
    connect_password_workers(driver, 40, 20);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        int64_t first = EVE + 12 * (int64_t)i;
        size_t before = count_password_jobs(driver);
        connect_from_unused_address(driver, first);
        assert_null(driver_request(driver, first, GUESS, names[i], 0));
        for (int64_t conn = first + 1; conn < first + 12; conn++) {
            connect_from_unused_address(driver, conn);
            driver_no(driver, conn, "busy", GUESS, names[i], (int)conn);
        }
        size_t given = count_password_jobs(driver) - before;
        for (int64_t worker = 40; worker < 60; worker++) {
            given += driver_count_messages(driver, worker, "check");
            driver_clear_inbox(driver, worker);
        }
        assert_int_equal(given, 1);
    }
}

static void only_one_of_simultaneous_wrong_old_passwords_is_checked_and_the_next_waits(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_in(driver, BOB, "ada");
    driver->has_workers = false;
    assert_null(driver_request(driver, ADA, CHANGE, "wrong"));
    for (int i = 0; i < 8; i++) {
        driver_no(driver, ADA, "busy", CHANGE, "wrong");
        driver_no(driver, BOB, "busy", CHANGE, "wrong");
    }
    int64_t job = driver_read_number(driver_newest_message(driver, DRIVER_AUTH, "check"), "job");
    (void)driver_send(driver, DRIVER_AUTH, "{'t':'checked','job':%" PRId64 ",'is_right':false}",
                      job);
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "no"), "code"),
                        "denied");
    driver->has_workers = true;
    driver_pass_time(driver, 900);
    driver_no(driver, ADA, "wait", CHANGE, "password of ada");
    driver_no(driver, BOB, "wait", "{'t':'step_up','password':'password of ada'}");
    driver_pass_time(driver, 100);
    driver_ok(driver, ADA, CHANGE, "password of ada");
}

static void password_guesses_at_sign_in_do_not_block_a_password_change(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    connect_from_unused_address(driver, EVE);
    assert_null(driver_request(driver, EVE, GUESS, "ada", 1));
    driver->has_workers = false;
    driver_pass_time(driver, 1000);
    assert_null(driver_request(driver, EVE, GUESS, "ada", 2));
    connect_password_workers(driver, 40, 1);
    assert_null(driver_request(driver, ADA, CHANGE, "password of ada"));
    assert_int_equal(driver_count_messages(driver, 40, "check"), 1);
}

/* Every request that needs a worker is refused while a worker handles another request of the same
 * connection. */
static void a_connection_has_one_password_job_at_a_time(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver->has_workers = false;
    connect_from_unused_address(driver, EVE);
    assert_null(driver_request(driver, EVE, GUESS, "one", 1));
    driver_no(driver, EVE, "busy", GUESS, "two", 2);
    connect_without_account(driver, BOB);
    assert_null(driver_request(driver, BOB, SIGN_UP, "bob"));
    driver_no(driver, BOB, "busy", SIGN_UP, "bobby");
    assert_null(driver_request(driver, ADA, "{'t':'step_up','password':'password of ada'}"));
    driver_no(driver, ADA, "busy", "{'t':'step_up','password':'password of ada'}");
    driver_no(driver, ADA, "busy", CHANGE, "password of ada");
}

static void a_source_address_has_one_password_job_at_a_time(void **state)
{
    static const char *const neighbours[][2] = {
        {"198.51.100.7", "198.51.100.7"},
        {"::ffff:198.51.100.8", "198.51.100.8"},
        {"2001:db8:1:2::1", "2001:db8:1:2:ffff::2"},
    };
    static const char *const strangers[][2] = {
        {"198.51.100.9", "198.51.100.10"},
        {"2001:db8:1:3::1", "2001:db8:1:4::1"},
        {"127.0.0.1",
         "127.0.0.1"}, /* the house does not limit connections from loopback addresses */
    };
    struct driver *driver = *state;
    driver->has_workers = false;
    int64_t conn = EVE;
    for (size_t i = 0; i < ARRAY_LEN(neighbours); i++, conn += 2) {
        connect_from(driver, conn, neighbours[i][0]);
        connect_from(driver, conn + 1, neighbours[i][1]);
        assert_null(driver_request(driver, conn, GUESS, "first", (int)conn));
        driver_no(driver, conn + 1, "busy",
                  "{'t':'sign_in','method':'password','name':'second',"
                  "'password':'something'}");
        driver_disconnect(driver, conn); /* the first password is still being checked */
        driver_no(driver, conn + 1, "busy",
                  "{'t':'sign_in','method':'password','name':'second',"
                  "'password':'something'}");
        driver_restart_core(driver);
        driver->has_workers = false;
    }
    for (size_t i = 0; i < ARRAY_LEN(strangers); i++, conn += 2) {
        connect_from(driver, conn, strangers[i][0]);
        connect_from(driver, conn + 1, strangers[i][1]);
        assert_null(driver_request(driver, conn,
                                   "{'t':'sign_in','method':'password','name':'a%d',"
                                   "'password':'something'}",
                                   (int)conn));
        assert_null(driver_request(driver, conn + 1,
                                   "{'t':'sign_in','method':'password','name':'b%d',"
                                   "'password':'something'}",
                                   (int)conn));
    }
}

static void all_loopback_connections_count_as_one_source_if_loopback_is_limited(void **state)
{
    struct driver *driver = *state;
    driver->config.door_limit_loopback = true;
    driver_restart_core(driver);
    driver->has_workers = false;
    connect_from(driver, ADA, "127.0.0.1");
    connect_from(driver, BOB, "127.0.0.1");
    assert_null(driver_request(driver, ADA, GUESS, "one", 1));
    driver_no(driver, BOB, "busy", GUESS, "two", 2);
}

static void signing_in_with_a_key_needs_no_password_hashing(void **state)
{
    static const char key[] =
        "{'t':'sign_in','method':'key','name':'x','key':{'type':'ssh-ed25519',"
        "'fingerprint':'SHA256:one'}}";
    struct driver *driver = *state;
    for (int64_t conn = ADA; conn <= BOB; conn++) {
        connect_from_unused_address(driver, conn);
        driver_ok(driver, conn, key);
    }
    driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    driver->has_workers = false;
    driver_no(driver, BOB, "key_taken", SIGN_UP, "bob");
    assert_int_equal(count_password_jobs(driver), 0);
}

static void queued_new_passwords_do_not_delay_sign_ins(void **state)
{
    struct driver *driver = *state;
    driver->has_workers = false;
    for (int64_t conn = EVE; conn < EVE + 8; conn++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "new-%d", (int)conn);
        connect_without_account(driver, conn);
        assert_null(driver_request(driver, conn, SIGN_UP, name));
    }
    connect_from_unused_address(driver, ADA);
    assert_null(driver_request(driver, ADA, GUESS, "ada", 1));
    assert_int_equal(driver_count_messages(driver, DRIVER_AUTH, "hash"), 1);
    int64_t job = driver_read_number(driver_newest_message(driver, DRIVER_AUTH, "hash"), "job");
    (void)driver_send(driver, DRIVER_AUTH, "{'t':'hashed','job':%" PRId64 ",'hash':'x'}", job);
    assert_int_equal(driver_count_messages(driver, DRIVER_AUTH, "check"), 1);
    job = driver_read_number(driver_newest_message(driver, DRIVER_AUTH, "check"), "job");
    (void)driver_send(driver, DRIVER_AUTH, "{'t':'checked','job':%" PRId64 ",'is_right':false}",
                      job);
    assert_int_equal(driver_count_messages(driver, DRIVER_AUTH, "hash"), 2);
}

static void a_full_queue_of_new_passwords_does_not_block_sign_ins(void **state)
{
    struct driver *driver = *state;
    driver->config.limits_password_queue = 2;
    driver_restart_core(driver);
    driver->has_workers = false;
    static const char *const names[] = {"one", "two", "three", "four"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        connect_without_account(driver, EVE + (int64_t)i);
        const json_t *answer = driver_request(driver, EVE + (int64_t)i, SIGN_UP, names[i]);
        assert_true(i == 3 ? strcmp(driver_read_text(answer, "code"), "busy") == 0
                           : answer == NULL);
    }
    connect_from_unused_address(driver, ADA);
    assert_null(driver_request(driver, ADA, GUESS, "ada", 1));
}

TEST_GROUP(auth_jobs)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(only_one_of_simultaneous_password_guesses_for_one_name_is_checked),
        DRIVER_TEST(only_one_of_simultaneous_wrong_old_passwords_is_checked_and_the_next_waits),
        DRIVER_TEST(password_guesses_at_sign_in_do_not_block_a_password_change),
        DRIVER_TEST(a_connection_has_one_password_job_at_a_time),
        DRIVER_TEST(a_source_address_has_one_password_job_at_a_time),
        DRIVER_TEST(all_loopback_connections_count_as_one_source_if_loopback_is_limited),
        DRIVER_TEST(signing_in_with_a_key_needs_no_password_hashing),
        DRIVER_TEST(queued_new_passwords_do_not_delay_sign_ins),
        DRIVER_TEST(a_full_queue_of_new_passwords_does_not_block_sign_ins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
