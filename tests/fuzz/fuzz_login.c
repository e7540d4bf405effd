#include "daemon/base/base.h"
#include "daemon/session/session_state.h"
#include "lobby/protocol/protocol.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * A session before sign-in receives arbitrary messages from the core and arbitrary input from the
 * client. A line of the input that begins with ">" holds keys typed at the questions of the telnet
 * sign-in. A line that begins with "k", "p" or "g" is an attempt to sign in by ssh with a key, with
 * a password or as a guest. Every other line is a packet from the core.
 */

static void check_login(const struct login *sign_in, enum login_result result)
{
    char note[LOGIN_NOTE_MAX];
    bool is_open = result == LOGIN_IN || result == LOGIN_UNREGISTERED;
    fuzz_assert(is_open == (sign_in->state == LOGIN_SIGNED_IN));
    fuzz_assert(result != LOGIN_IN || (sign_in->you != NULL && !sign_in->is_unregistered));
    fuzz_assert(result != LOGIN_UNREGISTERED || sign_in->is_unregistered);
    fuzz_assert(result != LOGIN_WAIT ||
                (sign_in->wait_seconds >= 1 && sign_in->wait_seconds <= 3600));
    fuzz_assert(result != LOGIN_NO_CORE ||
                (sign_in->state == LOGIN_FAILED && sign_in->is_core_gone));
    fuzz_assert(sign_in->wrong_tries <= 6);
    login_write_refusal_note(sign_in, result, note);
    fuzz_assert(strlen(note) < LOGIN_NOTE_MAX);
}

static void attempt_sign_in(struct login *sign_in, const char *line, size_t len)
{
    char name[256];
    (void)snprintf(name, sizeof(name), "%.*s", (int)(len - 1), line + 1);
    if (line[0] == 'k') {
        enum login_result result = login_check_key(sign_in, name, "ssh-ed25519", "SHA256:x");
        fuzz_assert(sign_in->state == LOGIN_ASKING || result == LOGIN_NO_CORE);
        if (result == LOGIN_KNOWN) {
            check_login(sign_in, login_by_key(sign_in, name, "ssh-ed25519", "SHA256:x"));
        }
    } else if (line[0] == 'p') {
        check_login(sign_in, login_by_password(sign_in, name, name));
    } else {
        check_login(sign_in, login_as_guest(sign_in));
    }
}

static void type_keys(struct telnet_login *login, const char *keys, size_t len)
{
    struct bytes typed, out;
    bytes_init(&typed, 1 << 16);
    bytes_init(&out, 1 << 20);
    if (bytes_add(&typed, keys, len)) {
        telnet_login_handle(login, &typed, 0, &out);
        bool is_over = login->has_left || login->sign_in->state != LOGIN_ASKING;
        fuzz_assert(typed.len == 0 || is_over);
        fuzz_assert(login->len <= TELNET_LOGIN_LINE_MAX);
        fuzz_assert(login->sign_in->state != LOGIN_SIGNED_IN || !login->has_left);
    }
    bytes_clear(&typed);
    bytes_clear(&out);
}

static void run_event(struct login *sign_in, struct telnet_login *login, int core, const char *line,
                      size_t len)
{
    static char drained[PACKET_MAX];
    size_t drained_len;
    if (line[0] == '>') {
        type_keys(login, line + 1, len - 1);
        type_keys(login, "\r", 1);
    } else if (strchr("kpg", line[0]) != NULL) {
        attempt_sign_in(sign_in, line, len);
    } else {
        enum packet_result result = packet_send(core, line, len, -1);
        fuzz_assert(result == PACKET_OK || result == PACKET_AGAIN || len > PACKET_MAX);
    }
    while (packet_receive(core, drained, &drained_len, NULL) == PACKET_OK) {
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    int ends[2];
    fuzz_assert(packet_make_socket_pair(ends) == 0);
    struct bytes out;
    struct telnet_login login;
    struct login sign_in = {
        .link = core_link_new(ends[0]), .peer_fd = -1, .stop_fd = -1, .deadline_ms = 0};
    client_send_hello(sign_in.link->client, "fuzz");
    bytes_init(&out, 4096);
    telnet_login_begin(&login, &sign_in, true, &out);
    struct fuzz_lines lines = fuzz_split_lines(bytes, len);
    const char *line;
    for (size_t line_len;
         sign_in.state == LOGIN_ASKING && fuzz_next_line(&lines, &line, &line_len);) {
        run_event(&sign_in, &login, ends[1], line, line_len);
    }
    bytes_clear(&out);
    json_decref(sign_in.you);
    client_free(sign_in.link->client); /* nothing waits to be sent: run_event drains the socket */
    free(sign_in.link->buffer);
    free(sign_in.link);
    close(ends[0]);
    close(ends[1]);
    return 0;
}
