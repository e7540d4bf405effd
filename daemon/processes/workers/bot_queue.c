#include "daemon/processes/workers/workers.h"

#include <assert.h>
#include <string.h>

void bot_queue_init(struct bot_queue *queue)
{
    queue->count = 0;
    for (uint16_t i = 0; i < BOT_QUEUE_MAX; i++) {
        queue->order[i] = i;
    }
}

bool bot_queue_is_full(const struct bot_queue *queue)
{
    return queue->count == BOT_QUEUE_MAX;
}

/* Moves the entry at `from` in the order to `to`; the entries between them move by one place. */
static void move_entry(struct bot_queue *queue, uint16_t from, uint16_t to)
{
    uint16_t entry = queue->order[from];
    uint16_t *order = queue->order;
    if (from < to) {
        memmove(order + from, order + from + 1, (size_t)(to - from) * sizeof(order[0]));
    } else {
        memmove(order + to + 1, order + to, (size_t)(from - to) * sizeof(order[0]));
    }
    order[to] = entry;
}

static void remove_entry(struct bot_queue *queue, uint16_t place)
{
    queue->count--;
    move_entry(queue, place, queue->count);
}

static void remove_task_of_seat(struct bot_queue *queue, int64_t table, int64_t seat)
{
    for (uint16_t place = 0; place < queue->count; place++) {
        const struct bot_task *task = &queue->tasks[queue->order[place]];
        if (task->table == table && task->seat == seat) {
            remove_entry(queue, place);
            return;
        }
    }
}

void bot_queue_add(struct bot_queue *queue, const struct bot_task *task)
{
    remove_task_of_seat(queue, task->table, task->seat);
    assert(!bot_queue_is_full(queue));
    uint16_t place = 0;
    while (place < queue->count && queue->tasks[queue->order[place]].due_ms <= task->due_ms) {
        place++;
    }
    queue->tasks[queue->order[queue->count]] = *task;
    move_entry(queue, queue->count, place);
    queue->count++;
}

const struct bot_task *bot_queue_take(struct bot_queue *queue)
{
    if (queue->count == 0) {
        return NULL;
    }
    const struct bot_task *task = &queue->tasks[queue->order[0]];
    remove_entry(queue, 0);
    return task;
}
