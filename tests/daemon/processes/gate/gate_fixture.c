#include "gate_fixture.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/processes/gate/gate.h"
#include "fake_core.h"

#include <fcntl.h>
#include <libssh/libssh.h>
#include <netinet/in.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void make_ssh_key(const char *path)
{
    ssh_key key = NULL;
    assert_int_equal(ssh_pki_generate(SSH_KEYTYPE_ED25519, 0, &key), SSH_OK);
    assert_int_equal(ssh_pki_export_privkey_file(key, NULL, NULL, NULL, path), SSH_OK);
    assert_int_equal(chmod(path, 0600), 0);
    ssh_key_free(key);
}

static uint16_t read_port(int fd)
{
    char text[16] = {0};
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, HOUSE_PATIENCE_MS), 1);
    assert_true(read(fd, text, sizeof(text) - 1) > 1);
    close(fd);
    return (uint16_t)atoi(text);
}

static void start_gate(struct house *house, uint32_t sessions_max)
{
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    house->gate = fork();
    assert_true(house->gate >= 0);
    if (house->gate == 0) {
        struct config config = house->config != NULL ? *house->config : config_make_default();
        config.limits_sessions = sessions_max;
        memcpy(config.listen_address, "127.0.0.1", sizeof("127.0.0.1"));
        const struct gate_setup setup = {
            .core_socket = house->core_ends[0],
            .settings = -1,
            .ready_fd = ready[1],
            .host_key = house->host_key,
            .first_conn = 100,
            .config = &config,
        };
        close(house->core_ends[1]);
        close(ready[0]);
        if (house->gate_log >= 0) {
            dup2(house->gate_log, STDERR_FILENO);
            dup2(house->gate_log, STDOUT_FILENO);
        }
        _exit(gate_run(&setup));
    }
    close(ready[1]);
    house->port = read_port(ready[0]);
}

void house_open(struct house *house, uint32_t sessions_max)
{
    house_open_with_config(house, sessions_max, -1, NULL);
}

void house_open_with_config(struct house *house, uint32_t sessions_max, int gate_log,
                            const struct config *config)
{
    *house =
        (struct house){.folder = "/tmp/test_gate_XXXXXX", .gate_log = gate_log, .config = config};
    assert_non_null(mkdtemp(house->folder));
    snprintf(house->host_key, sizeof(house->host_key), "%s/host", house->folder);
    snprintf(house->user_key, sizeof(house->user_key), "%s/user", house->folder);
    make_ssh_key(house->host_key);
    make_ssh_key(house->user_key);
    assert_int_equal(packet_make_socket_pair(house->core_ends), 0);
    assert_int_equal(pipe2(house->log, O_NONBLOCK), 0);
    start_gate(house, sessions_max);
    house->core = fake_core_start(house->core_ends[1], house->log[1], 0);
    assert_true(house->core > 0);
}

void house_read_greeting(const struct house *house, int *peer, char words[HOUSE_GREETING_SIZE])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(house->port)};
    *peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(*peer, (const struct sockaddr *)&address, sizeof(address)), 0);
    struct pollfd ready = {.fd = *peer, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, HOUSE_PATIENCE_MS), 1);
    ssize_t got = read(*peer, words, HOUSE_GREETING_SIZE - 1);
    words[got > 0 ? got : 0] = '\0';
}

int house_wait_for_child(pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

void house_close(struct house *house)
{
    kill(house->gate, SIGTERM);
    int status = house_wait_for_child(house->gate);
    kill(house->core, SIGKILL);
    house_wait_for_child(house->core);
    close(house->core_ends[0]);
    close(house->core_ends[1]);
    close(house->log[0]);
    close(house->log[1]);
    unlink(house->host_key);
    unlink(house->user_key);
    rmdir(house->folder);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

void person_connect(struct person *person, const struct house *house, const char *name,
                    const char *key, const char *extra_arg)
{
    struct winsize size = {.ws_row = 30, .ws_col = 100};
    memset(person, 0, sizeof(*person));
    person->pid = forkpty(&person->terminal, NULL, NULL, &size);
    assert_true(person->pid >= 0);
    if (person->pid > 0) {
        return;
    }
    char port[8], user[64];
    snprintf(port, sizeof(port), "%u", house->port);
    snprintf(user, sizeof(user), "%s@127.0.0.1", name);
    setenv("TERM", "xterm-256color", 1);
    execlp("ssh", "ssh", "-F", "/dev/null", "-o", "StrictHostKeyChecking=no", "-o",
           "UserKnownHostsFile=/dev/null", "-o", "IdentityAgent=none", "-o", "IdentitiesOnly=yes",
           "-i", key == NULL ? "/dev/null" : key, "-p", port, user, extra_arg, (char *)NULL);
    _exit(127);
}

bool person_expect(struct person *person, const char *text)
{
    int64_t deadline_ms = clock_steady_ms() + HOUSE_PATIENCE_MS;
    for (;;) {
        char *at = strstr(person->seen + person->read_to, text);
        if (at != NULL) {
            person->read_to = (size_t)(at - person->seen) + strlen(text);
            return true;
        }
        struct pollfd ready = {.fd = person->terminal, .events = POLLIN};
        int64_t left_ms = deadline_ms - clock_steady_ms();
        ssize_t got = 0;
        if (left_ms > 0 && poll(&ready, 1, (int)left_ms) == 1) {
            got = read(person->terminal, person->seen + person->len,
                       sizeof(person->seen) - 1 - person->len);
        }
        if (got <= 0) {
            print_message("not seen: %s\nbut: %s\n", text, person->seen + person->read_to);
            return false;
        }
        person->len += (size_t)got;
    }
}

void person_type_text(struct person *person, const char *text)
{
    assert_int_equal(write(person->terminal, text, strlen(text)), strlen(text));
}

int person_wait_for_end(struct person *person)
{
    char rest[4096];
    while (read(person->terminal, rest, sizeof(rest)) > 0) {
    }
    int status = house_wait_for_child(person->pid);
    close(person->terminal);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
