#include "tests/kills/link.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINK_MAX ((size_t)4 * 1024 * 1024)
#define READ_MAX 65536

static char *const quiet_options[] = {
    (char[]){"-F"},
    (char[]){"none"},
    (char[]){"-T"},
    (char[]){"-o"},
    (char[]){"BatchMode=yes"},
    (char[]){"-o"},
    (char[]){"IdentitiesOnly=yes"},
    (char[]){"-o"},
    (char[]){"StrictHostKeyChecking=no"},
    (char[]){"-o"},
    (char[]){"UserKnownHostsFile=/dev/null"},
    (char[]){"-o"},
    (char[]){"LogLevel=ERROR"},
};

#define QUIET_OPTIONS (sizeof(quiet_options) / sizeof(quiet_options[0]))

/* Starts ssh in a child process, with the ends of both pipes as its standard input and output. */
static bool start_process(struct link *link, char **argv, const int to[2], const int from[2])
{
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files) != 0) {
        return false;
    }
    bool is_set =
        posix_spawn_file_actions_adddup2(&files, to[0], STDIN_FILENO) == 0 &&
        posix_spawn_file_actions_adddup2(&files, from[1], STDOUT_FILENO) == 0 &&
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0;
    bool is_started = is_set && posix_spawnp(&link->ssh, "ssh", &files, NULL, argv, environ) == 0;
    (void)posix_spawn_file_actions_destroy(&files);
    return is_started;
}

bool link_open(struct link *link, const struct link_login *login)
{
    int to[2];
    int from[2];
    char port[16];
    char host[80];
    char key[256];
    char *argv[QUIET_OPTIONS + 9] = {(char[]){"ssh"}};
    size_t count = 1;
    *link = (struct link){.in = -1, .out = -1};
    (void)snprintf(port, sizeof(port), "%d", login->port);
    (void)snprintf(host, sizeof(host), "%s@127.0.0.1", login->user);
    (void)snprintf(key, sizeof(key), "%s", login->key);
    for (size_t i = 0; i < QUIET_OPTIONS; i++) {
        argv[count++] = quiet_options[i];
    }
    char *const rest[] = {(char[]){"-i"}, key,  (char[]){"-p"}, port,
                          (char[]){"-s"}, host, (char[]){"api"}};
    for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
        argv[count++] = rest[i];
    }
    if (pipe2(to, O_CLOEXEC) != 0) {
        return false;
    }
    if (pipe2(from, O_CLOEXEC) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    bool is_started = start_process(link, argv, to, from);
    close(to[0]);
    close(from[1]);
    link->in = from[0];
    link->out = to[1];
    bytes_init(&link->unread, LINK_MAX);
    bytes_init(&link->unsent, LINK_MAX);
    if (!is_started) {
        perror("ssh");
        link->ssh = 0;
        link_close(link);
        return false;
    }
    (void)fcntl(link->in, F_SETFL, O_NONBLOCK);
    (void)fcntl(link->out, F_SETFL, O_NONBLOCK);
    return true;
}

void link_close(struct link *link)
{
    if (link->ssh > 0) {
        kill(link->ssh, SIGKILL);
        while (waitpid(link->ssh, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    if (link->in >= 0) {
        close(link->in);
        close(link->out);
        bytes_clear(&link->unread);
        bytes_clear(&link->unsent);
    }
    *link = (struct link){.in = -1, .out = -1};
}

void link_send(struct link *link, const char *json, size_t len)
{
    if (link->in < 0) {
        return;
    }
    if (!bytes_add(&link->unsent, json, len) || !bytes_add(&link->unsent, "\n", 1)) {
        abort(); /* the unsent bytes of a player never exceed LINK_MAX */
    }
    link_send_waiting_bytes(link);
}

void link_send_waiting_bytes(struct link *link)
{
    while (link->unsent.len > 0) {
        ssize_t sent = write(link->out, link->unsent.at, link->unsent.len);
        if (sent <= 0) {
            return; /* the rest is sent later; if ssh has ended, link_read notices it */
        }
        bytes_drop_first(&link->unsent, (size_t)sent);
    }
}

bool link_read(struct link *link)
{
    char buffer[READ_MAX];
    ssize_t got = read(link->in, buffer, sizeof(buffer));
    if (got > 0) {
        return bytes_add(&link->unread, buffer, (size_t)got);
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

char *link_next_line(struct link *link, size_t *len)
{
    /* Drops the line that the last call returned. The line is still in the buffer, and ends with a
     * NUL instead of a newline. */
    char *done = link->unread.len > 0 ? memchr(link->unread.at, '\0', link->unread.len) : NULL;
    if (done != NULL) {
        bytes_drop_first(&link->unread, (size_t)(done - link->unread.at) + 1);
    }
    char *end = link->unread.len > 0 ? memchr(link->unread.at, '\n', link->unread.len) : NULL;
    if (end == NULL) {
        return NULL;
    }
    *end = '\0';
    *len = (size_t)(end - link->unread.at);
    return link->unread.at;
}
