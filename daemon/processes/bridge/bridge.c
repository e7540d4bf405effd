#include "daemon/processes/bridge/bridge.h"

#include "daemon/metrics/metrics.h"
#include "daemon/processes/bridge/bridge_state.h"

#include <event2/event.h>
#include <libssh/libssh.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>

#define SIGN_US 500000 /* half of LIFE_EVERY_MS */

static void give_sign_of_life(UNUSED int socket, UNUSED short events, void *context)
{
    const struct bridge *bridge = context;
    life_give_sign(&bridge->setup->metrics, LIFE_WAITS);
}

static void end_loop(UNUSED int signal_number, UNUSED short events, void *context)
{
    struct bridge *bridge = context;
    event_base_loopbreak(bridge->base);
}

static void begin_events(struct bridge *bridge)
{
    static const struct timeval every = {.tv_usec = SIGN_US};
    bridge->base = event_base_new();
    bridge->stop =
        bridge->base == NULL ? NULL : evsignal_new(bridge->base, SIGTERM, end_loop, bridge);
    bridge->life = bridge->base == NULL
                       ? NULL
                       : event_new(bridge->base, -1, EV_PERSIST, give_sign_of_life, bridge);
    if (bridge->stop == NULL || bridge->life == NULL || event_add(bridge->stop, NULL) != 0 ||
        event_add(bridge->life, &every) != 0) {
        abort();
    }
    life_give_sign(&bridge->setup->metrics, LIFE_WAITS);
    bridge_away_begin(bridge);
    bridge_home_begin(bridge);
    bridge_core_begin(bridge);
}

int bridge_run(const struct bridge_setup *setup)
{
    struct bridge bridge = {.setup = setup};
    if (ssh_init() != SSH_OK) {
        return 1;
    }
    bridge.host = bridge_ssh_host_new(setup->private_key, setup->rekey_bytes);
    if (bridge.host == NULL) {
        return 1;
    }
    begin_events(&bridge);
    (void)event_base_dispatch(bridge.base);
    bridge_home_end(&bridge);
    bridge_away_end(&bridge);
    bridge_core_end(&bridge);
    event_free(bridge.life);
    event_free(bridge.stop);
    event_base_free(bridge.base);
    bridge_nodes_clear(&bridge.nodes);
    bridge_ssh_host_free(bridge.host);
    sodium_memzero(bridge.house_key, sizeof bridge.house_key);
    return 0;
}
