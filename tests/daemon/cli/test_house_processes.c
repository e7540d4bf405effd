#include "daemon/cli/cli.h"
#include "tests/unit.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOW_MS 100000
#define CORE LIFE_FIRST

static struct metrics_page page;
static const struct metrics metrics = {.page = &page, .process = CORE};

static int empty_page(void **state)
{
    (void)state;
    memset(&page, 0, sizeof page);
    return 0;
}

/* Puts a process on the page that has given its last sign of life this long before NOW_MS. */
static void put_process(pid_t pid, enum life_doing doing, int64_t silent_ms)
{
    life_note_start(&metrics, CORE, "core", pid);
    life_give_sign(&metrics, doing);
    page.lives[CORE].started_ms = NOW_MS - 60000;
    page.lives[CORE].seen_ms = NOW_MS - silent_ms;
}

static void expect_state(const char *state, bool works)
{
    struct house_processes processes = house_processes_list(&page, NOW_MS);
    assert_int_equal(processes.count, 1);
    assert_string_equal(house_process_state_word(processes.list[0].state), state);
    assert_int_equal(house_processes_all_work(&processes), works);
}

static void a_process_that_gives_signs_of_life_works(void **state)
{
    (void)state;
    put_process(getpid(), LIFE_WAITS, 1100);
    expect_state("waits", true);
    put_process(getpid(), LIFE_WORKS, 1100);
    expect_state("works", true);
    put_process(getpid(), LIFE_WRITES, 1100);
    expect_state("writes", true);
    struct house_processes processes = house_processes_list(&page, NOW_MS);
    assert_string_equal(processes.list[0].name, "core");
    assert_int_equal(processes.list[0].pid, getpid());
    assert_int_equal(processes.list[0].up_ms, 60000);
    assert_int_equal(processes.list[0].silent_ms, 1100);
}

static void a_process_that_is_silent_for_long_hangs_unless_it_still_starts(void **state)
{
    (void)state;
    put_process(getpid(), LIFE_WAITS, LIFE_HANGS_MS + 1);
    expect_state("hangs", false);
    put_process(getpid(), LIFE_STARTS, 60000); /* no sign since it started */
    expect_state("starts", true);
}

static void a_stopped_process_is_found_at_once(void **state)
{
    (void)state;
    int status;
    pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    put_process(child, LIFE_WAITS, 0);
    expect_state("stopped", false);
    kill(child, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)child, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
    expect_state("restarts", true); /* dead, but the supervisor has not noticed yet */
    put_process(child, LIFE_WAITS, 5000);
    expect_state("gone", false);
    assert_int_equal(waitpid(child, &status, 0), child);
}

static void a_dead_process_is_gone_unless_it_has_just_died(void **state)
{
    (void)state;
    put_process(getpid(), LIFE_WAITS, 100);
    life_note_death(&metrics, CORE);
    expect_state("restarts", true);
    page.lives[CORE].seen_ms = NOW_MS - 5000;
    expect_state("gone", false);
    assert_int_equal(house_processes_list(&page, NOW_MS).list[0].restarts, 1);
}

static void a_process_that_dies_again_and_again_does_not_work(void **state)
{
    (void)state;
    put_process(getpid(), LIFE_WAITS, 5000);
    life_note_death(&metrics, CORE);
    life_note_start(&metrics, CORE, "core", getpid());
    page.lives[CORE].started_ms = NOW_MS - 100;
    expect_state("fails", false);
    page.lives[CORE].seen_ms = NOW_MS - 1000;
    expect_state("starts", true);                      /* it has just died */
    life_note_start(&metrics, CORE, "core", getpid()); /* a reload replaces the process */
    assert_true(page.lives[CORE].seen_ms >= page.lives[CORE].started_ms);
}

static void a_damaged_page_breaks_nothing(void **state)
{
    (void)state;
    memset(&page, 0xff, sizeof page);
    struct house_processes processes = house_processes_list(&page, NOW_MS);
    assert_int_equal(processes.count, LIFE_PROCESSES);
    assert_string_equal(processes.list[0].name, "????????????????");
    put_process(getpid(), LIFE_WAITS, 0);
    page.lives[CORE].doing = LIFE_DOINGS;
    processes = house_processes_list(&page, NOW_MS);
    assert_string_equal(house_process_state_word(processes.list[CORE].state), "hangs");
    assert_false(house_processes_all_work(&processes));
}

TEST_GROUP(house_processes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_process_that_gives_signs_of_life_works, empty_page),
        cmocka_unit_test_setup(a_process_that_is_silent_for_long_hangs_unless_it_still_starts,
                               empty_page),
        cmocka_unit_test_setup(a_stopped_process_is_found_at_once, empty_page),
        cmocka_unit_test_setup(a_dead_process_is_gone_unless_it_has_just_died, empty_page),
        cmocka_unit_test_setup(a_process_that_dies_again_and_again_does_not_work, empty_page),
        cmocka_unit_test_setup(a_damaged_page_breaks_nothing, empty_page),
    };
    return cmocka_run_group_tests_name("house_processes", tests, NULL, NULL);
}
