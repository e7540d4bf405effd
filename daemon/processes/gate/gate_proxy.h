#pragma once

#include "daemon/processes/gate/proxy_header.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Connections through a proxy (settings: [proxy]). Such a connection waits until the proxy has told
 * the client's address. Only then it is admitted or refused, by that address, like any other:
 *
 *     accepted ──(from elsewhere)──▶ closed, before any byte is read
 *        │
 *        ▼
 *     WAITING ──(invalid, late, closed or the proxy's own check)──▶ closed
 *        │ (the header is complete)
 *        ▼
 *     COMPLETE ──(the gate does not pause)──▶ admitted or refused (gate_admit.h)
 *
 * The gate never blocks for a proxy, and reads no byte beyond the header: the session reads those.
 */
struct gate;

enum {
    GATE_PROXY_WAITING_MAX = 128, /* most connections in WAITING and COMPLETE; more are closed */
};

struct gate_proxied {
    int socket; /* 0: this place is free */
    bool is_telnet;
    bool is_complete;
    int64_t due_ms;               /* when the proxy's time is up, monotonic */
    char proxy[INET6_ADDRSTRLEN]; /* the proxy's own address */
    struct proxy_header header;
};

/* Makes the table of waiting connections (gate->proxied), which no session inherits. Aborts if
 * memory runs out. */
void gate_proxy_init(struct gate *gate);

/* Closes all waiting connections, and frees the table. */
void gate_proxy_clear(struct gate *gate);

/* Takes over the socket of a new connection, which came from `address`. */
void gate_proxy_add(struct gate *gate, int client_fd, bool is_telnet,
                    const struct sockaddr_storage *address);

/* Watches every waiting connection, after the gate has executed its program again. Returns false
 * with a line on the log. */
bool gate_proxy_watch_all(struct gate *gate) MUST_CHECK;

/* Reads what has arrived of the header of the connection at `index`. */
void gate_proxy_read_header(struct gate *gate, size_t index);

/* Closes connections whose proxy's time is up, and admits or refuses those whose header is
 * complete, unless the gate pauses. The caller must have handled the ends of sessions
 * (gate_renew.h), and tells the core about new sessions afterwards. */
void gate_proxy_finish(struct gate *gate, int64_t now_ms);

/* Returns the time until gate_proxy_finish has work, in ms; -1 if it has none. */
int64_t gate_proxy_due_in_ms(const struct gate *gate, int64_t now_ms);
