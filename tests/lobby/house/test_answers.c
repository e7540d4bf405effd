#include "games/game.h"
#include "tests/lobby/house_driver.h"

#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "storage/house/answers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define FIRST_ID 1000 /* the tests' own request ids, above those that the driver gives */

/* Has the core receive and commit a request, then end before it sends the answer. */
static void die_after_commit(struct driver *driver, int64_t conn, const char *json)
{
    assert_int_equal(house_receive(driver->house, driver->now_ms, conn, json, strlen(json)),
                     HOUSE_OK);
    assert_int_equal(house_commit(driver->house), HOUSE_OK);
    driver_restart(driver);
    driver_reconnect_conns(driver, &conn, 1);
}

/* Sends a request without adding an id; returns the answer to the request `id`. */
static const json_t *send_with_id(struct driver *driver, int64_t conn, const char *json, int64_t id)
{
    assert_int_equal(driver_send(driver, conn, "%s", json), HOUSE_OK);
    return driver_find_answer(driver, conn, id);
}

static void expect_code(const json_t *answer, const char *code)
{
    assert_non_null(answer);
    assert_string_equal(driver_read_text(answer, "t"), code[0] == '\0' ? "ok" : "no");
    assert_string_equal(driver_read_text(answer, "code"), code);
}

static bool count_row(void *context, const void *sealed_answer, size_t len)
{
    (void)sealed_answer;
    (void)len;
    (*(size_t *)context)++;
    return true;
}

static size_t count_stored_answers(const struct driver *driver)
{
    size_t count = 0;
    assert_int_equal(storage_answers_each(driver->storage, count_row, &count), STORAGE_OK);
    return count;
}

static const struct answers *find_stored_answers(const struct driver *driver, int64_t conn)
{
    return &conn_find(driver->house, conn)->answers;
}

/* At the first table two seats are free, so a repeated request would seat two bots; at the second
 * table one seat is free, so a repeated request would be refused. */
static void a_bot_requested_before_the_core_died_is_seated_once(void **state)
{
    static const char add[] = "{\"t\":\"bot_add\",\"id\":1000,\"policy\":\"careful\"}";
    struct driver *driver = *state;
    for (int players = 4; players >= 3; players--) {
        driver_sign_up(driver, ADA + players, players == 4 ? "ada" : "bob");
        (void)driver_open_table(driver, ADA + players, players, 0);
        driver_ok(driver, ADA + players, "{'t':'bot_add','policy':'careful'}");
        die_after_commit(driver, ADA + players, add);
        expect_code(send_with_id(driver, ADA + players, add, FIRST_ID), "");
        driver_commit(driver);
        const json_t *table = driver_newest_message(driver, ADA + players, "table");
        assert_int_equal(driver_read_number(table, "seated"), 3);
    }
}

/* If the refused request were carried out later, it would give up the seat taken meanwhile. */
static void a_refused_request_is_not_done_after_later_ones_succeeded(void **state)
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
    die_after_commit(driver, ADA, take);
    expect_code(send_with_id(driver, ADA, leave, FIRST_ID), "not_seated");
    expect_code(send_with_id(driver, ADA, take, FIRST_ID + 1), "");
    driver_commit(driver);
    assert_int_equal(driver_read_number(driver_newest_message(driver, ADA, "table"), "you"), 1);
}

/* The code `old` is only for ids below one whose answer was dropped. */
static void a_request_id_below_an_old_answered_one_is_refused_as_old(void **state)
{
    struct driver *driver = *state;
    char json[128];
    driver_sign_up(driver, ADA, "ada");
    for (int64_t id = FIRST_ID; id < FIRST_ID + ANSWERS_MAX + 1; id++) {
        (void)snprintf(json, sizeof(json),
                       "{\"t\":\"settings_set\",\"id\":%" PRId64 ",\"settings\":{}}", id);
        expect_code(send_with_id(driver, ADA, json, id), "");
        driver->now_ms += 100;
    }
    assert_int_equal(find_stored_answers(driver, ADA)->count, ANSWERS_MAX);
    assert_int_equal(find_stored_answers(driver, ADA)->dropped, FIRST_ID);
    driver_clear_inbox(driver, ADA);
    expect_code(
        send_with_id(driver, ADA, "{\"t\":\"settings_set\",\"id\":1000,\"settings\":{}}", FIRST_ID),
        "old");
    expect_code(
        send_with_id(driver, ADA, "{\"t\":\"settings_set\",\"id\":999,\"settings\":{}}", 999),
        "old");
    expect_code(send_with_id(driver, ADA, "{\"t\":\"settings_set\",\"id\":1001,\"settings\":{}}",
                             FIRST_ID + 1),
                "");
    expect_code(send_with_id(driver, ADA, "{\"t\":\"ping\",\"id\":998}", 998), "");
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
    expect_code(send_with_id(driver, ADA, ask, FIRST_ID), "unknown");
    assert_int_equal(find_stored_answers(driver, ADA)->count, before);
    driver_sign_up(driver, BOB, "bob");
    driver_clear_inbox(driver, ADA);
    expect_code(send_with_id(driver, ADA, ask, FIRST_ID), "");
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

/* A request that has no effect causes no write. */
static void a_turn_that_changes_nothing_stores_no_answer(void **state)
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

static void stored_answers_are_dropped_after_two_minutes_of_newer_ones(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    for (int i = 0; i < 300; i++) {
        driver_ok(driver, ADA, "{'t':'settings_set','settings':{'bell':%s}}",
                  i % 2 == 0 ? "true" : "false");
        driver->now_ms += 1000;
    }
    assert_in_range(count_stored_answers(driver), 90, 140);
    for (int i = 0; i < 3;
         i++) { /* somebody slow to return still gets the answer, over several cores */
        driver_restart(driver);
    }
    driver_reconnect_conns(driver, (const int64_t[]){ADA}, 1);
    assert_int_equal(find_stored_answers(driver, ADA)->count, ANSWERS_MAX);
}

static void a_repeated_sign_in_is_not_answered_sooner(void **state)
{
    static const char in[] = "{\"t\":\"sign_in\",\"id\":1000,\"method\":\"password\","
                             "\"name\":\"ada\",\"password\":\"not the right one\"}";
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_connect_session(driver, BOB);
    assert_null(send_with_id(driver, BOB, in, FIRST_ID));
    assert_null(send_with_id(driver, BOB, in, FIRST_ID));
    driver_pass_time(driver, driver->config.door_denial_ms);
    expect_code(driver_find_answer(driver, BOB, FIRST_ID), "denied");
    /* Both requests together count as one wrong guess, and the next core knows of this guess. */
    driver_restart(driver);
    driver_reconnect_conns(driver, (const int64_t[]){BOB}, 1);
    expect_code(send_with_id(driver, BOB, in, FIRST_ID), "denied");
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
    die_after_commit(driver, ADA, up);
    const json_t *answer = send_with_id(driver, ADA, up, FIRST_ID);
    expect_code(answer, "");
    (void)snprintf(code, sizeof(code), "%s",
                   driver_read_text(json_object_get(answer, "you"), "recovery"));
    assert_true(strlen(code) > 10);
    assert_false(storage_files_contain(driver, code));
    assert_true(storage_files_contain(
        driver, "SHA256:x")); /* the search works, since it finds other stored texts */
    driver_connect_session(driver, BOB);
    driver_ok(driver, BOB, "{'t':'sign_in','method':'password','name':'ada','password':'%s'}",
              code);
}

/* In restored data the numbers of connections start from the beginning again. */
static void answers_sealed_with_another_key_are_skipped(void **state)
{
    static const char in[] = "{\"t\":\"sign_in\",\"id\":1000,\"method\":\"guest\"}";
    struct driver *driver = *state;
    driver_connect_session(driver, ADA);
    expect_code(send_with_id(driver, ADA, in, FIRST_ID), "");
    driver->config.answers_key[0] ^= 1;
    driver_restart(driver);
    driver_connect(driver, ADA, PEER_SESSION);
    assert_int_equal(find_stored_answers(driver, ADA)->count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_bot_requested_before_the_core_died_is_seated_once),
        DRIVER_TEST(a_refused_request_is_not_done_after_later_ones_succeeded),
        DRIVER_TEST(a_request_id_below_an_old_answered_one_is_refused_as_old),
        DRIVER_TEST(a_repeated_read_only_request_is_answered_anew_and_not_stored),
        cmocka_unit_test(stored_answers_are_limited_in_bytes),
        DRIVER_TEST(a_turn_that_changes_nothing_stores_no_answer),
        DRIVER_TEST(stored_answers_are_dropped_after_two_minutes_of_newer_ones),
        DRIVER_TEST(a_repeated_sign_in_is_not_answered_sooner),
        DRIVER_TEST(a_recovery_code_is_sent_by_the_next_core_though_no_file_contains_it),
        DRIVER_TEST(answers_sealed_with_another_key_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
