#ifndef DAEMON_PROCESSES_GATE_GATE_RENEW_H
#define DAEMON_PROCESSES_GATE_GATE_RENEW_H

#include <stdint.h>

/*
 * The gate's re-execution of itself. All sessions are forked from one process and so share where
 * everything is in memory; who has made one fail may have learnt of that. So after a session has
 * died of a signal nobody comes in until the gate has run its program again, as the same process,
 * with all it knows (gate_image.h) and new addresses; and in any case once a day; and before it
 * serves anybody, since until then its addresses are those of the core too, forked from the same
 * supervisor. No connection ends: the sockets stay open, and those who come meanwhile wait in the
 * listening sockets' queue. A reload (SIGUSR1) does the same with the program and settings it
 * names. However often sessions die, a second lies between two renewals.
 */
enum {
    GATE_RENEW_PAUSE_MS = 1000,
    GATE_RENEW_DAILY_MS = 24 * 60 * 60 * 1000
};

struct gate;

/* After the exec of a reload: takes the settings it came with. */
void gate_renew_take_settings(struct gate *gate);

/* A session has died of a signal: nobody more comes in before the renewal. */
void gate_renew_ask(struct gate *gate);

/* How long until gate_renew has something to do; -1: never. */
int64_t gate_renew_wait_ms(const struct gate *gate, int64_t now_ms);

/* Runs the program again when it is time, and then does not return; or it is not time, or it
 * failed, said on the log: the gate goes on as it is. */
void gate_renew(struct gate *gate, int64_t now_ms);

#endif
