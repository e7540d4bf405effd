#include "lobby/house/parts.h"

#include "lobby/house/say.h"
#include "lobby/house/words.h"

bool rebuild_load_house(struct house *house)
{
    /* load this first: the parts need to know until when the house was up */
    downtime_load_last_time_up(house);
    parts_call_load_hooks(house);
    read_ahead_for_returning(house);
    return !house->is_failed;
}

void rebuild_clear_house(struct house *house)
{
    PARTS_CALL(clear, house);
    outbox_drop_unsealed(&house->outbox);
}

/* Restores a connection and tells it to resync. The gate is not told, since it has no requests to
 * repeat. */
static void rebuild_restore_conn(struct house *house, struct conn *conn)
{
    if (conn->is_unfit) {
        conn_dismiss(house, conn, say(_("The house has lost your place in it: connect again.")));
        return;
    }
    if (conn->peer == PEER_SESSION) {
        house->doing = (struct doing){.conn = conn->id};
        returning_restore_conn(house, conn);
        house->doing = (struct doing){0};
    } else if (conn->peer == PEER_KEEPER) {
        /* send the backup job again: the keeper may never have received it */
        parts_call_peer_ready_hooks(house, conn);
        return;
    } else if (conn->peer == PEER_GATE) {
        return;
    }
    conn->is_lost = false;
    conn_send(house, conn, json_pack("{s:s}", "t", "resync"));
    conn->is_lost = true;
    conn->awaits_hello = true;
}

bool rebuild_house_without_conns(struct house *house)
{
    struct conn *conn = NULL;
    rebuild_clear_house(house);
    INDEX_EACH(&house->conns, conn)
    {
        conn_reset(conn);
    }
    TAILQ_INIT(&house->answered);
    return rebuild_load_house(house);
}

bool rebuild_restore_conns(struct house *house)
{
    struct conn *conn = NULL;
    INDEX_EACH(&house->conns, conn)
    {
        rebuild_restore_conn(house, conn);
    }
    return !house->is_failed;
}

bool rebuild_house(struct house *house)
{
    return rebuild_house_without_conns(house) && rebuild_restore_conns(house);
}
