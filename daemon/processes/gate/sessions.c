#include "daemon/processes/gate/gate.h"

#include "daemon/session/session.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool gate_fork_session(const struct gate *gate, const struct gate_client *client,
                              struct sessions_entry *session);

#define NET_BITS 48

static bool limits_source_is_loopback(const struct limits_source *source)
{
    if (ip_net_is_ipv4(source->bytes)) {
        return source->bytes[IP_NET_IPV4_BITS / 8] == 127;
    }
    return memcmp(source->bytes, &in6addr_loopback, sizeof(source->bytes)) == 0;
}

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

static bool limits_source_is_equal(const struct limits_source *a, const struct limits_source *b)
{
    return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
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

/* Returns the percentage of new connections that are refused while so many have not signed in. */
static int limits_refusal_percent(const struct config *config, int unauth_count)
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

/* Returns the index of the banned network that contains the whole source; -1 if there is none. A
 * banned network smaller than a /64 contains no IPv6 source. */
static int banned_nets_find(const struct banned_nets *banned, const struct limits_source *source)
{
    return find_ip_net(banned->nets, banned->count, source->bytes);
}

static const struct {
    const char *word, *text;
} refusals[] = {
#define REFUSAL(name, word, text) [GATE_REFUSAL_##name] = {(word), (text)},
#include "daemon/processes/gate/refusals.def"
};

void gate_admit_refuse(struct gate *gate, int client_fd, const char *address,
                       enum gate_refusal refusal)
{
    int64_t now_ms = clock_steady_ms();
    const char *reason = refusals[refusal].word;
    const char *text = refusals[refusal].text;
    metrics_add(&gate->metrics, METRIC_connections_refused, reason, NULL, 1);
    gate->refused++;
    if (now_ms - gate->refusal_logged_ms >= 1000) {
        log_pairs(LOG_LEVEL_WARN, 0, "refuse",
                  LOG_PAIRS("address", address, "why", reason, "count", LOG_NUMBER(gate->refused)));
        gate->refusal_logged_ms = now_ms;
        gate->refused = 0;
    }
    ssize_t sent = send(client_fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL);
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

static enum gate_refusal judge_source(struct gate *gate, const struct limits_source *source)
{
    if (sessions_is_full(&gate->sessions)) {
        return GATE_REFUSAL_FULL;
    }
    if (has_sign_in_from_same_banned_net(gate, source)) {
        return GATE_REFUSAL_BANNED;
    }
    enum gate_refusal verdict =
        limits_take_token(gate->rate, &gate->config, source, clock_steady_ms());
    if (verdict != GATE_ADMIT || limits_is_exempt(&gate->config, source)) {
        return verdict;
    }
    struct limits_counts counts = sessions_count_from_source(&gate->sessions, source);
    return limits_judge_connection(&gate->config, &counts, randombytes_random());
}

void gate_admit_client(struct gate *gate, const struct gate_client *client)
{
    int64_t now_ms = clock_steady_ms();
    struct sessions_entry session = {
        .conn = gate->next_conn,
        .opened_ms = now_ms,
        .cpu.since_ms = now_ms,
        .is_telnet = client->is_telnet,
    };
    listen_write_address(&client->address, session.address);
    session.source = limits_source_of_address(session.address);
    enum gate_refusal verdict = judge_source(gate, &session.source);
    if (verdict == GATE_ADMIT && !gate_fork_session(gate, client, &session)) {
        log_failure("cannot start a session");
        gate_set_listening(gate, false);
        verdict = GATE_REFUSAL_NO_PROCESS;
    }
    if (verdict != GATE_ADMIT) {
        gate_admit_refuse(gate, client->socket, session.address, verdict);
        return;
    }
    gate->next_conn++;
    struct sessions_entry *added = sessions_add(&gate->sessions, &session);
    sessions_watch(gate, added);
    const char *transport = client->is_telnet ? "telnet" : "ssh";
    metrics_add(&gate->metrics, METRIC_connections, transport, NULL, 1);
    log_pairs(LOG_LEVEL_INFO, session.conn, "open",
              LOG_PAIRS("transport", transport, "address", session.address));
    gate_core_tell_of(gate, added);
}

void sessions_init(struct sessions *sessions, size_t max_count)
{
    *sessions = (struct sessions){
        .max = max_count,
        .entries = unforked_allocate(max_count * sizeof(*sessions->entries)),
        .by_conn = unforked_allocate(max_count * sizeof(*sessions->by_conn)),
        .by_net = unforked_allocate(max_count * sizeof(*sessions->by_net)),
    };
    crypto_shorthash_keygen(sessions->seed);
}

void sessions_clear(struct sessions *sessions)
{
    unforked_free(sessions->entries, sessions->max * sizeof(*sessions->entries));
    unforked_free(sessions->by_conn, sessions->max * sizeof(*sessions->by_conn));
    unforked_free(sessions->by_net, sessions->max * sizeof(*sessions->by_net));
    *sessions = (struct sessions){0};
}

bool sessions_is_full(const struct sessions *sessions)
{
    return (size_t)sessions->count >= sessions->max;
}

/* The numbers of connections are consecutive, so they spread evenly over the chains. */
static struct sessions_list *find_conn_chain(const struct sessions *sessions, int64_t conn)
{
    return &sessions->by_conn[(uint64_t)conn % sessions->max];
}

static struct sessions_list *find_net_chain(const struct sessions *sessions,
                                            const struct limits_source *source)
{
    struct limits_source net;
    uint64_t hash;
    if (!limits_source_to_net(source, &net)) {
        net = *source;
    }
    (void)crypto_shorthash((uint8_t *)&hash, net.bytes, sizeof(net.bytes), sessions->seed);
    return &sessions->by_net[hash % sessions->max];
}

static struct sessions_entry *take_free_place(struct sessions *sessions)
{
    struct sessions_entry *place = LIST_FIRST(&sessions->free);
    if (place != NULL) {
        LIST_REMOVE(place, of_conn);
        return place;
    }
    assert(sessions->used < sessions->max);
    return &sessions->entries[sessions->used++];
}

struct sessions_entry *sessions_add(struct sessions *sessions, const struct sessions_entry *session)
{
    struct sessions_entry *place = take_free_place(sessions);
    *place = *session;
    LIST_INSERT_HEAD(find_conn_chain(sessions, place->conn), place, of_conn);
    LIST_INSERT_HEAD(find_net_chain(sessions, &place->source), place, of_source);
    sessions->count++;
    sessions->without_process_fd += place->process_fd < 0 ? 1 : 0;
    if (place->signed_in_fd >= 0) {
        LIST_INSERT_HEAD(&sessions->unauth_list, place, of_unauth);
        sessions->unauth++;
    }
    return place;
}

struct sessions_entry *sessions_find_by_conn(struct sessions *sessions, int64_t conn)
{
    struct sessions_entry *session = LIST_FIRST(find_conn_chain(sessions, conn));
    while (session != NULL && session->conn != conn) {
        session = LIST_NEXT(session, of_conn);
    }
    return session;
}

/* Closes the gate's copies of the descriptors that the session's process uses. Does nothing at a
 * second call. */
static void sessions_close_child_ends(struct sessions_entry *session)
{
    for (size_t i = 0; session->has_child_ends && i < SESSIONS_CHILD_ENDS; i++) {
        fd_close(session->child_ends[i]);
    }
    session->has_child_ends = false;
}

static void stop_waiting(struct event *event)
{
    if (event_initialized(event)) {
        event_del(event);
    }
}

void sessions_mark_signed_in(struct sessions *sessions, struct sessions_entry *session)
{
    if (session->signed_in_fd >= 0) {
        stop_waiting(&session->sign_in);
        fd_close_and_reset(&session->signed_in_fd);
        LIST_REMOVE(session, of_unauth);
        sessions->unauth--;
    }
}

void sessions_remove(struct sessions *sessions, struct sessions_entry *session)
{
    struct event *const events[] = {&session->logged, &session->log_pause, &session->exited,
                                    &session->end};
    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        stop_waiting(events[i]);
    }
    sessions_mark_signed_in(sessions, session);
    sessions_close_child_ends(session);
    fd_close(session->core_end);
    fd_close(session->log_fd);
    LIST_REMOVE(session, of_conn);
    LIST_REMOVE(session, of_source);
    sessions->count--;
    sessions->without_process_fd -= session->process_fd < 0 ? 1 : 0;
    fd_close(session->process_fd);
    *session = (struct sessions_entry){0};
    LIST_INSERT_HEAD(&sessions->free, session, of_conn);
}

struct limits_counts sessions_count_from_source(const struct sessions *sessions,
                                                const struct limits_source *source)
{
    struct limits_source net, other_net;
    struct limits_counts counts = {.unauth = sessions->unauth};
    bool has_net = limits_source_to_net(source, &net);
    const struct sessions_entry *session = NULL;
    LIST_FOREACH(session, find_net_chain(sessions, source), of_source)
    {
        int unauth = session->signed_in_fd >= 0 ? 1 : 0;
        if (limits_source_is_equal(&session->source, source)) {
            counts.source_connections++;
            counts.source_unauth += unauth;
        }
        if (has_net && limits_source_to_net(&session->source, &other_net) &&
            limits_source_is_equal(&other_net, &net)) {
            counts.net_connections++;
            counts.net_unauth += unauth;
        }
    }
    return counts;
}

/* time for an ended session to say goodbye before its process is killed */
#define END_MS 3000

/* log lines that the pipe can hold until the gate reads them; each takes a page of memory */
#define WAITING_LINES 8
#define PAGE_BYTES 4096

/* Makes the pipe of a new session. The first end is for reading, the second for writing. Returns
 * false with errno. */
static bool make_log_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK | O_DIRECT) != 0) {
        return false;
    }
    if (fcntl(ends[1], F_SETPIPE_SZ, WAITING_LINES * PAGE_BYTES) < 0 && errno != EPERM) {
        /* EPERM: the user has many pipes, so a new one is small anyway */
        fd_close_pair(ends);
        return false;
    }
    return true;
}

static void log_session_line(const struct sessions_entry *session, char *text, size_t len)
{
    static const char *const events[] = {"key-exchange", "note", NULL};
    size_t line_len = len > 0 && text[len - 1] == '\n' ? len - 1 : len;
    text[line_len] = '\0';
    if (strlen(text) != line_len || !log_relay_line("session", session->conn, text, events)) {
        log_event(LOG_LEVEL_WARN, session->conn, "the session said: %s", text);
    }
}

/* Reads and logs one line of the session. Returns false if no line is waiting. */
static bool log_next_session_line(const struct sessions_entry *session)
{
    char text[PAGE_BYTES + 1];
    ssize_t got = read(session->log_fd, text, PAGE_BYTES);
    if (got > 0) {
        log_session_line(session, text, (size_t)got);
    }
    return got > 0;
}

static void pause_log(struct sessions_entry *session, int64_t pause_ms)
{
    if (!session->is_log_paced) {
        log_event(LOG_LEVEL_WARN, session->conn,
                  "the session logs too much: from now on one line every %d s is kept",
                  GATE_LOG_EVERY_MS / 1000);
    }
    session->is_log_paced = true;
    event_del(&session->logged);
    loop_begin_ms(&session->log_pause, pause_ms);
}

/* Each line takes a token from a bucket, as a connection does (take_token). */
static void relay_lines(UNUSED evutil_socket_t fd, UNUSED short what, void *context)
{
    struct sessions_entry *session = context;
    int64_t now_ms = clock_steady_ms();
    int64_t pause_ms = 0;
    while (pause_ms <= 0 && log_next_session_line(session)) {
        session->log_full_at_ms =
            later_time_of(session->log_full_at_ms, now_ms) + GATE_LOG_EVERY_MS;
        pause_ms =
            session->log_full_at_ms - now_ms - (int64_t)(GATE_LOG_BURST - 1) * GATE_LOG_EVERY_MS;
    }
    if (pause_ms > 0) {
        pause_log(session, pause_ms);
    }
}

static void resume_log(UNUSED evutil_socket_t fd, UNUSED short what, void *context)
{
    struct sessions_entry *session = context;
    loop_begin(&session->logged);
}

/* Logs the remaining lines of a session that has ended. */
static void relay_last_lines(const struct sessions_entry *session)
{
    for (int i = 0; i < WAITING_LINES && session->log_fd >= 0 && log_next_session_line(session);
         i++) {
    }
}

/* Reads whether the session's process has separated its descriptors, or somebody has signed in to
 * the session. End of file means that nobody will sign in. */
static void read_sign_in(UNUSED evutil_socket_t fd, UNUSED short what, void *context)
{
    struct sessions_entry *session = context;
    char byte;
    ssize_t got = read(session->signed_in_fd, &byte, 1);
    if (got == 1 && session->awaits_separation && byte == SEPARATION_DONE) {
        session->awaits_separation = false;
        sessions_close_child_ends(session);
    } else if (got == 1) {
        sessions_mark_signed_in(&session->gate->sessions, session);
    } else if (got == 0) {
        event_del(&session->sign_in); /* the end of the process follows */
    }
}

/* Kills a session that the house has ended, if its process has not exited in time, until it is
 * reaped. */
static void kill_overdue_session(UNUSED evutil_socket_t fd, UNUSED short what, void *context)
{
    struct sessions_entry *session = context;
    kill(session->pid, SIGKILL);
    loop_begin_ms(&session->end, END_MS);
}

void sessions_drop(struct sessions_entry *session, bool has_ended)
{
    fd_close_and_reset(&session->core_end);
    if (has_ended && session->end_by_ms == 0) {
        session->end_by_ms = clock_steady_ms() + END_MS;
        loop_begin_ms(&session->end, END_MS);
    }
}

/* How a session has ended: its reason in the log, and what its client did wrong. */
struct session_end {
    const char *reason;
    enum limits_offence offence;
    bool is_signal; /* it died of a signal, but not because the house had ended it */
};

static struct session_end find_end(const struct sessions_entry *session, int status)
{
    static const struct session_end ended = {"ended", LIMITS_NO_OFFENCE, false};
    static const struct session_end unknown = {"unknown", LIMITS_NO_OFFENCE, false};
    static const struct session_end watchdog = {"watchdog", LIMITS_GREEDY, true};
    static const struct session_end crash = {"signal", LIMITS_CRASH, true};
    static const struct session_end exits[] = {
        [SESSION_ENDED] = {"left", LIMITS_NO_OFFENCE, false},
        [SESSION_FAILED] = {"house-failed", LIMITS_NO_OFFENCE, false},
        [SESSION_NO_AUTH] = {"no-sign-in", LIMITS_NO_AUTH, false},
        [SESSION_AUTH_FAILED] = {"sign-in-failed", LIMITS_AUTH_FAILED, false},
        [SESSION_GRACE] = {"sign-in-too-slow", LIMITS_GRACE, false},
        [SESSION_SILENT] = {"silent", LIMITS_NO_OFFENCE, false},
        [SESSION_STALLED] = {"stalled", LIMITS_NO_OFFENCE, false},
        [SESSION_GREEDY] = {"greedy", LIMITS_GREEDY, false},
    };
    if (WIFSIGNALED(status) && session->end_by_ms != 0 && WTERMSIG(status) == SIGKILL) {
        return ended; /* the gate has killed the process, because it did not exit in time */
    }
    if (WIFSIGNALED(status)) {
        return session->cpu.is_over_limit || WTERMSIG(status) == SIGPROF ? watchdog : crash;
    }
    size_t exit_status = (size_t)WEXITSTATUS(status);
    return exit_status < ARRAY_LEN(exits) ? exits[exit_status] : unknown;
}

static void log_session_end(const struct sessions_entry *session, const struct session_end *end,
                            int status)
{
    log_pairs(end->is_signal ? LOG_LEVEL_WARN : LOG_LEVEL_INFO, session->conn, "end",
              LOG_PAIRS("reason", end->reason, "seconds",
                        LOG_NUMBER((clock_steady_ms() - session->opened_ms) / 1000), "address",
                        session->address, end->is_signal ? "signal" : NULL,
                        LOG_NUMBER(WTERMSIG(status))));
}

static void add_penalty_to_source(struct gate *gate, const struct sessions_entry *session,
                                  enum limits_offence offence)
{
    bool is_blocked;
    int64_t penalty_ms = limits_add_penalty(gate->rate, &gate->config, &session->source, offence,
                                            clock_steady_ms(), &is_blocked);
    if (penalty_ms > 0) {
        log_pairs(is_blocked ? LOG_LEVEL_WARN : LOG_LEVEL_INFO, session->conn, "penalty",
                  LOG_PAIRS("address", session->address, "seconds",
                            LOG_NUMBER((penalty_ms + 999) / 1000), "barred",
                            is_blocked ? "yes" : "no"));
    }
}

/* Call this when a session has died of a signal: nobody enters until the gate is renewed. */
static void gate_renew_request(struct gate *gate)
{
    if (gate->is_renewable && !gate->is_stopping) {
        gate->is_suspect = true;
        gate_set_listening(gate, false);
    }
}

static void handle_exit(struct gate *gate, struct sessions_entry *session, int status)
{
    const struct session_end end = find_end(session, status);
    relay_last_lines(session);
    log_session_end(session, &end, status);
    if (end.is_signal) {
        gate_renew_request(gate);
    }
    add_penalty_to_source(gate, session, end.offence);
    sessions_remove(&gate->sessions, session);
}

static void reap_session_if_exited(struct gate *gate, struct sessions_entry *session)
{
    int status;
    if (waitpid(session->pid, &status, WNOHANG) == session->pid) {
        handle_exit(gate, session, status);
    }
}

static void reap_session(UNUSED evutil_socket_t fd, UNUSED short what, void *context)
{
    struct sessions_entry *session = context;
    reap_session_if_exited(session->gate, session);
}

void sessions_reap_unwatched(struct gate *gate)
{
    struct sessions_entry *session;
    if (gate->sessions.without_process_fd == 0) {
        return;
    }
    SESSIONS_EACH(session, &gate->sessions) {
        if (session->process_fd < 0) {
            reap_session_if_exited(gate, session);
        }
    }
}

static void watch_exit(struct gate *gate, struct sessions_entry *session)
{
    if (session->process_fd < 0) {
        int process_fd = fd_open_process(session->pid);
        if (process_fd < 0) {
            return;
        }
        session->process_fd = separation_keep_from_children(process_fd);
        gate->sessions.without_process_fd--;
    }
    gate_watch(gate, &session->exited, session->process_fd, EV_READ | EV_PERSIST, reap_session,
               session);
    event_priority_set(&session->exited,
                       0); /* after a crash, nobody may enter before the renewal */
}

void sessions_watch(struct gate *gate, struct sessions_entry *session)
{
    session->gate = gate;
    watch_exit(gate, session);
    if (session->signed_in_fd >= 0) {
        gate_watch(gate, &session->sign_in, session->signed_in_fd, EV_READ | EV_PERSIST,
                   read_sign_in, session);
    }
    if (session->log_fd >= 0) {
        gate_watch(gate, &session->logged, session->log_fd, EV_READ | EV_PERSIST, relay_lines,
                   session);
        evtimer_assign(&session->log_pause, gate->base, resume_log, session);
    }
    evtimer_assign(&session->end, gate->base, kill_overdue_session, session);
    if (session->end_by_ms != 0) {
        loop_begin_ms(&session->end, END_MS);
    }
}

#define NICE 5

/* Starts a process with a copy of this one's memory, as fork(2) does. With shares_descriptors it
 * shares the table of descriptors. Sets *process_fd (pidfd_open(2)) in the parent; -1 if the system
 * offers only fork(2). */
static pid_t start_process(bool shares_descriptors, int *process_fd)
{
    const struct clone_args args = {
        .flags = CLONE_PIDFD | (shares_descriptors ? CLONE_FILES : 0),
        .pidfd = (uint64_t)(uintptr_t)process_fd,
        .exit_signal = SIGCHLD,
    };
    return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

/* True if a process that copies only the descriptors below SEPARATION_FDS gets all of these. */
static bool are_copied_to_children(const int ends[SESSIONS_CHILD_ENDS])
{
    for (size_t i = 0; i < SESSIONS_CHILD_ENDS; i++) {
        if (ends[i] >= SEPARATION_FDS) {
            return false;
        }
    }
    return true;
}

/* Forks the session; does not return in the child. In the parent, the session takes over its
 * child_ends, unless the result is negative. */
static pid_t fork_session(const struct session_setup *setup, struct sessions_entry *session)
{
    bool shares_descriptors = are_copied_to_children(session->child_ends);
    session->has_child_ends = true;
    session->awaits_separation = true;
    session->process_fd = -1;
    session->pid = start_process(shares_descriptors, &session->process_fd);
    if (session->pid < 0 && (errno == ENOSYS || errno == EPERM)) {
        shares_descriptors = false;
        session->pid = fork(); /* a container may forbid clone3(2) */
    }
    if (session->pid == 0) {
        /* what people draw and ask of it comes after the core, on which everybody waits */
        lower_priority(NICE, "a session cannot lower its priority");
        session_run(setup);
    }
    if (session->pid > 0 && !shares_descriptors) {
        sessions_close_child_ends(session);
    }
    return session->pid;
}

static bool make_signed_in_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return false;
    }
    (void)fcntl(ends[1], F_SETPIPE_SZ,
                PAGE_BYTES); /* two bytes go through it; it may stay larger */
    return true;
}

static void keep_descriptors_from_children(struct sessions_entry *session)
{
    int *const descriptors[] = {&session->core_end, &session->signed_in_fd, &session->log_fd,
                                &session->process_fd};
    for (size_t i = 0; i < ARRAY_LEN(descriptors); i++) {
        if (*descriptors[i] >= 0) {
            *descriptors[i] = separation_keep_from_children(*descriptors[i]);
        }
    }
}

/* Makes the session's sockets and starts its process. Fills in the session's process id and
 * descriptors, and takes over the client's socket. Returns false with errno; then the caller keeps
 * the socket. */
static bool gate_fork_session(const struct gate *gate, const struct gate_client *client,
                              struct sessions_entry *session)
{
    int core_ends[2], signed_in[2] = {-1, -1}, log[2];
    if (packet_make_socket_pair(core_ends) != 0) {
        return false;
    }
    if (!make_signed_in_pipe(signed_in) || !make_log_pipe(log)) {
        fd_close_pair(signed_in);
        fd_close_pair(core_ends);
        return false;
    }
    const struct session_setup setup = {
        .is_telnet = client->is_telnet,
        .is_encrypted = client->is_encrypted,
        .host = gate->host,
        .warm = gate->warm,
        .confinement = gate->confinement,
        .config = &gate->config,
        .command_line = gate->command_line,
        .peer_socket = client->socket,
        .core_socket = core_ends[1],
        .signed_in_fd = signed_in[1],
        .log_fd = log[1],
        .conn = session->conn,
    };
    const int child_ends[] = {client->socket, core_ends[1], signed_in[1], log[1]};
    for (size_t i = 0; i < SESSIONS_CHILD_ENDS; i++) {
        session->child_ends[i] = child_ends[i];
    }
    session->core_end = core_ends[0];
    session->signed_in_fd = signed_in[0];
    session->log_fd = log[0];
    if (fork_session(&setup, session) < 0) {
        fd_close_pair(core_ends);
        fd_close_pair(signed_in);
        fd_close_pair(log);
        return false;
    }
    keep_descriptors_from_children(session);
    if (gate->core.is_waiting) {
        house_away_tell(session->core_end, HOUSE_WAITS);
    }
    return true;
}

/* Returns the processor time that a process has used; 0 if the process is gone. */
static int64_t read_cpu_time_ms(pid_t pid)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) {
        return 0;
    }
    return (int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

/* Returns how much processor time a session may use within a window of time: 1.5 times what the
 * session's own watchdog allows, because the watchdog's windows begin at other times. */
static int64_t compute_cpu_limit_per_window_ms(const struct gate *gate)
{
    int64_t percent = gate->config.connection_cpu_percent;
    if (percent < WATCHDOG_TYPED_PERCENT) {
        percent = WATCHDOG_TYPED_PERCENT;
    }
    return (int64_t)gate->config.connection_cpu_window_s * 10 * percent * 3 / 2;
}

static bool has_exceeded_cpu_limit(const struct gate *gate, struct sessions_entry *session,
                                   int64_t now_ms)
{
    int64_t now_used_ms = read_cpu_time_ms(session->pid);
    if (session->signed_in_fd >= 0) {
        return now_used_ms > GATE_CPU_SIGN_IN_MS;
    }
    bool is_over = session->cpu.since_ms != 0 &&
                   now_used_ms - session->cpu.before_ms > compute_cpu_limit_per_window_ms(gate);
    if (session->cpu.since_ms == 0 ||
        now_ms - session->cpu.since_ms >= (int64_t)gate->config.connection_cpu_window_s * 1000) {
        session->cpu.since_ms = now_ms;
        session->cpu.before_ms = now_used_ms;
    }
    return is_over;
}

static void measure_session(const struct gate *gate, struct sessions_entry *session, int64_t now_ms)
{
    if (has_exceeded_cpu_limit(gate, session, now_ms)) {
        session->cpu.is_over_limit = true;
        kill(session->pid, SIGKILL);
    }
}

void gate_cpu_measure_sessions(struct gate *gate, int64_t now_ms)
{
    struct sessions_entry *session;
    bool are_all_due = now_ms - gate->cpu_all_measured_ms >= GATE_CPU_MEASURE_MS;
    gate->cpu_all_measured_ms = are_all_due ? now_ms : gate->cpu_all_measured_ms;
    SESSIONS_EACH(session, &gate->sessions) {
        if (are_all_due || session->signed_in_fd >= 0) {
            measure_session(gate, session, now_ms);
        }
    }
}
