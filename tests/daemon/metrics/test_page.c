#include "daemon/metrics/metrics.h"
#include "games/game.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SUPERVISOR 4711 /* its process id */

static char folder[FOLDER_PATH_MAX];
static char path[FOLDER_PATH_MAX];

static int set_up_folder(void **state)
{
    (void)state;
    int result = folder_make(folder);
    folder_write_path(path, folder, METRICS_PAGE_FILE);
    return result;
}

static int tear_down_folder(void **state)
{
    (void)state;
    return folder_remove(folder);
}

static struct metrics create_page(void)
{
    struct metrics metrics = {.page = metrics_page_create(folder), .process = LIFE_FIRST};
    assert_non_null(metrics.page);
    life_note_start(&metrics, LIFE_SUPERVISOR, "supervisor", SUPERVISOR);
    return metrics;
}

/* Returns the number of a series of a counter or gauge, as a reader sees it. */
static uint64_t read_series(enum metric metric, size_t series)
{
    static struct metrics_page copy;
    assert_true(metrics_page_read(folder, SUPERVISOR, &copy));
    return copy.numbers[metric_at(metric)->first + series];
}

static void counts_of_two_processes_add_up_and_outlive_both(void **state)
{
    (void)state;
    struct metrics metrics = create_page();
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (int j = 0; j < 10000; j++) {
                metrics_add(&metrics, METRIC_connections, "telnet", NULL, 1);
            }
            abort();
        }
    }
    while (wait(NULL) > 0) {
    }
    metrics_page_close(metrics.page);
    assert_int_equal(read_series(METRIC_connections, 0), 0);
    assert_int_equal(read_series(METRIC_connections, 1), 20000);
}

static void a_page_is_opened_again_with_its_counts(void **state)
{
    (void)state;
    struct stat status;
    struct metrics metrics = create_page();
    metrics_add(&metrics, METRIC_sign_ups, NULL, NULL, 7);
    metrics_page_close(metrics.page);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    metrics.page = metrics_page_open(folder);
    assert_non_null(metrics.page);
    metrics_add(&metrics, METRIC_sign_ups, NULL, NULL, 1);
    metrics_page_close(metrics.page);
    assert_int_equal(read_series(METRIC_sign_ups, 0), 8);
}

static void a_new_page_leaves_the_old_one_to_those_who_have_it(void **state)
{
    (void)state;
    struct metrics old = create_page();
    struct metrics new = create_page();
    metrics_add(&old, METRIC_sign_ups, NULL, NULL, 7);
    assert_int_equal(read_series(METRIC_sign_ups, 0), 0);
    metrics_page_close(old.page);
    metrics_page_close(new.page);
}

/* Writes a byte into the file of a page, or shortens it. */
static void damage_page(off_t at, off_t size)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, "\x01", 1, at), 1);
    assert_int_equal(ftruncate(file, size), 0);
    close(file);
}

static void the_page_of_a_program_with_other_metrics_is_refused(void **state)
{
    (void)state;
    static struct metrics_page copy;
    const off_t whole = sizeof(struct metrics_page);
    const off_t faults[][2] = {{3, whole}, {100, whole - 1}, {100, whole + 1}, {1, 3}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        metrics_page_close(create_page().page);
        damage_page(faults[i][0], faults[i][1]);
        assert_null(metrics_page_open(folder));
        assert_int_equal(errno, ESTALE);
        assert_false(metrics_page_read(folder, SUPERVISOR, &copy));
        assert_int_equal(errno, ESTALE);
    }
    unlink(path);
    assert_null(metrics_page_open(folder));
    assert_int_equal(errno, ENOENT);
    metrics_page_close(create_page().page);
}

static void the_page_of_a_house_that_was_closed_is_not_read(void **state)
{
    (void)state;
    static struct metrics_page copy;
    metrics_page_close(create_page().page);
    assert_false(metrics_page_read(folder, SUPERVISOR + 1, &copy));
    assert_int_equal(errno, ESTALE);
}

static void a_child_does_not_get_a_hidden_page(void **state)
{
    (void)state;
    int status;
    struct metrics metrics = create_page();
    assert_true(metrics_page_hide_from_children(metrics.page));
    pid_t child = fork();
    if (child == 0) {
        unsigned char present;
        _exit(mincore(metrics.page, 1, &present) == 0 || errno != ENOMEM); /* ENOMEM: not mapped */
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    metrics_page_close(metrics.page);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_value_that_a_label_does_not_have_changes_no_number(void **state)
{
    (void)state;
    static struct metrics_page before, after;
    struct metrics metrics = create_page();
    assert_true(metrics_page_read(folder, SUPERVISOR, &before));
    metrics_add(&metrics, METRIC_connections, "carrier pigeon", NULL, 1);
    metrics_add(&metrics, METRIC_connections, NULL, NULL, 1);
    metrics_add(&metrics, METRIC_connections, "ssh", "ssh", 1);
    metrics_add(&metrics, METRIC_moves, "no game", "player", 1);
    assert_true(metrics_page_read(folder, SUPERVISOR, &after));
    assert_memory_equal(&before, &after, sizeof before);
    metrics_add(&metrics, METRIC_moves, game_at(1)->id, "house", 3);
    assert_int_equal(read_series(METRIC_moves, 3), 3);
    metrics_page_close(metrics.page);
}

static void without_a_page_nothing_is_counted_and_nothing_breaks(void **state)
{
    (void)state;
    const struct metrics none = {0};
    metrics_add(&none, METRIC_sign_ups, NULL, NULL, 1);
    metrics_set(&none, METRIC_people, NULL, NULL, 1);
    metrics_observe_us(&none, METRIC_commit, NULL, 1, 1);
    life_give_sign(&none, LIFE_WAITS);
    life_note_start(&none, LIFE_FIRST, "core", 7);
    life_note_death(&none, LIFE_FIRST);
    life_measure_silence(&none, 0);
    metrics_page_close(NULL);
    assert_true(metrics_page_hide_from_children(NULL));
    metrics_page_close(create_page().page);
}

#define PAGE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_folder, tear_down_folder)

TEST_GROUP(page)
{
    const struct CMUnitTest tests[] = {
        PAGE_TEST(counts_of_two_processes_add_up_and_outlive_both),
        PAGE_TEST(a_page_is_opened_again_with_its_counts),
        PAGE_TEST(a_new_page_leaves_the_old_one_to_those_who_have_it),
        PAGE_TEST(the_page_of_a_program_with_other_metrics_is_refused),
        PAGE_TEST(the_page_of_a_house_that_was_closed_is_not_read),
        PAGE_TEST(a_child_does_not_get_a_hidden_page),
        PAGE_TEST(a_value_that_a_label_does_not_have_changes_no_number),
        PAGE_TEST(without_a_page_nothing_is_counted_and_nothing_breaks),
    };
    return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
