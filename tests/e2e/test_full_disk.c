#include "tests/e2e/command.h"
#include "tests/e2e/guests.h"
#include "tests/e2e/openssh.h"
#include "tests/e2e/people.h"
#include "tests/unit.h"

#include <stdbool.h>
#include <string.h>

#include <grp.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs in a process of its own, which takes the core's user id so that it may set the core's
 * limits. */
static bool set_file_size_limit_as_cores_user(pid_t core, const struct stat *owner, bool can_write)
{
    struct rlimit limit;
    if (getuid() == 0 &&
        (setgroups(0, NULL) != 0 || setresgid(owner->st_gid, owner->st_gid, owner->st_gid) != 0 ||
         setresuid(owner->st_uid, owner->st_uid, owner->st_uid) != 0)) {
        return false;
    }
    if (prlimit(core, RLIMIT_FSIZE, NULL, &limit) != 0) {
        return false;
    }
    limit.rlim_cur = can_write ? limit.rlim_max : 1;
    return prlimit(core, RLIMIT_FSIZE, &limit, NULL) == 0;
}

/* Sets the core's file size limit so that the core can or cannot write. To a core that cannot
 * write, the disk is full. */
static void set_core_can_write(const struct house_fixture *house, bool can_write)
{
    const pid_t core = house_find_process(house, "core");
    struct stat owner;
    char path[128];
    int status = -1;
    snprintf(path, sizeof(path), "%s/data/house.db", house->folder);
    assert_int_equal(stat(path, &owner), 0);
    pid_t pid = fork();
    if (pid == 0) {
        _exit(set_file_size_limit_as_cores_user(core, &owner, can_write) ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void people_can_look_around_while_the_disk_is_full_and_play_on_afterwards(void **state)
{
    const struct house_fixture *house = *state;
    struct terminal *ada = guests_connect(house);
    struct terminal *bob = guests_connect(house);
    const pid_t core = house_find_process(house, "core");
    guests_chat(ada, bob, "said with room");
    set_core_can_write(house, false);
    terminal_type(ada, "csaid without\r");
    terminal_expect(ada, "The disk is full");
    terminal_expect(bob, "The disk is full");
    assert_true(terminal_shows(bob, "said with room"));
    assert_false(terminal_shows(bob, "said without"));
    terminal_type(ada, "\x1b");
    set_core_can_write(house, true);
    terminal_expect(ada, "The disk was full for a while");
    terminal_expect(bob, "The disk was full for a while");
    guests_chat(bob, ada, "room again");
    assert_int_equal(house_find_process(house, "core"), core);
    terminal_free(ada);
    terminal_free(bob);
}

/* Ada runs a query over ssh with these words and this input, and must get this output. */
static void run_query(const struct house_fixture *house, const char *const *words,
                      const char *input, const char *expected_output)
{
    static const char script[] = "printf '%s\\n' \"$0\" | exec \"$@\"";
    const char *argv[OPENSSH_WORDS_MAX + 4] = {"sh", "-c", script, input};
    struct command_result result;
    struct openssh line;
    openssh_begin_command_line(&line, house, "ssh");
    openssh_add_words(&line, (const char *const[]){"-oIdentityFile=ada", NULL});
    openssh_add_words(&line, words);
    memcpy(argv + 4, line.words, line.count * sizeof(*argv));
    command_run(house, argv, &result);
    command_assert_result(&result, 0, expected_output);
}

/* Checks the answers to a query and to a program while the disk is full. */
static void check_queries_by_ssh(const struct house_fixture *house)
{
    static const char *const top[] = {"ada@127.0.0.1", "top", "oh-hell", NULL};
    static const char *const api[] = {"-s", "ada@127.0.0.1", "api", NULL};
    run_query(house, top, "", "Oh Hell");
    run_query(house, api, "{\"t\":\"hello\",\"protocol\":3}\n{\"t\":\"ping\",\"id\":1}",
              "The disk is full");
}

static void people_can_sign_in_while_the_disk_is_full_and_play_afterwards(void **state)
{
    const struct house_fixture *house = *state;
    terminal_free(people_connect(house, "ada", 80, 24));
    struct terminal *eve = guests_connect(house);
    const pid_t core = house_find_process(house, "core");
    set_core_can_write(house, false);
    struct terminal *ada =
        people_connect(house, "ada", 80,
                       24); /* the sign-in tries to write, and so notices that the disk is full */
    terminal_expect(ada, "The disk is full");
    terminal_expect(eve, "The disk is full");
    check_queries_by_ssh(house);
    const struct connect_setup newcomer = {.user = "bob", .key = "bob"};
    struct terminal *bob = house_connect_by_ssh(house, &newcomer);
    terminal_expect(bob, "no account can be made until there is room");
    static const struct connect_setup as_guest = {.user = "guest"};
    struct terminal *max = house_connect_by_ssh(house, &as_guest);
    terminal_expect(max, "The disk is full");
    guests_close_offer(max);
    set_core_can_write(house, true);
    terminal_expect(ada, "The disk was full for a while");
    guests_chat(ada, eve, "room again");
    guests_chat(max, ada, "for me too");
    terminal_type(bob, "\r");
    terminal_expect(bob, "Enter alone: none");
    terminal_type(bob, "\r");
    terminal_expect(bob, "Welcome");
    assert_int_equal(house_find_process(house, "core"), core);
    terminal_free(max);
    terminal_free(bob);
    terminal_free(eve);
    terminal_free(ada);
}

TEST_GROUP(full_disk)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            people_can_look_around_while_the_disk_is_full_and_play_on_afterwards, house_set_up,
            house_tear_down),
        cmocka_unit_test_setup_teardown(
            people_can_sign_in_while_the_disk_is_full_and_play_afterwards, house_set_up,
            house_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
