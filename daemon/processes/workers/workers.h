#pragma once

#include "daemon/base/base.h"
#include "daemon/metrics/metrics.h"
#include "games/bots/bots.h"
#include "games/game.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/*
 * A password worker (PROTOCOL.md). It checks passwords with Argon2id, through crypto_pwhash_str of
 * libsodium, with 3 passes over 64 MiB, which take about 110 ms. It checks the codes of
 * authenticators (RFC 6238) through liboath. It knows no accounts and keeps nothing; memory that
 * held a password or secret is overwritten before it is freed. Serves until the other end of the
 * socket is closed; the exit status is that of worker_run.
 */
int auth_run(int core_socket, const struct metrics *metrics);

/*
 * The process that plays the seats of bots: it answers every `think` of the core with a `bot_move`
 * (PROTOCOL.md). It answers forced moves at once, and the others by how soon they are needed; the
 * more moves wait, the shorter it searches for each. It runs at a lower priority than the rest of
 * the house, and searches only while nothing else is to be done. It gets only the
 * views that a player in that seat would get, so it cannot cheat. Serves until the other end of the
 * socket is closed; the exit status is that of worker_run.
 */
int bot_run(int core_socket, const struct metrics *metrics);

/*
 * How many play-outs a search may make. A search takes a few milliseconds, but with many bots on
 * turn the last one would wait too long: therefore all that wait share BOT_BUDGET_MS. The time of a
 * play-out is measured for each game, since it depends on the game, the machine, and what else the
 * machine does.
 */
#define BOT_BUDGET_MS 300
#define BOT_PLAYOUTS_MIN 20 /* fewer choose hardly better than the medium policy */
#define BOT_BUDGET_GAMES_MAX 16

struct bot_budget {
    float playout_us[BOT_BUDGET_GAMES_MAX]; /* by game, as in game_at */
};

/* Assumes that play-outs take long, until they are measured. */
void bot_budget_init(struct bot_budget *budget);

/* Returns how many play-outs the next search may make: at most `most`, the policy's own number,
 * and fewer if `waiting` other moves are still to choose, but at least BOT_PLAYOUTS_MIN. */
uint32_t bot_budget_playouts(const struct bot_budget *budget, const struct game_def *game,
                             uint32_t most, uint32_t waiting);

/* Records how long a search with this number of play-outs, at least 1, has taken. */
void bot_budget_record(struct bot_budget *budget, const struct game_def *game, uint32_t playouts,
                       int64_t took_us);

/* The moves that a bots' process has still to choose, the most urgent first. */

/* Most moves that wait. When the queue is full, the process first chooses the most urgent move,
 * and meanwhile leaves further messages of the core in the socket. */
#define BOT_QUEUE_MAX 256

/* A move to choose: the contents of a `think` message. */
struct bot_task {
    uint64_t number; /* set by the queue: tasks have rising numbers, unused places 0 */
    int64_t table;
    int64_t seat;
    int64_t step;
    int64_t due_ms; /* when the answer is needed (clock_steady_ms) */
    const struct game_def *game;
    const struct policy *policy;
    struct game_config config;
    struct game_view view;
};

/* Begins as zeroes. About 3 MB, of which only as many pages are used as tasks have waited at the
 * same time. */
struct bot_queue {
    uint32_t count; /* tasks that wait */
    uint64_t added;
    struct bot_task tasks[BOT_QUEUE_MAX];
};

/* True when there is no room for a task of another seat. */
bool bot_queue_is_full(const struct bot_queue *queue);

/* Adds a copy of the task. The task replaces one of the same seat
 * at the same table, which is out of date. The queue may not be full. */
void bot_queue_add(struct bot_queue *queue, const struct bot_task *task);

/* Removes the most urgent task and returns it; NULL if none waits. The task stays valid until the
 * next call of bot_queue_add. */
const struct bot_task *bot_queue_take(struct bot_queue *queue);

/*
 * Chooses the moves of searching bots without delaying the house: the searches run in a thread that
 * gets processor time only when no other process wants it (SCHED_IDLE), so that a search never
 * delays the echo of a key. On a busy machine that thread may get no time for seconds. Then
 * the caller searches too, with the priority of its process.
 */

/* How long to wait for a search in the thread before the caller searches: a search takes 5 to 70 ms
 * on a core that is free. */
#define BOT_SEARCHER_WAIT_MS 200

struct bot_searcher;

struct bot_choice {
    uint8_t move;
    bool has_searched; /* false if the policy chose the move without a search */
    int64_t took_us;   /* how long choosing the move took, without waiting for the thread */
};

/* Starts the thread, which ends with the process: a searcher is never freed. If no thread can be
 * started, logs this, and the caller makes all searches. `wait_ms`: BOT_SEARCHER_WAIT_MS, or 0 in
 * tests. */
struct bot_searcher *bot_searcher_start(uint64_t seed, int wait_ms);

/* Returns a legal move for the task, from a search of so many play-outs if its policy searches
 * (see policy_choose_move). */
struct bot_choice bot_searcher_choose_move(struct bot_searcher *searcher,
                                           const struct bot_task *task, uint32_t playouts);

/* The limits of a webhook call. */
struct hook_rules {
    bool is_http_allowed;    /* web addresses may begin with http:// */
    bool is_private_allowed; /* web addresses may lead to private networks */
    uint32_t timeout_ms;     /* time limit of a call; half of it may be spent on connecting */
};

/* longest body of an answer, in bytes; the body is read and discarded, and a longer one ends the
 * call */
#define HOOK_CALL_ANSWER_MAX 4096

/*
 * The process that sends webhooks. Only this process and the gate reach the network, and this
 * process can only make outgoing connections. The core tells it which requests to send. It reports
 * the results and keeps nothing.
 */
#define HOOK_USER "nobody"

struct hook_setup {
    int core_socket;
    const char *user;       /* user to become if root starts the process */
    const char *ca_file;    /* additional trusted certificates (PEM); "": none */
    struct metrics metrics; /* hook_run gives signs of life (metrics.h) */
    struct hook_rules rules;
};

/* Reads a file of certificates (PEM). Returns its text, which the caller frees; NULL, with a line
 * on the log, if it holds no certificate. */
char *hook_read_authorities(const char *path, size_t *len) MUST_CHECK;

/* Serves until the core closes its end of the socket, and then returns 0. Returns 1, with a line on
 * the log, after an error that a new process may not have. */
int hook_run(const struct hook_setup *setup);

/*
 * The addresses that webhooks may be sent to. Players choose host names. A name may resolve to any
 * address, and a moment later to another one, so check the very address that you connect to.
 *
 * Unless is_private_allowed, an address must be in the public internet (IANA's special-purpose
 * registries, RFC 6890), and the port must be 80, 443 or at least 1024. If is_private_allowed, any
 * address is allowed except multicast and link-local ones, where cloud providers serve secrets to
 * their machines.
 */
bool hook_address_is_allowed(const struct sockaddr *address, socklen_t len,
                             bool is_private_allowed);

/* True if the address belongs to this machine itself, on any interface, public ones included. Sends
 * nothing. */
bool hook_address_is_of_this_machine(const struct sockaddr *address, socklen_t len);

/*
 * A worker's side of the protocol. The worker says `hello` at the start and after a `resync`, and
 * handles the core's messages one by one. A worker that puts work off does a piece of it whenever
 * no message waits. The worker may block; the core never waits for it.
 */

/* A type of message that a worker handles. */
struct worker_push {
    const char *type;
    /* Handles the message, which is borrowed. Returns the answer, whose reference passes to the
     * caller, or NULL for no answer. */
    json_t *(*take)(void *context, const json_t *message);
};

struct worker {
    int socket;                       /* the worker's end of its socket pair with the core */
    const struct worker_push *pushes; /* the messages that the worker handles, ended by a type that
                                         is NULL; all others are ignored */
    void *context;                    /* passed to each call of the functions */
    const struct metrics *metrics;    /* borrowed; the worker gives signs of life (metrics.h) */
    /* Does the next piece of the work that `take` functions have put off. Returns its answer, whose
     * reference passes to the caller, or NULL if there was nothing to do. NULL: the worker puts
     * nothing off. */
    json_t *(*work)(void *context);
    /* Waits until the socket is readable or there is work, at most LIFE_EVERY_MS (metrics.h). NULL:
     * the worker waits for its socket alone. */
    void (*wait)(void *context);
};

/* Serves until the core closes its end, and then returns 0. Returns 1, with a line on the log,
 * after an error that a new process may not have. */
int worker_run(const struct worker *worker);
