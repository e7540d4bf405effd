#ifndef DAEMON_PROCESSES_COMMON_IMAGE_H
#define DAEMON_PROCESSES_COMMON_IMAGE_H

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * What a process knows, on its way through an exec of itself or of a newer program: JSON in a file
 * in memory, whose descriptor passes the exec.
 */

/* Takes over the reference. The descriptor passes the next exec; -1 with errno. */
int image_save(json_t *root) MUST_CHECK;

/* Reads what was saved and closes the file. NULL when it is none. */
json_t *image_load(int image) MUST_CHECK;

/* Lets a descriptor pass the next exec, or not; -1 is passed over. */
void image_let_pass(int fd, bool is_passing);

/* Bytes that only the very same program understands, as a string; a new reference. */
json_t *image_bytes(const void *bytes, size_t len) MUST_CHECK;

/* False, with nothing taken, when it is not exactly so many. */
bool image_take_bytes(const json_t *string, void *bytes, size_t len) MUST_CHECK;

#endif
