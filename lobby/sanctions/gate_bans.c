#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "storage/mod/mod.h"

#define BARRING_MAX 256 /* the most networks that are sent to the gate */

/* Returns whether the bans have changed since the gate got its list. */
static bool *gate_bans_are_changed(const struct house *house)
{
    return PART_STATE(house, gate_bans);
}

void gate_bans_mark_changed(struct house *house)
{
    *gate_bans_are_changed(house) = true;
}

struct gate_bans {
    struct house *house;
    json_t *nets;
};

/* Adds the network of a ban to the list, unless the network is on the allowlist. An allowed address
 * within a larger banned network is admitted at sign-in (sign_in_bans.h). */
static bool append_banned_network(void *context, const struct storage_sanction *ban)
{
    struct gate_bans *gate_bans = context;
    if (!allowlist_has_address(gate_bans->house, ban->address)) {
        (void)json_array_append_new(gate_bans->nets, json_string(ban->address));
    }
    return json_array_size(gate_bans->nets) < BARRING_MAX;
}

static void send_banned_networks(struct house *house)
{
    struct gate_bans gate_bans = {house, NULL};
    if (!*gate_bans_are_changed(house)) {
        return;
    }
    *gate_bans_are_changed(house) = false;
    gate_bans.nets = json_array();
    stored_or_fail(house, storage_sanctions_list_on_addresses(house->storage, append_banned_network,
                                                              &gate_bans));
    PROCESSES_EACH(conn, house) {
        if (conn->peer == PEER_GATE && conn->phase == PHASE_IN) {
            conn_send(house, conn, json_pack("{s:s,s:O}", "t", "barred", "nets", gate_bans.nets));
        }
    }
    json_decref(gate_bans.nets);
}

static void send_bans_to_new_gate(struct house *house, UNUSED struct conn *gate)
{
    gate_bans_mark_changed(house);
}

const struct part gate_bans_part = {
    .name = "gate-bans",
    .house_size = sizeof(bool),
    .works_when_full = true,
    .flush = send_banned_networks,
    .listens = PEER_GATE,
    .peer_ready = send_bans_to_new_gate,
};
