#include "daemon/session/session_state.h"

#include "games/macros.h"
#include "tests/unit.h"

#include <libssh/libssh.h>

static bool is_generated_key_accepted(enum ssh_keytypes_e type, int bits)
{
    ssh_key key = NULL;
    assert_int_equal(ssh_pki_generate(type, bits, &key), SSH_OK);
    bool answer = sshd_key_is_accepted(key);
    ssh_key_free(key);
    return answer;
}

static void elliptic_curve_keys_are_accepted(void **state)
{
    (void)state;
    assert_true(is_generated_key_accepted(SSH_KEYTYPE_ED25519, 0));
    assert_true(is_generated_key_accepted(SSH_KEYTYPE_ECDSA_P256, 0));
    assert_true(is_generated_key_accepted(SSH_KEYTYPE_ECDSA_P384, 0));
    assert_true(is_generated_key_accepted(SSH_KEYTYPE_ECDSA_P521, 0));
}

static void rsa_keys_of_2048_bits_or_more_are_accepted(void **state)
{
    (void)state;
    assert_false(is_generated_key_accepted(SSH_KEYTYPE_RSA, 1024));
    assert_false(is_generated_key_accepted(SSH_KEYTYPE_RSA, 2040));
    assert_true(is_generated_key_accepted(SSH_KEYTYPE_RSA, 2048));
    assert_true(is_generated_key_accepted(SSH_KEYTYPE_RSA, 3072));
}

/* Public keys made by hardware tokens: they contain the name of the application that they are
 * for. */
static void keys_on_hardware_tokens_are_accepted(void **state)
{
    (void)state;
    static const struct {
        enum ssh_keytypes_e type;
        const char *base64;
    } keys[] = {
        {SSH_KEYTYPE_SK_ED25519,
         "AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIIqI4910CfGV/VLbLTy6XXLKZwm/HZQS"
         "G/N0iAG0D29cAAAABHNzaDo="},
        {SSH_KEYTYPE_SK_ECDSA,
         "AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBCbv"
         "zr0O6eNKZpGH4Ys6kSKy9zOUW2Scyfn5Ien52tgSkCOL3pzHuzMNFQxncE3SWucFUgV0S28xv0Bw"
         "dFhy0OYAAAAEc3NoOg=="},
    };
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        ssh_key key = NULL;
        assert_int_equal(ssh_pki_import_pubkey_base64(keys[i].base64, keys[i].type, &key), SSH_OK);
        assert_true(sshd_key_is_accepted(key));
        ssh_key_free(key);
    }
}

static void dsa_keys_are_refused(void **state)
{
    (void)state;
    assert_false(is_generated_key_accepted(SSH_KEYTYPE_DSS, 1024));
}

TEST_GROUP(sshd_key)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elliptic_curve_keys_are_accepted),
        cmocka_unit_test(rsa_keys_of_2048_bits_or_more_are_accepted),
        cmocka_unit_test(keys_on_hardware_tokens_are_accepted),
        cmocka_unit_test(dsa_keys_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
