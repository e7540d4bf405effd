#include "daemon/session/session_state.h"

#include <libssh/libssh.h>
#include <sodium.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
