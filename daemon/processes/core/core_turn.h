#ifndef DAEMON_PROCESSES_CORE_CORE_TURN_H
#define DAEMON_PROCESSES_CORE_CORE_TURN_H

struct core;

/* Ends a turn: makes durable what has happened, then tells it. Telling may show that a peer has
 * fallen behind, which is an event like any other. */
void core_finish_turn(struct core *core);

#endif
