#include "daemon/processes/workers/workers.h"
#include "tests/unit.h"

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#define AS_LONG_AS_IT_TAKES (-1)
#define LEAST_SEARCH_US 500 /* a search takes ten times as long */

static const struct game_def *hund;
static struct game_state state;
static struct bot_task task;

static int set_up_game(void **test_state)
{
    (void)test_state;
    static const uint8_t seed[SEED_BYTES] = {1, 2, 3};
    hund = game_find("hund");
    task.game = hund;
    task.policy = policy_find("strong");
    task.config = game_config_default(hund, 2);
    return game_start(hund, &task.config, seed, &state, NULL) == GAME_OK ? 0 : -1;
}

/* Fills in the view of the seat whose turn it is. Returns false if the game is over. */
static bool next_task(void)
{
    uint8_t seat = 0;
    uint32_t seats = game_seats_to_act(&state);
    while (seats != 0 && (seats >> seat & 1) == 0) {
        seat++;
    }
    if (seats != 0) {
        game_fill_view(hund, &state, (int8_t)seat, &task.view);
    }
    return seats != 0;
}

static void make(uint8_t move)
{
    assert_int_equal(game_apply(hund, &state, (uint8_t)task.view.seat, move, NULL), GAME_OK);
}

/* Goes on to a move that is not forced. */
static void advance_to_choice(void)
{
    while (next_task() && move_set_count(&task.view.legal) == 1) {
        make(move_set_next(&task.view.legal, 0));
    }
    assert_true(move_set_count(&task.view.legal) > 1);
}

static int64_t own_cpu_us(void)
{
    struct timespec used;
    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used), 0);
    return used.tv_sec * INT64_C(1000000) + used.tv_nsec / 1000;
}

/* Counts this process's threads that run only while nothing else wants to. */
static int count_idle_threads(void)
{
    int count = 0;
    DIR *threads = opendir("/proc/self/task");
    assert_non_null(threads);
    for (struct dirent *thread = readdir(threads); thread != NULL; thread = readdir(threads)) {
        pid_t id = (pid_t)strtol(thread->d_name, NULL, 10);
        count += id != 0 && sched_getscheduler(id) == SCHED_IDLE;
    }
    closedir(threads);
    return count;
}

static void a_search_runs_in_a_thread_that_delays_nobody(void **test_state)
{
    (void)test_state;
    int idle_before = count_idle_threads();
    struct bot_searcher *searcher = bot_searcher_start(1, AS_LONG_AS_IT_TAKES);
    advance_to_choice();
    int64_t cpu_before_us = own_cpu_us();
    struct bot_choice choice = bot_searcher_choose_move(searcher, &task, 0);
    assert_true(choice.has_searched);
    assert_true(move_set_has(&task.view.legal, choice.move));
    assert_true((own_cpu_us() - cpu_before_us) * 2 < choice.took_us);
    assert_int_equal(count_idle_threads(), idle_before + 1);
    assert_int_equal(sched_getscheduler(0), SCHED_OTHER);
}

static void the_caller_searches_if_the_thread_has_no_time(void **test_state)
{
    (void)test_state;
    struct bot_searcher *searcher = bot_searcher_start(1, 0);
    advance_to_choice();
    int64_t cpu_before_us = own_cpu_us();
    struct bot_choice choice = bot_searcher_choose_move(searcher, &task, 0);
    assert_true(choice.has_searched);
    assert_true(move_set_has(&task.view.legal, choice.move));
    assert_true(own_cpu_us() - cpu_before_us > LEAST_SEARCH_US);
}

static void an_answer_that_comes_too_late_is_not_taken_for_another_view(void **test_state)
{
    (void)test_state;
    struct bot_searcher *searcher = bot_searcher_start(1, 0);
    while (next_task()) {
        make(bot_searcher_choose_move(searcher, &task, 50).move);
    }
}

static void a_policy_that_does_not_search_does_not_wait_for_the_thread(void **test_state)
{
    (void)test_state;
    struct bot_searcher *searcher = bot_searcher_start(1, AS_LONG_AS_IT_TAKES);
    task.policy = policy_find("medium");
    advance_to_choice();
    struct bot_choice choice = bot_searcher_choose_move(searcher, &task, 0);
    assert_false(choice.has_searched);
    assert_true(move_set_has(&task.view.legal, choice.move));
}

TEST_GROUP(bot_searcher)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_search_runs_in_a_thread_that_delays_nobody, set_up_game),
        cmocka_unit_test_setup(the_caller_searches_if_the_thread_has_no_time, set_up_game),
        cmocka_unit_test_setup(an_answer_that_comes_too_late_is_not_taken_for_another_view,
                               set_up_game),
        cmocka_unit_test_setup(a_policy_that_does_not_search_does_not_wait_for_the_thread,
                               set_up_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
