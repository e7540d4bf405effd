#include "daemon/session/session.h"

#include "daemon/base/i18n.h"
#include "daemon/session/session_state.h"
#include "lobby/protocol/protocol.h"

#include <fcntl.h>
#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <libssh/server.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CIPHERS                                                                                    \
    "chacha20-poly1305@openssh.com,aes256-gcm@openssh.com,aes128-gcm@openssh.com,"                 \
    "aes256-ctr,aes192-ctr,aes128-ctr"
#define MACS "hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com"

enum {
    WARM_TIMEOUT_MS = 5000,
    KEY_FILE_MAX = 65536 /* the file of the largest RSA key has some 13,000 bytes */
};

/* In the order of preference. libssh leaves out those that it does not have: version 0.12 is the
 * first with the key exchanges that a quantum computer does not break. */
static const struct {
    enum ssh_bind_options_e option;
    const char *value;
} algorithms[] = {
    {SSH_BIND_OPTIONS_KEY_EXCHANGE,
     "mlkem768x25519-sha256,sntrup761x25519-sha512,sntrup761x25519-sha512@openssh.com,"
     "curve25519-sha256,curve25519-sha256@libssh.org"},
    {SSH_BIND_OPTIONS_HOSTKEY_ALGORITHMS, "ssh-ed25519,rsa-sha2-512,rsa-sha2-256"},
    {SSH_BIND_OPTIONS_CIPHERS_C_S, CIPHERS},
    {SSH_BIND_OPTIONS_CIPHERS_S_C, CIPHERS},
    {SSH_BIND_OPTIONS_HMAC_C_S, MACS},
    {SSH_BIND_OPTIONS_HMAC_S_C, MACS},
    {SSH_BIND_OPTIONS_PUBKEY_ACCEPTED_KEY_TYPES,
     "ssh-ed25519,sk-ssh-ed25519@openssh.com,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,"
     "ecdsa-sha2-nistp521,sk-ecdsa-sha2-nistp256@openssh.com,rsa-sha2-512,rsa-sha2-256"},
    {SSH_BIND_OPTIONS_BANNER, "Trickhouse"},
};

struct sshd_host {
    ssh_bind bind;
    ssh_session prepared; /* for a socket with the number prepared_socket; NULL: none */
    int prepared_socket;
    uint64_t rekey_bytes;
    uint32_t rekey_s;
};

static bool set_ssh_bind_options(ssh_bind bind)
{
    const bool process_config = false;
    const int rsa_bits_min = 2048;
    if (ssh_bind_options_set(bind, SSH_BIND_OPTIONS_PROCESS_CONFIG, &process_config) != SSH_OK ||
        ssh_bind_options_set(bind, SSH_BIND_OPTIONS_RSA_MIN_SIZE, &rsa_bits_min) != SSH_OK) {
        return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(algorithms); i++) {
        if (ssh_bind_options_set(bind, algorithms[i].option, algorithms[i].value) != SSH_OK) {
            return false;
        }
    }
    return true;
}

/* Reads the host key from a file and gives it to the ssh_bind, which owns the key from then on. */
static bool import_host_key(ssh_bind bind, const char *path)
{
    ssh_key key = NULL;
    size_t len;
    char *text = files_read(path, KEY_FILE_MAX, &len);
    if (text == NULL) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot read the host key %s: %s", path,
                  files_explain_errno());
        return false;
    }
    int imported = ssh_pki_import_privkey_base64(text, NULL, NULL, NULL, &key);
    explicit_bzero(text, len);
    free(text);
    if (imported != SSH_OK) {
        log_event(LOG_LEVEL_ERROR, 0,
                  "cannot read the host key %s: it is no private key, or has a passphrase", path);
        return false;
    }
    enum ssh_keytypes_e type = ssh_key_type(key);
    if (type != SSH_KEYTYPE_ED25519 && type != SSH_KEYTYPE_RSA) {
        log_event(LOG_LEVEL_ERROR, 0, "the host key %s is neither ed25519 nor RSA", path);
    } else if (ssh_bind_options_set(bind, SSH_BIND_OPTIONS_IMPORT_KEY, key) == SSH_OK) {
        return true;
    } else {
        log_event(LOG_LEVEL_ERROR, 0, "cannot use the host key %s: %s", path, ssh_get_error(bind));
    }
    ssh_key_free(key);
    return false;
}

struct sshd_host *sshd_host_new(const char *key_path, const struct config *config)
{
    struct sshd_host *host = must_allocate(sizeof(*host));
    host->rekey_bytes = (uint64_t)config->ssh_rekey_mib << 20;
    host->rekey_s = config->ssh_rekey_s;
    host->bind = must_not_be_null(ssh_bind_new());
    if (!set_ssh_bind_options(host->bind)) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot set up SSH: %s", ssh_get_error(host->bind));
    } else if (import_host_key(host->bind, key_path)) {
        return host;
    }
    sshd_host_free(host);
    return NULL;
}

/* Frees the prepared session. libssh closes the descriptor with the number of its socket, which
 * belongs to somebody else. */
static void free_prepared_session(struct sshd_host *host)
{
    int kept = fcntl(host->prepared_socket, F_DUPFD_CLOEXEC, 0);
    ssh_free(host->prepared);
    if (kept >= 0) {
        dup3(kept, host->prepared_socket, O_CLOEXEC);
        close(kept);
    }
}

void sshd_host_free(struct sshd_host *host)
{
    if (host == NULL) {
        return;
    }
    if (host->prepared != NULL) {
        free_prepared_session(host);
    }
    ssh_bind_free(host->bind);
    free(host);
}

/* Sets the options of an SSH session. Compression must be set to "none" before the connection is
 * accepted: with "no", libssh would still offer zlib. */
static bool set_ssh_session_options(const struct sshd_host *host, ssh_session session)
{
    const bool process_config = false;
    return ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &process_config) == SSH_OK &&
           ssh_options_set(session, SSH_OPTIONS_COMPRESSION, "none") == SSH_OK &&
           ssh_options_set(session, SSH_OPTIONS_REKEY_DATA, &host->rekey_bytes) == SSH_OK &&
           ssh_options_set(session, SSH_OPTIONS_REKEY_TIME, &host->rekey_s) == SSH_OK;
}

static ssh_session make_ssh_server(const struct sshd_host *host, int socket)
{
    ssh_session session = must_not_be_null(ssh_new());
    if (!set_ssh_session_options(host, session) ||
        ssh_bind_accept_fd(host->bind, session, socket) != SSH_OK) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot begin SSH: %s", ssh_get_error(host->bind));
        ssh_free(session);
        return NULL;
    }
    ssh_set_blocking(session, 0);
    ssh_set_auth_methods(session, SSH_AUTH_METHOD_PUBLICKEY | SSH_AUTH_METHOD_INTERACTIVE);
    return session;
}

/* Prepares the server's end of SSH for the next connection, before its process is forked. The
 * connection's socket will have this number. Returns false, with a line on the log, on failure. */
static bool sshd_host_prepare(struct sshd_host *host, int socket)
{
    host->prepared = make_ssh_server(host, socket);
    host->prepared_socket = socket;
    return host->prepared != NULL;
}

/* Creates the server's end of SSH on a connected socket. Takes over the socket in any case, even on
 * failure. The SSH session is non-blocking, and its key exchange is still to be done. Returns NULL,
 * with a line on the log, on failure. */
static ssh_session sshd_host_accept(struct sshd_host *host, int socket)
{
    if (host->prepared == NULL || host->prepared_socket != socket) {
        return make_ssh_server(host, socket);
    }
    ssh_session session = host->prepared;
    host->prepared = NULL;
    return session;
}

/* Makes an SSH client for the gate's handshake with itself. Once connected, the client owns the
 * socket. */
static ssh_session make_ssh_client(int socket)
{
    const bool process_config = false;
    ssh_session client = must_not_be_null(ssh_new());
    if (ssh_options_set(client, SSH_OPTIONS_PROCESS_CONFIG, &process_config) != SSH_OK ||
        ssh_options_set(client, SSH_OPTIONS_HOST, "localhost") != SSH_OK ||
        ssh_options_set(client, SSH_OPTIONS_USER, "guest") != SSH_OK ||
        ssh_options_set(client, SSH_OPTIONS_SSH_DIR, "/nonexistent") != SSH_OK ||
        ssh_options_set(client, SSH_OPTIONS_FD, &socket) != SSH_OK) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot warm up: %s", ssh_get_error(client));
        ssh_free(client);
        return NULL;
    }
    ssh_set_blocking(client, 0);
    return client;
}

/* Runs the SSH server and the SSH client alternately until their key exchange is complete. Neither
 * of them blocks. */
static bool exchange_first_keys(ssh_session server, ssh_session client)
{
    int64_t deadline_ms = clock_steady_ms() + WARM_TIMEOUT_MS;
    int served = SSH_AGAIN, connected = SSH_AGAIN;
    while (served == SSH_AGAIN || connected == SSH_AGAIN) {
        if (connected == SSH_AGAIN) {
            connected = ssh_connect(client);
        }
        if (served == SSH_AGAIN) {
            served = ssh_handle_key_exchange(server);
        }
        if (clock_steady_ms() > deadline_ms) {
            break;
        }
    }
    if (served == SSH_OK && connected == SSH_OK) {
        return true;
    }
    log_event(LOG_LEVEL_ERROR, 0, "the gate's SSH handshake with itself failed: %s%s",
              ssh_get_error(server), ssh_get_error(client));
    return false;
}

/* Does one SSH handshake with a client in this process, so that all sessions share the memory that
 * OpenSSL and libssh allocate when they are first used. Returns false, with a line on the log, if
 * the handshake fails: then no client could connect either. */
static bool sshd_host_do_first_handshake(struct sshd_host *host)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot prepare SSH: no socket pair");
        return false;
    }
    bool is_warm = false;
    ssh_session client = make_ssh_client(ends[1]);
    ssh_session server = sshd_host_accept(host, ends[0]);
    if (client != NULL && server != NULL) {
        is_warm = exchange_first_keys(server, client);
    }
    ssh_free(server);
    ssh_free(client);
    return is_warm;
}

enum {
    COMMAND_MAX = 1200 /* room for a command line with its NUL: more than any query needs */
};

/*
 * Signing in over SSH: by `none` for the user "guest", by public keys, or by keyboard-interactive.
 * Known and unknown names are offered the same methods and prompts; only the core knows which names
 * exist. A client that tries too many keys or sends too many requests is disconnected. libssh
 * accepts the answer to a request only inside its callback, so the callbacks wait for the core; the
 * login limits that time.
 *
 * After that, the only channel of the connection has one terminal, and one shell, command or
 * subsystem. The callbacks of the channel only set flags and copy bytes, because they may run
 * inside one of our own writes. All callbacks get the struct session.
 */
struct ssh {
    ssh_session session;
    ssh_event event;
    struct ssh_counter_struct counter; /* must not move, like the next two: libssh points to it */
    struct ssh_server_callbacks_struct server_callbacks;
    struct ssh_channel_callbacks_struct channel_callbacks;

    int requests, key_probes; /* of the client, some of which cost it nothing */
    bool is_prompted;         /* libssh waits for the answer to a prompt */
    char user[65];
    char note[LOGIN_NOTE_MAX]; /* shown above the next prompt: the reason why the last answer was
                                  refused */

    ssh_channel channel; /* NULL until the channel is open; the SSH session owns it */
    bool has_started;    /* the client has asked for what the session serves (session->use) */
    bool has_terminal;
    bool has_refused; /* a subsystem was refused: some clients do not ask for a reply and would wait
                         for ever */
    char command[COMMAND_MAX]; /* a longer command line is truncated: no query is that long */
};

/* NOLINTBEGIN(readability-function-size): libssh's parameters */

static int accept_terminal(UNUSED ssh_session server, UNUSED ssh_channel channel, const char *term,
                           int columns, int rows, UNUSED int width, UNUSED int height,
                           void *userdata)
{
    struct session *session = userdata;
    struct ssh *ssh = session->own;
    if (ssh->has_terminal || ssh->has_started) {
        return -1;
    }
    ssh->has_terminal = true;
    terminal_name_copy(session->terminal.name, term);
    session->terminal.size = terminal_size_clamp(columns, rows);
    return 0;
}

static int store_new_window_size(UNUSED ssh_session server, UNUSED ssh_channel channel, int columns,
                                 int rows, UNUSED int width, UNUSED int height, void *userdata)
{
    struct session *session = userdata;
    session->terminal.size = terminal_size_clamp(columns, rows);
    session->terminal.is_resized = true;
    return 0;
}

/* Receives a variable of the client's environment. Sets no variable in this process: only the
 * character set and the language are used. */
static int store_environment_variable(UNUSED ssh_session server, UNUSED ssh_channel channel,
                                      const char *name, const char *value, void *userdata)
{
    struct session *session = userdata;
    return terminal_take_env_variable(&session->terminal, name, value) ? 0 : -1;
}

/* NOLINTEND(readability-function-size) */

static int start_use(struct session *session, enum session_use use)
{
    struct ssh *ssh = session->own;
    if (ssh->has_started) {
        return -1;
    }
    ssh->has_started = true;
    session->use = use;
    return 0;
}

static int accept_shell(UNUSED ssh_session server, UNUSED ssh_channel channel, void *userdata)
{
    return start_use(userdata, USE_SCREEN);
}

static int accept_command_line(UNUSED ssh_session server, UNUSED ssh_channel channel,
                               const char *command, void *userdata)
{
    struct session *session = userdata;
    struct ssh *ssh = session->own;
    if (start_use(session, USE_QUERY) != 0) {
        return -1;
    }
    snprintf(ssh->command, sizeof(ssh->command), "%s", command);
    session->command = ssh->command;
    return 0;
}

/* Accepts the subsystem for outside programs. Programs send whole messages, so no byte of their
 * input may be discarded. */
static int accept_subsystem(UNUSED ssh_session server, UNUSED ssh_channel channel, const char *name,
                            void *userdata)
{
    struct session *session = userdata;
    struct ssh *ssh = session->own;
    if (strcmp(name, "api") != 0 || start_use(session, USE_API) != 0) {
        ssh->has_refused = true;
        return -1;
    }
    if (session->terminal.in.max < API_IN_MAX) {
        session->terminal.in.max = API_IN_MAX;
    }
    return 0;
}

/* Receives input. Discards the input that exceeds what a person can have typed since the last
 * read. */
static int store_typed_input(UNUSED ssh_session server, UNUSED ssh_channel channel, void *data,
                             uint32_t len, int is_stderr, void *userdata)
{
    struct session *session = userdata;
    const struct ssh *ssh = session->own;
    struct terminal *terminal = &session->terminal;
    size_t start = terminal->in.len;
    if (is_stderr == 0 && !bytes_add(&terminal->in, data, len)) {
        terminal->is_overrun = true;
    } else if (ssh->has_terminal && ssh->has_started && session->use == USE_SCREEN) {
        terminal_mark_paste(terminal, start);
    }
    return (int)len;
}

/* Records that the input has ended, unless there is a terminal: somebody may still be reading its
 * screen, and only closing the channel ends its input. */
static void record_end_of_input(UNUSED ssh_session server, UNUSED ssh_channel channel,
                                void *userdata)
{
    struct session *session = userdata;
    const struct ssh *ssh = session->own;
    session->terminal.is_ended = !ssh->has_terminal;
}

static void record_channel_close(UNUSED ssh_session server, UNUSED ssh_channel channel,
                                 void *userdata)
{
    struct session *session = userdata;
    session->terminal.is_closed = true;
}

static ssh_channel open_channel(UNUSED ssh_session server, void *userdata)
{
    struct session *session = userdata;
    struct ssh *ssh = session->own;
    if (session->login.state != LOGIN_SIGNED_IN || ssh->channel != NULL) {
        return NULL;
    }
    ssh->channel = ssh_channel_new(ssh->session);
    if (ssh->channel != NULL) {
        ssh_set_channel_callbacks(ssh->channel, &ssh->channel_callbacks);
    }
    return ssh->channel;
}

enum {
    RSA_BITS_MIN = 2048,
    /* the largest RSA key that OpenSSH accepts, in bits; verifying one of its signatures takes a
     * millisecond */
    RSA_BITS_MAX = 16384,
    BLOB_MAX = 2 * (RSA_BITS_MAX / 8) + 64,
};

/* Removes the first string (RFC 4251, section 5) of a key's bytes: advances *bytes and lowers
 * *left. Returns the string's length; 0 if the bytes hold no whole string. */
static uint32_t drop_first_string(const unsigned char **bytes, size_t *left)
{
    if (*left < 4) {
        return 0;
    }
    const unsigned char *p = *bytes;
    uint32_t len = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    if (len > *left - 4) {
        return 0;
    }
    *bytes += 4 + len;
    *left -= 4 + (size_t)len;
    return len;
}

/* Returns the size of an RSA key in bits, rounded up to a multiple of eight; libssh has no function
 * for this. Returns 0 for malformed keys and keys above the limit. */
static uint32_t count_rsa_bits(ssh_key key)
{
    char *text = NULL;
    unsigned char blob[BLOB_MAX];
    size_t left = 0;
    if (ssh_pki_export_pubkey_base64(key, &text) != SSH_OK) {
        return 0;
    }
    int is_bad = sodium_base642bin(blob, sizeof(blob), text, strlen(text), NULL, &left, NULL,
                                   sodium_base64_VARIANT_ORIGINAL);
    ssh_string_free_char(text);
    if (is_bad != 0) {
        return 0;
    }
    const unsigned char *at = blob;
    if (drop_first_string(&at, &left) == 0 || drop_first_string(&at, &left) == 0 || left < 5) {
        return 0; /* the first two strings are the name of the key type and the exponent */
    }
    bool is_full = at[4] == 0; /* a modulus whose highest bit is set is preceded by a zero byte */
    uint32_t len = drop_first_string(&at, &left);
    return len == 0 ? 0 : is_full ? (len - 1) * 8 : len * 8 - 1;
}

bool sshd_key_is_accepted(ssh_key key)
{
    uint32_t bits = 0;
    enum ssh_keytypes_e type = ssh_key_type(key);
    if (type == SSH_KEYTYPE_RSA) {
        bits = count_rsa_bits(key);
        return bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX;
    }
    return type == SSH_KEYTYPE_ED25519 || type == SSH_KEYTYPE_SK_ED25519 ||
           type == SSH_KEYTYPE_ECDSA_P256 || type == SSH_KEYTYPE_ECDSA_P384 ||
           type == SSH_KEYTYPE_ECDSA_P521 || type == SSH_KEYTYPE_SK_ECDSA;
}

/* room for the greeting and the longest reason that the core gives */
#define INSTRUCTION_BYTES 2048

/* Counts a request of the client. Returns true if the client may still sign in. */
static bool may_still_sign_in(struct session *session)
{
    struct ssh *ssh = session->own;
    ssh->is_prompted = false; /* any new request ends a conversation by keyboard-interactive */
    if (++ssh->requests > (int)session->config->door_requests) {
        session->login.state = LOGIN_FAILED;
    }
    return session->login.state == LOGIN_ASKING;
}

static int translate_to_ssh_result(enum login_result result)
{
    bool is_in = result == LOGIN_IN || result == LOGIN_UNREGISTERED;
    return is_in ? SSH_AUTH_SUCCESS : SSH_AUTH_DENIED;
}

/* Stores the reason why a guest or the key of an account was refused. The reason is shown above the
 * next prompt. */
static int store_refusal(struct session *session, enum login_result result)
{
    struct ssh *ssh = session->own;
    if (result == LOGIN_REFUSED) {
        login_write_refusal_note(&session->login, result, ssh->note);
    }
    return translate_to_ssh_result(result);
}

static int authenticate_guest(UNUSED ssh_session server, const char *user, void *userdata)
{
    struct session *session = userdata;
    if (!may_still_sign_in(session) || strcmp(user, "guest") != 0) {
        return SSH_AUTH_DENIED; /* the client only asks which methods of signing in there are */
    }
    return store_refusal(session, login_as_guest(&session->login));
}

static int check_offered_key(struct session *session, const char *user, const char *type,
                             const char *fingerprint)
{
    struct ssh *ssh = session->own;
    if (++ssh->key_probes > (int)session->config->door_key_probes) {
        session->login.state = LOGIN_FAILED;
        return SSH_AUTH_DENIED;
    }
    enum login_result result = login_check_key(&session->login, user, type, fingerprint);
    return result == LOGIN_KNOWN ? SSH_AUTH_SUCCESS : SSH_AUTH_DENIED;
}

/* Checks a key, or accepts one whose signature is verified. libssh calls this with a key that has
 * no signature, or with one whose signature it has verified; it refuses bad signatures itself. */
static int authenticate_key(UNUSED ssh_session server, const char *user, struct ssh_key_struct *key,
                            char state, void *userdata)
{
    struct session *session = userdata;
    if (!may_still_sign_in(session) || session->login.is_banned || !sshd_key_is_accepted(key)) {
        return SSH_AUTH_DENIED;
    }
    unsigned char *hash = NULL;
    size_t len = 0;
    const char *type = ssh_key_type_to_char(ssh_key_type(key));
    if (type == NULL ||
        ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &len) != SSH_OK) {
        return SSH_AUTH_DENIED;
    }
    char *fingerprint = ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, len);
    ssh_clean_pubkey_hash(&hash);
    int result = SSH_AUTH_DENIED;
    if (fingerprint != NULL && state == SSH_PUBLICKEY_STATE_NONE) {
        result = check_offered_key(session, user, type, fingerprint);
    } else if (fingerprint != NULL && state == SSH_PUBLICKEY_STATE_VALID) {
        result = store_refusal(session, login_by_key(&session->login, user, type, fingerprint));
    }
    ssh_string_free_char(fingerprint);
    return result;
}

/* Writes the text above a prompt: greeting and question together as the "instruction" of
 * keyboard-interactive. The text ends with a newline, because dropbear's client adds none. */
static void write_prompt_instruction(const struct session *session, char *instruction, size_t size)
{
    const struct login *login = &session->login;
    const struct ssh *ssh = session->own;
    char greeting[128], note[LOGIN_NOTE_MAX];
    snprintf(greeting, sizeof(greeting), _("Welcome to %s."),
             login->house[0] == '\0' ? "Trickhouse" : login->house);
    if (login->is_banned) {
        login_write_refusal_note(login, LOGIN_REFUSED, note); /* the reason for the ban */
        snprintf(instruction, size, "%s\n%s", greeting, ssh->note[0] == '\0' ? note : ssh->note);
        return;
    }
    snprintf(instruction, size, "%s\n%s%s\n", greeting, ssh->note,
             login->takes_no_guests ? _("Type your password. New here? Just press Enter.")
                                    : _("Type your password. New here? Just press Enter.\n"
                                        "Only looking? Connect as \"guest\"."));
}

/* Asks for the password of the user named in the message, and stores the name, since the client's
 * answer does not repeat it. Returns 0 if libssh has sent the question. */
static int ask_for_password(struct session *session, ssh_message message)
{
    struct ssh *ssh = session->own;
    const char *user = ssh_message_auth_user(message);
    if (user == NULL || strlen(user) >= sizeof(ssh->user)) {
        return 1;
    }
    memcpy(ssh->user, user, strlen(user) + 1);
    ssh->is_prompted = true;

    char question[64], instruction[INSTRUCTION_BYTES];
    snprintf(question, sizeof(question), "%s ",
             session->login.is_banned ? login_appeal_question() : _("Password:"));
    write_prompt_instruction(session, instruction, sizeof(instruction));
    ssh->note[0] = '\0';
    const char *prompts[] = {question};
    char echo[] = {session->login.is_banned ? 1 : 0};
    return ssh_message_auth_interactive_request(message, "", instruction, 1, prompts, echo) ==
                   SSH_OK
               ? 0
               : 1;
}

static int check_password_answer(struct session *session, ssh_message message)
{
    struct ssh *ssh = session->own;
    if (ssh_userauth_kbdint_getnanswers(ssh->session) != 1) {
        return 1;
    }
    const char *answer = ssh_userauth_kbdint_getanswer(ssh->session, 0);
    if (answer == NULL) {
        return 1;
    }
    enum login_result result = login_by_password(&session->login, ssh->user, answer);
    if (translate_to_ssh_result(result) != SSH_AUTH_SUCCESS) {
        login_write_refusal_note(&session->login, result, ssh->note);
        return 1;
    }
    ssh_message_auth_reply_success(message, 0);
    return 0;
}

/* Handles the requests that no other callback handles: keyboard-interactive, and requests that are
 * refused. Returns 1 to let libssh refuse the request. */
static int handle_other_request(UNUSED ssh_session server, ssh_message message, void *userdata)
{
    struct session *session = userdata;
    const struct ssh *ssh = session->own;
    if (ssh_message_type(message) == SSH_REQUEST_SERVICE) {
        const char *service = ssh_message_service_service(message);
        if (service == NULL || strcmp(service, "ssh-userauth") != 0) {
            session->login.state = LOGIN_FAILED;
        }
        /* accept any service: refusing it would only end the connection later */
        return 1;
    }
    if (ssh_message_type(message) != SSH_REQUEST_AUTH) {
        return 1;
    }
    bool was_prompted = ssh->is_prompted;
    if (!may_still_sign_in(session) ||
        ssh_message_subtype(message) != SSH_AUTH_METHOD_INTERACTIVE) {
        return 1;
    }
    if (ssh_message_auth_kbdint_is_response(message) == 0) {
        return ask_for_password(session, message);
    }
    return was_prompted ? check_password_answer(session, message) : 1;
}

/* Refuses gssapi-with-mic, which libssh processes although it is not offered. */
static ssh_string refuse_gssapi_mechanisms(UNUSED ssh_session server, UNUSED const char *user,
                                           UNUSED int count, UNUSED ssh_string *oids,
                                           UNUSED void *userdata)
{
    return NULL;
}

enum {
    /* time that a client whose first request was refused has to send another */
    REFUSED_TIMEOUT_MS = 2000,
    DISCARDS =
        4, /* how often bytes of a client are discarded that is told why it is disconnected */
    DISCARD_MS = 100, /* how long to wait for each of them */
    DISCARD_BYTES = 4096
};

/* Sets the callbacks for signing in and, after that, for the channel that the client may open. */
static void set_callbacks(struct session *session)
{
    struct ssh *ssh = session->own;
    ssh->server_callbacks = (struct ssh_server_callbacks_struct){
        .userdata = session,
        .auth_none_function = authenticate_guest,
        .auth_pubkey_function = authenticate_key,
        .channel_open_request_session_function = open_channel,
        .gssapi_select_oid_function = refuse_gssapi_mechanisms,
    };
    ssh->channel_callbacks = (struct ssh_channel_callbacks_struct){
        .userdata = session,
        .channel_data_function = store_typed_input,
        .channel_eof_function = record_end_of_input,
        .channel_close_function = record_channel_close,
        .channel_pty_request_function = accept_terminal,
        .channel_pty_window_change_function = store_new_window_size,
        .channel_env_request_function = store_environment_variable,
        .channel_shell_request_function = accept_shell,
        .channel_exec_request_function = accept_command_line,
        .channel_subsystem_request_function = accept_subsystem,
    };
    ssh_callbacks_init(&ssh->server_callbacks);
    ssh_callbacks_init(&ssh->channel_callbacks);
    ssh_set_server_callbacks(ssh->session, &ssh->server_callbacks);
    ssh_set_message_callback(ssh->session, handle_other_request, session);
}

static bool begin_ssh(struct session *session, const struct session_setup *setup)
{
    struct ssh *ssh = must_allocate(sizeof(*ssh));
    session->own = ssh;
    session->heard_bytes = &ssh->counter.in_bytes;
    ssh->session = sshd_host_accept(setup->host, FD_PEER);
    ssh->event = ssh_event_new();
    if (ssh->session == NULL || ssh->event == NULL) {
        return false;
    }
    ssh_set_counters(ssh->session, &ssh->counter, NULL);
    set_callbacks(session);
    return true;
}

static short choose_poll_events(const struct session *session)
{
    const struct ssh *ssh = session->own;
    bool is_writing = (ssh_get_poll_flags(ssh->session) & SSH_WRITE_PENDING) != 0;
    return is_writing ? POLLIN | POLLOUT : POLLIN;
}

/* True if the client has violated the SSH protocol: libssh then ignores the client but leaves the
 * connection open. */
static bool has_broken_protocol(const struct ssh *ssh)
{
    return (ssh_get_status(ssh->session) & (SSH_CLOSED | SSH_CLOSED_ERROR)) != 0;
}

static bool read_input(struct session *session, bool has_input)
{
    const struct ssh *ssh = session->own;
    if (has_input) {
        /* ignore the result: it does not tell whether a write failed because the client is gone */
        ssh_event_dopoll(ssh->event, 0);
    }
    if (ssh_is_connected(ssh->session) == 0) {
        return false;
    }
    if (has_broken_protocol(ssh)) {
        session->ending = _("Your client broke the rules of SSH. Please try another.");
        session->is_peer_at_fault = true;
        return false;
    }
    return true;
}

/* Logs the algorithms of the key exchange. The MAC is NULL if the cipher itself authenticates. The
 * banner comes from the client. */
static void log_key_exchange(const struct session *session)
{
    const struct ssh *ssh = session->own;
    log_pairs(LOG_LEVEL_INFO, session->conn, "key-exchange",
              LOG_PAIRS("kex", ssh_get_kex_algo(ssh->session), "cipher_in",
                        ssh_get_cipher_in(ssh->session), "cipher_out",
                        ssh_get_cipher_out(ssh->session), "mac_in", ssh_get_hmac_in(ssh->session),
                        "mac_out", ssh_get_hmac_out(ssh->session), "client",
                        ssh_get_clientbanner(ssh->session)));
}

/* Exchanges keys. Some clients, such as dropbear's, sign in before the key exchange has ended.
 * libssh would then wait for the end of the key exchange for ever, so this loop also ends when
 * somebody has signed in. */
static bool exchange_keys(struct session *session)
{
    const struct ssh *ssh = session->own;
    int64_t deadline_ms = clock_steady_ms() + 1000 * (int64_t)session->config->door_key_exchange_s;
    int result;
    while ((result = ssh_handle_key_exchange(ssh->session)) == SSH_AGAIN &&
           session->login.state == LOGIN_ASKING && !has_broken_protocol(ssh)) {
        int64_t left_ms = deadline_ms - clock_steady_ms();
        struct pollfd fds[] = {
            {.fd = FD_PEER, .events = choose_poll_events(session)},
            {.fd = FD_STOP, .events = POLLIN},
        };
        if (left_ms <= 0) {
            session->ending = _("The key exchange took too long. Please try again.");
            session->exit = SESSION_GRACE;
            return false;
        }
        bool is_told_to_stop = poll(fds, ARRAY_LEN(fds), (int)left_ms) > 0 && fds[1].revents != 0;
        if (is_told_to_stop || !session_is_within_sign_in_cpu_limit(session)) {
            return false;
        }
        watchdog_arm();
    }
    if (result == SSH_ERROR || has_broken_protocol(ssh)) {
        session->ending = _("The key exchange with your client failed. Is your client too old?");
        session->exit = SESSION_NO_AUTH;
        return false;
    }
    log_key_exchange(session);
    return ssh_event_add_session(ssh->event, ssh->session) == SSH_OK;
}

static bool await_client_request(struct session *session)
{
    const struct ssh *ssh = session->own;
    int64_t began_ms = clock_steady_ms();
    while (!ssh->has_started) {
        bool has_refused = ssh->has_refused;
        int64_t patience_ms =
            has_refused ? REFUSED_TIMEOUT_MS : 1000 * (int64_t)session->config->door_start_s;
        int64_t left_ms = began_ms + patience_ms - clock_steady_ms();
        if (left_ms <= 0) {
            session->ending =
                has_refused ? _("Trickhouse has no such subsystem: connect with a terminal.")
                            : _("Your client did not ask for a session: connect with a terminal.");
            return false;
        }
        if (!session_run_loop_pass(session, left_ms, LISTEN_TO_STOP)) {
            return false;
        }
    }
    session->terminal.lines = (struct ui_lines){.is_on = !ssh->has_terminal,
                                                .is_echoed = ssh->has_terminal,
                                                .is_piped = !ssh->has_terminal};
    return true;
}

static bool sign_in_and_await_request(struct session *session)
{
    return exchange_keys(session) && session_sign_in(session) && await_client_request(session);
}

static bool is_output_blocked(const struct session *session)
{
    const struct ssh *ssh = session->own;
    return session->terminal.out.len > 0 ||
           (ssh_get_status(ssh->session) & SSH_WRITE_PENDING) != 0 ||
           ssh_channel_window_size(ssh->channel) == 0;
}

/* Sends as much as the client's window and the socket have room for. Returns the number of bytes
 * taken from the terminal's `out`. */
static size_t send_output(struct session *session)
{
    const struct ssh *ssh = session->own;
    const struct bytes *out = &session->terminal.out;
    /* half of what may wait in libssh: the rest is room for what encryption adds to each packet */
    const size_t write_max = (size_t)session->config->connection_pending_kib << 9;
    size_t sent = 0;
    while (out->len > sent && ssh_channel_is_open(ssh->channel) != 0 &&
           (ssh_get_status(ssh->session) & SSH_WRITE_PENDING) == 0) {
        size_t len = out->len - sent;
        size_t window = ssh_channel_window_size(ssh->channel);
        len = len > window ? window : len;
        len = len > write_max ? write_max : len;
        int written = len == 0 ? 0 : ssh_channel_write(ssh->channel, out->at + sent, (uint32_t)len);
        if (written <= 0) {
            break;
        }
        sent += (size_t)written;
    }
    terminal_drop_sent_bytes(&session->terminal, sent);
    return sent;
}

/* Asks whether the client is alive. In non-blocking mode, ssh_send_keepalive may send nothing and
 * only return the result of the previous call. If the first call has sent nothing, a second call
 * follows. */
static void ask_if_alive(struct session *session)
{
    const struct ssh *ssh = session->own;
    uint64_t sent = ssh->counter.out_bytes;
    for (int i = 0; i < 2 && ssh->counter.out_bytes == sent; i++) {
        ssh_send_keepalive(ssh->session);
    }
}

/* Sends the exit status, the end of file and the closing of the channel, in this order. */
static void close_channel(ssh_channel channel, int exit_status)
{
    if (ssh_channel_is_open(channel) != 0) {
        ssh_channel_request_send_exit_status(channel, exit_status);
        ssh_channel_send_eof(channel);
        ssh_channel_close(channel);
    }
}

/* Sends the last message to somebody who could not sign in because the core does not answer. The
 * client may still be sending: if the socket were closed before its bytes are read, the system
 * would throw away our message. */
static void disconnect_and_discard_input(const struct ssh *ssh)
{
    const int fd = FD_PEER;
    uint8_t bytes[DISCARD_BYTES];
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    /* libssh would drop a packet that finds the socket in use by the packet before */
    ssh_set_fd_towrite(ssh->session);
    /* libssh does not close a socket that was set as an option */
    (void)ssh_options_set(ssh->session, SSH_OPTIONS_FD, &fd);
    ssh_disconnect(ssh->session);
    (void)shutdown(fd, SHUT_WR);
    for (int i = 0; i < DISCARDS && poll(&readable, 1, DISCARD_MS) == 1; i++) {
        if (recv(fd, bytes, sizeof(bytes), 0) <= 0) {
            return;
        }
    }
}

/* Prints the last message, below the screen or on standard error, and closes the connection. If the
 * client learned of the disconnection before the exit status, the client would report a failure. */
static void close_connection(struct session *session, int exit_status)
{
    const struct ssh *ssh = session->own;
    if (ssh->channel != NULL) {
        if (ssh->has_terminal || session->ui != NULL || session->use == USE_API) {
            session_print_end_reason(session);
        } else if (session->ending != NULL) {
            ssh_channel_write_stderr(ssh->channel, session->ending,
                                     (uint32_t)strlen(session->ending));
            ssh_channel_write_stderr(ssh->channel, "\n", 1);
        }
        session_send_pending_output(session);
        close_channel(ssh->channel, exit_status);
        session_await_client_close(session);
    }
    if (session->ending != NULL) {
        ssh_session_set_disconnect_message(ssh->session, session->ending);
    }
    if (session->login.is_core_gone) {
        disconnect_and_discard_input(ssh);
    } else {
        ssh_disconnect(ssh->session);
    }
}

const struct transport session_ssh = {
    .begin = begin_ssh,
    .enter = sign_in_and_await_request,
    .events = choose_poll_events,
    .take = read_input,
    .is_blocked = is_output_blocked,
    .send = send_output,
    .ask = ask_if_alive,
    .leave = close_connection,
};

enum {
    OUT_MAX = 1 << 20,
    HOLE_MAX = 64 << 10 /* size in bytes of the largest hole in the heap that is filled */
};

struct warm_filler {
    struct warm_filler *next;
};

static void discard_packet(UNUSED void *context, UNUSED const char *json, UNUSED size_t len)
{
}

/* Handles sample messages like those that the core sends first, so that this code has run once
 * before the first fork. */
static bool receive_sample_messages(struct client *client)
{
    static const char *const words[] = {
        "{\"t\":\"welcome\",\"protocol\":3,\"house\":\"\",\"phase\":\"in\"}",
        "{\"t\":\"mine\",\"tables\":[]}",
        "{\"t\":\"lobby\",\"here\":1,\"people_count\":1,\"people_first\":0,\"people\":[]}",
        "{\"t\":\"lobby\",\"tables_all\":0,\"tables_count\":0,\"tables_first\":0,\"tables\":[]}",
    };
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (client_receive_packet(client, words[i], strlen(words[i])) != CLIENT_OK) {
            return false;
        }
    }
    return true;
}

static bool draw_sample_screen(void)
{
    struct client *client = client_new(discard_packet, NULL);
    json_t *you = json_pack("{s:s, s:s, s:s, s:b, s:{}, s:b}", "name", "guest", "kind", "guest",
                            "role", "player", "has_password", 0, "settings", "is_new", 0);
    const struct ui_setup setup = {
        .term = "xterm-256color",
        .columns = 80,
        .rows = 24,
        .suggested_name = "",
        .you = you,
        .client = client,
        .now_ms = clock_unix_ms(),
    };
    struct ui *ui = ui_new(&setup);
    json_decref(you);
    bool is_painted = ui != NULL && receive_sample_messages(client);
    if (is_painted) {
        struct bytes out;
        bytes_init(&out, OUT_MAX);
        ui_tick(ui, clock_unix_ms());
        ui_paint(ui, clock_unix_ms(), &out);
        bytes_clear(&out);
    }
    ui_free(ui);
    client_free(client);
    return is_painted;
}

/* Takes all free memory between the allocations of this process. Each piece that a session
 * allocated there, or freed, would cost the session a copy of a page that is otherwise shared;
 * instead, sessions allocate behind all of it, side by side. */
static struct warm_filler *fill_holes_in_heap(void)
{
    struct warm_filler *fillers = NULL;
    const uintptr_t top = heap_find_end();
    for (size_t size = HOLE_MAX; size >= sizeof(*fillers) && !IS_SANITIZED; size -= size / 8) {
        struct warm_filler *filler;
        while ((uintptr_t)(filler = must_not_be_null(malloc(size))) < top) {
            filler->next = fillers;
            fillers = filler;
        }
        free(filler);
    }
    return fillers;
}

static bool do_first_work(struct sshd_host *host)
{
    if (!sshd_host_do_first_handshake(host)) {
        return false;
    }
    if (!i18n_load_catalogues(NULL)) {
        log_event(LOG_LEVEL_WARN, 0,
                  "sessions speak only English: no translations in locale or "
                  "../share/locale beside the program");
    }
    if (!draw_sample_screen()) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot draw a screen: is ncurses-base installed?");
        return false;
    }
    return true;
}

struct warm *warm_up_shared_memory(struct sshd_host *host)
{
    if (!do_first_work(host)) {
        return NULL;
    }
    struct warm_filler *fillers = fill_holes_in_heap();
    struct warm *warm = must_allocate(sizeof(*warm));
    warm->fillers = fillers;
    warm->display = display_prepare(FD_FREE);
    if (warm->display != NULL && sshd_host_prepare(host, FD_PEER)) {
        return warm;
    }
    warm_free(warm);
    return NULL;
}

void warm_free(struct warm *warm)
{
    if (warm == NULL) {
        return;
    }
    display_free(warm->display);
    while (warm->fillers != NULL) {
        struct warm_filler *filler = warm->fillers;
        warm->fillers = filler->next;
        free(filler);
    }
    free(warm);
}
