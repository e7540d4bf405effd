#ifndef DAEMON_BASE_PACKET_H
#define DAEMON_BASE_PACKET_H

#include "games/macros.h"

#include <stddef.h>

/*
 * One protocol message per packet of a SOCK_SEQPACKET socket, possibly with one file descriptor.
 * Nothing here ever blocks.
 */
#define PACKET_MAX 65536

enum packet_result {
    PACKET_OK = 0,
    PACKET_AGAIN,  /* nothing there, or no room: wait for the socket */
    PACKET_CLOSED, /* the other end is gone */
    PACKET_BAD,    /* over-long or torn: drop the connection */
};

/* A connected pair with buffers large enough for PACKET_MAX, close-on-exec. 0, or -1 with errno. */
int packet_pair(int ends[2]) MUST_CHECK;

/* fd_to_pass -1: none; the caller keeps its own copy open. */
enum packet_result packet_send(int socket, const char *bytes, size_t len,
                               int fd_to_pass) MUST_CHECK;

/* Fills buffer (PACKET_MAX bytes) and sets *len. *fd_passed is the descriptor that came along,
 * the caller's to close, or -1; NULL: none is expected and any is closed. */
enum packet_result packet_receive(int socket, char *buffer, size_t *len, int *fd_passed) MUST_CHECK;

#endif
