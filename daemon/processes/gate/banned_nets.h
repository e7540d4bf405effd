#pragma once

#include "daemon/base/ip_net.h"
#include "daemon/processes/gate/limits.h"

#include <jansson.h>

/*
 * The networks that staff have banned, as the core tells the gate (PROTOCOL.md, "The gate"). The
 * gate still admits one connection at a time from such a network: banned players may appeal, and
 * the ban of a network does not apply to staff.
 */
enum {
    BANNED_NETS_MAX = 256 /* the gate knows at most this many networks; the core knows all */
};

struct banned_nets {
    size_t count;
    struct ip_net nets[BANNED_NETS_MAX];
};

/* Replaces all networks by those in the message's list `nets`. Malformed networks are skipped. */
void banned_nets_replace_from_message(struct banned_nets *banned, const json_t *message);

/* Returns the index of the banned network that contains the whole source (limits.h: an IPv4 address
 * or an IPv6 /64); -1 if there is none. A banned network smaller than a /64 contains no IPv6
 * source. */
int banned_nets_find(const struct banned_nets *banned,
                     const struct limits_source *source) MUST_CHECK;
