#include "tests/lobby/house_driver.h"

#include "lobby/accounts/accounts.h"
#include "lobby/house/house_state.h"
#include "storage/accounts/accounts.h"
#include "storage/house/house.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

#define KEY "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:abc'}"

static void say_hello(struct driver *driver, int64_t conn)
{
    driver_connect_session(driver, conn);
}

static void the_answer_to_hello_names_the_connections_phase(void **state)
{
    struct driver *driver = *state;
    say_hello(driver, ADA);
    const json_t *welcome = driver_newest_message(driver, ADA, "welcome");
    assert_string_equal(driver_read_text(welcome, "phase"), "door");
    assert_string_equal(driver_read_text(welcome, "house"), "Test");
    assert_int_equal(driver_read_number(welcome, "conn"), ADA);
    assert_true(json_is_null(json_object_get(welcome, "you")));
}

static void whoever_says_another_protocol_number_is_told_which_one_is_spoken(void **state)
{
    struct driver *driver = *state;
    static const char *const others[] = {"0", "1", "2", "4", "'3'", "null"};
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        driver_connect(driver, ADA, PEER_SESSION);
        assert_int_equal(driver_send(driver, ADA, "{'t':'hello','protocol':%s}", others[i]),
                         HOUSE_OK);
        assert_string_equal(
            driver_read_text(driver_newest_message(driver, ADA, "bye"), "why"),
            "This house speaks protocol 3 and no other: please update your program.");
        assert_null(driver_newest_message(driver, ADA, "welcome"));
        driver_disconnect(driver, ADA);
    }
}

static void
a_malformed_message_or_one_that_the_phase_does_not_allow_ends_the_connection(void **state)
{
    struct driver *driver = *state;
    static const char *const bad[] = {
        "",
        "nonsense",
        "[]",
        "{}",
        "{'t':7}",
        "{'t':'fly','id':1}",
        "{'t':'hello','t':'hello'}",
        "{'t':'say','id':1,'to':'lobby','kind':'say','text':'x'}",
        "{'t':'sign_up','id':1,'name':'ada'}",
        "{'t':'name_check','id':1,'name':'ada'}",
        "{'t':'hashed','job':1,'hash':'x'}",
        "{'t':'bot_move'}",
        "{'t':'connections_end'}",
        "{'t':'sign_in','method':'guest'}",
        "{'t':'sign_in','method':'guest','id':0}",
        "{'t':'sign_in','method':'guest','id':'1'}",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        say_hello(driver, ADA);
        assert_int_equal(driver_send(driver, ADA, "%s", bad[i]), HOUSE_END_CONNECTION);
        driver_disconnect(driver, ADA);
    }
    driver_connect(driver, ADA, PEER_SESSION);
    assert_int_equal(driver_send(driver, ADA, "{'t':'sign_in','method':'guest','id':1}"),
                     HOUSE_END_CONNECTION);
    assert_int_equal(house_receive(driver->house, driver->now_ms, 60, "{}", 2),
                     HOUSE_END_CONNECTION);
}

static void a_person_can_sign_up_and_later_sign_in_with_an_ssh_key(void **state)
{
    struct driver *driver = *state;
    say_hello(driver, ADA);
    const json_t *answer = driver_ok(driver, ADA, "{'t':'key_check','name':'ada'," KEY "}");
    assert_string_equal(driver_read_text(answer, "result"), "new");
    answer = driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    assert_string_equal(driver_read_text(answer, "result"), "visitor");
    assert_string_equal(driver_read_text(answer, "name"), "ada");
    driver_ok(driver, ADA, "{'t':'name_check','name':'ada'}");
    answer = driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    const json_t *you = json_object_get(answer, "you");
    assert_string_equal(driver_read_text(you, "name"), "ada");
    assert_true(json_is_true(json_object_get(you, "is_new")));
    assert_true(json_is_false(json_object_get(you, "has_password")));

    say_hello(driver, BOB);
    answer = driver_ok(driver, BOB, "{'t':'key_check','name':'whoever'," KEY "}");
    assert_string_equal(driver_read_text(answer, "result"), "known");
    assert_string_equal(driver_read_text(answer, "name"), "ada");
    answer = driver_ok(driver, BOB, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    assert_string_equal(driver_read_text(answer, "result"), "in");
    assert_true(json_is_false(json_object_get(json_object_get(answer, "you"), "is_new")));
}

static void a_key_does_not_sign_in_to_another_account(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    say_hello(driver, EVE);
    assert_null(driver_request(driver, EVE, "{'t':'sign_in','method':'key','name':'ada'," KEY "}"));
    driver_pass_time(driver, driver->config.door_denial_ms - 1);
    assert_null(driver_newest_message(driver, EVE, "no"));
    driver_pass_time(driver, 1);
    assert_string_equal(driver_read_text(driver_newest_message(driver, EVE, "no"), "code"),
                        "denied");
}

static void two_unregistered_people_with_one_key_create_only_one_account(void **state)
{
    struct driver *driver = *state;
    for (int64_t conn = ADA; conn <= BOB; conn++) {
        say_hello(driver, conn);
        driver_ok(driver, conn, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    }
    driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    driver_no(driver, BOB, "key_taken", "{'t':'sign_up','name':'bob'}");
    driver_no(driver, BOB, "name_taken", "{'t':'sign_up','name':'ada'}");
}

static void a_right_password_signs_in_and_a_wrong_one_is_answered_late(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_in(driver, BOB, "ada");
    assert_string_equal(
        driver_read_text(json_object_get(driver_newest_message(driver, BOB, "ok"), "you"), "name"),
        "ada");
    say_hello(driver, EVE);
    static const char *const names[] = {"ada", "nobody"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        driver_clear_inbox(driver, EVE);
        assert_null(driver_request(driver, EVE,
                                   "{'t':'sign_in','method':'password','name':'%s',"
                                   "'password':'not the right one'}",
                                   names[i]));
        driver_pass_time(driver, driver->config.door_denial_ms - 1);
        assert_null(driver_newest_message(driver, EVE, "no"));
        driver_pass_time(driver, 1);
        assert_string_equal(driver_read_text(driver_newest_message(driver, EVE, "no"), "code"),
                            "denied");
        const json_t *wait = driver_no(driver, EVE, "wait",
                                       "{'t':'sign_in','method':'password','name':'%s',"
                                       "'password':'password of %s'}",
                                       names[i], names[i]);
        assert_int_equal(driver_read_number(wait, "wait_s"), 1);
    }
    driver_pass_time(driver, 1000);
    driver_ok(driver, EVE,
              "{'t':'sign_in','method':'password','name':'ada','password':'password of ada'}");
}

#define COMPOSED "gr\u00fcne \u00c4pfel"
#define DECOMPOSED "gru\u0308ne A\u0308pfel"
#define SIGN_IN "{'t':'sign_in','method':'password','name':'ada','password':'%s'}"

static void expect_password_hash(struct driver *driver, const char *hash)
{
    struct storage_account account;
    assert_int_equal(storage_account_by_name(driver->storage, "ada", &account), STORAGE_OK);
    assert_string_equal(account.password_hash, hash);
}

static void a_password_is_the_same_however_its_accents_are_typed(void **state)
{
    struct driver *driver = *state;
    static const char *const forms[] = {COMPOSED, DECOMPOSED};
    int64_t conn = BOB;
    driver_sign_up(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'password_set','old':'password of ada','password':'%s'}",
              DECOMPOSED);
    expect_password_hash(driver, "hash of " COMPOSED);
    for (size_t typed = 0; typed < ARRAY_LEN(forms); typed++) {
        say_hello(driver, conn);
        driver_ok(driver, conn, SIGN_IN, forms[typed]);
        driver_ok(driver, conn, "{'t':'step_up','password':'%s'}", forms[1 - typed]);
        driver_disconnect(driver, conn++);
    }
}

static void a_long_password_may_be_longer_when_its_accents_are_typed_apart(void **state)
{
    struct driver *driver = *state;
    char composed[LIMIT_PASSWORD_BYTES] = "";
    char decomposed[LIMIT_PASSWORD_BYTES + 2] = "";
    while (strlen(decomposed) <= LIMIT_PASSWORD_BYTES) {
        strcat(composed, "\u00fc");
        strcat(decomposed, "u\u0308");
    }
    driver_sign_up(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'password_set','old':'password of ada','password':'%s'}",
              decomposed);
    say_hello(driver, BOB);
    driver_ok(driver, BOB, SIGN_IN, composed);
    say_hello(driver, EVE);
    driver_ok(driver, EVE, SIGN_IN, decomposed);
    driver_no(driver, ADA, "password_bad", "{'t':'password_set','old':'%s','password':'%s%s'}",
              composed, composed, composed);
}

static void the_delay_after_wrong_passwords_doubles_up_to_five_minutes(void **state)
{
    struct driver *driver = *state;
    say_hello(driver, EVE);
    int64_t wanted = 1;
    for (int i = 0; i < 12; i++) {
        assert_null(driver_request(
            driver, EVE, "{'t':'sign_in','method':'password','name':'x','password':'wrong'}"));
        const json_t *wait =
            driver_no(driver, EVE, "wait",
                      "{'t':'sign_in','method':'password','name':'x','password':'wrong'}");
        assert_int_equal(driver_read_number(wait, "wait_s"), wanted);
        driver_pass_time(driver, 1000 * wanted);
        wanted = 2 * wanted > 300 ? 300 : 2 * wanted;
    }
}

static void a_restart_does_not_shorten_the_delay_after_wrong_passwords(void **state)
{
    struct driver *driver = *state;
    say_hello(driver, EVE);
    for (int i = 0; i < 4; i++) {
        assert_null(driver_request(
            driver, EVE, "{'t':'sign_in','method':'password','name':'x','password':'wrong'}"));
        driver_pass_time(driver, 1000 * (INT64_C(1) << i) - (i == 3 ? 2000 : 0));
    }
    driver_restart_core(driver);
    say_hello(driver, EVE);
    const json_t *wait = driver_no(
        driver, EVE, "wait", "{'t':'sign_in','method':'password','name':'x','password':'wrong'}");
    assert_int_equal(driver_read_number(wait, "wait_s"), 2);
    driver_pass_time(driver, 2000);
    assert_null(driver_request(
        driver, EVE, "{'t':'sign_in','method':'password','name':'x','password':'wrong'}"));
    wait = driver_no(driver, EVE, "wait",
                     "{'t':'sign_in','method':'password','name':'x','password':'wrong'}");
    assert_int_equal(driver_read_number(wait, "wait_s"), 16);
}

#define GUESSES 20

/* Somebody who knows the name guesses from an address of their own. A guess is always waiting: the
 * next one comes as soon as it may. */
static void guess_passwords_of_ada(struct driver *driver, const char *address)
{
    driver_connect_session_from(driver, EVE, address, "ssh");
    for (int i = 0; i < GUESSES; i++) {
        (void)driver_request(driver, EVE, SIGN_IN, "wrong");
        const json_t *wait = driver_no(driver, EVE, "wait", SIGN_IN, "wrong");
        driver_pass_time(driver, 1000 * driver_read_number(wait, "wait_s"));
    }
    (void)driver_request(driver, EVE, SIGN_IN, "wrong");
}

static void wrong_passwords_of_strangers_do_not_lock_the_owner_out(void **state)
{
    struct driver *driver = *state;
    driver_sign_up_from(driver, ADA, "ada", "192.0.2.1");
    driver_disconnect(driver, ADA);
    guess_passwords_of_ada(driver, "203.0.113.9");
    driver_connect_session_from(driver, ADA, "192.0.2.1", "ssh");
    (void)driver_no(driver, EVE, "wait", SIGN_IN, "password of ada");
    driver_ok(driver, ADA, SIGN_IN, "password of ada");
    const json_t *notice = driver_newest_message(driver, ADA, "notice");
    assert_string_equal(driver_read_text(notice, "text"),
                        "21 wrong passwords were typed for your name since your last sign-in.");
    driver_disconnect(driver, ADA);
    driver_clear_inbox(driver, ADA);
    driver_connect_session_from(driver, ADA, "192.0.2.1", "ssh");
    driver_ok(driver, ADA, SIGN_IN, "password of ada");
    assert_null(driver_newest_message(driver, ADA, "notice"));
}

static void a_source_known_to_the_account_waits_after_its_own_wrong_passwords(void **state)
{
    struct driver *driver = *state;
    driver_sign_up_from(driver, ADA, "ada", "2001:db8::1");
    driver_disconnect(driver, ADA);
    guess_passwords_of_ada(driver, "2001:db8::2"); /* the same source: both are in one household */
    driver_connect_session_from(driver, ADA, "2001:db8::1", "ssh");
    const json_t *wait = driver_no(driver, ADA, "wait", SIGN_IN, "password of ada");
    assert_int_equal(driver_read_number(wait, "wait_s"), 300);
    driver_pass_time(driver, 300000);
    driver_ok(driver, ADA, SIGN_IN, "password of ada");
    assert_null(driver_newest_message(driver, ADA, "notice"));
}

static void a_recovery_code_signs_in_while_strangers_guess_passwords(void **state)
{
    struct driver *driver = *state;
    driver_sign_up_from(driver, ADA, "ada", "192.0.2.1");
    char code[64];
    (void)snprintf(
        code, sizeof(code), "%s",
        driver_read_text(json_object_get(driver_newest_message(driver, ADA, "ok"), "you"),
                         "recovery"));
    driver_disconnect(driver, ADA);
    guess_passwords_of_ada(driver, "203.0.113.9");
    driver_connect_session_from(driver, ADA, "198.51.100.7", "ssh");
    (void)driver_no(driver, ADA, "wait", SIGN_IN, "password of ada");
    driver_ok(driver, ADA, SIGN_IN, code);
}

static void password_checks_beyond_the_limit_of_the_queue_are_refused_as_busy(void **state)
{
    struct driver *driver = *state;
    driver->has_workers = false;
    for (int i = 0; i <= (int)driver->config.limits_password_queue; i++) {
        say_hello(driver, EVE + i);
        assert_null(driver_request(
            driver, EVE + i, "{'t':'sign_in','method':'password','name':'n%d','password':'wrong'}",
            i));
    }
    say_hello(driver, EVE + (int)driver->config.limits_password_queue + 1);
    driver_no(driver, EVE + (int)driver->config.limits_password_queue + 1, "busy",
              "{'t':'sign_in','method':'password','name':'last','password':'wrong'}");
    assert_int_equal(driver_count_messages(driver, DRIVER_AUTH, "check"), 1);
}

static void the_job_of_a_worker_that_died_is_given_to_another_worker(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver->has_workers = false;
    say_hello(driver, BOB);
    assert_null(driver_request(
        driver, BOB,
        "{'t':'sign_in','method':'password','name':'ada','password':'password of ada'}"));
    driver_disconnect(driver, DRIVER_AUTH);
    driver->has_workers = true;
    driver_connect(driver, DRIVER_AUTH, PEER_AUTH);
    assert_int_equal(driver_send(driver, DRIVER_AUTH, "{'t':'hello','protocol':3}"), HOUSE_OK);
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "ok"), "result"), "in");
}

static void names_of_guests_are_never_used_again(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, ADA);
    const json_t *you = json_object_get(driver_newest_message(driver, ADA, "ok"), "you");
    assert_string_equal(driver_read_text(you, "name"), "guest-1");
    assert_string_equal(driver_read_text(you, "kind"), "guest");
    driver_disconnect(driver, ADA);
    driver_enter_as_guest(driver, BOB);
    you = json_object_get(driver_newest_message(driver, BOB, "ok"), "you");
    assert_string_equal(driver_read_text(you, "name"), "guest-2");
    driver_no(driver, BOB, "guest", "{'t':'password_set','password':'long enough'}");
}

static void a_fourth_connection_of_one_account_is_refused(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_in(driver, ADA + 1, "ada");
    driver_sign_in(driver, ADA + 2, "ada");
    say_hello(driver, ADA + 3);
    driver_no(driver, ADA + 3, "sessions",
              "{'t':'sign_in','method':'password','name':'ada','password':'password of ada'}");
    driver_disconnect(driver, ADA);
    driver_ok(driver, ADA + 3,
              "{'t':'sign_in','method':'password','name':'ada','password':'password of ada'}");
}

static void invalid_names_are_refused_with_a_reason(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    say_hello(driver, EVE);
    const json_t *answer =
        driver_ok(driver, EVE, "{'t':'sign_in','method':'password','name':'ada','password':''}");
    assert_string_equal(driver_read_text(answer, "name"), "ada2");
    driver_no(driver, EVE, "name_bad", "{'t':'name_check','name':'A'}");
    driver_no(driver, EVE, "name_bad", "{'t':'name_check'}");
    driver_no(driver, EVE, "name_reserved", "{'t':'name_check','name':'root'}");
    driver_no(driver, EVE, "name_taken", "{'t':'name_check','name':'ada'}");
    driver_no(driver, EVE, "password_bad", "{'t':'sign_up','name':'eve'}");
    driver_no(driver, EVE, "password_bad", "{'t':'sign_up','name':'eve','password':'short'}");
    driver_no(driver, EVE, "password_bad", "{'t':'sign_up','name':'eve','password':7}");
    driver_no(driver, EVE, "name_bad", "{'t':'sign_up','password':'long enough'}");
}

static void registration_is_refused_while_closed_or_beyond_the_limit_per_address(void **state)
{
    struct driver *driver = *state;
    driver_connect_session_from(driver, EVE, "203.0.113.7", "ssh");
    driver_ok(driver, EVE, "{'t':'sign_in','method':'password','name':'eve','password':''}");
    assert_int_equal(storage_meta_set(driver->storage, "registration", "closed"), STORAGE_OK);
    driver_no(driver, EVE, "closed", "{'t':'sign_up','name':'eve','password':'long enough'}");
    assert_int_equal(storage_meta_set(driver->storage, "registration", "open"), STORAGE_OK);
    driver_ok(driver, EVE, "{'t':'sign_up','name':'eve','password':'long enough'}");
    for (int64_t conn = EVE + 1; conn <= EVE + (int)driver->config.limits_registrations; conn++) {
        driver_connect_session_from(driver, conn, "203.0.113.7", "ssh");
        driver_ok(driver, conn, "{'t':'sign_in','method':'password','name':'x','password':''}");
        const char *code = conn < EVE + (int)driver->config.limits_registrations ? NULL : "closed";
        driver_expect(driver,
                      driver_request(driver, conn,
                                     "{'t':'sign_up','name':'eve%d','password':'long enough'}",
                                     (int)conn),
                      code, __FILE__, __LINE__);
    }
}

static void limits_count_all_addresses_of_a_64_bit_ipv6_network_as_one_source(void **state)
{
    struct driver *driver = *state;
    for (int64_t conn = EVE; conn <= EVE + (int)driver->config.limits_registrations; conn++) {
        char address[32];
        (void)snprintf(address, sizeof(address), "2001:db8:1:2::%d", (int)conn);
        driver_connect_session_from(driver, conn, address, "ssh");
        driver_ok(driver, conn, "{'t':'sign_in','method':'password','name':'x','password':''}");
        driver_expect(driver,
                      driver_request(driver, conn,
                                     "{'t':'sign_up','name':'eve%d','password':'long enough'}",
                                     (int)conn),
                      conn < EVE + (int)driver->config.limits_registrations ? NULL : "closed",
                      __FILE__, __LINE__);
    }
    driver_restart_core(driver);
    driver_connect_from(driver, EVE + (int)driver->config.limits_registrations, "2001:db8:1:2::1",
                        "ssh");
    (void)driver_send(driver, EVE + (int)driver->config.limits_registrations,
                      "{'t':'hello','protocol':3}");
    driver_no(driver, EVE + (int)driver->config.limits_registrations, "closed",
              "{'t':'sign_up','name':'early','password':'long enough'}");
    driver_pass_time(driver, LIMIT_REGISTRATIONS_MS);
    driver_ok(driver, EVE + (int)driver->config.limits_registrations,
              "{'t':'sign_up','name':'late','password':'long enough'}");
}

static void settings_and_passwords_are_stored_with_the_account(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'settings_set','settings':{'theme':'mono','bell':false,'x':1}}");
    driver_no(driver, ADA, "bad", "{'t':'settings_set','settings':{'theme':'pink'}}");
    driver_no(driver, ADA, "bad", "{'t':'settings_set'}");
    driver_no(driver, ADA, "password_bad", "{'t':'password_set','password':'short'}");
    driver_no(driver, ADA, "denied",
              "{'t':'password_set','password':'a new password','old':'wrong'}");
    driver_pass_time(driver, 1000);
    driver_ok(driver, ADA,
              "{'t':'password_set','password':'a new password','old':'password of ada'}");
    driver_disconnect(driver, ADA);
    say_hello(driver, BOB);
    const json_t *answer =
        driver_ok(driver, BOB,
                  "{'t':'sign_in','method':'password','name':'ada','password':'a new password'}");
    const json_t *settings = json_object_get(json_object_get(answer, "you"), "settings");
    assert_string_equal(driver_read_text(settings, "theme"), "mono");
    assert_true(json_is_false(json_object_get(settings, "bell")));
    assert_null(json_object_get(settings, "x"));
}

/* Signs up from one of the /64 networks within a /48 network. `refusal_code`: the expected refusal;
 * NULL: none. */
static void sign_up_from_ipv6_network(struct driver *driver, int net, int subnet,
                                      const char *refusal_code)
{
    char address[48];
    int64_t conn = EVE + 1;
    (void)snprintf(address, sizeof(address), "2001:db8:%d:%d::1", net, subnet);
    driver_connect_session_from(driver, conn, address, "ssh");
    driver_ok(driver, conn, "{'t':'sign_in','method':'password','name':'new','password':''}");
    driver_expect(driver,
                  driver_request(driver, conn,
                                 "{'t':'sign_up','name':'n%d-%d','password':'long enough'}", net,
                                 subnet),
                  refusal_code, __FILE__, __LINE__);
    driver_disconnect(driver, conn);
}

static void
a_48_bit_ipv6_network_may_create_four_times_as_many_accounts_as_a_64_bit_one(void **state)
{
    struct driver *driver = *state;
    const int most = REGISTRATION_NET_SHARES * (int)driver->config.limits_registrations;
    for (int n = 1; n <= most; n++) {
        sign_up_from_ipv6_network(driver, 1, n, NULL);
    }
    sign_up_from_ipv6_network(driver, 1, most + 1, "closed");
    sign_up_from_ipv6_network(driver, 2, 1, NULL);
    driver_pass_time(driver, LIMIT_REGISTRATIONS_MS);
    sign_up_from_ipv6_network(driver, 1, most + 1, NULL);
}

TEST_GROUP(sign_in)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(the_answer_to_hello_names_the_connections_phase),
        DRIVER_TEST(whoever_says_another_protocol_number_is_told_which_one_is_spoken),
        DRIVER_TEST(a_malformed_message_or_one_that_the_phase_does_not_allow_ends_the_connection),
        DRIVER_TEST(a_person_can_sign_up_and_later_sign_in_with_an_ssh_key),
        DRIVER_TEST(a_key_does_not_sign_in_to_another_account),
        DRIVER_TEST(two_unregistered_people_with_one_key_create_only_one_account),
        DRIVER_TEST(a_right_password_signs_in_and_a_wrong_one_is_answered_late),
        DRIVER_TEST(a_password_is_the_same_however_its_accents_are_typed),
        DRIVER_TEST(a_long_password_may_be_longer_when_its_accents_are_typed_apart),
        DRIVER_TEST(the_delay_after_wrong_passwords_doubles_up_to_five_minutes),
        DRIVER_TEST(wrong_passwords_of_strangers_do_not_lock_the_owner_out),
        DRIVER_TEST(a_source_known_to_the_account_waits_after_its_own_wrong_passwords),
        DRIVER_TEST(a_recovery_code_signs_in_while_strangers_guess_passwords),
        DRIVER_TEST(a_restart_does_not_shorten_the_delay_after_wrong_passwords),
        DRIVER_TEST(password_checks_beyond_the_limit_of_the_queue_are_refused_as_busy),
        DRIVER_TEST(the_job_of_a_worker_that_died_is_given_to_another_worker),
        DRIVER_TEST(names_of_guests_are_never_used_again),
        DRIVER_TEST(a_fourth_connection_of_one_account_is_refused),
        DRIVER_TEST(invalid_names_are_refused_with_a_reason),
        DRIVER_TEST(registration_is_refused_while_closed_or_beyond_the_limit_per_address),
        DRIVER_TEST(a_48_bit_ipv6_network_may_create_four_times_as_many_accounts_as_a_64_bit_one),
        DRIVER_TEST(limits_count_all_addresses_of_a_64_bit_ipv6_network_as_one_source),
        DRIVER_TEST(settings_and_passwords_are_stored_with_the_account),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
