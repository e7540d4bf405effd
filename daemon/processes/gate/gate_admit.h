#pragma once

#include <stdbool.h>
#include <sys/socket.h>

/* Admits new clients as sessions, or refuses them. */
struct gate;

/* Why a connection is refused (refusals.def). */
enum gate_refusal {
#define REFUSAL(name, word) GATE_REFUSAL_##name,
#include "daemon/processes/gate/refusals.def"
    GATE_REFUSALS,
};

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
 * 4253, 4.2), or nothing ("" as the text), and closes the socket. Counts the refusal, and logs it,
 * but at most one a second. */
void gate_admit_refuse(struct gate *gate, int client_fd, const char *address,
                       enum gate_refusal refusal, const char *text_for_client);

/* Returns the word for a refusal in the log and in the metrics. */
const char *gate_refusal_word(enum gate_refusal refusal);
