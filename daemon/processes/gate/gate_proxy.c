#include "daemon/processes/gate/gate.h"

#include "daemon/session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum {
    SIGNATURE_BYTES = 12,
    FIXED_BYTES = 16,     /* the header's first part, which ends with the length of the rest */
    COMMAND_LOCAL = 0x20, /* the upper four bits are the version, 2 */
    COMMAND_PROXY = 0x21,
    TCP_OVER_IPV4 = 0x11,
    TCP_OVER_IPV6 = 0x21,
    IPV4_BYTES = 12, /* two addresses and two ports */
    IPV6_BYTES = 36,
    TLV_BYTES = 3, /* a TLV's type and length */
    TLV_TLS = 0x20,
    TLS_BYTES = 5, /* the shortest value of TLV_TLS: a byte of flags, and a number */
    TLS_CLIENT = 0x01,
};

static const uint8_t signature[SIGNATURE_BYTES] = {0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d,
                                                   0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a};

static size_t read_length(const uint8_t bytes[2])
{
    return (size_t)bytes[0] << 8 | bytes[1];
}

/* Returns the length of the header as far as it is known. */
static size_t find_total_length(const struct proxy_header *header)
{
    return header->len < FIXED_BYTES ? FIXED_BYTES : FIXED_BYTES + read_length(header->bytes + 14);
}

/* Checks the fixed part. Returns PROXY_HEADER_COMPLETE if the rest is to be parsed. */
static enum proxy_header_result parse_fixed_part(const struct proxy_header *header)
{
    size_t len = header->len < SIGNATURE_BYTES ? header->len : SIGNATURE_BYTES;
    if (memcmp(header->bytes, signature, len) != 0) {
        return PROXY_HEADER_INVALID;
    }
    if (header->len < FIXED_BYTES) {
        return PROXY_HEADER_INCOMPLETE;
    }
    uint8_t command = header->bytes[12];
    uint8_t family = header->bytes[13];
    if (command == COMMAND_LOCAL) {
        return PROXY_HEADER_LOCAL;
    }
    if (command != COMMAND_PROXY || (family != TCP_OVER_IPV4 && family != TCP_OVER_IPV6) ||
        find_total_length(header) > PROXY_HEADER_MAX) {
        return PROXY_HEADER_INVALID;
    }
    return header->len < find_total_length(header) ? PROXY_HEADER_INCOMPLETE
                                                   : PROXY_HEADER_COMPLETE;
}

static void read_ipv4_address(const uint8_t *bytes, struct sockaddr_storage *address)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    memcpy(&v4.sin_addr, bytes, 4);
    memcpy(&v4.sin_port, bytes + 8, 2);
    memcpy(address, &v4, sizeof(v4));
}

static void read_ipv6_address(const uint8_t *bytes, struct sockaddr_storage *address)
{
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    memcpy(&v6.sin6_addr, bytes, 16);
    memcpy(&v6.sin6_port, bytes + 32, 2);
    memcpy(address, &v6, sizeof(v6));
}

/* Reads the TLVs. Returns false if they do not fill the bytes exactly, or the one of TLS is too
 * short. */
static bool read_tlvs(const uint8_t *bytes, size_t len, bool *is_encrypted)
{
    *is_encrypted = false;
    while (len > 0) {
        if (len < TLV_BYTES || read_length(bytes + 1) > len - TLV_BYTES) {
            return false;
        }
        size_t value_len = read_length(bytes + 1);
        bool is_tls = bytes[0] == TLV_TLS;
        if (is_tls && value_len < TLS_BYTES) {
            return false;
        }
        *is_encrypted = is_tls ? (bytes[TLV_BYTES] & TLS_CLIENT) != 0 : *is_encrypted;
        bytes += TLV_BYTES + value_len;
        len -= TLV_BYTES + value_len;
    }
    return true;
}

size_t proxy_header_count_missing_bytes(const struct proxy_header *header)
{
    return parse_fixed_part(header) == PROXY_HEADER_INCOMPLETE
               ? find_total_length(header) - header->len
               : 0;
}

enum proxy_header_result proxy_header_parse(const struct proxy_header *header,
                                            struct proxy_client *client)
{
    enum proxy_header_result result = parse_fixed_part(header);
    if (result != PROXY_HEADER_COMPLETE) {
        return result;
    }
    const uint8_t *rest = header->bytes + FIXED_BYTES;
    size_t len = find_total_length(header) - FIXED_BYTES;
    bool is_ipv4 = header->bytes[13] == TCP_OVER_IPV4;
    size_t address_len = is_ipv4 ? IPV4_BYTES : IPV6_BYTES;
    bool is_encrypted;
    if (len < address_len || !read_tlvs(rest + address_len, len - address_len, &is_encrypted)) {
        return PROXY_HEADER_INVALID;
    }
    *client = (struct proxy_client){.is_encrypted = is_encrypted};
    (is_ipv4 ? read_ipv4_address : read_ipv6_address)(rest, &client->address);
    return PROXY_HEADER_COMPLETE;
}

#define TABLE_BYTES (GATE_PROXY_WAITING_MAX * sizeof(struct gate_proxied))

void gate_proxy_init(struct gate *gate)
{
    gate->proxied = unforked_allocate(TABLE_BYTES);
}

static void release_place(struct gate_proxied *proxied)
{
    if (event_initialized(&proxied->event)) {
        event_del(&proxied->event);
    }
    *proxied = (struct gate_proxied){0};
}

static void close_connection(struct gate_proxied *proxied)
{
    int socket = proxied->socket;
    release_place(proxied);
    close(socket);
}

void gate_proxy_clear(struct gate *gate)
{
    for (size_t i = 0; gate->proxied != NULL && i < GATE_PROXY_WAITING_MAX; i++) {
        if (gate->proxied[i].socket != 0) {
            close_connection(&gate->proxied[i]);
        }
    }
    unforked_free(gate->proxied, TABLE_BYTES);
    gate->proxied = NULL;
}

static bool is_trusted_proxy(const struct config *config, const struct sockaddr_storage *address)
{
    struct ip_net nets[CONFIG_NETWORKS_MAX];
    size_t count = ip_net_parse_list(config->proxy_networks, nets, ARRAY_LEN(nets));
    uint8_t bytes[16];
    return ip_net_read_address((const struct sockaddr *)address, sizeof(*address), bytes) &&
           find_ip_net(nets, count, bytes) >= 0;
}

static struct gate_proxied *find_free_place(const struct gate *gate)
{
    for (size_t i = 0; i < GATE_PROXY_WAITING_MAX; i++) {
        if (gate->proxied[i].socket == 0) {
            return &gate->proxied[i];
        }
    }
    return NULL;
}

/* Gives a descriptor a number below SEPARATION_FDS. Returns the number; if there is no free one,
 * the descriptor's old number. */
static int separation_give_to_children(int fd)
{
    int given = fd >= SEPARATION_FDS ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
    if (given >= SEPARATION_FDS) {
        close(given);
        return fd;
    }
    if (given < 0) {
        return fd;
    }
    close(fd);
    return given;
}

static void admit_client(struct gate_proxied *proxied, const struct proxy_client *client)
{
    struct gate *gate = proxied->gate;
    struct gate_client admitted = {
        .socket = proxied->socket,
        .is_telnet = proxied->is_telnet,
        .is_encrypted = client->is_encrypted,
        .address = client->address,
    };
    release_place(proxied);
    admitted.socket = separation_give_to_children(admitted.socket);
    gate_admit_client(gate, &admitted);
}

static void refuse_proxy(struct gate_proxied *proxied, enum gate_refusal refusal)
{
    const struct gate_proxied refused = *proxied;
    release_place(proxied);
    gate_admit_refuse(refused.gate, refused.socket, refused.proxy, refusal);
}

/* Reads until the header is complete or nothing more has arrived. Returns false if the connection
 * is closed. */
static bool receive_header(struct proxy_header *header, int socket)
{
    size_t missing;
    while ((missing = proxy_header_count_missing_bytes(header)) > 0) {
        ssize_t got = recv(socket, header->bytes + header->len, missing, MSG_DONTWAIT);
        if (got <= 0) {
            return got < 0 && (errno == EAGAIN || errno == EINTR);
        }
        header->len += (size_t)got;
    }
    return true;
}

/* Reads what has arrived of the header, and then waits for the rest, admits the client, or closes
 * the connection. */
static void continue_connection(struct gate_proxied *proxied)
{
    struct proxy_client client;
    bool is_open = receive_header(&proxied->header, proxied->socket);
    int64_t left_ms = proxied->due_ms - clock_steady_ms();
    switch (proxy_header_parse(&proxied->header, &client)) {
    case PROXY_HEADER_COMPLETE:
        event_del(&proxied->event); /* what follows is for the session */
        if (!proxied->gate->is_paused) {
            admit_client(proxied, &client);
        }
        break;
    case PROXY_HEADER_INCOMPLETE:
        if (is_open) {
            loop_begin_ms(&proxied->event, left_ms > 0 ? left_ms : 0);
        } else {
            close_connection(proxied); /* as a proxy does to see that the port is open */
        }
        break;
    case PROXY_HEADER_LOCAL:
        close_connection(proxied);
        break;
    case PROXY_HEADER_INVALID:
        refuse_proxy(proxied, GATE_REFUSAL_NO_PROXY_HEADER);
        break;
    }
}

static void handle_event(UNUSED evutil_socket_t fd, short what, void *context)
{
    struct gate_proxied *proxied = context;
    if ((what & EV_TIMEOUT) != 0) {
        refuse_proxy(proxied, GATE_REFUSAL_PROXY_TOO_SLOW);
    } else if (!proxied->gate->is_stopping) {
        continue_connection(proxied);
    }
}

void gate_proxy_continue_all(struct gate *gate)
{
    for (size_t i = 0; i < GATE_PROXY_WAITING_MAX; i++) {
        struct gate_proxied *proxied = &gate->proxied[i];
        if (proxied->socket != 0 && !event_initialized(&proxied->event)) { /* after an exec */
            proxied->gate = gate;
            event_assign(&proxied->event, gate->base, proxied->socket, EV_READ, handle_event,
                         proxied);
        }
        if (proxied->socket != 0) {
            continue_connection(proxied);
        }
    }
}

void gate_proxy_add(struct gate *gate, int client_fd, bool is_telnet,
                    const struct sockaddr_storage *address)
{
    char proxy[INET6_ADDRSTRLEN];
    listen_write_address(address, proxy);
    if (!is_trusted_proxy(&gate->config, address)) {
        gate_admit_refuse(gate, client_fd, proxy, GATE_REFUSAL_NOT_A_PROXY);
        return;
    }
    struct gate_proxied *place = find_free_place(gate);
    if (place == NULL) {
        gate_proxy_continue_all(gate); /* some may have ended in this pass */
        place = find_free_place(gate);
    }
    if (place == NULL) {
        gate_admit_refuse(gate, client_fd, proxy, GATE_REFUSAL_TOO_MANY_FROM_PROXIES);
        return;
    }
    *place = (struct gate_proxied){
        .gate = gate,
        .socket = separation_keep_from_children(client_fd),
        .is_telnet = is_telnet,
        .due_ms = clock_steady_ms() + gate->config.proxy_header_ms,
    };
    memcpy(place->proxy, proxy, sizeof(proxy));
    event_assign(&place->event, gate->base, place->socket, EV_READ, handle_event, place);
    continue_connection(place);
}
