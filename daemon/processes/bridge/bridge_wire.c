#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"
#include "daemon/processes/common/common.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* == Frames == */

/* The greeting is this word and the version, two bytes. */
static const char word[] = "bridge";

#define WORD_BYTES (sizeof word - 1)

static uint64_t read_number(const char *bytes, size_t len)
{
    uint64_t number = 0;
    for (size_t i = 0; i < len; i++) {
        number = number << 8 | (unsigned char)bytes[i];
    }
    return number;
}

static void write_number(char *bytes, size_t len, uint64_t number)
{
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (char)(unsigned char)(number >> (8 * (len - 1 - i)) & 0xFF);
    }
}

bool frames_reader_add(struct frames_reader *reader, const char *bytes, size_t len)
{
    bytes_drop_first(&reader->unread, reader->read_to);
    reader->read_to = 0;
    return bytes_add(&reader->unread, bytes, len);
}

static bool is_readable_version(uint64_t version)
{
    return version + 1 >= FRAMES_VERSION && version <= FRAMES_VERSION + 1 && version > 0;
}

static enum frames_result read_greeting(struct frames_reader *reader)
{
    const char *at = reader->unread.at;
    if (reader->unread.len < FRAMES_GREETING_BYTES) {
        return FRAMES_MORE;
    }
    if (memcmp(at, word, WORD_BYTES) != 0 ||
        !is_readable_version(read_number(at + WORD_BYTES, FRAMES_GREETING_BYTES - WORD_BYTES))) {
        return FRAMES_BAD;
    }
    reader->is_greeted = true;
    reader->read_to = FRAMES_GREETING_BYTES;
    return FRAMES_OK;
}

/* True if a frame of this kind may have this length. */
static bool is_length_allowed(const struct frame *frame)
{
    switch (frame->kind) {
    case FRAME_OPEN:
    case FRAME_DATA:
    case FRAME_KEY:
        return frame->len > 0 && frame->len <= PACKET_MAX;
    case FRAME_BEGIN:
    case FRAME_CLOSE:
    case FRAME_PING:
        return frame->len == 0;
    case FRAME_CREDIT:
        return frame->len == FRAMES_CREDIT_BYTES;
    }
    return false; /* there is no such kind */
}

enum frames_result frames_read(struct frames_reader *reader, struct frame *frame)
{
    enum frames_result greeted = reader->is_greeted ? FRAMES_OK : read_greeting(reader);
    size_t left = reader->unread.len - reader->read_to;
    if (greeted != FRAMES_OK || left < FRAMES_HEADER_BYTES) {
        return greeted != FRAMES_OK ? greeted : FRAMES_MORE;
    }
    const char *at = reader->unread.at + reader->read_to;
    *frame = (struct frame){.kind = (enum frame_kind)(unsigned char)at[0],
                            .channel = read_number(at + 1, 8),
                            .bytes = at + FRAMES_HEADER_BYTES,
                            .len = (size_t)read_number(at + 9, 4)};
    if (!is_length_allowed(frame)) {
        return FRAMES_BAD;
    }
    if (left < FRAMES_HEADER_BYTES + frame->len) {
        return FRAMES_MORE;
    }
    reader->read_to += FRAMES_HEADER_BYTES + frame->len;
    return FRAMES_OK;
}

bool frames_write_greeting(struct bytes *out)
{
    char greeting[FRAMES_GREETING_BYTES];
    memcpy(greeting, word, WORD_BYTES);
    write_number(greeting + WORD_BYTES, sizeof greeting - WORD_BYTES, FRAMES_VERSION);
    return bytes_add(out, greeting, sizeof greeting);
}

bool frames_write(struct bytes *out, const struct frame *frame)
{
    char header[FRAMES_HEADER_BYTES];
    if (out->max - out->len < sizeof header + frame->len) {
        return false;
    }
    header[0] = (char)frame->kind;
    write_number(header + 1, 8, frame->channel);
    write_number(header + 9, 4, frame->len);
    return bytes_add(out, header, sizeof header) &&
           (frame->len == 0 || bytes_add(out, frame->bytes, frame->len));
}

void frames_write_credit(char bytes[FRAMES_CREDIT_BYTES], uint32_t credit)
{
    write_number(bytes, FRAMES_CREDIT_BYTES, credit);
}

uint32_t frames_read_credit(const struct frame *frame)
{
    return (uint32_t)read_number(frame->bytes, FRAMES_CREDIT_BYTES);
}

/* == The SSH connection == */

/* Both ends are bridges, so only the best algorithms are needed. */
#define KEY_EXCHANGE "curve25519-sha256,curve25519-sha256@libssh.org"
#define KEYS "ssh-ed25519"
#define CIPHERS "aes256-gcm@openssh.com,chacha20-poly1305@openssh.com"
#define MACS "hmac-sha2-256-etm@openssh.com"

#define REKEY_S 3600
#define USER_SIZE 16

static const struct {
    enum ssh_bind_options_e server;
    enum ssh_options_e client;
    const char *value;
} algorithms[] = {
    {SSH_BIND_OPTIONS_KEY_EXCHANGE, SSH_OPTIONS_KEY_EXCHANGE, KEY_EXCHANGE},
    {SSH_BIND_OPTIONS_HOSTKEY_ALGORITHMS, SSH_OPTIONS_HOSTKEYS, KEYS},
    {SSH_BIND_OPTIONS_CIPHERS_C_S, SSH_OPTIONS_CIPHERS_C_S, CIPHERS},
    {SSH_BIND_OPTIONS_CIPHERS_S_C, SSH_OPTIONS_CIPHERS_S_C, CIPHERS},
    {SSH_BIND_OPTIONS_HMAC_C_S, SSH_OPTIONS_HMAC_C_S, MACS},
    {SSH_BIND_OPTIONS_HMAC_S_C, SSH_OPTIONS_HMAC_S_C, MACS},
    {SSH_BIND_OPTIONS_PUBKEY_ACCEPTED_KEY_TYPES, SSH_OPTIONS_PUBLICKEY_ACCEPTED_TYPES, KEYS},
};

bool bridge_ssh_begin(struct bridge *bridge)
{
    const bool process_config = false;
    bridge->bind = must_not_be_null(ssh_bind_new());
    bool is_set =
        ssh_bind_options_set(bridge->bind, SSH_BIND_OPTIONS_PROCESS_CONFIG, &process_config) ==
            SSH_OK &&
        ssh_bind_options_set(bridge->bind, SSH_BIND_OPTIONS_BANNER, "Trickhouse-bridge") == SSH_OK;
    for (size_t i = 0; i < ARRAY_LEN(algorithms) && is_set; i++) {
        is_set =
            ssh_bind_options_set(bridge->bind, algorithms[i].server, algorithms[i].value) == SSH_OK;
    }
    if (ssh_pki_import_privkey_base64(bridge->setup->private_key, NULL, NULL, NULL, &bridge->key) !=
            SSH_OK ||
        ssh_key_type(bridge->key) != SSH_KEYTYPE_ED25519) {
        log_event(LOG_LEVEL_ERROR, 0, "the key of this node is no ed25519 key");
        return false;
    }
    ssh_key copy = must_not_be_null(ssh_key_dup(bridge->key)); /* the bind takes it over */
    if (!is_set ||
        ssh_bind_options_set(bridge->bind, SSH_BIND_OPTIONS_IMPORT_KEY, copy) != SSH_OK) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot set up SSH: %s", ssh_get_error(bridge->bind));
        return false;
    }
    return true;
}

/* Make the end that accepts a connection, and the end that has connected; neither blocks. The SSH
 * session takes over the socket, once ssh_connect is called on it in the second case. Return NULL,
 * with a line on the log, on failure: then the end that accepts has closed the socket. */
static ssh_session make_server(const struct bridge *bridge, int socket)
{
    const bool process_config = false;
    const uint32_t rekey_s = REKEY_S;
    ssh_session session = must_not_be_null(ssh_new());
    if (ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &process_config) != SSH_OK ||
        ssh_options_set(session, SSH_OPTIONS_COMPRESSION, "none") != SSH_OK ||
        ssh_options_set(session, SSH_OPTIONS_REKEY_DATA, &bridge->setup->rekey_bytes) != SSH_OK ||
        ssh_options_set(session, SSH_OPTIONS_REKEY_TIME, &rekey_s) != SSH_OK ||
        ssh_bind_accept_fd(bridge->bind, session, socket) != SSH_OK) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot begin SSH: %s", ssh_get_error(bridge->bind));
        ssh_free(session);
        return NULL;
    }
    ssh_set_blocking(session, 0);
    return session;
}

static ssh_session make_client(int socket, unsigned self)
{
    const bool process_config = false;
    char user[USER_SIZE];
    (void)snprintf(user, sizeof user, "node-%u", self);
    ssh_session session = must_not_be_null(ssh_new());
    bool is_set = ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &process_config) == SSH_OK &&
                  ssh_options_set(session, SSH_OPTIONS_USER, user) == SSH_OK &&
                  ssh_options_set(session, SSH_OPTIONS_FD, &socket) == SSH_OK &&
                  /* not looked up, since the connection exists */
                  ssh_options_set(session, SSH_OPTIONS_HOST, "bridge") == SSH_OK &&
                  ssh_options_set(session, SSH_OPTIONS_SSH_DIR, "/nonexistent") == SSH_OK &&
                  ssh_options_set(session, SSH_OPTIONS_COMPRESSION, "none") == SSH_OK;
    for (size_t i = 0; i < ARRAY_LEN(algorithms) && is_set; i++) {
        is_set = ssh_options_set(session, algorithms[i].client, algorithms[i].value) == SSH_OK;
    }
    if (!is_set) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot begin SSH: %s", ssh_get_error(session));
        ssh_free(session);
        return NULL;
    }
    ssh_set_blocking(session, 0);
    return session;
}

/* True if the node ("ssh-ed25519 AAAA…", perhaps with a comment) has this public key. */
static bool is_key_of_node(struct ssh_key_struct *key, const struct bridge_node *node)
{
    static const char type[] = "ssh-ed25519 ";
    char base64[BRIDGE_KEY_TEXT_MAX];
    bool is_ed25519 = strncmp(node->key, type, sizeof type - 1) == 0;
    const char *text = node->key + (is_ed25519 ? sizeof type - 1 : strlen(node->key));
    (void)snprintf(base64, sizeof base64, "%.*s", (int)strcspn(text, " \n"), text);
    ssh_key wanted = NULL;
    bool is_same = is_ed25519 &&
                   ssh_pki_import_pubkey_base64(base64, SSH_KEYTYPE_ED25519, &wanted) == SSH_OK &&
                   ssh_key_cmp(key, wanted, SSH_KEY_CMP_PUBLIC) == 0;
    ssh_key_free(wanted);
    return is_same;
}

/* Each call of libssh reads at most 4 KiB. */
#define READS_PER_PASS 16
#define SIGN_INS_MAX 4 /* an honest bridge offers its key once, and then signs */

/* Has the event loop look at the wire. */
static void wake(const struct bridge_wire *wire)
{
    event_active(wire->readable, EV_READ, 0);
}

void bridge_wire_end(struct bridge_wire *wire, const char *why)
{
    if (wire->why == NULL) {
        wire->why = why;
        wake(wire);
    }
}

static void note_silence(struct bridge_wire *wire, bool is_silent)
{
    if (wire->is_silent != is_silent && wire->calls->silence != NULL) {
        wire->calls->silence(wire->context, is_silent);
    }
    wire->is_silent = is_silent;
}

/* libssh may call this inside of any call. */
static int receive_bytes(UNUSED ssh_session session, UNUSED ssh_channel channel, void *data,
                         uint32_t len, UNUSED int is_stderr, void *context)
{
    struct bridge_wire *wire = context;
    wire->has_received = true;
    wire->heard_ms = clock_steady_ms();
    note_silence(wire, false);
    if (!frames_reader_add(&wire->reader, data, len)) {
        bridge_wire_end(wire, "the other bridge sends more than SSH allows");
    }
    return (int)len;
}

static void note_channel_end(UNUSED ssh_session session, UNUSED ssh_channel channel, void *context)
{
    bridge_wire_end(context, "the other bridge has closed the connection");
}

static ssh_channel take_channel(struct bridge_wire *wire, ssh_channel channel)
{
    wire->channel = channel;
    wire->channel_calls = (struct ssh_channel_callbacks_struct){
        .userdata = wire,
        .channel_data_function = receive_bytes,
        .channel_eof_function = note_channel_end,
        .channel_close_function = note_channel_end,
    };
    ssh_callbacks_init(&wire->channel_calls);
    ssh_set_channel_callbacks(channel, &wire->channel_calls);
    return channel;
}

/* Returns the other node that signs in as this user, "node-N"; NULL: there is none. */
static const struct bridge_node *find_by_user(const struct bridge_nodes *nodes, const char *user)
{
    char name[USER_SIZE];
    for (size_t i = 0; i < nodes->count; i++) {
        (void)snprintf(name, sizeof name, "node-%u", nodes->list[i].node);
        if (strcmp(name, user) == 0 && nodes->list[i].node != nodes->self) {
            return &nodes->list[i];
        }
    }
    return NULL;
}

static int check_client_key(UNUSED ssh_session session, const char *user,
                            struct ssh_key_struct *key, char signature_state, void *context)
{
    struct bridge_wire *wire = context;
    const struct bridge_node *known = find_by_user(&wire->bridge->nodes, user);
    if (++wire->sign_ins > SIGN_INS_MAX) {
        bridge_wire_end(wire, "too many attempts to sign in");
        return SSH_AUTH_DENIED;
    }
    if (known == NULL || !is_key_of_node(key, known)) {
        return SSH_AUTH_DENIED;
    }
    if (signature_state == SSH_PUBLICKEY_STATE_VALID) {
        wire->node = known->node;
        return SSH_AUTH_SUCCESS;
    }
    return signature_state == SSH_PUBLICKEY_STATE_NONE ? SSH_AUTH_SUCCESS : SSH_AUTH_DENIED;
}

static ssh_channel accept_channel(ssh_session session, void *context)
{
    struct bridge_wire *wire = context;
    if (wire->node == 0 || wire->channel != NULL) {
        return NULL;
    }
    return take_channel(wire, ssh_channel_new(session));
}

/* Refuses gssapi-with-mic, which libssh processes although it is not offered. */
static ssh_string refuse_gssapi_mechanisms(UNUSED ssh_session session, UNUSED const char *user,
                                           UNUSED int count, UNUSED ssh_string *oids,
                                           UNUSED void *context)
{
    return NULL;
}

/* Lets libssh refuse every request that no other callback handles. */
static int refuse_other_requests(UNUSED ssh_session session, UNUSED ssh_message message,
                                 UNUSED void *context)
{
    return 1;
}

static void set_server_calls(struct bridge_wire *wire)
{
    wire->server_calls = (struct ssh_server_callbacks_struct){
        .userdata = wire,
        .auth_pubkey_function = check_client_key,
        .channel_open_request_session_function = accept_channel,
        .gssapi_select_oid_function = refuse_gssapi_mechanisms,
    };
    ssh_callbacks_init(&wire->server_calls);
    ssh_set_server_callbacks(wire->session, &wire->server_calls);
    ssh_set_message_callback(wire->session, refuse_other_requests, wire);
    ssh_set_auth_methods(wire->session, SSH_AUTH_METHOD_PUBLICKEY);
}

static bool has_right_host_key(const struct bridge_wire *wire)
{
    ssh_key key = NULL;
    bool is_right = ssh_get_server_publickey(wire->session, &key) == SSH_OK &&
                    is_key_of_node(key, wire->holder);
    ssh_key_free(key);
    return is_right;
}

static void begin_greeting(struct bridge_wire *wire)
{
    int error = 0;
    socklen_t len = sizeof error;
    if (getsockopt(wire->socket, SOL_SOCKET, SO_ERROR, &error, &len) != 0 || error != 0) {
        bridge_wire_end(wire, "the other bridge cannot be reached");
        return;
    }
    wire->session = make_client(wire->socket, wire->bridge->nodes.self);
    if (wire->session == NULL) {
        bridge_wire_end(wire, "SSH does not begin");
        return;
    }
    wire->state = WIRE_GREETING;
}

static void watch_with_libssh(const struct bridge_wire *wire)
{
    if (ssh_event_add_session(wire->event, wire->session) != SSH_OK) {
        abort();
    }
}

static void continue_as_client(struct bridge_wire *wire)
{
    int result = SSH_OK;
    if (wire->state == WIRE_GREETING && (result = ssh_connect(wire->session)) == SSH_OK) {
        if (!has_right_host_key(wire)) {
            bridge_wire_end(wire, "the other bridge has not the key of its node");
            return;
        }
        wire->state = WIRE_SIGNING_IN;
    }
    if (wire->state == WIRE_SIGNING_IN) {
        int sign_in = ssh_userauth_publickey(wire->session, NULL, wire->bridge->key);
        if (sign_in != SSH_AUTH_SUCCESS && sign_in != SSH_AUTH_AGAIN) {
            bridge_wire_end(wire, "the other bridge does not accept the key of this node");
            return;
        }
        if (sign_in == SSH_AUTH_SUCCESS) {
            take_channel(wire, must_not_be_null(ssh_channel_new(wire->session)));
            wire->state = WIRE_OPENING;
        }
    }
    if (wire->state == WIRE_OPENING &&
        (result = ssh_channel_open_session(wire->channel)) == SSH_OK) {
        wire->state = WIRE_OPEN;
        watch_with_libssh(wire);
    }
    if (result == SSH_ERROR) {
        bridge_wire_end(wire, "the SSH handshake failed");
    }
}

static void continue_as_server(struct bridge_wire *wire)
{
    if (wire->state == WIRE_GREETING) {
        int result = ssh_handle_key_exchange(wire->session);
        if (result == SSH_ERROR) {
            bridge_wire_end(wire, "the SSH handshake failed");
        }
        if (result != SSH_OK) {
            return;
        }
        wire->state = WIRE_OPENING;
        watch_with_libssh(wire);
    }
    (void)ssh_event_dopoll(wire->event, 0);
    if (wire->channel != NULL) {
        wire->state = WIRE_OPEN;
    }
}

/* Completes the handshake as far as possible. */
static void continue_handshake(struct bridge_wire *wire)
{
    if (wire->state == WIRE_CONNECTING) {
        begin_greeting(wire);
    }
    if (wire->why == NULL) {
        (wire->holder != NULL ? continue_as_client : continue_as_server)(wire);
    }
    if (wire->why != NULL || wire->state != WIRE_OPEN) {
        return;
    }
    wire->heard_ms = clock_steady_ms();
    wire->opened_ms = wire->heard_ms;
    if (!frames_write_greeting(&wire->waiting)) {
        abort(); /* nothing was written before */
    }
    loop_begin_ms(wire->timer, BRIDGE_WIRE_PING_MS);
    if (wire->calls->opened != NULL) {
        wire->calls->opened(wire->context, wire->node);
    }
}

static bool has_broken_connection(const struct bridge_wire *wire)
{
    return wire->session != NULL && wire->state > WIRE_GREETING &&
           (ssh_is_connected(wire->session) == 0 ||
            (ssh_get_status(wire->session) & (SSH_CLOSED | SSH_CLOSED_ERROR)) != 0);
}

static bool take_frame(struct bridge_wire *wire, const struct frame *frame);
static void read_waiting_channels(struct bridge_wire *wire);

static void read_frames(struct bridge_wire *wire)
{
    struct frame frame;
    enum frames_result result = FRAMES_OK;
    while (wire->why == NULL && (result = frames_read(&wire->reader, &frame)) == FRAMES_OK) {
        if (!take_frame(wire, &frame)) {
            bridge_wire_end(wire, "the other bridge broke the rules");
        }
    }
    if (result == FRAMES_BAD) {
        bridge_wire_end(wire, "the other end is no bridge of this version");
    }
}

/* True if frames with data must wait. */
static bool is_full(const struct bridge_wire *wire)
{
    return wire->waiting.len >= BRIDGE_WIRE_FULL;
}

/* Gives SSH what waits, as far as it takes it: never more than the other end has room for, since
 * libssh would look for a larger window, and read while it does. */
static void send_waiting(struct bridge_wire *wire)
{
    uint32_t window = ssh_channel_window_size(wire->channel);
    uint32_t len = wire->waiting.len < window ? (uint32_t)wire->waiting.len : window;
    int written = len == 0 ? 0 : ssh_channel_write(wire->channel, wire->waiting.at, len);
    if (written < 0) {
        bridge_wire_end(wire, "the connection to the other bridge broke");
        return;
    }
    bytes_drop_first(&wire->waiting, (size_t)written);
    if (wire->waiting.len == 0) {
        bytes_clear(&wire->waiting); /* a connection that has been busy keeps no memory */
    }
    if (!is_full(wire)) {
        read_waiting_channels(wire);
    }
}

/* Reads what has arrived and sends what waits. */
static void serve_open_connection(struct bridge_wire *wire)
{
    wire->has_received = true;
    for (int i = 0; i < READS_PER_PASS && wire->has_received && wire->why == NULL; i++) {
        wire->has_received = false;
        (void)ssh_event_dopoll(wire->event, 0);
    }
    read_frames(wire);
    wire->has_received = false;
    if (wire->why == NULL) {
        send_waiting(wire);
    }
    if (wire->has_received) {
        wake(wire);
    }
}

/* Watches the socket for what libssh waits for. */
static void watch_socket(const struct bridge_wire *wire)
{
    if (wire->session == NULL || (ssh_get_poll_flags(wire->session) & SSH_WRITE_PENDING) != 0) {
        loop_begin(wire->writable);
    } else {
        event_del(wire->writable);
    }
}

static void handle_event(UNUSED int socket, UNUSED short events, void *context)
{
    struct bridge_wire *wire = context;
    if (wire->why == NULL && wire->state != WIRE_OPEN) {
        continue_handshake(wire);
    }
    if (wire->why == NULL && wire->state == WIRE_OPEN) {
        serve_open_connection(wire);
    }
    if (wire->why == NULL && has_broken_connection(wire)) {
        wire->why = "the connection to the other bridge broke";
    }
    if (wire->why != NULL) {
        wire->calls->ended(wire->context, wire->why);
        return;
    }
    watch_socket(wire);
}

/* Gives a sign of life; ends a handshake that takes too long, or a connection that is silent. */
static void handle_timer(UNUSED int socket, UNUSED short events, void *context)
{
    struct bridge_wire *wire = context;
    int64_t silent_ms = clock_steady_ms() - wire->heard_ms;
    if (wire->state != WIRE_OPEN) {
        bridge_wire_end(wire, "the SSH handshake took too long");
        return;
    }
    note_silence(wire, silent_ms > BRIDGE_WIRE_QUIET_MS);
    if (silent_ms > BRIDGE_WIRE_SILENCE_MS) {
        bridge_wire_end(wire, "the other bridge is silent");
    } else if (!is_full(wire)) {
        bridge_wire_send(wire, &(const struct frame){.kind = FRAME_PING});
    }
}

/* Takes over the socket; -1: there is none. */
static void begin(struct bridge_wire *wire, int socket, enum wire_state state)
{
    struct event_base *base = wire->bridge->base;
    const int is_on = 1;
    wire->state = state;
    wire->socket = socket;
    wire->watched = socket < 0 ? -1 : fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (wire->watched < 0) { /* there may be too many open files */
        fd_close_and_reset(&wire->socket);
    }
    wire->event = must_not_be_null(ssh_event_new());
    bytes_init(&wire->reader.unread, BRIDGE_WIRE_UNREAD_MAX);
    bytes_init(&wire->waiting, BRIDGE_WIRE_WAITING_MAX);
    (void)setsockopt(wire->watched, IPPROTO_TCP, TCP_NODELAY, &is_on, sizeof is_on);
    wire->readable = loop_make_event(base, wire->watched, EV_READ | EV_PERSIST, handle_event, wire);
    wire->writable =
        loop_make_event(base, wire->watched, EV_WRITE | EV_PERSIST, handle_event, wire);
    wire->timer = loop_make_event(base, -1, EV_PERSIST, handle_timer, wire);
    loop_begin_ms(wire->timer, BRIDGE_WIRE_HANDSHAKE_MS);
    if (wire->watched >= 0) {
        loop_begin(wire->readable);
    }
}

void bridge_wire_connect(struct bridge_wire *wire, const struct bridge_node *holder)
{
    const struct sockaddr *address = (const struct sockaddr *)&holder->address;
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool is_begun =
        fd >= 0 && (connect(fd, address, holder->address_len) == 0 || errno == EINPROGRESS);
    begin(wire, fd, WIRE_CONNECTING);
    wire->holder = holder;
    if (!is_begun || wire->watched < 0) {
        bridge_wire_end(wire, "the other bridge cannot be reached");
    } else {
        loop_begin(wire->writable);
    }
}

void bridge_wire_accept(struct bridge_wire *wire, int socket)
{
    begin(wire, socket, WIRE_GREETING);
    wire->session = wire->socket < 0 ? NULL : make_server(wire->bridge, socket);
    if (wire->session == NULL) {
        wire->socket = -1; /* closed by libssh */
        bridge_wire_end(wire, "SSH does not begin");
        return;
    }
    set_server_calls(wire);
    wake(wire);
}

void bridge_wire_clear(struct bridge_wire *wire)
{
    if (wire->state == WIRE_NONE) {
        return;
    }
    bridge_channels_clear(wire);
    if (wire->session != NULL) {
        ssh_event_remove_session(wire->event, wire->session);
        ssh_disconnect(wire->session);
        ssh_free(wire->session);
    } else {
        fd_close(wire->socket);
    }
    ssh_event_free(wire->event);
    event_free(wire->timer);
    event_free(wire->writable);
    event_free(wire->readable);
    fd_close(wire->watched);
    bytes_clear(&wire->waiting);
    bytes_clear(&wire->reader.unread);
    *wire = (struct bridge_wire){.state = WIRE_NONE};
}

void bridge_wire_send(struct bridge_wire *wire, const struct frame *frame)
{
    if (wire->why != NULL) {
        return;
    }
    if (!frames_write(&wire->waiting, frame)) {
        bridge_wire_end(wire, "the other bridge does not read");
        return;
    }
    wake(wire); /* all that is written in a pass of the event loop is sent at its end */
}

/* == Channels == */

/* most packets read from a socket before the others have their turn */
#define PACKETS_PER_PASS 16
/* Credit is given back in pieces of this size or more, so that few frames do that. */
#define CREDIT_PIECE (BRIDGE_CHANNEL_WINDOW / 4)

static int compare_ids(const void *a, const void *b)
{
    const struct bridge_channel *left = a;
    const struct bridge_channel *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

static void remove_channel(struct bridge_channel *channel)
{
    tdelete(channel, &channel->wire->by_id, compare_ids);
    LIST_REMOVE(channel, in_all);
    if (channel->is_waiting) {
        LIST_REMOVE(channel, in_waiting);
    }
    event_free(channel->writable);
    event_free(channel->readable);
    packet_queue_clear(&channel->queue);
    free(channel->opening);
    if (!channel->is_borrowed) {
        close(channel->socket);
    }
    free(channel);
}

/* Closes a channel whose socket is of no more use, and tells the other bridge unless it knows. */
static void close_channel(struct bridge_channel *channel)
{
    struct bridge_wire *wire = channel->wire;
    if (!channel->is_ending) {
        bridge_wire_send(wire, &(const struct frame){FRAME_CLOSE, channel->id, NULL, 0});
    }
    wire->calls->closed(wire->context, channel);
    remove_channel(channel);
}

static bool has_credit(const struct bridge_channel *channel)
{
    return channel->credit >= packet_cost(PACKET_MAX);
}

/* Stops reading from the socket if the next packet could not be sent on. Returns true if so. */
static bool pause_if_needed(struct bridge_channel *channel)
{
    struct bridge_wire *wire = channel->wire;
    bool is_wire_full = is_full(wire);
    if (has_credit(channel) && !is_wire_full) {
        return false;
    }
    event_del(channel->readable);
    if (is_wire_full && !channel->is_waiting) {
        channel->is_waiting = true;
        LIST_INSERT_HEAD(&wire->waiting_channels, channel, in_waiting);
    }
    return true;
}

static void read_again(struct bridge_channel *channel)
{
    if (has_credit(channel) && !channel->is_waiting && !channel->is_ending) {
        loop_begin(channel->readable);
    }
}

void bridge_channel_send_frame(struct bridge_channel *channel, const struct frame *frame)
{
    channel->credit -= packet_cost(frame->len);
    bridge_wire_send(channel->wire, frame);
}

/* Carries a packet that was read from the socket to the other bridge. */
static void carry_packet(struct bridge_channel *channel, size_t len, int fd)
{
    const struct bridge_wire *wire = channel->wire;
    const char *packet = wire->bridge->buffer;
    if (channel->id == FRAMES_CHANNEL_GATE && wire->calls->take_packet != NULL &&
        wire->calls->take_packet(wire->context, channel, packet, len, fd)) {
        return;
    }
    fd_close(fd);
    bridge_channel_send_frame(channel, &(const struct frame){FRAME_DATA, channel->id, packet, len});
}

static void read_packets(int socket, UNUSED short events, void *context)
{
    struct bridge_channel *channel = context;
    char *buffer = channel->wire->bridge->buffer;
    for (int i = 0; i < PACKETS_PER_PASS && !pause_if_needed(channel); i++) {
        size_t len;
        int fd = -1;
        switch (packet_receive(socket, buffer, &len, &fd)) {
        case PACKET_OK:
            carry_packet(channel, len, fd);
            break;
        case PACKET_AGAIN:
            return;
        case PACKET_CLOSED:
        case PACKET_BAD:
            close_channel(channel);
            return;
        }
    }
}

/* Gives credit back for what has left. */
static void give_credit(struct bridge_channel *channel)
{
    char credit[FRAMES_CREDIT_BYTES];
    if (channel->owed < CREDIT_PIECE) {
        return;
    }
    frames_write_credit(credit, (uint32_t)channel->owed);
    channel->owed = 0;
    bridge_wire_send(channel->wire,
                     &(const struct frame){FRAME_CREDIT, channel->id, credit, sizeof credit});
}

/* Sends the packets that wait for the socket. The channel may be removed by this. */
static void send_packets(struct bridge_channel *channel)
{
    size_t held = packet_queue_cost(&channel->queue);
    enum packet_result result = packet_queue_send(&channel->queue, channel->socket);
    channel->owed += held - packet_queue_cost(&channel->queue);
    if (result == PACKET_CLOSED || result == PACKET_BAD ||
        (result == PACKET_OK && channel->is_ending)) {
        close_channel(channel);
        return;
    }
    give_credit(channel);
    if (result == PACKET_OK) {
        event_del(channel->writable);
    } else {
        loop_begin(channel->writable);
    }
}

static void send_when_writable(UNUSED int socket, UNUSED short events, void *context)
{
    send_packets(context);
}

bool bridge_channel_deliver(struct bridge_channel *channel, const char *bytes, size_t len, int fd)
{
    if (packet_queue_cost(&channel->queue) + channel->owed + packet_cost(len) >
        BRIDGE_CHANNEL_WINDOW) {
        fd_close(fd);
        return false;
    }
    bool was_empty = channel->queue.count == 0;
    packet_queue_add(&channel->queue, bytes, len, fd);
    if (was_empty) {
        send_packets(channel);
    }
    return true;
}

void bridge_channels_clear(struct bridge_wire *wire)
{
    struct bridge_channel *channel;
    while ((channel = LIST_FIRST(&wire->channels)) != NULL) {
        remove_channel(channel);
    }
    wire->is_carrying = false;
}

struct bridge_channel *bridge_channels_add(struct bridge_wire *wire, uint64_t id, int socket,
                                           bool is_borrowed)
{
    struct event_base *base = wire->bridge->base;
    struct bridge_channel *channel = must_allocate(sizeof *channel);
    channel->id = id;
    channel->socket = socket;
    channel->is_borrowed = is_borrowed;
    channel->wire = wire;
    channel->credit = BRIDGE_CHANNEL_WINDOW;
    channel->readable = loop_watch(base, socket, EV_READ | EV_PERSIST, read_packets, channel);
    channel->writable =
        loop_make_event(base, socket, EV_WRITE | EV_PERSIST, send_when_writable, channel);
    (void)must_not_be_null(tsearch(channel, &wire->by_id, compare_ids));
    LIST_INSERT_HEAD(&wire->channels, channel, in_all);
    return channel;
}

struct bridge_channel *bridge_channels_find(const struct bridge_wire *wire, uint64_t id)
{
    const struct bridge_channel wanted = {.id = id};
    struct bridge_channel *const *found = tfind(&wanted, &wire->by_id, compare_ids);
    return found != NULL ? *found : NULL;
}

/* The other bridge has closed the channel: closes it here once nothing waits for the socket. */
static void end_channel(struct bridge_channel *channel)
{
    channel->is_ending = true;
    event_del(channel->readable);
    if (channel->queue.count == 0) {
        close_channel(channel);
    }
}

static bool take_credit(struct bridge_channel *channel, uint32_t credit)
{
    if (credit > BRIDGE_CHANNEL_WINDOW - channel->credit) {
        return false;
    }
    channel->credit += credit;
    read_again(channel);
    return true;
}

/* Takes a frame of a channel, or gives it to the owner. Returns false if it breaks the rules. */
static bool take_frame(struct bridge_wire *wire, const struct frame *frame)
{
    bool is_of_channel =
        wire->is_carrying &&
        (frame->kind == FRAME_DATA || frame->kind == FRAME_CLOSE || frame->kind == FRAME_CREDIT);
    if (!is_of_channel) {
        return frame->kind == FRAME_PING || wire->calls->take_frame(wire->context, frame);
    }
    struct bridge_channel *channel = bridge_channels_find(wire, frame->channel);
    if (channel == NULL || channel->is_ending) {
        return true; /* this end has closed the channel while the frame was under way */
    }
    if (frame->kind == FRAME_DATA) {
        return bridge_channel_deliver(channel, frame->bytes, frame->len, -1);
    }
    if (frame->kind == FRAME_CREDIT) {
        return take_credit(channel, frames_read_credit(frame));
    }
    end_channel(channel);
    return true;
}

/* Reads again from the sockets that waited for room in the wire. */
static void read_waiting_channels(struct bridge_wire *wire)
{
    struct bridge_channel *channel;
    while ((channel = LIST_FIRST(&wire->waiting_channels)) != NULL) {
        LIST_REMOVE(channel, in_waiting);
        channel->is_waiting = false;
        read_again(channel);
    }
}
