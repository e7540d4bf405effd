#include "tests/faults/net.h"

#include "lobby/house/parts.h"

#include <stdlib.h>
#include <string.h>

static bool net_is_due_before(const struct net_packet *left, const struct net_packet *right)
{
    return left->due_ms != right->due_ms ? left->due_ms < right->due_ms
                                         : left->order < right->order;
}

static void net_swap_packets(struct net *net, size_t left, size_t right)
{
    const struct net_packet packet = net->packets[left];
    net->packets[left] = net->packets[right];
    net->packets[right] = packet;
}

static void net_sift_up(struct net *net, size_t at)
{
    while (at > 0 && net_is_due_before(&net->packets[at], &net->packets[(at - 1) / 2])) {
        net_swap_packets(net, at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
}

static void net_sift_down(struct net *net, size_t at)
{
    for (;;) {
        size_t first = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < net->count; child++) {
            if (net_is_due_before(&net->packets[child], &net->packets[first])) {
                first = child;
            }
        }
        if (first == at) {
            return;
        }
        net_swap_packets(net, at, first);
        at = first;
    }
}

void net_clear(struct net *net)
{
    for (size_t i = 0; i < net->count; i++) {
        free(net->packets[i].bytes);
    }
    free(net->packets);
    *net = (struct net){0};
}

void net_send(struct net *net, int64_t due_ms, int64_t conn, enum net_kind kind, const char *bytes,
              size_t len)
{
    struct net_packet packet = {
        .due_ms = due_ms,
        .order = net->order++,
        .conn = conn,
        .kind = kind,
        .len = len,
        .bytes = memory_new(len + 1),
    };
    if (len > 0) {
        memcpy(packet.bytes, bytes, len);
    }
    net->packets = memory_grow(net->packets, net->count, &net->cap, sizeof(*net->packets));
    net->packets[net->count++] = packet;
    net_sift_up(net, net->count - 1);
}

int64_t net_next_due_ms(const struct net *net)
{
    return net->count == 0 ? INT64_MAX : net->packets[0].due_ms;
}

bool net_take_due_packet(struct net *net, int64_t now_ms, struct net_packet *packet)
{
    if (net->count == 0 || net_next_due_ms(net) > now_ms) {
        return false;
    }
    *packet = net->packets[0];
    net->packets[0] = net->packets[--net->count];
    net_sift_down(net, 0);
    return true;
}

void net_drop_packets(struct net *net, int64_t conn)
{
    size_t kept = 0;
    for (size_t i = 0; i < net->count; i++) {
        if (net->packets[i].conn == conn) {
            free(net->packets[i].bytes);
        } else {
            net->packets[kept++] = net->packets[i];
        }
    }
    net->count = kept;
    for (size_t i = kept / 2 + 1; i > 0; i--) {
        if (i - 1 < kept) {
            net_sift_down(net, i - 1);
        }
    }
}
