#include "tests/bench/load/wire.h"

#include "tests/bench/load/options.h"
#include "tests/times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLICE_MS 100
#define OVERLAP_MAX 256 /* longest words that may be split between two reads */

static bool fail(struct wire *wire, const char *what)
{
    const char *error = wire->session != NULL ? ssh_get_error(wire->session) : "out of memory";
    snprintf(wire->why, sizeof(wire->why), "%s: %s", what, error);
    wire->why[strcspn(wire->why, "\r\n")] = '\0';
    return false;
}

static bool open_session(struct wire *wire, const struct options *options, int turn)
{
    int no_config = 0, no_delay = 1, port = options->ports[turn % options->port_count];
    long timeout_s = options->timeout_s;
    wire->session = ssh_new();
    if (wire->session == NULL) {
        return fail(wire, "session");
    }
    if (ssh_options_set(wire->session, SSH_OPTIONS_HOST, options->host) != SSH_OK ||
        ssh_options_set(wire->session, SSH_OPTIONS_PORT, &port) != SSH_OK ||
        ssh_options_set(wire->session, SSH_OPTIONS_USER, options->user) != SSH_OK ||
        ssh_options_set(wire->session, SSH_OPTIONS_TIMEOUT, &timeout_s) != SSH_OK ||
        ssh_options_set(wire->session, SSH_OPTIONS_NODELAY, &no_delay) != SSH_OK ||
        ssh_options_set(wire->session, SSH_OPTIONS_PROCESS_CONFIG, &no_config) != SSH_OK) {
        return fail(wire, "options");
    }
    return ssh_connect(wire->session) == SSH_OK || fail(wire, "connect");
}

static bool sign_in(struct wire *wire, const struct options *options, ssh_key key)
{
    int result;
    if (key != NULL) {
        result = ssh_userauth_publickey(wire->session, NULL, key);
    } else if (options->password_env != NULL) {
        const char *password = getenv(options->password_env);
        result = ssh_userauth_password(wire->session, NULL, password != NULL ? password : "");
    } else {
        result = ssh_userauth_none(wire->session, NULL);
    }
    if (result == SSH_AUTH_DENIED || result == SSH_AUTH_PARTIAL) {
        snprintf(wire->why, sizeof(wire->why), "sign in: the server refused it");
        return false;
    }
    return result == SSH_AUTH_SUCCESS || fail(wire, "sign in");
}

static bool open_terminal(struct wire *wire)
{
    wire->channel = ssh_channel_new(wire->session);
    if (wire->channel == NULL || ssh_channel_open_session(wire->channel) != SSH_OK) {
        return fail(wire, "channel");
    }
    if (ssh_channel_request_pty_size(wire->channel, "xterm-256color", 80, 24) != SSH_OK) {
        return fail(wire, "terminal");
    }
    return ssh_channel_request_shell(wire->channel) == SSH_OK || fail(wire, "shell");
}

int64_t wire_connect(struct wire *wire, const struct options *options, int turn, ssh_key key)
{
    int64_t begin_us = times_now_us();
    *wire = (struct wire){0};
    bool is_in = open_session(wire, options, turn) && sign_in(wire, options, key) &&
                 open_terminal(wire) &&
                 wire_wait_for(wire, options->marker, (int64_t)options->timeout_s * 1000);
    if (!is_in) {
        wire_close(wire);
        return -1;
    }
    return times_now_us() - begin_us;
}

void wire_close(struct wire *wire)
{
    if (wire->channel != NULL) {
        ssh_channel_free(wire->channel);
    }
    if (wire->session != NULL) {
        ssh_disconnect(wire->session);
        ssh_free(wire->session);
    }
    wire->channel = NULL;
    wire->session = NULL;
}

bool wire_type(struct wire *wire, const char *keys)
{
    uint32_t len = (uint32_t)strlen(keys);
    return len == 0 || ssh_channel_write(wire->channel, keys, len) == (int)len ||
           fail(wire, "typing");
}

/* Says why nothing more can be read. */
static int end_of_output(struct wire *wire)
{
    if (ssh_channel_is_eof(wire->channel) || ssh_channel_is_closed(wire->channel)) {
        snprintf(wire->why, sizeof(wire->why), "the server closed the connection");
    } else {
        (void)fail(wire, "reading");
    }
    return -1;
}

int wire_read(struct wire *wire, char *bytes, size_t cap)
{
    int got = ssh_channel_read_nonblocking(wire->channel, bytes, (uint32_t)cap, 0);
    if (got > 0) {
        return got;
    }
    bool is_over = got < 0 || ssh_channel_is_eof(wire->channel) || !ssh_is_connected(wire->session);
    return is_over ? end_of_output(wire) : 0;
}

bool wire_wait_for(struct wire *wire, const char *words, int64_t wait_ms)
{
    char seen[OVERLAP_MAX + 16384];
    size_t kept = 0, words_len = strlen(words);
    double deadline_ms = times_now_ms() + (double)wait_ms;
    while (times_now_ms() < deadline_ms) {
        int got = ssh_channel_read_timeout(wire->channel, seen + kept,
                                           (uint32_t)(sizeof(seen) - kept), 0, SLICE_MS);
        if (got < 0 || ssh_channel_is_eof(wire->channel)) {
            (void)end_of_output(wire);
            return false;
        }
        size_t len = kept + (size_t)got;
        if (memmem(seen, len, words, words_len) != NULL) {
            return true;
        }
        kept = len < words_len - 1 ? len : words_len - 1;
        memmove(seen, seen + len - kept, kept);
    }
    snprintf(wire->why, sizeof(wire->why), "\"%.60s\" did not appear in %lld s", words,
             (long long)wait_ms / 1000);
    return false;
}

static bool wait_until_silent(struct wire *wire, int quiet_ms, int most_ms, bool has_output)
{
    char bytes[16384];
    double deadline_ms = times_now_ms() + most_ms;
    int got = 0;
    do {
        has_output |= got > 0;
        got = ssh_channel_read_timeout(wire->channel, bytes, sizeof(bytes), 0, quiet_ms);
    } while ((got > 0 || (got == 0 && !has_output && !ssh_channel_is_eof(wire->channel))) &&
             times_now_ms() < deadline_ms);
    if (got < 0 || ssh_channel_is_eof(wire->channel)) {
        (void)end_of_output(wire);
        return false;
    }
    return true;
}

bool wire_wait_for_effect(struct wire *wire, int quiet_ms, int most_ms)
{
    return wait_until_silent(wire, quiet_ms, most_ms, false);
}

bool wire_wait_until_silent(struct wire *wire, int quiet_ms, int most_ms)
{
    return wait_until_silent(wire, quiet_ms, most_ms, true);
}

int wire_fd(const struct wire *wire)
{
    return ssh_get_fd(wire->session);
}
