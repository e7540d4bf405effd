#include "daemon/base/base.h"
#include "daemon/processes/workers/workers.h"
#include "lobby/protocol/protocol.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/unit.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int core_end;
static pid_t worker;

static int run_auth(int socket)
{
    return auth_run(socket, &(const struct metrics){0});
}

static int set_up_worker(void **state)
{
    (void)state;
    worker = peer_start_process(run_auth, &core_end);
    json_decref(peer_expect_message(core_end, "hello"));
    return 0;
}

/* Checks that the worker exits without error once its socket is closed. */
static int tear_down_worker(void **state)
{
    (void)state;
    close(core_end);
    return peer_wait_for_exit(worker);
}

static json_t *make_password_check_message(int job, const char *password, const char *hash)
{
    return json_pack("{s:s, s:i, s:s, s:s}", "t", "check", "job", job, "password", password, "hash",
                     hash);
}

/* Lets the worker hash a password. Returns the hash, which the caller frees. */
static json_t *request_password_hash(const char *password)
{
    peer_send(core_end, json_pack("{s:s, s:i, s:s}", "t", "hash", "job", 1, "password", password));
    json_t *answer = peer_expect_any_message(core_end);
    assert_string_equal(json_string_value(json_object_get(answer, "t")), "hashed");
    assert_int_equal(json_integer_value(json_object_get(answer, "job")), 1);
    json_t *hash = json_incref(json_object_get(answer, "hash"));
    assert_true(json_is_string(hash));
    json_decref(answer);
    return hash;
}

static void expect_password_verdict(int job, bool is_right)
{
    json_t *answer = peer_expect_any_message(core_end);
    assert_string_equal(json_string_value(json_object_get(answer, "t")), "checked");
    assert_int_equal(json_integer_value(json_object_get(answer, "job")), job);
    assert_int_equal(json_is_true(json_object_get(answer, "is_right")), is_right);
    json_decref(answer);
}

static void the_password_worker_says_hello_at_the_start_and_after_a_resync(void **state)
{
    (void)state;
    peer_send(core_end, json_pack("{s:s}", "t", "resync"));
    json_t *hello = peer_expect_any_message(core_end);
    assert_string_equal(json_string_value(json_object_get(hello, "t")), "hello");
    assert_int_equal(json_integer_value(json_object_get(hello, "protocol")), PROTOCOL_NUMBER);
    json_decref(hello);
}

static void a_password_hash_contains_its_cost_and_a_fresh_salt(void **state)
{
    (void)state;
    json_t *first = request_password_hash("correct horse battery");
    json_t *second = request_password_hash("correct horse battery");
    assert_memory_equal(json_string_value(first), "$argon2id$v=19$m=65536,t=3,p=1$", 31);
    assert_string_not_equal(json_string_value(first), json_string_value(second));
    json_decref(first);
    json_decref(second);
}

static void only_the_right_password_is_accepted(void **state)
{
    (void)state;
    json_t *hash = request_password_hash("correct horse battery");
    peer_send(core_end,
              make_password_check_message(2, "correct horse battery", json_string_value(hash)));
    peer_send(core_end,
              make_password_check_message(3, "correct horse batterz", json_string_value(hash)));
    peer_send(core_end, make_password_check_message(4, "", json_string_value(hash)));
    expect_password_verdict(2, true);
    expect_password_verdict(3, false);
    expect_password_verdict(4, false);
    json_decref(hash);
}

static void a_malformed_hash_matches_no_password(void **state)
{
    (void)state;
    peer_send(core_end, make_password_check_message(5, "anything at all", "$argon2id$nonsense"));
    peer_send(core_end, make_password_check_message(6, "", ""));
    expect_password_verdict(5, false);
    expect_password_verdict(6, false);
}

static void send_authenticator_code_check(int job, const char *secret, const char *code,
                                          int64_t at_s)
{
    peer_send(core_end, json_pack("{s:s, s:i, s:s, s:s, s:I}", "t", "totp", "job", job, "secret",
                                  secret, "code", code, "at_s", (json_int_t)at_s));
}

/* Returns the time step to which the code belongs, or -1 for a wrong code. */
static int64_t request_time_step_of_code(const char *secret, const char *code, int64_t at_s)
{
    send_authenticator_code_check(8, secret, code, at_s);
    json_t *answer = peer_expect_any_message(core_end);
    assert_string_equal(json_string_value(json_object_get(answer, "t")), "checked");
    bool is_right = json_is_true(json_object_get(answer, "is_right"));
    int64_t step = json_integer_value(json_object_get(answer, "step"));
    json_decref(answer);
    return is_right ? step : -1;
}

/* Test values of RFC 6238, appendix B (SHA-1): the last six digits of each code. The secret is
 * "12345678901234567890" in base32. */
static const char secret[] = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

static void authenticator_codes_agree_with_rfc_6238(void **state)
{
    (void)state;
    assert_int_equal(request_time_step_of_code(secret, "287082", 59), 1);
    assert_int_equal(request_time_step_of_code(secret, "081804", 1111111109), 37037036);
    assert_int_equal(request_time_step_of_code(secret, "050471", 1111111111), 37037037);
    assert_int_equal(request_time_step_of_code(secret, "005924", 1234567890), 41152263);
    assert_int_equal(request_time_step_of_code(secret, "279037", 2000000000), 66666666);
    assert_int_equal(request_time_step_of_code(secret, "353130", 20000000000), 666666666);
}

static void a_code_is_accepted_one_time_step_early_or_late(void **state)
{
    (void)state;
    static const int64_t begin_s = INT64_C(41152263) * 30;
    assert_int_equal(request_time_step_of_code(secret, "005924", begin_s - 31), -1);
    assert_int_equal(request_time_step_of_code(secret, "005924", begin_s - 30), 41152263);
    assert_int_equal(request_time_step_of_code(secret, "005924", begin_s + 59), 41152263);
    assert_int_equal(request_time_step_of_code(secret, "005924", begin_s + 60), -1);
}

static void malformed_authenticator_codes_and_secrets_are_refused(void **state)
{
    (void)state;
    assert_int_equal(request_time_step_of_code(secret, "", 59), -1);
    assert_int_equal(request_time_step_of_code(secret, "28708", 59), -1);
    assert_int_equal(request_time_step_of_code(secret, "94287082", 59), -1);
    assert_int_equal(request_time_step_of_code(secret, "28 708", 59), -1);
    assert_int_equal(request_time_step_of_code("", "287082", 59), -1);
    assert_int_equal(request_time_step_of_code("!!!!", "287082", 59), -1);
    assert_int_equal(request_time_step_of_code(secret, "287083", 59), -1);
}

static void the_password_worker_ignores_unknown_jobs(void **state)
{
    (void)state;
    peer_send(core_end, json_pack("{s:s}", "t", "hash"));
    peer_send(core_end, json_pack("{s:s, s:s, s:s}", "t", "hash", "job", "1", "password", "x"));
    peer_send(core_end, json_pack("{s:s, s:i, s:i}", "t", "hash", "job", 1, "password", 7));
    peer_send(core_end, json_pack("{s:s, s:i, s:s}", "t", "check", "job", 1, "password", "x"));
    peer_send(core_end, json_pack("{s:s, s:i, s:s}", "t", "totp", "job", 1, "code", "287082"));
    peer_send(core_end, json_pack("{s:s}", "t", "later_versions_may_tell"));
    peer_send(core_end, make_password_check_message(7, "x", "y"));
    expect_password_verdict(7, false);
}

static void a_malformed_message_ends_the_worker(void **state)
{
    (void)state;
    int socket;
    pid_t pid = peer_start_process(run_auth, &socket);
    json_decref(peer_expect_message(socket, "hello"));
    assert_int_equal(packet_send(socket, "{\"t\":", 5, -1), PACKET_OK);
    assert_int_equal(peer_wait_for_exit(pid), 1);
    peer_expect_closed(socket);
    close(socket);
}

TEST_GROUP(auth)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            the_password_worker_says_hello_at_the_start_and_after_a_resync, set_up_worker,
            tear_down_worker),
        cmocka_unit_test_setup_teardown(a_password_hash_contains_its_cost_and_a_fresh_salt,
                                        set_up_worker, tear_down_worker),
        cmocka_unit_test_setup_teardown(only_the_right_password_is_accepted, set_up_worker,
                                        tear_down_worker),
        cmocka_unit_test_setup_teardown(a_malformed_hash_matches_no_password, set_up_worker,
                                        tear_down_worker),
        cmocka_unit_test_setup_teardown(authenticator_codes_agree_with_rfc_6238, set_up_worker,
                                        tear_down_worker),
        cmocka_unit_test_setup_teardown(a_code_is_accepted_one_time_step_early_or_late,
                                        set_up_worker, tear_down_worker),
        cmocka_unit_test_setup_teardown(malformed_authenticator_codes_and_secrets_are_refused,
                                        set_up_worker, tear_down_worker),
        cmocka_unit_test_setup_teardown(the_password_worker_ignores_unknown_jobs, set_up_worker,
                                        tear_down_worker),
        cmocka_unit_test(a_malformed_message_ends_the_worker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
