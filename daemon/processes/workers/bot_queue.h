#pragma once

#include "games/bots/policy.h"

/* The moves that a bots' process has still to choose, the most urgent first. */

/* Most moves that wait. When the queue is full, the process first chooses the most urgent move,
 * and meanwhile leaves further messages of the core in the socket. */
#define BOT_QUEUE_MAX 256

/* A move to choose: the contents of a `think` message. */
struct bot_task {
    int64_t table;
    int64_t seat;
    int64_t step;
    int64_t due_ms; /* when the answer is needed (clock_steady_ms) */
    const struct game_def *game;
    const struct policy *policy;
    struct game_config config;
    struct game_view view;
};

/* About 3 MB, of which only as many pages are used as tasks have waited at the same time. */
struct bot_queue {
    uint16_t count;
    uint16_t order[BOT_QUEUE_MAX]; /* indexes of `tasks`: first the waiting ones, the most urgent
                                      first, then the unused ones */
    struct bot_task tasks[BOT_QUEUE_MAX];
};

void bot_queue_init(struct bot_queue *queue);

/* True when there is no room for a task of another seat. */
bool bot_queue_is_full(const struct bot_queue *queue);

/* Adds a copy of the task, behind all that are due no later. The task replaces one of the same seat
 * at the same table, which is out of date. The queue may not be full. */
void bot_queue_add(struct bot_queue *queue, const struct bot_task *task);

/* Removes the most urgent task and returns it; NULL if none waits. The task stays valid until the
 * next call of bot_queue_add. */
const struct bot_task *bot_queue_take(struct bot_queue *queue);
