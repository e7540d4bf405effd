#pragma once

#include "tests/bench/load/options.h"
#include "tests/bench/load/wire.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define CROWD_THREADS_MAX 64
#define CROWD_REASONS_MAX 8

/*
 * All connections of the bench. Threads bring people in, `at_a_time` at once; the thread that calls
 * crowd_run then reads the output of all who are in. All functions are for that one thread.
 *
 *   absent -> arriving -> in -> absent      (crowd_leave)
 *                |         `--> lost        (the server closed the connection)
 *                `--> failed                (did not come in)
 */
enum member_state {
    MEMBER_ABSENT,
    MEMBER_ARRIVING,
    MEMBER_IN,
    MEMBER_LOST,
    MEMBER_FAILED,
};

struct member {
    struct wire wire;
    enum member_state state;
    int64_t took_us;     /* time to the first screen; -1: did not come in */
    struct member *next; /* in the list of those who want to come in, or of those who have */
};

/* Why people did not come in or were lost, and how often each reason occurred. */
struct reasons {
    int count, total; /* `total` also counts those whose reason no longer fitted in */
    struct {
        char words[WIRE_WHY_MAX];
        int times;
    } each[CROWD_REASONS_MAX];
};

/* Gets the output of a person who is in. May not remove anybody. */
typedef void crowd_output(void *context, int member, const char *bytes, size_t len);

struct crowd {
    const struct options *options;
    struct member *members;
    int capacity;
    int in_count, arriving_count;
    struct reasons failed, lost;
    int epoll, wake; /* `wake` is an eventfd: somebody has come in or failed */
    crowd_output *on_output;
    void *context;
    /* below: shared with the threads, under `lock` */
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    struct member *waiting, **waiting_end, *arrived;
    bool is_closing;
    pthread_t threads[CROWD_THREADS_MAX];
    int thread_count;
};

/* Makes a crowd of at most `capacity` people and starts its threads. Returns false with a message
 * on standard error; call crowd_clear then too. */
bool crowd_init(struct crowd *crowd, const struct options *options, int capacity);

/* Lets everybody leave, ends the threads and frees everything. */
void crowd_clear(struct crowd *crowd);

/* Lets a member come in who is absent. */
void crowd_enter(struct crowd *crowd, int member);

/* Closes the connection of a member who is in. */
void crowd_leave(struct crowd *crowd, int member);

/* Reads everybody's output until the monotonic time `until_us`, or until is_done(context) returns
 * true, which is asked after every batch of events and at least every 10 ms. `is_done` may be NULL.
 * Returns whether it was done. */
bool crowd_run(struct crowd *crowd, int64_t until_us, bool (*is_done)(void *), void *context);

/* Types keys as a member who is in. A member to whom nothing can be sent counts as lost. */
void crowd_type(struct crowd *crowd, int member, const char *keys);

void reasons_add(struct reasons *reasons, const char *words);
void reasons_print(const struct reasons *reasons, const char *caption);
