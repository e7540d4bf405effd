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
 * When a peer disconnects, the house sends `left` {conn} to the gate (conn 1). The
 * keeper is the part of the core that makes backups.
 */
#include "daemon/base/packet.h"
#include "lobby/house/house.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_MAX 1024
#define FLOOD_BYTES 30000
#define GATE 1

struct output {
    int64_t conn;
    char *json;
};

struct house {
    struct output queue[OUTPUT_MAX];
    size_t first, count;
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
    (void)config;
    (void)storage;
    (void)now_ms;
    struct house *house = calloc(1, sizeof *house);
    if (house != NULL) {
        house->next_ms = INT64_MAX;
    }
    return house;
}

void house_free(struct house *house)
{
    for (size_t i = 0; house != NULL && i < house->count; i++) {
        free(house->queue[i].json);
    }
    free(house);
}

static void send_to_peer(struct house *house, int64_t conn, json_t *message)
{
    char *json = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (json == NULL || house->count == OUTPUT_MAX) {
        abort();
    }
    house->queue[house->count++] = (struct output){conn, json};
    house->is_committed = false;
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
    } else {
        house->is_failing = strcmp(type, "fail") == 0;
        send_to_peer(house, conn, json_incref(message));
    }
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
    house->is_committed = true;
    return house->is_failing ? HOUSE_STORAGE_FAILED : HOUSE_OK;
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
    if (house->first > 0) {
        free(house->queue[house->first - 1].json);
    }
    if (house->first == house->count) {
        house->first = 0;
        house->count = 0;
        return 0;
    }
    struct output *next = &house->queue[house->first++];
    *output = (struct house_output){next->conn, next->json, strlen(next->json)};
    return 1;
}

uint64_t house_count_unsettled_turns(const struct house *house)
{
    (void)house;
    return 0;
}
