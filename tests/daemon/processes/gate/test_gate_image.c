#include "daemon/processes/gate/gate.h"

#include "tests/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A gate with a session before sign-in, a signed-in session, and an address with a penalty. */
struct fixture {
    struct gate gate;
    struct sessions_entry waiting, playing;
    struct limits_source offender;
};

static int open_some_descriptor(void)
{
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static int set_up(void **state)
{
    static struct fixture fixture;
    struct gate *gate = &fixture.gate;
    *gate = (struct gate){
        .config = config_make_default(),
        .rate = calloc(1, sizeof(*gate->rate)),
        .core = {.socket = open_some_descriptor(), .state = GATE_CORE_LIVE},
        .next_conn = 4711,
        .signals = -1,
        .ready_fd = -1,
        .settings = -1,
        .listeners = {.list = {{open_some_descriptor(), true, true}}, .count = 1},
        .host_key = strdup("/etc/key"),
        .renewals = 3,
    };
    gate->config.door_tries = 2;
    sessions_init(&gate->sessions, 5);
    gate_proxy_init(gate);
    gate->proxied[2] = (struct gate_proxied){.socket = open_some_descriptor(),
                                             .is_telnet = true,
                                             .due_ms = 6000,
                                             .proxy = "127.0.0.2",
                                             .header = {.len = 3, .bytes = "\r\n\r"}};
    fixture.waiting = (struct sessions_entry){.pid = 101,
                                              .conn = 7,
                                              .core_end = open_some_descriptor(),
                                              .signed_in_fd = open_some_descriptor(),
                                              .log_fd = open_some_descriptor(),
                                              .process_fd = -1,
                                              .awaits_separation = true};
    fixture.playing = (struct sessions_entry){.pid = 102,
                                              .conn = 8,
                                              .core_end = open_some_descriptor(),
                                              .signed_in_fd = -1,
                                              .log_fd = -1,
                                              .process_fd = -1,
                                              .is_told = true,
                                              .end_by_ms = 5000,
                                              .address = "192.0.2.1"};
    (void)sessions_add(&gate->sessions, &fixture.waiting);
    (void)sessions_add(&gate->sessions, &fixture.playing);
    fixture.offender = (struct limits_source){{192, 0, 2, 9}};
    bool is_blocked;
    limits_add_penalty(gate->rate, &gate->config, &fixture.offender, LIMITS_GREEDY, 1000,
                       &is_blocked);
    *state = &fixture;
    return 0;
}

static void free_gate(struct gate *gate)
{
    sessions_clear(&gate->sessions);
    gate_proxy_clear(gate);
    free(gate->rate);
    free(gate->host_key);
    free(gate->session_user);
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    struct gate *gate = &fixture->gate;
    close(gate->core.socket);
    close(gate->listeners.list[0].socket);
    close(fixture->waiting.core_end);
    close(fixture->waiting.signed_in_fd);
    close(fixture->waiting.log_fd);
    close(fixture->playing.core_end);
    free_gate(gate);
    return 0;
}

static bool is_open_after_exec(int fd)
{
    return (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0;
}

/* True if all descriptors of the gate stay open across an exec (is_open is true), or all are closed
 * by it (is_open is false). */
static bool all_descriptors_are_open_after_exec(const struct fixture *fixture, bool is_open)
{
    return is_open_after_exec(fixture->gate.core.socket) == is_open &&
           is_open_after_exec(fixture->gate.listeners.list[0].socket) == is_open &&
           is_open_after_exec(fixture->gate.proxied[2].socket) == is_open &&
           is_open_after_exec(fixture->waiting.core_end) == is_open &&
           is_open_after_exec(fixture->waiting.signed_in_fd) == is_open &&
           is_open_after_exec(fixture->waiting.log_fd) == is_open &&
           is_open_after_exec(fixture->playing.core_end) == is_open;
}

static void a_saved_gate_is_loaded_with_its_whole_state(void **state)
{
    struct fixture *fixture = *state;
    struct gate loaded;
    int image_fd = gate_image_save(&fixture->gate, NULL);
    assert_true(image_fd >= 0);
    assert_true(gate_image_load(&loaded, image_fd));
    assert_int_equal(loaded.next_conn, 4711);
    assert_int_equal(loaded.core.state, GATE_CORE_LIVE);
    assert_int_equal(loaded.core.socket, fixture->gate.core.socket);
    assert_int_equal(loaded.listeners.count, 1);
    assert_int_equal(loaded.listeners.list[0].socket, fixture->gate.listeners.list[0].socket);
    assert_true(loaded.listeners.list[0].is_telnet);
    assert_true(loaded.listeners.list[0].is_proxied);
    assert_int_equal(loaded.proxied[0].socket, fixture->gate.proxied[2].socket);
    assert_true(loaded.proxied[0].is_telnet);
    assert_int_equal(loaded.proxied[0].due_ms, 6000);
    assert_string_equal(loaded.proxied[0].proxy, "127.0.0.2");
    assert_int_equal(loaded.proxied[0].header.len, 3);
    assert_memory_equal(loaded.proxied[0].header.bytes, "\r\n\r", 3);
    assert_string_equal(loaded.host_key, "/etc/key");
    assert_null(loaded.session_user);
    assert_int_equal(loaded.renewals, 3);
    assert_int_equal(loaded.config.door_tries, 2);
    assert_int_equal(loaded.sessions.max, 5);
    assert_int_equal(loaded.sessions.count, 2);
    assert_int_equal(loaded.sessions.unauth, 1);
    const struct sessions_entry *playing = sessions_find_by_conn(&loaded.sessions, 8);
    assert_non_null(playing);
    assert_int_equal(playing->pid, 102);
    assert_true(playing->is_told);
    assert_int_equal(playing->log_fd, -1);
    assert_false(playing->awaits_separation);
    const struct sessions_entry *waiting = sessions_find_by_conn(&loaded.sessions, 7);
    assert_int_equal(waiting->log_fd, fixture->waiting.log_fd);
    assert_true(waiting->awaits_separation);
    assert_int_equal(playing->end_by_ms, 5000);
    assert_string_equal(playing->address, "192.0.2.1");
    assert_int_equal(limits_take_token(loaded.rate, &loaded.config, &fixture->offender, 2000),
                     GATE_REFUSAL_SOURCE_BLOCKED);
    free_gate(&loaded);
}

static void descriptors_stay_open_only_across_the_intended_exec(void **state)
{
    struct fixture *fixture = *state;
    struct gate loaded;
    assert_true(all_descriptors_are_open_after_exec(fixture, false));
    int image_fd = gate_image_save(&fixture->gate, NULL);
    assert_true(all_descriptors_are_open_after_exec(fixture, true));
    assert_true(is_open_after_exec(image_fd));
    gate_image_cancel(&fixture->gate, image_fd);
    assert_true(all_descriptors_are_open_after_exec(fixture, false));
    image_fd = gate_image_save(&fixture->gate, NULL);
    assert_true(gate_image_load(&loaded, image_fd));
    assert_true(all_descriptors_are_open_after_exec(fixture, false));
    assert_int_equal(fcntl(image_fd, F_GETFD), -1);
    free_gate(&loaded);
}

/* Changes the image of a gate into one that another version of the program has written. */
static int change_image_version(int image_fd)
{
    static const char version[] = "\"version\":\"" TRICKHOUSE_VERSION "\"";
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    ssize_t len = pread(image_fd, text, (1 << 20) - 1, 0);
    assert_true(len > 0);
    char *found = strstr(text, version);
    assert_non_null(found);
    found[sizeof version - 3]++; /* the last character of the version */
    assert_int_equal(pwrite(image_fd, text, (size_t)len, 0), len);
    free(text);
    return image_fd;
}

static void raw_structs_saved_by_another_gate_version_are_not_loaded(void **state)
{
    struct fixture *fixture = *state;
    struct gate loaded;
    int image_fd = change_image_version(gate_image_save(&fixture->gate, NULL));
    assert_true(gate_image_load(&loaded, image_fd));
    assert_int_equal(loaded.sessions.count, 2);
    assert_int_equal(sessions_find_by_conn(&loaded.sessions, 8)->pid, 102);
    assert_int_equal(loaded.listeners.list[0].socket, fixture->gate.listeners.list[0].socket);
    assert_int_equal(loaded.config.door_tries, 2);
    assert_int_equal(limits_take_token(loaded.rate, &loaded.config, &fixture->offender, 2000),
                     GATE_ADMIT);
    free_gate(&loaded);
}

static void a_file_that_is_not_a_gate_image_is_refused(void **state)
{
    (void)state;
    struct gate loaded;
    assert_false(gate_image_load(&loaded, open_some_descriptor()));
    free_gate(&loaded);
    assert_false(gate_image_load(&loaded, 1000));
    free_gate(&loaded);
}

static void a_gate_is_renewed_after_a_day_or_soon_after_a_session_died(void **state)
{
    struct fixture *fixture = *state;
    struct gate *gate = &fixture->gate;
    gate->began_ms = 5000;
    gate->is_renewable = false; /* this test's program has no command `gate` */
    assert_false(gate_renewal_is_due(gate, 5000 + GATE_RENEW_DAILY_MS));
    gate->is_renewable = true;
    assert_false(gate_renewal_is_due(gate, 5000 + GATE_RENEW_DAILY_MS - 1));
    assert_true(gate_renewal_is_due(gate, 5000 + GATE_RENEW_DAILY_MS));
    gate->is_suspect = true;
    assert_false(gate_renewal_is_due(gate, 5000 + GATE_RENEW_PAUSE_MS - 1));
    assert_true(gate_renewal_is_due(gate, 9000));
}

TEST_GROUP(gate_image)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_saved_gate_is_loaded_with_its_whole_state, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(descriptors_stay_open_only_across_the_intended_exec, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(raw_structs_saved_by_another_gate_version_are_not_loaded,
                                        set_up, tear_down),
        cmocka_unit_test(a_file_that_is_not_a_gate_image_is_refused),
        cmocka_unit_test_setup_teardown(a_gate_is_renewed_after_a_day_or_soon_after_a_session_died,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
