#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"
#include "daemon/processes/common/common.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <libssh/server.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the SSH connection tells its wire, from the event loop: the other end has proved to be this
 * node; bytes have arrived; there may be room to write again; the connection has ended, which alone
 * may free it. */
static void bridge_wire_handle_opened(struct bridge_wire *wire, unsigned node);
static void bridge_wire_handle_received(struct bridge_wire *wire, const char *bytes, size_t len);
static void bridge_wire_handle_room(struct bridge_wire *wire);
static void bridge_wire_handle_end(const struct bridge_wire *wire, const char *why);

/* Both ends are bridges, so only the best algorithms are needed. */
#define KEY_EXCHANGE "curve25519-sha256,curve25519-sha256@libssh.org"
#define KEYS "ssh-ed25519"
#define CIPHERS "aes256-gcm@openssh.com,chacha20-poly1305@openssh.com"
#define MACS "hmac-sha2-256-etm@openssh.com"

#define REKEY_S 3600
#define KEY_TEXT_MAX 128

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

struct bridge_ssh_host {
    ssh_bind bind;
    ssh_key key; /* the bind has a copy of its own */
    uint64_t rekey_bytes;
};

static bool set_server_options(ssh_bind bind)
{
    const bool process_config = false;
    bool is_set =
        ssh_bind_options_set(bind, SSH_BIND_OPTIONS_PROCESS_CONFIG, &process_config) == SSH_OK &&
        ssh_bind_options_set(bind, SSH_BIND_OPTIONS_BANNER, "Trickhouse-bridge") == SSH_OK;
    for (size_t i = 0; i < ARRAY_LEN(algorithms) && is_set; i++) {
        is_set = ssh_bind_options_set(bind, algorithms[i].server, algorithms[i].value) == SSH_OK;
    }
    return is_set;
}

/* Reads the key and gives a copy of it to the bind. */
static bool import_key(struct bridge_ssh_host *host, const char *private_key)
{
    if (ssh_pki_import_privkey_base64(private_key, NULL, NULL, NULL, &host->key) != SSH_OK ||
        ssh_key_type(host->key) != SSH_KEYTYPE_ED25519) {
        log_event(LOG_LEVEL_ERROR, 0, "the key of this node is no ed25519 key");
        return false;
    }
    ssh_key copy = must_not_be_null(ssh_key_dup(host->key));
    if (ssh_bind_options_set(host->bind, SSH_BIND_OPTIONS_IMPORT_KEY, copy) != SSH_OK) {
        ssh_key_free(copy);
        log_event(LOG_LEVEL_ERROR, 0, "cannot use the key of this node: %s",
                  ssh_get_error(host->bind));
        return false;
    }
    return true;
}

struct bridge_ssh_host *bridge_ssh_host_new(const char *private_key, uint64_t rekey_bytes)
{
    struct bridge_ssh_host *host = must_allocate(sizeof *host);
    host->rekey_bytes = rekey_bytes;
    host->bind = must_not_be_null(ssh_bind_new());
    if (!set_server_options(host->bind)) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot set up SSH: %s", ssh_get_error(host->bind));
    } else if (import_key(host, private_key)) {
        return host;
    }
    bridge_ssh_host_free(host);
    return NULL;
}

void bridge_ssh_host_free(struct bridge_ssh_host *host)
{
    if (host == NULL) {
        return;
    }
    ssh_key_free(host->key);
    ssh_bind_free(host->bind);
    free(host);
}

/* Make the end that accepts a connection, and the end that has connected as node `self`; neither
 * blocks. The SSH session takes over the socket, once ssh_connect is called on it in the second
 * case. Return NULL, with a line on the log, on failure: then the end that accepts has closed the
 * socket. */
static ssh_session bridge_ssh_host_make_server(struct bridge_ssh_host *host, int socket)
{
    const bool process_config = false;
    const uint32_t rekey_s = REKEY_S;
    ssh_session session = must_not_be_null(ssh_new());
    if (ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &process_config) != SSH_OK ||
        ssh_options_set(session, SSH_OPTIONS_COMPRESSION, "none") != SSH_OK ||
        ssh_options_set(session, SSH_OPTIONS_REKEY_DATA, &host->rekey_bytes) != SSH_OK ||
        ssh_options_set(session, SSH_OPTIONS_REKEY_TIME, &rekey_s) != SSH_OK ||
        ssh_bind_accept_fd(host->bind, session, socket) != SSH_OK) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot begin SSH: %s", ssh_get_error(host->bind));
        ssh_free(session);
        return NULL;
    }
    ssh_set_blocking(session, 0);
    return session;
}

static ssh_session bridge_ssh_host_make_client(int socket, unsigned self)
{
    const bool process_config = false;
    char user[16];
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

/* True if `text` ("ssh-ed25519 AAAA…", perhaps with a comment) is this public key. */
static bool bridge_ssh_host_is_same_key(struct ssh_key_struct *key, const char *text)
{
    static const char type[] = "ssh-ed25519 ";
    char base64[KEY_TEXT_MAX];
    bool is_ed25519 = strncmp(text, type, sizeof type - 1) == 0;
    size_t len = is_ed25519 ? strcspn(text + sizeof type - 1, " \n") : 0;
    if (len == 0 || len >= sizeof base64) {
        return false;
    }
    memcpy(base64, text + sizeof type - 1, len);
    base64[len] = '\0';
    ssh_key wanted = NULL;
    bool is_same = ssh_pki_import_pubkey_base64(base64, SSH_KEYTYPE_ED25519, &wanted) == SSH_OK &&
                   ssh_key_cmp(key, wanted, SSH_KEY_CMP_PUBLIC) == 0;
    ssh_key_free(wanted);
    return is_same;
}

/* Each call of libssh reads at most 4 KiB. */
#define READS_PER_PASS 16
#define NODE_DIGITS_MAX 3
#define SIGN_INS_MAX 4 /* an honest bridge offers its key once, and then signs */

/*
 *     connecting ─► greeting ─► signing in ─► opening ─► open      the end that connects
 *                   greeting ─────────────► opening ─► open        the end that accepts
 */
enum ssh_state {
    SSH_STATE_CONNECTING,
    SSH_STATE_GREETING,
    SSH_STATE_SIGNING_IN,
    SSH_STATE_OPENING,
    SSH_STATE_OPEN,
};

struct bridge_ssh {
    enum ssh_state state;
    bool is_client;
    struct bridge_ssh_host *host; /* borrowed */
    struct bridge_wire *wire;     /* borrowed */
    int socket;                   /* closed by libssh once it has a session */
    int watched; /* a copy of the socket for the event loop, since libssh may close the socket in
                    any call */
    ssh_session session;
    ssh_event event;
    ssh_channel channel;
    struct ssh_channel_callbacks_struct channel_calls;
    struct ssh_server_callbacks_struct server_calls;
    unsigned self; /* number of the own node; only for the end that connects */
    unsigned node; /* number of the node at the other end; 0: not known yet */
    unsigned sign_ins;
    char *key;          /* key that the other end must have; only for the end that connects */
    struct bytes input; /* what has arrived; libssh may call receive_bytes inside of any call */
    const char *why;    /* why the connection ends; NULL: it does not */
    struct event *readable;
    struct event *writable;
    struct event *timeout;
};

static void end_connection(struct bridge_ssh *ssh, const char *why)
{
    ssh->why = ssh->why == NULL ? why : ssh->why;
    event_active(ssh->readable, EV_READ, 0);
}

static int receive_bytes(UNUSED ssh_session session, UNUSED ssh_channel channel, void *data,
                         uint32_t len, UNUSED int is_stderr, void *context)
{
    struct bridge_ssh *ssh = context;
    if (!bytes_add(&ssh->input, data, len)) {
        end_connection(ssh, "the other bridge sends more than SSH allows");
    }
    return (int)len;
}

static void note_channel_end(UNUSED ssh_session session, UNUSED ssh_channel channel, void *context)
{
    end_connection(context, "the other bridge has closed the connection");
}

static ssh_channel take_channel(struct bridge_ssh *ssh, ssh_channel channel)
{
    ssh->channel = channel;
    ssh->channel_calls = (struct ssh_channel_callbacks_struct){
        .userdata = ssh,
        .channel_data_function = receive_bytes,
        .channel_eof_function = note_channel_end,
        .channel_close_function = note_channel_end,
    };
    ssh_callbacks_init(&ssh->channel_calls);
    ssh_set_channel_callbacks(channel, &ssh->channel_calls);
    return channel;
}

/* Reads the name of a user, which is "node-N". Returns 0 if it is another. */
static unsigned read_node_number(const char *user)
{
    static const char prefix[] = "node-";
    size_t digits = strncmp(user, prefix, sizeof prefix - 1) == 0
                        ? strspn(user + sizeof prefix - 1, "0123456789")
                        : 0;
    bool is_number =
        digits > 0 && digits <= NODE_DIGITS_MAX && user[sizeof prefix - 1 + digits] == '\0';
    return is_number ? (unsigned)strtoul(user + sizeof prefix - 1, NULL, 10) : 0;
}

static int check_client_key(UNUSED ssh_session session, const char *user,
                            struct ssh_key_struct *key, char signature_state, void *context)
{
    struct bridge_ssh *ssh = context;
    unsigned node = read_node_number(user);
    const char *known = node == 0 ? NULL : ssh->wire->calls->find_key(ssh->wire->context, node);
    if (++ssh->sign_ins > SIGN_INS_MAX) {
        end_connection(ssh, "too many attempts to sign in");
        return SSH_AUTH_DENIED;
    }
    if (known == NULL || !bridge_ssh_host_is_same_key(key, known)) {
        return SSH_AUTH_DENIED;
    }
    if (signature_state == SSH_PUBLICKEY_STATE_VALID) {
        ssh->node = node;
        return SSH_AUTH_SUCCESS;
    }
    return signature_state == SSH_PUBLICKEY_STATE_NONE ? SSH_AUTH_SUCCESS : SSH_AUTH_DENIED;
}

static ssh_channel accept_channel(ssh_session session, void *context)
{
    struct bridge_ssh *ssh = context;
    if (ssh->node == 0 || ssh->channel != NULL) {
        return NULL;
    }
    return take_channel(ssh, ssh_channel_new(session));
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

static void set_server_calls(struct bridge_ssh *ssh)
{
    ssh->server_calls = (struct ssh_server_callbacks_struct){
        .userdata = ssh,
        .auth_pubkey_function = check_client_key,
        .channel_open_request_session_function = accept_channel,
        .gssapi_select_oid_function = refuse_gssapi_mechanisms,
    };
    ssh_callbacks_init(&ssh->server_calls);
    ssh_set_server_callbacks(ssh->session, &ssh->server_calls);
    ssh_set_message_callback(ssh->session, refuse_other_requests, ssh);
    ssh_set_auth_methods(ssh->session, SSH_AUTH_METHOD_PUBLICKEY);
}

static bool has_right_host_key(struct bridge_ssh *ssh)
{
    ssh_key key = NULL;
    bool is_right = ssh_get_server_publickey(ssh->session, &key) == SSH_OK &&
                    bridge_ssh_host_is_same_key(key, ssh->key);
    ssh_key_free(key);
    return is_right;
}

static void begin_greeting(struct bridge_ssh *ssh)
{
    int error = 0;
    socklen_t len = sizeof error;
    if (getsockopt(ssh->socket, SOL_SOCKET, SO_ERROR, &error, &len) != 0 || error != 0) {
        end_connection(ssh, "the other bridge cannot be reached");
        return;
    }
    ssh->session = bridge_ssh_host_make_client(ssh->socket, ssh->self);
    if (ssh->session == NULL) {
        end_connection(ssh, "SSH does not begin");
        return;
    }
    ssh->state = SSH_STATE_GREETING;
}

static void continue_as_client(struct bridge_ssh *ssh)
{
    int result = SSH_OK;
    if (ssh->state == SSH_STATE_GREETING && (result = ssh_connect(ssh->session)) == SSH_OK) {
        if (!has_right_host_key(ssh)) {
            end_connection(ssh, "the other bridge has not the key of its node");
            return;
        }
        ssh->state = SSH_STATE_SIGNING_IN;
    }
    if (ssh->state == SSH_STATE_SIGNING_IN) {
        int sign_in = ssh_userauth_publickey(ssh->session, NULL, ssh->host->key);
        if (sign_in != SSH_AUTH_SUCCESS && sign_in != SSH_AUTH_AGAIN) {
            end_connection(ssh, "the other bridge does not accept the key of this node");
            return;
        }
        if (sign_in == SSH_AUTH_SUCCESS) {
            take_channel(ssh, must_not_be_null(ssh_channel_new(ssh->session)));
            ssh->state = SSH_STATE_OPENING;
        }
    }
    if (ssh->state == SSH_STATE_OPENING &&
        (result = ssh_channel_open_session(ssh->channel)) == SSH_OK) {
        ssh->state = SSH_STATE_OPEN;
    }
    if (result == SSH_ERROR) {
        end_connection(ssh, "the SSH handshake failed");
    }
}

static void continue_as_server(struct bridge_ssh *ssh)
{
    if (ssh->state == SSH_STATE_GREETING) {
        int result = ssh_handle_key_exchange(ssh->session);
        if (result == SSH_ERROR) {
            end_connection(ssh, "the SSH handshake failed");
        }
        if (result != SSH_OK) {
            return;
        }
        ssh->state = SSH_STATE_OPENING;
        if (ssh_event_add_session(ssh->event, ssh->session) != SSH_OK) {
            abort();
        }
    }
    (void)ssh_event_dopoll(ssh->event, 0);
    if (ssh->channel != NULL) {
        ssh->state = SSH_STATE_OPEN;
    }
}

/* Completes the handshake as far as possible. Returns true once the channel has been opened. */
static bool continue_handshake(struct bridge_ssh *ssh)
{
    if (ssh->state == SSH_STATE_CONNECTING) {
        begin_greeting(ssh);
    }
    if (ssh->why == NULL) {
        (ssh->is_client ? continue_as_client : continue_as_server)(ssh);
    }
    if (ssh->why != NULL || ssh->state != SSH_STATE_OPEN) {
        return false;
    }
    if (ssh->is_client && ssh_event_add_session(ssh->event, ssh->session) != SSH_OK) {
        abort();
    }
    event_del(ssh->timeout);
    return true;
}

/* Watches the socket for what libssh waits for. */
static void watch_socket(struct bridge_ssh *ssh)
{
    bool is_writing =
        ssh->session == NULL || (ssh_get_poll_flags(ssh->session) & SSH_WRITE_PENDING) != 0;
    if (is_writing) {
        loop_begin(ssh->writable);
    } else {
        event_del(ssh->writable);
    }
}

static bool has_broken_connection(const struct bridge_ssh *ssh)
{
    return ssh->session != NULL && ssh->state > SSH_STATE_GREETING &&
           (ssh_is_connected(ssh->session) == 0 ||
            (ssh_get_status(ssh->session) & (SSH_CLOSED | SSH_CLOSED_ERROR)) != 0);
}

/* Gives the wire what has arrived. */
static void pass_input_on(struct bridge_ssh *ssh)
{
    while (ssh->input.len > 0 && ssh->why == NULL) {
        struct bytes input = ssh->input;
        bytes_init(&ssh->input, input.max);
        bridge_wire_handle_received(ssh->wire, input.at, input.len);
        bytes_clear(&input);
    }
}

static void serve_open_connection(struct bridge_ssh *ssh)
{
    for (int i = 0; i < READS_PER_PASS && ssh->why == NULL; i++) {
        size_t before = ssh->input.len;
        (void)ssh_event_dopoll(ssh->event, 0);
        if (ssh->input.len == before) {
            break;
        }
    }
    pass_input_on(ssh);
    if (ssh->why == NULL) {
        bridge_wire_handle_room(ssh->wire);
    }
}

static void handle_event(UNUSED int socket, short events, void *context)
{
    struct bridge_ssh *ssh = context;
    if ((events & EV_TIMEOUT) != 0) {
        end_connection(ssh, "the SSH handshake took too long");
    }
    if (ssh->why == NULL && ssh->state != SSH_STATE_OPEN && continue_handshake(ssh)) {
        bridge_wire_handle_opened(ssh->wire, ssh->node);
    }
    if (ssh->why == NULL && ssh->state == SSH_STATE_OPEN) {
        serve_open_connection(ssh);
    }
    if (ssh->why == NULL && has_broken_connection(ssh)) {
        ssh->why = "the connection to the other bridge broke";
    }
    if (ssh->why != NULL) {
        bridge_wire_handle_end(ssh->wire, ssh->why);
        return;
    }
    watch_socket(ssh);
}

/* Writes as many bytes as SSH takes now; returns their number. Calls bridge_wire_handle_room once
 * there is room for the others. */
static size_t bridge_ssh_write(struct bridge_ssh *ssh, const char *bytes, size_t len)
{
    if (ssh->why != NULL || ssh->state != SSH_STATE_OPEN) {
        return 0;
    }
    uint32_t window = ssh_channel_window_size(ssh->channel);
    if (window == 0) { /* libssh would look for a larger window, and read while it does */
        return 0;
    }
    int written = ssh_channel_write(ssh->channel, bytes, len < window ? (uint32_t)len : window);
    if (written < 0) {
        end_connection(ssh, "the connection to the other bridge broke");
        return 0;
    }
    if (ssh->input.len > 0) {
        event_active(ssh->readable, EV_READ, 0);
    }
    watch_socket(ssh);
    return (size_t)written;
}

static struct bridge_ssh *make_connection(const struct bridge *bridge, int socket,
                                          struct bridge_wire *wire)
{
    struct event_base *base = bridge->base;
    const int is_on = 1;
    struct bridge_ssh *ssh = must_allocate(sizeof *ssh);
    ssh->host = bridge->host;
    ssh->wire = wire;
    ssh->socket = socket;
    ssh->watched = socket < 0 ? -1 : fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (socket >= 0 && ssh->watched < 0) { /* there are too many open files */
        fd_close_and_reset(&ssh->socket);
    }
    ssh->event = must_not_be_null(ssh_event_new());
    bytes_init(&ssh->input, BRIDGE_SSH_UNREAD_MAX);
    (void)setsockopt(ssh->watched, IPPROTO_TCP, TCP_NODELAY, &is_on, sizeof is_on);
    ssh->readable = loop_make_event(base, ssh->watched, EV_READ | EV_PERSIST, handle_event, ssh);
    ssh->writable = loop_make_event(base, ssh->watched, EV_WRITE | EV_PERSIST, handle_event, ssh);
    ssh->timeout = loop_make_event(base, -1, 0, handle_event, ssh);
    loop_begin_ms(ssh->timeout, BRIDGE_SSH_TIMEOUT_MS);
    if (ssh->watched >= 0) {
        loop_begin(ssh->readable);
    }
    return ssh;
}

/* Begins to connect to the bridge of another node, for this wire. Never returns NULL: errors are
 * told by bridge_wire_handle_end. */
static struct bridge_ssh *bridge_ssh_connect(const struct bridge *bridge,
                                             const struct bridge_node *node,
                                             struct bridge_wire *wire)
{
    const struct sockaddr *address = (const struct sockaddr *)&node->address;
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool is_begun =
        fd >= 0 && (connect(fd, address, node->address_len) == 0 || errno == EINPROGRESS);
    struct bridge_ssh *ssh = make_connection(bridge, fd, wire);
    ssh->is_client = true;
    ssh->self = bridge->nodes.self;
    ssh->node = node->node;
    ssh->key = must_copy_text(node->key);
    if (!is_begun || ssh->watched < 0) {
        end_connection(ssh, "the other bridge cannot be reached");
    } else {
        loop_begin(ssh->writable);
    }
    return ssh;
}

/* Serves a connection that was accepted; takes over the socket. Never returns NULL. */
static struct bridge_ssh *bridge_ssh_accept(const struct bridge *bridge, int socket,
                                            struct bridge_wire *wire)
{
    struct bridge_ssh *ssh = make_connection(bridge, socket, wire);
    ssh->state = SSH_STATE_GREETING;
    ssh->session = ssh->socket < 0 ? NULL : bridge_ssh_host_make_server(ssh->host, socket);
    if (ssh->session == NULL) {
        ssh->socket = -1; /* closed by libssh */
        end_connection(ssh, "SSH does not begin");
        return ssh;
    }
    set_server_calls(ssh);
    event_active(ssh->readable, EV_READ, 0);
    return ssh;
}

/* Closes the connection, without a further call. Ignores NULL. */
static void bridge_ssh_free(struct bridge_ssh *ssh)
{
    if (ssh == NULL) {
        return;
    }
    event_free(ssh->timeout);
    event_free(ssh->writable);
    event_free(ssh->readable);
    if (ssh->session != NULL) {
        ssh_event_remove_session(ssh->event, ssh->session);
        ssh_disconnect(ssh->session);
        ssh_free(ssh->session);
    } else {
        fd_close(ssh->socket);
    }
    ssh_event_free(ssh->event);
    fd_close(ssh->watched);
    bytes_clear(&ssh->input);
    free(ssh->key);
    free(ssh);
}

static bool bridge_wire_is_full(const struct bridge_wire *wire);
static void read_waiting_channels(struct bridge_wire *wire);

/* The greeting is this word and the version, two bytes. */
static const char word[] = "bridge";

#define WORD_BYTES (sizeof word - 1)
#define UNREAD_MAX (FRAMES_HEADER_BYTES + PACKET_MAX + FRAMES_CHUNK_MAX)

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

void frames_reader_init(struct frames_reader *reader)
{
    *reader = (struct frames_reader){.read_to = 0};
    bytes_init(&reader->unread, UNREAD_MAX);
}

void frames_reader_clear(struct frames_reader *reader)
{
    bytes_clear(&reader->unread);
}

void frames_reader_add(struct frames_reader *reader, const char *bytes, size_t len)
{
    bytes_drop_first(&reader->unread, reader->read_to);
    reader->read_to = 0;
    if (!bytes_add(&reader->unread, bytes, len)) {
        abort(); /* the caller has not read the frames before */
    }
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

/* Gives SSH what waits, as far as it takes it. */
static void send_waiting(struct bridge_wire *wire)
{
    size_t sent = wire->waiting.len == 0
                      ? 0
                      : bridge_ssh_write(wire->ssh, wire->waiting.at, wire->waiting.len);
    bytes_drop_first(&wire->waiting, sent);
    if (wire->waiting.len == 0) {
        bytes_clear(&wire->waiting); /* a connection that has been busy keeps no memory */
    }
}

static void bridge_wire_handle_room(struct bridge_wire *wire)
{
    if (wire->waiting.len > 0) {
        send_waiting(wire);
    }
    if (!bridge_wire_is_full(wire)) {
        read_waiting_channels(wire);
    }
}

static void flush_in_event_loop(UNUSED int socket, UNUSED short events, void *context)
{
    bridge_wire_handle_room(context);
}

static void bridge_wire_handle_end(const struct bridge_wire *wire, const char *why)
{
    wire->calls->ended(wire->context, wire->why != NULL ? wire->why : why);
}

static void end_in_event_loop(UNUSED int socket, UNUSED short events, void *context)
{
    bridge_wire_handle_end(context, "");
}

static void note_silence(struct bridge_wire *wire, bool is_silent)
{
    if (wire->is_silent != is_silent && wire->calls->silence != NULL) {
        wire->calls->silence(wire->context, is_silent);
    }
    wire->is_silent = is_silent;
}

static void ping_or_end(UNUSED int socket, UNUSED short events, void *context)
{
    struct bridge_wire *wire = context;
    int64_t silent_ms = clock_steady_ms() - wire->heard_ms;
    note_silence(wire, silent_ms > BRIDGE_WIRE_QUIET_MS);
    if (silent_ms > BRIDGE_WIRE_SILENCE_MS) {
        bridge_wire_end(wire, "the other bridge is silent");
    } else if (!bridge_wire_is_full(wire)) {
        bridge_wire_send(wire, &(const struct frame){.kind = FRAME_PING});
    }
}

static void bridge_wire_handle_opened(struct bridge_wire *wire, unsigned node)
{
    wire->heard_ms = clock_steady_ms();
    wire->opened_ms = wire->heard_ms;
    if (!frames_write_greeting(&wire->waiting)) {
        abort(); /* nothing was written before */
    }
    loop_begin_ms(wire->ping, BRIDGE_WIRE_PING_MS);
    if (wire->calls->opened != NULL) {
        wire->calls->opened(wire->context, node);
    }
    event_active(wire->flush, EV_TIMEOUT, 0);
}

static void take_chunk(struct bridge_wire *wire, const char *bytes, size_t len)
{
    struct frame frame;
    enum frames_result result = FRAMES_OK;
    frames_reader_add(&wire->reader, bytes, len);
    while (wire->why == NULL && (result = frames_read(&wire->reader, &frame)) == FRAMES_OK) {
        if (frame.kind != FRAME_PING && !wire->calls->take_frame(wire->context, &frame)) {
            bridge_wire_end(wire, "the other bridge broke the rules");
        }
    }
    if (result == FRAMES_BAD) {
        bridge_wire_end(wire, "the other end is no bridge of this version");
    }
}

/* What the SSH connection tells its wire, from the event loop: the other end has proved to be this
 * node; bytes have arrived; there may be room to write again; the connection has ended, which alone
 * may free it. */
static void bridge_wire_handle_received(struct bridge_wire *wire, const char *bytes, size_t len)
{
    wire->heard_ms = clock_steady_ms();
    note_silence(wire, false);
    for (size_t at = 0; at < len && wire->why == NULL; at += FRAMES_CHUNK_MAX) {
        take_chunk(wire, bytes + at, len - at < FRAMES_CHUNK_MAX ? len - at : FRAMES_CHUNK_MAX);
    }
}

static void begin(struct bridge_wire *wire, const struct bridge *bridge,
                  const struct bridge_wire_calls *calls, void *context)
{
    struct event_base *base = bridge->base;
    *wire = (struct bridge_wire){.calls = calls, .context = context, .base = base};
    frames_reader_init(&wire->reader);
    bytes_init(&wire->waiting, BRIDGE_WIRE_WAITING_MAX);
    wire->ping = loop_make_event(base, -1, EV_PERSIST, ping_or_end, wire);
    wire->flush = loop_make_event(base, -1, 0, flush_in_event_loop, wire);
    wire->end = loop_make_event(base, -1, 0, end_in_event_loop, wire);
}

void bridge_wire_connect(struct bridge_wire *wire, const struct bridge *bridge,
                         const struct bridge_node *node, const struct bridge_wire_calls *calls,
                         void *context)
{
    begin(wire, bridge, calls, context);
    wire->ssh = bridge_ssh_connect(bridge, node, wire);
}

void bridge_wire_accept(struct bridge_wire *wire, const struct bridge *bridge, int socket,
                        const struct bridge_wire_calls *calls, void *context)
{
    begin(wire, bridge, calls, context);
    wire->ssh = bridge_ssh_accept(bridge, socket, wire);
}

void bridge_wire_clear(struct bridge_wire *wire)
{
    if (wire->ssh == NULL) {
        return;
    }
    bridge_channels_clear(wire);
    bridge_ssh_free(wire->ssh);
    event_free(wire->end);
    event_free(wire->flush);
    event_free(wire->ping);
    bytes_clear(&wire->waiting);
    frames_reader_clear(&wire->reader);
    *wire = (struct bridge_wire){.ssh = NULL};
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
    event_active(wire->flush, EV_TIMEOUT, 0);
}

/* True if frames with data must wait. */
static bool bridge_wire_is_full(const struct bridge_wire *wire)
{
    return wire->waiting.len >= BRIDGE_WIRE_FULL;
}

void bridge_wire_end(struct bridge_wire *wire, const char *why)
{
    if (wire->why == NULL) {
        wire->why = why;
        event_active(wire->end, EV_TIMEOUT, 0);
    }
}

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
    return channel->credit >= bridge_packet_cost(PACKET_MAX);
}

/* Stops reading from the socket if the next packet could not be sent on. Returns true if so. */
static bool pause_if_needed(struct bridge_channel *channel)
{
    struct bridge_wire *wire = channel->wire;
    bool is_full = bridge_wire_is_full(wire);
    if (has_credit(channel) && !is_full) {
        return false;
    }
    event_del(channel->readable);
    if (is_full && !channel->is_waiting) {
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
    channel->credit -= bridge_packet_cost(frame->len);
    bridge_wire_send(channel->wire, frame);
}

/* Carries a packet that was read from the socket to the other bridge. */
static void carry_packet(struct bridge_channel *channel, size_t len, int fd)
{
    const struct bridge_wire *wire = channel->wire;
    if (wire->calls->take_packet != NULL &&
        wire->calls->take_packet(wire->context, channel, wire->buffer, len, fd)) {
        return;
    }
    fd_close(fd);
    bridge_channel_send_frame(channel,
                              &(const struct frame){FRAME_DATA, channel->id, wire->buffer, len});
}

static void read_packets(int socket, UNUSED short events, void *context)
{
    struct bridge_channel *channel = context;
    char *buffer = channel->wire->buffer;
    bool takes_fds =
        channel->wire->calls->take_packet != NULL && channel->id == FRAMES_CHANNEL_GATE;
    for (int i = 0; i < PACKETS_PER_PASS && !pause_if_needed(channel); i++) {
        size_t len;
        int fd = -1;
        switch (packet_receive(socket, buffer, &len, takes_fds ? &fd : NULL)) {
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

/* Counts what has arrived and waits for the socket. */
static size_t count_held(const struct bridge_channel *channel)
{
    return channel->queue.bytes + channel->queue.count * BRIDGE_PACKET_COST;
}

/* Sends the packets that wait for the socket. The channel may be removed by this. */
static void send_packets(struct bridge_channel *channel)
{
    size_t held = count_held(channel);
    enum packet_result result = packet_queue_send(&channel->queue, channel->socket);
    channel->owed += held - count_held(channel);
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
    if (count_held(channel) + channel->owed + bridge_packet_cost(len) > BRIDGE_CHANNEL_WINDOW) {
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

void bridge_channels_begin(struct bridge_wire *wire)
{
    wire->is_carrying = true;
    wire->buffer = must_allocate(PACKET_MAX);
}

void bridge_channels_clear(struct bridge_wire *wire)
{
    struct bridge_channel *channel;
    while ((channel = LIST_FIRST(&wire->channels)) != NULL) {
        remove_channel(channel);
    }
    free(wire->buffer);
    wire->buffer = NULL;
    wire->is_carrying = false;
}

struct bridge_channel *bridge_channels_add(struct bridge_wire *wire, uint64_t id, int socket,
                                           bool is_borrowed)
{
    struct bridge_channel *channel = must_allocate(sizeof *channel);
    channel->id = id;
    channel->socket = socket;
    channel->is_borrowed = is_borrowed;
    channel->wire = wire;
    channel->credit = BRIDGE_CHANNEL_WINDOW;
    packet_queue_init(&channel->queue);
    channel->readable = loop_watch(wire->base, socket, EV_READ | EV_PERSIST, read_packets, channel);
    channel->writable =
        loop_make_event(wire->base, socket, EV_WRITE | EV_PERSIST, send_when_writable, channel);
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

bool bridge_channels_take_frame(struct bridge_wire *wire, const struct frame *frame)
{
    struct bridge_channel *channel = bridge_channels_find(wire, frame->channel);
    if (channel == NULL || channel->is_ending) {
        return true; /* this end has closed the channel while the frame was under way */
    }
    switch (frame->kind) {
    case FRAME_DATA:
        return bridge_channel_deliver(channel, frame->bytes, frame->len, -1);
    case FRAME_CLOSE:
        end_channel(channel);
        return true;
    case FRAME_CREDIT:
        return take_credit(channel, frames_read_credit(frame));
    case FRAME_BEGIN:
    case FRAME_OPEN:
    case FRAME_PING:
    case FRAME_KEY:
        break;
    }
    return false;
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
