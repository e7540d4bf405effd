#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "lobby/webhooks/webhooks.h"
#include "storage/accounts/accounts.h"
#include "storage/mod/mod.h"
#include "storage/webhooks/hooks.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define HOOK 3 /* the process that sends webhooks */
#define URL "https://example.org/turn"

static void connect_webhook_worker(struct driver *driver)
{
    driver_connect(driver, HOOK, PEER_HOOK);
    (void)driver_send(driver, HOOK, "{'t':'hello','protocol':3,'software':'test'}");
}

/* Restarts the core as after a crash, with webhooks switched on. */
static void restart_core(struct driver *driver)
{
    driver->config.webhook_enabled = true;
    driver->config.webhook_command = "ssh -p 2222 house.example";
    driver_restart_core(driver);
    connect_webhook_worker(driver);
}

/* Begins a game at a table with this clock: Bob, who has a webhook, plays against Ada and a bot. */
static int64_t begin_game_of_webhook_owner(struct driver *driver, const char *clock,
                                           const char *events)
{
    restart_core(driver);
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'hook_set','url':'" URL "'}");
    if (events != NULL) {
        driver_ok(driver, BOB, "{'t':'hook_set','events':[%s]}", events);
    }
    const json_t *answer_newest_post = driver_ok(
        driver, ADA, "{'t':'table_open','game':'%s','players':3,'options':{},'clock':{%s}}",
        game_at(0)->id, clock);
    int64_t table = driver_read_number(answer_newest_post, "table");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    return table;
}

#define DAYS "'kind':'days','days':2"

/* Disconnects Bob, and lets the others play until it is his turn. */
static void disconnect_bob_and_play_until_his_turn(struct driver *driver)
{
    const int64_t ada[] = {ADA};
    driver_disconnect(driver, BOB);
    (void)driver_play_moves(driver, ada, 1, 1000);
    driver_pass_time(driver, HOOK_GONE_MS);
}

/* Returns the body of the newest webhook call, for the caller to release; NULL when there was
 * none. */
static json_t *read_newest_posted_body(const struct driver *driver)
{
    return json_loads(driver_read_text(driver_newest_message(driver, HOOK, "post"), "body"), 0,
                      NULL);
}

static int64_t read_newest_posted_job_number(const struct driver *driver)
{
    return driver_read_number(driver_newest_message(driver, HOOK, "post"), "job");
}

static int64_t read_time_of_newest_post_ms(const struct driver *driver)
{
    json_t *body = read_newest_posted_body(driver);
    int64_t at_ms = driver_read_number(body, "sent_at");
    json_decref(body);
    return at_ms;
}

static void answer_newest_post(struct driver *driver, int status)
{
    (void)driver_send(driver, HOOK, "{'t':'posted','job':%" PRId64 ",'status':%d}",
                      read_newest_posted_job_number(driver), status);
}

static void the_webhook_of_an_absent_player_is_called_once_for_a_turn(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game_of_webhook_owner(driver, DAYS, NULL);
    disconnect_bob_and_play_until_his_turn(driver);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 1);
    assert_string_equal(driver_read_text(driver_newest_message(driver, HOOK, "post"), "url"), URL);
    json_t *body = read_newest_posted_body(driver);
    assert_string_equal(driver_read_text(body, "event"), "turn");
    assert_string_equal(driver_read_text(body, "house"), "Test");
    assert_string_equal(driver_read_text(body, "player"), "bob");
    assert_string_equal(driver_read_text(body, "command"), "ssh -p 2222 house.example");
    assert_int_equal(driver_read_number(body, "table"), table);
    assert_true(driver_read_number(body, "due_at") > driver->now_ms);
    assert_int_equal(driver_read_number(body, "id"), read_newest_posted_job_number(driver));
    json_decref(body);
    answer_newest_post(driver, 204);
    driver_pass_time(driver, 20 * HOUR_MS);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 1);
    /* The call is not repeated when Bob has returned and left again. */
    driver_sign_in(driver, BOB, "bob");
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, HOUR_MS);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 1);
}

static void webhook_calls_contain_no_hidden_cards(void **state)
{
    struct driver *driver = *state;
    static const char *const known[] = {"id",     "sent_at", "table", "game", "title", "text",
                                        "due_at", "player",  "event", "at",   "house", "command"};
    (void)begin_game_of_webhook_owner(driver, DAYS, NULL);
    disconnect_bob_and_play_until_his_turn(driver);
    json_t *body = read_newest_posted_body(driver);
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        assert_int_equal(json_object_del(body, known[i]), 0);
    }
    assert_int_equal(json_object_size(body), 0);
    json_decref(body);
}

static void the_webhook_is_called_for_each_new_turn(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_of_webhook_owner(driver, DAYS, NULL);
    disconnect_bob_and_play_until_his_turn(driver);
    int64_t first = read_newest_posted_job_number(driver);
    answer_newest_post(driver, 200);
    driver_sign_in(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'table_enter','table':1}");
    const int64_t bob[] = {BOB};
    assert_int_equal(driver_play_moves(driver, bob, 1, 1), 1);
    disconnect_bob_and_play_until_his_turn(driver);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 2);
    assert_true(read_newest_posted_job_number(driver) > first);
}

static void a_webhook_call_is_withdrawn_if_the_turn_ends_first(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_of_webhook_owner(driver, DAYS, NULL);
    driver_disconnect(driver, HOOK);
    disconnect_bob_and_play_until_his_turn(driver);
    driver_sign_in(driver, BOB, "bob");
    const json_t *hook = driver_ok(driver, BOB, "{'t':'hook'}");
    assert_int_equal(driver_read_number(hook, "waiting"), 1);
    driver_ok(driver, BOB, "{'t':'table_enter','table':1}");
    const int64_t bob[] = {BOB};
    assert_int_equal(driver_play_moves(driver, bob, 1, 1), 1);
    hook = driver_ok(driver, BOB, "{'t':'hook'}");
    assert_int_equal(driver_read_number(hook, "waiting"), 0);
    connect_webhook_worker(driver);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 0);
}

static void no_webhook_is_called_for_people_who_are_present_and_active(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_of_webhook_owner(driver, DAYS, NULL);
    const int64_t ada[] = {ADA};
    (void)driver_play_moves(driver, ada, 1, 1000);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 0);
    driver_pass_time(driver, 10 * MINUTE_MS);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 1);
}

static void the_webhook_is_called_for_live_tables_if_its_owner_chose_them(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_of_webhook_owner(driver, "'kind':'none'", NULL);
    disconnect_bob_and_play_until_his_turn(driver);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 0);
    driver_sign_in(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'hook_set','events':['turn','live']}");
    disconnect_bob_and_play_until_his_turn(driver);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 1);
}

static void failed_webhook_calls_are_retried_at_growing_intervals_then_dropped(void **state)
{
    struct driver *driver = *state;
    static const int64_t pauses_ms[] = {MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS,
                                        12 * HOUR_MS};
    (void)begin_game_of_webhook_owner(driver, DAYS, NULL);
    disconnect_bob_and_play_until_his_turn(driver);
    int64_t job = read_newest_posted_job_number(driver);
    for (size_t i = 0; i < ARRAY_LEN(pauses_ms); i++) {
        answer_newest_post(driver, 500);
        size_t count = driver_count_messages(driver, HOOK, "post");
        driver_pass_time(driver,
                         read_time_of_newest_post_ms(driver) + pauses_ms[i] - 1 - driver->now_ms);
        assert_int_equal(driver_count_messages(driver, HOOK, "post"), count);
        driver_pass_time(driver, 1);
        assert_int_equal(driver_count_messages(driver, HOOK, "post"), count + 1);
        assert_int_equal(read_newest_posted_job_number(driver),
                         job); /* the receiver recognises the event by its number */
    }
    answer_newest_post(driver, 500);
    driver_pass_time(driver, 2 * HOUR_MS);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), HOOK_TRIES);
    driver_sign_in(driver, BOB, "bob");
    assert_true(driver_count_messages_with_words(driver, BOB, "notice", "1 message did not reach"));
}

static void after_twenty_failures_a_webhook_is_disabled_until_a_test_call_succeeds(void **state)
{
    struct driver *driver = *state;
    restart_core(driver);
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'hook_set','url':'" URL "'}");
    for (int i = 0; i < HOOK_FAILURES_MAX; i++) {
        assert_false(driver_count_messages_with_words(driver, BOB, "notice", "failed too often"));
        driver_ok(driver, BOB, "{'t':'hook_test'}");
        driver_no(driver, BOB, "wait", "{'t':'hook_test'}");
        answer_newest_post(driver, 404);
        assert_true(driver_count_messages_with_words(driver, BOB, "notice", "answered with 404"));
        driver_pass_time(driver, 10000);
    }
    assert_true(driver_count_messages_with_words(driver, BOB, "notice", "failed too often"));
    assert_true(json_is_true(json_object_get(driver_ok(driver, BOB, "{'t':'hook'}"), "is_off")));
    driver_disconnect(driver, BOB);
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_true(driver_count_messages_with_words(driver, BOB, "notice", "failed too often"));
    driver_ok(driver, BOB, "{'t':'hook_test'}");
    answer_newest_post(driver, 200);
    assert_true(driver_count_messages_with_words(driver, BOB, "notice", "Your webhook works"));
    assert_true(json_is_false(json_object_get(driver_ok(driver, BOB, "{'t':'hook'}"), "is_off")));
}

static void a_restarted_core_repeats_webhook_calls_that_were_not_answered(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_of_webhook_owner(driver, DAYS, NULL);
    disconnect_bob_and_play_until_his_turn(driver);
    int64_t job = read_newest_posted_job_number(driver);
    restart_core(driver);
    driver_sign_in(driver, ADA, "ada");
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 1);
    driver_pass_time(driver, MINUTE_MS);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 2);
    assert_int_equal(read_newest_posted_job_number(driver), job);
    answer_newest_post(driver, 200);
    /* An event whose call was answered is never sent again. */
    restart_core(driver);
    driver_pass_time(driver, HOUR_MS);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 2);
}

static void a_restarted_webhook_worker_is_given_the_unanswered_call_again(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_of_webhook_owner(driver, DAYS, NULL);
    disconnect_bob_and_play_until_his_turn(driver);
    int64_t job = read_newest_posted_job_number(driver);
    driver_disconnect(driver, HOOK);
    connect_webhook_worker(driver);
    driver_pass_time(driver, MINUTE_MS);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 2);
    assert_int_equal(read_newest_posted_job_number(driver), job);
    /* A worker that is stuck does not block the webhook for ever. */
    driver_pass_time(driver, 16 * HOUR_MS);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), HOOK_TRIES);
}

static void an_account_has_at_most_one_webhook_call_in_progress(void **state)
{
    struct driver *driver = *state;
    restart_core(driver);
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'hook_set','url':'" URL "'}");
    driver_ok(driver, BOB, "{'t':'hook_set','events':['tell']}");
    driver_pass_time(driver, 10 * MINUTE_MS);
    for (int i = 0; i < 3; i++) {
        driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'the ace is with me'}");
    }
    for (size_t i = 1; i <= 3; i++) {
        assert_int_equal(driver_count_messages(driver, HOOK, "post"), i);
        json_t *body = read_newest_posted_body(driver);
        assert_string_equal(driver_read_text(body, "event"), "tell");
        assert_string_equal(driver_read_text(body, "from"), "ada");
        char *text = json_dumps(body, 0);
        assert_null(strstr(text, "the ace"));
        free(text);
        json_decref(body);
        answer_newest_post(driver, 200);
    }
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 3);
}

static void an_offline_message_is_sent_to_the_webhook(void **state)
{
    struct driver *driver = *state;
    restart_core(driver);
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'hook_set','url':'" URL "'}");
    driver_ok(driver, BOB, "{'t':'hook_set','events':['tell']}");
    driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'hello'}");
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 0); /* Bob has read the message */
    driver_disconnect(driver, BOB);
    driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'hello'}");
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 1);
}

static void the_queue_of_webhook_events_is_limited(void **state)
{
    struct driver *driver = *state;
    restart_core(driver);
    driver_disconnect(driver, HOOK);
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'hook_set','url':'" URL "'}");
    driver_ok(driver, BOB, "{'t':'hook_set','events':['tell']}");
    driver_pass_time(driver, 10 * MINUTE_MS);
    for (int i = 0; i < STORAGE_HOOK_QUEUE_EACH + 5; i++) {
        driver_ok(driver, ADA, "{'t':'tell','to':'bob','text':'hello'}");
        driver_pass_time(driver, 3000);
    }
    assert_int_equal(driver_read_number(driver_ok(driver, BOB, "{'t':'hook'}"), "waiting"),
                     STORAGE_HOOK_QUEUE_EACH);
    driver_disconnect(driver, BOB);
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_true(
        driver_count_messages_with_words(driver, BOB, "notice", "5 messages did not reach"));
    driver_ok(driver, BOB, "{'t':'hook_set','url':null}");
    connect_webhook_worker(driver);
    driver_pass_time(driver, HOUR_MS);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 0);
}

static void the_webhook_is_called_at_the_end_of_a_game(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_of_webhook_owner(driver, "'kind':'move','move_s':5", "'over','live'");
    const int64_t ada[] = {ADA};
    driver_disconnect(driver, BOB);
    for (int i = 0; i < 400 && driver_count_messages(driver, HOOK, "post") == 0; i++) {
        (void)driver_play_moves(driver, ada, 1, 10);
        driver_pass_time(driver, MINUTE_MS);
    }
    json_t *body = read_newest_posted_body(driver);
    assert_string_equal(driver_read_text(body, "event"), "over");
    assert_true(driver_read_number(body, "game_id") > 0);
    json_decref(body);
}

static void the_webhook_secret_is_shown_once_and_changes_with_the_address(void **state)
{
    struct driver *driver = *state;
    restart_core(driver);
    driver_sign_up(driver, BOB, "bob");
    char first[STORAGE_HOOK_SECRET_SIZE];
    const json_t *set = driver_ok(driver, BOB, "{'t':'hook_set','url':'" URL "'}");
    (void)snprintf(first, sizeof(first), "%s", driver_read_text(set, "secret"));
    assert_int_equal(strlen(first), 64);
    assert_null(json_object_get(driver_ok(driver, BOB, "{'t':'hook'}"), "secret"));
    set = driver_ok(driver, BOB, "{'t':'hook_set','url':'" URL "'}");
    assert_string_not_equal(driver_read_text(set, "secret"), first);
    set = driver_ok(driver, BOB, "{'t':'hook_set','events':['turn','over']}");
    assert_null(json_object_get(set, "secret"));
    driver_no(driver, BOB, "bad", "{'t':'hook_set','events':['turn','everything']}");
    driver_no(driver, BOB, "bad", "{'t':'hook_set','events':['live']}");
}

static void guests_pending_accounts_and_telnet_connections_cannot_set_a_webhook(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, BOB, "bob");
    driver_no(driver, BOB, "no_hooks", "{'t':'hook_set','url':'" URL "'}");
    restart_core(driver);
    driver_enter_as_guest(driver, ADA);
    driver_no(driver, ADA, "guest", "{'t':'hook_set','url':'" URL "'}");
    driver_sign_in(driver, BOB, "bob");
    driver_no(driver, BOB, "hook_none", "{'t':'hook_test'}");
    driver_no(driver, BOB, "hook_none", "{'t':'hook_set','events':['turn']}");
    driver_no(driver, BOB, "url_bad", "{'t':'hook_set','url':'http://example.org/'}");
    driver_ok(driver, BOB, "{'t':'settings_set','settings':{'telnet':true}}");
    driver_connect_from(driver, BOB + 1, "127.0.0.1", "telnet");
    (void)driver_send(driver, BOB + 1, "{'t':'hello','protocol':3,'software':'test'}");
    driver_ok(driver, BOB + 1,
              "{'t':'sign_in','method':'password','name':'bob','password':'password of bob'}");
    driver_no(driver, BOB + 1, "telnet", "{'t':'hook'}");
    struct storage_account bob;
    assert_int_equal(storage_account_by_name(driver->storage, "bob", &bob), STORAGE_OK);
    assert_int_equal(storage_account_set_pending(driver->storage, bob.id, true), STORAGE_OK);
    driver_commit(driver);
    restart_core(driver);
    driver_sign_in(driver, BOB, "bob");
    driver_no(driver, BOB, "held", "{'t':'hook_set','url':'" URL "'}");
}

static void invalid_webhook_addresses_are_refused(void **state)
{
    struct driver *driver = *state;
    char longest[STORAGE_HOOK_URL_SIZE + 8];
    static const char *const good[] = {
        "https://example.org",         "HTTPS://example.org:8443/a?b=c",
        "https://example.org:1",       "https://example.org:65535?a",
        "https://[2001:db8::1]/",      "https://[2001:db8::1]",
        "https://[2001:db8::1]:8443/", "http://example.org/",
    };
    static const char *const bad[] = {
        "ftp://example.org/",
        "https://",
        "https:///path",
        "https://:80/",
        "https://me:word@example.org",
        "",
        "https://a b/",
        "file:///etc/passwd",
        "https://a\\n.org/",
        "https://example.org:0/",
        "https://example.org:65536/",
        "https://example.org:70000",
        "https://example.org:4294967739/",
        "https://example.org:00000000000443/",
        "https://example.org:/",
        "https://example.org:44x/",
        "https://example.org:-1/",
        "https://example.org:443:443/",
        "https://[2001:db8::1]:65536/",
        "https://[2001:db8::1]x/",
        "https://[2001:db8::1/",
        "https://[]/",
    };
    driver->config.webhook_http = true;
    restart_core(driver);
    driver_sign_up(driver, BOB, "bob");
    memset(longest, 'a', sizeof(longest));
    memcpy(longest, "https://", 8);
    longest[STORAGE_HOOK_URL_SIZE] = '\0';
    driver_no(driver, BOB, "url_bad", "{'t':'hook_set','url':'%s'}", longest);
    longest[STORAGE_HOOK_URL_SIZE - 1] = '\0';
    driver_ok(driver, BOB, "{'t':'hook_set','url':'%s'}", longest);
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        driver_ok(driver, BOB, "{'t':'hook_set','url':'%s'}", good[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        driver_no(driver, BOB, "url_bad", "{'t':'hook_set','url':'%s'}", bad[i]);
    }
}

static int64_t find_account_number(struct driver *driver, const char *name)
{
    struct storage_account account;
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    return account.id;
}

static uint32_t count_waiting_events(struct driver *driver, int64_t account)
{
    uint32_t count = 0;
    assert_int_equal(storage_hook_events_count_waiting(driver->storage, account, &count),
                     STORAGE_OK);
    return count;
}

/* Checks that the webhook of a person under this sanction is not called, neither to retry a failed
 * call nor for a new event. */
static void check_no_webhook_call_under_sanction(struct driver *driver,
                                                 enum storage_sanction_kind kind)
{
    (void)begin_game_of_webhook_owner(driver, DAYS, NULL);
    disconnect_bob_and_play_until_his_turn(driver);
    answer_newest_post(driver, 500);
    assert_int_equal(count_waiting_events(driver, find_account_number(driver, "bob")), 1);
    const struct storage_sanction sanction = {.kind = kind,
                                              .account = find_account_number(driver, "bob"),
                                              .name = "bob",
                                              .reason = "cheating",
                                              .by_name = "max",
                                              .until_ms = driver->now_ms + 10 * HOUR_MS};
    int64_t id = 0;
    assert_int_equal(storage_sanction_add(driver->storage, &sanction, &id), STORAGE_OK);
    driver_commit(driver);
    driver_clear_inbox(driver, HOOK);
    restart_core(driver);
    driver_pass_time(driver, HOUR_MS);
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 0);
    assert_int_equal(count_waiting_events(driver, find_account_number(driver, "bob")), 0);
}

static void the_webhooks_of_absent_staff_are_called_for_reports_and_appeals(void **state)
{
    struct driver *driver = *state;
    restart_core(driver);
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'hook_set','url':'" URL "'}");
    driver_ok(driver, BOB, "{'t':'hook_set','events':['report']}");
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, HOOK_GONE_MS);
    driver_ok(driver, ADA, "{'t':'mod','line':'report bob other he is away'}");
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 0);
    assert_int_equal(storage_account_set_role(driver->storage, find_account_number(driver, "bob"),
                                              STORAGE_ROLE_MOD),
                     STORAGE_OK);
    driver_ok(driver, ADA, "{'t':'mod','line':'report bob other he is still away'}");
    json_t *body = read_newest_posted_body(driver);
    assert_string_equal(driver_read_text(body, "event"), "report");
    assert_string_equal(driver_read_text(body, "player"), "bob");
    assert_null(strstr(driver_read_text(body, "text"), "away"));
    json_decref(body);
}

static void a_banned_accounts_webhook_is_not_called(void **state)
{
    check_no_webhook_call_under_sanction(*state, STORAGE_SANCTION_BAN);
}

static void a_suspended_accounts_webhook_is_not_called(void **state)
{
    struct driver *driver = *state;
    check_no_webhook_call_under_sanction(driver, STORAGE_SANCTION_SUSPEND);
    driver_sign_in(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'hook_test'}");
    assert_int_equal(driver_count_messages(driver, HOOK, "post"), 0);
    assert_true(
        driver_count_messages_with_words(driver, BOB, "notice", "your webhook is not called"));
}

TEST_GROUP(hooks)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(the_webhook_of_an_absent_player_is_called_once_for_a_turn),
        DRIVER_TEST(webhook_calls_contain_no_hidden_cards),
        DRIVER_TEST(the_webhook_is_called_for_each_new_turn),
        DRIVER_TEST(a_webhook_call_is_withdrawn_if_the_turn_ends_first),
        DRIVER_TEST(no_webhook_is_called_for_people_who_are_present_and_active),
        DRIVER_TEST(the_webhook_is_called_for_live_tables_if_its_owner_chose_them),
        DRIVER_TEST(failed_webhook_calls_are_retried_at_growing_intervals_then_dropped),
        DRIVER_TEST(after_twenty_failures_a_webhook_is_disabled_until_a_test_call_succeeds),
        DRIVER_TEST(a_restarted_core_repeats_webhook_calls_that_were_not_answered),
        DRIVER_TEST(a_restarted_webhook_worker_is_given_the_unanswered_call_again),
        DRIVER_TEST(an_account_has_at_most_one_webhook_call_in_progress),
        DRIVER_TEST(an_offline_message_is_sent_to_the_webhook),
        DRIVER_TEST(the_queue_of_webhook_events_is_limited),
        DRIVER_TEST(the_webhook_is_called_at_the_end_of_a_game),
        DRIVER_TEST(the_webhook_secret_is_shown_once_and_changes_with_the_address),
        DRIVER_TEST(guests_pending_accounts_and_telnet_connections_cannot_set_a_webhook),
        DRIVER_TEST(the_webhooks_of_absent_staff_are_called_for_reports_and_appeals),
        DRIVER_TEST(a_banned_accounts_webhook_is_not_called),
        DRIVER_TEST(a_suspended_accounts_webhook_is_not_called),
        DRIVER_TEST(invalid_webhook_addresses_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
