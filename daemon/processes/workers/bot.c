#include "daemon/processes/workers/workers.h"

#include "daemon/base/base.h"
#include "lobby/protocol/protocol.h"

#include <errno.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static uint8_t choose_move(struct bots *bots, const struct bot_task *task)
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
    return task == NULL ? NULL : make_answer(task, choose_move(bots, task));
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

static void lower_priority(void)
{
    errno = 0;
    if (nice(NICE) == -1 && errno != 0) {
        log_failure("the bots cannot lower their priority");
    }
}

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
    bot_queue_init(&bots->queue);
    lower_priority();
    bots->searcher = bot_searcher_start(seed, BOT_SEARCHER_WAIT_MS);
    int status = worker_run(&(struct worker){.socket = core_socket,
                                             .pushes = pushes,
                                             .context = bots,
                                             .metrics = metrics,
                                             .work = answer_most_urgent_task});
    free(bots);
    return status;
}
