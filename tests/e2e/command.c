#include "tests/e2e/command.h"

#include "tests/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_MS (3 * TERMINAL_DEADLINE_MS) /* a script may play a whole game on a busy machine */

pid_t command_start(const struct house_fixture *house, const char *const *argv, const char *term,
                    int input, int output)
{
    union {
        const char *const *in;
        char *const *out;
    } words = {.in = argv}; /* execvp's parameter is not const, but execvp does not change the words
                             */
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        bool is_ready = dup2(input, 0) == 0 && dup2(output, 1) == 1 && dup2(output, 2) == 2 &&
                        chdir(house->folder) == 0 && setenv("HOME", house->folder, 1) == 0 &&
                        (term == NULL || setenv("TERM", term, 1) == 0);
        setsid(); /* a program without a terminal cannot ask questions */
        if (is_ready) {
            execvp(words.out[0], words.out);
        }
        _exit(127);
    }
    return pid;
}

/* Reads until the output ends. Returns false if the deadline passes first. */
static bool read_output(int output, struct command_result *result)
{
    size_t len = 0;
    long deadline = terminal_now_ms() + END_MS;
    for (;;) {
        char bytes[1024];
        ssize_t got = terminal_read_before(output, bytes, sizeof(bytes), deadline);
        if (got <= 0) {
            return got == 0;
        }
        for (ssize_t i = 0; i < got && len < sizeof(result->said) - 1; i++) {
            if (bytes[i] != '\r' && bytes[i] != '\0') {
                result->said[len++] = bytes[i];
            }
        }
        result->said[len] = '\0';
    }
}

void command_run(const struct house_fixture *house, const char *const *argv,
                 struct command_result *result)
{
    int output[2], status = 0;
    *result = (struct command_result){0};
    assert_int_equal(pipe2(output, O_CLOEXEC), 0);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    pid_t pid = command_start(house, argv, NULL, nothing, output[1]);
    close(nothing);
    close(output[1]);
    bool is_over = read_output(output[0], result);
    close(output[0]);
    if (!is_over) {
        kill(pid, SIGKILL);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!is_over) {
        fail_msg("%s did not end; it said: %s", argv[0], result->said);
    }
    result->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int command_count_lines(const struct command_result *result)
{
    int count = 0;
    for (const char *at = result->said; *at != '\0'; at += strcspn(at, "\n")) {
        at += strspn(at, "\n");
        count += *at != '\0' ? 1 : 0;
    }
    return count;
}

void command_assert_result(const struct command_result *result, int status, const char *words)
{
    if (result->status != status || strstr(result->said, words) == NULL) {
        fail_msg("ended with %d, not %d, or never said \"%s\", but:\n%s", result->status, status,
                 words, result->said);
    }
}
