#include "tests/faults/sim.h"

#include "lobby/house/parts.h"
#include "tests/faults/player.h"
#include "tests/faults/sim_owner.h"
#include "tests/faults/sim_state.h"
#include "tests/lobby/predictable_keys.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SIM_START_MS INT64_C(1750000000000)
#define SIM_DELAY_MS 40

uint32_t sim_draw_number_below(struct sim *sim, uint32_t below)
{
    return quick_random_draw_below(&sim->random, below);
}

struct sim *sim_new(const struct sim_options *options)
{
    struct sim *sim = memory_new(sizeof(*sim));
    predictable_keys_use();
    sim->options = *options;
    sim->now_ms = SIM_START_MS;
    sim->next_conn = SIM_CONN_FIRST;
    sim->disk = disk_new(options->seed);
    disk_ignore_syncs(sim->disk, options->ignores_syncs);
    disk_set_fault(sim->disk, options->first_fault);
    quick_random_init(&sim->random, options->seed ^ UINT64_C(0x5EED));
    (void)crypto_generichash_init(&sim->told, NULL, 0, crypto_generichash_BYTES_MIN);
    late_init(&sim->late, &sim->random, &sim->now_ms);
    for (unsigned i = 0; i < options->players; i++) {
        sim->players[i] = player_new(sim, i);
    }
    sim_core_start(sim);
    return sim;
}

void sim_free(struct sim *sim)
{
    if (sim == NULL) {
        return;
    }
    disk_end_process(sim->disk, false);
    house_free(sim->house);
    storage_close(sim->storage);
    for (unsigned i = 0; i < sim->options.players; i++) {
        player_free(sim->players[i]);
    }
    net_clear(&sim->up);
    net_clear(&sim->down);
    ledger_clear(&sim->ledger);
    disk_free(sim->before_commit);
    disk_free(sim->disk);
    free(sim->untold.json);
    free(sim);
}

struct disk *sim_disk(struct sim *sim)
{
    return sim->disk;
}

struct ledger *sim_ledger(struct sim *sim)
{
    return &sim->ledger;
}

struct house *sim_house(struct sim *sim)
{
    return sim->house;
}

bool sim_core_has_restarted(struct sim *sim)
{
    const bool result = sim->is_restarted;
    sim->is_restarted = false;
    return result;
}

const struct disk *sim_get_disk_before_failed_commit(const struct sim *sim)
{
    return sim->before_commit;
}

struct sim_counts sim_get_counts(const struct sim *sim)
{
    struct sim_counts counts = sim->counts;
    counts.confirmed = sim->late.confirmed;
    counts.failed = sim->late.failed;
    counts.unanswered = sim->late.unanswered;
    crypto_generichash_state told = sim->told;
    uint8_t digest[crypto_generichash_BYTES_MIN];
    (void)crypto_generichash_final(&told, digest, sizeof(digest));
    memcpy(&counts.output_hash, digest, sizeof(counts.output_hash));
    return counts;
}

struct sim_link *sim_find_link(struct sim *sim, int64_t conn)
{
    for (size_t i = 0; i < SIM_LINKS; i++) {
        if (sim->links[i].conn == conn && conn != 0) {
            return &sim->links[i];
        }
    }
    return NULL;
}

void sim_link_free(struct sim_link *link)
{
    *link = (struct sim_link){0};
}

/* Draws when a packet arrives. Packets of one direction arrive in the order in which they were
 * sent. */
static int64_t sim_draw_arrival_ms(struct sim *sim, int64_t *last_ms)
{
    const int64_t due_ms = sim->now_ms + sim_draw_number_below(sim, SIM_DELAY_MS);
    *last_ms = due_ms > *last_ms ? due_ms : *last_ms;
    return *last_ms;
}

int64_t sim_connect(struct sim *sim, unsigned player)
{
    size_t free_one = 0;
    while (sim->links[free_one].conn != 0) {
        free_one++;
        if (free_one == SIM_LINKS) {
            return 0; /* the core has not noticed yet that the old connection ended; the player
                         tries again later */
        }
    }
    struct sim_link *link = &sim->links[free_one];
    *link = (struct sim_link){.conn = sim->next_conn++, .player = player, .since_ms = sim->now_ms};
    net_send(&sim->up, sim_draw_arrival_ms(sim, &link->to_core_ms), link->conn, NET_CONNECT, "", 0);
    return link->conn;
}

void sim_send(struct sim *sim, int64_t conn, const char *json, size_t len)
{
    struct sim_link *link = sim_find_link(sim, conn);
    if (link != NULL) {
        net_send(&sim->up, sim_draw_arrival_ms(sim, &link->to_core_ms), conn, NET_PACKET, json,
                 len);
    }
}

void sim_mark_signed_in(struct sim *sim, int64_t conn)
{
    struct sim_link *link = sim_find_link(sim, conn);
    if (link != NULL) {
        link->is_signed_in = true;
    }
}

void sim_hang_up(struct sim *sim, int64_t conn)
{
    struct sim_link *link = sim_find_link(sim, conn);
    net_drop_packets(&sim->down, conn);
    if (link != NULL) {
        link->unsent = 0;
        net_send(&sim->up, sim_draw_arrival_ms(sim, &link->to_core_ms), conn, NET_DISCONNECT, "",
                 0);
    }
}

void sim_delay_reading(struct sim *sim, int64_t conn, int64_t until_ms)
{
    struct sim_link *link = sim_find_link(sim, conn);
    if (link != NULL) {
        link->slow_until_ms = until_ms;
    }
}

void sim_kill_core_at_disk_change(struct sim *sim, uint64_t nth_change)
{
    sim->is_killed_by_disk = true;
    disk_cut_power_at_operation(sim->disk, DISK_CHANGES, nth_change);
}

void sim_kill_core_after_message(struct sim *sim, uint64_t nth_message)
{
    sim->kill_at_output = sim->output_count + nth_message;
}

void sim_kill_core_before_answer(struct sim *sim, const char *type)
{
    sim->kill_before_ok = type;
}

/* Passes packets that have arrived to the players. */
static void sim_deliver_to_players(struct sim *sim, int64_t until_ms)
{
    struct net_packet packet;
    while (net_take_due_packet(&sim->down, until_ms, &packet)) {
        struct sim_link *link = sim_find_link(sim, packet.conn);
        if (link != NULL) {
            link->unsent -= packet.len;
            player_receive(sim->players[link->player], packet.conn, packet.bytes, packet.len);
        }
        free(packet.bytes);
    }
}

static int64_t sim_next_event_ms(const struct sim *sim)
{
    int64_t next_ms = net_next_due_ms(&sim->down);
    const int64_t core_ms = sim_core_next_ms(sim);
    next_ms = core_ms < next_ms ? core_ms : next_ms;
    next_ms = sim_owner_next_order_ms(sim) < next_ms ? sim_owner_next_order_ms(sim) : next_ms;
    for (unsigned i = 0; i < sim->options.players; i++) {
        const int64_t player_ms = player_next_action_ms(sim->players[i]);
        next_ms = player_ms < next_ms ? player_ms : next_ms;
    }
    return next_ms;
}

void sim_step(struct sim *sim)
{
    const int64_t next_ms = sim_next_event_ms(sim);
    assert(next_ms != INT64_MAX); /* players always have a next action */
    sim->now_ms = next_ms > sim->now_ms ? next_ms : sim->now_ms;
    sim->ledger.now_ms = sim->now_ms;
    sim->counts.steps++;
    if (sim->house != NULL) {
        sim_core_run_pass(sim);
    } else if (sim->now_ms >= sim->start_ms) {
        sim_core_start(sim);
    }
    if (disk_is_powered_off(sim->disk)) {
        return;
    }
    sim_deliver_to_players(sim, sim->now_ms);
    for (unsigned i = 0; i < sim->options.players; i++) {
        if (player_next_action_ms(sim->players[i]) <= sim->now_ms) {
            player_act(sim->players[i]);
        }
    }
    if (sim_owner_next_order_ms(sim) <= sim->now_ms) {
        sim_owner_give_order(sim);
    }
}

void sim_end_connections(struct sim *sim)
{
    /* packets that left the core before the power cut still arrive */
    sim_deliver_to_players(sim, INT64_MAX);
    for (size_t i = 0; i < SIM_LINKS; i++) {
        sim_link_free(&sim->links[i]);
    }
    for (unsigned i = 0; i < sim->options.players; i++) {
        player_end_connection(sim->players[i]);
    }
    net_clear(&sim->up);
    net_clear(&sim->down);
}

void sim_fail_over(struct sim *sim, enum disk_loss loss)
{
    sim->counts.failovers++;
    sim->counts.doubtful += sim->house == NULL ? 0 : house_count_unsettled_turns(sim->house);
    sim_core_die(sim);
    disk_power_on(sim->disk, loss);
}

void sim_power_on(struct sim *sim, enum disk_loss loss)
{
    sim_core_die(sim);
    sim_end_connections(sim);
    disk_power_on(sim->disk, loss);
}
