#pragma once

#include <stdbool.h>
#include <sys/socket.h>

/* Admits new clients as sessions, or refuses them. */
struct gate;

struct gate_client {
    int socket;                      /* of the connection */
    bool is_telnet;                  /* true: telnet; false: SSH */
    bool is_encrypted;               /* TLS encrypts the telnet up to the proxy */
    struct sockaddr_storage address; /* the client's own, even behind a proxy */
};

/* Admits a client as a session, or refuses it, by its address, the limits and the bans. Takes over
 * the socket. */
void gate_admit_client(struct gate *gate, const struct gate_client *client);

/* Refuses a connection: sends a line of text, which an SSH server may send before its greeting (RFC
 * 4253, 4.2), or nothing ("" as the text), and closes the socket. Logs `reason`, but at most one
 * refusal a second. */
void gate_admit_refuse(struct gate *gate, int client_fd, const char *address, const char *reason,
                       const char *text_for_client);
