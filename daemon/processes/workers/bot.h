#pragma once

#include "daemon/metrics/metrics.h"

/*
 * The process that plays the seats of bots: it answers every `think` of the core with a `bot_move`
 * (PROTOCOL.md). It answers forced moves at once, and the others by how soon they are needed; the
 * more moves wait, the shorter it searches for each. It runs at a lower priority than the rest of
 * the house, and searches only while nothing else is to be done (bot_searcher.h). It gets only the
 * views that a player in that seat would get, so it cannot cheat. Serves until the other end of the
 * socket is closed; the exit status is that of worker_run.
 */
int bot_run(int core_socket, const struct metrics *metrics);
