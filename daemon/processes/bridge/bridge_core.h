#pragma once

#include <jansson.h>
#include <stddef.h>

struct bridge;

/* The bridge's side of its protocol with the core (PROTOCOL.md, "The bridge"). */

/* Begins to listen to the core, and greets it. Aborts if memory runs out. */
void bridge_core_begin(struct bridge *bridge);
void bridge_core_end(struct bridge *bridge);

/* Sends the core a message, whose reference is taken over, and a descriptor, which is taken over
 * too; -1: none. */
void bridge_core_send(struct bridge *bridge, json_t *message, int fd);

/* Remembers the key of the house's stored answers, which another bridge has told (in hex, not ended
 * by a zero), and tells it to the core. */
void bridge_core_take_house_key(struct bridge *bridge, const char *hex, size_t len);
