#include "tests/e2e/client.h"
#include "tests/e2e/command.h"
#include "tests/e2e/guests.h"
#include "tests/e2e/openssh.h"

#include "games/macros.h"
#include "tests/unit.h"

#include <string.h>

/*
 * Features that OpenSSH's programs can request and the house does not have. Each is refused with
 * one clear line: by the house where the protocol allows a message, otherwise by the client.
 * Afterwards somebody plays.
 */

#define WORDS_MAX 12

struct misuse {
    const char *words[WORDS_MAX]; /* the program, then its arguments after the common options */
    int status;
    const char *says;
};

static int open_house(void **state)
{
    house_set_up(state);
    struct openssh line;
    struct command_result result;
    openssh_begin_command_line(&line, *state, "ssh");
    openssh_add_words(&line, (const char *const[]){"-T", OPENSSH_GUEST, "remember this key", NULL});
    command_run(*state, line.words, &result);
    return 0;
}

/* Runs the command line, expects it to be refused, and returns the number of output lines. */
static int assert_refused(const struct house_fixture *house, const struct misuse *misuse)
{
    struct openssh line;
    struct command_result result;
    openssh_begin_command_line(&line, house, misuse->words[0]);
    openssh_add_words(&line, misuse->words + 1);
    command_run(house, line.words, &result);
    command_assert_result(&result, misuse->status, misuse->says);
    return command_count_lines(&result);
}

static void assert_all_refused(const struct house_fixture *house, const struct misuse *misuses,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(assert_refused(house, &misuses[i]), 1);
    }
}

static void an_ssh_command_is_answered_by_the_house_and_fails(void **state)
{
    static const struct misuse misuses[] = {
        {{"ssh", OPENSSH_GUEST, "ls"}, 1, "Trickhouse"},
        {{"ssh", OPENSSH_GUEST, "rm -rf / ; echo $(id)"}, 1, "Trickhouse"},
        {{"ssh", OPENSSH_GUEST, "trickhouse", "serve"}, 1, "Trickhouse"},
        {{"ssh", OPENSSH_GUEST, "/bin/sh"}, 1, "Trickhouse"},
        {{"ssh", OPENSSH_GUEST, "internal-sftp"}, 1, "Trickhouse"},
        {{"ssh", OPENSSH_GUEST, "\x1b]0;title\x07"}, 1, "Trickhouse"},
        /* ssh -f goes to the background; its exit status only says that the command has started. */
        {{"ssh", "-f", OPENSSH_GUEST, "ls"}, 0, "Trickhouse"},
    };
    assert_all_refused(*state, misuses, ARRAY_LEN(misuses));
}

static void an_ssh_command_of_any_length_is_answered(void **state)
{
    static char command[30000];
    memset(command, 'x', sizeof(command) - 1);
    const struct misuse misuse = {{"ssh", OPENSSH_GUEST, command}, 1, "Trickhouse"};
    assert_int_equal(assert_refused(*state, &misuse), 1);
}

/* The protocol has no message for a refused subsystem, so the line comes from the client. */
static void file_transfers_and_subsystems_are_refused(void **state)
{
    static const char no[] = "subsystem request failed";
    static const struct misuse misuses[] = {
        {{"ssh", "-s", OPENSSH_GUEST, "sftp"}, 255, no},
        {{"ssh", "-s", OPENSSH_GUEST, "netconf"}, 255, no},
        {{"ssh", "-s", OPENSSH_GUEST, "../../bin/sh"}, 255, no},
    };
    static const struct misuse copies[] = {
        /* scp and sftp add that the connection is closed */
        {{"sftp", OPENSSH_GUEST}, 255, no},
        {{"scp", "/etc/hostname", OPENSSH_GUEST ":there"}, 255, no},
        {{"scp", OPENSSH_GUEST ":/etc/passwd", "here"}, 255, no},
        {{"scp", "-O", "/etc/hostname", OPENSSH_GUEST ":there"}, 1, "Trickhouse"},
    };
    assert_all_refused(*state, misuses, ARRAY_LEN(misuses));
    for (size_t i = 0; i < ARRAY_LEN(copies); i++) {
        assert_in_range(assert_refused(*state, &copies[i]), 2, 3);
    }
}

static void outdated_algorithms_are_refused(void **state)
{
    static const char kex[] = "no matching key exchange method found";
    static const char cipher[] = "no matching cipher found";
    static const char mac[] = "no matching MAC found";
    static const char host_key[] = "no matching host key type found";
    static const struct misuse misuses[] = {
        {{"ssh", "-T", "-oKexAlgorithms=diffie-hellman-group1-sha1", OPENSSH_GUEST}, 255, kex},
        {{"ssh", "-T", "-oKexAlgorithms=diffie-hellman-group14-sha1", OPENSSH_GUEST}, 255, kex},
        {{"ssh", "-T", "-oKexAlgorithms=diffie-hellman-group14-sha256", OPENSSH_GUEST}, 255, kex},
        {{"ssh", "-T", "-oKexAlgorithms=diffie-hellman-group-exchange-sha1", OPENSSH_GUEST},
         255,
         kex},
        {{"ssh", "-T", "-oKexAlgorithms=ecdh-sha2-nistp256", OPENSSH_GUEST}, 255, kex},
        {{"ssh", "-T", "-c", "3des-cbc", OPENSSH_GUEST}, 255, cipher},
        {{"ssh", "-T", "-c", "aes128-cbc", OPENSSH_GUEST}, 255, cipher},
        {{"ssh", "-T", "-c", "aes256-cbc", OPENSSH_GUEST}, 255, cipher},
        {{"ssh", "-T", "-c", "aes128-ctr", "-m", "hmac-md5", OPENSSH_GUEST}, 255, mac},
        {{"ssh", "-T", "-c", "aes128-ctr", "-m", "hmac-sha1", OPENSSH_GUEST}, 255, mac},
        {{"ssh", "-T", "-c", "aes128-ctr", "-m", "hmac-sha2-256", OPENSSH_GUEST}, 255, mac},
        {{"ssh", "-T", "-c", "aes128-ctr", "-m", "umac-64@openssh.com", OPENSSH_GUEST}, 255, mac},
        {{"ssh", "-T", "-oHostKeyAlgorithms=ssh-rsa", OPENSSH_GUEST}, 255, host_key},
        {{"ssh", "-T", "-oHostKeyAlgorithms=ecdsa-sha2-nistp256", OPENSSH_GUEST}, 255, host_key},
    };
    assert_all_refused(*state, misuses, ARRAY_LEN(misuses));
}

static void unsupported_sign_in_methods_are_refused(void **state)
{
    static const char no[] = "Permission denied (publickey,keyboard-interactive).";
    static const struct misuse misuses[] = {
        {{"ssh", "-T", "-oPreferredAuthentications=none", "ada@127.0.0.1"}, 255, no},
        {{"ssh", "-T", "-oPreferredAuthentications=password", "ada@127.0.0.1"}, 255, no},
        {{"ssh", "-T", "-oPreferredAuthentications=hostbased", "-oHostbasedAuthentication=yes",
          "-oEnableSSHKeysign=yes", "ada@127.0.0.1"},
         255,
         no},
        {{"ssh", "-T", "-oPreferredAuthentications=gssapi-with-mic", "-oGSSAPIAuthentication=yes",
          "ada@127.0.0.1"},
         255,
         no},
        {{"ssh", "-T", "-oBatchMode=yes", "root@127.0.0.1"}, 255, no},
        {{"ssh", "-T", "-oBatchMode=yes", "-l", "", "127.0.0.1"}, 255, "Permission denied"},
    };
    assert_all_refused(*state, misuses, ARRAY_LEN(misuses));
}

/* Sends requests that want no reply, and options that are only preferences. A command afterwards
 * shows that the house continued. */
static void requests_that_need_no_answer_are_ignored(void **state)
{
    static const struct misuse misuses[] = {
        {{"ssh", "-oSetEnv=LD_PRELOAD=/tmp/x.so", OPENSSH_GUEST, "ls"}, 1, "Trickhouse"},
        {{"ssh", "-oSendEnv=*", OPENSSH_GUEST, "ls"}, 1, "Trickhouse"},
        {{"ssh", "-oCompression=yes", OPENSSH_GUEST, "ls"}, 1, "Trickhouse"},
    };
    assert_all_refused(*state, misuses, ARRAY_LEN(misuses));
    struct openssh line;
    struct command_result result;
    openssh_begin_command_line(&line, *state, "ssh");
    openssh_add_words(&line,
                      (const char *const[]){"-v", "-oCompression=yes", OPENSSH_GUEST, "ls", NULL});
    command_run(*state, line.words, &result);
    command_assert_result(&result, 1, "compression: none");
    assert_null(strstr(result.said, "compression: zlib"));
}

static void an_ssh_agent_is_not_used(void **state)
{
    struct openssh line;
    struct command_result result;
    openssh_begin_command_line(&line, *state, "ssh");
    const char *words[OPENSSH_WORDS_MAX + 1] = {"ssh-agent"};
    openssh_add_words(&line, (const char *const[]){"-A", OPENSSH_GUEST, "ls", NULL});
    memcpy(words + 1, line.words, sizeof(line.words));
    command_run(*state, words, &result);
    command_assert_result(&result, 1, "Trickhouse");
    assert_int_equal(command_count_lines(&result), 1);
}

static void the_house_still_works_after_refusing_features(void **state)
{
    struct terminal *guest = guests_connect(*state);
    client_play_trick(guest);
    client_resign(guest);
}

TEST_GROUP(openssh_misuse)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ssh_command_is_answered_by_the_house_and_fails),
        cmocka_unit_test(an_ssh_command_of_any_length_is_answered),
        cmocka_unit_test(file_transfers_and_subsystems_are_refused),
        cmocka_unit_test(outdated_algorithms_are_refused),
        cmocka_unit_test(unsupported_sign_in_methods_are_refused),
        cmocka_unit_test(requests_that_need_no_answer_are_ignored),
        cmocka_unit_test(an_ssh_agent_is_not_used),
        cmocka_unit_test(the_house_still_works_after_refusing_features),
    };
    return cmocka_run_group_tests_name("openssh_misuse", tests, open_house, house_tear_down);
}
