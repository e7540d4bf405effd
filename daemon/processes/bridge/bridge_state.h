#pragma once

#include "daemon/processes/bridge/bridge.h"

#define BRIDGE_HOUSE_KEY_MAX 128 /* longest key of the stored answers, in hex */

/* The state that the files of the bridge share. */
struct bridge {
    const struct bridge_setup *setup;
    struct event_base *base;
    struct bridge_ssh_host *host;
    struct bridge_nodes nodes;
    char house_key[BRIDGE_HOUSE_KEY_MAX + 1]; /* key of the stored answers, in hex; "": not known */
    struct bridge_away away;
    struct bridge_home home;
    struct bridge_queue to_core; /* messages that wait until the core's socket has room */
    struct event *from_core, *core_has_room, *stop, *life;
    char *buffer; /* of PACKET_MAX bytes, for packets of the core */
};
