#pragma once

#include "daemon/processes/crew.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>

/* The crew's part of the supervisor's image (image.h): the running processes and the sockets
 * between them. */

/* A new reference. */
json_t *crew_image_of(const struct crew *crew) MUST_CHECK;

/* Restores the crew from the image into a crew that has its members, matched by name and order, but
 * no sockets: saved processes go on, new members get no socket yet, and processes that are no
 * longer wanted are told to end. Returns false if this is not an image of a crew. */
bool crew_image_take(struct crew *crew, json_t *json) MUST_CHECK;

/* Whether the sockets stay open across the next exec. */
void crew_image_let_pass(const struct crew *crew, bool is_passing);
