#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/processes/processes.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/ports.h"
#include "tests/unit.h"

#include <stdbool.h>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LOOK_AGAIN_MS 5
#define CHILDREN_MAX 32

struct fixture {
    char folder[FOLDER_PATH_MAX]; /* folder of the test */
    char data[FOLDER_PATH_MAX];   /* the house's data folder, inside the test's folder */
    pid_t supervisor;
    int ready;
    uint32_t node; /* number of the node; 0: the house has one */
};

static struct fixture house;

static int set_up_folder(void **state)
{
    (void)state;
    memset(&house, 0, sizeof house);
    if (folder_make(house.folder) != 0) {
        return -1;
    }
    folder_write_path(house.data, house.folder, "data");
    return 0;
}

static int tear_down_folder(void **state)
{
    (void)state;
    if (house.supervisor != 0) {
        kill(house.supervisor, SIGKILL);
        peer_wait_for_exit(house.supervisor);
    }
    close(house.ready);
    return folder_remove(house.folder);
}

/* Forks a supervisor of the house. *ready becomes the descriptor on which the supervisor reports
 * that the house is open. */
static pid_t start_supervisor(int *ready)
{
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    struct config config = config_make_default();
    config.listen_ssh_port = 0;
    config.cluster_node = house.node;
    (void)snprintf(config.cluster_address, sizeof config.cluster_address, "127.0.0.1:%d",
                   ports_find_free());
    const struct supervisor_setup setup = {
        .data_dir = house.data,
        .config = &config,
        .is_logged_to_file = true,
        .image = -1,
        .ready_fd = ends[1],
    };
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        prctl(PR_SET_PDEATHSIG,
              SIGTERM); /* if the test fails, this ends the supervisor and thereby the house */
        _exit(supervisor_run(&setup));
    }
    close(ends[1]);
    *ready = ends[0];
    return pid;
}

/* Waits until the house is open. Returns false if the supervisor ended first. */
static bool wait_until_house_is_open(int ready)
{
    char text[16] = {0};
    struct pollfd wanted = {.fd = ready, .events = POLLIN};
    assert_int_equal(poll(&wanted, 1, FIXTURE_DEADLINE_MS), 1);
    ssize_t got = read(ready, text, sizeof text - 1);
    if (got > 0) {
        assert_string_equal(text, "4242\n");
    }
    return got > 0;
}

static void open_house(void)
{
    house.supervisor = start_supervisor(&house.ready);
    assert_true(wait_until_house_is_open(house.ready));
}

static void read_file_text(const char *path, char *text, size_t cap)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, cap - 1) : 0;
    text[got > 0 ? got : 0] = '\0';
    if (file >= 0) {
        close(file);
    }
}

static bool process_has_name(pid_t pid, const char *name)
{
    char path[FOLDER_PATH_MAX], found[64];
    snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    read_file_text(path, found, sizeof found);
    size_t len = strlen(name);
    return strncmp(found, name, len) == 0 && found[len] == '\n';
}

/* Lists the children of a process that have this name (NULL: any name). Returns their number. */
static size_t list_children(pid_t parent, const char *name, pid_t found[CHILDREN_MAX])
{
    char path[FOLDER_PATH_MAX], text[1024];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    read_file_text(path, text, sizeof text);
    size_t count = 0;
    char *end = text;
    for (long pid = strtol(text, &end, 10); pid > 0 && count < CHILDREN_MAX;
         pid = strtol(end, &end, 10)) {
        if (name == NULL || process_has_name((pid_t)pid, name)) {
            found[count++] = (pid_t)pid;
        }
    }
    return count;
}

/* Waits until the process has a child with this name whose id is not `old_child`. */
static pid_t wait_for_child_named(pid_t parent, const char *name, pid_t old_child)
{
    int64_t deadline_ms = clock_steady_ms() + FIXTURE_DEADLINE_MS;
    pid_t found[CHILDREN_MAX];
    while (clock_steady_ms() < deadline_ms) {
        size_t count = list_children(parent, name, found);
        for (size_t i = 0; i < count; i++) {
            if (found[i] != old_child) {
                return found[i];
            }
        }
        poll(NULL, 0, LOOK_AGAIN_MS);
    }
    fail_msg("no process %s", name);
    return 0;
}

static void expect_process_ended(int pidfd)
{
    struct pollfd end = {.fd = pidfd, .events = POLLIN};
    assert_int_equal(poll(&end, 1, FIXTURE_DEADLINE_MS), 1);
    close(pidfd);
}

static void close_house(void)
{
    kill(house.supervisor, SIGTERM);
    assert_int_equal(peer_wait_for_exit(house.supervisor), 0);
    house.supervisor = 0;
}

static void make_file(const char *name)
{
    char path[FOLDER_PATH_MAX];
    folder_write_path(path, house.data, name);
    int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    close(file);
}

static void only_the_owner_can_read_the_houses_data_and_host_key(void **state)
{
    (void)state;
    struct stat info;
    char key[FOLDER_PATH_MAX], text[64];
    open_house();
    assert_int_equal(stat(house.data, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    folder_write_path(key, house.data, "ssh_host_ed25519_key");
    assert_int_equal(stat(key, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    read_file_text(key, text, sizeof text);
    assert_memory_equal(text, "-----BEGIN OPENSSH PRIVATE KEY-----\n", 36);
    close_house();
}

static void the_host_key_stays_the_same_when_the_house_reopens(void **state)
{
    (void)state;
    char key[FOLDER_PATH_MAX], before[1024], after[1024];
    folder_write_path(key, house.data, "ssh_host_ed25519_key");
    open_house();
    read_file_text(key, before, sizeof before);
    close_house();
    close(house.ready);
    open_house();
    read_file_text(key, after, sizeof after);
    assert_string_equal(before, after);
    close_house();
}

static void a_killed_process_is_replaced_and_the_others_stay(void **state)
{
    (void)state;
    static const char *const names[] = {"core", "gate", "auth", "bot"};
    pid_t before[CHILDREN_MAX], after[CHILDREN_MAX];
    open_house();
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        size_t count = list_children(house.supervisor, names[i], before);
        assert_true(count >= 1);
        pid_t other = list_children(house.supervisor, names[(i + 1) % 4], after) > 0 ? after[0] : 0;
        kill(before[0], SIGKILL);
        int64_t killed_ms = clock_steady_ms();
        while (list_children(house.supervisor, names[i], after) != count ||
               after[count - 1] == before[count - 1]) {
            assert_true(clock_steady_ms() < killed_ms + 2000);
            poll(NULL, 0, LOOK_AGAIN_MS);
        }
        assert_int_equal(kill(other, 0), 0);
    }
    close_house();
}

static void expect_text_in_proc_file(pid_t pid, const char *file, const char *words)
{
    char path[FOLDER_PATH_MAX], text[4096];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    read_file_text(path, text, sizeof text);
    if (strstr(text, words) == NULL) {
        fail_msg("%s: not \"%s\" in\n%s", path, words, text);
    }
}

/* Returns the number of descriptors that a process has open. */
static size_t count_open_descriptors(pid_t pid)
{
    char path[FOLDER_PATH_MAX];
    size_t count = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        count += entry->d_name[0] != '.' ? 1 : 0;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

/* A worker has the three standard descriptors and one of its own, and one more while it counts its
 * descriptors. */
static void every_worker_holds_only_its_own_descriptor(void **state)
{
    (void)state;
    static const char *const names[] = {"auth", "bot"};
    pid_t workers[CHILDREN_MAX];
    open_house();
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        wait_for_child_named(house.supervisor, names[i], 0);
        size_t count = list_children(house.supervisor, names[i], workers);
        assert_true(count >= 1);
        int64_t deadline_ms = clock_steady_ms() + FIXTURE_DEADLINE_MS;
        for (size_t worker = 0; worker < count; worker++) {
            while (count_open_descriptors(workers[worker]) != 4) {
                assert_true(clock_steady_ms() < deadline_ms);
                poll(NULL, 0, LOOK_AGAIN_MS);
            }
        }
    }
    close_house();
}

/* Passwords and hidden cards pass through these processes. A process gets its name only after it is
 * restricted, so the test waits for the name. */
static void the_bridge_of_a_node_is_started_and_restarted(void **state)
{
    char path[FOLDER_PATH_MAX];
    char log[8192];
    (void)state;
    house.node = 2;
    open_house();
    pid_t bridge = wait_for_child_named(house.supervisor, "bridge", 0);
    kill(bridge, SIGKILL);
    (void)wait_for_child_named(house.supervisor, "bridge", bridge);
    close_house();
    folder_write_path(path, house.data, "house.log");
    read_file_text(path, log, sizeof log);
    assert_non_null(strstr(log, "process=bridge"));
    assert_null(strstr(log, "status=")); /* no process had strange descriptors */
}

static void no_process_leaves_its_memory_or_open_files_on_the_disk(void **state)
{
    (void)state;
    static const char *const names[] = {"core", "gate", "auth", "bot"};
    open_house();
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        pid_t process = wait_for_child_named(house.supervisor, names[i], 0);
        expect_text_in_proc_file(process, "limits",
                                 "Max core file size        0                    0 ");
        expect_text_in_proc_file(process, "status", "Umask:\t0077\n");
    }
    close_house();
}

static void a_second_house_with_the_same_data_is_refused(void **state)
{
    (void)state;
    int ready;
    open_house();
    pid_t second = start_supervisor(&ready);
    assert_false(wait_until_house_is_open(ready));
    assert_int_equal(peer_wait_for_exit(second), 1);
    close(ready);
    pid_t owner;
    assert_int_equal(data_dir_find_supervisor(house.data, &owner), DATA_DIR_OK);
    assert_int_equal(owner, house.supervisor);
    close_house();
    assert_int_equal(data_dir_find_supervisor(house.data, &owner), DATA_DIR_CLOSED);
}

static void closing_the_house_ends_every_process_even_a_session_whose_gate_died(void **state)
{
    (void)state;
    pid_t all[CHILDREN_MAX];
    int processes[CHILDREN_MAX];
    open_house();
    pid_t gate = wait_for_child_named(house.supervisor, "gate", 0);
    pid_t session = wait_for_child_named(gate, "session", 0);
    kill(gate, SIGKILL);
    wait_for_child_named(house.supervisor, "gate", gate);
    assert_int_equal(wait_for_child_named(house.supervisor, "session", 0), session);
    size_t count = list_children(house.supervisor, NULL, all);
    for (size_t i = 0; i < count; i++) {
        processes[i] = pidfd_open(all[i], 0);
        assert_true(processes[i] >= 0);
    }
    close_house();
    for (size_t i = 0; i < count; i++) {
        expect_process_ended(processes[i]);
    }
}

static void all_processes_end_when_the_supervisor_is_killed(void **state)
{
    (void)state;
    pid_t all[CHILDREN_MAX];
    int processes[CHILDREN_MAX];
    open_house();
    size_t count = list_children(house.supervisor, NULL, all);
    assert_true(count >= 5);
    for (size_t i = 0; i < count; i++) {
        processes[i] = pidfd_open(all[i], 0);
    }
    pid_t session =
        wait_for_child_named(wait_for_child_named(house.supervisor, "gate", 0), "session", 0);
    kill(house.supervisor, SIGKILL);
    assert_int_equal(peer_wait_for_exit(house.supervisor), 128 + SIGKILL);
    house.supervisor = 0;
    for (size_t i = 0; i < count; i++) {
        expect_process_ended(processes[i]);
    }
    kill(session,
         SIGKILL); /* this session is fake; a real one would end because its socket is closed */
}

static void a_house_whose_core_cannot_start_reports_the_failure_and_exits(void **state)
{
    (void)state;
    assert_int_equal(mkdir(house.data, 0700), 0);
    make_file("exit");
    house.supervisor = start_supervisor(&house.ready);
    assert_false(wait_until_house_is_open(house.ready));
    assert_int_equal(peer_wait_for_exit(house.supervisor), 1);
    house.supervisor = 0;
}

static void a_house_whose_core_keeps_dying_exits(void **state)
{
    (void)state;
    char path[FOLDER_PATH_MAX], text[16384];
    open_house();
    make_file("die");
    kill(wait_for_child_named(house.supervisor, "core", 0), SIGKILL);
    assert_int_equal(peer_wait_for_exit(house.supervisor), 1);
    house.supervisor = 0;
    folder_write_path(path, house.data, "house.log");
    read_file_text(path, text, sizeof text);
    assert_non_null(strstr(text, "core died 8 times within a second of its start"));
}

static void expect_systemd_notice(int notice_socket, const char *words)
{
    char text[64] = {0};
    struct pollfd wanted = {.fd = notice_socket, .events = POLLIN};
    assert_int_equal(poll(&wanted, 1, FIXTURE_DEADLINE_MS), 1);
    assert_true(recv(notice_socket, text, sizeof text - 1, 0) > 0);
    assert_string_equal(text, words);
}

static void systemd_is_told_when_the_house_opens_and_closes(void **state)
{
    (void)state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char path[FOLDER_PATH_MAX];
    folder_write_path(path, house.folder, "notify");
    memcpy(address.sun_path, path, strlen(path));
    int notice_socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(notice_socket, (const struct sockaddr *)&address, sizeof address), 0);
    setenv("NOTIFY_SOCKET", path, 1);
    open_house();
    expect_systemd_notice(notice_socket, "READY=1");
    close_house();
    expect_systemd_notice(notice_socket, "STOPPING=1");
    unsetenv("NOTIFY_SOCKET");
    close(notice_socket);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up_folder, tear_down_folder)

TEST_GROUP(supervisor)
{
    /* sessions without a supervisor become children of this program */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(only_the_owner_can_read_the_houses_data_and_host_key),
        IN_A_FOLDER(the_host_key_stays_the_same_when_the_house_reopens),
        IN_A_FOLDER(a_killed_process_is_replaced_and_the_others_stay),
        IN_A_FOLDER(every_worker_holds_only_its_own_descriptor),
        IN_A_FOLDER(the_bridge_of_a_node_is_started_and_restarted),
        IN_A_FOLDER(no_process_leaves_its_memory_or_open_files_on_the_disk),
        IN_A_FOLDER(a_second_house_with_the_same_data_is_refused),
        IN_A_FOLDER(closing_the_house_ends_every_process_even_a_session_whose_gate_died),
        IN_A_FOLDER(all_processes_end_when_the_supervisor_is_killed),
        IN_A_FOLDER(systemd_is_told_when_the_house_opens_and_closes),
        IN_A_FOLDER(a_house_whose_core_cannot_start_reports_the_failure_and_exits),
        IN_A_FOLDER(a_house_whose_core_keeps_dying_exits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
