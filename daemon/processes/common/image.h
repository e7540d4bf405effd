#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The state that a process keeps when it executes its own program again, or a newer version: JSON
 * in a file in memory, whose descriptor stays open across the exec.
 */

/* Writes the state to a file in memory; takes over the reference. Returns the file's descriptor,
 * which stays open across the next exec; -1 with errno. */
int image_save_to_memory_file(json_t *state) MUST_CHECK;

/* Reads the state from the file and closes the file. Returns NULL if the file holds no JSON. */
json_t *image_load_and_close(int image_fd) MUST_CHECK;

/* Sets whether a descriptor stays open across the next exec. Ignores -1. */
void image_set_kept_across_exec(int fd, bool is_kept);

/* Returns bytes as a JSON string, in a form that only the same version of the program understands;
 * a new reference. */
json_t *image_bytes_to_json(const void *bytes, size_t len) MUST_CHECK;

/* Reads bytes that image_bytes_to_json wrote. Returns false, and changes nothing, if the size
 * differs. */
bool image_bytes_from_json(const json_t *string, void *bytes, size_t len) MUST_CHECK;
