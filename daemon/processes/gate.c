#include "daemon/processes/gate.h"

#include "daemon/base/clock.h"
#include "daemon/base/log.h"
#include "daemon/base/packet.h"
#include "daemon/base/process_name.h"
#include "daemon/processes/gate_core.h"
#include "daemon/processes/limits.h"
#include "daemon/processes/listen.h"
#include "daemon/processes/sessions.h"
#include "daemon/session/session.h"
#include "daemon/session/sshd_host.h"
#include "daemon/session/warm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ACCEPTS_A_TURN = 16, /* signals and the core get their turn in a flood */
    EVENTS_A_TURN = 64,
    PAUSE_MS = 1000, /* without descriptors or memory, accepting waits so long */
    STOP_TIMEOUT_MS = 2000,
    SPARE_DESCRIPTORS = 64,
};

/* What an epoll event is about: one of these, or from WATCH_SESSION on the index of a session. */
enum {
    WATCH_SIGNALS = 0,
    WATCH_CORE,
    WATCH_LISTEN,
    WATCH_SESSION
};

struct gate {
    struct sshd_host *host;
    struct limits_config limits;
    struct limits_rate *rate;
    struct sessions sessions;
    struct gate_core core;
    int64_t next_conn;
    int epoll, signals;
    int listeners[LISTEN_SOCKETS_MAX];
    size_t listener_count;
    int64_t paused_until_ms; /* 0: listening */
    bool is_stopping;
};

static bool watch(const struct gate *gate, int fd, uint32_t events, uint64_t what, int operation)
{
    struct epoll_event event = {.events = events, .data.u64 = what};
    if (epoll_ctl(gate->epoll, operation, fd, &event) == 0) {
        return true;
    }
    log_event(LOG_LEVEL_ERROR, 0, "cannot watch a descriptor: %s", strerror(errno));
    return false;
}

/* Listening, or not for a while. */
static void set_listening(struct gate *gate, bool is_listening)
{
    for (size_t i = 0; i < gate->listener_count; i++) {
        watch(gate, gate->listeners[i], is_listening ? EPOLLIN : 0, WATCH_LISTEN, EPOLL_CTL_MOD);
    }
    gate->paused_until_ms = is_listening ? 0 : clock_steady_ms() + PAUSE_MS;
}

static void tell_core(struct gate *gate, enum gate_core_result result)
{
    if (result == GATE_CORE_GONE) {
        log_event(LOG_LEVEL_ERROR, 0, "there is no core any more");
        gate->is_stopping = true;
        epoll_ctl(gate->epoll, EPOLL_CTL_DEL, gate->core.socket, NULL); /* it stays at its end */
        return;
    }
    uint32_t events = gate->core.has_more ? EPOLLIN | EPOLLOUT : EPOLLIN;
    watch(gate, gate->core.socket, events, WATCH_CORE, EPOLL_CTL_MOD);
}

/* In the child this does not return. Closes the child's ends in any case. */
static pid_t fork_session(const struct session_setup *setup)
{
    pid_t pid = fork();
    if (pid == 0) {
        session_run(setup);
    }
    int error = errno;
    close(setup->core_socket);
    close(setup->signed_in_fd);
    errno = error;
    return pid;
}

/* Makes the session's sockets and its process; false when the machine has none left. */
static bool start_session(struct gate *gate, int peer, struct sessions_entry *entry)
{
    int core_ends[2], signed_in[2];
    if (packet_pair(core_ends) != 0) {
        return false;
    }
    if (pipe2(signed_in, O_CLOEXEC | O_NONBLOCK) != 0) {
        close(core_ends[0]);
        close(core_ends[1]);
        return false;
    }
    const struct session_setup setup = {
        .host = gate->host,
        .peer_socket = peer,
        .core_socket = core_ends[1],
        .signed_in_fd = signed_in[1],
        .conn = entry->conn,
    };
    entry->core_end = core_ends[0];
    entry->signed_in_fd = signed_in[0];
    entry->pid = fork_session(&setup);
    if (entry->pid < 0) {
        close(core_ends[0]);
        close(signed_in[0]);
        return false;
    }
    return true;
}

static uint32_t roll_dice(void)
{
    uint32_t dice = 0;
    if (getrandom(&dice, sizeof(dice), GRND_NONBLOCK) != (ssize_t)sizeof(dice)) {
        dice = 0; /* without randomness the drop is sure, and only above its threshold */
    }
    return dice;
}

static enum limits_verdict judge(struct gate *gate, const struct limits_source *source)
{
    enum limits_verdict verdict =
        limits_rate_take(gate->rate, &gate->limits, source, clock_steady_ms());
    if (verdict != LIMITS_ADMIT) {
        return verdict;
    }
    struct limits_counts counts = sessions_count(&gate->sessions, source);
    return limits_judge(&gate->limits, &counts, roll_dice());
}

/* Before SSH's own greeting a server may send lines of text (RFC 4253, 4.2). */
static void refuse(int peer, const char *address, const char *line)
{
    log_event(LOG_LEVEL_INFO, 0, "refused %s: %.*s", address, (int)strcspn(line, "\r"), line);
    ssize_t sent = send(peer, line, strlen(line), MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)sent; /* a courtesy */
}

/* The peer's socket stays the caller's. */
static void admit(struct gate *gate, int peer, const struct sockaddr_storage *address)
{
    struct sessions_entry entry = {.conn = gate->next_conn, .source = limits_source_of(address)};
    listen_address_text(address, entry.address);

    struct sessions_entry *place = sessions_free_place(&gate->sessions);
    if (place == NULL) {
        refuse(peer, entry.address, "Trickhouse is full, please come back later.\r\n");
        return;
    }
    if (judge(gate, &entry.source) != LIMITS_ADMIT) {
        refuse(peer, entry.address, "Too many connections, please wait a moment.\r\n");
        return;
    }
    if (!start_session(gate, peer, &entry)) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot start a session: %s", strerror(errno));
        refuse(peer, entry.address, "Trickhouse is out of room, please come back later.\r\n");
        set_listening(gate, false);
        return;
    }
    gate->next_conn++;
    sessions_add(&gate->sessions, place, &entry);
    watch(gate, entry.signed_in_fd, EPOLLIN,
          WATCH_SESSION + (uint64_t)(place - gate->sessions.entries), EPOLL_CTL_ADD);
    log_event(LOG_LEVEL_INFO, entry.conn, "connection from %s", entry.address);
}

static void accept_some(struct gate *gate)
{
    /* None are left while the gate ends: a session just forked may keep one open for a moment. */
    int tries = gate->listener_count > 0 ? ACCEPTS_A_TURN : 0;
    for (int i = 0; i < tries && gate->paused_until_ms == 0; i++) {
        struct sockaddr_storage address = {0};
        socklen_t len = sizeof(address);
        int listener = gate->listeners[(size_t)i % gate->listener_count];
        int peer =
            accept4(listener, (struct sockaddr *)&address, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (peer >= 0) {
            admit(gate, peer, &address);
            close(peer);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            log_event(LOG_LEVEL_ERROR, 0, "cannot accept: %s", strerror(errno));
            set_listening(gate, false);
        }
    }
    tell_core(gate, gate_core_tell(&gate->core));
}

static void unwatch(const struct gate *gate, const struct sessions_entry *entry)
{
    if (entry->signed_in_fd >= 0) {
        epoll_ctl(gate->epoll, EPOLL_CTL_DEL, entry->signed_in_fd, NULL);
    }
}

static void hear_session(struct gate *gate, struct sessions_entry *entry)
{
    char byte;
    if (entry->pid == 0 || entry->signed_in_fd < 0) {
        return; /* gone in this same turn */
    }
    ssize_t got = read(entry->signed_in_fd, &byte, 1);
    if (got == 1) {
        unwatch(gate, entry);
        sessions_sign_in(&gate->sessions, entry);
    } else if (got == 0) {
        unwatch(gate, entry); /* it ended without; its SIGCHLD follows */
    }
}

static enum limits_offence offence_of(int status)
{
    if (WIFSIGNALED(status)) {
        return LIMITS_CRASH;
    }
    switch ((enum session_exit)WEXITSTATUS(status)) {
    case SESSION_NO_AUTH:
        return LIMITS_NO_AUTH;
    case SESSION_AUTH_FAILED:
        return LIMITS_AUTH_FAILED;
    case SESSION_GRACE:
        return LIMITS_GRACE;
    case SESSION_ENDED:
    case SESSION_FAILED:
        break;
    }
    return LIMITS_NO_OFFENCE;
}

static void reap(struct gate *gate)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        struct sessions_entry *entry = sessions_by_pid(&gate->sessions, pid);
        if (entry == NULL) {
            continue;
        }
        if (WIFSIGNALED(status)) {
            log_event(LOG_LEVEL_WARN, entry->conn, "its session died of signal %d%s",
                      WTERMSIG(status), WTERMSIG(status) == SIGPROF ? " (the watchdog's)" : "");
        }
        limits_offend(gate->rate, &gate->limits, &entry->source, offence_of(status),
                      clock_steady_ms());
        unwatch(gate, entry);
        sessions_remove(&gate->sessions, entry);
    }
}

static void hear_signals(struct gate *gate)
{
    struct signalfd_siginfo info;
    while (read(gate->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        gate->is_stopping = gate->is_stopping || info.ssi_signo != SIGCHLD;
    }
    reap(gate);
}

static void handle(struct gate *gate, uint64_t what)
{
    switch (what) {
    case WATCH_SIGNALS:
        hear_signals(gate);
        break;
    case WATCH_CORE:
        tell_core(gate, gate_core_receive(&gate->core));
        break;
    case WATCH_LISTEN:
        accept_some(gate);
        break;
    default:
        hear_session(gate, &gate->sessions.entries[what - WATCH_SESSION]);
        break;
    }
}

static void turn(struct gate *gate, int timeout_ms)
{
    struct epoll_event events[EVENTS_A_TURN];
    int count = epoll_wait(gate->epoll, events, EVENTS_A_TURN, timeout_ms);
    for (int i = 0; i < count; i++) {
        handle(gate, events[i].data.u64);
    }
}

static void serve(struct gate *gate)
{
    while (!gate->is_stopping) {
        turn(gate, gate->paused_until_ms == 0 ? -1 : PAUSE_MS);
        if (gate->paused_until_ms != 0 && clock_steady_ms() >= gate->paused_until_ms) {
            set_listening(gate, true);
        }
    }
}

static void signal_sessions(const struct gate *gate, int signal_number)
{
    for (size_t i = 0; i < gate->sessions.max; i++) {
        if (gate->sessions.entries[i].pid != 0) {
            kill(gate->sessions.entries[i].pid, signal_number);
        }
    }
}

static void end_sessions(struct gate *gate)
{
    listen_close(gate->listeners, gate->listener_count);
    gate->listener_count = 0;
    signal_sessions(gate, SIGTERM);
    int64_t deadline_ms = clock_steady_ms() + STOP_TIMEOUT_MS;
    while (gate->sessions.count > 0 && clock_steady_ms() < deadline_ms) {
        turn(gate, (int)(deadline_ms - clock_steady_ms()));
    }
    signal_sessions(gate, SIGKILL);
    while (gate->sessions.count > 0 && waitpid(-1, NULL, 0) > 0) {
        gate->sessions.count--;
    }
}

/* Two descriptors for every session, and some. */
static void raise_descriptor_limit(size_t sessions_max)
{
    struct rlimit limit;
    rlim_t wanted = (rlim_t)sessions_max * 2 + SPARE_DESCRIPTORS;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < wanted) {
            log_event(LOG_LEVEL_WARN, 0, "room for %llu descriptors, not %llu",
                      (unsigned long long)limit.rlim_cur, (unsigned long long)wanted);
        }
    }
}

static bool open_watches(struct gate *gate)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    sigaddset(&mask, SIGTERM);
    sigaddset(&mask, SIGINT);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    gate->epoll = epoll_create1(EPOLL_CLOEXEC);
    gate->signals = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
    if (gate->epoll < 0 || gate->signals < 0) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot wait for events: %s", strerror(errno));
        return false;
    }
    bool is_watching = watch(gate, gate->signals, EPOLLIN, WATCH_SIGNALS, EPOLL_CTL_ADD) &&
                       watch(gate, gate->core.socket, EPOLLIN, WATCH_CORE, EPOLL_CTL_ADD);
    for (size_t i = 0; i < gate->listener_count && is_watching; i++) {
        is_watching = watch(gate, gate->listeners[i], EPOLLIN, WATCH_LISTEN, EPOLL_CTL_ADD);
    }
    return is_watching;
}

static void say_ready(int fd, uint16_t port)
{
    if (fd >= 0) {
        if (dprintf(fd, "%u\n", port) < 0) {
            log_event(LOG_LEVEL_WARN, 0, "nobody waits for the port: %s", strerror(errno));
        }
        close(fd);
    }
}

static void clear(struct gate *gate)
{
    listen_close(gate->listeners, gate->listener_count);
    if (gate->epoll >= 0) {
        close(gate->epoll);
    }
    if (gate->signals >= 0) {
        close(gate->signals);
    }
    sessions_clear(&gate->sessions);
    free(gate->rate);
    sshd_host_free(gate->host);
}

int gate_run(const struct gate_setup *setup)
{
    process_set_name("gate");
    struct gate gate = {
        .limits = setup->limits == NULL ? limits_config_default() : *setup->limits,
        .next_conn = setup->first_conn,
        .rate = calloc(1, sizeof(*gate.rate)),
        .core.socket = setup->core_socket,
        .core.sessions = &gate.sessions,
        .epoll = -1,
        .signals = -1,
    };
    if (gate.rate == NULL) {
        abort();
    }
    sessions_init(&gate.sessions, setup->sessions_max);
    raise_descriptor_limit(setup->sessions_max);

    int status = 1;
    uint16_t port = setup->ssh_port;
    gate.host = sshd_host_new(setup->host_key);
    if (gate.host != NULL && warm_up(gate.host)) {
        gate.listener_count = listen_open(setup->bind_address, &port, gate.listeners);
    }
    if (gate.listener_count > 0 && open_watches(&gate)) {
        log_event(LOG_LEVEL_INFO, 0, "listening for SSH on port %u", port);
        say_ready(setup->ready_fd, port);
        tell_core(&gate, gate_core_tell(&gate.core));
        serve(&gate);
        end_sessions(&gate);
        status = 0;
    }
    clear(&gate);
    return status;
}
