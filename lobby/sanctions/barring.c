#include "lobby/sanctions/barring.h"

#include "lobby/house/conns.h"
#include "lobby/house/parts.h"
#include "lobby/house/stored.h"
#include "lobby/sanctions/allowlist.h"
#include "storage/mod/sanctions.h"

#define BARRING_MAX 256 /* the most networks that are sent to the gate */

/* Returns whether the bans have changed since the gate got its list. */
static bool *barring_is_changed(const struct house *house)
{
    return PART_STATE(house, barring);
}

void barring_mark_changed(struct house *house)
{
    *barring_is_changed(house) = true;
}

struct barring {
    struct house *house;
    json_t *nets;
};

/* Adds the network of a ban to the list, unless the network is on the allowlist. An allowed address
 * within a larger banned network is admitted at sign-in (door.h). */
static bool append_banned_network(void *context, const struct storage_sanction *ban)
{
    struct barring *barring = context;
    if (!allowlist_has_address(barring->house, ban->address)) {
        (void)json_array_append_new(barring->nets, json_string(ban->address));
    }
    return json_array_size(barring->nets) < BARRING_MAX;
}

static void send_banned_networks(struct house *house)
{
    struct barring barring = {house, NULL};
    const struct conn *conn = NULL;
    if (!*barring_is_changed(house)) {
        return;
    }
    *barring_is_changed(house) = false;
    barring.nets = json_array();
    stored_or_fail(house,
                   storage_sanctions_on_addresses(house->storage, append_banned_network, &barring));
    INDEX_EACH(&house->conns, conn)
    {
        if (conn->peer == PEER_GATE && conn->phase == PHASE_IN) {
            conn_send(house, conn, json_pack("{s:s,s:O}", "t", "barred", "nets", barring.nets));
        }
    }
    json_decref(barring.nets);
}

static void send_list_to_new_gate(struct house *house, UNUSED struct conn *gate)
{
    barring_mark_changed(house);
}

const struct part barring_part = {
    .name = "gate-bans",
    .house_size = sizeof(bool),
    .works_when_full = true,
    .flush = send_banned_networks,
    .listens = PEER_GATE,
    .peer_ready = send_list_to_new_gate,
};
