#pragma once

#include "lobby/house/house.h"

struct core;
struct link;

/* Adds a peer's link and reads from it. Takes over the socket. The caller then calls
 * house_connect. */
struct link *core_add_link(struct core *core, int socket, int64_t conn, enum peer kind);
