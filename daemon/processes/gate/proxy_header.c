#include "daemon/processes/gate/gate.h"

#include <string.h>

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
