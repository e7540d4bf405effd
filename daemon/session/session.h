#pragma once

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "games/macros.h"

#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A session is a process that serves one person's connection from the first byte to the last:
 *
 *     SSH:    key exchange ──► sign-in ──► wait for a shell ──► screen ──► closing
 *     telnet: negotiation ───► sign-in ──► screen ──► closing
 *
 * Each step but the screen has a time limit (config.def, [door]).
 */
struct sshd_host;
struct confinement;
struct warm;

/* The reason why the session ended, as the exit status of its process. The gate chooses the
 * client's penalty by this reason. */
enum session_exit {
    SESSION_ENDED = 0,   /* the session ended through no fault of the client */
    SESSION_FAILED,      /* the house could not serve the client */
    SESSION_NO_AUTH,     /* the client left without trying to sign in */
    SESSION_AUTH_FAILED, /* the client left or was disconnected after wrong tries */
    SESSION_GRACE,       /* the time for signing in ran out */
    SESSION_GREEDY,      /* the client used too much processor time */
    SESSION_SILENT,      /* the client no longer answered */
    SESSION_STALLED,     /* the client no longer accepted output */
};

struct session_setup {
    bool is_telnet;         /* true: telnet; false: SSH */
    bool is_encrypted;      /* a proxy says that TLS encrypts this telnet */
    struct sshd_host *host; /* prepared once by the gate, like the next member */
    const struct warm *warm;
    const struct confinement *confinement;
    const struct config *config;
    struct command_line command_line; /* of the gate, and so of the session */
    int peer_socket;                  /* the socket of the client's connection */
    int core_socket;                  /* the session's end of its socket pair with the core */
    int signed_in_fd;                 /* receives SEPARATION_DONE, later another byte once somebody
                                         has signed in, and is then closed */
    int log_fd;                       /* receives the session's log lines */
    int64_t conn;                     /* the connection's number */
};

/* Turns this process, which the gate has forked for a new connection, into a session. Closes all
 * descriptors but the session's own, so that the session shares no open file. Confines the process.
 * Serves the connection until its end or SIGTERM. Exits with an enum session_exit. */
_Noreturn void session_run(const struct session_setup *setup);

/*
 * Confines a session before it reads a byte from outside. The session gives up access to other
 * processes, core dumps, being traced by its user, new privileges, unlimited memory, root's rights,
 * files (daemon/base/base.h) and most system calls. The gate prepares the confinement
 * once, before it forks sessions. Builds with sanitizers are not confined, because sanitizers need
 * memory, root and all system calls.
 */

/* user of the sessions if root starts the house and no other user is configured */
#define CONFINE_USER "nobody"

/* Prepares the confinement. `user` is the account of the sessions' processes; NULL: CONFINE_USER.
 * Logs in one line what the kernel offers. Returns NULL, with a line on the log, if sessions cannot
 * be confined: the account does not exist, the kernel does not accept the filter, or a trial
 * failed. */
struct confinement *confinement_new(const char *user) MUST_CHECK;
void confinement_free(struct confinement *confinement);

/* The first of the three steps by which a forked session confines itself: restricts its files. Call
 * it while the confinement's descriptor is open. Each step exits, with a line on the log, if the
 * kernel refuses it. */
void confine_files(const struct confinement *confinement);

/* The second step of the confinement: restricts everything except files. Call it when no
 * descriptors are open but the standard ones and the session's own. */
void confine_session(const struct confinement *confinement);

/* The third step of the confinement, after the screen has started: forbids the system calls that
 * were needed only to start the screen. */
void confine_after_screen_start(const struct confinement *confinement);

/*
 * How a session's process gets a table of descriptors of its own at a cost that does not grow with
 * the number of sessions.
 *
 * fork(2) copies the gate's whole table, some descriptors for every session, and the new process
 * would have to close nearly all of them. So the new process begins with the gate's own table
 * (CLONE_FILES), and close_range(2) then gives it a copy that holds only the descriptors below
 * SEPARATION_FDS. The gate keeps the descriptors of its sessions above that number. Until the
 * process reports its separation, the gate closes none of the descriptors that the process uses.
 */
enum {
    SEPARATION_FDS = 256
};

/* The byte that the process writes to signed_in_fd (session.h) after its separation. */
#define SEPARATION_DONE 'o'

/* Gives a descriptor a number of at least SEPARATION_FDS. Returns the number; if there is no free
 * one, the descriptor's old number. */
int separation_keep_from_children(int fd);

/*
 * The host key and the algorithms, which all SSH sessions of a gate share. They are made once,
 * before the first session is forked.
 */
struct ssh_session_struct;

/* Reads an OpenSSH private key: ed25519, or RSA of at least 3072 bits. `config` says how often a
 * connection renews its session keys. Returns NULL, with a line on the log, on failure. */
struct sshd_host *sshd_host_new(const char *key_path, const struct config *config);
void sshd_host_free(struct sshd_host *host);

/*
 * The system calls that a session may make, as two seccomp filters. The kernel applies all filters
 * of a process, and the strictest result counts:
 *
 *     stage 1   applied before the first input: lists the allowed calls; any other call kills the
 *               process
 *     stage 2   applied once the screen has started: forbids the calls that only the start of the
 *               screen needs; openat fails with EACCES
 *
 * The gate compiles the filters once, before it forks sessions.
 */
enum syscalls_stage {
    SYSCALLS_STAGE_1 = 0,
    SYSCALLS_STAGE_2,
    SYSCALLS_STAGES
};

struct display;

/* What the gate has prepared for its sessions, besides the beginning of the next SSH connection,
 * which the sshd_host keeps. */
struct warm {
    struct display *display;
    struct warm_filler *fillers; /* memory that fills the holes in the heap */
};

/*
 * Prepares the memory that all sessions share. The gate does once what every session would
 * otherwise do first: it makes one SSH handshake with itself, draws one screen that nobody sees,
 * and prepares the beginning of the next SSH connection and of its display. The memory that the
 * libraries allocate for this stays shared. Returns NULL, with a line on the log, if one of these
 * fails: then no session could work.
 */
struct warm *warm_up_shared_memory(struct sshd_host *host) MUST_CHECK;
void warm_free(struct warm *warm);

/*
 * Limits the processor time of a session, whatever the libraries do with the client's input. If a
 * pass of the session's loop takes a second of CPU time, SIGPROF ends the process. A normal pass
 * takes less than a hundredth of that, so there is no setting.
 *
 * A session also ends if it uses more than share_percent of a CPU over window_ms. While somebody
 * types, half a CPU is allowed, but no more: a key press now and then does not allow unlimited
 * work.
 *
 * The session enforces all this itself; the gate ends a session that an attacker controls
 * (daemon/processes/gate/gate.h).
 */
enum {
    WATCHDOG_TYPED_PERCENT = 50
};

struct watchdog {
    int64_t window_ms;
    int share_percent;
    int64_t since_ms;     /* start of the current time window on the monotonic clock */
    int64_t cpu_since_ms; /* CPU time that was used before the window began */
    bool has_typed;       /* somebody has typed in this window, which allows more CPU time */
};

/* Limits the pass of the session's loop that begins now to one second of CPU time. */
void watchdog_arm(void);

/* True as soon as the session has used the CPU time that the window allows. Call it in each pass of
 * the loop. A check only at the end of the window would be too late: a client could leave before
 * the end and connect again. */
bool watchdog_is_limit_exceeded(struct watchdog *watchdog, int64_t now_ms, int64_t cpu_ms);
