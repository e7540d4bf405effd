#pragma once

#include "games/macros.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The header with which a proxy tells the address of its client, before the client's own bytes: the
 * PROXY protocol, version 2 (https://www.haproxy.org/download/2.6/doc/proxy-protocol.txt, 2.2), of
 * which a server needs these parts:
 *
 *     signature (12) │ version and command │ family and protocol │ length (2) │ addresses │ TLVs
 *
 * Pure: no I/O, no memory allocation.
 */
enum {
    PROXY_HEADER_MAX = 1024, /* longest header in bytes; a longer one is invalid */
};

/* The bytes of a header that have arrived. The caller adds bytes at `bytes + len`. */
struct proxy_header {
    size_t len;
    uint8_t bytes[PROXY_HEADER_MAX];
};

enum proxy_header_result {
    PROXY_HEADER_COMPLETE = 0,
    PROXY_HEADER_INCOMPLETE, /* more bytes are missing */
    PROXY_HEADER_LOCAL,      /* the proxy checks whether the house answers: there is no client */
    PROXY_HEADER_INVALID,    /* not a header of TCP over IPv4 or IPv6, or too long */
};

/* The client that a header describes. */
struct proxy_client {
    struct sockaddr_storage address; /* AF_INET or AF_INET6 */
    bool is_encrypted;               /* the client reached the proxy through TLS */
};

/* Returns how many bytes the caller should read next, so that it reads no byte beyond the header.
 * Returns 0 unless proxy_header_parse returns PROXY_HEADER_INCOMPLETE. */
size_t proxy_header_count_missing_bytes(const struct proxy_header *header);

/* Parses what has arrived. Sets *client only if the result is PROXY_HEADER_COMPLETE. The first
 * wrong byte of a signature makes the result PROXY_HEADER_INVALID. */
enum proxy_header_result proxy_header_parse(const struct proxy_header *header,
                                            struct proxy_client *client) MUST_CHECK;
