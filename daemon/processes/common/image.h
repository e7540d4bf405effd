#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The state that a process hands to itself across an exec of its program or a newer one: JSON in a
 * file in memory, whose descriptor stays open across the exec.
 */

/* Takes over the reference. Returns the file's descriptor, which stays open across the next exec;
 * -1 with errno. */
int image_save(json_t *root) MUST_CHECK;

/* Reads the image and closes the file. Returns NULL if it is not an image. */
json_t *image_load(int image) MUST_CHECK;

/* Whether a descriptor stays open across the next exec; -1 is ignored. */
void image_let_pass(int fd, bool is_passing);

/* Encodes bytes that only the very same program understands as a string; returns a new reference.
 */
json_t *image_bytes(const void *bytes, size_t len) MUST_CHECK;

/* Returns false, and takes nothing, if the size differs. */
bool image_take_bytes(const json_t *string, void *bytes, size_t len) MUST_CHECK;
