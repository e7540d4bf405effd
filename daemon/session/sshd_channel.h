#pragma once

#include "daemon/session/terminal.h"

#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The one channel of an SSH connection: one terminal, one shell, command
 * or subsystem. libssh's callbacks only
 * set flags and copy bytes here, because they may run inside one of our own writes.
 */
enum sshd_channel_start {
    SSHD_CHANNEL_WAITING = 0,
    SSHD_CHANNEL_SHELL,
    SSHD_CHANNEL_EXEC,
    SSHD_CHANNEL_API, /* the subsystem of that name */
};

enum {
    SSHD_CHANNEL_COMMAND_MAX = 1200 /* bytes, with the NUL: more than any query takes */
};

struct sshd_channel {
    ssh_session session; /* borrowed */
    ssh_channel channel; /* NULL until it is open; the session's */
    enum sshd_channel_start start;
    struct terminal *terminal;              /* borrowed */
    char command[SSHD_CHANNEL_COMMAND_MAX]; /* to be run; a longer one is cut, and unknown so */
    bool has_terminal;
    bool has_refused; /* a subsystem: there are clients that ask for no answer, and wait */
    size_t write_max; /* at once */
    struct ssh_channel_callbacks_struct callbacks;
};

/* Begins to accept one channel on the session, in place; `channel` must stay where it is. What
 * libssh may have pending stays below pending_max bytes. The client's end-of-file ends the
 * typing where there is no terminal, else only its close closes it. */
void sshd_channel_init(struct sshd_channel *channel, ssh_session session, struct terminal *terminal,
                       size_t pending_max);

/* For the session's channel_open_request_session_function: NULL refuses. */
ssh_channel sshd_channel_open(struct sshd_channel *channel);

/* True while something painted has not left for the network: nothing more should be painted. */
bool sshd_channel_is_blocked(const struct sshd_channel *channel);

/* Sends what the peer's window and the socket have room for; returns the bytes taken from the
 * terminal's `out`. */
size_t sshd_channel_pump(struct sshd_channel *channel);

/* Exit status, end-of-file, close: in this order. */
void sshd_channel_close(struct sshd_channel *channel, int exit_status);
