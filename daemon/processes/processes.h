#pragma once

#include "daemon/metrics/metrics.h"
#include "daemon/processes/bridge/bridge.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The ed25519 key of a node, by which the nodes of a house recognise each other. It is made once,
 * in the file `node_key` of the data folder, in OpenSSH's format, readable by its owner only.
 */
struct node_key {
    char *private_text; /* the contents of the file */
    char *public_text;  /* "ssh-ed25519 AAAA…", without a comment */
};

/* Reads the key, after making it if there is none. Returns false, with a line on the log, on
 * failure. */
bool node_key_load(struct node_key *key, const char *path) MUST_CHECK;

/* Overwrites and frees the texts. */
void node_key_clear(struct node_key *key);

/*
 * The supervisor starts the processes of a house and restarts those that die. It makes and keeps
 * the sockets between the processes, so that messages to a dead process wait for its successor.
 */
struct supervisor_setup {
    const char *data_dir;
    const struct config *config; /* borrowed */
    bool is_logged_to_file;      /* the log goes to house.log in the data folder */
    const char *program;         /* path of the program to run at a reload */
    /* arguments of that program, beginning with `serve` and ended by NULL */
    const char *const *args;
    struct listeners listeners; /* those that systemd has opened for the house, which takes them
                                   over; empty after an exec */
    int image;                  /* descriptor of the image after an exec; -1: the house is new */
    int ready_fd; /* receives the ports (ports.h) once people can connect, and is then closed; -1:
                     none */
};

/* Prints that people can connect: "Trickhouse is open: ssh -p 2222 localhost", and also the telnet
 * address if telnet is on. */
void supervisor_announce_opening(const struct supervisor_setup *setup, const struct ports *ports);

/*
 * Serves until SIGTERM or SIGINT, then closes the house in order: the core says goodbye and
 * closes the data, then the gate and its sessions end, then the workers. A process that takes
 * longer than a few seconds is killed, so that no process is left.
 *
 * Once people can connect, calls supervisor_announce_opening and tells systemd. A house that waits
 * for its data (core/core.h) prints that, and tells systemd at once that it has started.
 *
 * At SIGUSR1, and at SIGHUP unless that is ignored when the house starts (nohup(1)), reloads:
 * executes its program again, which may be a newer version, with the same arguments (and `--resume
 * N`), reads the settings again, and replaces core, gate and workers one after the other. No
 * connection ends. If the arguments, settings or anything else that the next processes need are
 * bad, nothing changes, and the log says why. A change of the ports takes effect only when the
 * house is opened again.
 *
 * Returns the exit status: 0 after a signal; 1, with a line on the log, if the house could not open
 * or a process kept dying.
 */
int supervisor_run(const struct supervisor_setup *setup) MUST_CHECK;

/*
 * Limits what a process of the house can reach, so that a bug in the core, for example, cannot open
 * a connection. The limits use seccomp(2). They are permanent and apply to all programs that the
 * process starts. A refused call fails with EPERM. systemd's unit must allow what the gate needs.
 */
enum {
    MAY_LISTEN = 1 << 0, /* make listening sockets */
    MAY_ACCEPT = 1 << 1, /* accept connections on sockets that it was given */
    MAY_USE_FILES = 1 << 2,
    MAY_RUN_PROGRAMS = 1 << 3,
    MAY_USE_UNIX = 1 << 4, /* sockets within this machine */
    MAY_USE_IP = 1 << 5,   /* other sockets */
};

enum reach {
    REACH_ALL = 0, /* no limits */
    /* only outgoing network connections, and no other programs */
    REACH_NETWORK = MAY_USE_FILES | MAY_USE_UNIX | MAY_USE_IP,
    /* TCP connections, but neither files nor other programs */
    REACH_NODES = MAY_ACCEPT | MAY_USE_IP,
    /* sockets within this machine (AF_UNIX) */
    REACH_MACHINE = MAY_LISTEN | MAY_ACCEPT | MAY_USE_FILES | MAY_RUN_PROGRAMS | MAY_USE_UNIX,
    /* outgoing connections too, but no new sockets that listen: for a core in PostgreSQL */
    REACH_DATABASE = MAY_ACCEPT | MAY_USE_FILES | MAY_RUN_PROGRAMS | MAY_USE_UNIX | MAY_USE_IP,
    /* no new sockets and no other programs */
    REACH_NOTHING = MAY_LISTEN | MAY_ACCEPT | MAY_USE_FILES,
};

/* Limits this process to what `reach` allows. Needs no privilege; sets no_new_privs. Returns false
 * with errno. Does nothing in builds with sanitizers. */
bool reach_restrict_process(enum reach reach) MUST_CHECK;

#define CHILD_KEEP_MAX 16

/* Describes a process to fork. The process does not execute another program. */
struct child_plan {
    const char *name; /* name of the process (base/base.h), such as "core" */
    pid_t group;      /* process group to join; 0 or a group that no longer exists: a new group */
    int keep[CHILD_KEEP_MAX]; /* descriptors to keep open besides 0 to 2 */
    size_t keep_count;
    enum reach reach;
    int (*run)(const void *context); /* the function that the child runs; returns the exit status */
    const void *context;
};

/*
 * Forks the process. The child has its own or the given process group, dies with its parent, dumps
 * no core, cannot be traced, creates files for its owner only, ignores SIGPIPE, blocks no signal,
 * keeps only the planned descriptors open, and is restricted as planned. Returns the process id, or
 * -1 with errno.
 */
pid_t child_fork(const struct child_plan *plan) MUST_CHECK;

/*
 * The socket `control` in the data folder. Programs that the data's owner runs connect through it
 * to the core, as operators. The socket belongs to the supervisor, so that it outlives a core.
 */

/* Makes the listening socket, for its owner only, and replaces an old socket that was left behind.
 * The caller must hold the folder's lock. Returns -1 with errno. */
int control_socket_listen(const char *data_dir) MUST_CHECK;

/* Connects to the socket; the returned descriptor blocks. Returns -1 with errno (ENOENT or
 * ECONNREFUSED: no house is open with this data). */
int control_socket_connect(const char *data_dir) MUST_CHECK;

/* Makes the socket at which the bridge listens, at this address of the settings ("192.0.2.1:4022").
 * If the machine does not have the address, since a router translates addresses, listens at the
 * same port of all addresses. Returns -1, with a line on the log, on failure. */
int node_listen(const char *address) MUST_CHECK;

/*
 * The folder that holds everything of one house:
 *
 *     lock                   the supervisor's pid and its ports; locked (F_OFD_SETLK) while it runs
 *     control                socket for operators
 *     house.db               accounts, tables, games (storage/)
 *     backups/               backups of house.db (common/common.h)
 *     house.conf             the settings, if any
 *     house.log              with --log
 *     ssh_host_ed25519_key   the host key
 *     node_key               the key of this node, if several nodes run the house
 *     database_url           where the data are, if they are in PostgreSQL (data_dir_note_database)
 *     timeline               the highest timeline of its PostgreSQL servers (processes/core/core.h)
 *     connections            connection numbers in use (data_dir_reserve_conn_numbers)
 */
struct data_dir {
    char *path; /* path of the folder; absolute, like the paths below */
    char *database, *backups, *host_key, *node_key, *log;
    int lock;
};

enum data_dir_result {
    DATA_DIR_OK = 0,
    DATA_DIR_FAILED, /* another error: see errno */
    DATA_DIR_LOCKED, /* another house is open with this folder */
    DATA_DIR_CLOSED, /* only from data_dir_find_supervisor: no house is open with this folder */
};

/* Makes the folder (0700) if it is missing, takes the lock and writes this process's id. */
enum data_dir_result data_dir_open(struct data_dir *dir, const char *path) MUST_CHECK;

/* Writes this process's id and the ports of its house (0: none yet) into the lock: "PID SSH
 * TELNET\n". Its time of change tells since when the supervisor runs its program. Returns false
 * with errno. */
bool data_dir_note_supervisor(const struct data_dir *dir, const struct ports *ports) MUST_CHECK;

/* Fills *dir again after the supervisor has executed its program again. The supervisor
 * still holds the lock. */
enum data_dir_result data_dir_reopen_after_exec(struct data_dir *dir, const char *path,
                                                int lock_file) MUST_CHECK;

/* True if the folder is empty or holds a house. This check prevents changing the owner of an
 * unrelated folder by mistake. */
bool data_dir_is_empty_or_house(const char *path) MUST_CHECK;

/* As root, makes the user the owner of the folder and of the house's files in it. Skips hard links
 * and symbolic links. Returns false with errno. */
bool data_dir_give_to_user(const char *path, uid_t user, gid_t group) MUST_CHECK;

/* Releases the lock. If the folder's owner is not root, makes that owner the owner of all files
 * that root has made in the folder. */
void data_dir_close(struct data_dir *dir);

/* Reserves DATA_DIR_CONN_COUNT connection numbers. *first_conn becomes the lowest of them, which is
 * at least `min_conn`. Each reservation gets higher numbers than all earlier ones, even if the
 * clock was set back: a number that once stood for one person must never stand for another. Returns
 * false with errno. */
#define DATA_DIR_CONN_COUNT 1000000
bool data_dir_reserve_conn_numbers(const struct data_dir *dir, int64_t min_conn,
                                   int64_t *first_conn) MUST_CHECK;

/* Notes in the folder which PostgreSQL database has the data, for programs that are given only the
 * folder; "": the data are in house.db. Returns false with errno. */
bool data_dir_note_database(const struct data_dir *dir, const char *url) MUST_CHECK;

/* Reads the note of the house that was opened last with this folder. Returns false if its data are
 * in house.db, or if there is no note or none that fits `size` bytes. */
bool data_dir_read_noted_database(const char *path, char *url, size_t size) MUST_CHECK;

/* Returns the path of a file in the folder, which the caller frees. Aborts if memory runs out. */
char *data_dir_join_path(const struct data_dir *dir, const char *name);

/* Finds the process id of the supervisor whose house is open with this folder. Returns OK, FAILED
 * or CLOSED. */
enum data_dir_result data_dir_find_supervisor(const char *path, pid_t *pid) MUST_CHECK;

/* Makes an ed25519 key in OpenSSH's format at `path`, readable by its owner only, unless the file
 * exists. Returns false, with a line on the log, if that fails. */
bool host_key_make_if_missing(const char *path) MUST_CHECK;

/*
 * The file house.log. When it grows too long, it is renamed: house.log becomes house.log.1, the
 * earlier house.log.1 becomes house.log.2, and so on.
 */
struct log_file {
    const char *path;    /* borrowed */
    uint64_t most_bytes; /* size in bytes at which the file is renamed */
    unsigned keep;       /* how many renamed files are kept, 1 or more */
    int file;            /* descriptor; -1: not open */
    uint64_t size;
};

/*
 * Sends lines of the log to systemd's journal as structured entries, in the journal's native
 * protocol (https://systemd.io/JOURNAL_NATIVE_PROTOCOL/). The entry of a line has these fields:
 *
 *     MESSAGE=core info conn=812 event=sign-in method=key account=mira
 *     PRIORITY=6
 *     SYSLOG_IDENTIFIER=trickhouse
 *     TRICKHOUSE_PROCESS=core
 *     TRICKHOUSE_CONN=812             only if the line concerns a connection
 *     TRICKHOUSE_EVENT=sign-in
 *     TRICKHOUSE_METHOD=key           and so on for each key
 *     TRICKHOUSE_ACCOUNT=mira
 *
 * Values stay escaped as they are in the line (base/base.h). Text that is not a line of the log,
 * such as the last words of a library, becomes a warning that has only the first three fields.
 */
struct log_journald {
    const char *path; /* the journal's socket, borrowed; the socket is connected again if need be */
    int socket;       /* log_journald_connect */
    int stream;       /* the standard error that systemd has opened for the house, a socket to the
                         journal too. It gets the lines that `socket` does not take. */
    bool is_full;     /* the journal took no line in LOG_JOURNALD_WAIT_MS, and none since */
    unsigned lost;    /* lines that were lost since the last line that arrived */
};

#define LOG_JOURNALD_SOCKET "/run/systemd/journal/socket"

enum {
    /* A line waits this long for a journal that reads nothing. Later lines do not wait. */
    LOG_JOURNALD_WAIT_MS = 1000,
};

/* True if standard error is a stream of the journal: systemd names the stream that it has opened
 * for a service in JOURNAL_STREAM (systemd.exec(5)). */
bool log_journald_is_stderr(void);

/* Makes a socket that is connected to the journal's socket `path`. Returns -1 with errno. */
int log_journald_connect(const char *path) MUST_CHECK;

/* Sends a line of the log, with or without its newline. Never waits longer than
 * LOG_JOURNALD_WAIT_MS. Lines that the journal does not take are lost and counted; the next line
 * that it takes follows a line `event=lost` with their number. */
void log_journald_write_line(struct log_journald *journald, const char *line, size_t len);

/*
 * The process that writes the log: to house.log or to systemd's journal.
 * All other processes write to one pipe, their standard error.
 */
struct log_writer_setup {
    const char *path;    /* of house.log, borrowed; NULL: the log goes to the journal */
    uint64_t most_bytes; /* size in bytes at which house.log is renamed */
    unsigned keep;       /* how many renamed files are kept, 1 or more */
    int input;           /* the reading end of the pipe */
    int journal;         /* socket to the journal (log_journald_connect); -1: none */
    int stream; /* the house's former standard error, if that was the journal; -1: it was not */
    struct metrics metrics; /* metrics of the supervisor, which note each start and death of the
                               process (metrics.h) */
};

/* Writes the log until SIGTERM arrives, then writes the lines that have arrived so far and ends.
 * Also ends once no process has the pipe open for writing. Gets SIGTERM when its parent dies.
 * Lines are lost while house.log cannot be opened. Returns the exit status: 1, with a line on
 * standard error, if it cannot work. */
int log_writer_run(const struct log_writer_setup *setup);

/* What the supervisor knows of the process that writes the log. */
struct log_writer {
    struct log_writer_setup setup;
    pid_t pid; /* process id; 0: not running */
};

/*
 * Starts the process that writes the log to the file `path`. With NULL as the path, it writes to
 * systemd's journal, as structured entries, if standard error is the journal; otherwise there is no
 * such process. The lines of this process and its children, which they write to standard error,
 * then go through it. After an exec of the supervisor, whose image this is (NULL: the house is
 * new), the pipe stays, and a new process writes the lines that the old one has not written.
 *
 * Returns false, with a line on the log, if house.log cannot be written. A journal that fails
 * leaves standard error as it was.
 */
bool log_writer_begin(struct log_writer *writer, const char *path, const struct config *config,
                      const struct metrics *metrics, const json_t *image) MUST_CHECK;

/* Starts the process again if it has died. Call this when a child process has died. */
void log_writer_restart_if_dead(struct log_writer *writer);

/* Lets the process write all lines that have arrived, and waits until it ends. After that, standard
 * error is the journal's stream again; if the log went to house.log, nothing written to standard
 * error arrives anywhere. */
void log_writer_end(struct log_writer *writer);
