#include "daemon/processes/workers/workers.h"

#include "daemon/processes/common/common.h"
#include "lobby/protocol/protocol.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define FIRST_US 100.0F  /* the slowest game on a common server */
#define NEW_SHARE 0.125F /* of the latest search in the mean */

static uint8_t find_index(const struct game_def *game)
{
    uint8_t index = 0;
    while (game_at(index) != game) {
        index++;
    }
    assert(index < BOT_BUDGET_GAMES_MAX);
    return index;
}

void bot_budget_init(struct bot_budget *budget)
{
    for (uint8_t i = 0; i < BOT_BUDGET_GAMES_MAX; i++) {
        budget->playout_us[i] = FIRST_US;
    }
}

uint32_t bot_budget_playouts(const struct bot_budget *budget, const struct game_def *game,
                             uint32_t most, uint32_t waiting)
{
    float share_us = BOT_BUDGET_MS * 1000.0F / (float)(waiting + 1);
    float fitting = share_us / budget->playout_us[find_index(game)];
    if (fitting >= (float)most || most < BOT_PLAYOUTS_MIN) {
        return most;
    }
    return fitting < BOT_PLAYOUTS_MIN ? BOT_PLAYOUTS_MIN : (uint32_t)fitting;
}

void bot_budget_record(struct bot_budget *budget, const struct game_def *game, uint32_t playouts,
                       int64_t took_us)
{
    float *mean_us = &budget->playout_us[find_index(game)];
    *mean_us += NEW_SHARE * ((float)took_us / (float)playouts - *mean_us);
}

bool bot_queue_is_full(const struct bot_queue *queue)
{
    return queue->count == BOT_QUEUE_MAX;
}

void bot_queue_add(struct bot_queue *queue, const struct bot_task *task)
{
    struct bot_task *place = NULL;
    for (size_t i = 0; i < BOT_QUEUE_MAX; i++) {
        struct bot_task *other = &queue->tasks[i];
        bool is_same_seat =
            other->number != 0 && other->table == task->table && other->seat == task->seat;
        if (is_same_seat || (place == NULL && other->number == 0)) {
            place = other;
        }
        if (is_same_seat) {
            break;
        }
    }
    assert(place != NULL);
    queue->count += place->number == 0 ? 1 : 0;
    *place = *task;
    place->number = ++queue->added;
}

/* True if the task is due first; of two that are due at the same time, the one that came first. */
static bool is_more_urgent(const struct bot_task *task, const struct bot_task *other)
{
    return task->due_ms < other->due_ms ||
           (task->due_ms == other->due_ms && task->number < other->number);
}

const struct bot_task *bot_queue_take(struct bot_queue *queue)
{
    struct bot_task *first = NULL;
    for (size_t i = 0; i < BOT_QUEUE_MAX; i++) {
        struct bot_task *task = &queue->tasks[i];
        if (task->number != 0 && (first == NULL || is_more_urgent(task, first))) {
            first = task;
        }
    }
    if (first != NULL) {
        first->number = 0;
        queue->count--;
    }
    return first;
}

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

static struct bot_choice search_move(struct chooser *chooser, const struct bot_task *task,
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
        order->choice = search_move(&searcher->threads, &order->task, order->playouts);
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
    return search_move(&searcher->callers, task, playouts);
}

#define WORD_MAX 32
#define NICE 10 /* the screens and moves of people come before the searches of bots */

static bool read_game(const json_t *message, struct bot_task *task)
{
    const char *id = json_read_text(message, "game", WORD_MAX);
    const char *policy = json_read_text(message, "policy", WORD_MAX);
    int64_t players;
    task->game = id == NULL ? NULL : game_find(id);
    if (task->game == NULL || policy == NULL ||
        !json_read_number(message, "players", task->game->seats_min, task->game->seats_max,
                          &players)) {
        return false;
    }
    task->config = game_config_default(task->game, (uint8_t)players);
    task->policy = policy_find(policy);
    return task->policy != NULL &&
           config_from_json(task->game, json_object_get(message, "options"), &task->config) &&
           game_config_check(task->game, &task->config) == GAME_OK;
}

/* The bots' policies do not check the view that they are given, so inconsistent messages are
 * rejected here. */
static bool read_task(const json_t *message, struct bot_task *task)
{
    int64_t within_ms;
    if (!read_game(message, task) || !view_read(json_object_get(message, "view"), &task->view)) {
        return false;
    }
    if (!json_read_number(message, "within", 0, PACE_BOT_WITHIN_MS_MAX, &within_ms)) {
        return false;
    }
    task->due_ms = clock_steady_ms() + within_ms;
    return json_read_number(message, "table", 1, INT64_MAX, &task->table) &&
           json_read_number(message, "seat", 0, task->config.players - 1, &task->seat) &&
           json_read_number(message, "step", 0, UINT16_MAX, &task->step) &&
           task->view.game == task->game && task->view.seat == task->seat &&
           task->view.seats == game_seats(task->game, &task->config) &&
           task->view.step == task->step && view_viewer_may_move(&task->view) &&
           move_set_count(&task->view.legal) > 0;
}

/* What the process keeps between two tasks. */
struct bots {
    struct bot_searcher *searcher;
    struct bot_budget budget;
    struct bot_queue queue;
};

static json_t *make_answer(const struct bot_task *task, uint8_t move)
{
    char buffer[MOVE_TEXT_MAX];
    struct text text = text_init(buffer, sizeof buffer);
    game_move_write(task->game, move, &text);
    return json_pack("{s:s, s:I, s:I, s:I, s:s}", "t", "bot_move", "table", (json_int_t)task->table,
                     "seat", (json_int_t)task->seat, "step", (json_int_t)task->step, "move",
                     buffer);
}

/* Chooses a move with as many play-outs as the moves that wait leave time for. */
static uint8_t answer_within_budget(struct bots *bots, const struct bot_task *task)
{
    uint32_t playouts = bot_budget_playouts(&bots->budget, task->game,
                                            policy_playouts(task->policy), bots->queue.count);
    struct bot_choice choice = bot_searcher_choose_move(bots->searcher, task, playouts);
    if (choice.has_searched) {
        bot_budget_record(&bots->budget, task->game, playouts, choice.took_us);
    }
    return choice.move;
}

/* Chooses the most urgent of the moves that wait; returns NULL if none waits. */
static json_t *answer_most_urgent_task(void *context)
{
    struct bots *bots = context;
    const struct bot_task *task = bot_queue_take(&bots->queue);
    return task == NULL ? NULL : make_answer(task, answer_within_budget(bots, task));
}

/* Answers a forced move at once, and puts any other off until all messages are read. */
static json_t *take_think_message(void *context, const json_t *message)
{
    struct bots *bots = context;
    struct bot_task task;
    if (!read_task(message, &task)) {
        log_event(LOG_LEVEL_ERROR, 0, "the core sent an inconsistent view");
        return NULL;
    }
    if (move_set_count(&task.view.legal) == 1) {
        return make_answer(&task, move_set_next(&task.view.legal, 0));
    }
    json_t *answer = bot_queue_is_full(&bots->queue) ? answer_most_urgent_task(bots) : NULL;
    bot_queue_add(&bots->queue, &task);
    return answer;
}

static const struct worker_push pushes[] = {{"think", take_think_message}, {NULL, NULL}};

int bot_run(int core_socket, const struct metrics *metrics)
{
    if (sodium_init() < 0) {
        log_event(LOG_LEVEL_ERROR, 0, "libsodium does not start");
        return 1;
    }
    uint64_t seed;
    struct bots *bots = must_allocate(sizeof *bots);
    randombytes_buf(&seed, sizeof seed);
    bot_budget_init(&bots->budget);
    lower_priority(NICE, "the bots cannot lower their priority");
    bots->searcher = bot_searcher_start(seed, BOT_SEARCHER_WAIT_MS);
    int status = worker_run(&(struct worker){.socket = core_socket,
                                             .pushes = pushes,
                                             .context = bots,
                                             .metrics = metrics,
                                             .work = answer_most_urgent_task});
    free(bots);
    return status;
}
