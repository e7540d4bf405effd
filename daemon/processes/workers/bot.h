#ifndef DAEMON_PROCESSES_WORKERS_BOT_H
#define DAEMON_PROCESSES_WORKERS_BOT_H

/*
 * Plays seats (PROTOCOL.md): for every `think` one `bot_move`. It gets the views a player at that
 * seat would get and nothing else, so it cannot cheat.
 *
 * Serves until the other end of the socket is closed; the exit status is worker_run's.
 */
int bot_run(int core_socket);

#endif
