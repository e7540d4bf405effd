#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Sends and receives protocol messages on a SOCK_SEQPACKET socket: one message per packet,
 * optionally with one file descriptor. No function here blocks but packet_send_waiting.
 */
#define PACKET_MAX 65536

enum packet_result {
    PACKET_OK = 0,
    PACKET_AGAIN,  /* nothing to read, or no room to write: wait for the socket and try again */
    PACKET_CLOSED, /* the other end is closed */
    PACKET_BAD,    /* the packet is too long or incomplete: drop the connection */
};

/* Makes a connected pair with buffers large enough for PACKET_MAX, close-on-exec. Returns 0, or -1
 * with errno. */
int packet_make_socket_pair(int ends[2]) MUST_CHECK;

/* Sends one packet. If fd_to_pass is not -1, sends a copy of that descriptor with the packet; the
 * caller's own descriptor stays open. */
enum packet_result packet_send(int socket, const char *bytes, size_t len,
                               int fd_to_pass) MUST_CHECK;

/* The same, but waits for room in the socket for a moment. Returns false if there is none, or the
 * other end is closed. */
bool packet_send_waiting(int socket, const char *bytes, size_t len, int fd_to_pass) MUST_CHECK;

/* Receives one packet: fills `buffer` (PACKET_MAX bytes) and sets *len. If a descriptor came with
 * the packet, *fd_passed becomes that descriptor, which the caller must close; otherwise -1. If
 * fd_passed is NULL, an unexpected descriptor is closed. */
enum packet_result packet_receive(int socket, char *buffer, size_t *len, int *fd_passed) MUST_CHECK;
