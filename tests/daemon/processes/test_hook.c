#include "daemon/processes/hook.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/daemon/processes/receiver.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SECRET "0123456789abcdef0123456789abcdef"
#define BODY "{\"id\":7,\"event\":\"turn\"}"

static int core_end;
static pid_t worker;
static struct receiver receiver;

/* What the process under test may do: each test starts it as it needs it. */
static struct hook_setup setup;

static int run(int socket)
{
    setup.core_socket = socket;
    return hook_run(&setup);
}

static void start(bool is_http_allowed, bool is_private_allowed)
{
    setup = (struct hook_setup){
        .user = "nobody",
        .rules = {.is_http_allowed = is_http_allowed,
                  .is_private_allowed = is_private_allowed,
                  .timeout_ms = 1000},
    };
    worker = peer_start(run, &core_end);
    json_decref(peer_expect(core_end, "hello"));
}

static void stop(void)
{
    close(core_end);
    assert_int_equal(peer_wait(worker), 0);
}

static void post_to(int job, const char *url)
{
    peer_say(core_end, json_pack("{s:s, s:i, s:s, s:s, s:i, s:s}", "t", "post", "job", job, "url",
                                 url, "secret", SECRET, "at_s", 1750000000, "body", BODY));
}

static void post(int job, const char *path)
{
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u%s", receiver.port, path);
    post_to(job, url);
}

static void expect_status(int job, int status)
{
    json_t *posted = peer_expect(core_end, "posted");
    assert_int_equal(json_integer_value(json_object_get(posted, "job")), job);
    assert_int_equal(json_integer_value(json_object_get(posted, "status")), status);
    json_decref(posted);
}

static void expect_why(int job, const char *why)
{
    json_t *posted = peer_expect(core_end, "posted");
    assert_int_equal(json_integer_value(json_object_get(posted, "job")), job);
    assert_null(json_object_get(posted, "status"));
    assert_string_equal(json_string_value(json_object_get(posted, "why")), why);
    json_decref(posted);
}

static int receiver_begin(void **state)
{
    (void)state;
    receiver_start(&receiver);
    return sodium_init() < 0 ? -1 : 0;
}

static int receiver_end(void **state)
{
    (void)state;
    receiver_stop(&receiver);
    return 0;
}

static void a_body_arrives_with_its_signature(void **state)
{
    (void)state;
    static char request[RECEIVER_MAX];
    uint8_t hash[crypto_auth_hmacsha256_BYTES];
    char signature[128] = "X-Trickhouse-Signature: sha256=";
    crypto_auth_hmacsha256_state hmac;
    crypto_auth_hmacsha256_init(&hmac, (const uint8_t *)SECRET, strlen(SECRET));
    crypto_auth_hmacsha256_update(&hmac, (const uint8_t *)BODY, strlen(BODY));
    crypto_auth_hmacsha256_final(&hmac, hash);
    size_t len = strlen(signature);
    sodium_bin2hex(signature + len, sizeof signature - len, hash, sizeof hash);
    start(true, true);
    post(7, "/good");
    receiver_take(&receiver, request);
    expect_status(7, 204);
    assert_non_null(strstr(request, signature));
    assert_non_null(strstr(request, "\r\nX-Trickhouse-Timestamp: 1750000000\r\n"));
    assert_non_null(strstr(request, "\r\nX-Trickhouse-Delivery: 7\r\n"));
    assert_non_null(strstr(request, "\r\nContent-Type: application/json\r\n"));
    assert_non_null(strstr(request, "\r\n\r\n" BODY));
    stop();
}

static void failures_are_told_for_what_they_are(void **state)
{
    (void)state;
    static char request[RECEIVER_MAX];
    start(true, true);
    post(1, "/broken");
    receiver_take(&receiver, request);
    expect_status(1, 500);
    post(2, "/elsewhere");
    receiver_take(&receiver, request);
    expect_status(2, 307);
    assert_int_equal(receiver_has_more(&receiver), 0); /* it was not followed */
    post_to(3, "http://127.0.0.1:1/");
    expect_why(3, "connect");
    /* No label of a name is so long: nobody needs to be asked. */
    post_to(4, "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/");
    expect_why(4, "name");
    post_to(5, "ftp://127.0.0.1/");
    expect_why(5, "url");
    post_to(6, "file:///etc/passwd");
    expect_why(6, "url");
    char url[64];
    snprintf(url, sizeof url, "https://127.0.0.1:%u/good", receiver.port);
    post_to(7, url);
    receiver_take(&receiver, request);
    json_decref(peer_expect(core_end, "posted"));
    stop();
}

static void an_answer_without_an_end_is_cut(void **state)
{
    (void)state;
    static char request[RECEIVER_MAX];
    start(true, true);
    post(1, "/endless");
    receiver_take(&receiver, request);
    expect_status(1, 200);
    stop();
}

static void who_never_answers_keeps_nobody_waiting(void **state)
{
    (void)state;
    static char request[RECEIVER_MAX];
    start(true, true);
    post(1, "/silent");
    receiver_take(&receiver, request);
    post(2, "/good");
    receiver_take(&receiver, request);
    expect_status(2, 204);
    expect_why(1, "slow");
    stop();
}

static void private_addresses_are_not_called(void **state)
{
    (void)state;
    start(true, false);
    post(1, "/good");
    expect_why(1, "address");
    post_to(2, "http://localhost/");
    expect_why(2, "address");
    post_to(3, "http://[::ffff:127.0.0.1]/");
    expect_why(3, "address");
    post_to(4, "http://0x7f000001/");
    expect_why(4, "address");
    post_to(5, "http://169.254.169.254/latest/meta-data");
    expect_why(5, "address");
    assert_int_equal(receiver_has_more(&receiver), 0);
    stop();
}

static void unencrypted_calls_are_refused_unless_allowed(void **state)
{
    (void)state;
    start(false, true);
    post(1, "/good");
    expect_why(1, "url");
    assert_int_equal(receiver_has_more(&receiver), 0);
    stop();
}

static void a_resync_is_answered_with_hello(void **state)
{
    (void)state;
    start(true, true);
    peer_say(core_end, json_pack("{s:s}", "t", "resync"));
    json_decref(peer_expect(core_end, "hello"));
    stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_arrives_with_its_signature),
        cmocka_unit_test(failures_are_told_for_what_they_are),
        cmocka_unit_test(an_answer_without_an_end_is_cut),
        cmocka_unit_test(who_never_answers_keeps_nobody_waiting),
        cmocka_unit_test(private_addresses_are_not_called),
        cmocka_unit_test(unencrypted_calls_are_refused_unless_allowed),
        cmocka_unit_test(a_resync_is_answered_with_hello),
    };
    return cmocka_run_group_tests(tests, receiver_begin, receiver_end);
}
