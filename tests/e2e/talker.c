#include "tests/e2e/talker.h"

#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define HEARD_MAX (4 << 20)
#define ESCAPE 0x1B

struct talker {
    pid_t pid; /* 0: the talker is a socket */
    int in, out;
    size_t at; /* where the last expected words end */
    size_t len;
    bool is_closed;
    char heard[HEARD_MAX];
};

static struct talker *talker_new(void)
{
    struct talker *talker = calloc(1, sizeof(*talker));
    assert_non_null(talker);
    return talker;
}

struct talker *talker_start(const struct house_fixture *house, const char *const *argv,
                            const char *term)
{
    union {
        const char *const *in;
        char *const *out;
    } words = {.in = argv}; /* execvp's parameter is not const, but it changes nothing */
    struct talker *talker = talker_new();
    int typed[2];
    int shown[2];
    assert_int_equal(pipe(typed), 0);
    assert_int_equal(pipe(shown), 0);
    talker->pid = fork();
    assert_true(talker->pid >= 0);
    if (talker->pid == 0) {
        bool is_ready = dup2(typed[0], 0) == 0 && dup2(shown[1], 1) == 1 &&
                        dup2(shown[1], 2) == 2 && chdir(house->folder) == 0 &&
                        setenv("HOME", house->folder, 1) == 0 && setenv("TERM", term, 1) == 0;
        setsid(); /* there is no terminal at which the program could ask */
        close(typed[1]);
        close(shown[0]);
        if (is_ready) {
            execvp(words.out[0], words.out);
        }
        _exit(127);
    }
    close(typed[0]);
    close(shown[1]);
    talker->in = typed[1];
    talker->out = shown[0];
    return talker;
}

struct talker *talker_by_ssh(const struct house_fixture *house, const char *user, const char *key,
                             const char *option, const char *term)
{
    char port[16];
    char target[80];
    char identity[160];
    snprintf(port, sizeof(port), "%d", house->port);
    snprintf(target, sizeof(target), "%s@127.0.0.1", user);
    snprintf(identity, sizeof(identity), "IdentityFile=%s/%s", house->folder,
             key != NULL ? key : "");
    const char *const argv[] = {"ssh",
                                "-F",
                                "none",
                                "-p",
                                port,
                                "-o",
                                key != NULL ? identity : "PubkeyAuthentication=no",
                                "-o",
                                "IdentitiesOnly=yes",
                                "-o",
                                "StrictHostKeyChecking=no",
                                "-o",
                                "UserKnownHostsFile=/dev/null",
                                "-o",
                                "LogLevel=ERROR",
                                option,
                                target,
                                NULL};
    return talker_start(house, argv, term);
}

struct talker *talker_by_socket(const struct house_fixture *house)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)house->telnet_port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    struct talker *talker = talker_new();
    talker->in = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(talker->in >= 0);
    assert_int_equal(connect(talker->in, (const struct sockaddr *)&address, sizeof(address)), 0);
    talker->out = talker->in;
    return talker;
}

void talker_free(struct talker *talker)
{
    if (talker == NULL) {
        return;
    }
    if (talker->in >= 0) {
        close(talker->in);
    }
    if (talker->pid > 0) {
        close(talker->out);
        kill(talker->pid, SIGHUP);
        waitpid(talker->pid, NULL, 0);
    }
    free(talker);
}

void talker_send(struct talker *talker, const void *bytes, size_t len)
{
    assert_int_equal(write(talker->in, bytes, len), len);
}

void talker_type(struct talker *talker, const char *text)
{
    talker_send(talker, text, strlen(text));
}

void talker_end(struct talker *talker)
{
    if (talker->pid > 0) {
        close(talker->in);
        talker->in = -1;
    } else {
        shutdown(talker->in, SHUT_WR);
    }
}

void talker_print(const struct talker *talker, const char *caption)
{
    /* print_message would cut the text at one kilobyte. */
    printf("---- %s\n%s\n----\n", caption, talker->heard);
    fflush(stdout);
}

/* Reads what arrives before the deadline; false when nothing does. */
static bool hear(struct talker *talker, long deadline)
{
    struct pollfd wait = {.fd = talker->out, .events = POLLIN};
    long left = deadline - terminal_now_ms();
    if (talker->is_closed || left <= 0 || poll(&wait, 1, (int)left) <= 0) {
        return false;
    }
    size_t room = sizeof(talker->heard) - 1 - talker->len;
    ssize_t got = read(talker->out, talker->heard + talker->len, room);
    talker->is_closed = got <= 0;
    for (ssize_t i = 0; i < got; i++) {
        char *byte = &talker->heard[talker->len++];
        if (*byte == ESCAPE) {
            talker_print(talker, "an escape sequence came");
            fail_msg("plain lines hold an escape sequence");
        }
        *byte = *byte == '\0' ? '?' : *byte;
    }
    return got > 0;
}

static bool is_any(struct talker *talker, const char *const *words, size_t *which)
{
    const char *first = NULL;
    for (size_t i = 0; words[i] != NULL; i++) {
        const char *found = strstr(talker->heard + talker->at, words[i]);
        if (found != NULL && (first == NULL || found < first)) {
            first = found;
            *which = i;
        }
    }
    if (first != NULL) {
        talker->at = (size_t)(first - talker->heard) + strlen(words[*which]);
    }
    return first != NULL;
}

size_t talker_expect_any(struct talker *talker, const char *const *words, long limit_ms)
{
    size_t which = 0;
    long deadline = terminal_now_ms() + limit_ms;
    while (!is_any(talker, words, &which)) {
        if (!hear(talker, deadline)) {
            talker_print(talker, "expected in vain");
            fail_msg("\"%s\" never came", words[0]);
        }
    }
    return which;
}

void talker_expect(struct talker *talker, const char *words)
{
    const char *const list[] = {words, NULL};
    (void)talker_expect_any(talker, list, TERMINAL_DEADLINE_MS);
}

bool talker_heard(const struct talker *talker, const char *words)
{
    return strstr(talker->heard, words) != NULL;
}

const char *talker_rest(const struct talker *talker)
{
    return talker->heard + talker->at;
}

int talker_wait_end(struct talker *talker)
{
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    int status = 0;
    while (hear(talker, deadline)) {
    }
    if (!talker->is_closed) {
        talker_print(talker, "did not end");
        fail_msg("the house did not close");
    }
    if (talker->pid > 0) {
        assert_int_equal(waitpid(talker->pid, &status, 0), talker->pid);
        talker->pid = 0;
        close(talker->out);
        status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return status;
}
