#pragma once

#include "daemon/processes/crew.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>

/* Saves and restores the running processes and the sockets between them, as a part of the
 * supervisor's image (image.h). */

/* Returns the image; a new reference. */
json_t *crew_image_of(const struct crew *crew) MUST_CHECK;

/* Restores sockets and processes from the image. The crew must list its members and have no
 * sockets: saved processes, matched by name and order, keep running; new ones get no socket yet;
 * processes no longer wanted are told to end. Returns false if the image is malformed. */
bool crew_image_take(struct crew *crew, json_t *json) MUST_CHECK;

/* Sets whether the sockets stay open across the next exec. */
void crew_image_let_pass(const struct crew *crew, bool is_passing);
