#include "tests/e2e/line_client.h"

#include "tests/e2e/command.h"
#include "tests/e2e/openssh.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEARD_MAX (4 << 20)
#define ESCAPE 0x1B

struct line_client {
    pid_t pid; /* the client program's process; 0: the client is a socket */
    int in, out;
    size_t at; /* where the words that were expected last end in the output */
    size_t len;
    bool is_closed;
    char heard[HEARD_MAX];
};

static struct line_client *line_client_new(void)
{
    struct line_client *client = calloc(1, sizeof(*client));
    assert_non_null(client);
    return client;
}

struct line_client *line_client_start(const struct house_fixture *house, const char *const *argv,
                                      const char *term)
{
    struct line_client *client = line_client_new();
    int typed[2];
    int shown[2];
    assert_int_equal(pipe2(typed, O_CLOEXEC), 0);
    assert_int_equal(pipe2(shown, O_CLOEXEC), 0);
    client->pid = command_start(house, argv, term, typed[0], shown[1]);
    close(typed[0]);
    close(shown[1]);
    client->in = typed[1];
    client->out = shown[0];
    return client;
}

struct line_client *line_client_open_ssh(const struct house_fixture *house, const char *user,
                                         const char *key, const char *option, const char *term)
{
    struct openssh line;
    openssh_begin_command_line(&line, house, "ssh");
    openssh_add_words(&line, (const char *const[]){option, NULL});
    openssh_add_login(&line, house, user, key);
    return line_client_start(house, line.words, term);
}

struct line_client *line_client_open_socket(const struct house_fixture *house)
{
    struct line_client *client = line_client_new();
    client->in = house_connect_socket(house->telnet_port, 1);
    assert_true(client->in >= 0);
    client->out = client->in;
    return client;
}

void line_client_free(struct line_client *client)
{
    if (client == NULL) {
        return;
    }
    if (client->in >= 0) {
        close(client->in);
    }
    if (client->pid > 0) {
        close(client->out);
        kill(client->pid, SIGHUP);
        waitpid(client->pid, NULL, 0);
    }
    free(client);
}

void line_client_send(struct line_client *client, const void *bytes, size_t len)
{
    assert_int_equal(write(client->in, bytes, len), len);
}

void line_client_type(struct line_client *client, const char *text)
{
    line_client_send(client, text, strlen(text));
}

void line_client_end_input(struct line_client *client)
{
    if (client->pid > 0) {
        close(client->in);
        client->in = -1;
    } else {
        shutdown(client->in, SHUT_WR);
    }
}

void line_client_print(const struct line_client *client, const char *caption)
{
    /* cmocka's print_message would cut the text at one kilobyte. */
    printf("---- %s\n%s\n----\n", caption, client->heard);
    fflush(stdout);
}

/* Reads more output. Returns false when none arrives before the deadline. */
static bool read_more(struct line_client *client, long deadline)
{
    size_t room = sizeof(client->heard) - 1 - client->len;
    ssize_t got = client->is_closed ? 0
                                    : terminal_read_before(client->out, client->heard + client->len,
                                                           room, deadline);
    client->is_closed = got == 0;
    for (ssize_t i = 0; i < got; i++) {
        char *byte = &client->heard[client->len++];
        if (*byte == ESCAPE) {
            line_client_print(client, "an escape sequence came");
            fail_msg("plain lines hold an escape sequence");
        }
        *byte = *byte == '\0' ? '?' : *byte;
    }
    return got > 0;
}

static bool find_earliest_words(struct line_client *client, const char *const *words,
                                size_t *words_index)
{
    const char *first = NULL;
    for (size_t i = 0; words[i] != NULL; i++) {
        const char *found = strstr(client->heard + client->at, words[i]);
        if (found != NULL && (first == NULL || found < first)) {
            first = found;
            *words_index = i;
        }
    }
    if (first != NULL) {
        client->at = (size_t)(first - client->heard) + strlen(words[*words_index]);
    }
    return first != NULL;
}

size_t line_client_expect_any(struct line_client *client, const char *const *words, long limit_ms)
{
    size_t words_index = 0;
    long deadline = terminal_now_ms() + limit_ms;
    while (!find_earliest_words(client, words, &words_index)) {
        if (!read_more(client, deadline)) {
            line_client_print(client, "expected in vain");
            fail_msg("\"%s\" never came", words[0]);
        }
    }
    return words_index;
}

void line_client_expect(struct line_client *client, const char *words)
{
    const char *const list[] = {words, NULL};
    (void)line_client_expect_any(client, list, TERMINAL_DEADLINE_MS);
}

bool line_client_has_read(const struct line_client *client, const char *words)
{
    return strstr(client->heard, words) != NULL;
}

const char *line_client_unmatched_output(const struct line_client *client)
{
    return client->heard + client->at;
}

int line_client_wait_for_end(struct line_client *client)
{
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    int status = 0;
    while (read_more(client, deadline)) {
    }
    if (!client->is_closed) {
        line_client_print(client, "did not end");
        fail_msg("the house did not close");
    }
    if (client->pid > 0) {
        assert_int_equal(waitpid(client->pid, &status, 0), client->pid);
        client->pid = 0;
        close(client->out);
        status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return status;
}
