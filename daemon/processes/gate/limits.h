#pragma once

#include "games/macros.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Decides which connections to admit: pure arithmetic on the gate's counts.
 *
 * A source is an IPv4 address or the first 64 bits of an IPv6 address. A net is the first 48 bits
 * of an IPv6 address. A net's owner has 65,536 sources, so the limits of nets are looser. The
 * limits are the settings [door] unauth_start to penalty_max_s.
 */
struct config;

/* The address of a source as 128 bits: ::ffff:a.b.c.d for IPv4; for IPv6 the last 64 bits are
 * zero. */
struct limits_source {
    uint8_t bytes[16];
};

/* Returns the source that an address belongs to. An IPv4 address mapped into IPv6 counts as
 * IPv4. */
struct limits_source limits_source_of_address(const struct sockaddr_storage *address);

/* Converts an IPv6 source (a /64) to its net (a /48). The bytes of a net never equal those of a
 * source. Returns false for an IPv4 source or loopback. */
bool limits_source_to_net(const struct limits_source *source, struct limits_source *net) MUST_CHECK;

bool limits_source_is_equal(const struct limits_source *a, const struct limits_source *b);
bool limits_source_is_loopback(const struct limits_source *source);

/* The numbers of existing connections when a new one arrives. */
struct limits_counts {
    int unauth;                            /* connections that have not signed in, from anywhere */
    int source_connections, source_unauth; /* connections from the same source */
    int net_connections, net_unauth;       /* connections from the same /48 */
    bool is_loopback;
};

enum limits_verdict {
    LIMITS_ADMIT = 0,
    LIMITS_UNAUTH, /* so many connections have not signed in that some new ones are refused at
                      random */
    LIMITS_SOURCE_UNAUTH, /* too many connections of this source have not signed in */
    LIMITS_SOURCE_FULL,
    LIMITS_NET_UNAUTH, /* too many connections of this /48 have not signed in */
    LIMITS_NET_FULL,
    LIMITS_SOURCE_RATE, /* too many new connections in a short time; this result and those below it
                           come only from limits_take_token */
    LIMITS_SOURCE_BLOCKED,
    LIMITS_NET_RATE,
    LIMITS_NET_BLOCKED,
};

/* Judges a new connection by the numbers of existing ones. `dice` is a random number, uniform from
 * 0 to UINT32_MAX. */
enum limits_verdict limits_judge_connection(const struct config *config,
                                            const struct limits_counts *counts, uint32_t dice);

/* Returns the percentage of new connections that are refused while `unauth_count` connections have
 * not signed in. */
int limits_refusal_percent(const struct config *config, int unauth_count);

/* What a connection did wrong, as the exit status of its session says. */
enum limits_offence {
    LIMITS_NO_OFFENCE = 0,
    LIMITS_NO_AUTH, /* the client left without trying to sign in; the penalty is 1 s by default */
    LIMITS_AUTH_FAILED,
    LIMITS_GRACE,  /* the client did not sign in in time; the penalty is 10 s by default */
    LIMITS_GREEDY, /* the session used too much CPU time; the penalty is 90 s by default */
    LIMITS_CRASH,  /* the session died of a signal, with the same penalty; it blocks only a source
                      that has a penalty already, because the fault is the house's own */
};

/*
 * What the gate remembers of each source, in a small table of fixed size: a bucket of tokens for
 * new connections, and penalties. Penalties add up. From 15 s on they block a source, for 10
 * minutes at most (sshd_config(5), PerSourcePenalties). The penalties of an IPv6 /48 add up too. If
 * the table is full, the source that has been quiet the longest is forgotten. Loopback addresses
 * need no tokens and get no penalties, unless limit_loopback is set.
 */
enum {
    LIMITS_RATE_SOURCES = 1024,
    LIMITS_NET_PENALTIES = 4
};

struct limits_rate {
    struct limits_bucket {
        struct limits_source source;
        int64_t full_at_ms; /* when the bucket of tokens is full again; 0: the entry is unused */
        int64_t penalty_until_ms; /* when the penalties end; 0: none */
        bool is_blocked;          /* the penalties block the source until they end */
    } buckets[LIMITS_RATE_SOURCES];
};

/* Takes a token from the source and a token from its /48. Returns LIMITS_ADMIT,
 * LIMITS_SOURCE_RATE, LIMITS_SOURCE_BLOCKED, LIMITS_NET_RATE or LIMITS_NET_BLOCKED. now_ms is
 * monotonic and positive. */
enum limits_verdict limits_take_token(struct limits_rate *rate, const struct config *config,
                                      const struct limits_source *source, int64_t now_ms);

/* Adds the penalty for the offence. Returns the total of the source's penalties in ms; 0 for
 * LIMITS_NO_OFFENCE. The penalties block the source only if the total is at least
 * door_penalty_from_s; *is_blocked says whether they do. */
int64_t limits_add_penalty(struct limits_rate *rate, const struct config *config,
                           const struct limits_source *source, enum limits_offence offence,
                           int64_t now_ms, bool *is_blocked);
