#pragma once

#include "lobby/house/house.h"

#include <stdint.h>

struct core;
struct link;

/* Adds a peer's link and reads from it; the caller then calls house_connect. Takes over the
 * socket. */
struct link *core_add_link(struct core *core, int socket, int64_t conn, enum peer kind);
