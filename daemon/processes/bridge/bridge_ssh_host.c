#include "daemon/processes/bridge/bridge.h"

#include "daemon/base/base.h"

#include <libssh/libssh.h>
#include <libssh/server.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Both ends are bridges, so only the best algorithms are needed. */
#define KEY_EXCHANGE "curve25519-sha256,curve25519-sha256@libssh.org"
#define KEYS "ssh-ed25519"
#define CIPHERS "aes256-gcm@openssh.com,chacha20-poly1305@openssh.com"
#define MACS "hmac-sha2-256-etm@openssh.com"

#define REKEY_S 3600
#define KEY_TEXT_MAX 128

static const struct {
    enum ssh_bind_options_e option;
    const char *value;
} server_options[] = {
    {SSH_BIND_OPTIONS_KEY_EXCHANGE, KEY_EXCHANGE},
    {SSH_BIND_OPTIONS_HOSTKEY_ALGORITHMS, KEYS},
    {SSH_BIND_OPTIONS_CIPHERS_C_S, CIPHERS},
    {SSH_BIND_OPTIONS_CIPHERS_S_C, CIPHERS},
    {SSH_BIND_OPTIONS_HMAC_C_S, MACS},
    {SSH_BIND_OPTIONS_HMAC_S_C, MACS},
    {SSH_BIND_OPTIONS_PUBKEY_ACCEPTED_KEY_TYPES, KEYS},
    {SSH_BIND_OPTIONS_BANNER, "Trickhouse-bridge"},
};

static const struct {
    enum ssh_options_e option;
    const char *value;
} client_options[] = {
    {SSH_OPTIONS_HOST, "bridge"}, /* not looked up, since the connection exists */
    {SSH_OPTIONS_SSH_DIR, "/nonexistent"}, {SSH_OPTIONS_KEY_EXCHANGE, KEY_EXCHANGE},
    {SSH_OPTIONS_HOSTKEYS, KEYS},          {SSH_OPTIONS_CIPHERS_C_S, CIPHERS},
    {SSH_OPTIONS_CIPHERS_S_C, CIPHERS},    {SSH_OPTIONS_HMAC_C_S, MACS},
    {SSH_OPTIONS_HMAC_S_C, MACS},          {SSH_OPTIONS_PUBLICKEY_ACCEPTED_TYPES, KEYS},
    {SSH_OPTIONS_COMPRESSION, "none"},
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
        ssh_bind_options_set(bind, SSH_BIND_OPTIONS_PROCESS_CONFIG, &process_config) == SSH_OK;
    for (size_t i = 0; i < ARRAY_LEN(server_options) && is_set; i++) {
        is_set =
            ssh_bind_options_set(bind, server_options[i].option, server_options[i].value) == SSH_OK;
    }
    return is_set;
}

/* Reads the key and gives a copy of it to the bind. */
static bool import_key(struct bridge_ssh_host *host, const char *private_key)
{
    ssh_key copy = NULL;
    if (ssh_pki_import_privkey_base64(private_key, NULL, NULL, NULL, &host->key) != SSH_OK ||
        ssh_pki_import_privkey_base64(private_key, NULL, NULL, NULL, &copy) != SSH_OK ||
        ssh_key_type(copy) != SSH_KEYTYPE_ED25519) {
        ssh_key_free(copy);
        log_event(LOG_LEVEL_ERROR, 0, "the key of this node is no ed25519 key");
        return false;
    }
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

ssh_session bridge_ssh_host_make_server(struct bridge_ssh_host *host, int socket)
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

ssh_session bridge_ssh_host_make_client(int socket, unsigned self)
{
    const bool process_config = false;
    char user[16];
    (void)snprintf(user, sizeof user, "node-%u", self);
    ssh_session session = must_not_be_null(ssh_new());
    bool is_set = ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &process_config) == SSH_OK &&
                  ssh_options_set(session, SSH_OPTIONS_USER, user) == SSH_OK &&
                  ssh_options_set(session, SSH_OPTIONS_FD, &socket) == SSH_OK;
    for (size_t i = 0; i < ARRAY_LEN(client_options) && is_set; i++) {
        is_set =
            ssh_options_set(session, client_options[i].option, client_options[i].value) == SSH_OK;
    }
    if (!is_set) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot begin SSH: %s", ssh_get_error(session));
        ssh_free(session);
        return NULL;
    }
    ssh_set_blocking(session, 0);
    return session;
}

int bridge_ssh_host_sign_in(struct bridge_ssh_host *host, ssh_session session)
{
    return ssh_userauth_publickey(session, NULL, host->key);
}

bool bridge_ssh_host_is_same_key(struct ssh_key_struct *key, const char *text)
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
