#pragma once

#include <jansson.h>
#include <stdbool.h>

/* Collects what a person sees of a house, to compare it with what is seen of another house. `seen`
 * begins as an empty object. */

/* Adds what a message from the house shows. The message is borrowed. */
void seen_add_message(json_t *seen, const json_t *message);

/* Returns true when both are equal; otherwise prints each difference to stderr after `title`.
 * With is_pushed, only what pushed messages keep up to date is compared, without chat lines and
 * notices. */
bool seen_are_equal(const char *title, const json_t *before, const json_t *after, bool is_pushed);
