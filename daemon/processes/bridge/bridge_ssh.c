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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

size_t bridge_ssh_write(struct bridge_ssh *ssh, const char *bytes, size_t len)
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

struct bridge_ssh *bridge_ssh_connect(const struct bridge *bridge, const struct bridge_node *node,
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

struct bridge_ssh *bridge_ssh_accept(const struct bridge *bridge, int socket,
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

void bridge_ssh_free(struct bridge_ssh *ssh)
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
