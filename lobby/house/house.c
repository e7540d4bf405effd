#include "lobby/house/house.h"

#include "lobby/house/house_state.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/protocol/protocol.h"
#include "storage/house/house.h"

#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *fault_describe(const struct house *house, enum storage_result result)
{
    if (result == STORAGE_NOT_FOUND) {
        return "a required row is missing";
    }
    if (result == STORAGE_TAKEN) {
        return "a row exists already that must not exist";
    }
    return storage_last_failure(house->storage);
}

/* Records a fault: the storage returned this result for a call that must succeed. */
static void fault_record(struct house *house, enum storage_result result)
{
    struct fault *fault = &house->fault;
    if (fault->is_met) {
        return; /* keep only the first fault: later ones may be its consequences */
    }
    fault->is_met = true;
    fault->at = house->doing;
    (void)snprintf(fault->why, sizeof(fault->why), "%s", fault_describe(house, result));
}

struct doing fault_blame_item(struct house *house, const char *item_kind, int64_t item_number)
{
    const struct doing was = house->doing;
    house->doing.item_kind = item_kind;
    house->doing.item = item_number;
    return was;
}

/* Logs a fault and the work in progress when it occurred. `part_name` names the part that met the
 * fault, or is NULL. */
static void fault_log(const struct house *house, const struct fault *fault, const char *part_name)
{
    const struct doing *at = &fault->at;
    journal_write_house_event(
        house, "fault",
        JOURNAL_PAIRS("why", fault->why, at->item_kind == NULL ? "" : at->item_kind,
                      at->item == 0 ? NULL : JOURNAL_NUMBER(at->item), "of",
                      at->conn == 0 ? NULL : JOURNAL_NUMBER(at->conn), "request",
                      at->request == 0 ? NULL : JOURNAL_NUMBER(at->request), "part", part_name));
}

void fault_log_and_continue(struct house *house, const char *part_name)
{
    if (house->fault.is_met) {
        fault_log(house, &house->fault, part_name);
        house->fault.is_met = false;
    }
}

/* Makes the core end; no message of this pass is sent. `why` is one sentence for the log. Only the
 * first call counts. */
static void house_fail(struct house *house, const char *why)
{
    if (house->failed_why[0] == '\0') {
        (void)snprintf(house->failed_why, sizeof(house->failed_why), "%s",
                       why[0] == '\0' ? "the house could not be built from its data" : why);
    }
    house->is_failed = true;
}

bool stored(struct house *house, enum storage_result result)
{
    switch (result) {
    case STORAGE_OK:
        return true;
    case STORAGE_NOT_FOUND:
    case STORAGE_TAKEN:
        break;
    case STORAGE_FULL:
        house->is_full = true;
        break;
    case STORAGE_REFUSED:
        fault_record(house, result);
        break;
    case STORAGE_IO:
    case STORAGE_CORRUPT:
    case STORAGE_LOCKED:
    case STORAGE_OLDER:
    case STORAGE_NEWER:
    case STORAGE_FOREIGN:
        house_fail(house, storage_last_failure(house->storage));
        break;
    }
    return false;
}

void stored_or_fail(struct house *house, enum storage_result result)
{
    bool is_stored = stored(house, result);
    if (!is_stored && (result == STORAGE_NOT_FOUND || result == STORAGE_TAKEN)) {
        fault_record(house, result);
    }
}

void stored_ahead(struct house *house, enum storage_result result)
{
    if (result != STORAGE_NOT_FOUND) {
        stored_or_fail(house, result);
    }
}

void stored_or_fail_item(struct house *house, const char *item_kind, int64_t item_number,
                         enum storage_result result)
{
    const struct doing was = fault_blame_item(house, item_kind, item_number);
    stored_or_fail(house, result);
    house->doing = was;
}

bool stored_can_commit(const struct house *house)
{
    return !house->is_failed && !house->is_full && !house->fault.is_met;
}

void journal_write(const struct house *house, const struct conn *conn, const char *event,
                   const char *const *pairs)
{
    if (house->config.log != NULL) {
        house->config.log(house->config.log_context, conn->id, event, pairs);
    }
}

void journal_write_house_event(const struct house *house, const char *event,
                               const char *const *pairs)
{
    const struct conn nobody = {0};
    journal_write(house, &nobody, event, pairs);
}

const char *journal_write_number(char out[JOURNAL_NUMBER_SIZE], int64_t number)
{
    (void)snprintf(out, JOURNAL_NUMBER_SIZE, "%" PRId64, number);
    return out;
}

void journal_write_denied_sign_in(const struct house *house, const struct conn *conn,
                                  const char *method, const char *account, const char *why)
{
    metrics_count(house, HOUSE_METRIC_sign_ins_refused, method, why, 1);
    journal_write(
        house, conn, "denied",
        JOURNAL_PAIRS("method", method, "account", account, "why", why, "address", conn->address));
}

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

void parts_make_states(struct house *house)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        if (house_parts[i]->house_size != 0) {
            house->states[i] = memory_new(house_parts[i]->house_size);
        }
        layout_add_block(&house->conn_layout, i, house_parts[i]->conn_size);
    }
}

static void parts_call_load_hooks(struct house *house)
{
    for (size_t i = 0; i < PARTS_COUNT && !house->is_failed; i++) {
        const struct part *part = house_parts[i];
        if (part->load != NULL) {
            part->load(house);
            fault_log_and_continue(house, part->name);
        }
    }
}

void parts_free_states(struct house *house)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        free(house->states[i]);
    }
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

/* When the house next needs a pass of the core's loop, in Unix ms; INT64_MAX: never. */
struct parts_due {
    int64_t any_ms;    /* any part, or a delayed answer */
    int64_t prompt_ms; /* a part with is_prompt, for which players wait */
};

/* Asks every part; several parts look at every table. */
static void parts_find_next_due(const struct house *house, struct parts_due *due)
{
    *due = (struct parts_due){answers_next_due_ms(house), INT64_MAX};
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

static void parts_call_peer_ready_hooks(struct house *house, struct conn *peer)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        if ((house_parts[i]->listens & peer->peer) != 0 && house_parts[i]->peer_ready != NULL) {
            house_parts[i]->peer_ready(house, peer);
        }
    }
}

static void parts_call_conn_gone_hooks(struct house *house, struct conn *conn)
{
    for (size_t i = PARTS_COUNT; i > 0; i--) {
        if (house_parts[i - 1]->conn_gone != NULL) {
            house_parts[i - 1]->conn_gone(house, conn);
        }
    }
}

#define US_PER_MS 1000

void metrics_count(const struct house *house, enum house_metric metric, const char *a,
                   const char *b, size_t count)
{
    if (house->config.measure != NULL) {
        house->config.measure(house->config.measure_context, metric, a, b, count);
    }
}

void metrics_observe_ms(const struct house *house, enum house_metric metric, int64_t duration_ms)
{
    metrics_count(house, metric, NULL, NULL, duration_ms > 0 ? (size_t)duration_ms * US_PER_MS : 0);
}

/* Whenever other data are written, the time until which the house was up is stored with them, at
 * most twice a second. */
#define DOWNTIME_ALONG_MS 500

#define UNDO_TRIES_MAX 16 /* a core ends if one pass of its loop meets more faults than this */

#define DOWNTIME_JUMP_MS 60000 /* a clock that is further back than this was set */

static const char downtime_name[] = "alive_ms";

/* Tells that the clock was set back since the house was last up. While the house is open, the core
 * notices that (core_link.c). */
static void downtime_report_clock_behind(const struct house *house)
{
    int64_t behind_ms = house->alive_ms - house->now_ms;
    if (behind_ms > DOWNTIME_JUMP_MS) {
        journal_write_house_event(house, "clock-jumped",
                                  JOURNAL_PAIRS("seconds", JOURNAL_NUMBER(-behind_ms / 1000)));
        metrics_count(house, HOUSE_METRIC_clock_jumps, NULL, NULL, 1);
    }
}

/* Reads from the storage until when the house was up. Called before any table is restored. */
static void downtime_load_last_time_up(struct house *house)
{
    char value[STORAGE_META_SIZE];
    house->alive_seen_ms = house->now_ms;
    house->alive_due_ms = INT64_MAX;
    house->alive_every_ms = INT64_MAX;
    if (stored(house, storage_meta_get(house->storage, downtime_name, value))) {
        house->alive_ms = strtoll(value, NULL, 10);
        downtime_report_clock_behind(house);
    }
}

/* Called when a pass of the core's loop begins. If the pass begins more than DOWNTIME_LATE_MS late
 * (the house was stopped or busy, or the machine slept), the time since the previous pass counts on
 * no player's clock. */
static void downtime_begin_loop_pass(struct house *house)
{
    if (house->now_ms - house->alive_due_ms > DOWNTIME_LATE_MS) {
        PARTS_CALL(skip, house, house->alive_seen_ms);
    }
    house->alive_seen_ms = house->now_ms;
    if (house->alive_due_ms < house->now_ms) {
        house->alive_due_ms = house->now_ms; /* a pass may begin with several messages, but only the
                                                first counts the downtime */
    }
}

static int64_t downtime_next_store_ms(const struct house *house)
{
    return house->alive_every_ms == INT64_MAX ? INT64_MAX : house->alive_ms + house->alive_every_ms;
}

/* Called when a pass of the core's loop has ended: records when a running clock needs the next
 * pass. */
static void downtime_end_loop_pass(struct house *house)
{
    struct parts_due due;
    int64_t mark_ms = downtime_next_store_ms(house);
    parts_find_next_due(house, &due);
    house->alive_due_ms = mark_ms < due.prompt_ms ? mark_ms : due.prompt_ms;
    house->due_ms = due.any_ms;
    house->due_known_ms = house->now_ms;
}

static void downtime_store_time_up_when_due(struct house *house)
{
    int64_t since_ms = house->now_ms - house->alive_ms;
    bool is_along = storage_is_dirty(house->storage) && since_ms >= DOWNTIME_ALONG_MS;
    bool is_set_back = since_ms < 0; /* the machine's clock was set back */
    bool is_due = since_ms >= house->alive_every_ms;
    if (!is_along && !is_due && !is_set_back) {
        return;
    }
    char value[32];
    (void)snprintf(value, sizeof(value), "%" PRId64, house->now_ms);
    stored_or_fail(house, storage_meta_set(house->storage, downtime_name, value));
    house->alive_ms = house->now_ms;
}

const struct part downtime_part = {
    .name = "downtime",
    .next_ms = downtime_next_store_ms,
    .flush = downtime_store_time_up_when_due,
};

/* Loads everything from the storage into an empty house. Returns false when the storage cannot be
 * read. */
static bool rebuild_load_house(struct house *house)
{
    /* load this first: the parts need to know until when the house was up */
    downtime_load_last_time_up(house);
    stored_answers_load(house);
    fault_log_and_continue(house, "answers");
    parts_call_load_hooks(house);
    read_ahead_for_returning(house);
    return !house->is_failed;
}

/* Forgets everything that rebuild_load_house has loaded or derived, and the messages of this pass
 * of the core's loop. Connections stay, and so do the messages of earlier passes, which may wait
 * until their turn is durable. */
static void rebuild_clear_house(struct house *house)
{
    answers_clear(house);
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

/* Makes the connection like a new one: nobody is signed in, and no answers are kept. Its number,
 * address and rate limits stay. A session is in PHASE_NEW afterwards. The caller must first take
 * the connection's person out of the house. */
static void conn_reset(struct conn *conn)
{
    size_t kept = offsetof(struct conn, awaits_hello);
    answers_forget_all(&conn->answers);
    memset((char *)conn + kept, 0, sizeof(*conn) - kept);
    memset(conn->blocks, 0, conn->layout->size);
    conn->phase = conn->peer == PEER_SESSION ? PHASE_NEW : conn->phase;
}

/* Clears and loads the house. The connections stay, but nobody is signed in on them yet. */
static bool rebuild_house_without_conns(struct house *house)
{
    rebuild_clear_house(house);
    CONNS_EACH(conn, house) {
        conn_reset(conn);
    }
    TAILQ_INIT(&house->answered);
    return rebuild_load_house(house);
}

/* Called after rebuild_house_without_conns. Signs each connection in again with its stored state,
 * as a restarted core does, and sends `resync` to it. */
static bool rebuild_restore_conns(struct house *house)
{
    CONNS_EACH(conn, house) {
        rebuild_restore_conn(house, conn);
    }
    return !house->is_failed;
}

bool rebuild_house(struct house *house)
{
    return rebuild_house_without_conns(house) && rebuild_restore_conns(house);
}

static void read_only_log(const struct house *house, const char *event)
{
    int64_t after_ms = house->now_ms - house->full_since_ms;
    journal_write_house_event(house, event,
                              JOURNAL_PAIRS("after_s", JOURNAL_NUMBER(after_ms / 1000)));
}

/* Undoes what this pass of the core's loop wrote and queued. Returns false if the house cannot be
 * rebuilt from its data. */
static bool read_only_undo_loop_pass(struct house *house)
{
    storage_rollback(house->storage);
    house->is_full = false;
    bool is_built = rebuild_house(house);
    if (house->is_full) { /* the rebuild had to write something, but found no room; this can
                             wait */
        storage_rollback(house->storage);
        house->is_full = false;
    }
    return is_built;
}

static void read_only_mark_begun(struct house *house)
{
    house->is_read_only = true;
    house->full_since_ms = house->now_ms;
    read_only_log(house, "disk-full");
    if (!house->has_written) {
        house->full_at_start_ms = house->now_ms;
    }
}

bool read_only_begin(struct house *house)
{
    if (!house->is_read_only) {
        read_only_mark_begun(house);
    }
    house->room_due_ms = house->now_ms + READ_ONLY_RETRY_MS;
    return read_only_undo_loop_pass(house);
}

/* Stores where each person is now: while the disk was full, arrivals and departures could not be
 * stored. */
static void read_only_store_people(struct house *house)
{
    CONNS_EACH(conn, house) {
        if (conn->peer == PEER_SESSION && (conn->phase & (PHASE_IN | PHASE_UNREGISTERED)) != 0) {
            conn_save(house, conn);
        }
    }
    PARTS_CALL(save, house);
    returning_forget_gone_conns(house);
}

/* Called after the commit that stored what was kept in memory during read-only mode. Forgets what
 * was kept. */
static void read_only_forget_kept_changes(struct house *house)
{
    CONNS_EACH(conn, house) {
        conn->unsaved.conn = 0;
    }
    house->has_written = true;
}

/* Ends read-only mode: the house is rebuilt from what is stored, and every session resyncs. */
static void read_only_end(struct house *house)
{
    house->is_read_only = false;
    read_only_store_people(house);
    enum storage_result result = house->is_full ? STORAGE_FULL : storage_commit(house->storage);
    if (result == STORAGE_FULL) {
        house->is_read_only = true;
        stored_or_fail(house, read_only_undo_loop_pass(house) ? STORAGE_OK : STORAGE_IO);
        return;
    }
    stored_or_fail(house, result);
    read_only_forget_kept_changes(house);
    stored_or_fail(house, rebuild_house(house) ? STORAGE_OK : STORAGE_IO);
    read_only_log(house, "disk-has-room");
    CONNS_EACH(conn, house) {
        conn->was_read_only = true;
    }
}

static void read_only_check_for_room(struct house *house)
{
    if (!house->is_read_only || house->now_ms < house->room_due_ms) {
        return;
    }
    house->room_due_ms = house->now_ms + READ_ONLY_RETRY_MS;
    enum storage_result result = storage_test_disk_space(house->storage);
    if (result == STORAGE_OK) {
        read_only_end(house);
    } else if (result != STORAGE_FULL) {
        stored_or_fail(house, result);
    }
}

void read_only_notify_session(struct house *house, struct conn *conn)
{
    if (house->is_read_only) {
        conn_send_notice(
            house, conn, "warn",
            conn->phase == PHASE_IN
                ? say(_("The disk is full: look around, but nothing changes until there is room."))
                : say(_("The disk is full: no account can be made until there is room.")));
    } else if (conn->was_read_only) {
        conn_send_notice(house, conn, "info",
                         say(_("There is room on the disk again: play goes on.")));
    }
    conn->was_read_only = false;
}

/* Gives up the work that met the fault, unless it was an item. By now the pass of the core's loop
 * is undone. */
static void undo_give_up_work(struct house *house, const struct fault *fault)
{
    const struct doing *at = &fault->at;
    struct conn *conn = at->conn == 0 ? NULL : conn_find(house, at->conn);
    if (conn != NULL && at->request != 0) {
        /* the session gets the refusal when it repeats the request after `resync` */
        answer_record_refusal(
            conn, at->request, "failed",
            _("The house could not do that; nothing was changed. Its log says more."));
    } else if (at->part != 0) {
        house->part_paused_ms[at->part - 1] = house->now_ms + FAULT_REST_MS;
    }
}

/* Undoes the pass of the core's loop that met a fault, rebuilds the house, and gives up the work in
 * progress at the fault. Returns false when the house cannot be rebuilt. */
static bool undo_loop_pass(struct house *house)
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
    /* an item is given up before a returning connection meets the same fault */
    house->given_up = fault.at.item != 0 ? &fault : NULL;
    bool is_built = rebuild_house_without_conns(house);
    house->given_up = NULL;
    if (!is_built || !rebuild_restore_conns(house)) {
        return false;
    }
    if (fault.at.item == 0 && !house->fault.is_met) {
        undo_give_up_work(house, &fault);
    }
    return !house->is_failed;
}

static void house_fill_random_bytes(UNUSED void *context, void *bytes, size_t len)
{
    randombytes_buf(bytes, len);
}

struct house_config house_config_default(void)
{
    return (struct house_config){
#define CONFIG_NUMBER(section, key, value, min, max, unit, help) .section##_##key = (value),
#define CONFIG_SWITCH(section, key, value, help) .section##_##key = strcmp(#value, "yes") == 0,
#define CONFIG_TEXT(section, key, value, form, help) .section##_##key = (value),
#include "lobby/house/settings.def"
#undef CONFIG_NUMBER
#undef CONFIG_SWITCH
#undef CONFIG_TEXT
        .random = house_fill_random_bytes,
    };
}

static enum house_result house_get_loop_pass_result(const struct house *house)
{
    return house->is_failed ? HOUSE_STORAGE_FAILED : HOUSE_OK;
}

struct house *house_new(const struct house_config *config, struct storage *storage, int64_t now_ms)
{
    if (sodium_init() < 0) {
        return NULL;
    }
    struct house *house = memory_new(sizeof(*house));
    house->config = *config;
    house->storage = storage;
    house->now_ms = now_ms;
    house->due_known_ms = -1;
    outbox_init(&house->outbox);
    TAILQ_INIT(&house->laters);
    TAILQ_INIT(&house->processes);
    TAILQ_INIT(&house->answered);
    parts_make_states(house);
    if (!rebuild_load_house(house) || house_commit(house) != HOUSE_OK) {
        house_fail(house, storage_last_failure(storage));
        journal_write_house_event(house, "unreadable",
                                  JOURNAL_PAIRS("why", house_failure_reason(house)));
        house_free(house);
        return NULL;
    }
    return house;
}

/* Frees the connection. The caller must first take the connection's person out of the house. */
static void conn_free(struct house *house, struct conn *conn)
{
    index_remove(&house->conns, &conn->id, sizeof(conn->id));
    if (conn->peer != PEER_SESSION) {
        TAILQ_REMOVE(&house->processes, conn, of_processes);
    }
    if (conn->is_answered) {
        TAILQ_REMOVE(&house->answered, conn, of_answered);
    }
    answers_forget_all(&conn->answers);
    free(conn);
}

void house_free(struct house *house)
{
    if (house == NULL) {
        return;
    }
    house->is_failed = true; /* no hook may write or send anything any more */
    rebuild_clear_house(house);
    CONNS_EACH(conn, house) {
        conn_free(house, conn);
    }
    outbox_clear(&house->outbox);
    parts_free_states(house);
    free(house);
}

static void house_begin_loop_pass(struct house *house)
{
    house->due_known_ms = -1;
    if (!house->is_read_only) { /* no clock runs in read-only mode */
        downtime_begin_loop_pass(house);
    }
}

static struct conn *conn_new(struct house *house, int64_t id, enum peer peer)
{
    struct conn *conn = memory_new(sizeof(*conn) + house->conn_layout.size);
    conn->layout = &house->conn_layout;
    conn->blocks = (char *)(conn + 1);
    conn->id = id;
    conn->peer = peer;
    conn->phase = PHASE_NEW;
    conn->since_ms = house->now_ms;
    index_add(&house->conns, &conn->id, sizeof(conn->id), conn);
    if (peer != PEER_SESSION) {
        TAILQ_INSERT_TAIL(&house->processes, conn, of_processes);
    }
    return conn;
}

enum house_result house_connect(struct house *house, int64_t now_ms, int64_t conn_id,
                                enum peer peer, const char *address, const char *transport)
{
    house->now_ms = now_ms;
    if (conn_find(house, conn_id) != NULL) {
        return HOUSE_END_CONNECTION;
    }
    house_begin_loop_pass(house);
    struct conn *conn = conn_new(house, conn_id, peer);
    (void)snprintf(conn->address, sizeof(conn->address), "%s", address);
    (void)snprintf(conn->transport, sizeof(conn->transport), "%s", transport);
    if (peer == PEER_SESSION) {
        house->doing = (struct doing){.conn = conn_id};
        returning_restore_conn(house, conn);
        house->doing = (struct doing){0};
    }
    return house_get_loop_pass_result(house);
}

enum house_result house_disconnect(struct house *house, int64_t now_ms, int64_t conn_id)
{
    house->now_ms = now_ms;
    struct conn *conn = conn_find(house, conn_id);
    if (conn == NULL) {
        return house_get_loop_pass_result(house);
    }
    house_begin_loop_pass(house);
    parts_call_conn_gone_hooks(house, conn);
    if (conn->peer != PEER_SESSION) {
        /* the next peer may have the same number, and would not understand what waits */
        outbox_drop_conn(&house->outbox, conn_id);
    } else if (!house->is_read_only) { /* in read-only mode, the stored connection is removed once
                                          the disk has room */
        stored_or_fail(house, storage_connection_delete(house->storage, conn_id));
    }
    conn_free(house, conn);
    return house_get_loop_pass_result(house);
}

enum house_result house_receive(struct house *house, int64_t now_ms, int64_t conn_id,
                                const char *bytes, size_t len)
{
    house->now_ms = now_ms;
    house_begin_loop_pass(house);
    struct conn *conn = conn_find(house, conn_id);
    bool is_good = conn != NULL && message_receive(house, conn, bytes, len);
    house->doing = (struct doing){0};
    if (house->is_failed) {
        return HOUSE_STORAGE_FAILED;
    }
    return is_good ? HOUSE_OK : HOUSE_END_CONNECTION;
}

void house_note_output_dropped(struct house *house, int64_t conn_id)
{
    struct conn *conn = conn_find(house, conn_id);
    if (conn == NULL || conn->is_lost) {
        return;
    }
    house->due_known_ms = -1;
    conn_send(house, conn, json_pack("{s:s}", "t", "resync"));
    conn->is_lost = true;
    conn->awaits_hello = true;
}

enum house_result house_tick(struct house *house, int64_t now_ms)
{
    house->now_ms = now_ms;
    read_only_check_for_room(house);
    house_begin_loop_pass(house);
    answers_send_due(house);
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        part_run_hook(house, i, house_parts[i]->tick);
    }
    return house_get_loop_pass_result(house);
}

int64_t house_next_tick_ms(const struct house *house)
{
    int64_t next_ms = house->due_ms;
    if (house->due_known_ms != house->now_ms) {
        struct parts_due due;
        parts_find_next_due(house, &due);
        next_ms = due.any_ms;
    }
    return house->is_read_only && house->room_due_ms < next_ms ? house->room_due_ms : next_ms;
}

/* Commits the pass of the core's loop. Returns true when all changes of the pass are on disk. */
static bool house_commit_loop_pass(struct house *house)
{
    for (size_t i = 0; i < PARTS_COUNT; i++) {
        part_run_hook(house, i, house_parts[i]->flush);
    }
    stored_answers_write(house);
    if (stored_can_commit(house)) {
        bool is_written = storage_is_dirty(house->storage);
        stored_or_fail(house, storage_commit(house->storage));
        house->has_written |= is_written && !house->is_full;
    }
    return stored_can_commit(house);
}

/* Commits the pass. After each fault, undoes the pass, gives up the work at fault, and tries again.
 */
static bool house_commit_without_faulty_work(struct house *house)
{
    bool is_written = house_commit_loop_pass(house);
    for (int i = 0; i < UNDO_TRIES_MAX && house->fault.is_met; i++) {
        if (house->is_failed || house->is_full || !undo_loop_pass(house)) {
            break;
        }
        is_written = house_commit_loop_pass(house);
    }
    if (house->fault.is_met && !house->is_full) {
        house_fail(house, house->fault.why);
    }
    return is_written;
}

/* Seals the messages of this pass, and allows those of all durable turns to be taken. A pass that
 * has messages but wrote nothing is a turn too: what it has read may be out of date if this core
 * stood still and another one has taken over the data. Returns false when the core must end. */
static bool house_settle(struct house *house)
{
    uint64_t durable = 0;
    if (outbox_needs_turn(&house->outbox, storage_last_turn(house->storage))) {
        storage_end_turn(house->storage);
    }
    if (storage_settle(house->storage, &durable) != STORAGE_OK) {
        return false;
    }
    outbox_seal(&house->outbox, storage_last_turn(house->storage));
    outbox_settle(&house->outbox, durable);
    return true;
}

enum house_result house_commit(struct house *house)
{
    bool is_written = house_commit_without_faulty_work(house);
    if (!is_written && house->is_full && !house->is_failed) {
        house->fault.is_met = false; /* read_only_begin undoes the pass, and the fault with it */
        is_written = read_only_begin(house);
    }
    if (is_written && !house->is_failed && house_settle(house)) {
        downtime_end_loop_pass(house);
        return HOUSE_OK;
    }
    house_fail(house, storage_last_failure(house->storage));
    return HOUSE_STORAGE_FAILED; /* the messages of this pass stay unsent in the outbox */
}

uint64_t house_count_unsettled_turns(const struct house *house)
{
    return storage_last_turn(house->storage) - house->outbox.durable;
}

const char *house_failure_reason(const struct house *house)
{
    return house->failed_why;
}

int house_output(struct house *house, struct house_output *output)
{
    return outbox_take(&house->outbox, output);
}

void house_measure(const struct house *house)
{
    PARTS_CALL(measure, house);
}

struct check {
    house_check_report *report_finding;
    void *context;
    char *why; /* an array of STORAGE_WHY_SIZE bytes */
};

static const char *find_pair_value(const char *const *keys_and_values, const char *key)
{
    for (size_t i = 0; keys_and_values[i] != NULL; i += 2) {
        if (strcmp(keys_and_values[i], key) == 0 && keys_and_values[i + 1] != NULL) {
            return keys_and_values[i + 1];
        }
    }
    return "";
}

/* Receives the events that the house logs, and reports those that are faults. */
static void report_log_event(void *context, UNUSED int64_t conn, const char *event,
                             const char *const *pairs)
{
    enum {
        CHECK_UNREADABLE,
        CHECK_CLOSED,
        CHECK_LEFT_OUT,
        CHECK_FAULT
    };
    static const char *const events[] = {
        [CHECK_UNREADABLE] = "unreadable",
        [CHECK_CLOSED] = "table-closed",
        [CHECK_LEFT_OUT] = "table-left-out",
        [CHECK_FAULT] = "fault",
        NULL,
    };
    struct check *check = context;
    char words[2 * WORDS_MAX];
    const char *why = find_pair_value(pairs, "why");
    const char *table = find_pair_value(pairs, "table");
    words[0] = '\0';
    switch (text_find_word(events, event)) {
    case CHECK_UNREADABLE:
        (void)snprintf(check->why, STORAGE_WHY_SIZE, "%s", why);
        break;
    case CHECK_CLOSED:
        (void)snprintf(words, sizeof(words), _("table #%s would be closed: %s"), table, why);
        break;
    case CHECK_LEFT_OUT:
        (void)snprintf(
            words, sizeof(words),
            _("table #%s would be left out: its game \"%s\" with its options is unknown"), table,
            find_pair_value(pairs, "game"));
        break;
    case CHECK_FAULT:
        if (table[0] == '\0') {
            (void)snprintf(words, sizeof(words),
                           _("%s would continue without some of its data: %s"),
                           find_pair_value(pairs, "part"), why);
        }
        break;
    default:
        break;
    }
    if (words[0] != '\0') {
        check->report_finding(check->context, words);
    }
}

bool house_check(struct storage *storage, int64_t now_ms, house_check_report *report_finding,
                 void *context, char why[STORAGE_WHY_SIZE])
{
    struct check check = {report_finding, context, why};
    struct house_config config = house_config_default();
    config.webhook_enabled = true;
    config.log = report_log_event;
    config.log_context = &check;
    why[0] = '\0';
    struct house *house = house_new(&config, storage, now_ms);
    if (house == NULL) {
        return false;
    }
    bool is_good = house_tick(house, now_ms) == HOUSE_OK && house_commit(house) == HOUSE_OK;
    if (!is_good) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", house_failure_reason(house));
    }
    house_free(house);
    return is_good;
}

static void hello_send_welcome(struct house *house, const struct conn *conn)
{
    json_t *welcome =
        json_pack("{s:s,s:i,s:s,s:s,s:I,s:s}", "t", "welcome", "protocol", PROTOCOL_NUMBER, "house",
                  house->config.house_name, "version", TRICKHOUSE_VERSION, "conn",
                  (json_int_t)conn->id, "phase", phase_name(conn->phase));
    PARTS_CALL(describe, house, conn, welcome);
    conn_send(house, conn, welcome);
}

void message_hello(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    int64_t protocol = 0;
    if (!json_read_number(request->body, "protocol", PROTOCOL_NUMBER, PROTOCOL_NUMBER, &protocol)) {
        conn_dismiss(
            house, conn,
            say(_("This house speaks protocol %d and no other: please update your program."),
                PROTOCOL_NUMBER));
        return;
    }
    /* The gate said that somebody had signed in on this session, but the storage does not say
     * who. */
    if (conn->is_unknown) {
        conn_dismiss(
            house, conn,
            say(_("The house has restarted and no longer knows who you are: sign in again.")));
        return;
    }
    conn->shows_stops = json_read_bool(request->body, "stops", false);
    conn->follows_lobby = json_read_bool(request->body, "lobby", false);
    conn->awaits_hello = false;
    conn->is_lost = false;
    if (conn->phase == PHASE_NEW) {
        conn->phase = conn->peer == PEER_SESSION ? PHASE_UNAUTHENTICATED : PHASE_IN;
    }
    hello_send_welcome(house, conn);
    if ((conn->phase & (PHASE_IN | PHASE_UNREGISTERED)) != 0 && conn->peer == PEER_SESSION) {
        read_only_notify_session(house, conn);
    }
    if (conn->peer != PEER_SESSION) {
        parts_call_peer_ready_hooks(house, conn);
    } else if (conn->phase == PHASE_IN) {
        if (!json_read_number(request->body, "heard", 0, INT64_MAX, &conn->heard)) {
            conn->heard = 0; /* all lines are sent again */
        }
        PARTS_CALL(hello, house, conn);
    }
}
