#ifndef DAEMON_PROCESSES_GATE_GATE_IMAGE_H
#define DAEMON_PROCESSES_GATE_GATE_IMAGE_H

#include "games/macros.h"

#include <stdbool.h>

/*
 * All a gate knows, on its way through an exec (image.h): of its own program, or of a newer one
 * after a reload. The descriptors of the listening sockets, the core's and the sessions' stay open.
 */
struct gate;

/* Writes everything and lets the gate's descriptors pass the next exec. Returns the file's
 * descriptor, which passes too; -1 with errno, and then none does. */
int gate_image_save(const struct gate *gate) MUST_CHECK;

/* After an exec that failed: no descriptor passes the next one, and the file is closed. */
void gate_image_drop(const struct gate *gate, int image);

/* Reads what was saved, closes the file and keeps the descriptors from the next exec. What is not
 * knowledge is still to be made: host, confinement, epoll, signals. False, with a line on the log,
 * and nothing to clear, when it is no image. */
bool gate_image_load(struct gate *gate, int image) MUST_CHECK;

#endif
