#include "daemon/base/base.h"

#include "games/macros.h"
#include "tests/unit.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PORTS_ONLY "0000000000000400" /* CAP_NET_BIND_SERVICE is number 10, counted from 0 */
#define NO_RIGHTS "0000000000000000"

static struct rights nobody;

/* Skips the tests unless root runs them: only root has rights to give up. */
static int skip_tests_unless_root(void **state)
{
    (void)state;
    return rights_find_user("nobody", &nobody) ? 0 : -1;
}

/* Reads from /proc/self/status the value of the line that begins with this prefix. */
static void read_status_value(const char *prefix, char value[128])
{
    char line[128];
    FILE *status = fopen("/proc/self/status", "re");
    value[0] = '\0';
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        size_t len = strlen(prefix);
        if (strncmp(line, prefix, len) == 0) {
            len += strspn(line + len, "\t ");
            snprintf(value, 128, "%.*s", (int)strcspn(line + len, "\n"), line + len);
        }
    }
    if (status != NULL) {
        fclose(status);
    }
}

static bool status_line_has_value(const char *prefix, const char *wanted)
{
    char value[128];
    read_status_value(prefix, value);
    if (strcmp(value, wanted) != 0) {
        print_message("%s %s, not %s\n", prefix, value, wanted);
    }
    return strcmp(value, wanted) == 0;
}

/* True if the process runs as "nobody" and has only these capabilities left. */
static bool is_nobody_with_capabilities(const char *capabilities)
{
    char user[64];
    char group[64];
    snprintf(user, sizeof user, "%u\t%u\t%u\t%u", nobody.user, nobody.user, nobody.user,
             nobody.user);
    snprintf(group, sizeof group, "%u\t%u\t%u\t%u", nobody.group, nobody.group, nobody.group,
             nobody.group);
    return status_line_has_value("Uid:", user) && status_line_has_value("Gid:", group) &&
           status_line_has_value("Groups:", "") && status_line_has_value("CapInh:", capabilities) &&
           status_line_has_value("CapPrm:", capabilities) &&
           status_line_has_value("CapEff:", capabilities) &&
           status_line_has_value("CapAmb:", capabilities) && prctl(PR_GET_DUMPABLE) == 0 &&
           setresuid(0, 0, 0) != 0 && setgid(0) != 0;
}

static bool become_user_nobody(void)
{
    return rights_change_user(&nobody) && is_nobody_with_capabilities(NO_RIGHTS);
}

static bool become_user_nobody_with_low_ports(void)
{
    return rights_change_user_keep_low_ports(&nobody) && is_nobody_with_capabilities(PORTS_ONLY) &&
           rights_give_up_capabilities() && is_nobody_with_capabilities(NO_RIGHTS);
}

static bool check_process_dies_with_parent(void)
{
    int signal_number = 0;
    return prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && rights_change_user(&nobody) &&
           prctl(PR_GET_PDEATHSIG, &signal_number) == 0 && signal_number == SIGTERM;
}

/* Checks that the function returns true in a child process that runs as root and has root's
 * groups. */
static void assert_true_in_root_child(bool (*attempt)(void))
{
    static const gid_t groups[] = {0, 4, 6};
    int status = -1;
    if (geteuid() != 0) {
        skip();
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        bool is_held = setgroups(ARRAY_LEN(groups), groups) == 0 && attempt();
        fflush(NULL);
        _exit(is_held ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void dropping_root_drops_groups_and_capabilities(void **state)
{
    (void)state;
    assert_true_in_root_child(become_user_nobody);
}

static void a_process_can_keep_only_the_right_to_low_ports_and_drop_it_later(void **state)
{
    (void)state;
    assert_true_in_root_child(become_user_nobody_with_low_ports);
}

static void after_a_change_of_user_a_process_still_dies_with_its_parent(void **state)
{
    (void)state;
    assert_true_in_root_child(check_process_dies_with_parent);
}

static void root_and_unknown_users_are_refused_as_the_houses_user(void **state)
{
    (void)state;
    struct rights rights;
    assert_false(rights_find_user("root", &rights));
    assert_int_equal(errno, 0);
    assert_false(rights_find_user("no-such-user", &rights));
}

TEST_GROUP(rights)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dropping_root_drops_groups_and_capabilities),
        cmocka_unit_test(a_process_can_keep_only_the_right_to_low_ports_and_drop_it_later),
        cmocka_unit_test(after_a_change_of_user_a_process_still_dies_with_its_parent),
        cmocka_unit_test(root_and_unknown_users_are_refused_as_the_houses_user),
    };
    return cmocka_run_group_tests(tests, skip_tests_unless_root, NULL);
}
