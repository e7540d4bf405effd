#include "daemon/processes/workers/bot.h"

#include "daemon/base/log.h"
#include "daemon/base/must.h"
#include "daemon/processes/workers/worker.h"
#include "games/bots/policy.h"
#include "lobby/protocol/config_json.h"
#include "lobby/protocol/json_read.h"
#include "lobby/protocol/view_read.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 32

/* The contents of a `think` message: the game, its configuration and the view of a seat. */
struct task {
    int64_t table;
    int64_t seat;
    int64_t step;
    const struct game_def *game;
    struct game_config config;
    const struct policy *policy;
    struct game_view view;
};

static bool read_game(const json_t *message, struct task *task)
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
static bool read_task(const json_t *message, struct task *task)
{
    if (!read_game(message, task) || !view_read(json_object_get(message, "view"), &task->view)) {
        return false;
    }
    task->config.format = task->view.format;
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
    struct quick_random random;
    struct search search;
};

static json_t *answer_think_message(void *context, const json_t *message)
{
    struct bots *bots = context;
    struct task task;
    if (!read_task(message, &task)) {
        log_event(LOG_LEVEL_ERROR, 0, "the core sent an inconsistent view");
        return NULL;
    }
    uint8_t move =
        policy_choose_move(task.policy, &bots->search, &task.view, &task.config, &bots->random, 0);
    char buffer[MOVE_TEXT_MAX];
    struct text text = text_init(buffer, sizeof buffer);
    game_move_write(task.game, move, &text);
    return json_pack("{s:s, s:I, s:I, s:I, s:s}", "t", "bot_move", "table", (json_int_t)task.table,
                     "seat", (json_int_t)task.seat, "step", (json_int_t)task.step, "move", buffer);
}

static const struct worker_push pushes[] = {{"think", answer_think_message}, {NULL, NULL}};

int bot_run(int core_socket)
{
    if (sodium_init() < 0) {
        log_event(LOG_LEVEL_ERROR, 0, "libsodium does not start");
        return 1;
    }
    uint64_t seed;
    struct bots *bots = must_allocate(sizeof *bots);
    randombytes_buf(&seed, sizeof seed);
    quick_random_init(&bots->random, seed);
    search_init(&bots->search);
    int status = worker_run(&(struct worker){core_socket, pushes, bots});
    free(bots);
    return status;
}
