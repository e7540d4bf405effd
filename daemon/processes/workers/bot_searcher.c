#include "daemon/processes/workers/workers.h"

#include "daemon/base/base.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/eventfd.h>

/* What choosing a move needs besides the task. */
struct chooser {
    struct quick_random random;
    struct search search;
};

/* Two event counters pass the order back and forth: the thread owns it from `asked` to `answered`,
 * the caller at all other times. No lock is held during that: the thread may be without processor
 * time at any moment. */
struct bot_searcher {
    int wait_ms;
    int asked, answered;    /* eventfd(2) */
    bool is_thread_busy;    /* known to the caller: the thread has not answered yet */
    struct chooser callers; /* used by the caller only */
    struct chooser threads; /* used by the thread only */
    struct order {
        struct bot_task task;
        uint32_t playouts;
        struct bot_choice choice;
    } order;
};

/* Whether the move that was just chosen comes from a search. */
static bool has_searched(const struct chooser *chooser, const struct bot_task *task)
{
    struct search_choice choices[MOVES_MAX];
    return policy_playouts(task->policy) > 0 &&
           search_list_choices(&chooser->search, &task->view, choices) > 0;
}

static struct bot_choice choose_move(struct chooser *chooser, const struct bot_task *task,
                                     uint32_t playouts)
{
    int64_t began_us = clock_steady_us();
    uint8_t move = policy_choose_move(task->policy, &chooser->search, &task->view, &task->config,
                                      &chooser->random, playouts);
    int64_t took_us = clock_steady_us() - began_us;
    return (struct bot_choice){
        .move = move, .has_searched = has_searched(chooser, task), .took_us = took_us};
}

/* Waits until the event is counted, and resets it. Returns false if that takes longer than
 * `wait_ms`; -1: waits without limit. */
static bool wait_for_event(int event, int wait_ms)
{
    struct pollfd wanted = {.fd = event, .events = POLLIN};
    int ready = poll(&wanted, 1, wait_ms);
    while (ready < 0 && errno == EINTR) {
        ready = poll(&wanted, 1, wait_ms);
    }
    eventfd_t count;
    return ready > 0 && eventfd_read(event, &count) == 0;
}

static void *search_for_caller(void *context)
{
    struct bot_searcher *searcher = context;
    struct order *order = &searcher->order;
    const struct sched_param none = {0};
    int error = pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
    if (error != 0) {
        log_event(LOG_LEVEL_ERROR, 0, "searches of bots may delay people: %s", strerror(error));
    }
    while (wait_for_event(searcher->asked, -1)) {
        order->choice = choose_move(&searcher->threads, &order->task, order->playouts);
        if (eventfd_write(searcher->answered, 1) != 0) {
            break;
        }
    }
    log_failure("the thread that searches for bots has ended");
    return NULL;
}

static bool start_thread(struct bot_searcher *searcher)
{
    pthread_t thread;
    searcher->asked = eventfd(0, EFD_CLOEXEC);
    searcher->answered = eventfd(0, EFD_CLOEXEC);
    if (searcher->asked < 0 || searcher->answered < 0) {
        return log_failure("no thread can search for bots");
    }
    int error = pthread_create(&thread, NULL, search_for_caller, searcher);
    if (error == 0) {
        error = pthread_detach(thread);
    }
    errno = error;
    return error == 0 || log_failure("no thread can search for bots");
}

struct bot_searcher *bot_searcher_start(uint64_t seed, int wait_ms)
{
    struct bot_searcher *searcher = must_allocate(sizeof *searcher);
    searcher->wait_ms = wait_ms;
    quick_random_init(&searcher->callers.random, seed);
    quick_random_init(&searcher->threads.random, ~seed);
    searcher->is_thread_busy = !start_thread(searcher);
    return searcher;
}

static void ask_thread(struct bot_searcher *searcher, const struct bot_task *task,
                       uint32_t playouts)
{
    searcher->order.task = *task;
    searcher->order.playouts = playouts;
    searcher->is_thread_busy = eventfd_write(searcher->asked, 1) == 0;
}

/* Learns whether the thread has answered, which must be busy. */
static bool wait_for_thread(struct bot_searcher *searcher, int wait_ms)
{
    searcher->is_thread_busy = !wait_for_event(searcher->answered, wait_ms);
    return !searcher->is_thread_busy;
}

struct bot_choice bot_searcher_choose_move(struct bot_searcher *searcher,
                                           const struct bot_task *task, uint32_t playouts)
{
    bool searches = policy_playouts(task->policy) > 0;
    /* An answer that comes after the caller has searched itself is out of date, and dropped. */
    if (searches && (!searcher->is_thread_busy || wait_for_thread(searcher, 0))) {
        ask_thread(searcher, task, playouts);
        if (wait_for_thread(searcher, searcher->wait_ms)) {
            return searcher->order.choice;
        }
    }
    return choose_move(&searcher->callers, task, playouts);
}
