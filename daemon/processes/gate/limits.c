#include "daemon/processes/gate/gate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NET_BITS 48

struct limits_source limits_source_of_address(const char *address)
{
    struct limits_source source = {{0}};
    struct ip_net net;
    if (ip_net_parse(address, &net)) {
        memcpy(source.bytes, net.bytes, sizeof(source.bytes));
    }
    if (!ip_net_is_ipv4(source.bytes) && !limits_source_is_loopback(&source)) {
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

enum gate_refusal limits_judge_connection(const struct config *config,
                                          const struct limits_counts *counts, uint32_t dice)
{
    if (counts->source_connections >= (int)config->door_source_connections) {
        return GATE_REFUSAL_SOURCE_FULL;
    }
    if (counts->source_unauth >= (int)config->door_source_unauth) {
        return GATE_REFUSAL_SOURCE_UNAUTH;
    }
    if (counts->net_connections >= (int)config->door_net_connections) {
        return GATE_REFUSAL_NET_FULL;
    }
    if (counts->net_unauth >= (int)config->door_net_unauth) {
        return GATE_REFUSAL_NET_UNAUTH;
    }
    /* dice / 2^32 < percent / 100, in whole numbers */
    uint64_t percent = (uint64_t)limits_refusal_percent(config, counts->unauth);
    return (uint64_t)dice * 100 < percent << 32 ? GATE_REFUSAL_UNAUTH : GATE_ADMIT;
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

bool limits_is_exempt(const struct config *config, const struct limits_source *source)
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

enum gate_refusal limits_take_token(struct limits_rate *rate, const struct config *config,
                                    const struct limits_source *source, int64_t now_ms)
{
    struct limits_source net;
    if (limits_is_exempt(config, source)) {
        return GATE_ADMIT;
    }
    struct limits_bucket *bucket = find_or_replace_bucket(rate, source);
    if (is_bucket_blocked(bucket, now_ms)) {
        return GATE_REFUSAL_SOURCE_BLOCKED;
    }
    if (!take_token(bucket, config->door_source_burst, config->door_source_interval_ms, now_ms)) {
        return GATE_REFUSAL_SOURCE_RATE;
    }
    if (!limits_source_to_net(source, &net)) {
        return GATE_ADMIT;
    }
    bucket = find_or_replace_bucket(rate, &net);
    if (is_bucket_blocked(bucket, now_ms)) {
        return GATE_REFUSAL_NET_BLOCKED;
    }
    return take_token(bucket, config->door_net_burst, config->door_net_interval_ms, now_ms)
               ? GATE_ADMIT
               : GATE_REFUSAL_NET_RATE;
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
    if (offence == LIMITS_NO_OFFENCE || limits_is_exempt(config, source)) {
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

void banned_nets_replace_from_message(struct banned_nets *banned, const json_t *message)
{
    banned->count = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(message, "nets")); i++) {
        json_t *text = json_array_get(json_object_get(message, "nets"), i);
        const char *net = json_string_value(text);
        if (net != NULL && banned->count < BANNED_NETS_MAX &&
            ip_net_parse(net, &banned->nets[banned->count])) {
            banned->count++;
        }
    }
}

int banned_nets_find(const struct banned_nets *banned, const struct limits_source *source)
{
    for (size_t i = 0; i < banned->count; i++) {
        if (ip_net_contains(&banned->nets[i], source->bytes)) {
            return (int)i;
        }
    }
    return -1;
}

static enum gate_refusal decide_admission_of_source(struct gate *gate,
                                                    const struct limits_source *source)
{
    enum gate_refusal verdict =
        limits_take_token(gate->rate, &gate->config, source, clock_steady_ms());
    if (verdict != GATE_ADMIT || limits_is_exempt(&gate->config, source)) {
        return verdict;
    }
    struct limits_counts counts = sessions_count_from_source(&gate->sessions, source);
    return limits_judge_connection(&gate->config, &counts, randombytes_random());
}

const char *gate_refusal_word(enum gate_refusal refusal)
{
    static const char *const words[] = {
#define REFUSAL(name, word) [GATE_REFUSAL_##name] = (word),
#include "daemon/processes/gate/refusals.def"
    };
    return words[refusal];
}

void gate_admit_refuse(struct gate *gate, int client_fd, const char *address,
                       enum gate_refusal refusal, const char *text_for_client)
{
    int64_t now_ms = clock_steady_ms();
    const char *reason = gate_refusal_word(refusal);
    metrics_add(&gate->metrics, METRIC_connections_refused, reason, NULL, 1);
    gate->refused++;
    if (now_ms - gate->refusal_logged_ms >= 1000) {
        log_pairs(LOG_LEVEL_WARN, 0, "refuse",
                  LOG_PAIRS("address", address, "why", reason, "count", LOG_NUMBER(gate->refused)));
        gate->refusal_logged_ms = now_ms;
        gate->refused = 0;
    }
    ssize_t sent =
        send(client_fd, text_for_client, strlen(text_for_client), MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)sent; /* the text is a courtesy: if it cannot be sent, the connection is refused without
                   it */
    close(client_fd);
}

/* True if another connection from the source's banned network is already signing in. */
static bool has_sign_in_from_same_banned_net(const struct gate *gate,
                                             const struct limits_source *source)
{
    int net = banned_nets_find(&gate->core.banned, source);
    const struct sessions_entry *session;
    if (net < 0) {
        return false;
    }
    LIST_FOREACH(session, &gate->sessions.unauth_list, of_unauth)
    {
        if (banned_nets_find(&gate->core.banned, &session->source) == net) {
            return true;
        }
    }
    return false;
}

void gate_admit_client(struct gate *gate, const struct gate_client *client)
{
    int64_t now_ms = clock_steady_ms();
    struct sessions_entry session = {
        .conn = gate->next_conn,
        .opened_ms = now_ms,
        .log.since_ms = now_ms,
        .cpu.since_ms = now_ms,
        .is_telnet = client->is_telnet,
    };
    listen_write_address(&client->address, session.address);
    session.source = limits_source_of_address(session.address);

    if (sessions_is_full(&gate->sessions)) {
        gate_admit_refuse(gate, client->socket, session.address, GATE_REFUSAL_FULL,
                          "Trickhouse is full, please come back later.\r\n");
        return;
    }
    if (has_sign_in_from_same_banned_net(gate, &session.source)) {
        gate_admit_refuse(gate, client->socket, session.address, GATE_REFUSAL_BANNED,
                          "Your network is banned here. Only one person at a time may sign in or "
                          "appeal: please wait.\r\n");
        return;
    }
    enum gate_refusal verdict = decide_admission_of_source(gate, &session.source);
    if (verdict != GATE_ADMIT) {
        gate_admit_refuse(gate, client->socket, session.address, verdict,
                          "Too many connections, please wait a moment.\r\n");
        return;
    }
    if (!gate_fork_session(gate, client, &session)) {
        log_failure("cannot start a session");
        gate_admit_refuse(gate, client->socket, session.address, GATE_REFUSAL_NO_PROCESS,
                          "Trickhouse is out of resources, please come back later.\r\n");
        gate_set_listening(gate, false);
        return;
    }
    gate->next_conn++;
    struct sessions_entry *added = sessions_add(&gate->sessions, &session);
    (void)gate_watch_session(gate, added); /* gate_watch_descriptor has logged the error */
    const char *transport = client->is_telnet ? "telnet" : "ssh";
    metrics_add(&gate->metrics, METRIC_connections, transport, NULL, 1);
    log_pairs(LOG_LEVEL_INFO, session.conn, "open",
              LOG_PAIRS("transport", transport, "address", session.address));
}
