#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWER_BYTES 256
#define LINE_BYTES (VIEW_TEXT_MAX + 1024)
#define TIME_TO_END_MS 1000

struct bench_exec {
    const char *command;
    uint32_t limit_s;
    pid_t pid;    /* also the number of its process group */
    int to, from; /* its standard input and output; both without waiting */
    char line[LINE_BYTES];
    char answer[ANSWER_BYTES];
};

/* Makes a pipe, one end of which (0: for reading, 1: for writing) is ours and never waits. */
static bool make_pipe(int ends[2], int own)
{
    if (pipe2(ends, O_CLOEXEC) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    return fcntl(ends[own], F_SETFL, O_NONBLOCK) == 0;
}

/* Starts the command in a process group of its own. Returns 0, or why it did not start (errno). */
static int spawn_shell(const char *command, int in, int out, pid_t *pid)
{
    char shell[] = "/bin/sh", option[] = "-c";
    char *words = strdup(command);
    char *argv[] = {shell, option, words, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    int error =
        words == NULL ? ENOMEM : posix_spawn(pid, shell, &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(words);
    return error;
}

static void close_if_open(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

struct bench_exec *bench_exec_start(const char *command, uint32_t limit_s)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    struct bench_exec *exec = calloc(1, sizeof(*exec));
    int error = ENOMEM;
    if (exec != NULL) {
        *exec = (struct bench_exec){.command = command, .limit_s = limit_s};
        error = make_pipe(in, 1) && make_pipe(out, 0)
                    ? spawn_shell(command, in[0], out[1], &exec->pid)
                    : errno;
    }
    close_if_open(in[0]);
    close_if_open(out[1]);
    if (error == 0) {
        exec->to = in[1];
        exec->from = out[0];
        return exec;
    }
    fprintf(stderr, _("trickhouse bench: cannot start \"%s\": %s\n"), command, strerror(error));
    close_if_open(in[1]);
    close_if_open(out[0]);
    free(exec);
    return NULL;
}

/* Waits until the descriptor can be used (`events` of poll). Returns false at the deadline. */
static bool wait_for(int fd, short events, int64_t deadline_ms)
{
    struct pollfd one = {.fd = fd, .events = events};
    int64_t left_ms;
    int ready = 0;
    while (ready <= 0 && (left_ms = deadline_ms - clock_steady_ms()) > 0) {
        ready = poll(&one, 1, (int)left_ms);
    }
    return ready > 0;
}

/* Writes the line that asks for a move. Returns its length, without a NUL. */
static size_t format_question(struct bench_exec *exec, const struct bench_turn *turn)
{
    const struct game_view *view = turn->view;
    struct text line = text_init(exec->line, sizeof(exec->line));
    text_put(&line, "{\"t\":\"think\",\"table\":");
    text_put_number(&line, turn->game_number);
    text_put(&line, ",\"seat\":");
    text_put_number(&line, view->seat);
    text_put(&line, ",\"step\":");
    text_put_number(&line, view->step);
    text_put(&line, ",\"game\":");
    text_put_json(&line, view->game->id);
    text_put(&line, ",\"players\":");
    text_put_number(&line, turn->config->players);
    text_put(&line, ",\"options\":");
    game_config_write(view->game, turn->config, &line);
    text_put(&line, ",\"view\":");
    view_write(view, &line);
    text_put(&line, "}\n");
    return line.len;
}

/* Sends the line. Returns false if the program does not read it before the deadline, or has
 * ended. */
static bool send_question(struct bench_exec *exec, size_t len, int64_t deadline_ms)
{
    const char *at = exec->line;
    while (len > 0) {
        ssize_t put = wait_for(exec->to, POLLOUT, deadline_ms) ? write(exec->to, at, len) : -1;
        if (put < 0) {
            return false;
        }
        at += put;
        len -= (size_t)put;
    }
    return true;
}

/* Reads the answer, up to a newline, the end of the output, the deadline, or the end of the buffer.
 * Reads byte by byte, so that a second line stays in the pipe and counts as the next answer.
 * Returns whether the answer ends with a newline, which is then removed. */
static bool read_answer(struct bench_exec *exec, int64_t deadline_ms)
{
    size_t len = 0;
    ssize_t got = 1;
    while (got > 0 && len < ANSWER_BYTES - 1 && (len == 0 || exec->answer[len - 1] != '\n') &&
           wait_for(exec->from, POLLIN, deadline_ms)) {
        got = read(exec->from, exec->answer + len, 1);
        len += got > 0 ? (size_t)got : 0;
    }
    exec->answer[len] = '\0';
    bool is_line = len > 0 && exec->answer[len - 1] == '\n';
    while (len > 0 && strchr("\r\n ", exec->answer[len - 1]) != NULL) {
        exec->answer[--len] = '\0';
    }
    return is_line;
}

enum fault {
    FAULT_ILLEGAL,
    FAULT_LATE,
    FAULT_ENDED,
};

/* Prints what is wrong with the answer, whose control characters become question marks. Returns
 * MOVE_NONE. */
static uint8_t report_fault(struct bench_exec *exec, const struct bench_turn *turn,
                            enum fault fault)
{
    for (char *at = exec->answer; *at != '\0'; at++) {
        if (*at < ' ' || *at > '~') {
            *at = '?';
        }
    }
    const struct game_view *view = turn->view;
    switch (fault) {
    case FAULT_ILLEGAL:
        fprintf(stderr,
                _("trickhouse bench: game %u, seat %d, step %u: %s answered \"%s\", which is no "
                  "legal move\n"),
                turn->game_number, view->seat, view->step, exec->command, exec->answer);
        break;
    case FAULT_LATE:
        fprintf(stderr,
                _("trickhouse bench: game %u, seat %d, step %u: %s answered no line within %u s, "
                  "only \"%s\"\n"),
                turn->game_number, view->seat, view->step, exec->command, exec->limit_s,
                exec->answer);
        break;
    case FAULT_ENDED:
        fprintf(stderr,
                _("trickhouse bench: game %u, seat %d, step %u: %s closed its output without a "
                  "line, after \"%s\"\n"),
                turn->game_number, view->seat, view->step, exec->command, exec->answer);
        break;
    }
    return MOVE_NONE;
}

uint8_t bench_exec_choose(void *context, const struct bench_turn *turn)
{
    struct bench_exec *exec = context;
    int64_t deadline_ms = clock_steady_ms() + (int64_t)exec->limit_s * 1000;
    exec->answer[0] = '\0';
    if (!send_question(exec, format_question(exec, turn), deadline_ms) ||
        !read_answer(exec, deadline_ms)) {
        bool is_late = clock_steady_ms() >= deadline_ms;
        bool is_too_long = strlen(exec->answer) == ANSWER_BYTES - 1;
        return report_fault(exec, turn,
                            is_too_long ? FAULT_ILLEGAL
                            : is_late   ? FAULT_LATE
                                        : FAULT_ENDED);
    }
    uint8_t move = game_move_parse(turn->view->game, exec->answer);
    return move_set_has(&turn->view->legal, move) ? move : report_fault(exec, turn, FAULT_ILLEGAL);
}

void bench_exec_stop(struct bench_exec *exec)
{
    if (exec == NULL) {
        return;
    }
    int64_t deadline_ms = clock_steady_ms() + TIME_TO_END_MS;
    close(exec->to);
    while (wait_for(exec->from, POLLIN, deadline_ms) &&
           read(exec->from, exec->answer, ANSWER_BYTES) > 0) {
    }
    close(exec->from);
    kill(-exec->pid, SIGKILL);
    waitpid(exec->pid, NULL, 0);
    free(exec);
}
