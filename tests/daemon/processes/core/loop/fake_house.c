/*
 * A fake house that does what its messages ask for, so that the loop of the core can be tested
 * alone. The types of messages, and what the house does:
 *
 *     hello      answers `welcome`, with the peer's conn, kind, address and transport
 *
 *     echo       answers with the message itself
 *
 *     flood      answers with {count} large messages
 *
 *     bye        answers `bye`
 *
 *     end        asks the core to end the connection
 *
 *     fail       answers with the message itself, but then the commit fails
 *
 *     later      sends `later` after {ms} milliseconds, from house_tick
 *
 *     backup     asks the keeper for a backup, and passes the keeper's answer on to the gate
 *
 *     move       answers with the message itself, and counts as a player's move
 *
 *     look       answers with the message itself, and writes nothing
 *
 * All other messages that are answered write to the storage, so each pass with one is a turn.
 *
 * When a peer disconnects, the house sends `left` {conn} to the gate (conn 1). The
 * keeper is the part of the core that makes backups.
 */
#include "lobby/house/house.h"
#include "lobby/house/outbox.h"
#include "storage/house/house.h"
#include "storage/storage.h"
#include "tests/daemon/processes/core/loop/late_engine.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOOD_BYTES 30000
#define GATE 1

struct house {
    struct house_config config;
    struct storage *storage;
    struct outbox outbox;
    bool is_committed;
    bool is_failing;
    int64_t next_ms;
    int64_t later_conn;
    int64_t keeper; /* connection number of the keeper, the part of the core that makes backups */
};

struct house_config house_config_default(void)
{
    return (struct house_config){.house_name = "fake"};
}

struct house *house_new(const struct house_config *config, struct storage *storage, int64_t now_ms)
{
    (void)now_ms;
    struct house *house = calloc(1, sizeof *house);
    if (house != NULL) {
        house->next_ms = INT64_MAX;
        house->config = *config;
        house->storage = storage;
        outbox_init(&house->outbox);
        late_engine_install(storage);
    }
    return house;
}

void house_free(struct house *house)
{
    if (house != NULL) {
        outbox_clear(&house->outbox);
    }
    free(house);
}

static void send_to_peer(struct house *house, int64_t conn, json_t *message)
{
    struct payload *payload = payload_from_json(message);
    outbox_add(&house->outbox, conn, payload);
    payload_release(payload);
    house->is_committed = false;
}

static void write_to_storage(struct house *house)
{
    if (storage_meta_set(house->storage, "written", "1") != STORAGE_OK) {
        abort();
    }
}

/* What `welcome` tells each connected peer: its kind, its address and its transport. */
static char origins[64][64];

enum house_result house_connect(struct house *house, int64_t now_ms, int64_t conn, enum peer peer,
                                const char *address, const char *transport)
{
    (void)now_ms;
    house->keeper = peer == PEER_KEEPER ? conn : house->keeper;
    snprintf(origins[conn % 64], sizeof origins[0], "%d %s %s", (int)peer, address, transport);
    return HOUSE_OK;
}

enum house_result house_disconnect(struct house *house, int64_t now_ms, int64_t conn)
{
    (void)now_ms;
    if (conn != GATE) {
        send_to_peer(house, GATE, json_pack("{s:s, s:I}", "t", "left", "conn", (json_int_t)conn));
    }
    return HOUSE_OK;
}

static void send_many_large_messages(struct house *house, int64_t conn, json_int_t count)
{
    char text[FLOOD_BYTES];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (json_int_t i = 0; i < count; i++) {
        send_to_peer(house, conn,
                     json_pack("{s:s, s:I, s:s}", "t", "much", "n", (json_int_t)i, "text", text));
    }
}

static enum house_result carry_out_message(struct house *house, int64_t now_ms, int64_t conn,
                                           json_t *message)
{
    const char *type = json_string_value(json_object_get(message, "t"));
    if (type == NULL || strcmp(type, "end") == 0) {
        return HOUSE_END_CONNECTION;
    }
    if (strcmp(type, "hello") == 0) {
        send_to_peer(house, conn,
                     json_pack("{s:s, s:I, s:s}", "t", "welcome", "conn", (json_int_t)conn,
                               "origin", origins[conn % 64]));
    } else if (strcmp(type, "flood") == 0) {
        send_many_large_messages(house, conn,
                                 json_integer_value(json_object_get(message, "count")));
    } else if (strcmp(type, "backup") == 0) {
        send_to_peer(house, house->keeper, json_pack("{s:s, s:i}", "t", "backup", "job", 1));
    } else if (strcmp(type, "backed_up") == 0) {
        send_to_peer(house, GATE, json_incref(message));
    } else if (strcmp(type, "later") == 0) {
        house->next_ms = now_ms + json_integer_value(json_object_get(message, "ms"));
        house->later_conn = conn;
    } else if (strcmp(type, "look") == 0) {
        send_to_peer(house, conn, json_incref(message));
        return HOUSE_OK;
    } else {
        house->is_failing = strcmp(type, "fail") == 0;
        if (strcmp(type, "move") == 0) {
            house->config.measure(house->config.measure_context, HOUSE_METRIC_moves, "no game",
                                  "player", 1);
        }
        send_to_peer(house, conn, json_incref(message));
    }
    write_to_storage(house);
    return HOUSE_OK;
}

enum house_result house_receive(struct house *house, int64_t now_ms, int64_t conn,
                                const char *bytes, size_t len)
{
    json_t *message = json_loadb(bytes, len, 0, NULL);
    enum house_result result = carry_out_message(house, now_ms, conn, message);
    json_decref(message);
    return result;
}

void house_note_output_dropped(struct house *house, int64_t conn)
{
    send_to_peer(house, conn, json_pack("{s:s}", "t", "resync"));
}

enum house_result house_tick(struct house *house, int64_t now_ms)
{
    if (now_ms >= house->next_ms) {
        send_to_peer(house, house->later_conn, json_pack("{s:s}", "t", "later"));
        house->next_ms = INT64_MAX;
    }
    return HOUSE_OK;
}

int64_t house_next_tick_ms(const struct house *house)
{
    return house->next_ms;
}

enum house_result house_commit(struct house *house)
{
    uint64_t durable = 0;
    house->is_committed = true;
    if (storage_commit(house->storage) != STORAGE_OK) {
        house->is_failing = true;
    }
    if (outbox_needs_turn(&house->outbox, storage_last_turn(house->storage))) {
        storage_end_turn(house->storage);
    }
    if (storage_settle(house->storage, &durable) != STORAGE_OK) {
        house->is_failing = true;
    }
    if (house->is_failing) {
        return HOUSE_STORAGE_FAILED;
    }
    outbox_seal(&house->outbox, storage_last_turn(house->storage));
    outbox_settle(&house->outbox, durable);
    return HOUSE_OK;
}

const char *house_failure_reason(const struct house *house)
{
    return house->is_failing ? "the house fails" : "";
}

void house_measure(const struct house *house)
{
    (void)house;
}

int house_output(struct house *house, struct house_output *output)
{
    if (!house->is_committed) {
        abort(); /* nothing may be sent before the commit */
    }
    return outbox_take(&house->outbox, output);
}

uint64_t house_count_unsettled_turns(const struct house *house)
{
    return storage_last_turn(house->storage) - house->outbox.durable;
}
