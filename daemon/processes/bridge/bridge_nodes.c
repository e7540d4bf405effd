#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"
#include "lobby/protocol/protocol.h"

#include <event2/util.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS_MAX 64

static bool read_node(const json_t *entry, struct bridge_node *node)
{
    int64_t number;
    int len = sizeof node->address;
    const char *address = json_read_text(entry, "address", ADDRESS_MAX);
    const char *key = json_read_text(entry, "key", BRIDGE_KEY_TEXT_MAX - 1);
    *node = (struct bridge_node){.node = 0};
    if (address == NULL || key == NULL ||
        !json_read_number(entry, "node", 1, BRIDGE_NODES_MAX, &number) ||
        evutil_parse_sockaddr_port(address, (struct sockaddr *)&node->address, &len) != 0) {
        return false;
    }
    node->node = (unsigned)number;
    node->is_alive = json_is_true(json_object_get(entry, "alive"));
    node->address_len = (socklen_t)len;
    (void)snprintf(node->key, sizeof node->key, "%s", key);
    return true;
}

bool bridge_nodes_read(struct bridge_nodes *nodes, const json_t *message)
{
    int64_t self;
    int64_t holder;
    int64_t turn = 0;
    const json_t *list = json_object_get(message, "nodes");
    if (!json_read_number(message, "self", 1, BRIDGE_NODES_MAX, &self) ||
        !json_read_number(message, "holder", 0, BRIDGE_NODES_MAX, &holder) ||
        !json_read_optional_number(message, "turn", 0, INT64_MAX, &turn) || !json_is_array(list) ||
        json_array_size(list) > BRIDGE_NODES_MAX) {
        return false;
    }
    struct bridge_nodes read = {.self = (unsigned)self, .holder = (unsigned)holder, .turn = turn};
    read.list = must_allocate((json_array_size(list) + 1) * sizeof *read.list);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (read_node(json_array_get(list, i), &read.list[read.count])) {
            read.count++;
        } else {
            log_event(LOG_LEVEL_WARN, 0, "a node of the house has no address or key");
        }
    }
    bridge_nodes_clear(nodes);
    *nodes = read;
    return true;
}

void bridge_nodes_clear(struct bridge_nodes *nodes)
{
    free(nodes->list);
    *nodes = (struct bridge_nodes){.self = 0};
}

const struct bridge_node *bridge_nodes_find(const struct bridge_nodes *nodes, unsigned node)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (nodes->list[i].node == node) {
            return &nodes->list[i];
        }
    }
    return NULL;
}

bool bridge_nodes_include_address(const struct bridge_nodes *nodes,
                                  const struct sockaddr_storage *address)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (evutil_sockaddr_cmp((const struct sockaddr *)&nodes->list[i].address,
                                (const struct sockaddr *)address, 0) == 0) {
            return true;
        }
    }
    return false;
}

bool bridge_nodes_are_same(const struct bridge_node *a, const struct bridge_node *b)
{
    return evutil_sockaddr_cmp((const struct sockaddr *)&a->address,
                               (const struct sockaddr *)&b->address, 1) == 0 &&
           strcmp(a->key, b->key) == 0;
}
