#include "tests/e2e/command.h"

#include "games/macros.h"
#include "tests/unit.h"

#include <libssh/libssh.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ssh-audit compares the algorithms that the gate offers with the project's policy. */

#define POLICY_MAX 4096
#define KEX_LINE "\nkey exchanges = "
/* what the house also offers where libssh has it; the policy is that of an older libssh */
#if LIBSSH_VERSION_INT >= SSH_VERSION_INT(0, 12, 0)
#define NEWER_KEX                                                                                  \
    "mlkem768x25519-sha256, sntrup761x25519-sha512, sntrup761x25519-sha512@openssh.com, "
#else
#define NEWER_KEX ""
#endif
#define IS_FAILED 3 /* ssh-audit's exit status for a failure */

static void read_policy(char policy[POLICY_MAX])
{
    char path[512];
    const char *folder = getenv("SOURCE_DIR");
    assert_non_null(folder);
    snprintf(path, sizeof(path), "%s/tests/ssh-audit.policy", folder);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    size_t len = fread(policy, 1, POLICY_MAX - sizeof NEWER_KEX, file);
    assert_true(len > 0 && feof(file));
    fclose(file);
    policy[len] = '\0';
    char *kex = strstr(policy, KEX_LINE);
    assert_non_null(kex);
    kex += strlen(KEX_LINE);
    memmove(kex + strlen(NEWER_KEX), kex, strlen(kex) + 1);
    memcpy(kex, NEWER_KEX, strlen(NEWER_KEX));
}

static void run_ssh_audit(const struct house_fixture *house, const char *policy,
                          struct command_result *result)
{
    char path[96], port[16];
    snprintf(path, sizeof(path), "%s/policy", house->folder);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(policy, file) >= 0);
    assert_int_equal(fclose(file), 0);
    snprintf(port, sizeof(port), "%d", house->port);
    const char *const argv[] = {"ssh-audit", "-n", "-p", port, "-P", path, "127.0.0.1", NULL};
    command_run(house, argv, result);
}

static void the_gate_offers_only_what_the_policy_allows(void **state)
{
    char policy[POLICY_MAX];
    struct command_result result;
    read_policy(policy);
    run_ssh_audit(*state, policy, &result);
    command_assert_result(&result, 0, "Passed");
}

/* The test removes an algorithm from the policy, so the gate offers one that the policy does not
 * list. */
static void an_offered_algorithm_outside_the_policy_is_noticed(void **state)
{
    static const struct {
        const char *offered, *says;
    } extras[] = {
        {", aes192-ctr", "Ciphers did not match."},
        {", hmac-sha2-512-etm@openssh.com", "MACs did not match."},
        {", curve25519-sha256@libssh.org", "Key exchanges did not match."},
        {"ssh-ed25519", "Host keys did not match."},
    };
    for (size_t i = 0; i < ARRAY_LEN(extras); i++) {
        char policy[POLICY_MAX];
        struct command_result result;
        size_t len = strlen(extras[i].offered);
        read_policy(policy);
        char *at = strstr(policy, extras[i].offered);
        assert_non_null(at);
        memmove(at, at + len, strlen(at + len) + 1);
        run_ssh_audit(*state, policy, &result);
        command_assert_result(&result, IS_FAILED, extras[i].says);
    }
}

static void ssh_audit_reports_no_failure(void **state)
{
    const struct house_fixture *house = *state;
    char port[16];
    struct command_result result;
    snprintf(port, sizeof(port), "%d", house->port);
    const char *const argv[] = {"ssh-audit", "-n", "-p", port, "127.0.0.1", NULL};
    command_run(house, argv, &result);
    assert_non_null(strstr(result.said, "(enc) chacha20-poly1305@openssh.com"));
    assert_null(strstr(result.said, "[fail]"));
    /* The audit's only warning is about the marker of strict key exchange, which later versions of
     * ssh-audit know. */
    const char *warning = strstr(result.said, "[warn]");
    if (warning != NULL) {
        assert_null(strstr(warning + 1, "[warn]"));
        assert_non_null(strstr(result.said, "(kex) kex-strict-s-v00@openssh.com   -- [warn]"));
    }
}

TEST_GROUP(ssh_audit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gate_offers_only_what_the_policy_allows),
        cmocka_unit_test(an_offered_algorithm_outside_the_policy_is_noticed),
        cmocka_unit_test(ssh_audit_reports_no_failure),
    };
    return cmocka_run_group_tests_name("ssh-audit", tests, house_set_up, house_tear_down);
}
