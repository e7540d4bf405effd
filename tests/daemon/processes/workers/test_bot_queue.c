#include "daemon/processes/workers/workers.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct bot_queue *queue;

static int set_up_queue(void **state)
{
    (void)state;
    queue = calloc(1, sizeof *queue);
    return queue == NULL ? -1 : 0;
}

static int tear_down_queue(void **state)
{
    (void)state;
    free(queue);
    return 0;
}

static void add(int64_t table, int64_t seat, int64_t due_ms)
{
    static struct bot_task task;
    task.table = table;
    task.seat = seat;
    task.due_ms = due_ms;
    bot_queue_add(queue, &task);
}

static void expect_next(int64_t table, int64_t seat)
{
    const struct bot_task *task = bot_queue_take(queue);
    assert_non_null(task);
    assert_int_equal(task->table, table);
    assert_int_equal(task->seat, seat);
}

static void the_task_that_is_due_first_is_taken_first(void **state)
{
    (void)state;
    add(1, 0, 500);
    add(2, 0, 100);
    add(3, 0, 900);
    add(4, 0, 300);
    expect_next(2, 0);
    add(5, 0, 200);
    expect_next(5, 0);
    expect_next(4, 0);
    expect_next(1, 0);
    expect_next(3, 0);
    assert_null(bot_queue_take(queue));
}

static void tasks_due_at_the_same_time_are_taken_in_the_order_of_their_arrival(void **state)
{
    (void)state;
    for (int64_t table = 1; table <= 5; table++) {
        add(table, 0, 100);
    }
    for (int64_t table = 1; table <= 5; table++) {
        expect_next(table, 0);
    }
}

static void a_task_replaces_an_earlier_one_of_the_same_seat_only(void **state)
{
    (void)state;
    add(1, 0, 100);
    add(1, 1, 200);
    add(2, 0, 300);
    add(1, 0, 400);
    assert_int_equal(queue->count, 3);
    expect_next(1, 1);
    expect_next(2, 0);
    expect_next(1, 0);
    assert_null(bot_queue_take(queue));
}

static void a_full_queue_has_room_again_when_a_task_is_taken(void **state)
{
    (void)state;
    for (int64_t table = 1; table <= BOT_QUEUE_MAX; table++) {
        assert_false(bot_queue_is_full(queue));
        add(table, 0, 1000 - table);
    }
    assert_true(bot_queue_is_full(queue));
    add(1, 0, 2000); /* needs no room */
    assert_true(bot_queue_is_full(queue));
    expect_next(BOT_QUEUE_MAX, 0);
    assert_false(bot_queue_is_full(queue));
    add(BOT_QUEUE_MAX + 1, 0, 0);
    expect_next(BOT_QUEUE_MAX + 1, 0);
    for (int64_t table = BOT_QUEUE_MAX - 1; table > 1; table--) {
        expect_next(table, 0);
    }
    expect_next(1, 0);
    assert_null(bot_queue_take(queue));
}

TEST_GROUP(bot_queue)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_task_that_is_due_first_is_taken_first, set_up_queue,
                                        tear_down_queue),
        cmocka_unit_test_setup_teardown(
            tasks_due_at_the_same_time_are_taken_in_the_order_of_their_arrival, set_up_queue,
            tear_down_queue),
        cmocka_unit_test_setup_teardown(a_task_replaces_an_earlier_one_of_the_same_seat_only,
                                        set_up_queue, tear_down_queue),
        cmocka_unit_test_setup_teardown(a_full_queue_has_room_again_when_a_task_is_taken,
                                        set_up_queue, tear_down_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
