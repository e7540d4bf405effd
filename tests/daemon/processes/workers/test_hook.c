#include "daemon/processes/workers/workers.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/daemon/processes/workers/network.h"
#include "tests/daemon/processes/workers/receiver.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PYTHON "/usr/bin/python3" /* Debian's python3, which finds Debian's modules */
#define SECRET "0123456789abcdef0123456789abcdef"
#define BODY "{\"id\":7,\"event\":\"turn\"}"

static int core_end;
static pid_t worker;
static struct receiver receiver;

/* settings of the webhook process; each test sets them */
static struct hook_setup setup;

static int run_worker(int socket)
{
    setup.core_socket = socket;
    return hook_run(&setup);
}

#define PATIENT_MS 10000 /* long enough for the system's certificates on a busy machine */

static void start_worker_with(const char *ca_file, bool is_http_allowed, bool is_private_allowed,
                              uint32_t timeout_ms)
{
    setup = (struct hook_setup){
        .user = "nobody",
        .ca_file = ca_file,
        .rules = {.is_http_allowed = is_http_allowed,
                  .is_private_allowed = is_private_allowed,
                  .timeout_ms = timeout_ms},
    };
    worker = peer_start_process(run_worker, &core_end);
    json_decref(peer_expect_message(core_end, "hello"));
}

static void start_worker(bool is_http_allowed, bool is_private_allowed)
{
    start_worker_with(NULL, is_http_allowed, is_private_allowed, PATIENT_MS);
}

static void stop_worker(void)
{
    close(core_end);
    assert_int_equal(peer_wait_for_exit(worker), 0);
}

static void request_post_to_url(int job, const char *url)
{
    peer_send(core_end, json_pack("{s:s, s:i, s:s, s:s, s:i, s:s}", "t", "post", "job", job, "url",
                                  url, "secret", SECRET, "at_s", 1750000000, "body", BODY));
}

static void request_post_to_receiver(int job, const char *path)
{
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u%s", receiver.port, path);
    request_post_to_url(job, url);
}

static void expect_http_status(int job, int status)
{
    json_t *posted = peer_expect_message(core_end, "posted");
    assert_int_equal(json_integer_value(json_object_get(posted, "job")), job);
    assert_int_equal(json_integer_value(json_object_get(posted, "status")), status);
    json_decref(posted);
}

static void expect_failure_reason(int job, const char *why)
{
    json_t *posted = peer_expect_message(core_end, "posted");
    assert_int_equal(json_integer_value(json_object_get(posted, "job")), job);
    assert_null(json_object_get(posted, "status"));
    assert_string_equal(json_string_value(json_object_get(posted, "why")), why);
    json_decref(posted);
}

static int set_up_receiver(void **state)
{
    (void)state;
    receiver_start(&receiver);
    return sodium_init() < 0 ? -1 : 0;
}

static int tear_down_receiver(void **state)
{
    (void)state;
    receiver_stop(&receiver);
    return 0;
}

static void a_webhook_call_carries_its_signature(void **state)
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
    start_worker(true, true);
    request_post_to_receiver(7, "/good");
    receiver_wait_for_request(&receiver, request);
    expect_http_status(7, 204);
    assert_non_null(strstr(request, signature));
    assert_non_null(strstr(request, "\r\nX-Trickhouse-Timestamp: 1750000000\r\n"));
    assert_non_null(strstr(request, "\r\nX-Trickhouse-Delivery: 7\r\n"));
    assert_non_null(strstr(request, "\r\nContent-Type: application/json\r\n"));
    assert_non_null(strstr(request, "\r\n\r\n" BODY));
    stop_worker();
}

static void failed_webhook_calls_are_reported_by_kind_of_failure(void **state)
{
    (void)state;
    static char request[RECEIVER_MAX];
    start_worker(true, true);
    request_post_to_receiver(1, "/broken");
    receiver_wait_for_request(&receiver, request);
    expect_http_status(1, 500);
    request_post_to_receiver(2, "/elsewhere");
    receiver_wait_for_request(&receiver, request);
    expect_http_status(2, 307);
    assert_int_equal(receiver_has_another_request(&receiver),
                     0); /* the worker did not follow the redirection */
    request_post_to_url(3, "http://127.0.0.1:1/");
    expect_failure_reason(3, "connect");
    /* a host name with a label this long is invalid, so no lookup is needed */
    request_post_to_url(
        4, "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/");
    expect_failure_reason(4, "name");
    request_post_to_url(5, "ftp://127.0.0.1/");
    expect_failure_reason(5, "url");
    request_post_to_url(6, "file:///etc/passwd");
    expect_failure_reason(6, "url");
    char url[64];
    snprintf(url, sizeof url, "https://127.0.0.1:%u/good", receiver.port);
    request_post_to_url(7, url);
    receiver_wait_for_request(&receiver, request);
    json_decref(peer_expect_message(core_end, "posted"));
    stop_worker();
}

static void the_webhook_worker_stops_reading_an_endless_answer(void **state)
{
    (void)state;
    static char request[RECEIVER_MAX];
    start_worker(true, true);
    request_post_to_receiver(1, "/endless");
    receiver_wait_for_request(&receiver, request);
    expect_http_status(1, 200);
    stop_worker();
}

static void a_receiver_that_never_answers_delays_no_other_call(void **state)
{
    (void)state;
    static char request[RECEIVER_MAX];
    start_worker_with(NULL, true, true, 1000);
    request_post_to_receiver(1, "/silent");
    receiver_wait_for_request(&receiver, request);
    request_post_to_receiver(2, "/good");
    receiver_wait_for_request(&receiver, request);
    expect_http_status(2, 204);
    expect_failure_reason(1, "slow");
    stop_worker();
}

static void private_addresses_are_not_called(void **state)
{
    (void)state;
    start_worker(true, false);
    request_post_to_receiver(1, "/good");
    expect_failure_reason(1, "address");
    request_post_to_url(2, "http://localhost/");
    expect_failure_reason(2, "address");
    request_post_to_url(3, "http://[::ffff:127.0.0.1]/");
    expect_failure_reason(3, "address");
    request_post_to_url(4, "http://0x7f000001/");
    expect_failure_reason(4, "address");
    request_post_to_url(5, "http://169.254.169.254/latest/meta-data");
    expect_failure_reason(5, "address");
    assert_int_equal(receiver_has_another_request(&receiver), 0);
    stop_worker();
}

static void unencrypted_calls_are_refused_unless_allowed(void **state)
{
    (void)state;
    start_worker(false, true);
    request_post_to_receiver(1, "/good");
    expect_failure_reason(1, "url");
    assert_int_equal(receiver_has_another_request(&receiver), 0);
    stop_worker();
}

static void a_resync_is_answered_with_hello(void **state)
{
    (void)state;
    start_worker(true, true);
    peer_send(core_end, json_pack("{s:s}", "t", "resync"));
    json_decref(peer_expect_message(core_end, "hello"));
    stop_worker();
}

/* the kinds of https receivers, in the order in which tls_receivers.py prints their ports */
enum tls {
    TLS_GOOD,
    TLS_UNKNOWN,
    TLS_OTHER_HOST,
    TLS_EXPIRED,
    TLS_KINDS,
};

static struct {
    char folder[FOLDER_PATH_MAX], ca_file[FOLDER_PATH_MAX];
    pid_t pid;
    unsigned port[TLS_KINDS];
} tls;

static void run_tls_receivers(int output_fd)
{
    char script[512];
    snprintf(script, sizeof script, "%s/tests/daemon/processes/workers/tls_receivers.py",
             getenv("SOURCE_DIR"));
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(output_fd, STDOUT_FILENO);
    execl(PYTHON, PYTHON, "-B", script, tls.ca_file, (char *)NULL);
    _exit(127);
}

/* Puts a Python without modules first in PATH. The receivers would fail if they were started by the
 * bare name `python3`. */
static void put_broken_python_first_in_path(void)
{
    char name[64] = "";
    char path[2 * FOLDER_PATH_MAX];
    assert_true(readlink(PYTHON, name, sizeof name - 1) > 0);
    const char *const folders[] = {"bin", "lib", "lib/"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s%s", tls.folder, folders[i], i == 2 ? name : "");
        assert_int_equal(mkdir(path, 0700), 0);
    }
    snprintf(path, sizeof path, "%s/lib/%s/os.py", tls.folder, name);
    assert_int_equal(close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600)), 0);
    snprintf(path, sizeof path, "%s/bin/python3", tls.folder);
    assert_int_equal(close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0700)), 0);
    snprintf(path, sizeof path, "%s/bin:/usr/bin:/bin", tls.folder);
    assert_int_equal(setenv("PATH", path, 1), 0);
}

static int set_up_tls_receivers(void **state)
{
    int ends[2];
    (void)state;
    assert_int_equal(folder_make(tls.folder), 0);
    folder_write_path(tls.ca_file, tls.folder, "ca.pem");
    put_broken_python_first_in_path();
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    tls.pid = fork();
    assert_true(tls.pid >= 0);
    if (tls.pid == 0) {
        run_tls_receivers(ends[1]);
    }
    close(ends[1]);
    FILE *ports = fdopen(ends[0], "r");
    assert_non_null(ports);
    assert_int_equal(
        fscanf(ports, "%u %u %u %u", &tls.port[0], &tls.port[1], &tls.port[2], &tls.port[3]),
        TLS_KINDS);
    fclose(ports);
    return 0;
}

static int tear_down_tls_receivers(void **state)
{
    (void)state;
    kill(tls.pid, SIGKILL);
    waitpid(tls.pid, NULL, 0);
    return folder_remove(tls.folder);
}

static void request_tls_post(int job, enum tls kind)
{
    char url[64];
    snprintf(url, sizeof url, "https://localhost:%u/", tls.port[kind]);
    request_post_to_url(job, url);
}

static void an_invalid_certificate_is_refused(void **state)
{
    (void)state;
    start_worker_with(tls.ca_file, false, true, PATIENT_MS);
    request_tls_post(1, TLS_GOOD);
    expect_http_status(1, 204);
    request_tls_post(2, TLS_UNKNOWN);
    expect_failure_reason(2, "tls");
    request_tls_post(3, TLS_OTHER_HOST);
    expect_failure_reason(3, "tls");
    request_tls_post(4, TLS_EXPIRED);
    expect_failure_reason(4, "tls");
    stop_worker();
}

/* Expects the failure "tls": the system's certificates do not include the receiver's authority. The
 * failure would be "store" if the restricted process could not read these certificates. */
static void the_systems_certificates_are_trusted_unless_others_are_configured(void **state)
{
    (void)state;
    start_worker(false, true);
    request_tls_post(1, TLS_GOOD);
    expect_failure_reason(1, "tls");
    stop_worker();
}

static void a_file_without_certificates_is_refused_as_an_authority(void **state)
{
    char path[FOLDER_PATH_MAX];
    (void)state;
    folder_write_path(path, tls.folder, "nothing.pem");
    setup = (struct hook_setup){.user = "nobody", .ca_file = path};
    worker = peer_start_process(run_worker, &core_end);
    assert_int_equal(peer_wait_for_exit(worker), 1);
    close(core_end);
}

/* This test runs in a network namespace of its own, whose interface has a public address. */
static void the_houses_own_public_address_is_not_called(void **state)
{
    (void)state;
    if (unshare(CLONE_NEWNET) != 0) {
        skip(); /* only root can make a namespace */
    }
    network_add_address("lo", "127.0.0.1");
    network_add_address("lo:1", "11.22.33.44");
    start_worker(true, false);
    request_post_to_url(1, "http://11.22.33.44:8080/");
    expect_failure_reason(1, "address");
    stop_worker();
}

TEST_GROUP(hook)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_webhook_call_carries_its_signature),
        cmocka_unit_test(failed_webhook_calls_are_reported_by_kind_of_failure),
        cmocka_unit_test(the_webhook_worker_stops_reading_an_endless_answer),
        cmocka_unit_test(a_receiver_that_never_answers_delays_no_other_call),
        cmocka_unit_test(private_addresses_are_not_called),
        cmocka_unit_test(unencrypted_calls_are_refused_unless_allowed),
        cmocka_unit_test(a_resync_is_answered_with_hello),
        cmocka_unit_test_setup_teardown(an_invalid_certificate_is_refused, set_up_tls_receivers,
                                        tear_down_tls_receivers),
        cmocka_unit_test_setup_teardown(
            the_systems_certificates_are_trusted_unless_others_are_configured, set_up_tls_receivers,
            tear_down_tls_receivers),
        cmocka_unit_test_setup_teardown(a_file_without_certificates_is_refused_as_an_authority,
                                        set_up_tls_receivers, tear_down_tls_receivers),
        /* the last test, since it changes the network namespace */
        cmocka_unit_test(the_houses_own_public_address_is_not_called),
    };
    return cmocka_run_group_tests(tests, set_up_receiver, tear_down_receiver);
}
