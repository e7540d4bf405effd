#include "daemon/base/rights.h"

#include "games/macros.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

/* Only root has rights to give up. */
static int prepare(void **state)
{
    (void)state;
    return rights_find_user("nobody", &nobody) ? 0 : -1;
}

/* Returns the line of this process's status that begins like this. */
static void read_status(const char *begins, char value[128])
{
    char line[128];
    FILE *status = fopen("/proc/self/status", "re");
    value[0] = '\0';
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        size_t len = strlen(begins);
        if (strncmp(line, begins, len) == 0) {
            len += strspn(line + len, "\t ");
            snprintf(value, 128, "%.*s", (int)strcspn(line + len, "\n"), line + len);
        }
    }
    if (status != NULL) {
        fclose(status);
    }
}

static bool has(const char *begins, const char *wanted)
{
    char value[128];
    read_status(begins, value);
    if (strcmp(value, wanted) != 0) {
        print_message("%s %s, not %s\n", begins, value, wanted);
    }
    return strcmp(value, wanted) == 0;
}

/* Checks that only these rights are left of root's. */
static bool is_nobody_with(const char *capabilities)
{
    char user[64];
    char group[64];
    snprintf(user, sizeof user, "%u\t%u\t%u\t%u", nobody.user, nobody.user, nobody.user,
             nobody.user);
    snprintf(group, sizeof group, "%u\t%u\t%u\t%u", nobody.group, nobody.group, nobody.group,
             nobody.group);
    return has("Uid:", user) && has("Gid:", group) && has("Groups:", "") &&
           has("CapInh:", capabilities) && has("CapPrm:", capabilities) &&
           has("CapEff:", capabilities) && has("CapAmb:", capabilities) &&
           prctl(PR_GET_DUMPABLE) == 0 && setresuid(0, 0, 0) != 0 && setgid(0) != 0;
}

static bool become(void)
{
    return rights_change_user(&nobody) && is_nobody_with(NO_RIGHTS);
}

static bool become_listening(void)
{
    return rights_change_user_but_listen(&nobody) && is_nobody_with(PORTS_ONLY) &&
           rights_give_up_all() && is_nobody_with(NO_RIGHTS);
}

static bool die_with_parent(void)
{
    int signal_number = 0;
    return prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && rights_change_user(&nobody) &&
           prctl(PR_GET_PDEATHSIG, &signal_number) == 0 && signal_number == SIGTERM;
}

/* Tries it in a separate process that has root's groups. */
static void assert_holds(bool (*try)(void))
{
    static const gid_t groups[] = {0, 4, 6};
    int status = -1;
    if (geteuid() != 0) {
        skip();
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        bool is_held = setgroups(ARRAY_LEN(groups), groups) == 0 && try();
        fflush(NULL);
        _exit(is_held ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void dropping_root_drops_groups_and_capabilities(void **state)
{
    (void)state;
    assert_holds(become);
}

static void only_the_right_to_low_ports_can_be_kept_and_dropped_later(void **state)
{
    (void)state;
    assert_holds(become_listening);
}

static void after_a_change_of_user_a_process_still_dies_with_its_parent(void **state)
{
    (void)state;
    assert_holds(die_with_parent);
}

static void root_and_unknown_users_are_refused(void **state)
{
    (void)state;
    struct rights rights;
    assert_false(rights_find_user("root", &rights));
    assert_int_equal(errno, 0);
    assert_false(rights_find_user("no-such-user", &rights));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dropping_root_drops_groups_and_capabilities),
        cmocka_unit_test(only_the_right_to_low_ports_can_be_kept_and_dropped_later),
        cmocka_unit_test(after_a_change_of_user_a_process_still_dies_with_its_parent),
        cmocka_unit_test(root_and_unknown_users_are_refused),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
