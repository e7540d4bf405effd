#include "lobby/sanctions/barring.h"

#include "lobby/house/conns.h"
#include "lobby/house/parts.h"
#include "lobby/house/stored.h"
#include "lobby/sanctions/allowlist.h"
#include "storage/mod/sanctions.h"

#define BARRING_MAX 256 /* networks sent to the gate */

struct barred {
    bool is_changed; /* send the gate the list of bans */
};

static struct barred *barred_of(const struct house *house)
{
    return PART_STATE(house, barring);
}

void barring_changed(struct house *house)
{
    barred_of(house)->is_changed = true;
}

struct barring {
    struct house *house;
    json_t *nets;
};

/* A banned address that is itself allowed is left out; an allowed one within a larger banned net is
 * let in at sign-in (door.h). */
static bool barring_add(void *context, const struct storage_sanction *ban)
{
    struct barring *barring = context;
    if (!allowed_has_address(barring->house, ban->address)) {
        (void)json_array_append_new(barring->nets, json_string(ban->address));
    }
    return json_array_size(barring->nets) < BARRING_MAX;
}

static void barring_flush(struct house *house)
{
    struct barring barring = {house, NULL};
    const struct conn *conn = NULL;
    struct index_at next;
    if (!barred_of(house)->is_changed) {
        return;
    }
    barred_of(house)->is_changed = false;
    barring.nets = json_array();
    stored_or_fail(house, storage_sanctions_on_addresses(house->storage, barring_add, &barring));
    INDEX_EACH(&house->conns, conn, next)
    {
        if (conn->peer == PEER_GATE && conn->phase == PHASE_IN) {
            conn_push(house, conn, json_pack("{s:s,s:O}", "t", "barred", "nets", barring.nets));
        }
    }
    json_decref(barring.nets);
}

static void barring_gate_ready(struct house *house, UNUSED struct conn *gate)
{
    barring_changed(house);
}

const struct part barring_part = {
    .name = "barring",
    .house_size = sizeof(struct barred),
    .works_when_full = true,
    .flush = barring_flush,
    .listens = PEER_GATE,
    .peer_ready = barring_gate_ready,
};
