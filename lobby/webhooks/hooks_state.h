#pragma once

#include "lobby/house/house_state.h"

#define HOOK_POSTS_MAX 16

struct hooks {
    struct index by_account;
    bool is_changed;       /* the reports of turns have to be updated */
    bool is_queue_changed; /* the queue of events has to be checked */
    int64_t turns_ms;      /* the earliest due_ms of all tables (hook_posts.c) */
    int64_t due_ms;        /* when to send the next queued event */
    int64_t worker;        /* connection of the process that posts to webhooks; 0: not connected */
    struct {
        int64_t job; /* number of the event being sent; 0: free slot */
        int64_t account;
        int64_t since_ms;
    } posts[HOOK_POSTS_MAX]; /* the events being sent */
};

PART_STATE(hooks_of, struct hooks, hooks);
