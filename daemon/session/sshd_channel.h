#pragma once

#include "daemon/session/terminal.h"

#include <libssh/callbacks.h>
#include <libssh/libssh.h>

/*
 * The only channel of an SSH connection. It has one terminal, and one shell, command or subsystem.
 * The callbacks of libssh only set flags and copy bytes here, because they may run inside one of
 * our own writes.
 */
enum sshd_channel_start {
    SSHD_CHANNEL_WAITING = 0,
    SSHD_CHANNEL_SHELL,
    SSHD_CHANNEL_EXEC,
    SSHD_CHANNEL_API, /* the subsystem "api" */
};

enum {
    SSHD_CHANNEL_COMMAND_MAX =
        1200 /* room for a command line with its NUL: more than any query needs */
};

struct sshd_channel {
    ssh_session session; /* borrowed */
    ssh_channel channel; /* NULL until the channel is open; the SSH session owns it */
    enum sshd_channel_start start;
    struct terminal *terminal; /* borrowed */
    /* the command line that the client wants to run; a longer one is truncated: no query is that
     * long */
    char command[SSHD_CHANNEL_COMMAND_MAX];
    bool has_terminal;
    bool has_refused; /* a subsystem was refused: some clients do not ask for a reply and would wait
                         for ever */
    size_t write_max; /* most bytes that one write gives to the channel */
    struct ssh_channel_callbacks_struct callbacks;
};

/* Lets the client open one channel on the session; `channel` must not move. At most pending_max
 * bytes of output may wait in libssh. If there is no terminal, the client's end of file ends the
 * input. If there is one, only closing the channel ends it. */
void sshd_channel_init(struct sshd_channel *channel, ssh_session session, struct terminal *terminal,
                       size_t pending_max);

/* Opens the channel. This is a channel_open_request_session_function of libssh; returning NULL
 * refuses the channel. */
ssh_channel sshd_channel_open(struct sshd_channel *channel);

/* True while output is waiting to be sent, and nothing more should be drawn. */
bool sshd_channel_is_blocked(const struct sshd_channel *channel);

/* Sends as much as the client's window and the socket have room for. Returns the number of bytes
 * taken from the terminal's `out`. */
size_t sshd_channel_send(struct sshd_channel *channel);

/* Sends the exit status, the end of file and the closing of the channel, in this order. */
void sshd_channel_close(struct sshd_channel *channel, int exit_status);
