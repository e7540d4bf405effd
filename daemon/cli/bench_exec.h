#pragma once

#include "daemon/cli/bench_player.h"

/*
 * A player that is a program of its own (`exec:COMMAND`). The program reads one JSON object per
 * line, its seat's view among them, and answers each with one line, the text of its move
 * (HISTORY.md). The object is the `think` of PROTOCOL.md without `policy`; its `table` is the
 * number of the game.
 */
struct bench_exec;

/* Starts `/bin/sh -c COMMAND`, whose standard error stays that of this process. `limit_s` is the
 * time for each answer, in seconds. The command is borrowed until bench_exec_stop. Returns NULL
 * after printing why the program cannot be started. */
struct bench_exec *bench_exec_start(const char *command, uint32_t limit_s);

/* The `choose` of such a player; the context is the struct bench_exec. A wrong, late or missing
 * answer is printed, with the step of the view. SIGPIPE must be ignored. */
uint8_t bench_exec_choose(void *context, const struct bench_turn *turn);

/* Closes the program's input, gives it a second to end, and kills it and the processes that it has
 * started. The argument may be NULL. */
void bench_exec_stop(struct bench_exec *exec);
