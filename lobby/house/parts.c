#include "lobby/house/parts.h"

#include <assert.h>
#include <stdlib.h>

void layout_add_block(struct layout *layout, size_t owner_index, size_t size)
{
    const size_t unit = sizeof(int64_t);
    assert(owner_index < LAYOUT_OWNERS_MAX);
    layout->at[owner_index] = layout->size;
    layout->size += (size + unit - 1) / unit * unit;
}

const struct part *const house_parts[PARTS_COUNT] = {
#define PART(name) &name##_part,
#include "lobby/house/parts.def"
};

void parts_call_begin_hooks(struct house *house)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        if (house_parts[i]->house_size != 0) {
            house->states[i] = memory_new(house_parts[i]->house_size);
        }
        layout_add_block(&house->conn_layout, i, house_parts[i]->conn_size);
    }
    PARTS_CALL(begin, house);
}

void parts_call_load_hooks(struct house *house)
{
    for (size_t i = 0; i < PARTS_COUNT && !house->is_failed; i++) {
        const struct part *part = house_parts[i];
        if (part->load != NULL) {
            part->load(house);
            fault_log_and_continue(house, part->name);
        }
    }
}

void parts_call_end_hooks(struct house *house)
{
    PARTS_CALL(end, house);
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        free(house->states[i]);
    }
}

size_t part_number_of_worker(enum peer peer)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        if (house_parts[i]->helper == peer) {
            return i + 1;
        }
    }
    return 0;
}

static bool part_may_work_now(const struct house *house, size_t part_index)
{
    return !house->is_read_only || house_parts[part_index]->works_when_full;
}

static void part_run_hook(struct house *house, size_t part_index, void (*run)(struct house *house))
{
    if (run == NULL || !part_may_work_now(house, part_index) ||
        house->part_paused_ms[part_index] > house->now_ms) {
        return;
    }
    house->doing = (struct doing){.part = part_index + 1};
    run(house);
    house->doing = (struct doing){0};
}

void parts_call_tick_hooks(struct house *house)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        part_run_hook(house, i, house_parts[i]->tick);
    }
}

void parts_call_flush_hooks(struct house *house)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        part_run_hook(house, i, house_parts[i]->flush);
    }
}

void parts_find_next_due(const struct house *house, struct parts_due *due)
{
    *due = (struct parts_due){INT64_MAX, INT64_MAX};
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        const struct part *part = house_parts[i];
        bool is_asked = part->next_ms != NULL && part_may_work_now(house, i);
        int64_t next_ms = is_asked ? part->next_ms(house) : INT64_MAX;
        if (next_ms < house->part_paused_ms[i]) {
            next_ms = house->part_paused_ms[i];
        }
        due->any_ms = next_ms < due->any_ms ? next_ms : due->any_ms;
        if (part->is_prompt && next_ms < due->prompt_ms) {
            due->prompt_ms = next_ms;
        }
    }
}

void parts_call_peer_ready_hooks(struct house *house, struct conn *peer)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        if ((house_parts[i]->listens & peer->peer) != 0 && house_parts[i]->peer_ready != NULL) {
            house_parts[i]->peer_ready(house, peer);
        }
    }
}

void parts_call_peer_gone_hooks(struct house *house, struct conn *peer)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        if ((house_parts[i]->listens & peer->peer) != 0 && house_parts[i]->peer_gone != NULL) {
            house_parts[i]->peer_gone(house, peer);
        }
    }
}

void parts_call_conn_return_hooks(struct house *house, struct conn *conn,
                                  const struct storage_connection *row)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        if (house_parts[i]->conn_return != NULL && !house_parts[i]->conn_return(house, conn, row)) {
            return;
        }
    }
}

void parts_call_conn_gone_hooks(struct house *house, struct conn *conn)
{
    for (size_t i = PARTS_COUNT; i > 0; i--) {
        if (house_parts[i - 1]->conn_gone != NULL) {
            house_parts[i - 1]->conn_gone(house, conn);
        }
    }
}

int64_t parts_max_unrecorded_downtime_ms(const struct house *house)
{
    int64_t every_ms = INT64_MAX;
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        int64_t part_ms = house_parts[i]->max_unrecorded_downtime_ms == NULL
                              ? INT64_MAX
                              : house_parts[i]->max_unrecorded_downtime_ms(house);
        every_ms = part_ms < every_ms ? part_ms : every_ms;
    }
    return every_ms;
}

#define US_PER_MS 1000

static void pass_on(const struct house *house, enum house_metric metric, const char *a,
                    const char *b, uint64_t amount)
{
    if (house->config.measure != NULL) {
        house->config.measure(house->config.measure_context, metric, a, b, amount);
    }
}

void metrics_count(const struct house *house, enum house_metric metric, const char *a,
                   const char *b, size_t count)
{
    pass_on(house, metric, a, b, count);
}

void metrics_observe_ms(const struct house *house, enum house_metric metric, int64_t duration_ms)
{
    pass_on(house, metric, NULL, NULL, duration_ms > 0 ? (uint64_t)duration_ms * US_PER_MS : 0);
}

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
