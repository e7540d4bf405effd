#include "daemon/session/session.h"

#include <fcntl.h>
#include <libssh/libssh.h>
#include <libssh/server.h>
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

bool sshd_host_prepare(struct sshd_host *host, int socket)
{
    host->prepared = make_ssh_server(host, socket);
    host->prepared_socket = socket;
    return host->prepared != NULL;
}

ssh_session sshd_host_accept(struct sshd_host *host, int socket)
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
static bool exchange_keys(ssh_session server, ssh_session client)
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

bool sshd_host_do_first_handshake(struct sshd_host *host)
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
        is_warm = exchange_keys(server, client);
    }
    ssh_free(server);
    ssh_free(client);
    return is_warm;
}
