#pragma once

/*
 * Plays seats: answers every `think` of the core with a `bot_move` (PROTOCOL.md). It gets only the
 * views that a player in that seat would get, so it cannot cheat. Serves until the other end of the
 * socket is closed; the exit status is worker_run's.
 */
int bot_run(int core_socket);
