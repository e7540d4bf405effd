#pragma once

#include "games/macros.h"

#include <stdbool.h>

/*
 * Saves the state of a gate across an exec (image.h) of its own program, or of a newer one at a
 * reload. The descriptors of the listening sockets, of the core and of the sessions stay open.
 */
struct gate;

/* Writes the state to a file in memory, and keeps the gate's descriptors open across the next exec.
 * Returns the file's descriptor, which stays open too. Returns -1 with errno if that fails: then no
 * descriptor is kept open across an exec. */
int gate_image_save(const struct gate *gate) MUST_CHECK;

/* Undoes gate_image_save after a failed exec: closes the file, and lets no descriptor stay open
 * across the next exec. */
void gate_image_cancel(const struct gate *gate, int image_fd);

/* Reads the state from the file, closes the file, and makes all descriptors close-on-exec. The
 * caller must still make what the image does not hold: host key, confinement, epoll, signals. If
 * the file is not an image, returns false with a line on the log; the gate then holds what was
 * restored so far. */
bool gate_image_load(struct gate *gate, int image_fd) MUST_CHECK;
