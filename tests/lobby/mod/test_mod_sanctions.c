#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <string.h>

/* Tests that each sanction applies to the people and places that it names, and to no others. */

#define LOBBY "{'t':'say','to':'lobby','kind':'say','text':'hello'}"
#define TABLE "{'t':'say','to':'table','kind':'say','text':'hello'}"
#define TELL "{'t':'tell','to':'eve','text':'hello'}"
#define FINGERPRINT "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"
#define OPEN "{'t':'table_open','game':'oh-hell','players':3,'options':{}}"

static void a_mute_applies_in_its_scope_until_it_expires(void **state)
{
    struct driver *driver = *state;
    driver_open_table(driver, BOB, 3, 0);
    order_ok(driver, MAX, "mute bob 10m scope=lobby shouting");
    order_expect_message(driver, BOB, "notice", "shouting");
    order_expect_message(driver, BOB, "notice", "/appeal");
    driver_no(driver, BOB, "muted", LOBBY);
    driver_ok(driver, BOB, TABLE);
    driver_ok(driver, BOB, TELL);
    driver_pass_time(driver, 600000);
    driver_ok(driver, BOB, LOBBY);
    order_expect_audit_rows(
        driver, 2,
        "the house expire bob ok"); /* one row for max's command, and one for the end of the mute */
    order_expect_message(driver, BOB, "notice", "no longer muted");
}

static void a_mute_survives_a_restart_and_can_be_lifted(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob perm scope=all shouting");
    driver_restart_core(driver);
    driver_sign_in(driver, BOB, "bob");
    order_expect_message(driver, BOB, "notice", "shouting");
    driver_sign_in(driver, EVE, "eve");
    driver_no(driver, BOB, "muted", LOBBY);
    driver_no(driver, BOB, "muted", TELL);
    driver_sign_in(driver, MAX, "max");
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    order_ok(driver, MAX, "unmute bob calm again");
    order_expect_audit_row(driver, "max unmute bob ok");
    driver_ok(driver, BOB, LOBBY);
    order_no(driver, MAX, "unknown", "unmute bob");
}

static void a_sanction_by_a_superior_cannot_be_lifted(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "mute bob 10m shouting");
    order_no(driver, MAX, "role", "unmute bob");
    driver_no(driver, BOB, "muted", LOBBY);
}

static void a_warning_must_be_acknowledged_before_chatting(void **state)
{
    struct driver *driver = *state;
    driver_disconnect(driver, BOB);
    order_ok(driver, MAX, "warn bob no insults");
    driver_sign_in(driver, BOB, "bob");
    order_expect_message(driver, BOB, "notice", "no insults");
    driver_no(driver, BOB, "warned", LOBBY);
    assert_non_null(strstr(order_ok(driver, BOB, "sanctions"), "no insults"));
    order_ok(driver, BOB, "sanctions ok");
    driver_ok(driver, BOB, LOBBY);
    assert_non_null(strstr(order_ok(driver, BOB, "sanctions"), "over"));
    driver_disconnect(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    driver_ok(driver, BOB, LOBBY);
}

static void somebody_suspended_may_enter_but_not_sit_down(void **state)
{
    struct driver *driver = *state;
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    order_ok(driver, MAX, "suspend bob 1d stalling");
    order_expect_audit_row(driver, "max suspend bob ok");
    driver_no(driver, BOB, "suspended", "{'t':'seat_take'}");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, EVE, "{'t':'seat_take','seat':0}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_no(driver, BOB, "suspended", OPEN);
    order_ok(driver, MAX, "unsuspend bob");
    order_expect_audit_row(driver, "max unsuspend bob ok");
    driver_open_table(driver, BOB, 3, 0);
}

static void somebody_suspended_loses_their_seat_in_a_running_game(void **state)
{
    struct driver *driver = *state;
    int64_t table = driver_open_table(driver, BOB, 3, 60);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, BOB, "{'t':'table_start'}");
    assert_non_null(strstr(order_ok(driver, MAX, "suspend bob 1d stalling"), "A bot plays on"));
    order_expect_audit_row(driver, "max suspend bob ok");
    order_expect_message(driver, BOB, "notice", "suspended");
    driver_no(driver, BOB, "not_seated", "{'t':'seat_leave','for_good':true}");
    driver_pass_time(driver, 200);
    const json_t *seats = json_object_get(driver_newest_message(driver, EVE, "table"), "seats");
    assert_string_equal(driver_read_text(json_array_get(seats, 0), "kind"), "bot");
    assert_string_equal(driver_read_text(json_array_get(seats, 1), "name"), "eve");
    driver_disconnect(driver, EVE);
    order_ok(driver, MAX, "suspend eve 1d stalling");
    driver_pass_time(driver, 200);
    seats = json_object_get(driver_newest_message(driver, BOB, "table"), "seats");
    assert_string_equal(driver_read_text(json_array_get(seats, 1), "kind"), "bot");
}

static void a_ban_keeps_an_account_out_and_says_why(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban bob 7d cheating // saw it myself");
    order_expect_audit_row(driver, "max ban bob ok");
    order_expect_message(driver, BOB, "bye", "cheating");
    driver_disconnect(driver, BOB);
    order_sign_in(driver, LATER, "bob", "192.0.2.9", "banned");
    const json_t *answer = driver_newest_message(driver, LATER, "no");
    assert_non_null(strstr(driver_read_text(answer, "why"), "cheating"));
    assert_non_null(strstr(driver_read_text(answer, "why"), "appeal"));
    assert_null(strstr(driver_read_text(answer, "why"), "saw it myself"));
    assert_non_null(strstr(order_ok(driver, MAX, "banlist"), "saw it myself"));
    driver_restart_core(driver);
    order_sign_in(driver, LATER, "bob", "192.0.2.9", "banned");
    driver_pass_time(driver, 7 * INT64_C(86400000));
    driver_disconnect(driver, LATER);
    order_sign_in(driver, LATER, "bob", "192.0.2.9", NULL);
}

static void a_ban_ends_even_connections_that_do_not_read_their_messages(void **state)
{
    struct driver *driver = *state;
    house_note_output_dropped(driver->house, BOB);
    driver_commit(driver);
    driver_clear_inbox(driver, BOB);
    order_ok(driver, MAX, "ban bob 7d cheating");
    order_expect_message(driver, BOB, "bye", "cheating");
}

static void a_ban_applies_to_connections_that_survive_a_crash_of_the_core(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban bob 7d cheating");
    order_ok(driver, MAX, "ban ip=192.0.2.8 7d a flood");
    driver_restart_core(driver);
    driver_connect_from(driver, BOB, "192.0.2.7", "ssh");
    order_expect_message(driver, BOB, "bye", "cheating");
    driver_connect_from(driver, EVE, "192.0.2.8", "ssh");
    order_expect_message(driver, EVE, "bye", "a flood");
    driver_sign_in(driver, LATER, "max");
    driver_ok(driver, LATER, "{'t':'step_up','password':'password of max'}");
    assert_non_null(strstr(order_ok(driver, LATER, "whois bob"), "not here"));
}

static void no_password_can_be_tried_from_a_banned_network(void **state)
{
    struct driver *driver = *state;
    driver_disconnect(driver, BOB);
    order_ok(driver, MAX, "yes ban ip=192.0.2.0/24 1d a flood");
    driver_connect_from(driver, LATER, "192.0.2.77", "ssh");
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    driver->has_workers = false;
    const json_t *answer =
        driver_no(driver, LATER, "banned",
                  "{'t':'sign_in','method':'password','name':'bob','password':'no idea at all'}");
    assert_non_null(strstr(driver_read_text(answer, "why"), "a flood"));
    driver_no(driver, LATER, "banned",
              "{'t':'sign_in','method':'password','name':'zoe','password':''}");
    driver_no(driver, LATER, "banned",
              "{'t':'sign_in','method':'password','name':'bob','password':'appeal I am new'}");
    order_expect_audit_rows(driver, 2, "the house appeal 192.0.2.0/24 ok");
    assert_null(driver_request(driver, LATER,
                               "{'t':'sign_in','method':'password','name':'max','password':'x'}"));
}

static void the_gate_is_told_which_networks_are_banned(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban ip=198.51.100.0/24 1h a flood");
    driver_connect(driver, 5, PEER_GATE);
    driver_send(driver, 5, "{'t':'hello','protocol':3}");
    const json_t *nets = json_object_get(driver_newest_message(driver, 5, "barred"), "nets");
    assert_int_equal(json_array_size(nets), 1);
    assert_string_equal(json_string_value(json_array_get(nets, 0)), "198.51.100.0/24");
    order_ok(driver, MAX, "ban ip=203.0.113.7 1d a flood");
    nets = json_object_get(driver_newest_message(driver, 5, "barred"), "nets");
    assert_int_equal(json_array_size(nets), 2);
    driver_pass_time(driver, 3600000);
    nets = json_object_get(driver_newest_message(driver, 5, "barred"), "nets");
    assert_int_equal(json_array_size(nets), 1);
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    order_ok(driver, MAX, "unban ip=203.0.113.7 it is over");
    nets = json_object_get(driver_newest_message(driver, 5, "barred"), "nets");
    assert_int_equal(json_array_size(nets), 0);
}

static void somebody_banned_can_appeal_at_sign_in(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban bob 7d cheating");
    driver_disconnect(driver, BOB);
    order_sign_in(driver, LATER, "bob", "192.0.2.9", "banned");
    driver_no(driver, LATER, "banned",
              "{'t':'sign_in','method':'password','name':'bob','password':'appeal it was my cat'}");
    order_expect_message(driver, MAX, "notice", "it was my cat");
    order_expect_audit_rows(driver, 2, "the house appeal bob ok");
    driver_no(driver, LATER, "too_many",
              "{'t':'sign_in','method':'password','name':'bob','password':'appeal and my dog'}");
    driver_connect(driver, LATER + 1, PEER_SESSION);
    driver_send(driver, LATER + 1, "{'t':'hello','protocol':3}");
    driver_request(driver, LATER + 1,
                   "{'t':'sign_in','method':'password','name':'bob','password':'appeal me too'}");
    order_expect_no_audit_row(driver);
}

/* Guests from bob's address are affected, too; who is connected twice counts as one. */
static void a_suspension_that_affects_several_people_requires_confirmation(void **state)
{
    struct driver *driver = *state;
    order_sign_in(driver, LATER + 1, "bob", "192.0.2.7", NULL);
    order_ok(driver, MAX, "suspend bob 1d stalling");
    order_ok(driver, MAX, "unsuspend bob");
    driver_enter_as_guest_from(driver, LATER, "192.0.2.7");
    static const char *const orders[] = {"suspend bob 1d stalling", "ban bob 1d cheating"};
    for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
        const char *why = order_no(driver, MAX, "confirm", orders[i]);
        assert_non_null(strstr(why, "That affects 2 people who are here now: "));
    }
    order_ok(driver, MAX, "yes suspend bob 1d stalling");
}

static void banning_a_network_that_affects_several_people_requires_confirmation(void **state)
{
    struct driver *driver = *state;
    const char *why = order_no(driver, MAX, "confirm", "ban ip=192.0.2.0/24 1d a flood");
    assert_non_null(strstr(why, "2 people"));
    assert_non_null(strstr(why, "bob"));
    driver_ok(driver, BOB, LOBBY);
    order_ok(driver, MAX, "yes ban ip=192.0.2.0/24 1d a flood");
    order_expect_audit_row(driver, "max ban 192.0.2.0/24 ok");
    order_expect_message(driver, BOB, "bye", "a flood");
    order_expect_message(driver, EVE, "bye", "a flood");
    driver_disconnect(driver, BOB);
    order_sign_in(driver, LATER, "bob", "192.0.2.77", "banned");
    driver_disconnect(driver, LATER);
    order_sign_in(driver, LATER, "bob", "192.0.3.1", NULL);
    driver_disconnect(driver, LATER);
    driver_connect_from(driver, LATER, "192.0.2.77", "ssh");
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    driver_no(driver, LATER, "banned", "{'t':'sign_in','method':'guest'}");
    driver_disconnect(driver, LATER);
    order_sign_in(driver, LATER, "max", "192.0.2.77", NULL);
    order_ok(driver, MAX, "unban ip=192.0.2.0/24 it is over");
    order_expect_audit_row(driver, "max unban 192.0.2.0/24 ok");
    driver_disconnect(driver, LATER);
    order_sign_in(driver, LATER, "bob", "192.0.2.77", NULL);
}

#define KEY "'key':{'type':'ssh-ed25519','fingerprint':'" FINGERPRINT "'}"
#define BY_KEY "{'t':'sign_in','method':'key','name':'%s'," KEY "}"
#define BY_PASSWORD "{'t':'sign_in','method':'password','name':'%s','password':'%s'}"
#define AS_GUEST "{'t':'sign_in','method':'guest'}"

static void connect_without_signing_in(struct driver *driver, int64_t conn, const char *address)
{
    driver_connect_from(driver, conn, address, "ssh");
    driver_send(driver, conn, "{'t':'hello','protocol':3}");
}

/* Every way to sign in is refused; only an appeal is accepted. */
static void expect_only_appeal_is_accepted(struct driver *driver, int64_t conn)
{
    driver_no(driver, conn, "banned", BY_KEY, "zoe");
    driver_no(driver, conn, "banned", BY_PASSWORD, "zoe", "");
    driver_no(driver, conn, "banned", BY_PASSWORD, "eve", "");
    driver_no(driver, conn, "banned", BY_PASSWORD, "max", "");
    driver_no(driver, conn, "banned", BY_PASSWORD, "eve", "password of eve");
    driver_no(driver, conn, "banned", AS_GUEST);
    driver_no(driver, conn, "banned", BY_PASSWORD, "zoe", "appeal let me in");
}

/* Otherwise a banned person could shut the network of a school or a café for everybody. */
static void a_refused_sign_in_of_a_banned_person_shuts_no_address_for_others(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban bob 7d cheating");
    order_sign_in(driver, LATER, "bob", "198.51.100.9", "banned");
    driver_disconnect(driver, LATER);
    driver_enter_as_guest_from(driver, LATER, "198.51.100.9");
    driver_ok(driver, LATER, "{'t':'say','to':'lobby','kind':'say','text':'hello'}");
    driver_sign_up_from(driver, LATER + 1, "newt", "198.51.100.9");
    driver_ok(driver, LATER + 1, "{'t':'say','to':'lobby','kind':'say','text':'hello'}");
}

static void a_banned_key_cannot_sign_up(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban key=" FINGERPRINT " 1d cheating");
    connect_without_signing_in(driver, LATER, "198.51.100.1");
    driver_no(driver, LATER, "banned", BY_KEY, "zoe");
    expect_only_appeal_is_accepted(driver, LATER);
}

static void somebody_banned_is_offered_only_an_appeal(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban ip=198.51.100.0/24 1d a flood");
    connect_without_signing_in(driver, LATER, "198.51.100.1");
    expect_only_appeal_is_accepted(driver, LATER);
    driver_ok(driver, LATER, BY_PASSWORD, "max", "password of max");
    driver_disconnect(driver, LATER);

    order_ok(driver, MAX, "ban bob 7d cheating");
    order_sign_in(driver, LATER, "bob", "203.0.113.1", "banned");
    expect_only_appeal_is_accepted(driver, LATER);
    order_ok(driver, MAX, "unban bob sorry");
    driver_ok(driver, LATER, BY_PASSWORD, "bob", "password of bob");
}

static void an_appeal_at_sign_in_may_have_the_length_of_a_chat_line(void **state)
{
    struct driver *driver = *state;
    char appeal[200];
    memset(appeal, 'x', sizeof appeal);
    appeal[sizeof appeal - 1] = '\0';
    order_ok(driver, MAX, "ban bob 7d cheating");
    order_sign_in(driver, LATER, "bob", "203.0.113.1", "banned");
    driver_no(driver, LATER, "banned",
              "{'t':'sign_in','method':'password','name':'bob',"
              "'password':'appeal %s'}",
              appeal);
    order_expect_message(driver, MAX, "notice", appeal);
}

static void staff_notices_about_refused_sign_ins_are_limited_in_rate(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban ip=198.51.100.0/24 1d a flood");
    order_expect_audit_row(driver, "max ban 198.51.100.0/24 ok");
    driver_clear_inbox(driver, MAX);
    for (int i = 0; i < 200; i++) {
        connect_without_signing_in(driver, LATER, "198.51.100.1");
        driver_no(driver, LATER, "banned", AS_GUEST);
        driver_no(driver, LATER, "banned", AS_GUEST);
        driver_disconnect(driver, LATER);
        driver_pass_time(driver, 1000);
    }
    assert_int_equal(driver_count_messages(driver, MAX, "notice"), 1);
    order_expect_message(driver, MAX, "notice", "198.51.100.1");
    order_expect_message(driver, MAX, "notice", "a flood");
    order_expect_no_audit_row(driver);
    driver_pass_time(driver, 600000);
    connect_without_signing_in(driver, LATER, "198.51.100.2");
    driver_no(driver, LATER, "banned", AS_GUEST);
    order_expect_message(driver, MAX, "notice", "199 more attempts");
    assert_int_equal(driver_count_messages(driver, BOB, "notice"), 0);
}

static void staff_notices_are_limited_in_rate_even_when_many_bans_refuse_sign_ins(void **state)
{
    struct driver *driver = *state;
    char line[64], address[32];
    for (int i = 0; i < 40; i++) {
        snprintf(line, sizeof line, "ban ip=198.51.%d.1 1d a flood", i);
        order_ok(driver, OWNER, line);
    }
    driver_clear_inbox(driver, MAX);
    for (int i = 0; i < 40; i++) {
        snprintf(address, sizeof address, "198.51.%d.1", i);
        connect_without_signing_in(driver, LATER, address);
        driver_no(driver, LATER, "banned", AS_GUEST);
        driver_disconnect(driver, LATER);
    }
    assert_int_equal(driver_count_messages(driver, MAX, "notice"), 3);
}

static void an_impossible_key_fingerprint_is_refused(void **state)
{
    struct driver *driver = *state;
    static const char *const bad[] = {
        "SHA256:",
        "SHA256:xx",
        "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB",
        "SHA256:AAAAAAAAAAAAAAAAAAAAA-AAAAAAAAAAAAAAAAAAAAA",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        char line[128];
        snprintf(line, sizeof line, "ban key=%s 1d cheating", bad[i]);
        order_no(driver, MAX, "bad", line);
        snprintf(line, sizeof line, "allowlist add key=%s", bad[i]);
        order_no(driver, ADA, "bad", line);
    }
    order_ok(driver, MAX, "ban key=" FINGERPRINT " 1d cheating");
    order_ok(driver, MAX, "unban key=" FINGERPRINT " over");
    order_ok(driver, ADA, "allowlist add key=" FINGERPRINT);
}

static void banning_a_wide_network_always_requires_confirmation(void **state)
{
    struct driver *driver = *state;
    static const struct wide {
        const char *line, *met;
    } wides[] = {
        {"ban ip=10.0.0.0/15 1d a flood", "affects nobody"},
        {"ban ip=2001:db8::/31 1d a flood", "affects nobody"},
        {"ban ip=192.0.0.0/8 1d a flood", "2 people"},
        {"ban ip=0.0.0.0/0 1d a flood", "2 people"},
        {"ban ip=::ffff:0.0.0.0/96 1d a flood", "2 people"},
        {"ban ip=::/0 1d a flood", "2 people"},
    };
    static const char *const narrow[] = {
        "ban ip=10.0.0.0/16 1d a flood",
        "ban ip=2001:db8::/32 1d a flood",
    };
    for (size_t i = 0; i < ARRAY_LEN(wides); i++) {
        const char *why = order_no(driver, OWNER, "confirm", wides[i].line);
        assert_non_null(strstr(why, wides[i].met));
        assert_non_null(strstr(why, "wide"));
    }
    assert_non_null(strstr(order_no(driver, OWNER, "confirm", wides[3].line), "bob"));
    for (size_t i = 0; i < ARRAY_LEN(narrow); i++) {
        order_ok(driver, OWNER, narrow[i]);
    }
    order_ok(driver, OWNER, "yes ban ip=10.0.0.0/15 1d a flood");
    driver_ok(driver, BOB, LOBBY);
}

static void nobody_can_ban_their_own_network(void **state)
{
    struct driver *driver = *state;
    static const char *const lines[] = {
        "ban ip=0.0.0.0/0 1d a flood", "yes ban ip=0.0.0.0/0 1d a flood",
        "yes ban ip=::/0 1d a flood",  "yes ban ip=127.0.0.0/8 1d a flood",
        "ban ip=127.0.0.1 1d a flood",
    };
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        const char *why = order_no(driver, ADA, "self", lines[i]);
        assert_non_null(strstr(why, "127.0.0.1"));
    }
    order_expect_audit_row(driver, "ada ban 127.0.0.1 denied");
    driver_ok(driver, BOB, LOBBY);
    order_ok(driver, OWNER, "yes ban ip=0.0.0.0/0 1d a flood");
    order_expect_message(driver, BOB, "bye", "a flood");
    order_sign_in(driver, LATER, "ada", "127.0.0.1", NULL);
}

static void a_ban_can_be_edited_by_its_number(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban bob 7d cheating");
    order_no(driver, MAX, "role", "banedit 1 40d worse than it seemed");
    order_no(driver, MAX, "role", "banedit 1 perm worse than it seemed");
    order_ok(driver, ADA, "banedit 1 40d worse than it seemed");
    order_expect_audit_row(driver, "ada banedit bob ok");
    assert_non_null(strstr(order_ok(driver, MAX, "banlist worse"), "worse than it seemed"));
    assert_non_null(strstr(order_ok(driver, MAX, "banlist nothing"), "No such ban"));
    order_expect_audit_row(driver, "max banlist  ok");
    order_no(driver, ADA, "unknown", "banedit 99 1d why");
}

static void staff_can_disconnect_people_who_may_then_return(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "kick bob calm down");
    order_expect_audit_row(driver, "max kick bob ok");
    order_expect_message(driver, BOB, "bye", "calm down");
    order_sign_in(driver, LATER, "bob", "192.0.2.9", NULL);
    driver_disconnect(driver, BOB);
    driver_disconnect(driver, LATER);
    order_no(driver, MAX, "absent", "kick bob calm down");
}

static void a_host_can_free_a_seat_before_the_game_begins(void **state)
{
    struct driver *driver = *state;
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, EVE, "{'t':'seat_take','seat':1}");
    order_no(driver, EVE, "not_host", "kick bob");
    order_ok(driver, BOB, "kick eve");
    order_expect_audit_row(driver, "bob kick eve ok");
    order_expect_message(driver, EVE, "notice", "freed your seat");
    order_no(driver, BOB, "not_host", "kick eve");
    order_no(driver, BOB, "not_host", "kick bob");
}

/* In a turn-by-turn game people keep their seats while they are not in the house. */
static void a_host_can_free_the_seat_of_somebody_who_is_not_there(void **state)
{
    struct driver *driver = *state;
    const int64_t table = driver_open_table(driver, BOB, 3, 86400);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, EVE, "{'t':'seat_take','seat':1}");
    driver_disconnect(driver, EVE);
    order_ok(driver, BOB, "kick eve");
    order_expect_audit_row(driver, "bob kick eve ok");
    order_no(driver, BOB, "not_host", "kick eve");
}

static void an_allowlisted_address_may_enter_from_a_banned_network(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban ip=198.51.100.0/24 1d a flood");
    order_ok(driver, ADA, "allowlist add ip=198.51.100.7");
    order_sign_in(driver, LATER, "bob", "198.51.100.8", "banned");
    driver_disconnect(driver, LATER);
    order_sign_in(driver, LATER, "bob", "198.51.100.7", NULL);
}

static void a_banned_key_does_not_sign_in_to_its_own_account(void **state)
{
    static const char by_key[] = "{'t':'sign_in','method':'key','name':'kay','key':"
                                 "{'type':'ssh-ed25519','fingerprint':'" FINGERPRINT "'}}";
    struct driver *driver = *state;
    driver_connect_from(driver, LATER, "192.0.2.9", "ssh");
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    driver_ok(driver, LATER, "%s", by_key);
    driver_ok(driver, LATER, "{'t':'sign_up','name':'kay'}");
    driver_disconnect(driver, LATER);
    order_ok(driver, MAX, "ban key=" FINGERPRINT " 1d cheating");
    driver_connect_from(driver, LATER, "192.0.2.10", "ssh");
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    driver_no(driver, LATER, "banned", "%s", by_key);
}

static void lifting_one_sanction_names_those_that_stay(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 10d shouting");
    order_ok(driver, MAX, "hold bob too many names");
    const char *said = order_ok(driver, MAX, "release bob");
    assert_non_null(strstr(said, "bob is released"));
    assert_non_null(strstr(said, "Still in force: muted"));
    assert_non_null(strstr(order_no(driver, MAX, "unknown", "release bob"), "not held"));
    order_ok(driver, MAX, "suspend bob 1d stalling");
    said = order_ok(driver, MAX, "unmute bob");
    assert_non_null(strstr(said, "Lifted: muted"));
    assert_non_null(strstr(said, "Still in force: suspended"));
}

static void releasing_a_guest_names_the_account_that_stays_held(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, LATER, "192.0.2.9");
    order_ok(driver, MAX, "hold guest-1 too many names");
    driver_disconnect(driver, LATER);
    driver_sign_up_from(driver, LATER, "zoe", "192.0.2.9");
    driver_no(driver, LATER, "held", LOBBY);
    const char *said = order_ok(driver, MAX, "release guest-1");
    assert_non_null(strstr(said, "zoe"));
    assert_non_null(strstr(said, "/release zoe"));
    order_ok(driver, MAX, "release zoe");
    driver_ok(driver, LATER, LOBBY);
}

TEST_GROUP(mod_sanctions)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(a_mute_applies_in_its_scope_until_it_expires),
        ORDER_TEST(a_mute_survives_a_restart_and_can_be_lifted),
        ORDER_TEST(a_sanction_by_a_superior_cannot_be_lifted),
        ORDER_TEST(a_warning_must_be_acknowledged_before_chatting),
        ORDER_TEST(somebody_suspended_may_enter_but_not_sit_down),
        ORDER_TEST(somebody_suspended_loses_their_seat_in_a_running_game),
        ORDER_TEST(a_ban_keeps_an_account_out_and_says_why),
        ORDER_TEST(a_ban_ends_even_connections_that_do_not_read_their_messages),
        ORDER_TEST(a_ban_applies_to_connections_that_survive_a_crash_of_the_core),
        ORDER_TEST(no_password_can_be_tried_from_a_banned_network),
        ORDER_TEST(the_gate_is_told_which_networks_are_banned),
        ORDER_TEST(somebody_banned_can_appeal_at_sign_in),
        ORDER_TEST(a_suspension_that_affects_several_people_requires_confirmation),
        ORDER_TEST(banning_a_network_that_affects_several_people_requires_confirmation),
        ORDER_TEST(a_refused_sign_in_of_a_banned_person_shuts_no_address_for_others),
        ORDER_TEST(a_banned_key_cannot_sign_up),
        ORDER_TEST(somebody_banned_is_offered_only_an_appeal),
        ORDER_TEST(an_appeal_at_sign_in_may_have_the_length_of_a_chat_line),
        ORDER_TEST(staff_notices_about_refused_sign_ins_are_limited_in_rate),
        ORDER_TEST(staff_notices_are_limited_in_rate_even_when_many_bans_refuse_sign_ins),
        ORDER_TEST(an_impossible_key_fingerprint_is_refused),
        ORDER_TEST(banning_a_wide_network_always_requires_confirmation),
        ORDER_TEST(nobody_can_ban_their_own_network),
        ORDER_TEST(a_ban_can_be_edited_by_its_number),
        ORDER_TEST(staff_can_disconnect_people_who_may_then_return),
        ORDER_TEST(a_host_can_free_a_seat_before_the_game_begins),
        ORDER_TEST(a_host_can_free_the_seat_of_somebody_who_is_not_there),
        ORDER_TEST(an_allowlisted_address_may_enter_from_a_banned_network),
        ORDER_TEST(a_banned_key_does_not_sign_in_to_its_own_account),
        ORDER_TEST(lifting_one_sanction_names_those_that_stay),
        ORDER_TEST(releasing_a_guest_names_the_account_that_stays_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
