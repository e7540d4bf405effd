#include "lobby/house/house_state.h"
#include "storage/accounts/accounts.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <string.h>

/* Tests what moderators and admins may do, and how they first confirm their identity. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

#define KEY "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:abc'}"
#define NOTE "{'t':'mod','line':'note bob is kind'}"
#define KEEPER 3
#define OPERATOR 4
#define CONFIRM "{'t':'step_up','password':'password of ada'}"
#define GUESS "{'t':'step_up','password':'not the password'}"

static void set_role(struct driver *driver, const char *name, enum storage_role role)
{
    struct storage_account account;
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    assert_int_equal(storage_account_set_role(driver->storage, account.id, role), STORAGE_OK);
}

/* Signs up Ada, who is given `role`, and Bob, a player. */
static void sign_up_bob_and_ada_with_role(struct driver *driver, enum storage_role role)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_disconnect(driver, ADA);
    set_role(driver, "ada", role);
    driver_sign_in(driver, ADA, "ada");
}

static void say_hello(struct driver *driver, int64_t conn)
{
    assert_int_equal(driver_send(driver, conn, "{'t':'hello','protocol':3}"), HOUSE_OK);
}

/* Signs up Ada with the SSH key that makes its owner an admin, as configured; her account has no
 * password. Signs up Bob, a player. */
static void open_house_with_key_admin(struct driver *driver)
{
    driver->config.house_first_admin = "SHA256:abc";
    driver_restart_core(driver);
    driver_connect(driver, ADA, PEER_SESSION);
    say_hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    driver_sign_up(driver, BOB, "bob");
}

static void a_moderator_must_confirm_their_identity_before_using_staff_commands(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_MOD);
    driver_no(driver, ADA, "step_up", NOTE);
    const json_t *answer = driver_ok(driver, ADA, CONFIRM);
    assert_int_equal(driver_read_number(answer, "for_s"), driver->config.staff_step_up_s);
    driver_ok(driver, ADA, NOTE);
}

static void a_confirmation_of_identity_expires(void **state)
{
    struct driver *driver = *state;
    driver->config.staff_step_up_s = 20;
    driver_restart_core(driver);
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_MOD);
    driver_ok(driver, ADA, CONFIRM);
    driver_pass_time(driver, 19999);
    driver_ok(driver, ADA, NOTE);
    driver_pass_time(driver, 1);
    driver_no(driver, ADA, "step_up", NOTE);
    driver_ok(driver, ADA, CONFIRM);
    driver_ok(driver, ADA, NOTE);
}

static void a_confirmation_of_identity_applies_to_its_own_connection_only(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_MOD);
    driver_ok(driver, ADA, CONFIRM);
    driver_sign_in(driver, EVE, "ada");
    driver_no(driver, EVE, "step_up", NOTE);
}

static void sign_in_with_key(struct driver *driver, int64_t conn, const char *address,
                             const char *asks)
{
    driver_disconnect(driver, conn);
    driver_connect_from(driver, conn, address, "ssh");
    say_hello(driver, conn);
    driver_ok(driver, conn, "{'t':'sign_in','method':'key','name':'ada',%s" KEY "}", asks);
}

#define ASKS "'asks':true,"

static void a_confirmation_by_key_also_applies_to_queries_with_that_key(void **state)
{
    struct driver *driver = *state;
    open_house_with_key_admin(driver);
    driver_ok(driver, ADA, "{'t':'password_set','password':'password of ada'}");
    sign_in_with_key(driver, ADA, "192.0.2.7", "");
    sign_in_with_key(driver, EVE, "192.0.2.7", ASKS);
    driver_no(driver, EVE, "step_up", NOTE);
    driver_ok(driver, ADA, CONFIRM);
    driver_disconnect(driver, ADA);
    driver_ok(driver, EVE, NOTE);
    sign_in_with_key(driver, EVE, "192.0.2.8", ASKS);
    driver_no(driver, EVE, "step_up", NOTE);
    sign_in_with_key(driver, EVE, "192.0.2.7", "");
    driver_no(driver, EVE, "step_up", NOTE);
    sign_in_with_key(driver, EVE, "192.0.2.7", ASKS);
    driver_ok(driver, EVE, NOTE);
    driver_pass_time(driver, 1000 * (int64_t)driver->config.staff_step_up_s);
    driver_no(driver, EVE, "step_up", NOTE);
}

static void changing_the_password_ends_confirmations_by_key(void **state)
{
    struct driver *driver = *state;
    open_house_with_key_admin(driver);
    driver_ok(driver, ADA, "{'t':'password_set','password':'password of ada'}");
    driver_ok(driver, ADA, CONFIRM);
    driver_ok(driver, ADA,
              "{'t':'password_set','old':'password of ada','password':'another of ada'}");
    driver_disconnect(driver, EVE);
    driver_connect(driver, EVE, PEER_SESSION);
    say_hello(driver, EVE);
    driver_ok(driver, EVE, "{'t':'sign_in','method':'key','name':'ada'," ASKS KEY "}");
    driver_no(driver, EVE, "step_up", NOTE);
}

static void players_and_guests_cannot_use_staff_commands(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_MOD);
    driver_enter_as_guest(driver, EVE);
    driver_no(driver, EVE, "role", NOTE);
    driver_no(driver, EVE, "guest", CONFIRM);
    driver_ok(driver, BOB, "{'t':'step_up','password':'password of bob'}");
    driver_no(driver, BOB, "role", NOTE);
    driver_no(driver, BOB, "role", "{'t':'held'}");
    driver_ok(driver, ADA, CONFIRM);
    driver_no(driver, ADA, "role", "{'t':'mod','line':'registration hold'}");
}

static void staff_with_only_a_key_are_told_to_choose_a_password(void **state)
{
    struct driver *driver = *state;
    open_house_with_key_admin(driver);
    driver_no(driver, ADA, "no_secret", NOTE);
    driver_no(driver, ADA, "no_secret", CONFIRM);
    driver_ok(driver, ADA, "{'t':'password_set','password':'password of ada'}");
    driver_no(driver, ADA, "step_up", NOTE);
    driver_ok(driver, ADA, CONFIRM);
    driver_ok(driver, ADA, NOTE);
}

static void wrong_passwords_at_confirmation_delay_confirmations_but_not_sign_ins(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_MOD);
    driver_no(driver, ADA, "denied", GUESS);
    assert_int_equal(driver_read_number(driver_no(driver, ADA, "wait", CONFIRM), "wait_s"), 1);
    driver_sign_in(driver, EVE, "ada");
    driver_no(driver, EVE, "wait", CONFIRM);
    driver_pass_time(driver, 1000);
    driver_no(driver, EVE, "denied", GUESS);
    assert_int_equal(driver_read_number(driver_no(driver, ADA, "wait", CONFIRM), "wait_s"), 2);
    driver_pass_time(driver, 2000);
    driver_ok(driver, ADA, CONFIRM);
    driver_no(driver, EVE, "denied", GUESS);
    driver_pass_time(driver, 1000);
    driver_ok(driver, EVE, CONFIRM);
}

static void password_guesses_at_sign_in_do_not_block_a_moderators_confirmation(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_MOD);
    driver_connect(driver, EVE, PEER_SESSION);
    say_hello(driver, EVE);
    (void)driver_request(driver, EVE,
                         "{'t':'sign_in','method':'password','name':'ada','password':'guessed'}");
    driver_ok(driver, ADA, CONFIRM);
}

static void a_moderators_confirmations_are_checked_one_at_a_time(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_MOD);
    driver->has_workers = false;
    assert_null(driver_request(driver, ADA, GUESS));
    driver_no(driver, ADA, "busy", CONFIRM);
    driver_send(
        driver, DRIVER_AUTH, "{'t':'checked','job':%d,'is_right':false}",
        (int)driver_read_number(driver_newest_message(driver, DRIVER_AUTH, "check"), "job"));
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "no"), "code"),
                        "denied");
}

static void a_new_password_ends_confirmations_made_with_the_old_one(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_MOD);
    driver_sign_in(driver, EVE, "ada");
    driver_ok(driver, EVE, CONFIRM);
    driver_ok(driver, ADA,
              "{'t':'password_set','password':'another password','old':'password of ada'}");
    driver_no(driver, EVE, "step_up", NOTE);
}

static void a_restarted_core_asks_staff_to_confirm_their_identity_again(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_MOD);
    driver_ok(driver, ADA, CONFIRM);
    driver_ok(driver, ADA, NOTE);
    driver_restart_core(driver);
    driver_connect(driver, ADA, PEER_SESSION);
    say_hello(driver, ADA);
    driver_no(driver, ADA, "step_up", NOTE);
}

static void an_invalid_or_over_long_password_at_confirmation_is_refused(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_MOD);
    char long_one[LIMIT_PASSWORD_BYTES + 2];
    memset(long_one, 'x', sizeof(long_one) - 1);
    long_one[sizeof(long_one) - 1] = '\0';
    driver_no(driver, ADA, "bad", "{'t':'step_up'}");
    driver_no(driver, ADA, "bad", "{'t':'step_up','password':7}");
    driver_no(driver, ADA, "bad", "{'t':'step_up','password':'%s'}", long_one);
}

static void admins_can_open_hold_and_close_registration(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_ADMIN);
    assert_string_equal(driver_read_text(driver_ok(driver, BOB, "{'t':'registration'}"), "state"),
                        "open");
    driver_no(driver, ADA, "step_up", "{'t':'mod','line':'registration closed'}");
    driver_ok(driver, ADA, CONFIRM);
    driver_no(driver, ADA, "bad", "{'t':'mod','line':'registration keep'}");
    driver_ok(driver, ADA, "{'t':'mod','line':'registration closed'}");
    driver_restart_core(driver);
    driver_connect(driver, EVE, PEER_SESSION);
    say_hello(driver, EVE);
    driver_ok(driver, EVE, "{'t':'sign_in','method':'password','name':'eve','password':''}");
    driver_no(driver, EVE, "closed", "{'t':'sign_up','name':'eve','password':'password of eve'}");
}

static void a_changed_configuration_overrides_the_registration_setting_of_staff(void **state)
{
    struct driver *driver = *state;
    driver->config.house_registration = "hold";
    driver_restart_core(driver);
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_ADMIN);
    driver_ok(driver, ADA, CONFIRM);
    driver_ok(driver, ADA, "{'t':'mod','line':'registration open'}");
    driver_restart_core(driver); /* as after a crash: what staff have set stays */
    driver_sign_in(driver, EVE, "bob");
    assert_string_equal(driver_read_text(driver_ok(driver, EVE, "{'t':'registration'}"), "state"),
                        "open");
    driver->config.house_registration = "closed";
    driver_restart_core(driver);
    driver_sign_in(driver, EVE + 1, "bob");
    assert_string_equal(
        driver_read_text(driver_ok(driver, EVE + 1, "{'t':'registration'}"), "state"), "closed");
}

static void staff_are_told_of_a_held_newcomer_and_see_them_listed_until_released(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_ADMIN);
    driver_ok(driver, ADA, CONFIRM);
    driver_ok(driver, ADA, "{'t':'mod','line':'registration hold'}");
    driver_clear_inbox(driver, ADA);
    driver_sign_up(driver, EVE, "eve");
    const char *told = driver_read_text(driver_newest_message(driver, ADA, "notice"), "text");
    assert_non_null(strstr(told, "/release eve"));
    assert_int_equal(driver_count_messages(driver, BOB, "notice"), 0);
    const json_t *rows = json_object_get(driver_ok(driver, ADA, "{'t':'held'}"), "accounts");
    assert_int_equal(json_array_size(rows), 1);
    assert_string_equal(driver_read_text(json_array_get(rows, 0), "name"), "eve");
    assert_int_equal(driver_read_number(json_array_get(rows, 0), "at"), driver->now_ms);
    driver_ok(driver, ADA, "{'t':'mod','line':'release eve'}");
    rows = json_object_get(driver_ok(driver, ADA, "{'t':'held'}"), "accounts");
    assert_int_equal(json_array_size(rows), 0);
}

/* Bob uses telnet. Then somebody connects with the SSH key of the first admin, as configured, and
 * adds this key to Bob's account. Bob is now an admin. */
static void becoming_staff_ends_telnet_connections(void **state)
{
    struct driver *driver = *state;
    driver->config.house_first_admin = "SHA256:abc";
    driver_restart_core(driver);
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'settings_set','settings':{'telnet':true}}");
    driver_connect_from(driver, EVE, "203.0.113.7", "telnet");
    say_hello(driver, EVE);
    driver_ok(driver, EVE,
              "{'t':'sign_in','method':'password','name':'bob','password':'password of bob'}");
    char code[16];
    driver_ok(driver, BOB, "{'t':'step_up','password':'password of bob'}");
    (void)snprintf(code, sizeof(code), "%s",
                   driver_read_text(driver_ok(driver, BOB, "{'t':'key_add'}"), "code"));
    driver_connect(driver, ADA, PEER_SESSION);
    say_hello(driver, ADA);
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'new'," KEY "}");
    driver_ok(driver, ADA, "{'t':'code_use','code':'%s'}", code);
    assert_non_null(
        strstr(driver_read_text(driver_newest_message(driver, EVE, "bye"), "why"), "telnet"));
    const json_t *you = json_object_get(driver_newest_message(driver, BOB, "you"), "you");
    assert_string_equal(driver_read_text(you, "role"), "admin");
    driver_disconnect(driver, EVE);
    driver_ok(driver, BOB, "{'t':'step_up','password':'password of bob'}");
    driver_ok(driver, BOB, "{'t':'held'}");
}

static void becoming_staff_while_no_core_runs_ends_telnet_connections(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'settings_set','settings':{'telnet':true}}");
    driver_connect_from(driver, EVE, "203.0.113.7", "telnet");
    say_hello(driver, EVE);
    driver_ok(driver, EVE,
              "{'t':'sign_in','method':'password','name':'bob','password':'password of bob'}");
    set_role(driver, "bob", STORAGE_ROLE_MOD);
    assert_int_equal(storage_commit(driver->storage), STORAGE_OK);
    driver_restart_core(driver);
    driver_connect_from(driver, EVE, "203.0.113.7", "telnet");
    assert_null(driver_newest_message(driver, EVE, "bye"));
    say_hello(driver, EVE);
    assert_non_null(driver_newest_message(driver, EVE, "bye"));
}

static void only_admins_and_operators_learn_why_a_reload_was_refused(void **state)
{
    struct driver *driver = *state;
    sign_up_bob_and_ada_with_role(driver, STORAGE_ROLE_ADMIN);
    driver_connect(driver, KEEPER, PEER_KEEPER);
    say_hello(driver, KEEPER);
    driver_connect(driver, OPERATOR, PEER_OPERATOR);
    say_hello(driver, OPERATOR);
    size_t heard = driver_count_messages(driver, BOB, "notice");
    assert_int_equal(driver_send(driver, KEEPER, "{'t':'reload_refused','why':'line 2: no'}"),
                     HOUSE_OK);
    assert_non_null(strstr(driver_read_text(driver_newest_message(driver, ADA, "notice"), "text"),
                           "line 2: no"));
    assert_string_equal(
        driver_read_text(driver_newest_message(driver, OPERATOR, "reload_refused"), "why"),
        "line 2: no");
    assert_int_equal(driver_count_messages(driver, BOB, "notice"), heard);
    assert_int_equal(driver_count_messages(driver, BOB, "reload_refused"), 0);
}

TEST_GROUP(staff)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_moderator_must_confirm_their_identity_before_using_staff_commands),
        DRIVER_TEST(a_confirmation_of_identity_expires),
        DRIVER_TEST(a_confirmation_of_identity_applies_to_its_own_connection_only),
        DRIVER_TEST(a_confirmation_by_key_also_applies_to_queries_with_that_key),
        DRIVER_TEST(changing_the_password_ends_confirmations_by_key),
        DRIVER_TEST(players_and_guests_cannot_use_staff_commands),
        DRIVER_TEST(staff_with_only_a_key_are_told_to_choose_a_password),
        DRIVER_TEST(wrong_passwords_at_confirmation_delay_confirmations_but_not_sign_ins),
        DRIVER_TEST(password_guesses_at_sign_in_do_not_block_a_moderators_confirmation),
        DRIVER_TEST(a_moderators_confirmations_are_checked_one_at_a_time),
        DRIVER_TEST(a_new_password_ends_confirmations_made_with_the_old_one),
        DRIVER_TEST(a_restarted_core_asks_staff_to_confirm_their_identity_again),
        DRIVER_TEST(an_invalid_or_over_long_password_at_confirmation_is_refused),
        DRIVER_TEST(admins_can_open_hold_and_close_registration),
        DRIVER_TEST(a_changed_configuration_overrides_the_registration_setting_of_staff),
        DRIVER_TEST(staff_are_told_of_a_held_newcomer_and_see_them_listed_until_released),
        DRIVER_TEST(becoming_staff_ends_telnet_connections),
        DRIVER_TEST(becoming_staff_while_no_core_runs_ends_telnet_connections),
        DRIVER_TEST(only_admins_and_operators_learn_why_a_reload_was_refused),
    };
    return cmocka_run_group_tests_name("staff", tests, NULL, NULL);
}
