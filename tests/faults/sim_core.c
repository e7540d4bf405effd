#include "lobby/persons/persons_state.h"
#include "tests/faults/sim_state.h"

#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"
#include "storage/mod/mod.h"
#include "storage/sql/sql.h"
#include "tests/faults/sim_owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The core's loop, like daemon/processes/core/core_link.c and core/core_link.c, but on the
 * simulated network and clock. */

/* a small write-ahead log, so that its pages are often copied to the database file */
#define CORE_LOG_MIB 1
/* fewer than HOUSE_UNSETTLED_TURNS_MAX, so that the simulation reaches it */
#define CORE_UNSETTLED_TURNS_MAX 6
#define CORE_DOWN_MS 400
#define CORE_ENOUGH 100000
#define CORE_TAIL_MS 40
#define CORE_COMMIT_CHANGES 40 /* most commits make fewer changes of the disk than this */

static const char core_resync[] = "{\"t\":\"resync\"}";
static const char core_end[] = "{\"t\":\"connections_end\"}";

/* Ignores the failure of a call, because the commit at the end of the pass reports the failure
 * again. */
static void core_ignore_failure(enum house_result result)
{
    (void)result;
}

static void core_fill_random(void *context, void *bytes, size_t len)
{
    struct sim *sim = context;
    uint8_t *at = bytes;
    for (size_t i = 0; i < len; i++) {
        at[i] = (uint8_t)quick_random_next(&sim->random);
    }
}

static struct house_config core_make_config(struct sim *sim)
{
    struct house_config config = house_config_default();
    config.backup_every_h = 0;
    config.play_bot_delay_ms = 50;
    config.play_absent_grace_s = 5;
    config.play_seat_kept_s = 20;
    config.play_table_kept_s = 30;
    config.chat_interval_ms = 200;
    config.door_denial_ms = 20;
    config.limits_audit_burst = CORE_ENOUGH;
    config.limits_registrations = CORE_ENOUGH;
    config.random_context = sim;
    config.random = core_fill_random;
    return config;
}

void sim_core_die(struct sim *sim)
{
    if (sim->house == NULL) {
        return;
    }
    const bool is_power_cut = disk_is_powered_off(sim->disk) && !sim->is_killed_by_disk;
    if (!is_power_cut) {
        disk_end_process(sim->disk, sim_draw_number_below(sim, 2) == 0);
    }
    sim->is_killed_by_disk = false;
    sim->is_reloading = false;
    sim->is_closing = false;
    sim_owner_handle_core_death(sim);
    house_free(sim->house);
    storage_close(sim->storage);
    sim->house = NULL;
    sim->storage = NULL;
    sim->start_ms = sim->now_ms + sim_draw_number_below(sim, CORE_DOWN_MS);
    sim->counts.deaths++;
}

/* Sends a message to a player. When too many bytes are waiting for a slow player, drops all waiting
 * messages and returns false. */
static bool core_send_message(struct sim *sim, struct sim_link *link, const char *json, size_t len)
{
    if (link->unsent + len > SIM_UNSENT_MAX) {
        net_drop_packets(&sim->down, link->conn);
        link->unsent = 0;
        return false;
    }
    int64_t due_ms = sim->now_ms + sim_draw_number_below(sim, CORE_TAIL_MS);
    due_ms = link->slow_until_ms > due_ms ? link->slow_until_ms : due_ms;
    link->to_peer_ms = due_ms > link->to_peer_ms ? due_ms : link->to_peer_ms;
    link->unsent += len;
    net_send(&sim->down, link->to_peer_ms, link->conn, NET_PACKET, json, len);
    return true;
}

static void core_hash_output(struct sim *sim, const struct house_output *output)
{
    const int64_t head[2] = {sim->now_ms, output->conn};
    (void)crypto_generichash_update(&sim->told, (const uint8_t *)head, sizeof(head));
    (void)crypto_generichash_update(&sim->told, (const uint8_t *)output->json, output->len);
    sim->counts.outputs++;
}

static bool core_begins_with(const struct house_output *output, const char *beginning)
{
    const size_t len = strlen(beginning);
    return output->len >= len && memcmp(output->json, beginning, len) == 0;
}

/* Sends a message to a player, unless one before it was lost and the `resync` of the house has not
 * followed yet. A `resync` itself is never lost, because what waits before it is dropped. */
static void core_send_to_player(struct sim *sim, struct sim_link *link,
                                const struct house_output *output)
{
    const bool is_resync = core_begins_with(output, core_resync);
    if ((link->is_behind && !is_resync) ||
        core_send_message(sim, link, output->json, output->len)) {
        link->is_behind &= !is_resync;
        return;
    }
    link->is_lost = true;
    link->is_behind = !is_resync || !core_send_message(sim, link, output->json, output->len);
}

/* Sends one message. Returns false when the core must die after sending it. */
static bool core_send_output(struct sim *sim, const struct house_output *output)
{
    struct sim_link *link = sim_find_link(sim, output->conn);
    core_hash_output(sim, output);
    if (output->conn == SIM_KEEPER || output->conn == SIM_OWNER) {
        sim_owner_receive(sim, output->conn, output->json, output->len);
    } else if (output->conn < SIM_CONN_FIRST) {
        sim_worker_receive(sim, output->conn, output->json, output->len);
    } else if (link != NULL && link->seen != NULL) {
        sim_look_record_message(link, output->json, output->len);
    } else if (link != NULL) {
        core_send_to_player(sim, link, output);
        link->is_dismissed |= core_begins_with(output, "{\"t\":\"bye\"");
    }
    return ++sim->output_count != sim->kill_at_output;
}

static bool core_send_outputs(struct sim *sim)
{
    struct house_output output;
    while (house_output(sim->house, &output) != 0) {
        sim->counts.told_early += sqlite3_get_autocommit(sim->storage->db) == 0;
        if (!sim_may_send_answer(sim, &output) || !core_send_output(sim, &output)) {
            sim_core_die(sim);
            return false;
        }
    }
    return true;
}

/* Whether a moderation command may have ended the connection. All commands since the connection was
 * made count, because a restarted core does not know whose connection it was. */
static bool core_staff_ended_connection(const struct sim *sim, const struct sim_link *link)
{
    const struct conn *conn = conn_find(sim->house, link->conn);
    sqlite3_stmt *row = NULL;
    bool result = false;
    if (sqlite3_prepare_v2(sim->storage->db,
                           "SELECT 1 FROM audit WHERE result = 'ok' AND at_ms >= ?1 AND"
                           " (verb IN ('ban', 'merge', 'role')"
                           " OR verb IN ('kick', 'delete') AND ?2 IN (0, target_id))",
                           -1, &row, NULL) == SQLITE_OK) {
        (void)sqlite3_bind_int64(row, 1, link->since_ms);
        (void)sqlite3_bind_int64(row, 2,
                                 conn == NULL || conn->person == NULL ? 0 : conn->person->account);
        result = sqlite3_step(row) == SQLITE_ROW;
    }
    (void)sqlite3_finalize(row);
    return result;
}

/* Tells the house which connections missed packets, and disconnects the sessions to which the house
 * has sent `bye`. */
static void core_handle_lost_packets_and_goodbyes(struct sim *sim)
{
    for (size_t i = 0; i < SIM_LINKS; i++) {
        struct sim_link *link = &sim->links[i];
        if (link->is_lost && link->is_known) {
            house_note_output_dropped(sim->house, link->conn);
            sim->counts.lost++;
        }
        link->is_lost = false;
        if (link->conn != 0 && link->is_dismissed && link->is_known) {
            link->is_known = false;
            sim->counts.sent_back += link->is_unsaved;
            const bool is_sent_out = core_staff_ended_connection(sim, link);
            sim->counts.sent_out += is_sent_out;
            sim->counts.ended += !link->is_unsaved && !is_sent_out;
            core_ignore_failure(house_disconnect(sim->house, sim->now_ms, link->conn));
        }
    }
}

static void core_mark_unsaved_sessions(struct sim *sim)
{
    for (size_t i = 0; i < SIM_LINKS; i++) {
        struct sim_link *link = &sim->links[i];
        const struct conn *conn = link->conn != 0 ? conn_find(sim->house, link->conn) : NULL;
        if (conn != NULL && conn->unsaved.conn != 0) {
            link->is_unsaved = true;
        } else if (conn != NULL && (conn->phase & (PHASE_IN | PHASE_UNREGISTERED)) != 0 &&
                   house_count_unsettled_turns(sim->house) == 0) {
            link->is_unsaved = false; /* what was stored since then is durable */
        }
    }
}

/* Copies the disk, but only if the copy may be needed, because copying takes time. */
static void core_copy_disk(struct sim *sim)
{
    disk_free(sim->before_commit);
    sim->before_commit =
        disk_is_near_power_cut(sim->disk, CORE_COMMIT_CHANGES) ? disk_copy(sim->disk) : NULL;
}

static void core_count_unsettled_turns(struct sim *sim)
{
    const uint64_t unsettled = house_count_unsettled_turns(sim->house);
    if (unsettled > sim->counts.unsettled_max) {
        sim->counts.unsettled_max = unsettled;
    }
}

bool sim_core_end_pass(struct sim *sim)
{
    do {
        if (sim->options.tells_first) {
            lobby_part.flush(sim->house);
            table_push_send_changes(sim->house);
            outbox_seal(&sim->house->outbox, 0); /* turn 0 is always durable */
            if (!core_send_outputs(sim)) {
                return false;
            }
        }
        if (storage_is_dirty(sim->storage)) {
            core_copy_disk(sim);
            sim->counts.commits++;
        }
        if (house_commit(sim->house) != HOUSE_OK) {
            sim_core_die(sim);
            return false;
        }
        disk_free(sim->before_commit);
        sim->before_commit = NULL;
        core_count_unsettled_turns(sim);
        if (sim->options.tells_at_commit) {
            outbox_settle(&sim->house->outbox, storage_last_turn(sim->storage));
        }
        /* the core may die while it sends the list of people present */
        core_mark_unsaved_sessions(sim);
        if (!core_send_outputs(sim)) {
            return false;
        }
        core_handle_lost_packets_and_goodbyes(sim);
    } while (storage_is_dirty(sim->storage));
    return true;
}

static bool core_packet_is_hello(const char *bytes, size_t len)
{
    json_t *message = json_read_object(bytes, len);
    const char *type = json_read_text(message, "t", 16);
    const bool is_it = type != NULL && strcmp(type, "hello") == 0;
    json_decref(message);
    return is_it;
}

static void core_receive(struct sim *sim, int64_t conn, const char *bytes, size_t len)
{
    struct sim_link *link = sim_find_link(sim, conn);
    if (conn >= SIM_CONN_FIRST) {
        if (link == NULL || !link->is_known) {
            return;
        }
        if (link->awaits_hello) {
            link->awaits_hello = !core_packet_is_hello(bytes, len);
        }
        if (link->awaits_hello) {
            return;
        }
    }
    if (house_receive(sim->house, sim->now_ms, conn, bytes, len) == HOUSE_END_CONNECTION &&
        link != NULL) {
        link->is_dismissed = true;
    }
}

static void core_connect(struct sim *sim, struct sim_link *link, bool has_outlived_core)
{
    if (link->is_known) {
        return;
    }
    link->is_known = true;
    link->awaits_hello = has_outlived_core;
    link->is_behind = false;
    if (has_outlived_core) {
        (void)core_send_message(sim, link, core_resync, sizeof(core_resync) - 1);
    }
    char address[24];
    (void)snprintf(address, sizeof(address), "192.0.2.%u", link->player + 1);
    core_ignore_failure(
        house_connect(sim->house, sim->now_ms, link->conn, PEER_SESSION, address, "ssh"));
}

static void core_handle_packet(struct sim *sim, const struct net_packet *packet)
{
    struct sim_link *link = sim_find_link(sim, packet->conn);
    switch (packet->kind) {
    case NET_CONNECT:
        if (link != NULL) {
            core_connect(sim, link, false);
        }
        break;
    case NET_DISCONNECT:
        if (link != NULL) {
            if (link->is_known) {
                core_ignore_failure(house_disconnect(sim->house, sim->now_ms, packet->conn));
            }
            sim_link_free(link);
        }
        break;
    case NET_PACKET:
        core_receive(sim, packet->conn, packet->bytes, packet->len);
        break;
    }
}

/* Whether the house has asked its keeper process to end or restart the core. The core stays if the
 * power is about to be cut. */
static bool core_is_ending(const struct sim *sim)
{
    return (sim->is_closing || sim->is_reloading) && !disk_is_near_power_cut(sim->disk, UINT64_MAX);
}

/* Ends the core if the house has asked for it and everything that was committed is told. */
static void core_end_if_house_requested_it(struct sim *sim)
{
    const bool is_closing = sim->is_closing;
    if (!core_is_ending(sim) || house_count_unsettled_turns(sim->house) > 0) {
        return;
    }
    sim_core_die(sim);
    if (is_closing) {
        sim->counts.closed++;
        sim_end_connections(sim);
    }
}

static bool core_may_receive(const struct sim *sim)
{
    return house_count_unsettled_turns(sim->house) < CORE_UNSETTLED_TURNS_MAX;
}

int64_t sim_core_next_ms(const struct sim *sim)
{
    if (sim->house == NULL) {
        return sim->start_ms;
    }
    const int64_t late_ms = late_next_ms(&sim->late);
    if (core_is_ending(sim)) {
        return late_ms == INT64_MAX ? sim->now_ms : late_ms;
    }
    int64_t next_ms = house_next_tick_ms(sim->house);
    next_ms = late_ms < next_ms ? late_ms : next_ms;
    if (core_may_receive(sim) && net_next_due_ms(&sim->up) < next_ms) {
        next_ms = net_next_due_ms(&sim->up);
    }
    return next_ms;
}

/* Passes to the house what has arrived and is due. */
static void core_receive_due_packets(struct sim *sim)
{
    struct net_packet packet;
    if (!core_may_receive(sim)) {
        sim->counts.pauses++;
        return;
    }
    while (net_take_due_packet(&sim->up, sim->now_ms, &packet)) {
        core_handle_packet(sim, &packet);
        free(packet.bytes);
    }
}

void sim_core_run_pass(struct sim *sim)
{
    if (sim_core_next_ms(sim) > sim->now_ms) {
        return;
    }
    if (!core_is_ending(sim)) {
        core_receive_due_packets(sim);
        if (house_next_tick_ms(sim->house) <= sim->now_ms) {
            core_ignore_failure(house_tick(sim->house, sim->now_ms));
        }
    }
    if (!sim_core_end_pass(sim)) {
        return;
    }
    if (sim_draw_number_below(sim, 64) == 0) {
        storage_do_idle_work(sim->storage);
    }
    if (disk_is_powered_off(sim->disk)) {
        sim_core_die(sim);
        return;
    }
    core_end_if_house_requested_it(sim);
}

/* Tells the core about a session that an earlier core has served. */
static void core_announce_session(struct sim *sim, const struct sim_link *link)
{
    char text[128];
    (void)snprintf(text, sizeof(text),
                   "{\"t\":\"connection\",\"conn\":%" PRId64 ",\"signed_in\":%s}", link->conn,
                   link->is_signed_in ? "true" : "false");
    core_ignore_failure(house_receive(sim->house, sim->now_ms, SIM_GATE, text, strlen(text)));
}

/* Connects the workers, the gate and the sessions to a new core. Workers outlive a core as sessions
 * do; requests to workers are sent again. */
static void core_connect_peers(struct sim *sim)
{
    static const enum peer kinds[] = {
        [SIM_AUTH] = PEER_AUTH,     [SIM_BOT] = PEER_BOT,        [SIM_GATE] = PEER_GATE,
        [SIM_KEEPER] = PEER_KEEPER, [SIM_OWNER] = PEER_OPERATOR,
    };
    const int64_t last = sim->options.has_staff ? SIM_OWNER : SIM_GATE;
    for (int64_t conn = SIM_AUTH; conn <= last; conn++) {
        core_ignore_failure(house_connect(sim->house, sim->now_ms, conn, kinds[conn], "", ""));
        core_ignore_failure(
            house_receive(sim->house, sim->now_ms, conn, SIM_HELLO, sizeof(SIM_HELLO) - 1));
    }
    for (size_t i = 0; i < SIM_LINKS; i++) {
        sim->links[i].is_known = false;
        if (sim->links[i].conn != 0 && !sim->links[i].is_dismissed) {
            core_connect(sim, &sim->links[i], true);
            core_announce_session(sim, &sim->links[i]);
        }
    }
    core_ignore_failure(
        house_receive(sim->house, sim->now_ms, SIM_GATE, core_end, sizeof(core_end) - 1));
    (void)sim_core_end_pass(sim);
}

static void core_verify_audit_log(struct sim *sim)
{
    struct storage_audit_check check;
    sim->counts.broken += storage_audit_verify(sim->storage, 1, INT64_MAX, &check) == STORAGE_OK &&
                          check.state != STORAGE_AUDIT_WHOLE;
}

void sim_core_start(struct sim *sim)
{
    char why[STORAGE_WHY_SIZE];
    const struct house_config config = core_make_config(sim);
    disk_free(sim->before_commit);
    sim->before_commit = NULL;
    (void)disk_use_for_new_files(sim->disk);
    net_drop_packets(&sim->up,
                     SIM_AUTH); /* the answers of workers were meant for the previous core */
    net_drop_packets(&sim->up, SIM_BOT);
    if (storage_open_on_simulated_disk(DISK_NAME, SIM_DATA, &sim->storage, why) == STORAGE_OK) {
        storage_set_log_limits(sim->storage, CORE_LOG_MIB, 2 * CORE_LOG_MIB);
        if (sim->options.is_late && !late_install(&sim->late, sim->storage)) {
            abort();
        }
        sim->house = house_new(&config, sim->storage, sim->now_ms);
    }
    if (sim->house != NULL) {
        sim->is_restarted = sim->has_begun;
        sim->has_begun = true;
        core_verify_audit_log(sim);
        core_connect_peers(sim);
        return;
    }
    storage_close(sim->storage);
    sim->storage = NULL;
    if (disk_is_powered_off(sim->disk) && sim->is_killed_by_disk) {
        disk_end_process(sim->disk, false);
        sim->is_killed_by_disk = false;
    }
    sim->counts.unopened++;
    sim->start_ms = sim->now_ms + CORE_DOWN_MS;
}
