#pragma once

#include "daemon/processes/processes.h"

/* Saves and restores the running processes and the sockets between them, as a part of the
 * supervisor's image (image.h). */

/* Makes the image of the processes and returns it; a new reference. */
json_t *processes_image_make(const struct processes *processes) MUST_CHECK;

/* Restores sockets and processes from the image. `processes` must list the wanted processes,
 * without sockets. Saved processes are matched by name and order and keep running. New processes
 * get no socket yet. Processes that are no longer wanted are told to end. Returns false if the
 * image is malformed. */
bool processes_image_restore(struct processes *processes, json_t *json) MUST_CHECK;

/* Sets whether the sockets between the processes stay open across the next exec. */
void processes_image_set_kept_across_exec(const struct processes *processes, bool is_kept);
