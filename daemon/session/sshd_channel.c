#include "daemon/session/session_state.h"

#include <libssh/server.h>
#include <stdio.h>
#include <string.h>

/* NOLINTBEGIN(readability-function-size): libssh's parameters */

static int accept_terminal(UNUSED ssh_session session, UNUSED ssh_channel ssh, const char *term,
                           int columns, int rows, UNUSED int width, UNUSED int height,
                           void *userdata)
{
    struct sshd_channel *channel = userdata;
    if (channel->has_terminal || channel->start != SSHD_CHANNEL_WAITING) {
        return -1;
    }
    channel->has_terminal = true;
    terminal_name_copy(channel->terminal->name, term);
    channel->terminal->size = terminal_size_clamp(columns, rows);
    return 0;
}

static int store_new_window_size(UNUSED ssh_session session, UNUSED ssh_channel ssh, int columns,
                                 int rows, UNUSED int width, UNUSED int height, void *userdata)
{
    struct sshd_channel *channel = userdata;
    channel->terminal->size = terminal_size_clamp(columns, rows);
    channel->terminal->is_resized = true;
    return 0;
}

/* Receives a variable of the client's environment. Sets no variable in this process: only the
 * character set and the language are used. */
static int store_environment_variable(UNUSED ssh_session session, UNUSED ssh_channel ssh,
                                      const char *name, const char *value, void *userdata)
{
    struct sshd_channel *channel = userdata;
    return terminal_take_env_variable(channel->terminal, name, value) ? 0 : -1;
}

/* NOLINTEND(readability-function-size) */

static int set_channel_use(struct sshd_channel *channel, enum sshd_channel_start use)
{
    if (channel->start != SSHD_CHANNEL_WAITING) {
        return -1;
    }
    channel->start = use;
    return 0;
}

static int accept_shell(UNUSED ssh_session session, UNUSED ssh_channel ssh, void *userdata)
{
    return set_channel_use(userdata, SSHD_CHANNEL_SHELL);
}

static int accept_command_line(UNUSED ssh_session session, UNUSED ssh_channel ssh,
                               const char *command, void *userdata)
{
    struct sshd_channel *channel = userdata;
    if (set_channel_use(channel, SSHD_CHANNEL_EXEC) != 0) {
        return -1;
    }
    snprintf(channel->command, sizeof(channel->command), "%s", command);
    return 0;
}

/* Accepts the subsystem for outside programs. Programs send whole messages, so no byte of their
 * input may be discarded. */
static int accept_subsystem(UNUSED ssh_session session, UNUSED ssh_channel ssh, const char *name,
                            void *userdata)
{
    struct sshd_channel *channel = userdata;
    if (strcmp(name, "api") != 0 || set_channel_use(channel, SSHD_CHANNEL_API) != 0) {
        channel->has_refused = true;
        return -1;
    }
    if (channel->terminal->in.max < API_IN_MAX) {
        channel->terminal->in.max = API_IN_MAX;
    }
    return 0;
}

/* Receives input. Discards the input that exceeds what a person can have typed since the last
 * read. */
static int store_typed_input(UNUSED ssh_session session, UNUSED ssh_channel ssh, void *data,
                             uint32_t len, int is_stderr, void *userdata)
{
    struct sshd_channel *channel = userdata;
    size_t start = channel->terminal->in.len;
    if (is_stderr == 0 && !bytes_add(&channel->terminal->in, data, len)) {
        channel->terminal->is_overrun = true;
    } else if (channel->has_terminal && channel->start == SSHD_CHANNEL_SHELL) {
        terminal_mark_paste(channel->terminal, start);
    }
    return (int)len;
}

/* Records that the input has ended, unless there is a terminal: somebody may still be reading its
 * screen. */
static void record_end_of_input(UNUSED ssh_session session, UNUSED ssh_channel ssh, void *userdata)
{
    struct sshd_channel *channel = userdata;
    channel->terminal->is_ended = !channel->has_terminal;
}

static void record_channel_close(UNUSED ssh_session session, UNUSED ssh_channel ssh, void *userdata)
{
    struct sshd_channel *channel = userdata;
    channel->terminal->is_closed = true;
}

void sshd_channel_init(struct sshd_channel *channel, ssh_session session, struct terminal *terminal,
                       size_t pending_max)
{
    *channel = (struct sshd_channel){
        .session = session,
        .terminal = terminal,
        .write_max =
            pending_max /
            2, /* half of the limit: the rest is room for what encryption adds to each packet */
        .callbacks =
            {
                .userdata = channel,
                .channel_data_function = store_typed_input,
                .channel_eof_function = record_end_of_input,
                .channel_close_function = record_channel_close,
                .channel_pty_request_function = accept_terminal,
                .channel_pty_window_change_function = store_new_window_size,
                .channel_env_request_function = store_environment_variable,
                .channel_shell_request_function = accept_shell,
                .channel_exec_request_function = accept_command_line,
                .channel_subsystem_request_function = accept_subsystem,
            },
    };
    ssh_callbacks_init(&channel->callbacks);
}

ssh_channel sshd_channel_open(struct sshd_channel *channel)
{
    if (channel->channel != NULL) {
        return NULL;
    }
    channel->channel = ssh_channel_new(channel->session);
    if (channel->channel != NULL) {
        ssh_set_channel_callbacks(channel->channel, &channel->callbacks);
    }
    return channel->channel;
}

bool sshd_channel_is_blocked(const struct sshd_channel *channel)
{
    return channel->terminal->out.len > 0 ||
           (ssh_get_status(channel->session) & SSH_WRITE_PENDING) != 0 ||
           ssh_channel_window_size(channel->channel) == 0;
}

size_t sshd_channel_send(struct sshd_channel *channel)
{
    struct bytes *out = &channel->terminal->out;
    size_t sent = 0;
    while (out->len > sent && ssh_channel_is_open(channel->channel) != 0 &&
           (ssh_get_status(channel->session) & SSH_WRITE_PENDING) == 0) {
        size_t len = out->len - sent;
        size_t window = ssh_channel_window_size(channel->channel);
        len = len > window ? window : len;
        len = len > channel->write_max ? channel->write_max : len;
        int written =
            len == 0 ? 0 : ssh_channel_write(channel->channel, out->at + sent, (uint32_t)len);
        if (written <= 0) {
            break;
        }
        sent += (size_t)written;
    }
    terminal_drop_sent_bytes(channel->terminal, sent);
    return sent;
}

void sshd_channel_close(struct sshd_channel *channel, int exit_status)
{
    if (channel->channel == NULL || ssh_channel_is_open(channel->channel) == 0) {
        return;
    }
    ssh_channel_request_send_exit_status(channel->channel, exit_status);
    ssh_channel_send_eof(channel->channel);
    ssh_channel_close(channel->channel);
}
