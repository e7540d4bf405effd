#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

struct core;
struct link;

/*
 * Packets that kill the core. A session repeats its unanswered requests to the next core, and a
 * gate hands its sessions over again: if one of these packets kills each core, the house would give
 * up. So the core says on the page of metrics which packet it works on (life_set_work), the
 * supervisor reads that when the core has died, and after two deaths in a row at the same packet
 * the next cores get its number (core_setup.fatal).
 */

/*
 * Says that the core works on the packet in core->buffer, until the end of the pass. If two cores
 * have died of it, logs that, and refuses the packet: answers a request with `failed`; closes a
 * connection whose opening or sign-in it is. Then returns true: the house must not get the packet.
 * Packets of other processes than sessions are never refused, except those that hand over a
 * session.
 */
bool core_fatal_refuse_packet(struct core *core, struct link *link, size_t len) MUST_CHECK;
