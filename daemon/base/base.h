#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* A growing byte buffer with a size limit. The caller holds the struct; the buffer owns its
 * memory. */
struct bytes {
    char *at;
    size_t len;
    size_t cap;
    size_t max; /* greatest value of `len` */
};

void bytes_init(struct bytes *bytes, size_t max_len);
void bytes_clear(struct bytes *bytes); /* Frees the buffer's memory. */

/* Adds the data at the end of the buffer. Returns false, and adds nothing, if the buffer would
 * exceed its limit. Aborts if memory runs out. */
bool bytes_add(struct bytes *bytes, const void *data, size_t len) MUST_CHECK;

/* Drops the first len bytes of the buffer. It must contain at least len bytes. */
void bytes_drop_first(struct bytes *bytes, size_t len);

/* Milliseconds since 1970 UTC, for times that are stored or shown. Jumps when the clock is set. */
int64_t clock_unix_ms(void);

/* Monotonic milliseconds from an arbitrary start, for measuring durations. */
int64_t clock_steady_ms(void);

/* The same clock, but the time in which the machine slept counts too. */
int64_t clock_boot_ms(void);

/* The clock of clock_steady_ms in microseconds. */
int64_t clock_steady_us(void);

/* Closes the descriptor, unless it is -1. Preserves errno, so that a function can fail, close its
 * descriptors and still return the errno of the failure. */
void fd_close(int fd);
void fd_close_pair(const int fds[2]);

/* Closes the descriptor, unless it is -1, and sets it to -1. Preserves errno. */
void fd_close_and_reset(int *fd);

/* Closes the descriptors from `first` to `last`; the flags are those of close_range(2), which not
 * every C library offers. Returns false with errno. */
bool fd_close_range(unsigned first, unsigned last, unsigned flags);

/* Returns a descriptor of a process (pidfd_open(2)), which becomes readable when the process ends;
 * -1 with errno. */
int fd_open_process(pid_t pid) MUST_CHECK;

/* Sends a signal to the process of such a descriptor. Returns false with errno. */
bool fd_signal_process(int process_fd, int signal_number) MUST_CHECK;

/* Opens a regular file with these flags of open(2), and makes it with mode 0600. Never waits: what
 * is no regular file, such as a FIFO or a device, is refused. Returns a close-on-exec descriptor;
 * -1 with errno, which is EMEDIUMTYPE if the file is of another type. */
int files_open_regular(const char *path, int flags) MUST_CHECK;

/* Reads a regular file whole, but no more than `most` bytes. Returns its bytes, ended by NUL, which
 * the caller frees; NULL with errno, which is EFBIG if the file is longer. */
char *files_read(const char *path, size_t most, size_t *len) MUST_CHECK;

/* Explains errno after one of the functions above; borrowed. */
const char *files_explain_errno(void);

/*
 * Restricts which files a process may open by name (landlock(7)): only files in certain folders,
 * and only for reading. Files that are already open stay usable.
 */

/* Makes the rules that allow this process and its children only to read files in these folders. The
 * list ends with NULL; missing folders are skipped. Returns a close-on-exec descriptor; -1, with a
 * line on the log, if the kernel has no Landlock. */
int files_make_access_rules(const char *const *readable_folders);

/* Applies the rules to this process permanently. The process must have set no_new_privs. Returns
 * false with errno. */
bool files_apply_access_rules(int rules_fd) MUST_CHECK;

/* The heap of glibc. With another C library, these functions have no effect: then sessions need
 * more memory, and nothing else changes. */

/* Gives free memory back to the system. */
void heap_release_free_memory(void);

/* Returns the address behind the last allocation in the heap; 0 with another C library. */
uintptr_t heap_find_end(void);

/* IPv4 and IPv6 addresses and networks, as 128 bits: an IPv4 address is ::ffff:a.b.c.d. */
struct ip_net {
    uint8_t bytes[16];
    uint8_t bits; /* length of the prefix, in bits */
};

#define IP_NET_TEXT_SIZE (INET6_ADDRSTRLEN + 4) /* room for a network as text */
#define IP_NET_IPV4_BITS 96                     /* length of the prefix ::ffff: in bits */

/* Reads the address of a socket; returns false if it is not an IP address. */
bool ip_net_read_address(const struct sockaddr *address, socklen_t len,
                         uint8_t bytes[16]) MUST_CHECK;

/* Parses a network, such as "192.0.2.0/24" or "2001:db8::/48", or a single address. Returns false,
 * and changes nothing, if the text is neither. */
bool ip_net_parse(const char *text, struct ip_net *net) MUST_CHECK;

/* Parses networks that are separated by single spaces. Returns their number; 0 if the text holds no
 * network, more than `max`, or anything else. */
size_t ip_net_parse_list(const char *text, struct ip_net *nets, size_t max) MUST_CHECK;

bool ip_net_contains(const struct ip_net *net, const uint8_t address[16]);
bool ip_net_is_ipv4(const uint8_t address[16]);

/*
 * Writes one line per event to standard error, which the supervisor has redirected:
 *
 *     2026-11-20T06:26:46.123Z core info conn=812 event=sign-in method=key account=mira
 *     2026-11-20T06:26:46.123Z gate error conn=- event=note what="cannot accept: out of memory"
 *
 * A line contains the time in UTC, the process's name, the level, the connection
 * or "-" for none, the event, and key=value pairs (daemon/processes/README.md lists the events). A
 * value of letters, digits and +,-./:@_ is written as it is, any other in double quotes. There
 * double quotes, backslashes, equals signs and everything but printable ASCII are escaped as \xNN,
 * so that an event is always one line, and no part of a value looks like a key. Never log
 * passwords, codes, private messages or hidden cards, nor a name that no account has: some people
 * type a password there. log_line.h takes lines apart.
 */
enum log_level {
    LOG_LEVEL_ERROR, /* errors that a person must fix */
    LOG_LEVEL_WARN,  /* misbehaving clients and reached limits; the house goes on */
    LOG_LEVEL_INFO,  /* normal events */
    LOG_LEVEL_DEBUG, /* details, logged only if TRICKHOUSE_DEBUG is set in the environment */
};

#define LOG_LINE_MAX 1024 /* longer lines are truncated; a quoted value keeps its closing quote */

/* Logs an event: its name, then keys and values alternately, ended by NULL (LOG_PAIRS). A key whose
 * value is NULL is left out. Event names and keys are constants of our code, never text from
 * outside: lower-case letters, digits, - and _. conn is 0 if the event concerns no connection.
 * Preserves errno. */
void log_pairs(enum log_level level, int64_t conn, const char *event, const char *const *pairs);

#define LOG_PAIRS(...) ((const char *const[]){__VA_ARGS__, NULL})

/*
 * Logs a line that a distrusted process has written with log_pairs. The process name and connection
 * given here and the current time replace those in the line. `text` is the line without its
 * newline. The line must have the form that log_pairs writes, concern the given connection or none,
 * have one of the given events (the list ends with NULL), and no key `event`, `conn` or `process`
 * besides. Otherwise returns false and writes nothing.
 */
bool log_relay_line(const char *process_name, int64_t conn, const char *text,
                    const char *const *allowed_events) MUST_CHECK;

struct log_number_text {
    char text[24];
};

/* Writes a number as text, for LOG_PAIRS: LOG_NUMBER(5). */
struct log_number_text log_format_number(int64_t number);
#define LOG_NUMBER(number_) (log_format_number(number_).text)

/* Logs a sentence for people as the event `note`, under the key `what`. */
void log_event(enum log_level level, int64_t conn, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Logs a sentence for people as an error, followed by the text of errno: "…: No such file or
 * directory". Always returns false, so that a caller can return the result. Preserves errno. */
bool log_failure(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Functions that end the process at once if memory runs out. The supervisor then starts another
 * process, and no request stays half done.
 */

/* Returns `allocated`, the result of a library's allocation; aborts if it is NULL. */
void *must_not_be_null(void *allocated);

/* Returns zeroed memory; release it with free(). */
void *must_allocate(size_t size);

/* Returns a copy of the text; NULL if the text is NULL. Release the copy with free(). */
char *must_copy_text(const char *text);

#define EDIT_WORD_MAX 40 /* bytes of a word that edit_distance compares */

/* Returns the Levenshtein distance between two words, to suggest what a wrong word was to be. */
size_t edit_distance(const char *a, const char *b);

/* Returns the message as JSON on one line; release that text with free(). Takes over the caller's
 * reference to the message. */
char *must_format_json(json_t *message);

/*
 * Sends and receives protocol messages on a SOCK_SEQPACKET socket: one message per packet,
 * optionally with one file descriptor. No function here blocks but packet_send_waiting.
 */
#define PACKET_MAX 65536

enum packet_result {
    PACKET_OK = 0,
    PACKET_AGAIN,  /* nothing to read, or no room to write: wait for the socket and try again */
    PACKET_CLOSED, /* the other end is closed */
    PACKET_BAD,    /* the packet is too long or incomplete: drop the connection */
};

/* Makes a connected pair with buffers large enough for PACKET_MAX, close-on-exec. Returns 0, or -1
 * with errno. */
int packet_make_socket_pair(int ends[2]) MUST_CHECK;

/* Sends one packet. If fd_to_pass is not -1, sends a copy of that descriptor with the packet; the
 * caller's own descriptor stays open. */
enum packet_result packet_send(int socket, const char *bytes, size_t len,
                               int fd_to_pass) MUST_CHECK;

/* The same, but waits for room in the socket for a moment. Returns false if there is none, or the
 * other end is closed. */
bool packet_send_waiting(int socket, const char *bytes, size_t len, int fd_to_pass) MUST_CHECK;

/* Receives one packet: fills `buffer` (PACKET_MAX bytes) and sets *len. If a descriptor came with
 * the packet, *fd_passed becomes that descriptor, which the caller must close; otherwise -1. If
 * fd_passed is NULL, an unexpected descriptor is closed. */
enum packet_result packet_receive(int socket, char *buffer, size_t *len, int *fd_passed) MUST_CHECK;

/* Packets that wait until their socket has room, in order; some have a descriptor. At first all is
 * zero. */
struct packet_queue {
    struct packet_in_queue *first, *last;
    size_t count;
    size_t bytes;
};

/* What packets that wait count for, for their bytes and for the memory around them. */
static inline size_t packet_cost(size_t len)
{
    return len + 64;
}

static inline size_t packet_queue_cost(const struct packet_queue *queue)
{
    return queue->bytes + queue->count * packet_cost(0);
}

/* Drops the packets that wait, and closes their descriptors. */
void packet_queue_clear(struct packet_queue *queue);

/* Adds a packet of 1 to PACKET_MAX bytes. Takes over the descriptor; -1: none. Aborts if memory
 * runs out. */
void packet_queue_add(struct packet_queue *queue, const char *bytes, size_t len, int fd);

/* Sends what the socket has room for. Returns PACKET_OK if nothing waits any more, or why the next
 * packet could not be sent. */
enum packet_result packet_queue_send(struct packet_queue *queue, int socket) MUST_CHECK;

/* the kernel's size limit of a process name, with the terminating NUL */
#define PROCESS_NAME_MAX 16

/* Names this process: "core" for top and the log, "trickhouse: core" as its command line for ps. A
 * forked child begins with its parent's name. Longer names are truncated. Needs /proc/self/stat to
 * change the command line. Overwrites the texts of argv: copy those that are still needed. */
void process_set_name(const char *name);

/* A command line in the memory of its process, where it can be overwritten. A forked child has it
 * at the same place. */
struct command_line {
    char *at; /* NULL: not found */
    size_t len;
};

/* process_set_name in two steps, for a process that forks many children: it finds the command line
 * once, because the kernel needs a tenth of a millisecond to write /proc/self/stat. */
struct command_line process_find_command_line(void);
void process_set_name_in(const struct command_line *line, const char *name);

/* the user and group that a process running as root changes to permanently */
struct rights {
    uid_t user;
    gid_t group;
};

/* Finds a user by name. Returns false with errno 0 if there is no such user or the user is root or
 * in root's group.
 * Returns false with errno set if the search failed. */
bool rights_find_user(const char *name, struct rights *rights) MUST_CHECK;

/* Makes this process run as the given user, without root's groups and capabilities, and keeps other
 * processes from tracing it. On failure returns false with errno; the change may be half done, so
 * the process must not go on. */
bool rights_change_user(const struct rights *rights) MUST_CHECK;

/* Changes the user like rights_change_user, but keeps the right to listen on ports below 1024.
 * Programs that this process starts have that right too. */
bool rights_change_user_keep_low_ports(const struct rights *rights) MUST_CHECK;

/* Gives up all capabilities, unless the process is root, which needs them to change its user later.
 * Returns false with errno. */
bool rights_give_up_capabilities(void) MUST_CHECK;

/* IS_SANITIZED is 1 in builds with the address sanitizer, which needs its own memory, files and
 * system calls. */
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

/* Gives the memory of the stack below the caller's frame back to the system: a call that once went
 * deep, or had large variables, leaves pages that the process may never need again. They are zero
 * when they are next used. Does nothing in builds with sanitizers, which track the stack. */
void spare_stack_release(void);

/*
 * Memory that child processes do not inherit: they neither see its contents nor make its pages
 * cost a copy when the parent next writes to them.
 */

/* Returns zeroed memory, of which only the pages that are written to take memory. Aborts if memory
 * runs out. Release it with unforked_free and the same size. */
void *unforked_allocate(size_t size);

void unforked_free(void *memory, size_t size);

/*
 * The time zones that are installed (Debian's package tzdata), such as Europe/Berlin. A process
 * that cannot open files any more still has them: it keeps the rule of each zone as POSIX writes it
 * (TZ=CET-1CEST,M3.5.0,M10.5.0/3; RFC 8536, 3.3). The rule is that of today and the future; times
 * of years in which another one was in force may be an hour wrong.
 */
#define ZONES_NAME_SIZE 40

/* Reads all zones. Call it while the process may open files; its forks inherit them. At a second
 * call it does nothing. */
void zones_load(void);

/* Makes a zone that of this process (localtime_r). The name may be that of its last part alone, in
 * any case: "berlin". Returns the whole name; NULL if there is no such zone. */
const char *zones_use(const char *name);

/* Returns the name of the zone that zones_use has chosen last; "": none, so times are those of the
 * house. */
const char *zones_used(void);
