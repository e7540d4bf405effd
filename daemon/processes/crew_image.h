#ifndef DAEMON_PROCESSES_CREW_IMAGE_H
#define DAEMON_PROCESSES_CREW_IMAGE_H

#include "daemon/processes/crew.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>

/* The crew's part of the supervisor's image (image.h): who runs, and the sockets between them. */

/* A new reference. */
json_t *crew_image_of(const struct crew *crew) MUST_CHECK;

/* Fills a crew of present members (by their names and order) that has no sockets yet: who was saved
 * goes on; who is new gets none. Who is no longer wanted is told to end. False when it is no image
 * of a crew. */
bool crew_image_take(struct crew *crew, json_t *json) MUST_CHECK;

/* Lets the sockets pass the next exec, or not. */
void crew_image_let_pass(const struct crew *crew, bool is_passing);

#endif
