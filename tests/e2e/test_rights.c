#include "tests/e2e/guests.h"
#include "tests/unit.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The processes of a house have only the rights of an ordinary user, even when root starts it. */

#define COMMAND_MAX 512

static bool is_sanitizer_build(const struct house_fixture *house)
{
    return house_count_log_lines(house, "built with sanitizers") >
           0; /* the tests are skipped, since the sanitizers need root's rights */
}

/* Checks a line of a process's status file: its value must be empty, or must not be
 * `forbidden`. */
static void assert_status_line(pid_t pid, const char *name, const char *forbidden,
                               bool must_be_empty)
{
    char path[64];
    char line[256];
    bool is_seen = false;
    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    FILE *status = fopen(path, "re");
    assert_non_null(status);
    while (fgets(line, sizeof(line), status) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) {
            const char *value = line + strlen(name) + strspn(line + strlen(name), "\t 0");
            is_seen = true;
            if (must_be_empty && strcspn(value, "\n") != 0) {
                fail_msg("process %d: %s", (int)pid, line);
            }
            if (!must_be_empty && strstr(line, forbidden) != NULL) {
                fail_msg("process %d: %s", (int)pid, line);
            }
        }
    }
    fclose(status);
    assert_true(is_seen);
}

/* Checks a process and all its descendants. Returns the number of processes checked. */
static int assert_unprivileged(pid_t pid)
{
    char path[64];
    int child;
    int count = 1;
    assert_status_line(pid, "Uid:", "\t0", false);
    assert_status_line(pid, "Gid:", "\t0", false);
    if (getuid() == 0) {
        assert_status_line(pid, "Groups:", "", true);
    }
    assert_status_line(pid, "CapPrm:", "", true);
    assert_status_line(pid, "CapEff:", "", true);
    assert_status_line(pid, "CapAmb:", "", true);
    snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *children = fopen(path, "re");
    assert_non_null(children);
    while (fscanf(children, "%d", &child) == 1) {
        count += assert_unprivileged(child);
    }
    fclose(children);
    return count;
}

static void no_process_of_a_house_has_roots_rights(void **state)
{
    struct house_fixture *house = *state;
    struct terminal *ada = guests_connect(house);
    if (is_sanitizer_build(house)) {
        terminal_free(ada);
        skip();
    }
    /* There are at least the supervisor, the core, the gate, two password workers, a bot and a
     * session. */
    assert_in_range(assert_unprivileged(house->pid), 7, 20);
    terminal_free(ada);
}

/* The ports below 1024 on its command line do not matter: systemd has opened others. */
static void a_house_on_passed_sockets_cannot_open_low_ports(void **state)
{
    struct house_fixture *house = *state;
    if (is_sanitizer_build(house)) {
        skip();
    }
    house_stop(house);
    int ssh_socket = house_listen(&house->port);
    int telnet_socket = house_listen(&house->telnet_port);
    house_start_on_sockets(house, ssh_socket, telnet_socket);
    assert_in_range(assert_unprivileged(house->pid), 6, 20);
    close(ssh_socket);
    close(telnet_socket);
}

static uid_t read_file_owner(const struct house_fixture *house, const char *name)
{
    char path[2 * COMMAND_MAX];
    struct stat status;
    snprintf(path, sizeof(path), "%s/data/%s", house->folder, name);
    assert_int_equal(lstat(path, &status), 0);
    return status.st_uid;
}

static void assert_files_belong_to(const struct house_fixture *house, const char *folder,
                                   uid_t owner)
{
    char path[COMMAND_MAX];
    snprintf(path, sizeof(path), "%s/data/%s", house->folder, folder);
    DIR *list = opendir(path);
    assert_non_null(list);
    const struct dirent *entry;
    while ((entry = readdir(list)) != NULL) {
        if (strcmp(entry->d_name, "..") != 0) {
            snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
            if (read_file_owner(house, path) != owner) {
                fail_msg("%s belongs to %u", path, read_file_owner(house, path));
            }
        }
    }
    closedir(list);
}

static void run_trickhouse(const struct house_fixture *house, const char *words)
{
    char command[COMMAND_MAX];
    snprintf(command, sizeof(command), "cd %s && %s %s >/dev/null", house->folder,
             getenv("TRICKHOUSE"), words);
    assert_int_equal(system(command), 0);
}

/* A house that runs as another user can be opened again after root has worked in its folder. */
static void the_folder_stays_usable_for_its_user_after_root_worked_in_it(void **state)
{
    struct house_fixture *house = *state;
    if (is_sanitizer_build(house)) {
        skip();
    }
    uid_t owner = read_file_owner(house, ".");
    assert_int_equal(owner == 0, false);
    run_trickhouse(house, "backup --data data");
    house_stop(house);
    run_trickhouse(house, "backup --data data");
    run_trickhouse(house, "admin --data data audit verify");
    run_trickhouse(house, "restore --data data $(ls data/backups/house-*.db | head -n 1)");
    assert_files_belong_to(house, ".", owner);
    assert_files_belong_to(house, "backups", owner);
    house_start(house, NULL);
    struct terminal *ada = guests_connect(house);
    terminal_free(ada);
    assert_files_belong_to(house, ".", owner);
}

TEST_GROUP(rights)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_process_of_a_house_has_roots_rights, house_set_up,
                                        house_tear_down),
        cmocka_unit_test_setup_teardown(a_house_on_passed_sockets_cannot_open_low_ports,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(
            the_folder_stays_usable_for_its_user_after_root_worked_in_it, house_set_up,
            house_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
