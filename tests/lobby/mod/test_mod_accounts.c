#include "lobby/accounts/accounts.h"
#include "storage/archive/archive.h"
#include "storage/people/people.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <string.h>

/* Tests what staff can learn about accounts and how they can change them. */

#define HOOK 3 /* connection of the process that calls webhooks */
#define SIGN_UP(name) "{'t':'sign_up','name':'" name "','password':'a long password'}"
#define LOBBY "{'t':'say','to':'lobby','kind':'say','text':'hello'}"

static void a_held_account_can_play_but_cannot_chat_until_staff_release_it(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "hold bob too many names");
    order_expect_audit_row(driver, "max hold bob ok");
    order_expect_message(driver, BOB, "notice", "too many names");
    driver_no(driver, BOB, "held", LOBBY);
    driver_open_table(driver, BOB, 3, 0);
    order_ok(driver, MAX, "release bob");
    order_expect_audit_row(driver, "max release bob ok");
    driver_ok(driver, BOB, LOBBY);
    order_ok(driver, MAX, "hold bob again");
    driver_ok(driver, MAX, "{'t':'mod','line':'release bob'}");
    order_expect_audit_rows(driver, 2, "max release bob ok");
}

static void staff_write_and_read_notes(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "note bob is kind in private");
    order_expect_audit_row(driver, "max note bob ok");
    assert_non_null(strstr(order_ok(driver, ADA, "notes bob"), "max: is kind in private"));
    order_expect_audit_row(driver, "ada notes bob ok");
    assert_non_null(strstr(order_ok(driver, ADA, "notes eve"), "Nobody noted"));
    order_ok(driver, MAX, "mute bob 1h spam");
    assert_non_null(strstr(order_ok(driver, ADA, "whois bob"), "spam"));
    order_expect_audit_row(driver, "ada whois bob ok");
    order_no(driver, BOB, "role", "notes bob");
    order_no(driver, BOB, "role", "whois eve");
}

static void accounts_used_from_the_same_address_are_found(void **state)
{
    struct driver *driver = *state;
    assert_null(strstr(order_ok(driver, MAX, "alts bob"), "192.0.2.7"));
    order_no(driver, BOB, "role", "alts eve");
    order_sign_in(driver, LATER, "eve", "192.0.2.7", NULL);
    assert_non_null(strstr(order_ok(driver, MAX, "alts bob"), "eve · 192.0.2.7"));
    order_expect_audit_row(driver, "max alts bob ok");
    const char *said = order_ok(driver, MAX, "sessions eve");
    assert_non_null(strstr(said, "192.0.2.7"));
    assert_non_null(strstr(said, "192.0.2.8"));
    assert_non_null(strstr(said, "now"));
    order_expect_audit_row(driver, "max sessions eve ok");
}

static void a_renamed_player_keeps_their_seat_and_sanctions(void **state)
{
    struct driver *driver = *state;
    driver_open_table(driver, BOB, 3, 0);
    order_no(driver, MAX, "name_taken", "rename bob eve why");
    order_no(driver, MAX, "name_bad", "rename bob B! why");
    order_ok(driver, MAX, "rename bob robert a nicer name");
    order_expect_audit_row(driver, "max rename bob ok");
    order_expect_message(driver, BOB, "notice", "a nicer name");
    assert_string_equal(
        driver_read_text(json_object_get(driver_newest_message(driver, BOB, "you"), "you"), "name"),
        "robert");
    const json_t *table = driver_newest_message(driver, BOB, "table");
    assert_string_equal(driver_read_text(table, "host"), "robert");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, BOB, "{'t':'seat_leave'}");
    order_no(driver, MAX, "unknown", "mute bob 1h why");
    order_ok(driver, MAX, "mute robert 1h why");
    driver_no(driver, BOB, "muted", LOBBY);
}

static void roles_can_be_granted_and_revoked(void **state)
{
    struct driver *driver = *state;
    order_no(driver, MAX, "role", "role bob mod why");
    order_ok(driver, ADA, "role bob mod helps a lot");
    order_expect_audit_row(driver, "ada role bob ok");
    order_expect_message(driver, BOB, "notice", "helps a lot");
    driver_ok(driver, BOB, "{'t':'step_up','password':'password of bob'}");
    order_ok(driver, BOB, "mute eve 1h why");
    order_no(driver, ADA, "bad", "role bob king why");
    order_ok(driver, ADA, "role bob player thanks");
    order_no(driver, BOB, "role", "mute eve 1h why");
}

static void
an_account_made_by_an_admin_is_entered_by_its_code_while_registration_is_closed(void **state)
{
    struct driver *driver = *state;
    char code[20] = "";
    order_ok(driver, ADA, "registration closed");
    order_no(driver, MAX, "role", "account add zoe");
    order_no(driver, ADA, "name_taken", "account add bob");
    order_no(driver, ADA, "name_bad", "account add Z!");
    order_no(driver, ADA, "bad", "account sub zoe");
    const char *said = order_ok(driver, ADA, "account add zoe");
    order_expect_audit_row(driver, "ada account zoe ok");
    assert_int_equal(sscanf(said, "Whoever types %19s", code), 1);
    order_no(driver, ADA, "name_taken", "account add zoe");
    assert_null(strstr(order_ok(driver, ADA, "audit verb=account"), code));
    driver_connect_session(driver, LATER);
    driver_ok(driver, LATER, "{'t':'sign_in','method':'password','name':'zoe','password':'%s'}",
              code);
    driver_ok(driver, LATER, LOBBY);
    driver_disconnect(driver, LATER);
    driver_clear_inbox(driver, LATER);
    driver_connect_session(driver, LATER);
    driver_clear_inbox(driver, LATER);
    driver_request(driver, LATER,
                   "{'t':'sign_in','method':'password','name':'zoe','password':'%s'}", code);
    driver_pass_time(driver, 1000);
    assert_null(driver_newest_message(driver, LATER, "ok"));
}

static void a_recovery_code_signs_in_once(void **state)
{
    struct driver *driver = *state;
    char code[32];
    const char *said = order_ok(driver, ADA, "recover bob");
    order_expect_audit_row(driver, "ada recover bob ok");
    assert_non_null(strstr(said, "types "));
    snprintf(code, sizeof code, "%.19s", strstr(said, "types ") + 6);
    driver_connect(driver, LATER, PEER_SESSION);
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    driver_ok(driver, LATER, "{'t':'sign_in','method':'password','name':'bob','password':'%s'}",
              code);
    driver_disconnect(driver, LATER);
    driver_clear_inbox(driver, LATER);
    driver_connect(driver, LATER, PEER_SESSION);
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    driver_request(driver, LATER,
                   "{'t':'sign_in','method':'password','name':'bob','password':'%s'}", code);
    driver_pass_time(driver, 1000);
    assert_null(driver_newest_message(driver, LATER, "ok"));
    assert_null(strstr(order_ok(driver, ADA, "audit verb=recover"), code));
}

static void an_account_marked_as_a_bot_is_rated_separately(void **state)
{
    struct driver *driver = *state;
    order_no(driver, MAX, "role", "program eve on no one is as quick");
    order_no(driver, ADA, "bad", "program eve maybe no one is as quick");
    order_no(driver, ADA, "bad", "program eve off no one is as quick");
    order_no(driver, ADA, "reason", "program eve on");
    order_no(driver, OWNER, "staff", "program max on no one is as quick");
    int64_t table = driver_open_table(driver, EVE, 3, 60);
    order_ok(driver, ADA, "program eve on no one is as quick");
    order_expect_audit_row(driver, "ada program eve ok");
    order_expect_message(driver, EVE, "notice", "no one is as quick");
    driver_ok(driver, BOB, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, BOB, "{'t':'table_start'}");
    assert_true(
        json_is_false(json_object_get(driver_newest_message(driver, BOB, "table"), "is_rated")));
    const json_t *seats = json_object_get(driver_newest_message(driver, BOB, "table"), "seats");
    assert_true(json_is_true(json_object_get(json_array_get(seats, 1), "is_program")));
    driver_ok(driver, EVE, "{'t':'seat_leave','for_good':true}");
    order_ok(driver, ADA, "program eve off it was a person");
    order_expect_audit_row(driver, "ada program eve ok");
}

static void an_account_can_be_merged_into_another(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute eve 10d shouting");
    order_no(driver, ADA, "confirm", "merge eve bob the same person");
    order_ok(driver, ADA, "yes merge eve bob the same person");
    order_expect_audit_row(driver, "ada merge eve ok");
    order_expect_message(driver, EVE, "bye", "part of bob");
    driver_disconnect(driver, EVE);
    driver_disconnect(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    driver_no(driver, BOB, "muted", LOBBY);
    driver_connect(driver, LATER, PEER_SESSION);
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    driver_request(driver, LATER,
                   "{'t':'sign_in','method':'password','name':'eve','password':'password of eve'}");
    driver_pass_time(driver, 1000);
    assert_null(driver_newest_message(driver, LATER, "ok"));
}

static void a_deleted_accounts_webhook_is_not_called(void **state)
{
    struct driver *driver = *state;
    static const int64_t people[] = {ADA, BOB, EVE};
    driver->config.webhook_enabled = true;
    driver_restart_core(driver);
    for (size_t i = 0; i < ARRAY_LEN(people); i++) {
        driver_connect(driver, people[i], PEER_SESSION);
        (void)driver_send(driver, people[i], "{'t':'hello','protocol':3}");
    }
    for (size_t i = 1; i < ARRAY_LEN(people); i++) {
        driver_ok(driver, people[i], "{'t':'hook_set','url':'https://example.org/%zu'}", i);
        driver_ok(driver, people[i], "{'t':'hook_test'}");
    }
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
    order_ok(driver, ADA, "yes delete eve she asked for it");
    driver_connect(driver, HOOK, PEER_HOOK);
    (void)driver_send(driver, HOOK, "{'t':'hello','protocol':3}");
    driver_pass_time(driver, 3600000);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 1);
    assert_string_equal(driver_read_text(driver_newest_message(driver, HOOK, "post"), "url"),
                        "https://example.org/1");
}

static void a_deleted_accounts_name_and_chat_lines_are_erased(void **state)
{
    struct driver *driver = *state;
    driver_ok(driver, EVE, "{'t':'say','to':'lobby','kind':'say','text':'my secret'}");
    order_no(driver, ADA, "confirm", "delete eve she asked for it");
    order_ok(driver, ADA, "yes delete eve she asked for it");
    order_expect_audit_row(driver, "ada delete eve ok");
    order_expect_message(driver, EVE, "bye", "deleted");
    driver_disconnect(driver, EVE);
    assert_null(strstr(order_ok(driver, ADA, "log lobby"), "my secret"));
    order_no(driver, ADA, "unknown", "whois eve");
}

static void staff_can_look_at_a_closed_account_but_cannot_change_it(void **state)
{
    static const char *const lines[] = {
        "rename bob bill why", "role bob mod why",      "recover bob",
        "program bob on why",  "yes merge bob max why", "yes merge max bob why",
        "yes delete bob why",
    };
    struct driver *driver = *state;
    order_ok(driver, ADA, "yes merge bob eve the same person");
    driver_disconnect(driver, BOB);
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        order_no(driver, OWNER, "closed", lines[i]);
    }
    assert_non_null(strstr(order_ok(driver, ADA, "whois bob"), "closed for good"));
    driver_no(driver, EVE, "unknown", "{'t':'tell','to':'bob','text':'hello'}");
    driver_no(driver, EVE, "unknown", "{'t':'friend_add','name':'bob'}");
}

static void a_disconnected_person_is_told_why_even_if_the_core_dies_meanwhile(void **state)
{
    static const char *const lines[] = {"kick eve shouting", "yes delete eve why",
                                        "yes merge eve bob why", "ban eve 1d why"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        void *own = NULL;
        assert_int_equal(order_setup(&own), 0);
        struct driver *driver = own;
        char words[1024];
        order_ok(driver, ADA, lines[i]);
        (void)snprintf(words, sizeof words, "%s",
                       driver_read_text(driver_newest_message(driver, EVE, "bye"), "why"));
        driver_restart_core(driver);
        driver_clear_inbox(driver, EVE);
        driver_connect_session(driver, EVE);
        driver_clear_inbox(driver, BOB);
        driver_connect_session(driver, BOB);
        assert_string_equal(
            driver_read_text(driver_newest_message(driver, BOB, "welcome"), "phase"), "in");
        assert_null(driver_newest_message(driver, EVE, "welcome"));
        assert_non_null(driver_newest_message(driver, EVE, "bye"));
        if (strcmp(driver_read_text(driver_newest_message(driver, EVE, "bye"), "why"), words) !=
            0) {
            fail_msg("%s: the next core tells eve another reason", lines[i]);
        }
        assert_int_equal(driver_teardown(&own), 0);
    }
}

/* The account of somebody in a running game cannot be merged. The refusal names the table, so that
 * staff can end its game. */
static void an_account_seated_in_a_game_cannot_be_merged_or_deleted_until_it_ends(void **state)
{
    static const char *const lines[] = {"yes delete bob why", "yes merge bob eve why",
                                        "program bob on why"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        void *own = NULL;
        assert_int_equal(order_setup(&own), 0);
        struct driver *driver = own;
        int64_t table = driver_open_table(driver, BOB, 3, 0);
        order_no(driver, MAX, "no_game", "adjudicate #1 void why");
        assert_non_null(strstr(order_ok(driver, ADA, lines[i]), "seat at #1 is free"));
        driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
        driver_ok(driver, EVE, "{'t':'seat_take','seat':0}");
        assert_int_equal(driver_teardown(&own), 0);
        assert_int_equal(order_setup(&own), 0);
        driver = own;
        (void)driver_open_table(driver, BOB, 3, 60);
        driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
        driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
        driver_ok(driver, BOB, "{'t':'table_start'}");
        assert_non_null(strstr(order_no(driver, ADA, "seated", lines[i]), "#1"));
        order_ok(driver, MAX, "yes adjudicate #1 void why");
        order_ok(driver, ADA, lines[i]);
        assert_int_equal(driver_teardown(&own), 0);
    }
}

/* Begins a game of eve, bob and a bot. */
static int64_t start_game_of_eve_and_bob(struct driver *driver)
{
    const int64_t table = driver_open_table(driver, EVE, 3, 60);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, EVE, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, EVE, "{'t':'table_start'}");
    return table;
}

static void an_account_that_left_a_running_game_cannot_be_merged_or_deleted(void **state)
{
    struct driver *driver = *state;
    const int64_t eve[] = {EVE};
    const int64_t table = start_game_of_eve_and_bob(driver);
    driver_ok(driver, BOB, "{'t':'seat_leave','for_good':true}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    assert_non_null(strstr(order_no(driver, ADA, "seated", "yes delete bob why"), "#1"));
    assert_non_null(strstr(order_no(driver, ADA, "seated", "yes merge bob eve why"), "#1"));
    driver_restart_core(driver);
    driver_sign_in(driver, EVE, "eve");
    driver_sign_in(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
    order_no(driver, ADA, "seated", "yes delete bob why");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    (void)driver_play_moves(driver, eve, 1, SIZE_MAX);
    order_ok(driver, ADA, "yes delete bob why");
}

static void the_scores_of_a_game_show_the_new_name_of_a_player_renamed_during_it(void **state)
{
    struct driver *driver = *state;
    struct storage_score scores[STORAGE_SCORES_MAX];
    size_t count = 0;
    const int64_t eve[] = {EVE};
    const int64_t table = start_game_of_eve_and_bob(driver);
    order_ok(driver, MAX, "rename bob robert a nicer name");
    driver_ok(driver, BOB, "{'t':'seat_leave','for_good':true}");
    order_ok(driver, MAX, "rename robert rob shorter still");
    driver_restart_core(driver);
    driver_sign_in(driver, EVE, "eve");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    (void)driver_play_moves(driver, eve, 1, SIZE_MAX);
    assert_int_equal(storage_scores_read(driver->storage, 1, scores, STORAGE_SCORES_MAX, &count),
                     STORAGE_OK);
    bool has_rob = false;
    for (size_t i = 0; i < count; i++) {
        assert_string_not_equal(scores[i].who.name, "bob");
        assert_string_not_equal(scores[i].who.name, "robert");
        has_rob = has_rob || strcmp(scores[i].who.name, "rob") == 0;
    }
    assert_true(has_rob);
}

static void an_invitation_stays_valid_after_a_rename_and_is_deleted_with_the_account(void **state)
{
    struct driver *driver = *state;
    struct storage_invitation row;
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    order_ok(driver, BOB, "invite eve");
    order_ok(driver, MAX, "rename eve eva a nicer name");
    assert_int_equal(storage_invitation_read(driver->storage, "eve", &row), STORAGE_NOT_FOUND);
    assert_int_equal(storage_invitation_read(driver->storage, "eva", &row), STORAGE_OK);
    assert_int_equal(row.table, table);
    order_ok(driver, ADA, "yes delete eva she asked for it");
    assert_int_equal(storage_invitation_read(driver->storage, "eva", &row), STORAGE_NOT_FOUND);
}

static void a_former_name_is_reserved_for_thirty_days(void **state)
{
    struct driver *driver = *state;
    const char as_eve[] = "{'t':'sign_up','name':'eve','password':'password of eve'}";
    order_ok(driver, MAX, "rename eve eva a nicer name");
    driver_connect_session(driver, LATER);
    driver_ok(driver, LATER, "{'t':'sign_in','method':'password','name':'zoe','password':''}");
    driver_no(driver, LATER, "name_taken", "%s", as_eve);
    driver_no(driver, LATER, "name_taken", "{'t':'name_check','name':'eve'}");
    order_no(driver, ADA, "name_taken", "rename bob eve she is gone");
    driver_pass_time(driver, FORMER_NAME_DAYS * DAY_MS - 1000);
    driver_no(driver, LATER, "name_taken", "%s", as_eve);
    driver_pass_time(driver, 2000);
    driver_ok(driver, LATER, "%s", as_eve);
}

static void a_renamed_account_may_take_its_former_name_back(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "rename eve eva a nicer name");
    assert_non_null(strstr(order_ok(driver, MAX, "whois eve"), "eva"));
    order_ok(driver, MAX, "rename eva eve she liked the old one");
}

static void merging_an_account_into_a_banned_one_disconnects_its_owner(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban eve 10d cheating");
    order_ok(driver, ADA, "yes merge eve bob the same person");
    order_expect_message(driver, BOB, "bye", "cheating");
}

static void somebody_who_loses_the_role_that_exempted_them_from_a_ban_is_disconnected(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "role eve mod trusted");
    order_ok(driver, OWNER, "yes ban ip=192.0.2.8 1d a flood");
    assert_null(driver_newest_message(driver, EVE, "bye"));
    order_ok(driver, ADA, "role eve player no longer");
    order_expect_message(driver, EVE, "bye", "a flood");
}

static void only_the_house_owner_may_merge_an_account_into_one_of_staff(void **state)
{
    struct driver *driver = *state;
    order_no(driver, ADA, "role", "yes merge eve max the same person");
    order_expect_audit_row(driver, "ada merge eve denied");
    order_ok(driver, OWNER, "yes merge eve max the same person");
}

static void an_invitation_lets_one_person_sign_up_while_registration_is_closed(void **state)
{
    struct driver *driver = *state;
    char code[32] = "";
    order_ok(driver, ADA, "registration closed");
    order_no(driver, MAX, "role", "account code");
    const char *said = order_ok(driver, ADA, "account code");
    assert_int_equal(sscanf(said, "Whoever types %31s", code), 1);
    assert_null(strstr(order_ok(driver, ADA, "audit verb=account"), code));
    for (int64_t conn = LATER; conn <= LATER + 1; conn++) {
        driver_connect_session(driver, conn);
        driver_ok(driver, conn, "{'t':'sign_in','method':'password','name':'','password':''}");
        driver_no(driver, conn, "closed", SIGN_UP("zoe"));
    }
    driver_no(driver, LATER, "no_key", "{'t':'code_use','code':'BBBB-BBBB'}");
    driver_pass_time(driver, 1000);
    const json_t *answer = driver_ok(driver, LATER, "{'t':'code_use','code':'%s'}", code);
    assert_string_equal(driver_read_text(answer, "result"), "invited");
    /* two people who both know the code */
    driver_ok(driver, LATER + 1, "{'t':'code_use','code':'%s'}", code);
    driver_ok(driver, LATER, SIGN_UP("zoe"));
    driver_ok(driver, LATER, LOBBY);
    driver_no(driver, LATER + 1, "closed", SIGN_UP("yan"));
    driver_no(driver, LATER + 1, "no_key", "{'t':'code_use','code':'%s'}", code);
    driver_no(driver, LATER + 1, "closed", SIGN_UP("yan"));
}

TEST_GROUP(mod_accounts)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(a_held_account_can_play_but_cannot_chat_until_staff_release_it),
        ORDER_TEST(staff_write_and_read_notes),
        ORDER_TEST(accounts_used_from_the_same_address_are_found),
        ORDER_TEST(a_renamed_player_keeps_their_seat_and_sanctions),
        ORDER_TEST(roles_can_be_granted_and_revoked),
        ORDER_TEST(an_account_made_by_an_admin_is_entered_by_its_code_while_registration_is_closed),
        ORDER_TEST(a_recovery_code_signs_in_once),
        ORDER_TEST(an_account_marked_as_a_bot_is_rated_separately),
        ORDER_TEST(an_account_can_be_merged_into_another),
        ORDER_TEST(a_deleted_accounts_webhook_is_not_called),
        ORDER_TEST(a_deleted_accounts_name_and_chat_lines_are_erased),
        ORDER_TEST(staff_can_look_at_a_closed_account_but_cannot_change_it),
        cmocka_unit_test(a_disconnected_person_is_told_why_even_if_the_core_dies_meanwhile),
        cmocka_unit_test(an_account_seated_in_a_game_cannot_be_merged_or_deleted_until_it_ends),
        ORDER_TEST(an_account_that_left_a_running_game_cannot_be_merged_or_deleted),
        ORDER_TEST(the_scores_of_a_game_show_the_new_name_of_a_player_renamed_during_it),
        ORDER_TEST(an_invitation_stays_valid_after_a_rename_and_is_deleted_with_the_account),
        ORDER_TEST(a_former_name_is_reserved_for_thirty_days),
        ORDER_TEST(a_renamed_account_may_take_its_former_name_back),
        ORDER_TEST(merging_an_account_into_a_banned_one_disconnects_its_owner),
        ORDER_TEST(somebody_who_loses_the_role_that_exempted_them_from_a_ban_is_disconnected),
        ORDER_TEST(only_the_house_owner_may_merge_an_account_into_one_of_staff),
        ORDER_TEST(an_invitation_lets_one_person_sign_up_while_registration_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
