#pragma once

#include "daemon/base/base.h"
#include "games/macros.h"

#include <event2/event.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/*
 * The folder of backups, one file each: house-n000042-20261120T091500Z.db has the number of the
 * backup, and the time (UTC) at which it began. The numbers rise, whatever the clock says, so names
 * sort by age. A backup without a number counts as older than all that have one. The name of a copy
 * that is not yet checked ends in ".partial".
 */
#define BACKUPS_NAME_MAX 48

/* Writes the name of a backup that begins at this time: it becomes the newest of the folder. */
void backups_dir_write_name(const char *path, int64_t begun_ms, char name[BACKUPS_NAME_MAX]);

/* Makes the folder, for its owner only, if it is missing. Returns false with errno. */
bool backups_dir_make(const char *path) MUST_CHECK;

/* Returns when the newest backup began, in Unix seconds; 0 if there is none or the folder cannot be
 * read. */
int64_t backups_dir_find_newest_s(const char *path);

/* Removes all backups but the newest `keep_count`, and no other files. Returns the number of
 * removed files; -1 with errno if the folder cannot be read or a file cannot be removed. */
int backups_dir_remove_oldest(const char *path, size_t keep_count);

/* Makes a command line for execv(3) or posix_spawn(3): the program's name, then `args` (which end
 * with NULL), then `extra1` and `extra2`, each of which may be NULL. Free the array with free();
 * the texts are borrowed. */
char **command_line_make(const char *const *args, const char *extra1,
                         const char *extra2) MUST_CHECK;

/* The connection numbers of the sessions of node n begin at n << NODES_CONN_SHIFT. */
#define NODES_CONN_SHIFT 48

/* Events of libevent. All these functions abort if memory runs out. */

/* Makes an event (event_new(3)), for which nobody waits yet. */
struct event *loop_make_event(struct event_base *base, int fd, short events,
                              event_callback_fn callback, void *context);

/* Makes an event and waits for it from now on. */
struct event *loop_watch(struct event_base *base, int fd, short events, event_callback_fn callback,
                         void *context);

/* Waits for the event from now on, without a limit or for so long. */
void loop_begin(struct event *event);
void loop_begin_ms(struct event *event, int64_t wait_ms);

/*
 * Tells a gate or a session, at the other end of the socket, that nobody answers for the house, or
 * that it answers after all (PROTOCOL.md, "When the house is away"). Whoever has the core's end of
 * the socket may do so. HOUSE_WAITS says besides that it may take long, because the core cannot use
 * its data: whoever has not signed in need not wait. If the socket has no room, nothing is told:
 * its process does not read at present, and only its screen would say so.
 */
#define HOUSE_IS_AWAY "{\"t\":\"house_away\"}"
#define HOUSE_WAITS "{\"t\":\"house_away\",\"waits\":true}"
#define HOUSE_IS_BACK "{\"t\":\"house_back\"}"
void house_away_tell(int socket, const char *news);

/*
 * The state that a process keeps when it executes its own program again, or a newer version: JSON
 * in a file in memory, whose descriptor stays open across the exec.
 */

/* Writes the state to a file in memory; takes over the reference. Returns the file's descriptor,
 * which stays open across the next exec; -1 with errno. */
int image_save_to_memory_file(json_t *state) MUST_CHECK;

/* Reads the state from the file and closes the file. Returns NULL if the file holds no JSON. */
json_t *image_load_and_close(int image_fd) MUST_CHECK;

/* Sets whether a descriptor stays open across the next exec. Ignores -1. */
void image_set_kept_across_exec(int fd, bool is_kept);

/* Returns a descriptor from the state; -1 if it has none of this name. */
int image_read_descriptor(const json_t *state, const char *name);

/* Returns bytes as a JSON string of hex digits, a new reference. Those of a struct are only
 * understood by the same version of the program. */
json_t *image_bytes_to_json(const void *bytes, size_t len) MUST_CHECK;

/* Reads bytes that image_bytes_to_json wrote. Returns false, and changes nothing, if the size
 * differs; also returns false if there is anything but hex digits. */
bool image_bytes_from_json(const json_t *string, void *bytes, size_t len) MUST_CHECK;

/* Returns the index of the first net that contains the address (base/base.h); -1 if none does. */
int find_ip_net(const struct ip_net *nets, size_t count, const uint8_t bytes[16]) MUST_CHECK;

/* Raises the nice value of this process; logs a failure with this text. */
void lower_priority(int by, const char *failure);

/* Makes a socket that listens at this address, to which `backlog` connections may wait. An IPv6
 * socket accepts only IPv6, and IPv4 has a socket of its own, so both work, whatever the system's
 * default is. Returns -1 with errno. */
int listen_at(const struct sockaddr *address, socklen_t len, int backlog) MUST_CHECK;

#define LISTENERS_MAX 16

/* Listening sockets: those of the gate, or those that systemd has opened for the house. */
struct listeners {
    struct listener {
        int socket;
        bool is_telnet;  /* true: telnet; false: SSH */
        bool is_proxied; /* only proxies may connect, which tell their clients' addresses */
    } list[LISTENERS_MAX];
    size_t count;
};

/* Adds a socket. Returns false if the list is full; then the caller keeps the socket. */
bool listeners_add(struct listeners *listeners, struct listener listener) MUST_CHECK;

/* True if there is a socket for telnet, or for SSH, to which clients connect without a proxy. */
bool listeners_include(const struct listeners *listeners, bool is_telnet);

/* Closes all sockets and empties the list. */
void listeners_close(struct listeners *listeners);

/* Sets whether the sockets stay open across the next exec. */
void listeners_set_kept_across_exec(const struct listeners *listeners, bool is_kept);

/* Returns the list for an image, a new reference. */
json_t *listeners_to_json(const struct listeners *listeners) MUST_CHECK;

/* Reads the list from an image; NULL is an empty list. Returns false if the JSON is no such
 * list. */
bool listeners_from_json(const json_t *array, struct listeners *listeners) MUST_CHECK;

/* The ports of a house, which processes send each other as "2222\n" or, with telnet, "2222
 * 2323\n". */
struct ports {
    uint16_t ssh;
    uint16_t telnet; /* 0 if the house has no telnet */
};

#define PORTS_TEXT_MAX 16

/* Writes the ports to a pipe. Returns false with errno. */
bool ports_write(int fd, const struct ports *ports) MUST_CHECK;

/* Reads the ports from a text that ports_write wrote. */
struct ports ports_parse(const char *text);
