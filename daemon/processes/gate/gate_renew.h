#pragma once

#include <stdint.h>

/*
 * Renewing the gate: the gate executes its own program again. All sessions are forked from the gate
 * and share its memory layout, and whoever made a session crash may have learnt that layout. So
 * after a session dies of a signal nobody enters until the gate has executed its program again. The
 * process and its state stay the same (gate_image.h), but the memory layout is new.
 *
 * The gate also renews itself once a day, and before it serves anybody, since until then its layout
 * is that of the core, which was forked from the same supervisor. No connection ends: the sockets
 * stay open, and new connections wait in the listening sockets' queue. At a reload (SIGUSR1) the
 * gate executes the program that the reload names, with its settings. Renewals are at least a
 * second apart, however often sessions die.
 */
enum {
    GATE_RENEW_PAUSE_MS = 1000,
    GATE_RENEW_DAILY_MS = 24 * 60 * 60 * 1000
};

struct gate;

/* Takes over the new settings after the gate has executed its program for a reload. */
void gate_renew_load_settings(struct gate *gate);

/* Call this when a session has died of a signal: nobody enters until the gate is renewed. */
void gate_renew_request(struct gate *gate);

/* Returns the time until gate_renew has work, in ms; -1 if it has none. */
int64_t gate_renew_due_in_ms(const struct gate *gate, int64_t now_ms);

/* If a renewal is due, executes the program again and then does not return. Returns if no renewal
 * is due, or if the exec fails: the failure is logged, and the gate continues as it is. */
void gate_renew(struct gate *gate, int64_t now_ms);
