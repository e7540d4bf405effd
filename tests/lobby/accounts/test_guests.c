#include "lobby/protocol/protocol.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* Tests that staff's commands reach the person behind a guest name, and that a policy limits what
 * guests may do. */

#define LOBBY "{'t':'say','to':'lobby','kind':'say','text':'hello'}"
#define BY_PASSWORD "{'t':'sign_in','method':'password','name':'%s','password':'%s'}"
#define AS_GUEST "{'t':'sign_in','method':'guest'}"
#define FINGERPRINT "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"
#define KEY "'key':{'type':'ssh-ed25519','fingerprint':'" FINGERPRINT "'}"

#define HOME "203.0.113.7" /* the address of a guest */
#define GUEST 20
#define AGAIN 21
#define OTHER 22

static void connect_without_signing_in(struct driver *driver, int64_t conn, const char *address)
{
    driver_connect_from(driver, conn, address, "ssh");
    driver_send(driver, conn, "{'t':'hello','protocol':3}");
}

static void make_account(struct driver *driver, int64_t conn, const char *name, const char *address)
{
    connect_without_signing_in(driver, conn, address);
    driver_ok(driver, conn, BY_PASSWORD, name, "");
    driver_ok(driver, conn, "{'t':'sign_up','name':'%s','password':'password of %s'}", name, name);
}

static void confirm_staff_identity(struct driver *driver)
{
    driver_sign_in(driver, MAX, "max");
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
}

static void a_muted_guest_stays_muted_under_another_name(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    order_ok(driver, MAX, "mute guest-1 1h shouting");
    order_expect_audit_row(driver, "max mute guest-1 ok");
    order_expect_message(driver, GUEST, "notice", "shouting");
    driver_no(driver, GUEST, "muted", LOBBY);
    driver_disconnect(driver, GUEST);
    driver_enter_as_guest_from(driver, GUEST, HOME);
    order_expect_message(driver, GUEST, "notice", "your address");
    driver_no(driver, GUEST, "muted", LOBBY);
    driver_enter_as_guest_from(driver, OTHER, "203.0.113.8");
    driver_ok(driver, OTHER, LOBBY);
    driver_pass_time(driver, 3600000);
    driver_ok(driver, GUEST, LOBBY);
    order_expect_message(driver, GUEST, "notice", "no longer muted");
}

static void a_sanction_applies_to_every_name_a_guest_is_connected_under(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_enter_as_guest_from(driver, AGAIN, HOME);
    order_ok(driver, MAX, "mute guest-1 1h shouting");
    driver_no(driver, AGAIN, "muted", LOBBY);
    order_expect_message(driver, AGAIN, "notice", "shouting");
    order_ok(driver, MAX, "unmute guest-2");
    driver_ok(driver, GUEST, LOBBY);
    driver_ok(driver, AGAIN, LOBBY);
}

static void a_sanction_against_an_ipv6_guest_applies_to_their_network_of_64_bits(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, "2001:db8:1:2:3:4:5:6");
    order_ok(driver, MAX, "mute guest-1 1h shouting");
    driver_enter_as_guest_from(driver, AGAIN, "2001:db8:1:2:ffff::1");
    driver_no(driver, AGAIN, "muted", LOBBY);
    driver_enter_as_guest_from(driver, OTHER, "2001:db8:1:3:3:4:5:6");
    driver_ok(driver, OTHER, LOBBY);
}

static void a_banned_guest_cannot_enter_under_another_name(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    order_ok(driver, MAX, "ban guest-1 1d advertising");
    order_expect_message(driver, GUEST, "bye", "advertising");
    driver_disconnect(driver, GUEST);
    driver_restart_core(driver);
    connect_without_signing_in(driver, GUEST, HOME);
    const json_t *answer = driver_no(driver, GUEST, "banned", AS_GUEST);
    assert_non_null(strstr(driver_read_text(answer, "why"), "your address"));
    driver_disconnect(driver, GUEST);
    connect_without_signing_in(driver, GUEST, HOME);
    driver_no(driver, GUEST, "banned", BY_PASSWORD, "zoe", "");
    driver_disconnect(driver, GUEST);
    order_sign_in(driver, GUEST, "bob", HOME, NULL); /* bob's account is older than the ban, so the
                                                        ban of the address does not apply to him */
    driver_ok(driver, GUEST, LOBBY);
    confirm_staff_identity(driver);
    order_ok(driver, MAX, "unban guest-1 enough");
    driver_enter_as_guest_from(driver, OTHER, HOME);
}

static void a_guest_who_just_left_is_found_by_name(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_disconnect(driver, GUEST);
    driver_restart_core(driver);
    confirm_staff_identity(driver);
    assert_non_null(strstr(order_ok(driver, MAX, "whois guest-1"), HOME));
    order_ok(driver, MAX, "ban guest-1 3d advertising");
    connect_without_signing_in(driver, GUEST, HOME);
    driver_no(driver, GUEST, "banned", AS_GUEST);
    driver_pass_time(driver, 2 * 86400000LL);
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    order_ok(driver, MAX, "unban guest-1 enough"); /* staff still find the guest by name while the
                                                      sanction is in force */
    order_no(driver, MAX, "unknown", "ban guest-77 1d who");
}

static void a_guest_who_left_long_ago_is_forgotten(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_disconnect(driver, GUEST);
    driver_pass_time(driver, 86400001);
    driver_enter_as_guest_from(driver, OTHER, "203.0.113.8");
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    order_no(driver, MAX, "unknown", "whois guest-1");
    assert_non_null(strstr(order_ok(driver, MAX, "whois guest-2"), "203.0.113.8"));
}

static void a_kicked_guest_cannot_return_at_once(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    order_ok(driver, MAX, "kick guest-1 shouting");
    order_expect_message(driver, GUEST, "bye", "shouting");
    driver_disconnect(driver, GUEST);
    connect_without_signing_in(driver, GUEST, HOME);
    driver_no(driver, GUEST, "banned", AS_GUEST);
    driver_disconnect(driver, GUEST);
    driver_pass_time(driver, 600000);
    driver_enter_as_guest_from(driver, GUEST, HOME);
}

static void a_suspended_guest_cannot_sit_down_under_any_name(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_enter_as_guest_from(driver, AGAIN, HOME);
    assert_int_equal(driver_open_table(driver, BOB, 3, 0), 1);
    driver_ok(driver, AGAIN, "{'t':'table_enter','table':1}");
    driver_ok(driver, AGAIN, "{'t':'seat_take','seat':1}");
    order_ok(driver, MAX, "yes suspend guest-1 1h stalling");
    driver_no(driver, GUEST, "suspended",
              "{'t':'table_open','game':'oh-hell','players':3,'options':{}}");
    const json_t *seats = json_object_get(driver_newest_message(driver, BOB, "table"), "seats");
    assert_true(json_is_null(json_array_get(seats, 1)));
    driver_no(driver, AGAIN, "suspended", "{'t':'seat_take','seat':1}");
}

/* Runs the moderation command `command` against a guest and checks that the guest can no longer
 * chat, even after a return under another name. `refusal_code`: the code with which the guest's
 * chat lines are refused. */
static void expect_guest_silenced_by(struct driver *driver, const char *command,
                                     const char *refusal_code)
{
    driver_enter_as_guest_from(driver, GUEST, HOME);
    order_ok(driver, MAX, command);
    driver_no(driver, GUEST, refusal_code, LOBBY);
    driver_disconnect(driver, GUEST);
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_no(driver, GUEST, refusal_code, LOBBY);
}

static void a_guest_on_hold_cannot_chat_until_staff_release_the_guest(void **state)
{
    struct driver *driver = *state;
    expect_guest_silenced_by(driver, "hold guest-1 who is that", "held");
    order_ok(driver, MAX, "release guest-2");
    driver_ok(driver, GUEST, LOBBY);
}

static void a_warned_guest_may_chat_after_acknowledging_the_warning(void **state)
{
    struct driver *driver = *state;
    expect_guest_silenced_by(driver, "warn guest-1 shouting", "warned");
    order_ok(driver, GUEST, "sanctions ok");
    driver_ok(driver, GUEST, LOBBY);
}

static void the_owner_of_a_banned_account_cannot_enter_as_a_guest(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban bob 7d cheating");
    connect_without_signing_in(driver, GUEST, "192.0.2.7"); /* bob's address */
    driver_no(driver, GUEST, "banned", AS_GUEST);
}

static void banning_an_account_disconnects_guests_from_the_same_address(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, "192.0.2.7");
    assert_non_null(strstr(order_no(driver, MAX, "confirm", "ban bob 7d cheating"), "guest-1"));
    order_ok(driver, MAX, "yes ban bob 7d cheating");
    order_expect_message(driver, GUEST, "bye", "cheating");
}

static void a_mute_applies_to_guests_and_new_accounts_from_the_same_address(void **state)
{
    struct driver *driver = *state;
    make_account(driver, OTHER, "uma", "192.0.2.7");
    driver_pass_time(driver, 1000);
    order_ok(driver, MAX, "mute bob 1d shouting");
    driver_pass_time(driver, 1000);
    driver_enter_as_guest_from(driver, GUEST, "192.0.2.7");
    driver_no(driver, GUEST, "muted", LOBBY);
    make_account(driver, AGAIN, "rob", "192.0.2.7");
    driver_no(driver, AGAIN, "muted", LOBBY);
    driver_ok(
        driver, OTHER,
        LOBBY); /* an account older than the mute may be another person of the same household */
    const char *why = order_no(driver, MAX, "unknown", "unmute rob");
    assert_non_null(strstr(why, "bob"));
    driver_restart_core(driver);
    driver_enter_as_guest_from(driver, GUEST, "192.0.2.7");
    driver_no(driver, GUEST, "muted", LOBBY);
    confirm_staff_identity(driver);
    order_ok(driver, MAX, "unmute bob");
    driver_ok(driver, GUEST, LOBBY);
}

static void a_mute_applies_to_each_address_that_the_player_uses_later(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 1d shouting");
    order_sign_in(driver, LATER, "bob", HOME, NULL);
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_no(driver, GUEST, "muted", LOBBY);
}

static void
a_hold_applies_to_new_accounts_from_the_same_address_until_each_is_released(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "hold bob who is that");
    driver_pass_time(driver, 1000);
    make_account(driver, AGAIN, "rob", "192.0.2.7");
    driver_no(driver, AGAIN, "held", LOBBY);
    order_ok(driver, MAX, "release rob");
    driver_ok(driver, AGAIN, LOBBY);
    driver_no(driver, BOB, "held", LOBBY);
    order_ok(driver, MAX, "release bob");
    driver_ok(driver, BOB, LOBBY);
    make_account(driver, OTHER, "tom", "192.0.2.7");
    driver_ok(driver, OTHER, LOBBY);
}

static void a_ban_applies_to_other_accounts_with_the_banned_players_ssh_key(void **state)
{
    struct driver *driver = *state;
    connect_without_signing_in(driver, GUEST, HOME);
    driver_ok(driver, GUEST, "{'t':'sign_in','method':'key','name':'kim'," KEY "}");
    driver_ok(driver, GUEST, "{'t':'sign_up','name':'kim'}");
    order_ok(driver, MAX, "ban kim 7d cheating");
    driver_disconnect(driver, GUEST);
    connect_without_signing_in(driver, GUEST, "198.51.100.1");
    driver_no(driver, GUEST, "banned", "{'t':'sign_in','method':'key','name':'jim'," KEY "}");
    driver_no(driver, GUEST, "banned", BY_PASSWORD, "jim", "");
}

static void sanctions_never_spread_to_staff_or_allowlisted_addresses(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, OWNER, "ban bob 7d cheating");
    order_sign_in(driver, LATER, "max", "192.0.2.7", NULL);
    driver_ok(driver, LATER, LOBBY);
    order_ok(driver, OWNER, "allowlist add ip=192.0.2.7");
    driver_enter_as_guest_from(driver, GUEST, "192.0.2.7");
    driver_ok(driver, GUEST, LOBBY);
}

static void staff_see_the_address_of_a_guest(void **state)
{
    struct driver *driver = *state;
    make_account(driver, OTHER, "uma", HOME);
    driver_enter_as_guest_from(driver, GUEST, HOME);
    assert_non_null(strstr(order_ok(driver, MAX, "whois guest-1"), HOME));
    assert_non_null(strstr(order_ok(driver, MAX, "sessions guest-1"), HOME));
    assert_non_null(strstr(order_ok(driver, MAX, "alts guest-1"), "uma"));
    order_no(driver, BOB, "role", "whois guest-1");
    order_ok(driver, MAX, "mute guest-1 1h shouting");
    assert_non_null(strstr(order_ok(driver, MAX, "whois guest-1"), "muted"));
}

/* Every moderation command against players works against guests too, except those that only make
 * sense for accounts. */
static const struct {
    const char *command, *line, *code;
} done_to_guests[] = {
    {"warn", "warn guest-1 why", NULL},
    {"mute", "mute guest-1 1h why", NULL},
    {"unmute", "unmute guest-1", NULL},
    {"suspend", "suspend guest-1 1h why", NULL},
    {"unsuspend", "unsuspend guest-1", NULL},
    {"hold", "hold guest-1 why", NULL},
    {"release", "release guest-1", NULL},
    {"hide", "hide guest-1 why", NULL},
    {"unhide", "unhide guest-1 why", NULL},
    {"whois", "whois guest-1", NULL},
    {"sessions", "sessions guest-1", NULL},
    {"alts", "alts guest-1", NULL},
    {"log", "log guest-1", NULL},
    {"note", "note guest-1 polite", NULL},
    {"notes", "notes guest-1", NULL},
    {"ban", "ban guest-1 1h why", NULL},
    {"unban", "unban guest-1 why", NULL},
    {"kick", "kick guest-1 why", "absent"}, /* the ban has disconnected the guest */
    {"rename", "rename guest-1 zoe why", "guest"},
};

static void every_moderation_command_accepts_a_guest(void **state)
{
    struct driver *driver = *state;
    const struct mod_command_info *words = NULL;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_ok(driver, GUEST, LOBBY);
    for (size_t i = 0; i < ARRAY_LEN(done_to_guests); i++) {
        order_give_and_check(driver, MAX, done_to_guests[i].line, done_to_guests[i].code, __FILE__,
                             __LINE__);
        if (strcmp(done_to_guests[i].command, "ban") == 0) {
            driver_disconnect(driver, GUEST);
        }
    }
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        bool is_tried = words->rank != RANK_MOD || strstr(words->args, "player") == NULL;
        for (size_t k = 0; k < ARRAY_LEN(done_to_guests); k++) {
            is_tried = is_tried || strcmp(done_to_guests[k].command, words->name) == 0;
        }
        if (!is_tried && strcmp(words->name, "adjudicate") != 0) {
            fail_msg("/%s is not tried with a guest", words->name);
        }
    }
}

static void a_staff_note_about_a_guest_is_still_found_under_their_next_name(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    order_ok(driver, MAX, "note guest-1 sells cards");
    driver_disconnect(driver, GUEST);
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_enter_as_guest_from(driver, OTHER, "203.0.113.8");
    assert_non_null(strstr(order_ok(driver, MAX, "notes guest-2"), "sells cards"));
    assert_null(strstr(order_ok(driver, MAX, "notes guest-3"), "sells cards"));
    assert_null(strstr(order_ok(driver, MAX, "notes bob"), "sells cards"));
}

static void staff_find_and_hide_a_guests_chat_lines_by_name(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_ok(driver, GUEST, "{'t':'say','to':'lobby','kind':'say','text':'BUY CARDS'}");
    assert_non_null(strstr(order_ok(driver, MAX, "log guest-1"), "BUY CARDS"));
    order_ok(driver, MAX, "hide guest-1 advertising");
    order_expect_message(driver, GUEST, "notice", "advertising");
    assert_non_null(strstr(order_ok(driver, MAX, "log guest-1"), "hidden"));
    assert_null(strstr(order_ok(driver, MAX, "log guest-9"), "BUY CARDS"));
}

static void guests_who_may_only_play_cannot_chat(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    assert_non_null(strstr(order_ok(driver, MAX, "guests"), "talk"));
    order_no(driver, MAX, "role", "guests play-only");
    order_no(driver, ADA, "bad", "guests some");
    order_ok(driver, ADA, "guests play-only");
    order_expect_audit_row(driver, "ada guests  ok");
    driver_no(driver, GUEST, "guest", LOBBY);
    driver_no(driver, GUEST, "guest", "{'t':'tell','to':'eve','text':'hello'}");
    driver_no(driver, GUEST, "guest", "{'t':'presence','kind':'away','text':'hello'}");
    driver_no(driver, GUEST, "guest", "{'t':'join','channel':'#hello'}");
    driver_ok(driver, GUEST, "{'t':'table_open','game':'oh-hell','players':3,'options':{}}");
    order_no(driver, GUEST, "guest", "invite eve");
    driver_ok(driver, BOB, LOBBY);
    driver_enter_as_guest_from(driver, AGAIN, HOME);
    driver_restart_core(driver);
    driver_enter_as_guest_from(driver, AGAIN, HOME);
    driver_no(driver, AGAIN, "guest", LOBBY);
    driver_sign_in(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
    order_ok(driver, ADA, "guests yes");
    driver_ok(driver, AGAIN, LOBBY);
}

static void a_house_without_guests_admits_none(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "guests no");
    driver_restart_core(driver);
    connect_without_signing_in(driver, GUEST, HOME);
    assert_string_equal(driver_read_text(driver_newest_message(driver, GUEST, "welcome"), "guests"),
                        "no");
    driver_no(driver, GUEST, "closed", AS_GUEST);
    driver_ok(driver, GUEST, BY_PASSWORD, "zoe", "");
}

static void the_guest_policy_set_by_staff_lasts_until_the_configuration_changes(void **state)
{
    struct driver *driver = *state;
    driver->config.house_guests = "no";
    driver_restart_core(driver);
    connect_without_signing_in(driver, GUEST, HOME);
    driver_no(driver, GUEST, "closed", AS_GUEST);
    driver_sign_in(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
    order_ok(driver, ADA, "guests play-only");
    driver_restart_core(driver);
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_no(driver, GUEST, "guest", LOBBY);
    driver->config.house_guests = "yes";
    driver_restart_core(driver);
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_ok(driver, GUEST, LOBBY);
}

static void a_guest_banned_just_before_the_core_dies_cannot_return_after_the_restart(void **state)
{
    struct driver *driver = *state;
    const int64_t survivors[] = {GUEST, OTHER};
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_enter_as_guest_from(driver, OTHER, "203.0.113.8");
    order_ok(driver, MAX, "ban guest-1 1d advertising");
    driver_restart_core(driver);
    driver_reconnect_conns(driver, survivors, ARRAY_LEN(survivors));
    order_expect_message(driver, GUEST, "bye", "advertising");
    assert_null(driver_newest_message(driver, GUEST, "welcome"));
    assert_non_null(driver_newest_message(driver, OTHER, "welcome"));
}

static void an_account_that_connects_from_a_muted_address_is_muted(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    order_ok(driver, MAX, "mute guest-1 1h shouting");
    driver_pass_time(driver, 1000);
    make_account(driver, OTHER, "zoe", "203.0.113.8");
    driver_ok(driver, OTHER, LOBBY);
    order_sign_in(driver, AGAIN, "zoe", HOME, NULL);
    driver_no(driver, AGAIN, "muted", LOBBY);
    driver_no(driver, OTHER, "muted", LOBBY);
}

static void a_guest_is_remembered_for_a_day_after_leaving(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, GUEST, HOME);
    driver_pass_time(driver, 2 * 86400000LL);
    driver_disconnect(driver, GUEST);
    driver_enter_as_guest_from(driver, OTHER,
                               "203.0.113.8"); /* other guests are forgotten when a guest arrives */
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    assert_non_null(strstr(order_ok(driver, MAX, "whois guest-1"), HOME));
}

TEST_GROUP(guests)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(a_muted_guest_stays_muted_under_another_name),
        ORDER_TEST(a_sanction_applies_to_every_name_a_guest_is_connected_under),
        ORDER_TEST(a_sanction_against_an_ipv6_guest_applies_to_their_network_of_64_bits),
        ORDER_TEST(a_banned_guest_cannot_enter_under_another_name),
        ORDER_TEST(a_guest_who_just_left_is_found_by_name),
        ORDER_TEST(a_guest_who_left_long_ago_is_forgotten),
        ORDER_TEST(a_kicked_guest_cannot_return_at_once),
        ORDER_TEST(a_suspended_guest_cannot_sit_down_under_any_name),
        ORDER_TEST(a_guest_on_hold_cannot_chat_until_staff_release_the_guest),
        ORDER_TEST(a_warned_guest_may_chat_after_acknowledging_the_warning),
        ORDER_TEST(the_owner_of_a_banned_account_cannot_enter_as_a_guest),
        ORDER_TEST(banning_an_account_disconnects_guests_from_the_same_address),
        ORDER_TEST(a_mute_applies_to_guests_and_new_accounts_from_the_same_address),
        ORDER_TEST(a_mute_applies_to_each_address_that_the_player_uses_later),
        ORDER_TEST(a_hold_applies_to_new_accounts_from_the_same_address_until_each_is_released),
        ORDER_TEST(a_ban_applies_to_other_accounts_with_the_banned_players_ssh_key),
        ORDER_TEST(sanctions_never_spread_to_staff_or_allowlisted_addresses),
        ORDER_TEST(staff_see_the_address_of_a_guest),
        ORDER_TEST(every_moderation_command_accepts_a_guest),
        ORDER_TEST(a_staff_note_about_a_guest_is_still_found_under_their_next_name),
        ORDER_TEST(staff_find_and_hide_a_guests_chat_lines_by_name),
        ORDER_TEST(guests_who_may_only_play_cannot_chat),
        ORDER_TEST(a_house_without_guests_admits_none),
        ORDER_TEST(the_guest_policy_set_by_staff_lasts_until_the_configuration_changes),
        ORDER_TEST(a_guest_banned_just_before_the_core_dies_cannot_return_after_the_restart),
        ORDER_TEST(an_account_that_connects_from_a_muted_address_is_muted),
        ORDER_TEST(a_guest_is_remembered_for_a_day_after_leaving),
    };
    return cmocka_run_group_tests_name("guests", tests, NULL, NULL);
}
