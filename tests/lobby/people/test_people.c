#include "tests/lobby/house_driver.h"

#include "lobby/house/house_state.h"
#include "storage/accounts/accounts.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

/* Returns the row about a person that the connection was last sent in a `lobby` message; NULL:
 * none. */
static const json_t *find_lobby_row(const struct driver *driver, int64_t conn, const char *name)
{
    const json_t *found = NULL;
    for (size_t i = 0; i < json_array_size(driver->inbox[conn]); i++) {
        const json_t *message = json_array_get(driver->inbox[conn], i);
        const json_t *people = json_object_get(message, "people");
        for (size_t j = 0; j < json_array_size(people); j++) {
            const json_t *row = json_array_get(people, j);
            found = strcmp(driver_read_text(row, "name"), name) == 0 ? row : found;
        }
    }
    return found;
}

static void friends_survive_a_restart_and_are_listed_by_name(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, ADA, "{'t':'friend_add','name':'bob'}");
    driver_ok(driver, ADA, "{'t':'friend_add','name':'bob'}");
    const json_t *names = json_object_get(driver_newest_message(driver, ADA, "friends"), "names");
    assert_int_equal(json_array_size(names), 1);
    assert_int_equal(
        json_array_size(json_object_get(driver_newest_message(driver, BOB, "friends"), "names")),
        0);
    driver_restart_core(driver);
    driver_sign_in(driver, ADA, "ada");
    names = json_object_get(driver_newest_message(driver, ADA, "friends"), "names");
    assert_string_equal(json_string_value(json_array_get(names, 0)), "bob");
    driver_ok(driver, ADA, "{'t':'friend_remove','name':'bob'}");
    names = json_object_get(driver_newest_message(driver, ADA, "friends"), "names");
    assert_int_equal(json_array_size(names), 0);
    driver_no(driver, ADA, "unknown", "{'t':'friend_remove','name':'bob'}");
}

static void a_person_is_found_by_any_spelling_of_their_name(void **state)
{
    static const char *const requests[] = {
        "{'t':'friend_add','name':'BOB'}",    "{'t':'friend_remove','name':'Bob'}",
        "{'t':'tell','to':'BOB','text':'a'}", "{'t':'profile','name':'bOB'}",
        "{'t':'games','name':'BOB'}",         "{'t':'mod','line':'ignore Bob'}",
        "{'t':'mod','line':'unignore BOB'}"};
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "Bob");
    assert_string_equal(
        driver_read_text(driver_ok(driver, ADA, "{'t':'profile','name':'bob'}"), "name"), "bob");
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        driver_ok(driver, ADA, "%s", requests[i]);
    }
    driver_disconnect(driver, BOB);
    driver_connect(driver, BOB, PEER_SESSION);
    assert_int_equal(
        driver_send(driver, BOB, "{'t':'hello','protocol':3,'lobby':true,'software':'test'}"),
        HOUSE_OK);
    const json_t *answer =
        driver_ok(driver, BOB,
                  "{'t':'sign_in','method':'password','name':'bOB','password':'password of Bob'}");
    assert_string_equal(driver_read_text(json_object_get(answer, "you"), "name"), "bob");
}

static void only_other_accounts_can_be_friends(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_enter_as_guest(driver, BOB);
    driver_no(driver, ADA, "self", "{'t':'friend_add','name':'ada'}");
    driver_no(driver, ADA, "unknown", "{'t':'friend_add','name':'guest-1'}");
    driver_no(driver, ADA, "unknown", "{'t':'friend_add','name':'zoe'}");
    driver_no(driver, ADA, "unknown", "{'t':'friend_add'}");
    driver_no(driver, BOB, "guest", "{'t':'friend_add','name':'ada'}");
    assert_int_equal(
        json_array_size(json_object_get(driver_ok(driver, BOB, "{'t':'friends'}"), "friends")), 0);
}

static void friends_are_listed_with_their_table_or_when_they_were_last_seen(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    driver_ok(driver, ADA, "{'t':'friend_add','name':'eve'}");
    driver_ok(driver, ADA, "{'t':'friend_add','name':'bob'}");
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    driver_disconnect(driver, EVE);
    int64_t left_ms = driver->now_ms;
    driver_pass_time(driver, HOUR_MS);
    const json_t *rows = json_object_get(driver_ok(driver, ADA, "{'t':'friends'}"), "friends");
    const json_t *bob = json_array_get(rows, 0);
    const json_t *eve = json_array_get(rows, 1);
    assert_string_equal(driver_read_text(bob, "name"), "bob");
    assert_true(json_is_true(json_object_get(bob, "here")));
    assert_int_equal(driver_read_number(bob, "table"), table);
    assert_true(json_is_true(json_object_get(bob, "seated")));
    assert_int_equal(driver_read_number(bob, "idle_s"), 3600);
    assert_true(json_is_false(json_object_get(eve, "here")));
    assert_int_equal(driver_read_number(eve, "seen_at"), left_ms);
}

static void only_those_who_have_somebody_as_a_friend_are_told_of_their_arrival(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    driver_ok(driver, ADA, "{'t':'friend_add','name':'bob'}");
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, 1000);
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(driver_count_messages_with_words(driver, ADA, "notice", "bob is in the house"),
                     0); /* a short absence counts as a lost connection, not as a departure */
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, HOUR_MS);
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(driver_count_messages_with_words(driver, ADA, "notice", "bob is in the house"),
                     1);
    assert_int_equal(driver_count_messages_with_words(driver, EVE, "notice", "bob is in the house"),
                     0);
    driver_ok(driver, ADA, "{'t':'settings_set','settings':{'arrivals':false}}");
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, HOUR_MS);
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(driver_count_messages_with_words(driver, ADA, "notice", "bob is in the house"),
                     1);
}

#define FRIENDS_CONN 50 /* the first connection of those who come in together */

static void come_in_again(struct driver *driver, int count)
{
    char name[16];
    driver_pass_time(driver, HOUR_MS);
    for (int i = 0; i < count; i++) {
        (void)snprintf(name, sizeof(name), "pal%d", i);
        driver_sign_in(driver, FRIENDS_CONN + i, name);
    }
}

static void leave_together(struct driver *driver, int count)
{
    for (int i = 0; i < count; i++) {
        driver_disconnect(driver, FRIENDS_CONN + i);
    }
}

static void friends_who_come_in_together_are_announced_together(void **state)
{
    struct driver *driver = *state;
    char name[16];
    driver_sign_up(driver, ADA, "ada");
    for (int i = 0; i < 9; i++) {
        (void)snprintf(name, sizeof(name), "pal%d", i);
        driver_sign_up(driver, FRIENDS_CONN + i, name);
        driver_ok(driver, ADA, "{'t':'friend_add','name':'%s'}", name);
    }
    leave_together(driver, 9);
    come_in_again(driver, 1);
    driver_pass_time(driver, 1); /* the first one is announced at once */
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "notice"), "text"),
                        "Your friend pal0 is in the house now.");
    leave_together(driver, 1);
    driver_clear_inbox(driver, ADA);
    come_in_again(driver, 4);
    driver_disconnect(driver, FRIENDS_CONN + 1);
    driver_pass_time(driver, 15000);
    assert_int_equal(driver_count_messages(driver, ADA, "notice"), 2);
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "notice"), "text"),
                        "Your friends are in the house now: pal2, pal3.");
    leave_together(driver, 4);
    driver_clear_inbox(driver, ADA);
    come_in_again(driver, 9);
    driver_pass_time(driver, 15000);
    assert_int_equal(driver_count_messages(driver, ADA, "notice"), 2);
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "notice"), "text"),
                        "Your friends are in the house now: pal1, pal2, pal3, pal4, pal5 and 3 "
                        "more.");
    driver_pass_time(driver, HOUR_MS);
    assert_int_equal(driver_count_messages(driver, ADA, "notice"), 2);
}

static void the_number_of_friends_is_limited(void **state)
{
    struct driver *driver = *state;
    struct storage_account account = {.kind = STORAGE_PLAYER, .settings = "{}"};
    driver_sign_up(driver, ADA, "ada");
    for (int i = 0; i <= LIMIT_FRIENDS; i++) {
        (void)snprintf(account.name, sizeof(account.name), "player%d", i);
        (void)snprintf(account.skeleton, sizeof(account.skeleton), "%d", i);
        assert_int_equal(storage_account_add(driver->storage, &account, &account.id), STORAGE_OK);
        driver_pass_time(driver, 1000);
        if (i < LIMIT_FRIENDS) {
            driver_ok(driver, ADA, "{'t':'friend_add','name':'%s'}", account.name);
        }
    }
    driver_no(driver, ADA, "full", "{'t':'friend_add','name':'%s'}", account.name);
}

static void an_offline_message_is_delivered_once_with_its_time(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_disconnect(driver, BOB);
    int64_t said_ms = driver->now_ms;
    const json_t *answer = driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'call me'}");
    assert_true(json_is_true(json_object_get(answer, "kept")));
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "chat"), "text"),
                        "call me");
    driver_pass_time(driver, 48 * HOUR_MS);
    driver_restart_core(driver);
    driver_sign_in(driver, BOB, "bob");
    const json_t *chat = driver_newest_message(driver, BOB, "chat");
    assert_string_equal(driver_read_text(chat, "from"), "ada");
    assert_string_equal(driver_read_text(chat, "text"), "call me");
    assert_int_equal(driver_read_number(chat, "at"), said_ms);
    assert_true(json_is_true(json_object_get(chat, "kept")));
    driver_disconnect(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_null(json_object_get(driver_newest_message(driver, BOB, "chat"), "kept"));
}

static void offline_messages_are_limited_per_recipient_and_per_sender(void **state)
{
    struct driver *driver = *state;
    driver->config.limits_registrations = 1000;
    driver_restart_core(driver);
    driver_sign_up(driver, BOB, "bob");
    driver_disconnect(driver, BOB);
    char name[16];
    for (int i = 0; i < 5; i++) {
        (void)snprintf(name, sizeof(name), "player-%c", 'a' + i);
        driver_sign_up(driver, ADA + 10 + i, name);
        for (int j = 0; j < LIMIT_OFFLINE_MESSAGES_PER_SENDER; j++) {
            driver_pass_time(driver, 3000);
            if (i < LIMIT_OFFLINE_MESSAGES / LIMIT_OFFLINE_MESSAGES_PER_SENDER) {
                driver_ok(driver, ADA + 10 + i, "{'t':'tell','to':'bob','text':'%d %d'}", i, j);
            }
        }
        driver_no(driver, ADA + 10 + i, "full", "{'t':'tell','to':'bob','text':'too much'}");
    }
    driver_enter_as_guest(driver, EVE);
    driver_no(driver, EVE, "absent", "{'t':'tell','to':'bob','text':'psst'}");
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), LIMIT_OFFLINE_MESSAGES);
}

static void an_expired_message_is_not_delivered_as_new(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_disconnect(driver, BOB);
    driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'old'}");
    driver_pass_time(driver, (LIMIT_OFFLINE_MESSAGE_DAYS + 1) * 24 * HOUR_MS);
    driver_sign_in(driver, BOB, "bob");
    assert_null(json_object_get(driver_newest_message(driver, BOB, "chat"), "kept"));
}

static void messages_during_do_not_disturb_are_delivered_afterwards(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'presence','kind':'dnd','text':'thinking'}");
    driver_pass_time(driver, 1000);
    assert_string_equal(driver_read_text(find_lobby_row(driver, ADA, "bob"), "presence"), "dnd");
    assert_string_equal(driver_read_text(find_lobby_row(driver, ADA, "bob"), "presence_text"),
                        "thinking");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'psst'}");
    assert_non_null(strstr(driver_read_text(answer, "word"), "disturbed: thinking"));
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 0);
    driver_restart_core(driver);
    driver_sign_in(driver, ADA, "ada");
    driver_sign_in(driver, BOB, "bob");
    assert_string_equal(driver_read_text(find_lobby_row(driver, ADA, "bob"), "presence"), "dnd");
    driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'and more'}");
    driver_clear_inbox(driver, BOB);
    driver_ok(driver, BOB, "{'t':'presence','kind':'here'}");
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 1);
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "chat"), "text"),
                        "and more");
    driver_pass_time(driver, 1000);
    assert_string_equal(driver_read_text(find_lobby_row(driver, ADA, "bob"), "presence"), "");
}

static void somebody_away_is_no_longer_away_after_the_next_action(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'presence','kind':'away','text':'coffee'}");
    driver_pass_time(driver, 1000);
    assert_string_equal(driver_read_text(find_lobby_row(driver, ADA, "bob"), "presence"), "away");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'psst'}");
    assert_string_equal(driver_read_text(answer, "word"), "bob is away: coffee.");
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 1);
    driver_ok(driver, BOB, "{'t':'ping'}");
    driver_pass_time(driver, 1000);
    assert_string_equal(driver_read_text(find_lobby_row(driver, ADA, "bob"), "presence"), "away");
    driver_ok(driver, BOB, "{'t':'say','to':'lobby','kind':'say','text':'back'}");
    driver_pass_time(driver, 1000);
    assert_string_equal(driver_read_text(find_lobby_row(driver, ADA, "bob"), "presence"), "");
    driver_no(driver, BOB, "bad", "{'t':'presence','kind':'gone'}");
    driver_no(driver, BOB, "too_long",
              "{'t':'presence','kind':'away','text':'01234567890123456789012345678901234567890'}");
}

static void a_removed_friend_is_not_announced_and_can_be_added_again(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, ADA, "{'t':'friend_add','name':'bob'}");
    driver_ok(driver, ADA, "{'t':'friend_remove','name':'bob'}");
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, HOUR_MS);
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(driver_count_messages_with_words(driver, ADA, "notice", "bob is in the house"),
                     0);
    driver_ok(driver, ADA, "{'t':'friend_add','name':'bob'}");
    const json_t *names = json_object_get(driver_newest_message(driver, ADA, "friends"), "names");
    assert_int_equal(json_array_size(names), 1);
}

TEST_GROUP(people)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(friends_survive_a_restart_and_are_listed_by_name),
        DRIVER_TEST(a_person_is_found_by_any_spelling_of_their_name),
        DRIVER_TEST(only_other_accounts_can_be_friends),
        DRIVER_TEST(friends_are_listed_with_their_table_or_when_they_were_last_seen),
        DRIVER_TEST(only_those_who_have_somebody_as_a_friend_are_told_of_their_arrival),
        DRIVER_TEST(friends_who_come_in_together_are_announced_together),
        DRIVER_TEST(the_number_of_friends_is_limited),
        DRIVER_TEST(an_offline_message_is_delivered_once_with_its_time),
        DRIVER_TEST(offline_messages_are_limited_per_recipient_and_per_sender),
        DRIVER_TEST(an_expired_message_is_not_delivered_as_new),
        DRIVER_TEST(messages_during_do_not_disturb_are_delivered_afterwards),
        DRIVER_TEST(somebody_away_is_no_longer_away_after_the_next_action),
        DRIVER_TEST(a_removed_friend_is_not_announced_and_can_be_added_again),
    };
    return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
