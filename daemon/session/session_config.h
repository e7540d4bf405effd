#ifndef DAEMON_SESSION_SESSION_CONFIG_H
#define DAEMON_SESSION_SESSION_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What one connection may take: the sections [door], [connection], [ssh] and [telnet] of the
 * house's settings (daemon/config/config.def says what each means and bounds it). The gate hands
 * them to every session it forks.
 *
 * Not among them, since no house is better off with others: the sizes a screen is clamped to and
 * the memory that follows from them (terminal.h, confine.c); what holds a message
 * (daemon/base/packet.h), a terminal's name, a telnet subnegotiation: they bound our own buffers;
 * and the second of CPU time after which a turn counts as endless (watchdog.h).
 */
struct session_config {
    uint32_t key_exchange_s; /* counts towards login_s */
    uint32_t login_s;
    uint32_t start_s; /* signed in, until a shell is asked for */
    uint32_t tries;
    uint32_t key_probes;
    uint32_t auth_requests;

    uint32_t keepalive_s;
    uint32_t keepalives;
    uint32_t stall_s;
    uint32_t cpu_percent;
    uint32_t cpu_window_s;
    uint32_t input_kib;
    uint32_t pending_kib;

    uint32_t rekey_mib;
    uint32_t rekey_s;

    uint32_t negotiation_ms;
    uint32_t replies;
    uint32_t discarded_bytes;
    uint32_t sign_in_bytes; /* from a client before it has signed in */

    bool is_api_for_guests;
    bool are_queries_for_guests;
};

/* The defaults, for who has no configuration. */
struct session_config session_config_default(void);

#endif
