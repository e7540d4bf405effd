#pragma once

#include "lobby/house/house.h"

struct core;
struct link;

/* Makes a peer's link and starts reading from it. Takes over the socket. The caller then calls
 * house_connect. */
struct link *core_add_link(struct core *core, int socket, int64_t conn, enum peer kind);
