#include "lobby/house/parts.h"

#include "lobby/house/words.h"

/* Refuses the request that met the fault. The session gets the refusal when it repeats the request
 * after `resync`. */
static void undo_refuse_request(struct conn *conn, int64_t request_id)
{
    answer_record_refusal(
        conn, request_id, "failed",
        _("The house could not do that; nothing was changed. Its log says more."));
}

/* Gives up the work that met the fault. By now the pass of the core's loop is undone. */
static void undo_give_up_work(struct house *house, const struct fault *fault)
{
    const struct doing *at = &fault->at;
    struct conn *conn = at->conn == 0 ? NULL : conn_find(house, at->conn);
    if (at->item != 0) {
        PARTS_CALL(give_up, house, at->item, fault->why);
    } else if (conn != NULL && at->request != 0) {
        undo_refuse_request(conn, at->request);
    } else if (at->part != 0) {
        house->part_paused_ms[at->part - 1] = house->now_ms + FAULT_REST_MS;
    }
}

bool undo_loop_pass(struct house *house)
{
    const struct fault fault = house->fault;
    struct conn *conn = conn_find(house, fault.at.conn);
    bool is_conns =
        fault.at.item == 0 && fault.at.request == 0 && conn != NULL && conn->peer == PEER_SESSION;
    house->fault.is_met = false;
    fault_log(house, &fault, fault.at.part == 0 ? NULL : house_parts[fault.at.part - 1]->name);
    storage_rollback(house->storage);
    if (is_conns) {
        conn->is_unfit = true;
    }
    if (!rebuild_house_without_conns(house)) {
        return false;
    }
    /* Give the item up before a returning connection meets the same fault. */
    if (fault.at.item != 0) {
        undo_give_up_work(house, &fault);
    }
    if (!rebuild_restore_conns(house)) {
        return false;
    }
    if (fault.at.item == 0 && !house->fault.is_met) {
        undo_give_up_work(house, &fault);
    }
    return !house->is_failed;
}
