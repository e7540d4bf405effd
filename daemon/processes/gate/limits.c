#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"

#include <string.h>

#define NET_BITS 48

struct limits_source limits_source_of_address(const struct sockaddr_storage *address)
{
    struct limits_source source = {{0}};
    if (ip_net_read_address((const struct sockaddr *)address, sizeof(*address), source.bytes) &&
        !ip_net_is_ipv4(source.bytes) && !limits_source_is_loopback(&source)) {
        memset(source.bytes + 8, 0, 8);
    }
    return source;
}

bool limits_source_is_equal(const struct limits_source *a, const struct limits_source *b)
{
    return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

bool limits_source_is_loopback(const struct limits_source *source)
{
    if (ip_net_is_ipv4(source->bytes)) {
        return source->bytes[IP_NET_IPV4_BITS / 8] == 127;
    }
    return memcmp(source->bytes, &in6addr_loopback, sizeof(source->bytes)) == 0;
}

bool limits_source_to_net(const struct limits_source *source, struct limits_source *net)
{
    if (ip_net_is_ipv4(source->bytes) || limits_source_is_loopback(source)) {
        return false;
    }
    *net = (struct limits_source){{0}};
    memcpy(net->bytes, source->bytes, NET_BITS / 8);
    net->bytes[15] = NET_BITS; /* this byte is 0 in every source, so a net never equals a source */
    return true;
}

int limits_refusal_percent(const struct config *config, int unauth_count)
{
    int start = (int)config->door_unauth_start;
    int full = (int)config->door_unauth_full;
    int percent = (int)config->door_unauth_percent;
    if (unauth_count < start) {
        return 0;
    }
    if (unauth_count >= full) {
        return 100;
    }
    return percent + (100 - percent) * (unauth_count - start) / (full - start);
}

enum limits_verdict limits_judge_connection(const struct config *config,
                                            const struct limits_counts *counts, uint32_t dice)
{
    if (counts->is_loopback && !config->door_limit_loopback) {
        return LIMITS_ADMIT;
    }
    if (counts->source_connections >= (int)config->door_source_connections) {
        return LIMITS_SOURCE_FULL;
    }
    if (counts->source_unauth >= (int)config->door_source_unauth) {
        return LIMITS_SOURCE_UNAUTH;
    }
    if (counts->net_connections >= (int)config->door_net_connections) {
        return LIMITS_NET_FULL;
    }
    if (counts->net_unauth >= (int)config->door_net_unauth) {
        return LIMITS_NET_UNAUTH;
    }
    /* dice / 2^32 < percent / 100, in whole numbers */
    uint64_t percent = (uint64_t)limits_refusal_percent(config, counts->unauth);
    return (uint64_t)dice * 100 < percent << 32 ? LIMITS_UNAUTH : LIMITS_ADMIT;
}

static int64_t penalty_for_offence_ms(const struct config *config, enum limits_offence offence)
{
    const uint32_t penalties_s[] = {
        [LIMITS_NO_OFFENCE] = 0,
        [LIMITS_NO_AUTH] = config->door_penalty_no_auth_s,
        [LIMITS_AUTH_FAILED] = config->door_penalty_auth_failed_s,
        [LIMITS_GRACE] = config->door_penalty_grace_s,
        [LIMITS_GREEDY] = config->door_penalty_crash_s,
        [LIMITS_CRASH] = config->door_penalty_crash_s,
    };
    return 1000 * (int64_t)penalties_s[offence];
}

static int64_t later_time_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Returns the time at which the history of the source no longer matters. */
static int64_t compute_expiry_ms(const struct limits_bucket *bucket)
{
    return later_time_of(bucket->full_at_ms, bucket->penalty_until_ms);
}

/* Returns the bucket of the source. If the source has none, empties and returns the bucket whose
 * history expires first. */
static struct limits_bucket *find_or_replace_bucket(struct limits_rate *rate,
                                                    const struct limits_source *source)
{
    struct limits_bucket *oldest = &rate->buckets[0];
    for (size_t i = 0; i < LIMITS_RATE_SOURCES; i++) {
        struct limits_bucket *bucket = &rate->buckets[i];
        if (compute_expiry_ms(bucket) != 0 && limits_source_is_equal(&bucket->source, source)) {
            return bucket;
        }
        if (compute_expiry_ms(bucket) < compute_expiry_ms(oldest)) {
            oldest = bucket;
        }
    }
    *oldest = (struct limits_bucket){.source = *source};
    return oldest;
}

static bool is_exempt_from_limits(const struct config *config, const struct limits_source *source)
{
    return limits_source_is_loopback(source) && !config->door_limit_loopback;
}

static bool take_token(struct limits_bucket *bucket, uint32_t burst, uint32_t interval_ms,
                       int64_t now_ms)
{
    int64_t full_at = later_time_of(bucket->full_at_ms, now_ms) + interval_ms;
    if (full_at - now_ms > (int64_t)burst * interval_ms) {
        return false;
    }
    bucket->full_at_ms = full_at;
    return true;
}

/* True while penalties block the source. Expired penalties no longer count. */
static bool is_bucket_blocked(struct limits_bucket *bucket, int64_t now_ms)
{
    bucket->is_blocked = bucket->is_blocked && now_ms < bucket->penalty_until_ms;
    return bucket->is_blocked;
}

enum limits_verdict limits_take_token(struct limits_rate *rate, const struct config *config,
                                      const struct limits_source *source, int64_t now_ms)
{
    struct limits_source net;
    if (is_exempt_from_limits(config, source)) {
        return LIMITS_ADMIT;
    }
    struct limits_bucket *bucket = find_or_replace_bucket(rate, source);
    if (is_bucket_blocked(bucket, now_ms)) {
        return LIMITS_SOURCE_BLOCKED;
    }
    if (!take_token(bucket, config->door_source_burst, config->door_source_interval_ms, now_ms)) {
        return LIMITS_SOURCE_RATE;
    }
    if (!limits_source_to_net(source, &net)) {
        return LIMITS_ADMIT;
    }
    bucket = find_or_replace_bucket(rate, &net);
    if (is_bucket_blocked(bucket, now_ms)) {
        return LIMITS_NET_BLOCKED;
    }
    return take_token(bucket, config->door_net_burst, config->door_net_interval_ms, now_ms)
               ? LIMITS_ADMIT
               : LIMITS_NET_RATE;
}

/* Adds a penalty to the bucket of a source or net, which is blocked once its penalties reach
 * `block_threshold_ms` in total. Returns the total. */
static int64_t add_bucket_penalty(struct limits_bucket *bucket, const struct config *config,
                                  enum limits_offence offence, int64_t block_threshold_ms,
                                  int64_t now_ms)
{
    bool is_forgiven = offence == LIMITS_CRASH && bucket->penalty_until_ms <= now_ms;
    int64_t until =
        later_time_of(bucket->penalty_until_ms, now_ms) + penalty_for_offence_ms(config, offence);
    int64_t latest = now_ms + 1000 * (int64_t)config->door_penalty_max_s;
    bucket->penalty_until_ms = until > latest ? latest : until;
    if (!is_forgiven && bucket->penalty_until_ms - now_ms >= block_threshold_ms) {
        bucket->is_blocked = true;
    }
    return bucket->penalty_until_ms - now_ms;
}

int64_t limits_add_penalty(struct limits_rate *rate, const struct config *config,
                           const struct limits_source *source, enum limits_offence offence,
                           int64_t now_ms, bool *is_blocked)
{
    const int64_t block_threshold_ms = 1000 * (int64_t)config->door_penalty_from_s;
    struct limits_source net;
    *is_blocked = false;
    if (offence == LIMITS_NO_OFFENCE || is_exempt_from_limits(config, source)) {
        return 0;
    }
    struct limits_bucket *bucket = find_or_replace_bucket(rate, source);
    int64_t penalty = add_bucket_penalty(bucket, config, offence, block_threshold_ms, now_ms);
    *is_blocked = is_bucket_blocked(bucket, now_ms);
    if (limits_source_to_net(source, &net)) {
        (void)add_bucket_penalty(find_or_replace_bucket(rate, &net), config, offence,
                                 LIMITS_NET_PENALTIES * block_threshold_ms, now_ms);
    }
    return penalty;
}
