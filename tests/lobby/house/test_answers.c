#include "games/game.h"
#include "tests/lobby/house_driver.h"

#include "lobby/house/parts.h"
#include "storage/house/house.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
/* the tests choose request ids from here on; the driver's own ids are lower */
#define FIRST_ID 1000

/* Has the core receive and commit a request, then end before it sends the answer. */
static void kill_core_after_commit(struct driver *driver, int64_t conn, const char *request)
{
    assert_int_equal(house_receive(driver->house, driver->now_ms, conn, request, strlen(request)),
                     HOUSE_OK);
    assert_int_equal(house_commit(driver->house), HOUSE_OK);
    driver_restart_core(driver);
    driver_reconnect_conns(driver, &conn, 1);
}

/* Sends `request`, which already contains the request id `id`, and returns the answer with this id,
 * or NULL. */
static const json_t *send_request_with_id(struct driver *driver, int64_t conn, const char *request,
                                          int64_t id)
{
    assert_int_equal(driver_send(driver, conn, "%s", request), HOUSE_OK);
    return driver_find_answer(driver, conn, id);
}

static void expect_answer_code(const json_t *answer, const char *code)
{
    assert_non_null(answer);
    assert_string_equal(driver_read_text(answer, "t"), code[0] == '\0' ? "ok" : "no");
    assert_string_equal(driver_read_text(answer, "code"), code);
}

static bool count_stored_answer(void *context, const void *sealed_answer, size_t len)
{
    (void)sealed_answer;
    (void)len;
    (*(size_t *)context)++;
    return true;
}

static size_t count_stored_answers(const struct driver *driver)
{
    size_t count = 0;
    assert_int_equal(storage_answers_each(driver->storage, count_stored_answer, &count),
                     STORAGE_OK);
    return count;
}

static const struct answers *find_stored_answers(const struct driver *driver, int64_t conn)
{
    return &conn_find(driver->house, conn)->answers;
}

/* The first table has two free seats: if the repeated request were carried out again, it would seat
 * a second bot. The second table has one free seat: the repeated request would be refused. */
static void a_bot_requested_before_the_core_died_is_seated_once(void **state)
{
    static const char add[] = "{\"t\":\"bot_add\",\"id\":1000,\"policy\":\"medium\"}";
    struct driver *driver = *state;
    for (int players = 4; players >= 3; players--) {
        driver_sign_up(driver, ADA + players, players == 4 ? "ada" : "bob");
        (void)driver_open_table(driver, ADA + players, players, 0);
        driver_ok(driver, ADA + players, "{'t':'bot_add','policy':'medium'}");
        kill_core_after_commit(driver, ADA + players, add);
        expect_answer_code(send_request_with_id(driver, ADA + players, add, FIRST_ID), "");
        driver_commit(driver);
        const json_t *table = driver_newest_message(driver, ADA + players, "table");
        assert_int_equal(driver_read_number(table, "seated"), 3);
    }
}

/* The refused request asks to leave the seat. If the next core carried it out, Ada would lose the
 * seat that she has taken since. */
static void a_refused_request_is_refused_again_even_after_later_requests_succeeded(void **state)
{
    static const char leave[] = "{\"t\":\"seat_leave\",\"id\":1000}";
    struct driver *driver = *state;
    char take[128];
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, BOB, 4, 0);
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_int_equal(house_receive(driver->house, driver->now_ms, ADA, leave, strlen(leave)),
                     HOUSE_OK);
    (void)snprintf(take, sizeof(take), "{\"t\":\"seat_take\",\"id\":1001}");
    assert_int_equal(house_commit(driver->house), HOUSE_OK);
    kill_core_after_commit(driver, ADA, take);
    expect_answer_code(send_request_with_id(driver, ADA, leave, FIRST_ID), "not_seated");
    expect_answer_code(send_request_with_id(driver, ADA, take, FIRST_ID + 1), "");
    driver_commit(driver);
    assert_int_equal(driver_read_number(driver_newest_message(driver, ADA, "table"), "you"), 1);
}

/* The code `old` is only for requests whose id is not above the highest id whose stored answer was
 * dropped. */
static void a_repeated_request_whose_answer_was_dropped_is_refused_as_old(void **state)
{
    struct driver *driver = *state;
    char json[128];
    driver_sign_up(driver, ADA, "ada");
    for (int64_t id = FIRST_ID; id < FIRST_ID + ANSWERS_MAX + 1; id++) {
        (void)snprintf(json, sizeof(json),
                       "{\"t\":\"settings_set\",\"id\":%" PRId64 ",\"settings\":{}}", id);
        expect_answer_code(send_request_with_id(driver, ADA, json, id), "");
        driver->now_ms += 100;
    }
    assert_int_equal(find_stored_answers(driver, ADA)->count, ANSWERS_MAX);
    assert_int_equal(find_stored_answers(driver, ADA)->dropped, FIRST_ID);
    driver_clear_inbox(driver, ADA);
    expect_answer_code(send_request_with_id(driver, ADA,
                                            "{\"t\":\"settings_set\",\"id\":1000,\"settings\":{}}",
                                            FIRST_ID),
                       "old");
    expect_answer_code(send_request_with_id(
                           driver, ADA, "{\"t\":\"settings_set\",\"id\":999,\"settings\":{}}", 999),
                       "old");
    expect_answer_code(send_request_with_id(driver, ADA,
                                            "{\"t\":\"settings_set\",\"id\":1001,\"settings\":{}}",
                                            FIRST_ID + 1),
                       "");
    expect_answer_code(send_request_with_id(driver, ADA, "{\"t\":\"ping\",\"id\":998}", 998), "");
    assert_int_equal(find_stored_answers(driver, ADA)->count, ANSWERS_MAX);
}

static void a_repeated_read_only_request_is_answered_anew_and_not_stored(void **state)
{
    static const char ask[] = "{\"t\":\"profile\",\"id\":1000,\"name\":\"bob\"}";
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    size_t before = find_stored_answers(driver, ADA)->count;
    driver_ok(driver, ADA, "{'t':'mod','line':'help'}");
    driver_ok(driver, ADA, "{'t':'leaders','game':'%s','offset':0,'count':50}", game_at(0)->id);
    expect_answer_code(send_request_with_id(driver, ADA, ask, FIRST_ID), "unknown");
    assert_int_equal(find_stored_answers(driver, ADA)->count, before);
    driver_sign_up(driver, BOB, "bob");
    driver_clear_inbox(driver, ADA);
    expect_answer_code(send_request_with_id(driver, ADA, ask, FIRST_ID), "");
}

static void stored_answers_are_limited_in_bytes(void **state)
{
    (void)state;
    struct answers answers = {0};
    static char text[PAYLOAD_MAX];
    for (int64_t id = 1; id <= ANSWERS_MAX; id++) {
        struct payload *payload = payload_new(text, id % 2 == 0 ? PAYLOAD_MAX : 100);
        answers_restore_answer(&answers, id, payload);
        payload_release(payload);
        assert_in_range(answers.bytes, 1, ANSWERS_BYTES_MAX);
        assert_int_equal(answers.list[answers.count - 1].request, id);
        assert_int_equal(answers.newest, id);
    }
    assert_true(answers.dropped > 0);
    assert_int_equal(answers.list[0].request, answers.dropped + 1);
    answers_forget_all(&answers);
    assert_int_equal(answers.count, 0);
}

/* A request that has no effect writes nothing to the database. */
static void the_answer_to_a_request_that_changes_nothing_is_not_stored(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    size_t before = count_stored_answers(driver);
    driver_no(driver, ADA, "no_table", "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'games'}");
    assert_int_equal(count_stored_answers(driver), before);
    driver_ok(driver, ADA, "{'t':'settings_set','settings':{'bell':true}}");
    assert_int_equal(count_stored_answers(driver), before + 1);
}

static void answers_older_than_two_minutes_are_dropped_as_newer_ones_are_stored(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    for (int i = 0; i < 300; i++) {
        driver_ok(driver, ADA, "{'t':'settings_set','settings':{'bell':%s}}",
                  i % 2 == 0 ? "true" : "false");
        driver->now_ms += 1000;
    }
    assert_in_range(count_stored_answers(driver), 90, 140);
    for (int i = 0; i < 3; i++) { /* the answers outlast several restarts of the core, for people
                                     who are slow to return */
        driver_restart_core(driver);
    }
    driver_reconnect_conns(driver, (const int64_t[]){ADA}, 1);
    assert_int_equal(find_stored_answers(driver, ADA)->count, ANSWERS_MAX);
}

static void repeating_a_wrong_sign_in_does_not_shorten_the_delay_of_its_answer(void **state)
{
    static const char in[] = "{\"t\":\"sign_in\",\"id\":1000,\"method\":\"password\","
                             "\"name\":\"ada\",\"password\":\"not the right one\"}";
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_connect_session(driver, BOB);
    assert_null(send_request_with_id(driver, BOB, in, FIRST_ID));
    assert_null(send_request_with_id(driver, BOB, in, FIRST_ID));
    driver_pass_time(driver, driver->config.door_denial_ms);
    expect_answer_code(driver_find_answer(driver, BOB, FIRST_ID), "denied");
    /* Both requests together count as one wrong guess, and the next core knows of this guess. */
    driver_restart_core(driver);
    driver_reconnect_conns(driver, (const int64_t[]){BOB}, 1);
    expect_answer_code(send_request_with_id(driver, BOB, in, FIRST_ID), "denied");
}

/* Returns whether the storage's files contain this text. */
static bool storage_files_contain(const struct driver *driver, const char *text)
{
    static const char *const ends[] = {"", "-wal"};
    bool is_there = false;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        char path[128];
        (void)snprintf(path, sizeof(path), "%s%s", driver->path, ends[i]);
        FILE *file = fopen(path, "rb");
        if (file == NULL) {
            continue;
        }
        static char bytes[1 << 22];
        size_t len = fread(bytes, 1, sizeof(bytes), file);
        (void)fclose(file);
        is_there |= memmem(bytes, len, text, strlen(text)) != NULL;
    }
    return is_there;
}

static void a_recovery_code_is_sent_by_the_next_core_though_no_file_contains_it(void **state)
{
    static const char up[] = "{\"t\":\"sign_up\",\"id\":1000,\"name\":\"ada\"}";
    struct driver *driver = *state;
    char code[64];
    driver_connect_session(driver, ADA);
    driver_ok(driver, ADA,
              "{'t':'sign_in','method':'key','name':'ada',"
              "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:x'}}");
    kill_core_after_commit(driver, ADA, up);
    const json_t *answer = send_request_with_id(driver, ADA, up, FIRST_ID);
    expect_answer_code(answer, "");
    (void)snprintf(code, sizeof(code), "%s",
                   driver_read_text(json_object_get(answer, "you"), "recovery"));
    assert_true(strlen(code) > 10);
    assert_false(storage_files_contain(driver, code));
    /* proves that storage_files_contain finds a text that is stored */
    assert_true(storage_files_contain(driver, "SHA256:x"));
    driver_connect_session(driver, BOB);
    driver_ok(driver, BOB, "{'t':'sign_in','method':'password','name':'ada','password':'%s'}",
              code);
}

/* After a restore from a backup the house counts connections from the beginning again, so a new
 * connection must not get an answer that was stored for an old one of the same number. */
static void stored_answers_encrypted_with_another_key_are_ignored(void **state)
{
    static const char in[] = "{\"t\":\"sign_in\",\"id\":1000,\"method\":\"guest\"}";
    struct driver *driver = *state;
    driver_connect_session(driver, ADA);
    expect_answer_code(send_request_with_id(driver, ADA, in, FIRST_ID), "");
    driver->config.answers_key[0] ^= 1;
    driver_restart_core(driver);
    driver_connect(driver, ADA, PEER_SESSION);
    assert_int_equal(find_stored_answers(driver, ADA)->count, 0);
}

TEST_GROUP(answers)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_bot_requested_before_the_core_died_is_seated_once),
        DRIVER_TEST(a_refused_request_is_refused_again_even_after_later_requests_succeeded),
        DRIVER_TEST(a_repeated_request_whose_answer_was_dropped_is_refused_as_old),
        DRIVER_TEST(a_repeated_read_only_request_is_answered_anew_and_not_stored),
        cmocka_unit_test(stored_answers_are_limited_in_bytes),
        DRIVER_TEST(the_answer_to_a_request_that_changes_nothing_is_not_stored),
        DRIVER_TEST(answers_older_than_two_minutes_are_dropped_as_newer_ones_are_stored),
        DRIVER_TEST(repeating_a_wrong_sign_in_does_not_shorten_the_delay_of_its_answer),
        DRIVER_TEST(a_recovery_code_is_sent_by_the_next_core_though_no_file_contains_it),
        DRIVER_TEST(stored_answers_encrypted_with_another_key_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
