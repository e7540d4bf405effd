#pragma once

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/common/common.h"
#include "games/macros.h"

#include <event2/event_struct.h>
#include <jansson.h>
#include <limits.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/types.h>

/*
 * The gate listens, limits connections, and forks one session for each. It is a peer of the core
 * (PROTOCOL.md, "The gate").
 */
enum {
    GATE_DESCRIPTORS_EACH = 4,    /* open descriptors that a session takes in the gate */
    GATE_DESCRIPTORS_SPARE = 448, /* open descriptors that the gate needs besides: those below
                                     SEPARATION_FDS (session/session.h), those of connections that
                                     wait for their proxy, and some more */
};

struct gate_setup {
    int core_socket; /* the gate's end of its socket pair with the core (base/base.h) */
    int settings; /* descriptor of the file with the settings for a reload at SIGUSR1; -1: none */
    int ready_fd; /* receives the ports (ports.h) once the gate listens, and is then closed; -1:
                     none */
    const char *host_key;   /* path of the ed25519 key in OpenSSH's format */
    struct metrics metrics; /* the page is borrowed; it is hidden from all children. After an exec,
                               the gate maps the page in the folder of the host key */
    const char *session_user; /* user of the sessions if the gate is root; NULL: CONFINE_USER
                                 (session/session.h) */
    struct ports ports; /* ports to listen on, besides those of [proxy]; 0: a free port that the
                           system chooses */
    /* sockets that systemd has opened, used in place of the ports for their transport; the gate
     * takes over its copies */
    const struct listeners *listeners;
    bool is_renewable;  /* the program is trickhouse, whose command `gate` calls gate_resume, so the
                           gate can renew itself */
    int64_t first_conn; /* the first connection number; the numbers increase from here */
    const struct config *config; /* settings of the house; gate_run copies them */
};

/*
 * Runs the gate in this process, which must ignore SIGPIPE, have all other signals at their
 * defaults, and have no descriptors open but standard input, output and error and those of the
 * setup. At SIGUSR2 stops listening: the house is about to close. Serves until SIGTERM, then stops
 * listening, ends its sessions within two seconds and returns. Sessions outlive a gate that dies,
 * and their connection numbers stay in use; the supervisor kills these sessions only at the end of
 * the house. A restarted core reads from the same socket pair and sends `resync`; the gate then
 * says `hello`, and hands over every living connection after `welcome`. Returns the exit status: 0
 * after SIGTERM; 1, with a line on the log, if the gate could not listen.
 */
int gate_run(const struct gate_setup *setup);

/* Continues the gate after its process has executed the program again. The image
 * holds the gate's state. */
int gate_resume(int image_fd);

/*
 * Decides which connections to admit: pure arithmetic on the gate's counts.
 *
 * A source is an IPv4 address or the first 64 bits of an IPv6 address. A net is the first 48 bits
 * of an IPv6 address. A net's owner has 65,536 sources, so the limits of nets are looser. The
 * limits are the settings [door] unauth_start to penalty_max_s.
 */

/* The address of a source as 128 bits: ::ffff:a.b.c.d for IPv4; for IPv6 the last 64 bits are
 * zero. */
struct limits_source {
    uint8_t bytes[16];
};

/* Returns the source that an address belongs to, as listen_write_address writes it. An IPv4 address
 * mapped into IPv6 counts as IPv4. */
struct limits_source limits_source_of_address(const char *address);

/* Converts an IPv6 source (a /64) to its net (a /48). The bytes of a net never equal those of a
 * source. Returns false for an IPv4 source or loopback. */
bool limits_source_to_net(const struct limits_source *source, struct limits_source *net) MUST_CHECK;

/* True for loopback addresses, unless limit_loopback is set: no limit counts for them. */
bool limits_is_exempt(const struct config *config, const struct limits_source *source);

/* The numbers of existing connections when a new one arrives. */
struct limits_counts {
    int unauth;                            /* connections that have not signed in, from anywhere */
    int source_connections, source_unauth; /* connections from the same source */
    int net_connections, net_unauth;       /* connections from the same /48 */
};

/* Why a connection is refused (refusals.def). */
enum gate_refusal {
#define REFUSAL(name, word, text) GATE_REFUSAL_##name,
#include "daemon/processes/gate/refusals.def"
    GATE_REFUSALS,
    GATE_ADMIT = GATE_REFUSALS, /* it is not */
};

/* Judges a new connection of a source that is not exempt by the numbers of existing ones. `dice` is
 * a random number, uniform from 0 to UINT32_MAX. */
enum gate_refusal limits_judge_connection(const struct config *config,
                                          const struct limits_counts *counts, uint32_t dice);

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
 * the table is full, the source that has been quiet the longest is forgotten. Exempt sources need
 * no tokens and get no penalties.
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

/* Takes a token from the source and a token from its /48. Returns GATE_ADMIT,
 * GATE_REFUSAL_SOURCE_RATE, GATE_REFUSAL_SOURCE_BLOCKED, GATE_REFUSAL_NET_RATE or
 * GATE_REFUSAL_NET_BLOCKED. now_ms is monotonic and positive. */
enum gate_refusal limits_take_token(struct limits_rate *rate, const struct config *config,
                                    const struct limits_source *source, int64_t now_ms);

/* Adds the penalty for the offence. Returns the total of the source's penalties in ms; 0 for
 * LIMITS_NO_OFFENCE. The penalties block the source only if the total is at least
 * door_penalty_from_s; *is_blocked says whether they do. */
int64_t limits_add_penalty(struct limits_rate *rate, const struct config *config,
                           const struct limits_source *source, enum limits_offence offence,
                           int64_t now_ms, bool *is_blocked);

/*
 * The networks that staff have banned, as the core tells the gate (PROTOCOL.md, "The gate"). The
 * gate still admits one connection at a time from such a network: banned players may appeal, and
 * the ban of a network does not apply to staff.
 */
enum {
    BANNED_NETS_MAX = 256 /* the gate knows at most this many networks; the core knows all */
};

struct banned_nets {
    size_t count;
    struct ip_net nets[BANNED_NETS_MAX];
};

/* Replaces all networks by those in the message's list `nets`. Malformed networks are skipped. */
void banned_nets_replace_from_message(struct banned_nets *banned, const json_t *message);

struct gate;
struct sessions_entry;

struct gate_client {
    int socket;                      /* of the connection */
    bool is_telnet;                  /* true: telnet; false: SSH */
    bool is_encrypted;               /* TLS encrypts the telnet up to the proxy */
    struct sockaddr_storage address; /* the client's own, even behind a proxy */
};

/* Admits a client as a session, or refuses it, by its address, the limits and the bans. Takes over
 * the socket. */
void gate_admit_client(struct gate *gate, const struct gate_client *client);

/* Refuses a connection: sends the text of the refusal, and closes the socket. Counts the refusal,
 * and logs it, but at most one a second. */
void gate_admit_refuse(struct gate *gate, int client_fd, const char *address,
                       enum gate_refusal refusal);

/*
 * The gate's side of its protocol with the core (PROTOCOL.md, "The gate"). There is no queue: if
 * the socket is full, the messages are made later from the table of sessions.
 *
 *     silent ──hello──► greeted ──welcome──► handing over ──connections_end──► live
 *       ▲                                                                       │
 *       └──────────────────────────── resync ──────────────────────────────────┘
 */
enum gate_core_state {
    GATE_CORE_SILENT = 0,
    GATE_CORE_GREETED,
    GATE_CORE_HANDING_OVER,
    GATE_CORE_LIVE,
};

struct gate_core {
    int socket;
    enum gate_core_state state;
    struct event readable, writable; /* the latter only while the socket is full */
    bool is_waiting;                 /* the core has said that it cannot use its data */
    struct banned_nets banned; /* networks that staff have banned, from the core's latest message */
};

/* Tells the core what it does not know yet, and the rest once its full socket has room. Stops the
 * gate if the socket is closed: there will be no other core. */
void gate_core_tell(struct gate *gate);

/* Tells the core about one more session. */
void gate_core_tell_of(struct gate *gate, struct sessions_entry *session);

/* Receives the core's messages, and tells it what it does not know yet. */
void gate_core_receive(struct gate *gate);

/*
 * A watchdog for sessions that no session can disarm. Each session also watches itself
 * (session/session.h): an honest session that uses too much processor time ends in time and with a
 * message, but a session that an attacker controls does not. So the gate measures each session's
 * processor time from outside, and ends sessions that go well beyond what their own watchdog
 * allows. RLIMIT_CPU is no alternative: only its hard limit is certain to kill, and raising a hard
 * limit step by step needs CAP_SYS_RESOURCE, which the gate lacks.
 */

enum {
    GATE_CPU_SIGN_IN_MS = 3000, /* processor time that a session may use before somebody signs in;
                                   measured every LIFE_EVERY_MS */
    GATE_CPU_MEASURE_MS = 5000  /* interval between measurements of all sessions */
};

/* Measures the processor time of all sessions whose measurement is due. Call it every
 * LIFE_EVERY_MS. */
void gate_cpu_measure_sessions(struct gate *gate, int64_t now_ms);

/*
 * Saves the state of a gate across an exec (common/common.h) of its own program, or of a newer one
 * at a reload. The descriptors of the listening sockets, of the core and of the sessions stay open.
 */

/* Writes the state, with these settings (gate_settings_read) in place of the gate's unless they are
 * NULL, to a file in memory, and keeps the gate's descriptors open across the next exec.
 * Returns the file's descriptor, which stays open too. Returns -1 with errno if that fails: then no
 * descriptor is kept open across an exec. */
int gate_image_save(const struct gate *gate, json_t *settings) MUST_CHECK;

/* Undoes gate_image_save after a failed exec: closes the file, and lets no descriptor stay open
 * across the next exec. */
void gate_image_cancel(const struct gate *gate, int image_fd);

/* Reads the state from the file, closes the file, and makes all descriptors close-on-exec. The
 * caller must still make what the image does not hold: host key, confinement, events, signals. If
 * the file is not an image, returns false with a line on the log; the gate then holds what was
 * restored so far. */
bool gate_image_load(struct gate *gate, int image_fd) MUST_CHECK;

/* Lets the gate accept connections, or makes it pause for a second, after it ran out of resources
 * or before it is renewed. */
void gate_set_listening(struct gate *gate, bool is_listening);

/*
 * The log lines of sessions. A session must not have the house's log file open, since the session
 * could rewind the file and overwrite it. Each session writes to a pipe of its own; the gate reads,
 * checks and logs its lines. Each write is one packet of the pipe (pipe(2), O_DIRECT), so lines are
 * never split. Text that is not a valid line is logged too, in quotes: usually what a library
 * prints before it aborts.
 */
enum {
    GATE_LOG_BURST = 16,     /* lines that one session may log at once */
    GATE_LOG_EVERY_MS = 5000 /* after GATE_LOG_BURST lines, one line may be logged in this time;
                                further lines wait or are lost */
};

/*
 * The header with which a proxy tells the address of its client, before the client's own bytes: the
 * PROXY protocol, version 2 (https://www.haproxy.org/download/2.6/doc/proxy-protocol.txt, 2.2), of
 * which a server needs these parts:
 *
 *     signature (12) │ version and command │ family and protocol │ length (2) │ addresses │ TLVs
 *
 * Pure: no I/O, no memory allocation.
 */
enum {
    PROXY_HEADER_MAX = 1024, /* longest header in bytes; a longer one is invalid */
};

/* The bytes of a header that have arrived. The caller adds bytes at `bytes + len`. */
struct proxy_header {
    size_t len;
    uint8_t bytes[PROXY_HEADER_MAX];
};

enum proxy_header_result {
    PROXY_HEADER_COMPLETE = 0,
    PROXY_HEADER_INCOMPLETE, /* more bytes are missing */
    PROXY_HEADER_LOCAL,      /* the proxy checks whether the house answers: there is no client */
    PROXY_HEADER_INVALID,    /* not a header of TCP over IPv4 or IPv6, or too long */
};

/* The client that a header describes. */
struct proxy_client {
    struct sockaddr_storage address; /* AF_INET or AF_INET6 */
    bool is_encrypted;               /* the client reached the proxy through TLS */
};

/* Returns how many bytes the caller should read next, so that it reads no byte beyond the header.
 * Returns 0 unless proxy_header_parse returns PROXY_HEADER_INCOMPLETE. */
size_t proxy_header_count_missing_bytes(const struct proxy_header *header);

/* Parses what has arrived. Sets *client only if the result is PROXY_HEADER_COMPLETE. The first
 * wrong byte of a signature makes the result PROXY_HEADER_INVALID. */
enum proxy_header_result proxy_header_parse(const struct proxy_header *header,
                                            struct proxy_client *client) MUST_CHECK;

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
 *     COMPLETE ──(the gate does not pause)──▶ admitted or refused
 *
 * The gate never blocks for a proxy, and reads no byte beyond the header: the session reads those.
 */

enum {
    GATE_PROXY_WAITING_MAX = 128, /* most connections in WAITING and COMPLETE; more are closed */
};

struct gate_proxied {
    struct gate *gate;
    struct event event; /* its header can be read, or its time is up */
    int socket;         /* 0: this place is free */
    bool is_telnet;
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

/* Goes on with every waiting connection, after a pause of the gate, or after the gate has executed
 * its program again. */
void gate_proxy_continue_all(struct gate *gate);

/*
 * Renewing the gate: the gate executes its own program again. All sessions are forked from the gate
 * and share its memory layout, and whoever made a session crash may have learnt that layout. So
 * after a session dies of a signal nobody enters until the gate has executed its program again. The
 * process and its state stay the same, but the memory layout is new.
 *
 * The gate also renews itself once a day, and before it serves anybody, since until then its layout
 * is that of the core, which was forked from the same supervisor. No connection ends: the sockets
 * stay open, and new connections wait in the listening sockets' queue. At a reload (SIGUSR1) the
 * gate executes the program that the reload names, with its settings. Renewals are at least a
 * second apart, however often sessions die.
 */
enum {
    GATE_RENEW_PAUSE_MS = 1000,
    GATE_RENEW_DAILY_MS = 24 * 60 * 60 * 1000
};

/* True if the gate must execute its program again now. */
bool gate_renewal_is_due(const struct gate *gate, int64_t now_ms);

/*
 * The file in which the supervisor tells the gate what a reload needs. It is a file in memory that
 * holds the program to execute and every setting by its name, so that programs of different
 * versions understand each other.
 */

/* Makes an empty file in memory. Returns its descriptor; -1 with errno. */
int gate_settings_make_file(void) MUST_CHECK;

/* Replaces the contents of the file by this program and these settings. Returns false with
 * errno. */
bool gate_settings_write(int settings_fd, const char *program,
                         const struct config *config) MUST_CHECK;

/* Converts all settings to a list of [section, key, value]. */
json_t *gate_settings_to_json(const struct config *config);

/* Reads a list that gate_settings_to_json made, and sets these
 * settings in *config, which must hold the defaults. A setting that this program does not know or
 * allow is skipped with a line on the log. */
void gate_settings_from_json(const json_t *values, struct config *config);

/* Reads the file: an object with the text `program` and the list `settings`, a new reference.
 * Returns NULL, with a line on the log, if the file holds none. */
json_t *gate_settings_read(int settings_fd) MUST_CHECK;

/* Makes an event (event_assign(3)) and waits for it from now on. Logs a failure. Signals and the
 * ends of sessions have priority 0, all other events priority 1. */
void gate_watch(struct gate *gate, struct event *event, int fd, short what,
                event_callback_fn callback, void *context);

/* Writes the address as text. An IPv4 address mapped into IPv6 appears as IPv4. */
void listen_write_address(const struct sockaddr_storage *address, char text[INET6_ADDRSTRLEN]);

/*
 * The gate's living sessions: a table of fixed size, in which a session keeps its place (its index)
 * until it ends. A new session costs the same however many there are, but those that count the
 * sessions of one net. Child processes do not inherit the table: a session does not see who else is
 * connected.
 */
enum {
    /* the descriptors that a session's process uses: client, core, sign-in, log */
    SESSIONS_CHILD_ENDS = 4
};

/* Stands for the id of a process that an earlier gate has forked: it is another one's child, and
 * the system gives no process this number. */
#define SESSIONS_FOREIGN_PID INT_MAX

struct sessions_entry {
    pid_t pid;      /* process id; 0: the place is free */
    bool is_telnet; /* true: telnet; false: SSH */
    int64_t conn;
    int64_t opened_ms; /* when the client connected, monotonic */
    int core_end;      /* copy of the core's end of the session's socket; -1: closed */
    int signed_in_fd;  /* becomes readable when the session's process has separated its descriptors
                          from the gate's (session/session.h), and when somebody signs in; closed
                          after  the sign-in; -1: closed */
    int log_fd;        /* reading end of the pipe for the session's log; -1: the session
                          writes to the house's log */
    int process_fd;    /* becomes readable when the process exits (pidfd_open(2)); -1: none */
    bool awaits_separation; /* the process has not yet said that it has separated its descriptors
                               from the gate's */
    bool has_child_ends;    /* the gate has not closed child_ends yet */
    int child_ends[SESSIONS_CHILD_ENDS]; /* the gate's copies of the descriptors that the process
                                            uses, which it must still close */
    bool is_told; /* the gate has told the core about the session, and has sent the core the core's
                     end of the session's socket */
    int64_t end_by_ms; /* when the gate kills the process because the house has ended the session,
                          monotonic; 0: the session has not been ended */
    int64_t log_full_at_ms; /* when GATE_LOG_BURST lines may be logged at once again, monotonic */
    bool is_log_paced;      /* the log has exceeded the limit before */
    struct {
        int64_t since_ms,
            before_ms; /* start of the time window in which processor time is measured (0: there was
                          none yet), and processor time used before that window */
        bool is_over_limit; /* the session was killed for its use of processor time */
    } cpu;
    struct limits_source source;
    char address[INET6_ADDRSTRLEN];

    /* The following members belong to sessions.c. */
    struct gate *gate;
    struct event sign_in, logged, log_pause, exited, end; /* what the gate waits for */
    LIST_ENTRY(sessions_entry) of_conn;   /* in a chain of `by_conn`, or in `free` */
    LIST_ENTRY(sessions_entry) of_source; /* in a chain of `by_net` */
    LIST_ENTRY(sessions_entry) of_unauth;
};

LIST_HEAD(sessions_list, sessions_entry);

struct sessions {
    size_t max;
    size_t used; /* the places from here on have never been taken */
    int count,
        unauth; /* number of all sessions, and number of sessions in which nobody has signed in */
    int without_process_fd; /* number of sessions with process_fd -1 */
    struct sessions_entry *entries;
    struct sessions_list free;     /* free places that were taken before */
    struct sessions_list *by_conn; /* `max` chains of sessions, by the connection's number */
    struct sessions_list *by_net;  /* `max` chains, by the net; by the source if it has none */
    uint8_t seed[crypto_shorthash_KEYBYTES]; /* random, so that nobody can choose addresses that
                                                fall into one chain of by_net */
    struct sessions_list unauth_list;        /* sessions in which nobody has signed in */
};

/* A loop over all living sessions. The session in `item` may be removed during the loop. */
#define SESSIONS_EACH(item, sessions)                                                              \
    for ((item) = (sessions)->entries; (item) < (sessions)->entries + (sessions)->used; (item)++)  \
        if ((item)->pid == 0) {                                                                    \
        } else

/* Makes an empty table. Only places that are taken use memory. Aborts if memory runs out. */
void sessions_init(struct sessions *sessions, size_t max_count);

/* Frees the table; closes no descriptors. */
void sessions_clear(struct sessions *sessions);

/* True if there is no room for another session. */
bool sessions_is_full(const struct sessions *sessions);

/* Adds a copy of the session, for which there must be room. Returns the session in the table. */
struct sessions_entry *sessions_add(struct sessions *sessions,
                                    const struct sessions_entry *session);

/* Returns NULL if there is no such session. */
struct sessions_entry *sessions_find_by_conn(struct sessions *sessions, int64_t conn);

/* Marks the session as signed in and closes its signed_in_fd. Does nothing at a second call. */
void sessions_mark_signed_in(struct sessions *sessions, struct sessions_entry *session);

/* Waits for what the session and its process do: for its sign-in, its lines for the log, and its
 * end. */
void sessions_watch(struct gate *gate, struct sessions_entry *session);

/* Closes the gate's copy of the core's end. If the house has ended the session, kills its process
 * unless it exits soon. */
void sessions_drop(struct sessions_entry *session, bool has_ended);

/* Reaps the processes of sessions that have exited and have no process_fd, with which
 * sessions_watch reaps the others. */
void sessions_reap_unwatched(struct gate *gate);

/* Closes the session's descriptors and frees its place. */
void sessions_remove(struct sessions *sessions, struct sessions_entry *session);

/* Counts sessions for limits_judge_connection: those in which nobody has signed in, those from the
 * same source, and those from the same /48. */
struct limits_counts sessions_count_from_source(const struct sessions *sessions,
                                                const struct limits_source *source);

/* The state that the files of the gate share. */
struct confinement;
struct sshd_host;
struct warm;

struct gate {
    struct sshd_host *host;
    struct warm *warm; /* prepared for the sessions */
    struct confinement *confinement;
    struct config config;
    struct metrics metrics; /* its page does not exist in the sessions */
    struct command_line command_line;
    struct limits_rate *rate;
    struct sessions sessions;
    struct gate_core core;
    int64_t next_conn;
    struct event_base *base;
    int signals;
    struct event signalled, listening[LISTENERS_MAX], pause, tick;
    bool is_paused; /* no connection is accepted until the event `pause` */
    struct listeners listeners;
    struct gate_proxied *proxied; /* connections that wait for their proxy's header */
    int64_t refusal_logged_ms;
    unsigned refused; /* number of refused connections since a refusal was last logged */
    bool is_stopping;
    int ready_fd; /* receives the ports once the gate listens; -1 afterwards */
    struct ports ports;

    char *host_key, *session_user; /* copies of the texts in the gate_setup */
    bool is_renewable; /* the program has the subcommand `trickhouse gate`, with which the gate
                          renews itself */
    bool is_suspect;   /* a session has died of a signal since the program was started */
    int64_t began_ms;  /* when the program was last started, monotonic */
    unsigned renewals;
    int settings;      /* descriptor of the file with the settings for a reload (gate.h); -1:
                          none */
    bool is_reloading; /* the supervisor has requested a reload */
    int64_t cpu_all_measured_ms; /* when the processor time of all sessions was last measured, not
                                    only of those in which nobody has signed in; monotonic */
};
