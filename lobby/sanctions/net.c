#include "lobby/sanctions/sanctions.h"

#include <arpa/inet.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IPV4_BITS 96 /* the number of bits before the IPv4 address in its IPv6 form */

/* Networks with fewer prefix bits than this are wide (net_is_wide). */
#define NARROW_IPV4 16
#define NARROW_IPV6 32

#define HOUSEHOLD_IPV6 64

static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};

static bool is_ipv4(const struct net *net)
{
    return net->bits >= IPV4_BITS && memcmp(net->bytes, mapped, sizeof(mapped)) == 0;
}

static void clear_host_bits(struct net *net)
{
    for (unsigned i = 0; i < sizeof(net->bytes); i++) {
        unsigned first = 8 * i;
        unsigned kept = net->bits <= first ? 0 : net->bits - first >= 8 ? 8 : net->bits - first;
        net->bytes[i] = (uint8_t)(net->bytes[i] & ~(0xFFU >> kept));
    }
}

/* Parses the prefix length after the slash and adds added_bits; false when the sum is too large. */
static bool read_prefix_length(const char *text, unsigned added_bits, struct net *net)
{
    char *end = NULL;
    long bits = strtol(text, &end, 10);
    if (end == text || *end != '\0' || text[0] < '0' || text[0] > '9' ||
        bits > 128 - (long)added_bits) {
        return false;
    }
    net->bits = (uint8_t)((unsigned)bits + added_bits);
    return true;
}

bool net_parse(const char *text, struct net *net)
{
    char address[STORAGE_ADDRESS_SIZE];
    size_t len = strcspn(text, "/");
    unsigned base = 0;
    if (len >= sizeof(address)) {
        return false;
    }
    memcpy(address, text, len);
    address[len] = '\0';
    *net = (struct net){.bits = 128};
    if (inet_pton(AF_INET, address, net->bytes + sizeof(mapped)) == 1) {
        memcpy(net->bytes, mapped, sizeof(mapped));
        base = IPV4_BITS;
    } else if (inet_pton(AF_INET6, address, net->bytes) != 1) {
        return false;
    }
    if (text[len] == '/' && !read_prefix_length(text + len + 1, base, net)) {
        return false;
    }
    clear_host_bits(net);
    return true;
}

void net_format(const struct net *net, char text[STORAGE_ADDRESS_SIZE])
{
    char address[INET6_ADDRSTRLEN] = "";
    unsigned base = is_ipv4(net) ? IPV4_BITS : 0;
    if (base > 0) {
        (void)inet_ntop(AF_INET, net->bytes + sizeof(mapped), address, sizeof(address));
    } else {
        (void)inet_ntop(AF_INET6, net->bytes, address, sizeof(address));
    }
    if (net->bits == 128) {
        (void)snprintf(text, STORAGE_ADDRESS_SIZE, "%s", address);
    } else {
        (void)snprintf(text, STORAGE_ADDRESS_SIZE, "%s/%u", address, net->bits - base);
    }
}

void net_format_household_network(const char *address, char text[STORAGE_ADDRESS_SIZE])
{
    struct net net;
    text[0] = '\0';
    if (strchr(address, '/') != NULL || !net_parse(address, &net)) {
        return;
    }
    if (!is_ipv4(&net) && strcmp(address, "::1") != 0) {
        net.bits = HOUSEHOLD_IPV6;
        clear_host_bits(&net);
    }
    net_format(&net, text);
}

bool net_is_wide(const struct net *net)
{
    return net->bits < (is_ipv4(net) ? IPV4_BITS + NARROW_IPV4 : NARROW_IPV6);
}

bool net_contains(const struct net *net, const char *address)
{
    struct net other;
    if (strchr(address, '/') != NULL || !net_parse(address, &other)) {
        return false;
    }
    other.bits = net->bits;
    clear_host_bits(&other);
    return memcmp(other.bytes, net->bytes, sizeof(other.bytes)) == 0;
}

#define PREFIX "SHA256:"
#define LETTERS 43 /* 32 bytes in base64 without padding */

bool fingerprint_is_well_formed(const char *text)
{
    const char *letters = text + strlen(PREFIX);
    unsigned char hash[crypto_hash_sha256_BYTES];
    size_t len = 0;
    return strncmp(text, PREFIX, strlen(PREFIX)) == 0 && strlen(letters) == LETTERS &&
           sodium_base642bin(hash, sizeof(hash), letters, LETTERS, NULL, &len, NULL,
                             sodium_base64_VARIANT_ORIGINAL_NO_PADDING) == 0 &&
           len == sizeof(hash);
}

static bool add_allowlist_line(void *context, const char *name, UNUSED int64_t value)
{
    struct order *order = context;
    order_add_line(order, "%s", name);
    return true;
}

/* Writes the entry that the order names: a network in canonical form, "ip=192.0.2.0/24", or a key
 * as typed. Refuses any other target. */
static bool read_allowlist_entry(struct order *order, bool is_adding,
                                 char name[STORAGE_RULE_NAME_SIZE])
{
    struct net net;
    char text[STORAGE_ADDRESS_SIZE];
    const char *what = order->reason;
    if (strncmp(what, "ip=", 3) == 0 && net_parse(what + 3, &net)) {
        net_format(&net, text);
        (void)snprintf(name, STORAGE_RULE_NAME_SIZE, "ip=%s", text);
    } else if (strncmp(what, "key=SHA256:", 11) == 0 && strlen(what) < STORAGE_FINGERPRINT_SIZE &&
               (!is_adding || fingerprint_is_well_formed(what + 4))) {
        (void)snprintf(name, STORAGE_RULE_NAME_SIZE, "%.100s", what);
    } else {
        order_refuse(order, "bad", _("Type ip= and an address or a network, or key=SHA256:…"));
    }
    return order->code == NULL;
}

void mod_run_allowlist(struct order *order)
{
    struct house *house = order->house;
    char name[STORAGE_RULE_NAME_SIZE];
    bool is_adding = strcmp(order->word, "add") == 0;
    if (order->word[0] == '\0') {
        order->flags |= MOD_READS;
        stored_or_fail(house, storage_rules_each(house->storage, STORAGE_RULE_ALLOWED,
                                                 add_allowlist_line, order));
        if (json_array_size(order->lines) == 0) {
            order_add_line(order, _("Nothing is on the allowlist."));
        }
    } else if (!is_adding && strcmp(order->word, "remove") != 0) {
        order_refuse(order, "bad", _("Say add or remove: /allowlist add ip=…"));
    } else if (read_allowlist_entry(order, is_adding, name)) {
        sanctions_set_rule(house, STORAGE_RULE_ALLOWED, name, is_adding);
        gate_bans_mark_changed(house);
        order_add_line(order, is_adding ? _("Allowed: %s") : _("No longer allowed: %s"), name);
    }
}

bool allowlist_has_address(struct house *house, const char *address)
{
    const char *name = NULL;
    json_t *unused = NULL;
    struct net net;
    json_object_foreach(sanctions_house_state(house)->allowed, name, unused)
    {
        if (strncmp(name, "ip=", 3) == 0 && net_parse(name + 3, &net) &&
            net_contains(&net, address)) {
            return true;
        }
    }
    return false;
}

bool allowlist_has_conn(struct house *house, const struct conn *conn)
{
    char name[STORAGE_RULE_NAME_SIZE];
    (void)snprintf(name, sizeof(name), "key=%s", conn->key_fingerprint);
    return json_object_get(sanctions_house_state(house)->allowed, name) != NULL ||
           allowlist_has_address(house, conn->address);
}

#define BARRING_MAX 256 /* the most networks that are sent to the gate */

void gate_bans_mark_changed(struct house *house)
{
    sanctions_house_state(house)->are_bans_changed = true;
}

/* Lists the banned networks, but for those on the allowlist. An allowed address within a larger
 * banned network is admitted at sign-in (sanctions.h). */
static json_t *list_banned_networks(struct house *house)
{
    json_t *nets = json_array();
    SANCTIONS_EACH(ban, house) {
        if (ban->row.address[0] != '\0' && json_array_size(nets) < BARRING_MAX &&
            !allowlist_has_address(house, ban->row.address)) {
            (void)json_array_append_new(nets, json_string(ban->row.address));
        }
    }
    return nets;
}

void gate_bans_send_changed(struct house *house)
{
    if (!sanctions_house_state(house)->are_bans_changed) {
        return;
    }
    sanctions_house_state(house)->are_bans_changed = false;
    json_t *nets = list_banned_networks(house);
    PROCESSES_EACH(conn, house) {
        if (conn->peer == PEER_GATE && conn->phase == PHASE_IN) {
            conn_send(house, conn, json_pack("{s:s,s:O}", "t", "barred", "nets", nets));
        }
    }
    json_decref(nets);
}
